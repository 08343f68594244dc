// SPDX-License-Identifier: Apache-2.0
// An input of a task as a term of its preconditions: how C names it where the task begins,
// and its value as an expression. Values are ordered by rank: 0 is the lowest value that
// the type has.
#ifndef CZ_PRE_TERM_H
#define CZ_PRE_TERM_H

#include "base/arena.h"
#include "expr/expr.h"
#include "program/places.h"

struct term {
    const char *text; // "p->len", "mode", "table[3]"
    bool is_shape;    // a pointer: NULL or not
    bool is_signed;
    unsigned bits;
    uint64_t count;         // a length that the driver chooses below this; 0: any value of its bits
    uint32_t offset, bytes; // in the input
    expr_id value;          // of `bits` bits
};

// The term of the input byte at this offset; false when C has no name for it at the task's
// entry (what stubs return), or when it is not a number (floats, choices among functions).
bool term_at(const struct places *places, const struct function *entry, struct expr_pool *pool,
             uint32_t offset, struct arena *arena, struct term *out);

// How C names a place at the entry of the task, or NULL.
const char *term_name(const struct places *places, uint32_t place, struct arena *arena);

uint64_t term_max(const struct term *term); // the highest rank
uint64_t term_rank(const struct term *term, const uint8_t *input, size_t size);
void term_set(const struct term *term, uint64_t rank, uint8_t *input); // it reaches that far
const char *term_number(const struct term *term, uint64_t rank, struct arena *arena);
expr_id term_at_most(const struct term *term, struct expr_pool *pool, uint64_t rank);
expr_id term_at_least(const struct term *term, struct expr_pool *pool, uint64_t rank);
expr_id term_wide(const struct term *term, struct expr_pool *pool); // its value in 64 bits

#endif
