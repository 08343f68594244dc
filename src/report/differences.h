// SPDX-License-Identifier: Apache-2.0
// Two results of the same code, or of two versions of it: what has become better, worse or
// different. Lines move and directories change, so nothing is matched by its line number or its
// absolute path: a goal is known by its file, function and text, an alarm by its cause and the text
// of its line, a test by its inputs. What occurs several times is counted.
#ifndef CZ_REPORT_DIFFERENCES_H
#define CZ_REPORT_DIFFERENCES_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/vec.h"
#include "result/result.h"

enum difference_kind {
#define DIFFERENCE(name, word, heading, worse) DIFFERENCE_##name,
#include "report/differences.def"
#undef DIFFERENCE
    DIFFERENCE_KINDS
};

struct difference {
    enum difference_kind kind;
    const char *place;          // "pump.c:41 step()"
    const char *what;           // "speed > 3: true"
    const char *before, *after; // verdict or value, "" without
};

struct differences {
    struct arena arena;
    VEC(struct difference) items; // goals, tests, alarms, in the order of the results
    size_t counts[DIFFERENCE_KINDS];
    size_t tests_same;                     // same inputs, same behaviour
    size_t tests_only_old, tests_only_new; // inputs that the other run does not have
};

// Both results are aggregated; they may be released before the differences.
void differences_find(const struct result *old, const struct result *new, struct differences *out);
void differences_release(struct differences *differences);

bool differences_are_worse(const struct differences *differences);

// For people and for programs.
void differences_text(const struct differences *differences, struct buf *out);
void differences_json(const struct differences *differences, struct buf *out);

#endif
