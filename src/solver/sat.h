// SPDX-License-Identifier: Apache-2.0
// CaDiCaL behind a few functions: one solver per query, clauses, assumptions, a limit
// in conflicts, and the CPU clock as a safety net.
#ifndef CZ_SOLVER_SAT_H
#define CZ_SOLVER_SAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sat;

enum sat_answer { SAT_YES, SAT_NO, SAT_LIMIT };

struct sat *sat_new(void);
void sat_free(struct sat *sat);

// CPU time of this thread from now on; 0: no limit. Every later sat_solve heeds it.
void sat_deadline(struct sat *sat, unsigned milliseconds);
bool sat_hit_clock(const struct sat *sat);

// Literals as in DIMACS: variables count from 1, negative is negated. A clause of no
// literals is false.
void sat_clause(struct sat *sat, const int *literals, size_t count);

// Assumptions hold for the next sat_solve only.
void sat_assume(struct sat *sat, int literal);

// conflicts: 0 is no limit. Without a limit or clock the answer is never SAT_LIMIT.
enum sat_answer sat_solve(struct sat *sat, unsigned conflicts);

bool sat_value(struct sat *sat, int literal);  // after SAT_YES
bool sat_failed(struct sat *sat, int literal); // after SAT_NO: was the assumption needed?

#endif
