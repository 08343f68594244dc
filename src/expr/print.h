// SPDX-License-Identifier: Apache-2.0
// Expressions as text, for people and for other solvers. Shared subexpressions are
// written once, so the text is linear in the expression.
#ifndef CZ_EXPR_PRINT_H
#define CZ_EXPR_PRINT_H

#include "base/buf.h"
#include "expr/expr.h"

// One line for a small expression: (ult (add in32[4] 7) 0x10). Subexpressions used
// twice get a line each in front: "%12 = ...", and large ones are cut the same way.
void expr_print(const struct expr_pool *pool, expr_id id, struct buf *out);

// A complete SMT-LIB 2 script (logic QF_BVFP) that asserts all constraints, one each. Inputs
// are constants in_<offset>_<bits>; overlapping ones are tied together. What eval.h
// says about NaN, conversions and reads is written out, so the script means what
// the evaluator computes.
void expr_print_smt2(const struct expr_pool *pool, const expr_id *constraints, size_t count,
                     struct buf *out);

// The same with a comment in front that holds the parent input, for smt2_read.h.
void expr_print_smt2_query(const struct expr_pool *pool, const expr_id *constraints, size_t count,
                           const uint8_t *input, size_t input_size, struct buf *out);

#endif
