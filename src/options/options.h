// SPDX-License-Identifier: Apache-2.0
// The options of a run, from one table (options.def).
#ifndef CZ_OPTIONS_OPTIONS_H
#define CZ_OPTIONS_OPTIONS_H

#include "base/buf.h"
#include "base/error.h"
#include "base/record.h"
#include "base/tunables.h"
#include <stdint.h>

struct options_list {
    const char *items[OPTIONS_LIST_MOST];
    size_t count;
};

// OPTION_UNIT_TASK, OPTION_STUBS_PRECISE ...
// clang-format off
#define VALUE(set, value, word) OPTION_##set##_##value,
#define BEGIN(set)              enum option_##set {
#define END(set)                OPTION_COUNT_##set };
// clang-format on
#include "options/choices.def"
#undef END
#undef BEGIN
#undef VALUE

struct options {
#define NUMBER(field, name, value, low, high, argument, help) int64_t field;
#define TEXT(field, name, value, argument, help)              const char *field;
#define CHOICE(field, name, set, value, argument, help)       enum option_##set field;
#define CHOSEN(field, name, set, argument, help)              unsigned field;
#define FLAG(field, name, help)                               bool field;
#define LIST(field, name, argument, help)                     struct options_list field;
#include "options/options.def"
#undef NUMBER
#undef TEXT
#undef CHOICE
#undef CHOSEN
#undef FLAG
#undef LIST
    bool seconds_given; // the user chose --time
};

// Is the value among those chosen?
static inline bool options_chose(unsigned chosen, unsigned value)
{
    return chosen >> value & 1;
}

void options_init(struct options *options);

// Is argv[*index] one of the options of the table? Then take it (and its value,
// "--name VALUE" or "--name=VALUE") and step *index to its last word. Returns 1 when
// taken, 0 when it is not one of ours, -1 on a bad value (err says which).
int options_take(struct options *options, int argc, char **argv, int *index, struct error *err);

// The list for --help.
void options_describe(struct buf *out);

// The options as one line of text, for the database and the tests' comments.
void options_text(const struct options *options, struct buf *out);

// The options as a record: for manifests of work.
extern const struct record_type options_record;

#endif
