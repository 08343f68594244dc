// SPDX-License-Identifier: Apache-2.0
// How far a condition is from being true on the input that is being evaluated: 0 if it
// is true, else at least 1. Integer comparisons count the difference, floating-point
// ones the representable numbers in between (their bit patterns in the order of
// their values), so that one unit is the smallest step in both.
#ifndef CZ_SOLVER_DISTANCE_H
#define CZ_SOLVER_DISTANCE_H

#include "expr/eval.h"

typedef unsigned __int128 distance;

distance distance_of(struct eval *eval, expr_id condition);

// The bit pattern of a float of 32 or 64 bits as a number that grows with its value,
// and back. NaNs lie beyond the infinities.
uint64_t distance_order(uint64_t bits, unsigned width);
uint64_t distance_unorder(uint64_t order, unsigned width);

#endif
