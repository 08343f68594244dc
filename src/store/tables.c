// SPDX-License-Identifier: Apache-2.0
#include "store/tables.h"

#include <string.h>

// ---- enums as words ----

static const char *goal_kind_word(int kind)
{
    return kind == GOAL_BRANCH ? "branch" : "condition";
}

static const char *verdict_word(int kind)
{
    return verdict_name((enum verdict_kind)kind);
}

static const char *proof_word(int kind)
{
    return proof_name((enum proof_kind)kind);
}

static const char *alarm_proof_word(int kind)
{
    return alarm_proof_name((enum alarm_proof)kind);
}

static const char *check_word(int kind)
{
    return check_verdict_name((enum check_verdict)kind);
}

static const char *site_word(int verdict)
{
    return site_verdict_name((enum site_verdict)verdict);
}

static const char *message_word(int kind)
{
    static const char *const words[MESSAGE_KINDS] = {
        [MESSAGE_ERROR] = "error",
        [MESSAGE_DISAGREEMENT] = "disagreement",
        [MESSAGE_NOTE] = "note",
        [MESSAGE_ASSUMPTION] = "assumption",
    };
    return words[kind];
}

// One kind, as a number that is a power of two.
static const char *assumption_word(int kind)
{
    return kind && !(kind & (kind - 1)) ? assumption_name((unsigned)kind) : "";
}

static const char *assumption_bit_word(int bit)
{
    return assumption_name(1u << bit);
}

// ---- columns ----

#define AT(type, member) .offset = offsetof(type, member)
#define TEXT(type, name_, member)                                                                  \
    {.name = name_, .kind = STORE_TEXT, AT(type, member), .refers = STORE_NOWHERE}
#define COLUMN(type, name_, kind_, member)                                                         \
    {.name = name_, .kind = kind_, AT(type, member), .refers = STORE_NOWHERE}
#define INDEX(type, name_, member, refers_)                                                        \
    {.name = name_, .kind = STORE_INDEX, AT(type, member), .refers = refers_}
#define WORD(type, name_, member, word_, words_)                                                   \
    {.name = name_,                                                                                \
     .kind = STORE_WORD,                                                                           \
     AT(type, member),                                                                             \
     .refers = STORE_NOWHERE,                                                                      \
     .word = word_,                                                                                \
     .words = words_}

#define SET(type, name_, member, word_, words_)                                                    \
    {.name = name_,                                                                                \
     .kind = STORE_SET,                                                                            \
     AT(type, member),                                                                             \
     .refers = STORE_NOWHERE,                                                                      \
     .word = word_,                                                                                \
     .words = words_}

static const struct store_column head_columns[] = {
    COLUMN(struct store_head, "is_project", STORE_FLAG, is_project),
    TEXT(struct store_head, "version", version),
    TEXT(struct store_head, "directory", directory),
    COLUMN(struct store_head, "exits", STORE_UNSIGNED, exits),
    COLUMN(struct store_head, "unfinished", STORE_FLAG, unfinished),
    COLUMN(struct store_head, "setup_seconds", STORE_REAL, setup_seconds),
};

#define PART_COUNT(name) COLUMN(struct result_part, #name, STORE_SIZE, totals.name),
static const struct store_column run_columns[] = {
    TEXT(struct result_part, "version", version),
    TEXT(struct result_part, "file", file),
    TEXT(struct result_part, "name", name),
    TEXT(struct result_part, "directory", directory),
    TEXT(struct result_part, "home", home),
    TEXT(struct result_part, "working_directory", working_directory),
    COLUMN(struct result_part, "project_file", STORE_OPTIONAL, project_file),
    COLUMN(struct result_part, "just_file", STORE_OPTIONAL, just_file),
    COLUMN(struct result_part, "seed", STORE_WIDE, seed),
    TEXT(struct result_part, "options", options),
    COLUMN(struct result_part, "reproducible", STORE_FLAG, reproducible),
    COLUMN(struct result_part, "unfinished", STORE_FLAG, unfinished),
    COLUMN(struct result_part, "exits", STORE_UNSIGNED, exits),
    TEXT(struct result_part, "data_model", data_model),
    RESULT_COUNTS(PART_COUNT) //
    COLUMN(struct result_part, "phantoms", STORE_SIZE, phantoms),
    COLUMN(struct result_part, "slow_queries", STORE_SIZE, slow_queries),
    COLUMN(struct result_part, "seconds", STORE_REAL, seconds),
    COLUMN(struct result_part, "setup_seconds", STORE_REAL, setup_seconds),
};

static const struct store_column site_columns[] = {
    WORD(struct result_site, "verdict", verdict, site_word, SITE_VERDICTS),
    TEXT(struct result_site, "text", text),
};

static const struct store_column text_columns[] = {TEXT(struct store_text, "text", text)};

static const struct store_column message_columns[] = {
    WORD(struct store_message, "kind", kind, message_word, MESSAGE_KINDS),
    INDEX(struct store_message, "task", task, STORE_TASKS),
    TEXT(struct store_message, "text", text),
};

#define TASK_COUNT(name) COLUMN(struct result_task, #name, STORE_SIZE, counts.name),
static const struct store_column task_columns[] = {
    TEXT(struct result_task, "function", function),
    RESULT_COUNTS(TASK_COUNT) //
    COLUMN(struct result_task, "exhausted", STORE_FLAG, exhausted),
    COLUMN(struct result_task, "lines_unknown", STORE_FLAG, lines_unknown),
};

static const struct store_column function_columns[] = {
    TEXT(struct result_function, "name", name),
    TEXT(struct result_function, "file", file),
    COLUMN(struct result_function, "line", STORE_UNSIGNED, source_line),
    COLUMN(struct result_function, "in_totals", STORE_FLAG, in_totals),
    COLUMN(struct result_function, "in_header", STORE_FLAG, in_header),
    COLUMN(struct result_function, "in_system_header", STORE_FLAG, in_system_header),
};

#define VERDICT(type, member)                                                                      \
    WORD(type, "verdict", member kind, verdict_word, VERDICT_COUNT),                               \
        WORD(type, "proof", member proof, proof_word, PROOF_COUNT),                                \
        COLUMN(type, "test", STORE_NUMBER, member test),                                           \
        COLUMN(type, "other_test", STORE_NUMBER, member other),                                    \
        COLUMN(type, "by_crash", STORE_FLAG, member by_crash),                                     \
        SET(type, "assumes", member assumes, assumption_bit_word, ASSUMPTION_KINDS),               \
        SET(type, "causes", member causes, open_cause_name, OPEN_CAUSES),                          \
        TEXT(type, "reason", member text),                                                         \
        COLUMN(type, "evidence", STORE_OPTIONAL, member evidence)

// The verdict is that for the file. It is written for queries, and computed anew when it is read.
static const struct store_column goal_columns[] = {
    INDEX(struct result_goal, "function", function, STORE_FUNCTIONS),
    WORD(struct result_goal, "kind", kind, goal_kind_word, 2),
    INDEX(struct result_goal, "branch", branch, STORE_NOWHERE),
    INDEX(struct result_goal, "decision", decision, STORE_DECISIONS),
    COLUMN(struct result_goal, "outcome", STORE_FLAG, outcome),
    COLUMN(struct result_goal, "is_case", STORE_FLAG, is_case),
    COLUMN(struct result_goal, "hooked", STORE_FLAG, hooked),
    COLUMN(struct result_goal, "unrecorded", STORE_FLAG, unrecorded),
    COLUMN(struct result_goal, "shown_in_total", STORE_FLAG, shown_in_total),
    COLUMN(struct result_goal, "position", STORE_UNSIGNED, index),
    COLUMN(struct result_goal, "conditions", STORE_UNSIGNED, count),
    TEXT(struct result_goal, "file", file),
    COLUMN(struct result_goal, "line", STORE_UNSIGNED, source_line),
    COLUMN(struct result_goal, "unit_line", STORE_UNSIGNED, at.line),
    COLUMN(struct result_goal, "unit_column", STORE_UNSIGNED, at.column),
    COLUMN(struct result_goal, "unit_end_line", STORE_UNSIGNED, at.end_line),
    COLUMN(struct result_goal, "unit_end_column", STORE_UNSIGNED, at.end_column),
    TEXT(struct result_goal, "text", text),
    COLUMN(struct result_goal, "justification", STORE_OPTIONAL, justification),
    INDEX(struct result_goal, "task", verdict_task, STORE_TASKS),
    VERDICT(struct result_goal, verdict.),
};

static const struct store_column verdict_columns[] = {VERDICT(struct verdict, )};

static const struct store_column assumption_columns[] = {
    WORD(struct result_assumption, "kind", kind, assumption_word, (1 << ASSUMPTION_KINDS)),
    TEXT(struct result_assumption, "text", text),
};

static const struct store_column decision_columns[] = {
    INDEX(struct result_decision, "function", function, STORE_FUNCTIONS),
    TEXT(struct result_decision, "file", file),
    COLUMN(struct result_decision, "line", STORE_UNSIGNED, source_line),
    COLUMN(struct result_decision, "unit_line", STORE_UNSIGNED, at.line),
    COLUMN(struct result_decision, "unit_column", STORE_UNSIGNED, at.column),
    COLUMN(struct result_decision, "unit_end_line", STORE_UNSIGNED, at.end_line),
    COLUMN(struct result_decision, "unit_end_column", STORE_UNSIGNED, at.end_column),
    COLUMN(struct result_decision, "conditions", STORE_UNSIGNED, conditions),
};

static const struct store_column vector_columns[] = {
    INDEX(struct result_vector, "decision", decision, STORE_DECISIONS),
    TEXT(struct result_vector, "conditions", values),
    COLUMN(struct result_vector, "outcome", STORE_FLAG, outcome),
};

static const struct store_column pair_columns[] = {
    COLUMN(struct result_pair, "first", STORE_SIZE, first),
    COLUMN(struct result_pair, "second", STORE_SIZE, second),
};

static const struct store_column source_columns[] = {
    TEXT(struct result_source, "path", path),
    TEXT(struct result_source, "hash", hash),
    COLUMN(struct result_source, "text", STORE_OPTIONAL, text),
};

static const struct store_column line_columns[] = {
    COLUMN(struct store_line, "hits", STORE_WIDE, hits),
    COLUMN(struct store_line, "in_totals", STORE_FLAG, in_totals),
};

static const struct store_column alarm_columns[] = {
    TEXT(struct result_alarm, "cause", check),
    COLUMN(struct result_alarm, "fault", STORE_UNSIGNED, cause),
    TEXT(struct result_alarm, "kind", kind),
    TEXT(struct result_alarm, "function", function),
    TEXT(struct result_alarm, "file", file),
    COLUMN(struct result_alarm, "line", STORE_UNSIGNED, line),
    INDEX(struct result_alarm, "task", task, STORE_TASKS),
    COLUMN(struct result_alarm, "test", STORE_UNSIGNED, test),
    COLUMN(struct result_alarm, "tests", STORE_SIZE, count),
    WORD(struct result_alarm, "reproduced", proof, alarm_proof_word, ALARM_SANITIZED + 1),
    TEXT(struct result_alarm, "detail", detail),
    COLUMN(struct result_alarm, "is_bug", STORE_FLAG, is_bug),
    COLUMN(struct result_alarm, "precondition", STORE_OPTIONAL, precondition),
    COLUMN(struct result_alarm, "ruled_out", STORE_FLAG, ruled_out),
};

static const struct store_column alarm_input_columns[] = {
    TEXT(struct result_input, "path", path),
    TEXT(struct result_input, "type", type),
    TEXT(struct result_input, "value", value),
    TEXT(struct result_input, "meaning", meaning),
    COLUMN(struct result_input, "matters", STORE_FLAG, matters),
};

static const struct store_column test_input_columns[] = {
    TEXT(struct result_input, "path", path),
    TEXT(struct result_input, "type", type),
    TEXT(struct result_input, "value", value),
    TEXT(struct result_input, "meaning", meaning),
};

static const struct store_column output_columns[] = {
    TEXT(struct result_output, "path", path),
    TEXT(struct result_output, "type", type),
    TEXT(struct result_output, "value", value),
};

static const struct store_column found_columns[] = {
    TEXT(struct result_found, "path", path),
    TEXT(struct result_found, "member", member),
    TEXT(struct result_found, "type", type),
    TEXT(struct result_found, "value", value),
};

static const struct store_column declaration_columns[] = {
    WORD(struct result_declaration, "kind", kind, declaration_kind_name, DECLARATION_KINDS),
    TEXT(struct result_declaration, "owner", owner),
    TEXT(struct result_declaration, "name", name),
    TEXT(struct result_declaration, "type", type),
    TEXT(struct result_declaration, "text", text),
};

static const struct store_column frame_columns[] = {
    TEXT(struct result_frame, "function", function),
    TEXT(struct result_frame, "file", file),
    COLUMN(struct result_frame, "line", STORE_UNSIGNED, line),
};

static const struct store_column step_columns[] = {
    TEXT(struct result_step, "function", function),
    TEXT(struct result_step, "file", file),
    COLUMN(struct result_step, "line", STORE_UNSIGNED, line),
    TEXT(struct result_step, "text", text),
    COLUMN(struct result_step, "outcome", STORE_FLAG, outcome),
    COLUMN(struct result_step, "is_case", STORE_FLAG, is_case),
    COLUMN(struct result_step, "times", STORE_SIZE, times),
};

static const struct store_column test_columns[] = {
    TEXT(struct result_test, "path", path),
    TEXT(struct result_test, "outcome", outcome),
    COLUMN(struct result_test, "crashed", STORE_FLAG, crashed),
    COLUMN(struct result_test, "cut_short", STORE_FLAG, cut_short),
    COLUMN(struct result_test, "dies", STORE_FLAG, dies),
    COLUMN(struct result_test, "leaves", STORE_FLAG, leaves),
    COLUMN(struct result_test, "outputs_cut", STORE_FLAG, outputs_cut),
    COLUMN(struct result_test, "setup_cut", STORE_FLAG, found_cut),
    TEXT(struct result_test, "fault", fault),
    TEXT(struct result_test, "fault_file", fault_file),
    COLUMN(struct result_test, "fault_line", STORE_UNSIGNED, fault_line),
    INDEX(struct result_test, "alarm", alarm, STORE_ALARMS),
};

static const struct store_column span_columns[] = {
    INDEX(struct store_span, "last_goal", last, STORE_GOALS),
    COLUMN(struct store_span, "step", STORE_SIZE, step),
};

static const struct store_column check_columns[] = {
    TEXT(struct result_check, "cause", check),
    COLUMN(struct result_check, "fault", STORE_UNSIGNED, cause),
    TEXT(struct result_check, "kind", kind),
    TEXT(struct result_check, "function", function),
    TEXT(struct result_check, "file", file),
    COLUMN(struct result_check, "line", STORE_UNSIGNED, line),
    WORD(struct result_check, "verdict", verdict, check_word, CHECK_SAFE + 1),
    COLUMN(struct result_check, "tried", STORE_SIZE, tried),
    TEXT(struct result_check, "reason", reason),
};

static const struct store_column statistic_columns[] = {
    TEXT(struct store_statistic, "name", name),
    COLUMN(struct store_statistic, "value", STORE_REAL, value),
};

static const struct store_column sample_columns[] = {
    COLUMN(struct result_sample, "iteration", STORE_WIDE, iteration),
    COLUMN(struct result_sample, "queries", STORE_WIDE, queries),
    COLUMN(struct result_sample, "seconds", STORE_REAL, seconds),
    COLUMN(struct result_sample, "branches", STORE_UNSIGNED, branches),
    COLUMN(struct result_sample, "conditions", STORE_UNSIGNED, conditions),
    COLUMN(struct result_sample, "statements", STORE_UNSIGNED, statements),
};

static const struct store_column layer_columns[] = {
    TEXT(struct result_layer, "name", name),
    COLUMN(struct result_layer, "queries", STORE_WIDE, queries),
    COLUMN(struct result_layer, "sat", STORE_WIDE, sat),
    COLUMN(struct result_layer, "unsat", STORE_WIDE, unsat),
    COLUMN(struct result_layer, "seconds", STORE_REAL, seconds),
};

static const struct store_column precondition_columns[] = {
    TEXT(struct result_precondition, "function", function),
    TEXT(struct result_precondition, "expression", expression),
    COLUMN(struct result_precondition, "file", STORE_OPTIONAL, file),
    TEXT(struct result_precondition, "origin", origin),
    INDEX(struct result_precondition, "task", task, STORE_TASKS),
    COLUMN(struct result_precondition, "violated", STORE_SIZE, violated),
    COLUMN(struct result_precondition, "doubtful", STORE_SIZE, doubtful),
    COLUMN(struct result_precondition, "ruled_out", STORE_FLAG, ruled_out),
};

// ---- tables ----

#define ID                  {"id", STORE_NOWHERE, false}
#define KEY(name_, refers_) {name_, refers_, false}
#define POSITION(name_)     {name_, STORE_NOWHERE, false}
#define COLUMNS(columns_)   columns_, sizeof columns_ / sizeof *columns_

const struct store_table store_tables[STORE_TABLES] = {
    [STORE_RESULT] = {"result", sizeof(struct store_head), {{0}}, COLUMNS(head_columns)},
    [STORE_RUNS] = {"runs", sizeof(struct result_part), {ID}, COLUMNS(run_columns)},
    [STORE_FLAGS] = {"flags",
                     sizeof(struct store_text),
                     {KEY("run", STORE_RUNS), POSITION("position")},
                     COLUMNS(text_columns)},
    [STORE_TASKS] = {"tasks",
                     sizeof(struct result_task),
                     {ID, KEY("run", STORE_RUNS)},
                     COLUMNS(task_columns)},
    // Without a run: a file of a project that could not be tested.
    [STORE_MESSAGES] = {"messages",
                        sizeof(struct store_message),
                        {ID, {"run", STORE_RUNS, true}},
                        COLUMNS(message_columns)},
    [STORE_FUNCTIONS] = {"functions",
                         sizeof(struct result_function),
                         {ID, KEY("run", STORE_RUNS)},
                         COLUMNS(function_columns)},
    [STORE_TASK_FUNCTIONS] = {"task_functions",
                              sizeof(struct store_nothing),
                              {KEY("task", STORE_TASKS), KEY("function", STORE_FUNCTIONS)},
                              NULL,
                              0},
    [STORE_DECISIONS] = {"decisions",
                         sizeof(struct result_decision),
                         {ID, KEY("run", STORE_RUNS)},
                         COLUMNS(decision_columns)},
    [STORE_GOALS] = {"goals", sizeof(struct result_goal), {ID}, COLUMNS(goal_columns)},
    [STORE_VERDICTS] = {"verdicts",
                        sizeof(struct verdict),
                        {KEY("task", STORE_TASKS), KEY("goal", STORE_GOALS)},
                        COLUMNS(verdict_columns)},
    // What a claim presumes, one by one; of kind "bounds" with the bound.
    [STORE_VERDICT_ASSUMPTIONS] = {"verdict_assumptions",
                                   sizeof(struct result_assumption),
                                   {KEY("task", STORE_TASKS), KEY("goal", STORE_GOALS),
                                    POSITION("position")},
                                   COLUMNS(assumption_columns)},
    [STORE_ALARMS] = {"alarms",
                      sizeof(struct result_alarm),
                      {ID, KEY("run", STORE_RUNS)},
                      COLUMNS(alarm_columns)},
    // Those that tests of the task show.
    [STORE_TASK_ALARMS] = {"task_alarms",
                           sizeof(struct store_nothing),
                           {KEY("task", STORE_TASKS), KEY("alarm", STORE_ALARMS)},
                           NULL,
                           0},
    [STORE_ALARM_INPUTS] = {"alarm_inputs",
                            sizeof(struct result_input),
                            {KEY("alarm", STORE_ALARMS), POSITION("position")},
                            COLUMNS(alarm_input_columns)},
    [STORE_ALARM_STEPS] = {"alarm_steps",
                           sizeof(struct result_step),
                           {KEY("alarm", STORE_ALARMS), POSITION("position")},
                           COLUMNS(step_columns)},
    // The stack there, innermost first.
    [STORE_ALARM_FRAMES] = {"alarm_frames",
                            sizeof(struct result_frame),
                            {KEY("alarm", STORE_ALARMS), POSITION("position")},
                            COLUMNS(frame_columns)},
    [STORE_TESTS] = {"tests",
                     sizeof(struct result_test),
                     {KEY("task", STORE_TASKS), POSITION("number")},
                     COLUMNS(test_columns)},
    // What a test covers, as progressions: a test of a large switch takes one branch and does not
    // take thousands of others. The view test_goals has a row for each goal.
    [STORE_TEST_SPANS] = {"test_spans",
                          sizeof(struct store_span),
                          {KEY("task", STORE_TASKS), POSITION("test"),
                           KEY("first_goal", STORE_GOALS)},
                          COLUMNS(span_columns)},
    [STORE_TEST_INPUTS] = {"test_inputs",
                           sizeof(struct result_input),
                           {KEY("task", STORE_TASKS), POSITION("test"), POSITION("position")},
                           COLUMNS(test_input_columns)},
    // What the clean build showed.
    [STORE_TEST_OUTPUTS] = {"test_outputs",
                            sizeof(struct result_output),
                            {KEY("task", STORE_TASKS), POSITION("test"), POSITION("position")},
                            COLUMNS(output_columns)},
    // What the call of the task found there.
    [STORE_TEST_SETUP] = {"test_setup",
                          sizeof(struct result_found),
                          {KEY("task", STORE_TASKS), POSITION("test"), POSITION("position")},
                          COLUMNS(found_columns)},
    // How decisions went in tests of a task; which tests; and which two show a condition.
    [STORE_VECTORS] = {"vectors",
                       sizeof(struct result_vector),
                       {KEY("task", STORE_TASKS), POSITION("number")},
                       COLUMNS(vector_columns)},
    [STORE_TEST_VECTORS] = {"test_vectors",
                            sizeof(struct store_nothing),
                            {KEY("task", STORE_TASKS), POSITION("test"), POSITION("vector")},
                            NULL,
                            0},
    [STORE_PAIRS] = {"pairs",
                     sizeof(struct result_pair),
                     {KEY("task", STORE_TASKS), KEY("goal", STORE_GOALS)},
                     COLUMNS(pair_columns)},
    [STORE_CHECKS] = {"checks",
                      sizeof(struct result_check),
                      {KEY("task", STORE_TASKS), POSITION("position")},
                      COLUMNS(check_columns)},
    [STORE_STATISTICS] = {"statistics",
                          sizeof(struct store_statistic),
                          {KEY("task", STORE_TASKS), POSITION("position")},
                          COLUMNS(statistic_columns)},
    // What the engine had covered after an iteration that added to it.
    [STORE_PROGRESS] = {"progress",
                        sizeof(struct result_sample),
                        {KEY("task", STORE_TASKS), POSITION("position")},
                        COLUMNS(sample_columns)},
    [STORE_LAYERS] = {"layers",
                      sizeof(struct result_layer),
                      {KEY("run", STORE_RUNS), POSITION("position")},
                      COLUMNS(layer_columns)},
    [STORE_PRECONDITIONS] = {"preconditions",
                             sizeof(struct result_precondition),
                             {ID, KEY("run", STORE_RUNS)},
                             COLUMNS(precondition_columns)},
    [STORE_PRECONDITION_ALARMS] = {"precondition_alarms",
                                   sizeof(struct store_nothing),
                                   {KEY("precondition", STORE_PRECONDITIONS),
                                    KEY("alarm", STORE_ALARMS)},
                                   NULL,
                                   0},
    [STORE_PRECONDITION_SITES] = {"precondition_sites",
                                  sizeof(struct result_site),
                                  {KEY("precondition", STORE_PRECONDITIONS), POSITION("position")},
                                  COLUMNS(site_columns)},
    // Files that were read; of those with lines that tests execute the text, too.
    [STORE_SOURCES] = {"sources",
                       sizeof(struct result_source),
                       {ID, KEY("run", STORE_RUNS)},
                       COLUMNS(source_columns)},
    [STORE_SOURCE_LINES] = {"source_lines",
                            sizeof(struct store_line),
                            {KEY("source", STORE_SOURCES), POSITION("line")},
                            COLUMNS(line_columns)},
    // What exported tests have to say in C.
    [STORE_DECLARATIONS] = {"declarations",
                            sizeof(struct result_declaration),
                            {KEY("run", STORE_RUNS), POSITION("position")},
                            COLUMNS(declaration_columns)},
};

#define MEASURE(name) {#name, offsetof(struct result_task, name), false}
#define SECONDS(name) {#name, offsetof(struct result_task, name), true}
const struct store_measure store_measures[] = {
    MEASURE(iterations),       MEASURE(runs),
    MEASURE(queries),          MEASURE(queries_unknown),
    MEASURE(concretised),      MEASURE(losses),
    MEASURE(filtered),         MEASURE(dropped),
    MEASURE(vector_queries),   SECONDS(solver_seconds),
    SECONDS(choosing_seconds), SECONDS(seconds),
};
const size_t store_measure_count = sizeof store_measures / sizeof *store_measures;

size_t store_key_count(const struct store_table *table)
{
    size_t count = 0;
    while (count < STORE_KEYS && table->keys[count].name)
        count++;
    return count;
}

bool store_has_id(const struct store_table *table)
{
    return table->keys[0].name && strcmp(table->keys[0].name, "id") == 0;
}

// ---- the schema ----

static void put_reference(enum store_table_id refers, struct buf *out)
{
    if (refers != STORE_NOWHERE)
        buf_printf(out, " REFERENCES %s(id)", store_tables[refers].name);
}

static const char *type_of(enum store_kind kind)
{
    switch (kind) {
    case STORE_TEXT:
    case STORE_WORD:
    case STORE_SET: return "TEXT NOT NULL";
    case STORE_OPTIONAL: return "TEXT";
    case STORE_REAL: return "REAL NOT NULL";
    case STORE_NUMBER:
    case STORE_INDEX: return "INTEGER";
    default: return "INTEGER NOT NULL";
    }
}

static void put_table(const struct store_table *table, struct buf *out)
{
    size_t keys = store_key_count(table);
    bool has_id = store_has_id(table);
    buf_printf(out, "CREATE TABLE %s(", table->name);
    for (size_t i = 0; i < keys; i++) {
        const struct store_key *key = &table->keys[i];
        buf_printf(out, "%s%s INTEGER%s", i ? ", " : "", key->name,
                   has_id && !i    ? " PRIMARY KEY"
                   : key->optional ? ""
                                   : " NOT NULL");
        put_reference(key->refers, out);
    }
    for (size_t i = 0; i < table->column_count; i++) {
        const struct store_column *column = &table->columns[i];
        buf_printf(out, "%s%s %s", i || keys ? ", " : "", column->name, type_of(column->kind));
        put_reference(column->refers, out);
    }
    for (size_t i = 0; !has_id && i < keys; i++)
        buf_printf(out, "%s%s", i ? ", " : ", PRIMARY KEY(", table->keys[i].name);
    buf_puts(out, has_id || !keys ? ");" : ")) WITHOUT ROWID;");
}

// project_goals has each goal once although several files of a project have it, as result_shared.c
// does: covered if one covers it, else what claims the least.
static const char views[] =
    "CREATE VIEW test_goals AS SELECT s.task, s.test, g.id AS goal FROM test_spans s JOIN goals g "
    "  ON g.id BETWEEN s.first_goal AND s.last_goal AND (g.id - s.first_goal) % s.step = 0;"
    "CREATE VIEW project_goals AS SELECT min(goal) AS goal, kind, max(in_totals) AS in_totals, "
    "  count(DISTINCT run) AS runs, min(rank) AS rank, max(rank) AS worst_rank, "
    "  group_concat(assumes, ' ') AS assumes, f_name AS function, file, line, text, outcome, "
    "  is_case, position, conditions, "
    "  CASE min(rank) WHEN 0 THEN 'covered' WHEN 1 THEN 'covered' WHEN 2 THEN 'justified' "
    "    WHEN 3 THEN 'undetermined' WHEN 4 THEN 'infeasible_assuming' ELSE 'infeasible' END AS "
    "verdict, "
    "  min(rank) = 1 AS by_crash FROM "
    "  (SELECT g.*, g.id AS goal, f.run, f.name AS f_name, f.file AS f_file, f.line AS f_line, "
    "     f.in_totals, g.unit_line - min(g.unit_line) OVER (PARTITION BY g.function) AS "
    "inner_line, "
    "     row_number() OVER (PARTITION BY g.function, g.kind, g.file, g.line, g.unit_line, "
    "g.unit_column, "
    "       g.outcome, g.is_case, g.position, g.text ORDER BY g.id) AS nth, "
    "     CASE g.verdict WHEN 'covered' THEN g.by_crash WHEN 'justified' THEN 2 "
    "       WHEN 'undetermined' THEN 3 WHEN 'infeasible_assuming' THEN 4 ELSE 5 END AS rank "
    "   FROM goals g JOIN functions f ON g.function = f.id) "
    "  GROUP BY f_file, f_line, f_name, kind, file, line, inner_line, unit_column, outcome, "
    "    is_case, position, text, nth;";

void store_schema(struct buf *out)
{
    for (size_t i = 0; i < STORE_TABLES; i++)
        put_table(&store_tables[i], out);
    buf_puts(out, views);
}
