// SPDX-License-Identifier: Apache-2.0
// The cadenza.db of a project grows by one file's database at a time: that one is
// attached, and its rows are copied with their ids shifted behind those that are there.
#include "report/report.h"

#include "base/fs.h"
#include "report/database.h"
#include <string.h>
#include <unistd.h>

struct project_db {
    sqlite3 *db;
    const char *path;
    struct error *err;
};

static bool execute(struct project_db *p, const char *sql)
{
    return sqlite3_exec(p->db, sql, NULL, NULL, NULL) == SQLITE_OK ||
           database_error(p->db, p->path, p->err);
}

static bool open_project(struct project_db *p)
{
    return sqlite3_open_v2(p->path, &p->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) ==
               SQLITE_OK ||
           database_error(p->db, p->path, p->err);
}

// Runs `sql` with one text as its parameter.
static bool execute_with(struct project_db *p, const char *sql, const char *text)
{
    sqlite3_stmt *statement = NULL;
    bool good = sqlite3_prepare_v2(p->db, sql, -1, &statement, NULL) == SQLITE_OK;
    if (good) {
        sqlite3_bind_text(statement, 1, text, -1, SQLITE_STATIC);
        good = sqlite3_step(statement) == SQLITE_DONE;
    }
    if (!good)
        database_error(p->db, p->path, p->err);
    sqlite3_finalize(statement);
    return good;
}

// A journal of an old file would be taken for one of the new file.
bool report_begin_project(const char *path, struct error *err)
{
    struct project_db p = {.path = path, .err = err};
    struct buf head = BUF_INIT;
    buf_printf(&head, "%s-journal", path);
    unlink(path);
    unlink(head.data);
    buf_clear(&head);
    buf_printf(&head, "BEGIN; PRAGMA application_id=%d; PRAGMA user_version=%d;", DATABASE_ID,
               REPORT_DB_VERSION);
    bool good = open_project(&p) && execute(&p, head.data) && execute(&p, database_schema) &&
                execute(&p, "COMMIT");
    buf_release(&head);
    sqlite3_close(p.db);
    return good;
}

// ---- shifted copies ----

// Columns that refer to rows of these tables are shifted with them.
static const char *const shifted[] = {"runs", "tasks", "functions", "goals", "alarms"};

// What the ids of each table are shifted by, in a table of one row. SQLite finds max(id)
// without looking at the other rows.
static bool make_shifts(struct project_db *p)
{
    struct buf sql = BUF_INIT;
    buf_puts(&sql, "CREATE TEMP TABLE shift AS SELECT ");
    for (size_t i = 0; i < sizeof shifted / sizeof *shifted; i++)
        buf_printf(&sql, "%s(SELECT coalesce(max(id) + %d, 0) FROM main.%s) AS %s", i ? ", " : "",
                   strcmp(shifted[i], "runs") != 0, shifted[i], shifted[i]);
    bool good = execute(p, sql.data);
    buf_release(&sql);
    return good;
}

// The table that a column refers to, or NULL.
static const char *target_of(const char *table, const char *column)
{
    static const struct {
        const char *table, *column, *target;
    } references[] = {
        {"", "run", "runs"},
        {"", "task", "tasks"},
        {"", "goal", "goals"},
        {"", "first_goal", "goals"},
        {"", "last_goal", "goals"},
        {"", "alarm", "alarms"},
        {"goals", "function", "functions"},
        {"task_functions", "function", "functions"},
    };
    for (size_t i = 0; !strcmp(column, "id") && i < sizeof shifted / sizeof *shifted; i++)
        if (!strcmp(table, shifted[i]))
            return shifted[i];
    for (size_t i = 0; i < sizeof references / sizeof *references; i++)
        if (!strcmp(column, references[i].column) &&
            (!*references[i].table || !strcmp(table, references[i].table)))
            return references[i].target;
    return NULL;
}

// "column", or what it becomes in the project.
static void put_column(const char *table, const char *column, struct buf *sql)
{
    const char *target = target_of(table, column);
    if (target)
        buf_printf(sql, "s.%s + shift.%s", column, target);
    else if (!strcmp(column, "id"))
        buf_puts(sql, "NULL"); // nothing refers to it: numbered anew
    else if (!strcmp(table, "tests") && !strcmp(column, "path"))
        buf_puts(sql, "?1 || '/' || s.path");
    else if (!strcmp(table, "runs") && !strcmp(column, "directory"))
        buf_puts(sql, "?1");
    else
        buf_printf(sql, "s.\"%s\"", column);
}

static bool copy_table(struct project_db *p, const char *table, const char *directory)
{
    struct buf sql = BUF_INIT;
    sqlite3_stmt *columns = NULL;
    buf_printf(&sql, "PRAGMA main.table_info(%s)", table);
    bool good = sqlite3_prepare_v2(p->db, sql.data, -1, &columns, NULL) == SQLITE_OK ||
                database_error(p->db, p->path, p->err);
    buf_clear(&sql);
    buf_printf(&sql, "INSERT INTO main.%s SELECT ", table);
    bool numbered = false;
    for (int i = 0; good && sqlite3_step(columns) == SQLITE_ROW; i++) {
        const char *column = (const char *)sqlite3_column_text(columns, 1);
        buf_puts(&sql, i ? ", " : "");
        put_column(table, column, &sql);
        numbered |= !strcmp(column, "id");
    }
    // Rows keep their order: those that are numbered anew, too.
    buf_printf(&sql, " FROM one.%s AS s, shift%s", table, numbered ? " ORDER BY s.id" : "");
    sqlite3_finalize(columns);
    good = good && execute_with(p, sql.data, directory);
    buf_release(&sql);
    return good;
}

static bool copy_tables(struct project_db *p, const char *directory)
{
    static const char *const tables[] = {
        "runs",        "flags",    "tasks",      "messages",   "functions", "task_functions",
        "goals",       "verdicts", "tests",      "test_spans", "alarms",    "alarm_inputs",
        "alarm_steps", "checks",   "statistics", "progress"};
    bool good = execute(p, "BEGIN IMMEDIATE") && make_shifts(p);
    for (size_t i = 0; good && i < sizeof tables / sizeof *tables; i++)
        good = copy_table(p, tables[i], directory);
    return good && execute(p, "COMMIT");
}

static bool same_version(struct project_db *p)
{
    sqlite3_stmt *statement = NULL;
    int version = 0;
    if (sqlite3_prepare_v2(p->db, "PRAGMA one.user_version", -1, &statement, NULL) == SQLITE_OK &&
        sqlite3_step(statement) == SQLITE_ROW)
        version = sqlite3_column_int(statement, 0);
    sqlite3_finalize(statement);
    return version == REPORT_DB_VERSION ||
           error_set(p->err, ERROR_IO, "a database of another version of cadenza");
}

bool report_add_to_project(const char *path, const char *directory, struct error *err)
{
    struct project_db p = {.path = path, .err = err};
    struct buf one = BUF_INIT;
    const char *name = fs_basename(path);
    buf_printf(&one, "%.*s%s/cadenza.db", (int)(name - path), path, directory);
    bool good = open_project(&p) && execute_with(&p, "ATTACH ?1 AS one", one.data) &&
                same_version(&p) && copy_tables(&p, directory);
    buf_release(&one);
    sqlite3_close(p.db);
    return good || error_context(err, "adding %s to %s", directory, path);
}

bool report_add_failure(const char *path, const char *text, struct error *err)
{
    struct project_db p = {.path = path, .err = err};
    bool good =
        open_project(&p) &&
        execute_with(&p, "INSERT INTO messages VALUES(NULL, NULL, 'error', NULL, ?1)", text);
    sqlite3_close(p.db);
    return good;
}
