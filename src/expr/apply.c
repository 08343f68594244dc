// SPDX-License-Identifier: Apache-2.0
// The meaning of one integer operation on concrete values: SMT-LIB's bit-vector
// semantics, as wire/ops.def documents. Shared by constant folding and by the
// evaluator, so the two cannot disagree.
#include "expr/expr_internal.h"

#include "base/error.h"

static expr_u128 magnitude(expr_u128 v, unsigned width)
{
    return value_sign(v, width) ? value_cut(-v, width) : v;
}

static expr_u128 udiv(expr_u128 a, expr_u128 b, unsigned width)
{
    return b ? a / b : value_ones(width);
}

static expr_u128 urem(expr_u128 a, expr_u128 b)
{
    return b ? a % b : a;
}

// Through magnitudes: no case of C's signed division is undefined this way.
static expr_u128 sdiv(expr_u128 a, expr_u128 b, unsigned width)
{
    expr_u128 q = udiv(magnitude(a, width), magnitude(b, width), width);
    return value_sign(a, width) != value_sign(b, width) ? -q : q;
}

static expr_u128 srem(expr_u128 a, expr_u128 b, unsigned width)
{
    expr_u128 r = urem(magnitude(a, width), magnitude(b, width));
    return value_sign(a, width) ? -r : r;
}

static expr_u128 ashr(expr_u128 a, expr_u128 b, unsigned width)
{
    unsigned by = b >= width ? width - 1 : (unsigned)b;
    return (expr_u128)(value_signed(a, width) >> by);
}

static expr_u128 binary(enum expr_op op, unsigned width, expr_u128 a, expr_u128 b)
{
    switch (op) {
    case EXPR_ADD: return a + b;
    case EXPR_SUB: return a - b;
    case EXPR_MUL: return a * b;
    case EXPR_UDIV: return udiv(a, b, width);
    case EXPR_SDIV: return sdiv(a, b, width);
    case EXPR_UREM: return urem(a, b);
    case EXPR_SREM: return srem(a, b, width);
    case EXPR_SHL: return b >= width ? 0 : a << (unsigned)b;
    case EXPR_LSHR: return b >= width ? 0 : a >> (unsigned)b;
    case EXPR_ASHR: return ashr(a, b, width);
    case EXPR_AND: return a & b;
    case EXPR_OR: return a | b;
    case EXPR_XOR: return a ^ b;
    default: BUG("no binary operation: %d", (int)op);
    }
}

static bool compare(enum expr_op op, unsigned from, expr_u128 a, expr_u128 b)
{
    expr_i128 sa = value_signed(a, from), sb = value_signed(b, from);
    switch (op) {
    case EXPR_EQ: return a == b;
    case EXPR_NE: return a != b;
    case EXPR_UGT: return a > b;
    case EXPR_UGE: return a >= b;
    case EXPR_ULT: return a < b;
    case EXPR_ULE: return a <= b;
    case EXPR_SGT: return sa > sb;
    case EXPR_SGE: return sa >= sb;
    case EXPR_SLT: return sa < sb;
    case EXPR_SLE: return sa <= sb;
    default: BUG("no comparison: %d", (int)op);
    }
}

bool expr_op_is_float(enum expr_op op)
{
    return op >= EXPR_FADD;
}

expr_u128 expr_apply(enum expr_op op, unsigned width, unsigned from, expr_u128 a, expr_u128 b,
                     unsigned low)
{
    if (expr_op_is_float(op))
        return value_cut(expr_apply_float(op, width, from, a, b), width);
    switch (op) {
    case EXPR_ZEXT:
    case EXPR_TRUNC: return value_cut(a, width);
    case EXPR_SEXT: return value_cut(value_extend(a, from), width);
    case EXPR_EXTRACT: return value_cut(a >> low, width);
    case EXPR_CONCAT: // from: width of the low part
        return a << from | b;
    default:
        if (expr_op_kind(op) == 'C')
            return compare(op, from, a, b);
        return value_cut(binary(op, width, a, b), width);
    }
}
