// SPDX-License-Identifier: Apache-2.0
// The invariants of a pool: operands come before the nodes that use them, widths fit, unused fields
// are 0, and every node and snapshot is found again, so that equal expressions have one id.
#include "expr/expr_check.h"

#include "expr/expr_internal.h"

static const char *check_node(struct expr_pool *pool, expr_id id)
{
    const struct expr *e = expr_get(pool, id);
    expr_id operands[3];
    unsigned count = expr_operands(e, operands), widths[3] = {0};
    if (e->op >= EXPR_OP_COUNT || count != expr_op_operands((enum expr_op)e->op))
        return "an expression has too few or too many operands";
    for (unsigned i = 0; i < count; i++) {
        if (operands[i] >= id)
            return "an operand comes after the expression that uses it";
        widths[i] = expr_width(pool, operands[i]);
    }
    uint64_t low = e->op == EXPR_EXTRACT ? e->x : 0;
    if (!expr_fits((enum expr_op)e->op, e->width, widths[0], widths[1], widths[2], low))
        return "widths of an expression do not fit its operation";
    if (e->op == EXPR_READ && e->x >= pool->snapshot_count)
        return "an expression reads a snapshot that is not there";
    return NULL;
}

static const char *check_snapshot(const struct expr_pool *pool, const struct expr_snapshot *s)
{
    for (uint32_t i = 0; s->exprs && i < s->size; i++) {
        if (!s->exprs[i])
            continue;
        if (s->exprs[i] >= pool->count || expr_width(pool, s->exprs[i]) != 8)
            return "a byte of a snapshot is no expression of 8 bits";
        if (s->bytes[i])
            return "a symbolic byte of a snapshot has a concrete value, too";
    }
    return NULL;
}

const char *expr_pool_check(struct expr_pool *pool)
{
    if (pool->depth)
        return "a pool is in the middle of simplifying";
    if (pool->count > pool->block_count * EXPR_BLOCK && pool->count > 1)
        return "a pool counts more expressions than it has room for";
    for (size_t id = 1; id < pool->count; id++) {
        const char *wrong = check_node(pool, (expr_id)id);
        if (wrong)
            return wrong;
        if (expr_intern(pool, expr_get(pool, (expr_id)id)) != id)
            return "an expression is there twice, or is not found";
    }
    for (size_t i = 0; i < pool->snapshot_count; i++) {
        const char *wrong = check_snapshot(pool, &pool->snapshots[i]);
        if (wrong)
            return wrong;
    }
    return NULL;
}
