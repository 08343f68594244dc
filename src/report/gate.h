// SPDX-License-Identifier: Apache-2.0
// What a pipeline requires of a result: percentages of coverage at least, numbers of bugs and
// alarms at most. "statement=90,branch=95.5,mcdc=80,bugs=0,alarms=3"
//
// A percentage is that of covered / (all - done) goals, where `done` says which goals that no test
// covers count as done: infeasible, infeasible under assumptions, justified. Without any it is that
// of all goals. Statements are counted as lines, of which nobody knows that they are infeasible.
#ifndef CZ_REPORT_GATE_H
#define CZ_REPORT_GATE_H

#include "base/buf.h"
#include "base/error.h"
#include "result/result.h"

enum gate_measure { GATE_STATEMENT, GATE_BRANCH, GATE_MCDC, GATE_BUGS, GATE_ALARMS, GATE_MEASURES };

struct gate {
    unsigned required;              // set of 1u << enum gate_measure
    uint64_t limits[GATE_MEASURES]; // percentages in thousandths
    unsigned done;                  // set of 1u << enum verdict_kind
};

// Read the requirements; "" has none. `done` is left alone.
bool gate_parse(struct gate *gate, const char *list, struct error *err);

bool gate_holds(const struct gate *gate, const struct result_counts *counts);

// A line per requirement: what is required, what is reached, and what it is made of.
void gate_describe(const struct gate *gate, const struct result_counts *counts, bool only_failures,
                   struct buf *out);

#endif
