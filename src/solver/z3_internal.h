// SPDX-License-Identifier: Apache-2.0
// The Z3 backend's state and the parts of its translation.
//
// Every expression has a word form: a bit-vector of its width, or a Bool when the
// width is 1. Operands of float operations also have a float form (an FP-sorted
// term), built only when needed, so that a float computation never passes through
// bits in between.
//
// ASTs belong to the context and live as long as it does (no reference counting);
// contexts are renewed after a number of queries or of built terms. An error inside
// Z3 (out of memory, a sort that does not match) sets `failed`, and the query ends
// as "unknown".
#ifndef CZ_SOLVER_Z3_INTERNAL_H
#define CZ_SOLVER_Z3_INTERNAL_H

#include "expr/vars.h"
#include "solver/solver_internal.h"
#include <z3.h>

struct z3 {
    struct solver base;
    struct solver_options options;
    struct expr_vars vars;
    Z3_context context;
    unsigned queries; // in this context
    size_t built;     // terms in this context
    bool failed;
    unsigned clock_ms;      // of the query; 0: no limit
    Z3_ast dummy;           // stands for a term that could not be built
    Z3_ast *words, *floats; // by expression id
    uint32_t *heights;      // of the terms, in nodes, above inputs or cuts
    size_t room;
    Z3_ast *cuts; // definitions that this query needs, see z3_translate.c
    size_t cut_count, cut_room;
    uint32_t *stack; // expression id << 1 | float form
    size_t stack_count, stack_room;
};

// Check the result of a Z3 call that builds a term.
Z3_ast z3_keep(struct z3 *z, Z3_ast ast);

// Word or float form of an operand that has been built. z3_word turns Bools into
// one-bit vectors, z3_truth one-bit words are Bools.
Z3_ast z3_word(struct z3 *z, expr_id id);
Z3_ast z3_truth(struct z3 *z, expr_id id);
Z3_ast z3_float(struct z3 *z, expr_id id);
bool z3_need_word(struct z3 *z, expr_id id); // built? else pushed
bool z3_need_float(struct z3 *z, expr_id id);

Z3_ast z3_number(struct z3 *z, unsigned width, uint64_t low, uint64_t high);
Z3_ast z3_bit(struct z3 *z, Z3_ast boolean); // Bool -> one-bit vector

// z3_translate.c: the Bool of a constraint.
Z3_ast z3_translate(struct z3 *z, expr_id constraint);

// z3_float.c. *_ready push what is missing; the builders need everything ready.
bool z3_float_ready(struct z3 *z, expr_id id);      // for the float form
bool z3_float_word_ready(struct z3 *z, expr_id id); // for the word form of a float operation
Z3_ast z3_build_float(struct z3 *z, expr_id id);
Z3_ast z3_build_float_word(struct z3 *z, expr_id id);

// z3_cost.c: is this query beyond max_gates?
bool z3_too_large(struct z3 *z, const struct solver_query *query);

// z3_read.c
bool z3_read_ready(struct z3 *z, const struct expr *e);
Z3_ast z3_build_read(struct z3 *z, const struct expr *e);

#endif
