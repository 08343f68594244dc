// SPDX-License-Identifier: Apache-2.0
// A set of constraints as a flat program: one instruction per node, operands first,
// over an array of values. For searches that evaluate the same constraints hundreds
// of times: a changed input recomputes only what depends on it and stops where
// values stay the same, and the number of constraints that do not hold is known at
// any time. Values are those of eval.h.
//
// The program works on its own copy of the input bytes, so inputs that overlap see
// each other's changes. A struct flat is reused for one program after another.
#ifndef CZ_EXPR_FLAT_H
#define CZ_EXPR_FLAT_H

#include "expr/expr.h"
#include "expr/value.h"

struct flat_ins {
    uint16_t op;         // enum expr_op
    uint8_t width, from; // of the result; of operand a (CONCAT: of b)
    uint8_t operands;    // how many of a, b, c; a READ's extra ones do not count
    uint32_t a, b, c;    // instructions; 0 where there is none
    uint32_t extra;      // READ: the first of its extra operands, or UINT32_MAX
    uint64_t x;          // EXTRACT: lowest bit; INPUT: offset; READ: snapshot
    expr_id id;
    uint32_t first_user; // in users, up to the next instruction's
};

struct flat_input {
    uint32_t at; // its instruction
    uint32_t offset, width;
    bool overlaps; // shares bytes with another input
};

struct flat {
    const struct expr_pool *pool;
    bool compiled;
    struct flat_ins *code;
    size_t count, code_room;
    uint64_t *low, *high; // values; high is 0 for widths up to 64
    uint64_t *dirty;      // one bit per instruction
    size_t value_room;
    uint32_t *users;
    size_t user_room;
    uint32_t *extra; // operands of READs
    size_t extra_count, extra_room;
    uint32_t *roots; // instruction of each constraint
    size_t root_count, root_room;
    uint8_t *is_root;          // how often an instruction is a constraint
    size_t violated;           // constraints that do not hold
    struct flat_input *inputs; // sorted by offset, then width
    size_t input_count, input_room;
    uint32_t *input_of; // by instruction: index in inputs + 1, 0 for others
    uint8_t *bytes;     // the current input vector, zeros up to the last input's end
    size_t byte_count, byte_room;
    uint64_t work; // instructions computed since compilation
    bool has_floats;
    // by expression id: instruction + 1, valid in the current generation
    struct flat_place {
        uint32_t stamp, at;
    } *places;
    size_t place_room;
    uint32_t generation;
    expr_id *stack;
    size_t stack_room;
};

void flat_init(struct flat *flat, const struct expr_pool *pool);
void flat_release(struct flat *flat);

// Compile the constraints and compute all values on this input.
void flat_compile(struct flat *flat, const expr_id *constraints, size_t count, const uint8_t *input,
                  size_t size);

// Back to this input.
void flat_load(struct flat *flat, const uint8_t *input, size_t size);

// Change one input (an index in flat->inputs) and recompute what depends on it.
void flat_set(struct flat *flat, size_t input, expr_u128 value);

// The same for several: flat_put them all, then flat_run.
void flat_put(struct flat *flat, size_t input, expr_u128 value);
void flat_run(struct flat *flat);

static inline expr_u128 flat_value(const struct flat *flat, uint32_t at)
{
    return (expr_u128)flat->high[at] << 64 | flat->low[at];
}

// The index of the input at this offset of this width, or SIZE_MAX.
size_t flat_find_input(const struct flat *flat, uint32_t offset, uint32_t width);

// The instruction of an expression, or UINT32_MAX when it is not in the program.
uint32_t flat_find(const struct flat *flat, expr_id id);

#endif
