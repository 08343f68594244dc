// SPDX-License-Identifier: Apache-2.0
// How far constraints are from being true on the values of a flat program. Integer
// comparisons count the difference, floating-point ones the representable numbers in
// between (their bit patterns in the order of their values), so that one unit is the
// smallest step in both. Distances add up on a logarithmic scale: otherwise the one
// farthest constraint would hide what happens to all others.
#ifndef CZ_SOLVER_DISTANCE_H
#define CZ_SOLVER_DISTANCE_H

#include "expr/flat.h"

// Of one condition: 0 if it is true, else larger for larger distances.
uint64_t distance_of(const struct flat *flat, uint32_t condition);
// The sum over the program's constraints.
uint64_t distance_total(const struct flat *flat);

// The bit pattern of a float of 32 or 64 bits as a number that grows with its value,
// and back. NaNs lie beyond the infinities.
uint64_t distance_order(uint64_t bits, unsigned width);
uint64_t distance_unorder(uint64_t order, unsigned width);
bool distance_is_nan(uint64_t bits, unsigned width);

#endif
