// SPDX-License-Identifier: Apache-2.0
#include "solver/distance.h"

#include "expr/value.h"

// Nesting of and/or/not that is looked into; deeper conditions count as true or false.
enum { MAX_DEPTH = 24 };
#define FAR ((distance)1 << 100)

uint64_t distance_order(uint64_t bits, unsigned width)
{
    uint64_t sign = 1ull << (width - 1), all = sign | (sign - 1);
    return bits & sign ? ~bits & all : bits | sign;
}

uint64_t distance_unorder(uint64_t order, unsigned width)
{
    uint64_t sign = 1ull << (width - 1), all = sign | (sign - 1);
    return order & sign ? order & ~sign : ~order & all;
}

static distance apart(expr_u128 a, expr_u128 b)
{
    distance d = a > b ? a - b : b - a;
    return d > FAR ? FAR : d;
}

static bool is_nan(uint64_t bits, unsigned width)
{
    return width == 32 ? (bits & 0x7fffffff) > 0x7f800000
                       : (bits & 0x7fffffffffffffff) > 0x7ff0000000000000;
}

static distance compare_floats(struct eval *eval, const struct expr *e)
{
    unsigned width = expr_get(eval->pool, e->a)->width;
    uint64_t a = eval_expr(eval, e->a).low, b = eval_expr(eval, e->b).low;
    if (is_nan(a, width) || is_nan(b, width))
        return (distance)1 << 65;
    return 1 + apart(distance_order(a, width), distance_order(b, width));
}

static distance compare_integers(struct eval *eval, const struct expr *e)
{
    unsigned width = expr_get(eval->pool, e->a)->width;
    expr_u128 a = value_wide(eval_expr(eval, e->a)), b = value_wide(eval_expr(eval, e->b));
    if (e->op == EXPR_SLT || e->op == EXPR_SLE) { // the order of signed numbers, shifted
        a = value_cut(a + ((expr_u128)1 << (width - 1)), width);
        b = value_cut(b + ((expr_u128)1 << (width - 1)), width);
    }
    return 1 + apart(a, b);
}

static distance measure(struct eval *eval, expr_id condition, bool wanted, unsigned depth)
{
    if (eval_true(eval, condition) == wanted)
        return 0;
    const struct expr *e = expr_get(eval->pool, condition);
    char kind = expr_op_kind((enum expr_op)e->op);
    if (kind == 'C' && expr_get(eval->pool, e->a)->width > 1)
        return compare_integers(eval, e);
    if (kind == 'Q')
        return compare_floats(eval, e);
    if (depth == MAX_DEPTH || (e->op != EXPR_AND && e->op != EXPR_OR && e->op != EXPR_XOR))
        return expr_is_const(eval->pool, condition) ? FAR : 1;
    if (e->op == EXPR_XOR)
        return expr_is_const(eval->pool, e->b)
                   ? measure(eval, e->a, wanted ^ (expr_get(eval->pool, e->b)->x & 1), depth + 1)
                   : 1;
    distance a = measure(eval, e->a, wanted, depth + 1), b = measure(eval, e->b, wanted, depth + 1);
    bool both = (e->op == EXPR_AND) == wanted;
    return both ? a + b : a < b ? a : b;
}

distance distance_of(struct eval *eval, expr_id condition)
{
    return measure(eval, condition, true, 0);
}
