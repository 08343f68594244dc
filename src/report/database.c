// SPDX-License-Identifier: Apache-2.0
// cadenza.db: everything of a run for queries. Written as a whole into a temporary
// file that is then renamed, so a reader sees the old database or the new one.
#include "report/report.h"

#include "base/fs.h"
#include "report/database.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COLUMN(name)  #name " INTEGER NOT NULL, "
#define COUNT_COLUMNS RESULT_COUNTS(COLUMN)

const char database_schema[] =
    // One row per file. directory: where its tests are, "" for beside the database.
    "CREATE TABLE runs(id INTEGER PRIMARY KEY, version TEXT NOT NULL, file TEXT NOT NULL, "
    "  directory TEXT NOT NULL, seed INTEGER NOT NULL, options TEXT NOT NULL, reproducible INTEGER "
    "NOT NULL, "
    "  data_model TEXT NOT NULL, " COUNT_COLUMNS "  seconds REAL NOT NULL);"
    "CREATE TABLE flags(run INTEGER NOT NULL REFERENCES runs(id), position INTEGER NOT NULL, "
    "  text TEXT NOT NULL, PRIMARY KEY(run, position)) WITHOUT ROWID;"
    // kind: error, disagreement, note; assumption (of a task). run: NULL for a file of
    // a project that could not be tested.
    "CREATE TABLE messages(id INTEGER PRIMARY KEY, run INTEGER REFERENCES runs(id), kind TEXT NOT "
    "NULL, "
    "  task INTEGER REFERENCES tasks(id), text TEXT NOT NULL);"
    "CREATE TABLE tasks(id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES runs(id), "
    "  function TEXT NOT NULL, " COUNT_COLUMNS "  exhausted INTEGER NOT NULL);"
    "CREATE TABLE functions(id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES runs(id), "
    "  name TEXT NOT NULL, file TEXT NOT NULL, line INTEGER NOT NULL, in_totals INTEGER NOT NULL);"
    "CREATE TABLE task_functions(task INTEGER NOT NULL REFERENCES tasks(id), "
    "  function INTEGER NOT NULL REFERENCES functions(id), PRIMARY KEY(task, function)) "
    "  WITHOUT ROWID;"
    // The goal with its verdict for the file; verdicts has those of each task.
    "CREATE TABLE goals(id INTEGER PRIMARY KEY, function INTEGER NOT NULL REFERENCES "
    "functions(id), "
    "  kind TEXT NOT NULL, branch INTEGER, outcome INTEGER NOT NULL, is_case INTEGER NOT NULL, "
    "  position INTEGER NOT NULL, conditions INTEGER NOT NULL, "
    "  file TEXT NOT NULL, line INTEGER NOT NULL, unit_line INTEGER NOT NULL, "
    "  unit_column INTEGER NOT NULL, text TEXT NOT NULL, "
    "  verdict TEXT NOT NULL, proof TEXT NOT NULL, task INTEGER REFERENCES tasks(id), "
    "  test INTEGER, other_test INTEGER, by_crash INTEGER NOT NULL, assumes TEXT NOT NULL, "
    "  reason TEXT NOT NULL);"
    "CREATE TABLE verdicts(task INTEGER NOT NULL REFERENCES tasks(id), "
    "  goal INTEGER NOT NULL REFERENCES goals(id), verdict TEXT NOT NULL, proof TEXT NOT NULL, "
    "  test INTEGER, other_test INTEGER, by_crash INTEGER NOT NULL, assumes TEXT NOT NULL, "
    "  reason TEXT NOT NULL, PRIMARY KEY(task, goal)) "
    "  WITHOUT ROWID;"
    "CREATE TABLE tests(task INTEGER NOT NULL REFERENCES tasks(id), number INTEGER NOT NULL, "
    "  path TEXT NOT NULL, outcome TEXT NOT NULL, crashed INTEGER NOT NULL, fault TEXT NOT NULL, "
    "  fault_file TEXT NOT NULL, fault_line INTEGER NOT NULL, PRIMARY KEY(task, number)) "
    "  WITHOUT ROWID;"
    // What a test covers, as progressions: a test of a large switch takes one branch and does not
    // take thousands of others. The view has a row for each goal.
    "CREATE TABLE test_spans(task INTEGER NOT NULL, test INTEGER NOT NULL, "
    "  first_goal INTEGER NOT NULL REFERENCES goals(id), "
    "  last_goal INTEGER NOT NULL REFERENCES goals(id), step INTEGER NOT NULL, "
    "  PRIMARY KEY(task, test, first_goal)) WITHOUT ROWID;"
    "CREATE VIEW test_goals AS SELECT s.task, s.test, g.id AS goal FROM test_spans s JOIN goals g "
    "  ON g.id BETWEEN s.first_goal AND s.last_goal AND (g.id - s.first_goal) % s.step = 0;"
    "CREATE TABLE alarms(id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES runs(id), "
    "  cause TEXT NOT NULL, kind TEXT NOT NULL, function TEXT NOT NULL, file TEXT NOT NULL, "
    "  line INTEGER NOT NULL, task INTEGER, test INTEGER NOT NULL, "
    "  tests INTEGER NOT NULL, reproduced TEXT NOT NULL, detail TEXT NOT NULL, "
    "  is_bug INTEGER NOT NULL, precondition TEXT NOT NULL, ruled_out INTEGER NOT NULL);"
    // Inputs of the alarm's test, and the branch outcomes on its way.
    "CREATE TABLE alarm_inputs(alarm INTEGER NOT NULL REFERENCES alarms(id), "
    "  position INTEGER NOT NULL, path TEXT NOT NULL, type TEXT NOT NULL, value TEXT NOT NULL, "
    "  matters INTEGER NOT NULL, PRIMARY KEY(alarm, position)) WITHOUT ROWID;"
    "CREATE TABLE alarm_steps(alarm INTEGER NOT NULL REFERENCES alarms(id), "
    "  position INTEGER NOT NULL, function TEXT NOT NULL, file TEXT NOT NULL, "
    "  line INTEGER NOT NULL, text TEXT NOT NULL, outcome INTEGER NOT NULL, "
    "  is_case INTEGER NOT NULL, times INTEGER NOT NULL, PRIMARY KEY(alarm, position)) "
    "  WITHOUT ROWID;"
    // Checks that depended on inputs, by task: violated, safe, never failed.
    "CREATE TABLE checks(task INTEGER NOT NULL REFERENCES tasks(id), position INTEGER NOT NULL, "
    "  cause TEXT NOT NULL, kind TEXT NOT NULL, function TEXT NOT NULL, file TEXT NOT NULL, "
    "  line INTEGER NOT NULL, verdict TEXT NOT NULL, tried INTEGER NOT NULL, "
    "  reason TEXT NOT NULL, PRIMARY KEY(task, position)) WITHOUT ROWID;"
    "CREATE TABLE statistics(task INTEGER NOT NULL REFERENCES tasks(id), name TEXT NOT NULL, "
    "  value REAL NOT NULL, PRIMARY KEY(task, name)) WITHOUT ROWID;"
    // What the engine had covered after an iteration that added to it.
    "CREATE TABLE progress(id INTEGER PRIMARY KEY, task INTEGER NOT NULL REFERENCES tasks(id), "
    "  iteration INTEGER NOT NULL, queries INTEGER NOT NULL, seconds REAL NOT NULL, "
    "  branches INTEGER NOT NULL, conditions INTEGER NOT NULL, statements INTEGER NOT NULL);"
    // Each goal once, although several files of a project have it (a function of a header, or of
    // another file in extended units): covered if one covers it, else what claims the least. The
    // line of the preprocessed unit differs from file to file, that within the function does not.
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

bool database_error(sqlite3 *db, const char *what, struct error *err)
{
    const char *reason = !db                                  ? "out of memory"
                         : sqlite3_errcode(db) == SQLITE_FULL ? "No space left on device"
                                                              : sqlite3_errmsg(db);
    return error_set(err, ERROR_IO, "%s: %s", what, reason);
}

// A writer remembers its first failure; what follows does nothing.
struct writer {
    sqlite3 *db;
    sqlite3_stmt *statement;
    int column;
    bool failed;
    struct error *err;
};

static void fail(struct writer *w)
{
    if (!w->failed)
        database_error(w->db, "writing the database", w->err);
    w->failed = true;
}

static void execute(struct writer *w, const char *sql)
{
    if (!w->failed && sqlite3_exec(w->db, sql, NULL, NULL, NULL) != SQLITE_OK)
        fail(w);
}

// "INSERT INTO table VALUES(?, ?, ...)" for rows that put_*() and end_row() give.
static void begin_table(struct writer *w, const char *table, int columns)
{
    struct buf sql = BUF_INIT;
    buf_printf(&sql, "INSERT INTO %s VALUES(", table);
    for (int i = 0; i < columns; i++)
        buf_puts(&sql, i ? ", ?" : "?");
    buf_putc(&sql, ')');
    w->statement = NULL;
    w->column = 0;
    if (!w->failed && sqlite3_prepare_v2(w->db, sql.data, -1, &w->statement, NULL) != SQLITE_OK)
        fail(w);
    buf_release(&sql);
}

static void put_int(struct writer *w, int64_t value)
{
    if (!w->failed)
        sqlite3_bind_int64(w->statement, ++w->column, value);
}

// SIZE_MAX ("none") and 0 where numbers start at 1 become NULL.
static void put_id(struct writer *w, size_t value)
{
    if (value == RESULT_NONE && !w->failed)
        sqlite3_bind_null(w->statement, ++w->column);
    else
        put_int(w, (int64_t)value);
}

static void put_number(struct writer *w, unsigned number)
{
    put_id(w, number ? number : RESULT_NONE);
}

static void put_real(struct writer *w, double value)
{
    if (!w->failed)
        sqlite3_bind_double(w->statement, ++w->column, value);
}

static void put_text(struct writer *w, const char *text)
{
    if (!w->failed)
        sqlite3_bind_text(w->statement, ++w->column, text ? text : "", -1, SQLITE_STATIC);
}

static void put_counts(struct writer *w, const struct result_counts *counts)
{
#define PUT(name) put_int(w, (int64_t)counts->name);
    RESULT_COUNTS(PUT)
#undef PUT
}

static void end_row(struct writer *w)
{
    if (w->failed)
        return;
    if (sqlite3_bind_parameter_count(w->statement) != w->column)
        BUG("a row of %d values for %d columns", w->column,
            sqlite3_bind_parameter_count(w->statement));
    if (sqlite3_step(w->statement) != SQLITE_DONE)
        fail(w);
    sqlite3_reset(w->statement);
    w->column = 0;
}

static void end_table(struct writer *w)
{
    sqlite3_finalize(w->statement);
    w->statement = NULL;
}

#define ONE(name) +1
enum { COUNTS = 0 RESULT_COUNTS(ONE) };

enum { RUN = 1 }; // the only run of a database that is written from a result

static void write_run(struct writer *w, const struct result *result)
{
    begin_table(w, "runs", 9 + COUNTS);
    put_int(w, RUN);
    put_text(w, result->version);
    put_text(w, result->file);
    put_text(w, "");
    put_int(w, (int64_t)result->seed);
    put_text(w, result->options);
    put_int(w, result->reproducible);
    put_text(w, result->data_model);
    put_counts(w, &result->totals);
    put_real(w, result->seconds);
    end_row(w);
    end_table(w);
    begin_table(w, "flags", 3);
    for (size_t i = 0; result->flags && result->flags[i]; i++) {
        put_int(w, RUN);
        put_int(w, (int64_t)i);
        put_text(w, result->flags[i]);
        end_row(w);
    }
    end_table(w);
}

static void write_messages(struct writer *w, const char *kind, size_t task,
                           const char *const *texts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        put_id(w, RESULT_NONE);
        put_int(w, RUN);
        put_text(w, kind);
        put_id(w, task);
        put_text(w, texts[i]);
        end_row(w);
    }
}

static void write_all_messages(struct writer *w, const struct result *result)
{
    begin_table(w, "messages", 5);
    write_messages(w, "error", RESULT_NONE, result->errors.items, result->errors.count);
    write_messages(w, "disagreement", RESULT_NONE, result->disagreements.items,
                   result->disagreements.count);
    write_messages(w, "note", RESULT_NONE, result->notes.items, result->notes.count);
    for (size_t i = 0; i < result->tasks.count; i++)
        write_messages(w, "assumption", i, result->tasks.items[i]->assumptions.items,
                       result->tasks.items[i]->assumptions.count);
    end_table(w);
}

static void write_functions(struct writer *w, const struct result *result)
{
    begin_table(w, "functions", 6);
    for (size_t i = 0; i < result->function_count; i++) {
        const struct result_function *function = &result->functions[i];
        put_int(w, (int64_t)i);
        put_int(w, RUN);
        put_text(w, function->name);
        put_text(w, function->file);
        put_int(w, function->source_line);
        put_int(w, function->in_totals);
        end_row(w);
    }
    end_table(w);
}

// "bounds objects": the kinds of assumptions, in a fixed order.
static void put_kinds(struct writer *w, unsigned kinds)
{
    struct buf text = BUF_INIT;
    for (unsigned kind = 0; kind < ASSUMPTION_KINDS; kind++)
        if (kinds >> kind & 1)
            buf_printf(&text, "%s%s", text.length ? " " : "", assumption_name(1u << kind));
    if (!w->failed)
        sqlite3_bind_text(w->statement, ++w->column, buf_text(&text), -1, SQLITE_TRANSIENT);
    buf_release(&text);
}

static void put_verdict(struct writer *w, const struct verdict *verdict)
{
    put_number(w, verdict->test);
    put_number(w, verdict->other);
    put_int(w, verdict->by_crash);
    put_kinds(w, verdict->assumes);
    put_text(w, verdict->text);
}

static void write_goals(struct writer *w, const struct result *result)
{
    begin_table(w, "goals", 21);
    for (size_t i = 0; i < result->goal_count; i++) {
        const struct result_goal *goal = &result->goals[i];
        put_int(w, (int64_t)i);
        put_int(w, (int64_t)goal->function);
        put_text(w, goal->kind == GOAL_BRANCH ? "branch" : "condition");
        put_id(w, goal->branch);
        put_int(w, goal->outcome);
        put_int(w, goal->is_case);
        put_int(w, goal->index);
        put_int(w, goal->count);
        put_text(w, goal->file);
        put_int(w, goal->source_line);
        put_int(w, goal->at.line);
        put_int(w, goal->at.column);
        put_text(w, goal->text);
        put_text(w, verdict_name(goal->verdict.kind));
        put_text(w, proof_name(goal->verdict.proof));
        put_id(w, goal->verdict_task);
        put_verdict(w, &goal->verdict);
        end_row(w);
    }
    end_table(w);
}

static void write_tasks(struct writer *w, const struct result *result)
{
    begin_table(w, "tasks", 4 + COUNTS);
    for (size_t i = 0; i < result->tasks.count; i++) {
        const struct result_task *task = result->tasks.items[i];
        put_int(w, (int64_t)i);
        put_int(w, RUN);
        put_text(w, task->function);
        put_counts(w, &task->counts);
        put_int(w, task->exhausted);
        end_row(w);
    }
    end_table(w);
    begin_table(w, "task_functions", 2);
    for (size_t i = 0; i < result->tasks.count; i++)
        for (size_t f = 0; f < result->tasks.items[i]->function_count; f++) {
            put_int(w, (int64_t)i);
            put_int(w, (int64_t)result->tasks.items[i]->functions[f]);
            end_row(w);
        }
    end_table(w);
}

static void write_verdicts(struct writer *w, const struct result *result)
{
    begin_table(w, "verdicts", 9);
    for (size_t i = 0; i < result->tasks.count; i++) {
        const struct result_task *task = result->tasks.items[i];
        for (size_t g = 0; g < task->goal_count; g++) {
            put_int(w, (int64_t)i);
            put_int(w, (int64_t)task->goals[g]);
            put_text(w, verdict_name(task->verdicts[g].kind));
            put_text(w, proof_name(task->verdicts[g].proof));
            put_verdict(w, &task->verdicts[g]);
            end_row(w);
        }
    }
    end_table(w);
}

static void write_tests(struct writer *w, const struct result *result)
{
    begin_table(w, "tests", 8);
    for (size_t i = 0; i < result->tasks.count; i++)
        for (size_t t = 0; t < result->tasks.items[i]->tests.count; t++) {
            const struct result_test *test = result->tasks.items[i]->tests.items[t];
            put_int(w, (int64_t)i);
            put_int(w, test->number);
            put_text(w, test->path);
            put_text(w, test->outcome);
            put_int(w, test->crashed);
            put_text(w, test->fault);
            put_text(w, test->fault_file);
            put_int(w, test->fault_line);
            end_row(w);
        }
    end_table(w);
}

static void write_spans_of(struct writer *w, size_t task, const struct result_test *test)
{
    for (size_t g = 0, end; g < test->goal_count; g = end) {
        size_t first = test->goals[g], last = first, step = 1;
        for (end = g + 1; end < test->goal_count; end++) {
            size_t distance = test->goals[end] - last;
            if (last == first && distance)
                step = distance;
            if (distance && distance != step)
                break;
            last = test->goals[end];
        }
        put_int(w, (int64_t)task);
        put_int(w, test->number);
        put_int(w, (int64_t)first);
        put_int(w, (int64_t)last);
        put_int(w, (int64_t)step);
        end_row(w);
    }
}

static void write_test_spans(struct writer *w, const struct result *result)
{
    begin_table(w, "test_spans", 5);
    for (size_t i = 0; i < result->tasks.count; i++)
        for (size_t t = 0; t < result->tasks.items[i]->tests.count; t++)
            write_spans_of(w, i, result->tasks.items[i]->tests.items[t]);
    end_table(w);
}

static void write_alarms(struct writer *w, const struct result *result)
{
    begin_table(w, "alarms", 15);
    for (size_t i = 0; i < result->alarms.count; i++) {
        const struct result_alarm *alarm = result->alarms.items[i];
        put_int(w, (int64_t)i);
        put_int(w, RUN);
        put_text(w, alarm->check);
        put_text(w, alarm->kind);
        put_text(w, alarm->function);
        put_text(w, alarm->file);
        put_int(w, alarm->line);
        put_id(w, alarm->task);
        put_int(w, alarm->test);
        put_int(w, (int64_t)alarm->count);
        put_text(w, alarm_proof_name(alarm->proof));
        put_text(w, alarm->detail);
        put_int(w, alarm->is_bug);
        put_text(w, alarm->precondition ? alarm->precondition : "");
        put_int(w, alarm->ruled_out);
        end_row(w);
    }
    end_table(w);
}

static void write_alarm_inputs(struct writer *w, const struct result *result)
{
    begin_table(w, "alarm_inputs", 6);
    for (size_t i = 0; i < result->alarms.count; i++)
        for (size_t k = 0; k < result->alarms.items[i]->input_count; k++) {
            const struct result_input *input = &result->alarms.items[i]->inputs[k];
            put_int(w, (int64_t)i);
            put_int(w, (int64_t)k);
            put_text(w, input->path);
            put_text(w, input->type);
            put_text(w, input->value);
            put_int(w, input->matters);
            end_row(w);
        }
    end_table(w);
}

static void write_alarm_steps(struct writer *w, const struct result *result)
{
    begin_table(w, "alarm_steps", 9);
    for (size_t i = 0; i < result->alarms.count; i++)
        for (size_t k = 0; k < result->alarms.items[i]->way_count; k++) {
            const struct result_step *step = &result->alarms.items[i]->way[k];
            put_int(w, (int64_t)i);
            put_int(w, (int64_t)k);
            put_text(w, step->function);
            put_text(w, step->file);
            put_int(w, step->line);
            put_text(w, step->text);
            put_int(w, step->outcome);
            put_int(w, step->is_case);
            put_int(w, (int64_t)step->times);
            end_row(w);
        }
    end_table(w);
}

static void write_checks(struct writer *w, const struct result *result)
{
    begin_table(w, "checks", 10);
    for (size_t i = 0; i < result->tasks.count; i++)
        for (size_t k = 0; k < result->tasks.items[i]->checks.count; k++) {
            const struct result_check *check = &result->tasks.items[i]->checks.items[k];
            put_int(w, (int64_t)i);
            put_int(w, (int64_t)k);
            put_text(w, check->check);
            put_text(w, check->kind);
            put_text(w, check->function);
            put_text(w, check->file);
            put_int(w, check->line);
            put_text(w, check_verdict_name(check->verdict));
            put_int(w, (int64_t)check->tried);
            put_text(w, check->reason);
            end_row(w);
        }
    end_table(w);
}

static void write_statistics(struct writer *w, const struct result *result)
{
    begin_table(w, "statistics", 3);
    for (size_t i = 0; i < result->tasks.count; i++) {
        const struct result_task *task = result->tasks.items[i];
        const struct {
            const char *name;
            double value;
        } values[] = {{"iterations", (double)task->iterations},
                      {"runs", (double)task->runs},
                      {"queries", (double)task->queries},
                      {"queries_unknown", (double)task->queries_unknown},
                      {"concretised", (double)task->concretised},
                      {"losses", (double)task->losses},
                      {"filtered", (double)task->filtered},
                      {"dropped", (double)task->dropped},
                      {"vector_queries", (double)task->vector_queries},
                      {"solver_seconds", task->solver_seconds},
                      {"choosing_seconds", task->choosing_seconds},
                      {"seconds", task->seconds}};
        for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
            put_int(w, (int64_t)i);
            put_text(w, values[v].name);
            put_real(w, values[v].value);
            end_row(w);
        }
    }
    end_table(w);
}

static void write_progress(struct writer *w, const struct result *result)
{
    begin_table(w, "progress", 8);
    for (size_t i = 0; i < result->tasks.count; i++)
        for (size_t k = 0; k < result->tasks.items[i]->samples.count; k++) {
            const struct result_sample *sample = &result->tasks.items[i]->samples.items[k];
            put_id(w, RESULT_NONE);
            put_int(w, (int64_t)i);
            put_int(w, (int64_t)sample->iteration);
            put_int(w, (int64_t)sample->queries);
            put_real(w, sample->seconds);
            put_int(w, sample->branches);
            put_int(w, sample->conditions);
            put_int(w, sample->statements);
            end_row(w);
        }
    end_table(w);
}

static void write_tables(struct writer *w, const struct result *result)
{
    struct buf head = BUF_INIT;
    buf_printf(&head,
               "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA application_id=%d; "
               "PRAGMA user_version=%d; BEGIN;",
               DATABASE_ID, REPORT_DB_VERSION);
    execute(w, head.data);
    buf_release(&head);
    execute(w, database_schema);
    write_run(w, result);
    write_all_messages(w, result);
    write_functions(w, result);
    write_tasks(w, result);
    write_goals(w, result);
    write_verdicts(w, result);
    write_tests(w, result);
    write_test_spans(w, result);
    write_alarms(w, result);
    write_alarm_inputs(w, result);
    write_alarm_steps(w, result);
    write_checks(w, result);
    write_statistics(w, result);
    write_progress(w, result);
    execute(w, "COMMIT;");
}

// SQLite's own syncing is off because the file is private until it is complete.
static bool sync_and_rename(const char *from, const char *to, struct error *err)
{
    int fd = open(from, O_RDONLY | O_CLOEXEC);
    bool good = fd >= 0 && fsync(fd) == 0;
    int saved = errno;
    if (fd >= 0)
        close(fd);
    errno = saved;
    return (good && rename(from, to) == 0) || error_errno(err, "cannot write %s", to);
}

bool report_write_db(const struct result *result, const char *path, struct error *err)
{
    struct buf temporary = BUF_INIT;
    struct writer w = {.err = err};
    buf_printf(&temporary, "%s.tmp.%ld", path, (long)getpid());
    unlink(temporary.data);
    if (sqlite3_open_v2(temporary.data, &w.db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) !=
        SQLITE_OK)
        fail(&w);
    write_tables(&w, result);
    if (sqlite3_close(w.db) != SQLITE_OK)
        fail(&w);
    bool good = !w.failed && sync_and_rename(temporary.data, path, err);
    if (!good)
        unlink(temporary.data);
    buf_release(&temporary);
    return good;
}
