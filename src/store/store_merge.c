// SPDX-License-Identifier: Apache-2.0
// The store of a project grows by one file's store at a time: that one is attached, and its rows
// are copied with their ids shifted behind those that are there.
#include "store/store.h"

#include "base/fs.h"
#include "store/database.h"
#include <string.h>
#include <unistd.h>

struct project_store {
    sqlite3 *db;
    const char *path;
    struct error *err;
};

static bool execute(struct project_store *p, const char *sql)
{
    return sqlite3_exec(p->db, sql, NULL, NULL, NULL) == SQLITE_OK ||
           database_error(p->db, p->path, p->err);
}

static bool open_project(struct project_store *p)
{
    return sqlite3_open_v2(p->path, &p->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) ==
               SQLITE_OK ||
           database_error(p->db, p->path, p->err);
}

// Runs `sql` with texts as its parameters 1 and 2.
static bool execute_with(struct project_store *p, const char *sql, const char *text,
                         const char *other)
{
    sqlite3_stmt *statement = NULL;
    bool good = sqlite3_prepare_v2(p->db, sql, -1, &statement, NULL) == SQLITE_OK;
    if (good) {
        sqlite3_bind_text(statement, 1, text, -1, SQLITE_STATIC);
        if (sqlite3_bind_parameter_count(statement) > 1)
            sqlite3_bind_text(statement, 2, other, -1, SQLITE_STATIC);
        good = sqlite3_step(statement) == SQLITE_DONE;
    }
    if (!good)
        database_error(p->db, p->path, p->err);
    sqlite3_finalize(statement);
    return good;
}

// A journal of an old file would be taken for one of the new file.
bool store_begin_project(const char *path, struct error *err)
{
    struct project_store p = {.path = path, .err = err};
    struct buf journal = BUF_INIT;
    buf_printf(&journal, "%s-journal", path);
    unlink(path);
    unlink(journal.data);
    buf_release(&journal);
    bool good = open_project(&p) && execute(&p, "BEGIN") && database_create(p.db, err) &&
                execute(&p, "COMMIT");
    sqlite3_close(p.db);
    return good && store_describe_project(path, &(struct store_project){.unfinished = true}, err);
}

bool store_describe_project(const char *path, const struct store_project *project,
                            struct error *err)
{
    struct store_head head = {true,           project->version,    project->directory,
                              project->exits, project->unfinished, project->setup_seconds};
    struct store_writer w = {.err = err};
    if (sqlite3_open_v2(path, &w.db, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK)
        writer_fail(&w);
    writer_execute(&w, "BEGIN IMMEDIATE; DELETE FROM result;");
    writer_begin(&w, STORE_RESULT);
    writer_row(&w, NULL, &head);
    writer_end(&w);
    writer_execute(&w, "COMMIT");
    sqlite3_close(w.db);
    return !w.failed;
}

// ---- shifted copies ----

// What the ids of each table are shifted by, in a table of one row. SQLite finds max(id) without
// looking at the other rows. The runs of files have the number 1.
static bool make_shifts(struct project_store *p)
{
    struct buf sql = BUF_INIT;
    buf_puts(&sql, "CREATE TEMP TABLE shift AS SELECT 0 AS zero");
    for (size_t i = 0; i < STORE_TABLES; i++)
        if (store_has_id(&store_tables[i]))
            buf_printf(&sql, ", (SELECT coalesce(max(id) + %d, 0) FROM main.%s) AS %s",
                       i != STORE_RUNS, store_tables[i].name, store_tables[i].name);
    bool good = execute(p, sql.data);
    buf_release(&sql);
    return good;
}

// A column as it is in the project.
static void put_column(enum store_table_id id, const char *column, enum store_table_id refers,
                       struct buf *sql)
{
    if (refers != STORE_NOWHERE)
        buf_printf(sql, "s.%s + shift.%s", column, store_tables[refers].name);
    else if (!strcmp(column, "id"))
        buf_printf(sql, "s.id + shift.%s", store_tables[id].name);
    else if (id == STORE_TESTS && !strcmp(column, "path"))
        buf_puts(sql, "?1 || '/' || s.path");
    else if (id == STORE_RUNS && !strcmp(column, "directory"))
        buf_puts(sql, "?1");
    else if (id == STORE_RUNS && !strcmp(column, "name"))
        buf_puts(sql, "?2");
    else
        buf_printf(sql, "s.%s", column);
}

static bool copy_table(struct project_store *p, enum store_table_id id, const char *directory,
                       const char *name)
{
    const struct store_table *table = &store_tables[id];
    struct buf sql = BUF_INIT;
    size_t keys = store_key_count(table);
    buf_printf(&sql, "INSERT INTO main.%s SELECT ", table->name);
    for (size_t i = 0; i < keys + table->column_count; i++) {
        buf_puts(&sql, i ? ", " : "");
        if (i < keys)
            put_column(id, table->keys[i].name, table->keys[i].refers, &sql);
        else
            put_column(id, table->columns[i - keys].name, table->columns[i - keys].refers, &sql);
    }
    buf_printf(&sql, " FROM one.%s AS s, shift", table->name);
    bool uses_texts = id == STORE_TESTS || id == STORE_RUNS;
    bool good = uses_texts ? execute_with(p, sql.data, directory, name) : execute(p, sql.data);
    buf_release(&sql);
    return good;
}

static bool copy_tables(struct project_store *p, const char *directory, const char *name)
{
    bool good = execute(p, "BEGIN IMMEDIATE") && make_shifts(p);
    for (size_t i = 0; good && i < STORE_TABLES; i++)
        good = i == STORE_RESULT || copy_table(p, (enum store_table_id)i, directory, name);
    return good && execute(p, "COMMIT");
}

// The file's store loads: a damaged one must not spoil that of the project.
static bool is_whole(const char *path, struct error *err)
{
    struct result result;
    bool good = store_load(path, &result, err);
    good = good &&
           (!result.is_project || error_set(err, ERROR_IO, "%s is the store of a project", path));
    result_release(&result);
    return good;
}

bool store_merge(const char *path, const char *directory, const char *name, struct error *err)
{
    struct project_store p = {.path = path, .err = err};
    struct buf one = BUF_INIT;
    buf_printf(&one, "%.*s%s/cadenza.db", (int)(fs_basename(path) - path), path, directory);
    bool good = is_whole(one.data, err) && open_project(&p) &&
                execute_with(&p, "ATTACH ?1 AS one", one.data, NULL) &&
                copy_tables(&p, directory, name);
    buf_release(&one);
    sqlite3_close(p.db);
    return good || error_context(err, "adding %s to %s", directory, path);
}

bool store_add_failure(const char *path, const char *text, struct error *err)
{
    struct project_store p = {.path = path, .err = err};
    bool good =
        open_project(&p) &&
        execute_with(&p, "INSERT INTO messages(kind, text) VALUES('error', ?1)", text, NULL);
    sqlite3_close(p.db);
    return good;
}
