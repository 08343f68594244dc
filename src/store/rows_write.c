// SPDX-License-Identifier: Apache-2.0
// Writing rows.
#include "store/database.h"

#include "store/store.h"
#include <string.h>

bool database_error(sqlite3 *db, const char *what, struct error *err)
{
    const char *reason = !db                                  ? "out of memory"
                         : sqlite3_errcode(db) == SQLITE_FULL ? "No space left on device"
                                                              : sqlite3_errmsg(db);
    return error_set(err, ERROR_IO, "%s: %s", what, reason);
}

bool database_create(sqlite3 *db, struct error *err)
{
    struct buf sql = BUF_INIT;
    buf_printf(&sql, "PRAGMA application_id=%d; PRAGMA user_version=%d;", DATABASE_ID,
               STORE_VERSION);
    store_schema(&sql);
    bool good = sqlite3_exec(db, sql.data, NULL, NULL, NULL) == SQLITE_OK ||
                database_error(db, "writing the database", err);
    buf_release(&sql);
    return good;
}

void writer_fail(struct store_writer *w)
{
    if (!w->failed)
        database_error(w->db, "writing the database", w->err);
    w->failed = true;
}

void writer_execute(struct store_writer *w, const char *sql)
{
    if (!w->failed && sqlite3_exec(w->db, sql, NULL, NULL, NULL) != SQLITE_OK)
        writer_fail(w);
}

void writer_begin(struct store_writer *w, enum store_table_id id)
{
    struct buf sql = BUF_INIT;
    w->table = &store_tables[id];
    w->statement = NULL;
    buf_printf(&sql, "INSERT INTO %s VALUES(", w->table->name);
    size_t columns = store_key_count(w->table) + w->table->column_count;
    for (size_t i = 0; i < columns; i++)
        buf_puts(&sql, i ? ", ?" : "?");
    buf_putc(&sql, ')');
    if (!w->failed && sqlite3_prepare_v2(w->db, sql.data, -1, &w->statement, NULL) != SQLITE_OK)
        writer_fail(w);
    buf_release(&sql);
}

static void put_index(struct store_writer *w, int at, size_t value)
{
    if (value == RESULT_NONE)
        sqlite3_bind_null(w->statement, at);
    else
        sqlite3_bind_int64(w->statement, at, (int64_t)value);
}

// "objects bounds": the kinds of assumptions, in a fixed order.
static void put_set(struct store_writer *w, int at, const struct store_column *column, unsigned set)
{
    struct buf text = BUF_INIT;
    for (int bit = 0; bit < column->words; bit++)
        if (set >> bit & 1)
            buf_printf(&text, "%s%s", text.length ? " " : "", column->word(bit));
    sqlite3_bind_text(w->statement, at, buf_text(&text), -1, SQLITE_TRANSIENT);
    buf_release(&text);
}

static void put_text(struct store_writer *w, int at, const char *text)
{
    sqlite3_bind_text(w->statement, at, text, -1, SQLITE_STATIC);
}

static void put_column(struct store_writer *w, int at, const struct store_column *column,
                       const void *field)
{
    const char *text = NULL;
    switch (column->kind) {
    case STORE_TEXT:
        text = *(const char *const *)field;
        put_text(w, at, text ? text : "");
        break;
    case STORE_OPTIONAL: put_text(w, at, *(const char *const *)field); break;
    case STORE_FLAG: sqlite3_bind_int(w->statement, at, *(const bool *)field); break;
    case STORE_UNSIGNED: sqlite3_bind_int64(w->statement, at, *(const unsigned *)field); break;
    case STORE_NUMBER:
        put_index(w, at, *(const unsigned *)field ? *(const unsigned *)field : RESULT_NONE);
        break;
    case STORE_SIZE:
    case STORE_INDEX: put_index(w, at, *(const size_t *)field); break;
    case STORE_WIDE: sqlite3_bind_int64(w->statement, at, (int64_t)*(const uint64_t *)field); break;
    case STORE_REAL: sqlite3_bind_double(w->statement, at, *(const double *)field); break;
    case STORE_WORD: put_text(w, at, column->word(*(const int *)field)); break;
    case STORE_SET: put_set(w, at, column, *(const unsigned *)field); break;
    }
}

void writer_row(struct store_writer *w, const size_t *keys, const void *row)
{
    if (w->failed)
        return;
    int at = 0;
    for (size_t i = 0; i < store_key_count(w->table); i++)
        put_index(w, ++at, keys[i]);
    for (size_t i = 0; i < w->table->column_count; i++)
        put_column(w, ++at, &w->table->columns[i], (const char *)row + w->table->columns[i].offset);
    if (sqlite3_step(w->statement) != SQLITE_DONE)
        writer_fail(w);
    sqlite3_reset(w->statement);
}

void writer_end(struct store_writer *w)
{
    sqlite3_finalize(w->statement);
    w->statement = NULL;
    w->table = NULL;
}
