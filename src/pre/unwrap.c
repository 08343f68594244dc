// SPDX-License-Identifier: Apache-2.0
// The distance from an object's beginning, computed once more in 64 bits.
#include "pre/unwrap.h"

#include "base/tunables.h"

enum { NARROW = 32, WIDE = 64 };

// A product with a power of two: the low bits of a number, and zeros below them.
static bool is_shifted(struct expr_pool *pool, const struct expr *e, expr_id *number, uint64_t *by)
{
    if (e->op == EXPR_SHL && expr_is_const(pool, e->b)) {
        *number = e->a;
        *by = expr_get(pool, e->b)->x;
        return *by < NARROW;
    }
    if (e->op != EXPR_CONCAT || !expr_is_const(pool, e->b) || expr_get(pool, e->b)->x)
        return false;
    const struct expr *low = expr_get(pool, e->a);
    *number = low->a;
    *by = expr_get(pool, e->b)->width;
    return low->op == EXPR_EXTRACT && low->x == 0 && expr_get(pool, low->a)->width == NARROW;
}

static expr_id widen(struct expr_pool *pool, expr_id id, unsigned depth)
{
    const struct expr *e = expr_get(pool, id);
    expr_id number;
    uint64_t by;
    if (depth == PRE_UNWRAP_DEPTH)
        return expr_unary(pool, EXPR_SEXT, WIDE, id);
    if (is_shifted(pool, e, &number, &by))
        return expr_binary(pool, EXPR_SHL, widen(pool, number, depth + 1),
                           expr_const64(pool, WIDE, by));
    if (e->op != EXPR_ADD && e->op != EXPR_SUB && e->op != EXPR_MUL)
        return expr_unary(pool, EXPR_SEXT, WIDE, id);
    enum expr_op op = (enum expr_op)e->op;
    expr_id left = e->a, right = e->b;
    return expr_binary(pool, op, widen(pool, left, depth + 1), widen(pool, right, depth + 1));
}

expr_id unwrap(struct expr_pool *pool, expr_id predicate)
{
    const struct expr *e = expr_get(pool, predicate);
    if (e->op != EXPR_ULT || expr_get(pool, e->a)->width != NARROW || !expr_is_const(pool, e->b) ||
        expr_get(pool, e->b)->x >> (NARROW - 1))
        return predicate;
    return expr_binary(pool, EXPR_ULT, widen(pool, e->a, 0),
                       expr_const64(pool, WIDE, expr_get(pool, e->b)->x));
}
