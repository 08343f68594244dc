// SPDX-License-Identifier: Apache-2.0
// A graph of gates for one query: two-input AND and XOR, if-then-else and majority
// (a full adder's carry). Gates are hashed by structure, so equal circuits are built
// once, and fold constants and equal or opposite operands when they are made.
//
// A literal is 2 * gate + 1 if negated; gate 0 is the constant false. Operands are
// older than the gate that uses them.
//
// Each gate knows its value on the parent input. It costs one bit to keep and lets
// the SAT solver start from the parent (see cnf.h).
#ifndef CZ_SOLVER_GATES_H
#define CZ_SOLVER_GATES_H

#include "base/vec.h"
#include <stdbool.h>
#include <stdint.h>

typedef uint32_t lit;

#define LIT_FALSE ((lit)0)
#define LIT_TRUE  ((lit)1)

static inline lit lit_not(lit a)
{
    return a ^ 1;
}

static inline bool lit_is_const(lit a)
{
    return a <= LIT_TRUE;
}

static inline lit lit_of(bool value)
{
    return value ? LIT_TRUE : LIT_FALSE;
}

enum gate_kind { GATE_INPUT, GATE_AND, GATE_XOR, GATE_ITE, GATE_MAJ };

struct gate {
    lit a, b, c;   // ITE: a ? b : c; INPUT: a is the side condition's index or 0
    uint32_t next; // in the hash bucket
    int variable;  // in the SAT solver; 0: not there yet. Owned by cnf.c
    uint8_t kind;  // enum gate_kind
    bool value;    // on the parent input
    bool shared;   // an operand of more than one gate
    bool used;     // an operand of a gate
    bool claimed;  // asserted: its operands are, too. Owned by cnf.c
};

struct gates {
    VEC(struct gate) all;
    uint32_t *buckets;
    size_t bucket_count; // a power of two
    VEC(lit) sides;
    size_t limit; // of gates; 0: none
    bool full;    // the limit was reached: literals made since mean nothing
};

void gates_init(struct gates *g, size_t limit);
void gates_release(struct gates *g);
void gates_clear(struct gates *g); // back to no gates, memory is kept

// A free variable. With a side condition, the variable is not free but defined by
// it: the condition must hold wherever the variable is used.
lit gates_input(struct gates *g, bool value, uint32_t side);
uint32_t gates_side(struct gates *g); // announce a condition; indices start at 1
void gates_set_side(struct gates *g, uint32_t side, lit condition);

lit gates_and(struct gates *g, lit a, lit b);
lit gates_xor(struct gates *g, lit a, lit b);
lit gates_ite(struct gates *g, lit condition, lit yes, lit no);
lit gates_maj(struct gates *g, lit a, lit b, lit c);

static inline lit gates_or(struct gates *g, lit a, lit b)
{
    return lit_not(gates_and(g, lit_not(a), lit_not(b)));
}

// The literal's value on the parent input.
static inline bool gates_value(const struct gates *g, lit a)
{
    return g->all.items[a >> 1].value ^ (a & 1);
}

#endif
