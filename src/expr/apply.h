// SPDX-License-Identifier: Apache-2.0
// The value of one operation on concrete operands. Constant folding, both evaluators
// and the searches of the solver share it, so they cannot disagree.
#ifndef CZ_EXPR_APPLY_H
#define CZ_EXPR_APPLY_H

#include "expr/value.h"

// `from` is the width of operand a (and of b, except for CONCAT where it is the width
// of b). low: EXTRACT's lowest bit. Not for leaves, ITE and READ.
expr_u128 expr_apply(enum expr_op op, unsigned width, unsigned from, expr_u128 a, expr_u128 b,
                     unsigned low);
// apply_float.c: the same for the kinds F, Q, G and the float casts.
expr_u128 expr_apply_float(enum expr_op op, unsigned width, unsigned from, expr_u128 a,
                           expr_u128 b);
bool expr_op_is_float(enum expr_op op);

#endif
