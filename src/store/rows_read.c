// SPDX-License-Identifier: Apache-2.0
// Reading rows. The file may be anything that a user points at, so every step can fail, and what
// is read refers only to what was read before.
#include "store/database.h"

#include "base/fs.h"
#include "store/store.h"
#include <string.h>

void reader_damaged(struct store_reader *r, const char *why)
{
    if (!r->failed)
        error_set(r->err, ERROR_IO,
                  "%s is damaged or not a database of cadenza (%s); cadenza run makes a new one",
                  r->path, why);
    r->failed = true;
}

static int64_t pragma(struct store_reader *r, const char *sql)
{
    sqlite3_stmt *statement = NULL;
    int64_t value = 0;
    if (r->failed)
        return 0;
    if (sqlite3_prepare_v2(r->db, sql, -1, &statement, NULL) == SQLITE_OK &&
        sqlite3_step(statement) == SQLITE_ROW)
        value = sqlite3_column_int64(statement, 0);
    else
        reader_damaged(r, sqlite3_errmsg(r->db));
    sqlite3_finalize(statement);
    return value;
}

static void check_version(struct store_reader *r)
{
    int64_t id = pragma(r, "PRAGMA application_id"), version = pragma(r, "PRAGMA user_version");
    if (r->failed)
        return;
    r->failed = id != DATABASE_ID || version != STORE_VERSION;
    if (id != DATABASE_ID)
        error_set(r->err, ERROR_IO, "%s is not a database of cadenza", r->path);
    else if (version < STORE_VERSION)
        error_set(r->err, ERROR_IO,
                  "%s was written by an older cadenza (schema version %lld, this one reads %d); "
                  "run cadenza again to make a new one",
                  r->path, (long long)version, STORE_VERSION);
    else if (version > STORE_VERSION)
        error_set(r->err, ERROR_IO,
                  "%s was written by a newer cadenza (schema version %lld, this one reads %d); "
                  "read it with that one, or run cadenza again to make a new one",
                  r->path, (long long)version, STORE_VERSION);
}

bool reader_open(struct store_reader *r, const char *path, struct arena *arena, struct error *err)
{
    *r = (struct store_reader){.path = path, .arena = arena, .err = err};
    for (size_t i = 0; i < STORE_TABLES; i++)
        map_init(&r->ids[i]);
    if (!fs_exists(path)) {
        r->failed = true;
        return error_set(err, ERROR_IO, "%s does not exist: no run of cadenza was finished there",
                         path);
    }
    if (sqlite3_open_v2(path, &r->db, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK)
        reader_damaged(r, r->db ? sqlite3_errmsg(r->db) : "out of memory");
    check_version(r);
    return !r->failed;
}

void reader_close(struct store_reader *r)
{
    for (size_t i = 0; i < STORE_TABLES; i++)
        map_release(&r->ids[i]);
    sqlite3_close(r->db);
    r->db = NULL;
}

// ---- rows ----

static bool belongs_to_run(const struct store_table *table)
{
    for (size_t i = 0; i < store_key_count(table); i++)
        if (table->keys[i].refers == STORE_RUNS)
            return true;
    return false;
}

static void put_query(const struct store_table *table, struct buf *sql)
{
    bool by_run = belongs_to_run(table), is_runs = table == &store_tables[STORE_RUNS];
    size_t keys = store_key_count(table);
    buf_puts(sql, "SELECT ");
    for (size_t i = 0; i < keys; i++)
        buf_printf(sql, "%st.%s", i ? ", " : "", table->keys[i].name);
    for (size_t i = 0; i < table->column_count; i++)
        buf_printf(sql, "%st.%s", i || keys ? ", " : "", table->columns[i].name);
    buf_printf(sql, " FROM %s AS t%s", table->name,
               by_run ? " LEFT JOIN runs AS r ON r.id = t.run" : "");
    if (keys)
        buf_puts(sql, " ORDER BY ");
    if (by_run || is_runs)
        buf_puts(sql, is_runs ? "t.directory, t.file, " : "r.directory, r.file, ");
    for (size_t i = 0; i < keys; i++)
        buf_printf(sql, "%st.%s", i ? ", " : "", table->keys[i].name);
}

struct store_rows rows_open(struct store_reader *r, enum store_table_id id)
{
    struct store_rows rows = {r, &store_tables[id], NULL};
    struct buf sql = BUF_INIT;
    put_query(rows.table, &sql);
    if (!r->failed && sqlite3_prepare_v2(r->db, sql.data, -1, &rows.statement, NULL) != SQLITE_OK)
        reader_damaged(r, sqlite3_errmsg(r->db));
    buf_release(&sql);
    return rows;
}

void rows_close(struct store_rows *rows)
{
    sqlite3_finalize(rows->statement);
    rows->statement = NULL;
}

void rows_number(struct store_reader *r, enum store_table_id table, size_t id, size_t index)
{
    map_put(&r->ids[table], id, index);
}

static size_t index_of(struct store_rows *rows, int at, enum store_table_id refers)
{
    if (sqlite3_column_type(rows->statement, at) == SQLITE_NULL)
        return RESULT_NONE;
    uint64_t value = (uint64_t)sqlite3_column_int64(rows->statement, at), index = value;
    if (refers != STORE_NOWHERE && !map_get(&rows->reader->ids[refers], value, &index))
        reader_damaged(rows->reader, "a row refers to one that is not there");
    return (size_t)index;
}

static const char *text_of(struct store_rows *rows, int at)
{
    const char *text = (const char *)sqlite3_column_text(rows->statement, at);
    return text ? arena_strdup(rows->reader->arena, text) : NULL;
}

static int word_of(struct store_rows *rows, int at, const struct store_column *column)
{
    const char *text = (const char *)sqlite3_column_text(rows->statement, at);
    for (int i = 0; text && i < column->words; i++)
        if (!strcmp(text, column->word(i)))
            return i;
    reader_damaged(rows->reader, "a word that is not known");
    return 0;
}

static unsigned set_of(struct store_rows *rows, int at, const struct store_column *column)
{
    const char *text = (const char *)sqlite3_column_text(rows->statement, at);
    unsigned set = 0;
    while (text && *text) {
        size_t length = strcspn(text, " ");
        unsigned found = 0;
        for (int bit = 0; bit < column->words; bit++) {
            const char *name = column->word(bit);
            if (strlen(name) == length && !strncmp(name, text, length))
                found = 1u << bit;
        }
        if (!found)
            reader_damaged(rows->reader, "a word that is not known");
        set |= found;
        text += length + (text[length] == ' ');
    }
    return set;
}

static unsigned unsigned_of(struct store_rows *rows, int at)
{
    int64_t value = sqlite3_column_int64(rows->statement, at);
    if (value < 0 || value > UINT32_MAX)
        reader_damaged(rows->reader, "a number that is out of range");
    return (unsigned)value;
}

static void get_column(struct store_rows *rows, int at, const struct store_column *column,
                       void *field)
{
    const char *text = NULL;
    switch (column->kind) {
    case STORE_TEXT:
        text = text_of(rows, at);
        *(const char **)field = text ? text : "";
        break;
    case STORE_OPTIONAL: *(const char **)field = text_of(rows, at); break;
    case STORE_FLAG: *(bool *)field = sqlite3_column_int(rows->statement, at) != 0; break;
    case STORE_UNSIGNED:
    case STORE_NUMBER: *(unsigned *)field = unsigned_of(rows, at); break;
    case STORE_SIZE: *(size_t *)field = (size_t)sqlite3_column_int64(rows->statement, at); break;
    case STORE_INDEX: *(size_t *)field = index_of(rows, at, column->refers); break;
    case STORE_WIDE:
        *(uint64_t *)field = (uint64_t)sqlite3_column_int64(rows->statement, at);
        break;
    case STORE_REAL: *(double *)field = sqlite3_column_double(rows->statement, at); break;
    case STORE_WORD: *(int *)field = word_of(rows, at, column); break;
    case STORE_SET: *(unsigned *)field = set_of(rows, at, column); break;
    }
}

bool rows_next(struct store_rows *rows, size_t *keys, void *row)
{
    const struct store_table *table = rows->table;
    int code = rows->reader->failed ? SQLITE_DONE : sqlite3_step(rows->statement);
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        reader_damaged(rows->reader, sqlite3_errmsg(rows->reader->db));
    if (code != SQLITE_ROW) {
        rows_close(rows);
        return false;
    }
    int at = 0;
    memset(row, 0, table->row);
    for (size_t i = 0; i < store_key_count(table); i++) {
        keys[i] = index_of(rows, at++, table->keys[i].refers);
        if (keys[i] == RESULT_NONE && !table->keys[i].optional)
            reader_damaged(rows->reader, "a row belongs to nothing");
    }
    for (size_t i = 0; i < table->column_count; i++)
        get_column(rows, at++, &table->columns[i], (char *)row + table->columns[i].offset);
    if (rows->reader->failed)
        rows_close(rows);
    return !rows->reader->failed;
}
