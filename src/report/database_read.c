// SPDX-License-Identifier: Apache-2.0
// Reads cadenza.db back, for `cadenza replay` and `cadenza show`. The file may be
// anything a user points at, so every step can fail with a sentence.
#include "report/report.h"

#include "base/fs.h"
#include "report/database.h"
#include <stdlib.h>
#include <string.h>

struct reader {
    sqlite3 *db;
    struct arena *arena;
    const char *path;
    struct error *err;
};

static bool damaged(struct reader *r)
{
    return error_set(r->err, ERROR_IO, "%s is damaged or not a database of cadenza (%s)", r->path,
                     sqlite3_errmsg(r->db));
}

static sqlite3_stmt *query(struct reader *r, const char *sql)
{
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(r->db, sql, -1, &statement, NULL) != SQLITE_OK) {
        damaged(r);
        return NULL;
    }
    return statement;
}

// The next row; *good becomes false on damage.
static bool next_row(struct reader *r, sqlite3_stmt *statement, bool *good)
{
    int code = sqlite3_step(statement);
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        *good = damaged(r);
    return code == SQLITE_ROW;
}

static const char *text_at(struct reader *r, sqlite3_stmt *statement, int column)
{
    const unsigned char *text = sqlite3_column_text(statement, column);
    return arena_strdup(r->arena, text ? (const char *)text : "");
}

static bool pragma(struct reader *r, const char *sql, int64_t *value)
{
    sqlite3_stmt *statement = query(r, sql);
    bool good = statement != NULL;
    *value = 0;
    if (good && next_row(r, statement, &good))
        *value = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    return good;
}

static bool check_version(struct reader *r)
{
    int64_t id, version;
    if (!pragma(r, "PRAGMA application_id", &id) || !pragma(r, "PRAGMA user_version", &version))
        return false;
    if (id != DATABASE_ID)
        return error_set(r->err, ERROR_IO, "%s is not a database of cadenza", r->path);
    if (version != REPORT_DB_VERSION)
        return error_set(r->err, ERROR_IO,
                         "%s has schema version %lld, this cadenza reads version %d; run cadenza "
                         "again to make a new one",
                         r->path, (long long)version, REPORT_DB_VERSION);
    return true;
}

#define COLUMN(name) #name ","

static void read_counts(sqlite3_stmt *statement, struct result_counts *counts)
{
    int column = 0;
#define READ(name) counts->name = (size_t)sqlite3_column_int64(statement, column++);
    RESULT_COUNTS(READ)
#undef READ
}

#define ONE(name) +1
enum { COUNTS = 0 RESULT_COUNTS(ONE) };

static bool read_run(struct reader *r, struct saved_run *out)
{
    sqlite3_stmt *rows = query(
        r, "SELECT " RESULT_COUNTS(COLUMN) " version, file, options, seed, reproducible FROM runs");
    bool good = rows != NULL;
    if (good && next_row(r, rows, &good)) {
        read_counts(rows, &out->totals);
        out->version = text_at(r, rows, COUNTS);
        out->file = text_at(r, rows, COUNTS + 1);
        out->options = text_at(r, rows, COUNTS + 2);
        out->seed = (uint64_t)sqlite3_column_int64(rows, COUNTS + 3);
        out->reproducible = sqlite3_column_int(rows, COUNTS + 4) != 0;
    } else if (good) {
        good = error_set(r->err, ERROR_IO, "%s holds no run", r->path);
    }
    sqlite3_finalize(rows);
    return good;
}

static size_t count_rows(struct reader *r, const char *sql)
{
    int64_t count;
    return pragma(r, sql, &count) && count > 0 ? (size_t)count : 0;
}

static bool read_flags(struct reader *r, struct saved_run *out)
{
    size_t room = count_rows(r, "SELECT count(*) FROM flags"), count = 0;
    out->flags = arena_array(r->arena, const char *, room + 1);
    sqlite3_stmt *rows = query(r, "SELECT text FROM flags ORDER BY position");
    bool good = rows != NULL;
    while (good && count < room && next_row(r, rows, &good))
        out->flags[count++] = text_at(r, rows, 0);
    sqlite3_finalize(rows);
    return good;
}

static bool read_tasks(struct reader *r, struct saved_run *out)
{
    size_t room = count_rows(r, "SELECT count(*) FROM tasks");
    out->tasks = arena_array(r->arena, struct saved_task, room);
    sqlite3_stmt *rows =
        query(r, "SELECT " RESULT_COUNTS(
                     COLUMN) " function, exhausted, (SELECT value FROM statistics "
                             "WHERE task = tasks.id AND name = 'seconds') FROM tasks ORDER BY id");
    bool good = rows != NULL;
    while (good && out->task_count < room && next_row(r, rows, &good)) {
        struct saved_task *task = &out->tasks[out->task_count++];
        read_counts(rows, &task->counts);
        task->function = text_at(r, rows, COUNTS);
        task->exhausted = sqlite3_column_int(rows, COUNTS + 1) != 0;
        task->seconds = sqlite3_column_double(rows, COUNTS + 2);
    }
    sqlite3_finalize(rows);
    return good;
}

static bool read_tests_of(struct reader *r, sqlite3_stmt *rows, size_t id, struct saved_task *task)
{
    VEC(struct saved_test) tests = {0};
    bool good = true;
    sqlite3_reset(rows);
    sqlite3_bind_int64(rows, 1, (int64_t)id);
    while (good && next_row(r, rows, &good))
        *VEC_PUSH(&tests) = (struct saved_test){
            (unsigned)sqlite3_column_int(rows, 0), text_at(r, rows, 1), text_at(r, rows, 2),
            sqlite3_column_int(rows, 3) != 0, text_at(r, rows, 4)};
    task->test_count = tests.count;
    task->tests = arena_array(r->arena, struct saved_test, tests.count);
    if (tests.count)
        memcpy(task->tests, tests.items, tests.count * sizeof *tests.items);
    VEC_RELEASE(&tests);
    return good;
}

static bool read_tests(struct reader *r, struct saved_run *out)
{
    sqlite3_stmt *rows = query(
        r,
        "SELECT number, path, outcome, crashed, fault FROM tests WHERE task = ? ORDER BY number");
    bool good = rows != NULL;
    for (size_t i = 0; good && i < out->task_count; i++)
        good = read_tests_of(r, rows, i, &out->tasks[i]);
    sqlite3_finalize(rows);
    return good;
}

static void read_verdict(struct reader *r, sqlite3_stmt *rows, int column, struct verdict *out)
{
    const char *kind = text_at(r, rows, column), *proof = text_at(r, rows, column + 1);
    for (int i = VERDICT_UNDETERMINED; i < VERDICT_COUNT; i++)
        if (strcmp(kind, verdict_name((enum verdict_kind)i)) == 0)
            out->kind = (enum verdict_kind)i;
    for (int i = PROOF_NONE; i < PROOF_COUNT; i++)
        if (strcmp(proof, proof_name((enum proof_kind)i)) == 0)
            out->proof = (enum proof_kind)i;
    out->test = (unsigned)sqlite3_column_int(rows, column + 2);
    out->other = (unsigned)sqlite3_column_int(rows, column + 3);
    out->by_crash = sqlite3_column_int(rows, column + 4) != 0;
    for (unsigned kind = 0; kind < ASSUMPTION_KINDS; kind++)
        if (strstr(text_at(r, rows, column + 5), assumption_name(1u << kind)))
            out->assumes |= 1u << kind;
    out->text = text_at(r, rows, column + 6);
}

static void read_goal(struct reader *r, sqlite3_stmt *rows, struct saved_goal *goal)
{
    goal->function = text_at(r, rows, 0);
    goal->file = text_at(r, rows, 1);
    goal->text = text_at(r, rows, 2);
    goal->kind = strcmp(text_at(r, rows, 3), "branch") == 0 ? GOAL_BRANCH : GOAL_CONDITION;
    goal->outcome = sqlite3_column_int(rows, 4) != 0;
    goal->source_line = (uint32_t)sqlite3_column_int64(rows, 5);
    goal->line = (uint32_t)sqlite3_column_int64(rows, 6);
    goal->column = (uint32_t)sqlite3_column_int64(rows, 7);
    goal->task = text_at(r, rows, 8);
    read_verdict(r, rows, 9, &goal->verdict);
}

static bool read_goals(struct reader *r, struct saved_run *out)
{
    size_t room = count_rows(r, "SELECT count(*) FROM goals");
    out->goals = arena_array(r->arena, struct saved_goal, room);
    sqlite3_stmt *rows =
        query(r, "SELECT functions.name, goals.file, goals.text, goals.kind, outcome, goals.line, "
                 "unit_line, unit_column, tasks.function, verdict, proof, test, other_test, "
                 "by_crash, assumes, reason "
                 "FROM goals JOIN functions ON functions.id = goals.function "
                 "LEFT JOIN tasks ON tasks.id = goals.task ORDER BY goals.id");
    bool good = rows != NULL;
    while (good && out->goal_count < room && next_row(r, rows, &good))
        read_goal(r, rows, &out->goals[out->goal_count++]);
    sqlite3_finalize(rows);
    return good;
}

static void read_alarm(struct reader *r, sqlite3_stmt *rows, struct result_alarm *alarm)
{
    alarm->check = text_at(r, rows, 0);
    alarm->kind = text_at(r, rows, 1);
    alarm->function = text_at(r, rows, 2);
    alarm->file = text_at(r, rows, 3);
    alarm->line = (uint32_t)sqlite3_column_int64(rows, 4);
    alarm->task = sqlite3_column_type(rows, 5) == SQLITE_NULL
                      ? RESULT_NONE
                      : (size_t)sqlite3_column_int64(rows, 5);
    alarm->test = (unsigned)sqlite3_column_int(rows, 6);
    alarm->count = (size_t)sqlite3_column_int64(rows, 7);
    const char *proof = text_at(r, rows, 8);
    for (int i = ALARM_NOT_REPLAYED; i <= ALARM_SANITIZED; i++)
        if (!strcmp(proof, alarm_proof_name((enum alarm_proof)i)))
            alarm->proof = (enum alarm_proof)i;
    alarm->detail = text_at(r, rows, 9);
    alarm->is_bug = sqlite3_column_int(rows, 10) != 0;
    alarm->precondition = text_at(r, rows, 11);
    alarm->ruled_out = sqlite3_column_int(rows, 12) != 0;
}

static bool read_alarm_inputs(struct reader *r, sqlite3_stmt *rows, size_t id,
                              struct result_alarm *alarm)
{
    VEC(struct result_input) inputs = {0};
    bool good = true;
    sqlite3_reset(rows);
    sqlite3_bind_int64(rows, 1, (int64_t)id);
    while (good && next_row(r, rows, &good))
        *VEC_PUSH(&inputs) =
            (struct result_input){text_at(r, rows, 0), text_at(r, rows, 1), text_at(r, rows, 2),
                                  sqlite3_column_int(rows, 3) != 0};
    alarm->input_count = inputs.count;
    alarm->inputs = arena_array(r->arena, struct result_input, inputs.count + 1);
    if (inputs.count)
        memcpy(alarm->inputs, inputs.items, inputs.count * sizeof *inputs.items);
    VEC_RELEASE(&inputs);
    return good;
}

static bool read_alarm_steps(struct reader *r, sqlite3_stmt *rows, size_t id,
                             struct result_alarm *alarm)
{
    VEC(struct result_step) steps = {0};
    bool good = true;
    sqlite3_reset(rows);
    sqlite3_bind_int64(rows, 1, (int64_t)id);
    while (good && next_row(r, rows, &good))
        *VEC_PUSH(&steps) = (struct result_step){.function = text_at(r, rows, 0),
                                                 .file = text_at(r, rows, 1),
                                                 .line = (uint32_t)sqlite3_column_int64(rows, 2),
                                                 .text = text_at(r, rows, 3),
                                                 .outcome = sqlite3_column_int(rows, 4) != 0,
                                                 .is_case = sqlite3_column_int(rows, 5) != 0,
                                                 .times = (size_t)sqlite3_column_int64(rows, 6)};
    alarm->way_count = steps.count;
    alarm->way = arena_array(r->arena, struct result_step, steps.count + 1);
    if (steps.count)
        memcpy(alarm->way, steps.items, steps.count * sizeof *steps.items);
    VEC_RELEASE(&steps);
    return good;
}

static bool read_alarms(struct reader *r, struct saved_run *out)
{
    size_t room = count_rows(r, "SELECT count(*) FROM alarms");
    out->alarms = arena_array(r->arena, struct result_alarm, room + 1);
    sqlite3_stmt *rows = query(r, "SELECT cause, kind, function, file, line, task, test, tests, "
                                  "reproduced, detail, is_bug, precondition, ruled_out FROM alarms "
                                  "ORDER BY id");
    sqlite3_stmt *inputs = query(r, "SELECT path, type, value, matters FROM alarm_inputs "
                                    "WHERE alarm = ? ORDER BY position");
    sqlite3_stmt *steps = query(r, "SELECT function, file, line, text, outcome, is_case, times "
                                   "FROM alarm_steps WHERE alarm = ? ORDER BY position");
    bool good = rows && inputs && steps;
    while (good && out->alarm_count < room && next_row(r, rows, &good)) {
        size_t id = out->alarm_count++;
        read_alarm(r, rows, &out->alarms[id]);
        good = read_alarm_inputs(r, inputs, id, &out->alarms[id]) &&
               read_alarm_steps(r, steps, id, &out->alarms[id]);
    }
    sqlite3_finalize(rows);
    sqlite3_finalize(inputs);
    sqlite3_finalize(steps);
    return good;
}

static bool open_database(struct reader *r)
{
    if (!fs_exists(r->path))
        return error_set(r->err, ERROR_IO,
                         "%s does not exist: no run of cadenza was finished there", r->path);
    return (sqlite3_open_v2(r->path, &r->db, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK ||
            damaged(r)) &&
           check_version(r);
}

bool report_read_db(const char *path, struct arena *arena, struct saved_run *out, struct error *err)
{
    struct reader r = {.arena = arena, .path = path, .err = err};
    *out = (struct saved_run){0};
    bool good = open_database(&r) && read_run(&r, out) && read_flags(&r, out) &&
                read_tasks(&r, out) && read_tests(&r, out) && read_goals(&r, out) &&
                read_alarms(&r, out);
    sqlite3_close(r.db);
    return good;
}

bool report_read_runs(const char *path, struct arena *arena, struct saved_place **out,
                      size_t *count, struct error *err)
{
    struct reader r = {.arena = arena, .path = path, .err = err};
    VEC(struct saved_place) places = {0};
    bool good = open_database(&r);
    sqlite3_stmt *rows = good ? query(&r, "SELECT file, directory FROM runs ORDER BY id") : NULL;
    good = rows != NULL;
    while (good && next_row(&r, rows, &good))
        *VEC_PUSH(&places) = (struct saved_place){text_at(&r, rows, 0), text_at(&r, rows, 1)};
    *count = places.count;
    *out = arena_array(arena, struct saved_place, places.count + 1);
    if (places.count)
        memcpy(*out, places.items, places.count * sizeof *places.items);
    VEC_RELEASE(&places);
    sqlite3_finalize(rows);
    sqlite3_close(r.db);
    return good;
}

// The value of --strategy in a run's options.
static void put_strategy(const char *options, struct buf *out)
{
    const char *at = strstr(options, "--strategy ");
    at = at ? at + strlen("--strategy ") : "";
    buf_add(out, at, strcspn(at, " "));
}

static void put_field(const char *text, struct buf *out)
{
    bool quote = strpbrk(text, ",\"\n") != NULL;
    if (quote)
        buf_putc(out, '"');
    for (; *text; text++) {
        if (*text == '"')
            buf_putc(out, '"');
        buf_putc(out, *text);
    }
    if (quote)
        buf_putc(out, '"');
}

bool report_progress_csv(const char *path, struct buf *out, struct error *err)
{
    struct arena arena;
    arena_init(&arena);
    struct reader r = {.arena = &arena, .path = path, .err = err};
    bool good = open_database(&r);
    sqlite3_stmt *rows =
        good ? query(&r, "SELECT runs.file, options, seed, tasks.function, iteration, queries, "
                         "progress.seconds, progress.branches, progress.conditions, statements "
                         "FROM progress JOIN tasks ON tasks.id = progress.task "
                         "JOIN runs ON runs.id = tasks.run ORDER BY progress.id")
             : NULL;
    good = rows != NULL;
    while (good && next_row(&r, rows, &good)) {
        put_field(text_at(&r, rows, 0), out);
        buf_putc(out, ',');
        put_strategy(text_at(&r, rows, 1), out);
        buf_printf(out, ",%lld,", (long long)sqlite3_column_int64(rows, 2));
        put_field(text_at(&r, rows, 3), out);
        buf_printf(out, ",%lld,%lld,%.4f,%d,%d,%d\n", (long long)sqlite3_column_int64(rows, 4),
                   (long long)sqlite3_column_int64(rows, 5), sqlite3_column_double(rows, 6),
                   sqlite3_column_int(rows, 7), sqlite3_column_int(rows, 8),
                   sqlite3_column_int(rows, 9));
    }
    sqlite3_finalize(rows);
    sqlite3_close(r.db);
    arena_release(&arena);
    return good;
}
