// SPDX-License-Identifier: Apache-2.0
// Sets of unsigned numbers of up to 64 bits as a few intervals. Signed comparisons are
// sets, too: x < 0 is one interval, x >= -5 two. A set that would need more intervals
// than there is room for is widened and loses `exact`; then it may contain numbers
// that it should not, and must not be complemented.
#ifndef CZ_SOLVER_RANGES_H
#define CZ_SOLVER_RANGES_H

#include "base/tunables.h"
#include "expr/expr.h"

struct range {
    uint64_t low, high; // both inside
};

struct ranges {
    uint8_t width, count;
    bool exact;
    struct range items[SOLVER_RANGES]; // ascending, with gaps in between
};

struct ranges ranges_all(unsigned width);
struct ranges ranges_between(unsigned width, uint64_t low, uint64_t high); // low > high: none

struct ranges ranges_union(const struct ranges *a, const struct ranges *b);
struct ranges ranges_intersect(const struct ranges *a, const struct ranges *b);
struct ranges ranges_complement(const struct ranges *a); // of an exact one

// { x : x op value } for an integer comparison; signed ones included.
struct ranges ranges_compare(enum expr_op op, unsigned width, uint64_t value);

// { x : x + offset is in a }, and { x : zext(x) is in a }, { x : sext(x) is in a }.
struct ranges ranges_subtract(const struct ranges *a, uint64_t offset);
struct ranges ranges_unzext(const struct ranges *a, unsigned width);
struct ranges ranges_unsext(const struct ranges *a, unsigned width);

bool ranges_contain(const struct ranges *a, uint64_t value);

// The member that is nearest to a value, counting around. The set is not empty.
uint64_t ranges_nearest(const struct ranges *a, uint64_t value);

#endif
