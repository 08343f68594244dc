// SPDX-License-Identifier: Apache-2.0
// report-store DIR FILES [TEXT]: writes the store of a project that nobody ran: FILES files of 72
// goals each, with sources, tests, vectors, alarms and samples. With TEXT, every name and text of
// it contains TEXT; for tests of escaping. 300 files are the subject of bench/report.sh.
#include "base/fs.h"
#include "store/store.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FUNCTIONS = 9, GOALS = 8, LINES = 12, TASKS = 3, TESTS = 6, INPUTS = 10 };

struct maker {
    struct result *r;
    struct arena *arena;
    const char *extra; // in every text
    size_t number;     // of the file
    const char *path;
};

static const char *say(const struct maker *m, const char *text, size_t number)
{
    return arena_printf(m->arena, "%s%zu%s", text, number, m->extra);
}

// ---- functions, decisions, goals ----

static void add_goal(struct maker *m, size_t function, size_t i)
{
    struct result_goal *goal = &m->r->goals[function * GOALS + i];
    uint32_t line = (uint32_t)(function * LINES + (i < 2 ? 3 : 5));
    *goal = (struct result_goal){.kind = i < 6 ? GOAL_BRANCH : GOAL_CONDITION,
                                 .function = function,
                                 .branch = RESULT_NONE,
                                 .hooked = true,
                                 .decision = i < 6 ? RESULT_NONE : function,
                                 .outcome = i % 2 == 1,
                                 .index = i == 7,
                                 .count = i < 6 ? 0 : 2,
                                 .at = {line, (uint32_t)(5 + i / 2 * 8), line, 60},
                                 .file = m->path,
                                 .source_line = line,
                                 .text = say(m,
                                             i < 2             ? "a > "
                                             : i < 4 || i == 6 ? "b == "
                                                               : "c < ",
                                             function),
                                 .verdict_task = RESULT_NONE};
}

static void add_functions(struct maker *m)
{
    struct result *r = m->r;
    r->functions = arena_array(m->arena, struct result_function, FUNCTIONS);
    r->goals = arena_array(m->arena, struct result_goal, FUNCTIONS * GOALS);
    r->function_count = FUNCTIONS;
    r->goal_count = FUNCTIONS * GOALS;
    for (size_t i = 0; i < FUNCTIONS; i++) {
        uint32_t line = (uint32_t)(i * LINES + 1);
        const char *name = arena_printf(m->arena, "function_%zu_%zu%s", m->number, i, m->extra);
        r->functions[i] = (struct result_function){.name = name,
                                                   .unit_name = name,
                                                   .file = m->path,
                                                   .source_line = line,
                                                   .in_totals = true,
                                                   .first_goal = i * GOALS,
                                                   .goal_count = GOALS,
                                                   .tasks = 1};
        *VEC_PUSH(&r->decisions) = (struct result_decision){.function = i,
                                                            .file = m->path,
                                                            .source_line = line + 4,
                                                            .at = {line + 4, 5, line + 4, 60},
                                                            .conditions = 2};
        for (size_t k = 0; k < GOALS; k++)
            add_goal(m, i, k);
    }
}

// ---- tasks, tests, verdicts ----

static struct verdict verdict_of(const struct maker *m, size_t goal)
{
    size_t which = (goal * 7 + m->number) % 20;
    struct verdict verdict = {.kind = VERDICT_COVERED, .test = 1 + goal % TESTS, .text = ""};
    if (which == 0)
        verdict = (struct verdict){.kind = VERDICT_UNDETERMINED,
                                   .causes = 1u << (goal % OPEN_CAUSES),
                                   .text = say(m, "the search ended at ", goal)};
    else if (which == 1)
        verdict = (struct verdict){.kind = VERDICT_INFEASIBLE,
                                   .proof = PROOF_OPTIMISER,
                                   .evidence = say(m, "LLVM removes it ", goal),
                                   .text = ""};
    else if (which == 2)
        verdict = (struct verdict){.kind = VERDICT_ASSUMING,
                                   .proof = PROOF_EXHAUSTED,
                                   .assumes = ASSUMES_BOUND,
                                   .text = say(m, "--elements ", 10)};
    else if (which == 3)
        verdict = (struct verdict){.kind = VERDICT_JUSTIFIED, .text = say(m, "dead code ", goal)};
    else if (which == 4)
        verdict.by_crash = true;
    return verdict;
}

static void add_test(struct maker *m, struct result_task *task, size_t number)
{
    size_t goals[FUNCTIONS * GOALS], count = 0;
    for (size_t i = 0; i < task->goal_count; i++)
        if (task->verdicts[i].kind == VERDICT_COVERED && (i + number) % 2)
            goals[count++] = task->goals[i];
    const char *path = arena_printf(m->arena, "tests/%s/%04zu.test", task->function, number + 1);
    struct result_test *test = result_add_test(m->r, task, path, goals, count);
    test->outcome = say(m, "ok ", number);
    test->fault = say(m, "fault ", number);
    test->inputs = arena_array(m->arena, struct result_input, INPUTS);
    test->input_count = INPUTS;
    for (size_t i = 0; i < INPUTS; i++)
        test->inputs[i] =
            (struct result_input){.path = say(m, i < 4 ? "arg:p->field" : "global", i),
                                  .type = say(m, "int", 32),
                                  .value = say(m, "", i * number),
                                  .meaning = say(m, "MODE_", i)};
    test->outputs = arena_array(m->arena, struct result_output, 1);
    test->outputs[0] = (struct result_output){"return", say(m, "int", 32), say(m, "", number)};
    test->output_count = 1;
    test->vectors = arena_array(m->arena, size_t, FUNCTIONS / TASKS);
    for (size_t i = 0; i < FUNCTIONS / TASKS; i++)
        test->vectors[test->vector_count++] = i * 3 + number % 3;
}

static void add_task(struct maker *m, size_t number)
{
    static const char *const values[] = {"TT", "F-", "TF"};
    size_t per_task = FUNCTIONS / TASKS;
    struct result_task *task = arena_new(m->arena, struct result_task);
    task->function = m->r->functions[number * per_task].name;
    task->functions = arena_array(m->arena, size_t, per_task);
    task->goals = arena_array(m->arena, size_t, per_task *GOALS);
    task->verdicts = arena_array(m->arena, struct verdict, per_task * GOALS);
    for (size_t i = 0; i < per_task; i++) {
        size_t function = task->functions[task->function_count++] = number * per_task + i;
        for (size_t v = 0; v < 3; v++)
            *VEC_PUSH(&task->vectors) = (struct result_vector){function, values[v], v == 0};
        *VEC_PUSH(&task->pairs) = (struct result_pair){function * GOALS + 6, 3 * i, 3 * i + 1};
        for (size_t g = 0; g < GOALS; g++) {
            task->goals[task->goal_count] = function * GOALS + g;
            task->verdicts[task->goal_count++] = verdict_of(m, function * GOALS + g);
        }
    }
    for (size_t i = 0; i < 12; i++)
        *VEC_PUSH(&task->samples) = (struct result_sample){
            1u << i, i, 0.01 * (double)(i + 1), (uint32_t)i, (uint32_t)(i / 4), 0};
    task->runs = 4096;
    task->queries = 900;
    task->seconds = 0.1 * (double)(m->number % 40);
    task->solver_seconds = task->seconds / 2;
    *VEC_PUSH(&m->r->tasks) = task;
    result_add_assumption(m->r, task, say(m, "get() is a stub ", number));
    for (size_t i = 0; i < TESTS; i++)
        add_test(m, task, i);
}

static void add_alarm(struct maker *m)
{
    struct result_step step = {
        m->r->functions[0].name, m->path, 3, say(m, "a > ", 0), true, false, 2};
    struct result_frame frame = {m->r->functions[0].name, m->path, 4};
    struct result_input input = {say(m, "arg:", 0), say(m, "int", 32), say(m, "", 7), true,
                                 say(m, "M_", 7)};
    struct result_alarm alarm = {.cause = 2,
                                 .check = "bounds",
                                 .kind = say(m, "out of bounds ", 1),
                                 .function = m->r->functions[0].name,
                                 .file = m->path,
                                 .line = 4,
                                 .proof = ALARM_SANITIZED,
                                 .detail = say(m, "heap-buffer-overflow ", 1),
                                 .inputs = &input,
                                 .input_count = 1,
                                 .way = &step,
                                 .way_count = 1,
                                 .stack = &frame,
                                 .stack_count = 1};
    result_add_alarm(m->r, m->r->tasks.items[0], 1, &alarm)->precondition = say(m, "p != ", 0);
}

// ---- the file ----

static void add_source(struct maker *m)
{
    struct buf text = BUF_INIT;
    for (size_t i = 0; i < FUNCTIONS; i++)
        buf_printf(&text,
                   "int function_%zu_%zu(int a, int b, int c)\n{\n    if (a > %zu)\n        "
                   "return %zu; /* %s */\n    if (b == %zu && c < %zu)\n        a += \"%s\"[0];\n"
                   "    return a + b;\n}\n\n// %s\n// A line of text between two functions.\n\n",
                   m->number, i, i, i, m->extra, i, i, m->extra, m->extra);
    struct result_source *source = result_add_source(m->r, m->path, "0123456789abcdef");
    source->text = arena_strdup(m->arena, text.data);
    source->lines = arena_array(m->arena, struct result_line, FUNCTIONS * LINES);
    for (size_t i = 0; i < FUNCTIONS * LINES; i++)
        if (i % LINES < 8)
            source->lines[source->line_count++] =
                (struct result_line){(uint32_t)(i + 1), true, (i * 13 + m->number) % 9};
    buf_release(&text);
    for (size_t i = 0; i < source->line_count; i++)
        m->r->lines_covered += source->lines[i].hits > 0;
    m->r->lines = source->line_count;
}

static bool write_file(const char *directory, const char *name, size_t number, const char *extra,
                       struct error *err)
{
    struct result r;
    struct buf path = BUF_INIT;
    buf_printf(&path, "%s/files/%s", directory, name);
    result_init(&r, "");
    struct maker m = {.r = &r, .arena = &r.arena, .extra = extra, .number = number};
    m.path = arena_printf(&r.arena, "/project/%s%s", name, extra);
    r.file = m.path;
    r.version = say(&m, "0.", 0);
    r.directory = arena_strdup(&r.arena, path.data);
    r.options = say(&m, "--strategy auto --seed ", number);
    r.seed = number;
    r.data_model = "lp64";
    r.reproducible = true;
    add_functions(&m);
    for (size_t i = 0; i < TASKS; i++)
        add_task(&m, i);
    if (number % 10 == 0)
        add_alarm(&m);
    result_add_note(&r, "%s", say(&m, "a note ", number));
    result_add_error(&r, "%s", say(&m, "an error ", number));
    result_add_layer(&r, &(struct result_layer){"slice", 100, 0, 0, 0.1});
    result_add_layer(&r, &(struct result_layer){"bitblast", 60, 40, 20, 0.7});
    add_source(&m);
    result_aggregate(&r);
    bool good = fs_make_dirs(path.data, err);
    buf_puts(&path, "/cadenza.db");
    good = good && store_write(&r, path.data, err);
    buf_release(&path);
    result_release(&r);
    return good;
}

static bool write_project(const char *directory, size_t files, const char *extra, struct error *err)
{
    struct arena arena;
    arena_init(&arena);
    const char *store = arena_printf(&arena, "%s/cadenza.db", directory);
    struct store_project project = {.version = "0.0", .directory = directory};
    bool good = fs_make_dirs(directory, err) && store_begin_project(store, err);
    for (size_t i = 0; good && i < files; i++) {
        const char *name = arena_printf(&arena, "part_%zu/file_%zu.c", i / 20, i);
        good = write_file(directory, name, i, extra, err) &&
               store_merge(store, arena_printf(&arena, "files/%s", name),
                           arena_printf(&arena, "%s%s", name, extra), err);
    }
    good = good && store_describe_project(store, &project, err);
    arena_release(&arena);
    return good;
}

int main(int argc, char **argv)
{
    struct error err = {0};
    if (argc < 3)
        return 2;
    if (write_project(argv[1], (size_t)atoi(argv[2]), argc > 3 ? argv[3] : "", &err))
        return 0;
    fprintf(stderr, "report-store: %s\n", err.text);
    return 1;
}
