// SPDX-License-Identifier: Apache-2.0
// Rows of the tables of a store, there and back. SQLite stays behind this header.
#ifndef CZ_STORE_DATABASE_H
#define CZ_STORE_DATABASE_H

#include "base/arena.h"
#include "base/error.h"
#include "base/map.h"
#include "store/tables.h"
#include <sqlite3.h>

// "CDNZ": tells our files from other SQLite databases (PRAGMA application_id).
#define DATABASE_ID 0x43444E5A

// Fill err with what SQLite says.
bool database_error(sqlite3 *db, const char *what, struct error *err);

// Create the tables in an empty database.
bool database_create(sqlite3 *db, struct error *err);

// A writer remembers its first failure; what follows does nothing.
struct store_writer {
    sqlite3 *db;
    sqlite3_stmt *statement;
    const struct store_table *table;
    bool failed;
    struct error *err;
};

void writer_fail(struct store_writer *writer);
void writer_execute(struct store_writer *writer, const char *sql);
void writer_begin(struct store_writer *writer, enum store_table_id table);
// A row of the table that was begun: its keys in their order, and the struct with its columns. A
// key of RESULT_NONE is NULL; that of the first one, "id": the row is numbered by SQLite.
void writer_row(struct store_writer *writer, const size_t *keys, const void *row);
void writer_end(struct store_writer *writer);

// A reader remembers its first failure, which is a sentence about the file. It finds rows by their
// ids, which are those of the file, and gives them the indices of the result.
struct store_reader {
    sqlite3 *db;
    const char *path;
    struct arena *arena; // for what is read
    struct map ids[STORE_TABLES];
    bool failed;
    struct error *err;
};

bool reader_open(struct store_reader *reader, const char *path, struct arena *arena,
                 struct error *err);
void reader_close(struct store_reader *reader);
void reader_damaged(struct store_reader *reader, const char *why);

// The rows of a table in the order of their keys; those that belong to runs in the order of the
// runs' directories.
struct store_rows {
    struct store_reader *reader;
    const struct store_table *table;
    sqlite3_stmt *statement;
};
struct store_rows rows_open(struct store_reader *reader, enum store_table_id table);
// The next one. Keys and columns that refer to rows have become indices; others are as they are.
// False: there is none, or the reader has failed; the rows are closed then.
bool rows_next(struct store_rows *rows, size_t *keys, void *row);
void rows_close(struct store_rows *rows); // not all of them were read
// A row of this id has this index of the result, from now on.
void rows_number(struct store_reader *reader, enum store_table_id table, size_t id, size_t index);

#endif
