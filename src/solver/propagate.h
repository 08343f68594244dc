// SPDX-License-Identifier: Apache-2.0
// Computing backwards: given a condition that is false on the values of a flat
// program, which inputs would make it true? A wish ("this instruction should have
// that value") is turned into wishes for its operands until inputs are reached; where
// both operands can change, one keeps its value. What is found is a guess: other
// constraints, or the same input on another way, may spoil it, so the caller applies
// the changes and looks.
#ifndef CZ_SOLVER_PROPAGATE_H
#define CZ_SOLVER_PROPAGATE_H

#include "base/rng.h"
#include "base/vec.h"
#include "expr/flat.h"

struct wish {
    uint32_t at;
    expr_u128 value;
};

struct change {
    uint32_t input; // index in flat->inputs
    expr_u128 value, before;
};

struct propagate {
    struct flat *flat;
    struct rng rng;
    unsigned attempt; // 0 and 1 take the nearest values, on the left or right side;
                      // later ones leave it to chance
    unsigned steps;
    VEC(struct wish) wishes;
    VEC(struct change) changes;
};

void propagate_release(struct propagate *p);

// Find changes that may make the condition true (or false). False: no way was found
// this time.
bool propagate_find(struct propagate *p, struct flat *flat, uint32_t condition, bool wanted);

// Apply the changes to the flat program, or take them back.
void propagate_apply(struct propagate *p);
void propagate_undo(struct propagate *p);

// For propagate_*.c: wish for an operand; a random number below a limit; the value of
// an instruction, pending changes of inputs included.
void propagate_wish(struct propagate *p, uint32_t at, expr_u128 value);
uint64_t propagate_chance(struct propagate *p, uint64_t limit);
bool propagate_left(struct propagate *p, const struct flat_ins *ins);

// propagate_logic.c: make a one-bit instruction true or false.
bool propagate_condition(struct propagate *p, uint32_t at, bool wanted);
// propagate_float.c
bool propagate_float(struct propagate *p, const struct flat_ins *ins, expr_u128 value);
bool propagate_float_condition(struct propagate *p, const struct flat_ins *ins, bool wanted);

#endif
