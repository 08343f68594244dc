// SPDX-License-Identifier: Apache-2.0
// The tables of a store, in one place: the schema, the writer, the reader and the merge of stores
// all follow from them. A row has keys, which say what it belongs to, and columns, which are
// members of a struct.
#ifndef CZ_STORE_TABLES_H
#define CZ_STORE_TABLES_H

#include "base/buf.h"
#include "result/result.h"

enum store_kind {
    STORE_TEXT,     // const char *, never NULL
    STORE_OPTIONAL, // const char *, or NULL
    STORE_FLAG,     // bool
    STORE_UNSIGNED, // unsigned, uint32_t
    STORE_NUMBER,   // unsigned, from 1; 0 is NULL
    STORE_SIZE,     // size_t
    STORE_INDEX,    // size_t; RESULT_NONE is NULL. In the table that `refers` names, if it does
    STORE_WIDE,     // uint64_t
    STORE_REAL,     // double
    STORE_WORD,     // an enum of `words` names
    STORE_SET,      // unsigned: a set of `words` names, "objects bounds"
};

enum store_table_id {
    STORE_RESULT, // one row
    STORE_RUNS,   // of a part each
    STORE_FLAGS,
    STORE_TASKS,
    STORE_MESSAGES,
    STORE_FUNCTIONS,
    STORE_TASK_FUNCTIONS,
    STORE_DECISIONS,
    STORE_GOALS,
    STORE_VERDICTS,
    STORE_VERDICT_ASSUMPTIONS,
    STORE_ALARMS,
    STORE_TASK_ALARMS,
    STORE_ALARM_INPUTS,
    STORE_ALARM_STEPS,
    STORE_ALARM_FRAMES,
    STORE_TESTS,
    STORE_TEST_SPANS,
    STORE_TEST_INPUTS,
    STORE_TEST_OUTPUTS,
    STORE_TEST_SETUP,
    STORE_VECTORS,
    STORE_TEST_VECTORS,
    STORE_PAIRS,
    STORE_CHECKS,
    STORE_STATISTICS,
    STORE_PROGRESS,
    STORE_LAYERS,
    STORE_PRECONDITIONS,
    STORE_PRECONDITION_ALARMS,
    STORE_PRECONDITION_SITES,
    STORE_SOURCES,
    STORE_SOURCE_LINES,
    STORE_DECLARATIONS,
    STORE_TABLES,
    STORE_NOWHERE = STORE_TABLES,
};

struct store_column {
    const char *name;
    enum store_kind kind;
    size_t offset;
    enum store_table_id refers; // STORE_INDEX
    const char *(*word)(int);   // STORE_WORD; STORE_SET: by the number of the bit
    int words;
};

struct store_key {
    const char *name;
    enum store_table_id refers;
    bool optional; // may be NULL
};

enum { STORE_KEYS = 3 };
struct store_table {
    const char *name;
    size_t row; // bytes of the struct
    struct store_key keys[STORE_KEYS];
    const struct store_column *columns;
    size_t column_count;
};

extern const struct store_table store_tables[STORE_TABLES];

size_t store_key_count(const struct store_table *table);
bool store_has_id(const struct store_table *table); // its first key numbers the rows

// CREATE TABLE and CREATE VIEW.
void store_schema(struct buf *out);

// Rows that are no structs of the result.
struct store_head {
    bool is_project;
    const char *version, *directory;
    unsigned exits;
    bool unfinished;
    double setup_seconds;
};
struct store_text {
    const char *text;
};
enum message_kind {
    MESSAGE_ERROR,
    MESSAGE_DISAGREEMENT,
    MESSAGE_NOTE,
    MESSAGE_ASSUMPTION, // of a task
    MESSAGE_KINDS
};
struct store_message {
    enum message_kind kind;
    const char *text;
    size_t task;
};
struct store_span { // goals first, first + step ... last
    size_t first, last, step;
};
struct store_line {
    bool in_totals;
    uint64_t hits;
};
struct store_statistic {
    const char *name;
    double value;
};
struct store_nothing {
    char none;
};

// The statistics of a task, by name.
struct store_measure {
    const char *name;
    size_t offset; // in struct result_task
    bool is_real;  // a double, else a size_t
};
extern const struct store_measure store_measures[];
extern const size_t store_measure_count;

#endif
