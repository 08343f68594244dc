// SPDX-License-Identifier: Apache-2.0
// How large a query is once Z3 has turned it into gates, roughly. Z3 checks neither
// its work limit nor its clock while it bit-blasts, and that phase can take minutes
// (5,000 additions and XORs over four inputs took 29 s), so queries beyond a size
// are answered "unknown" before they start. The estimate depends on the query alone,
// so answers stay reproducible.
#include "solver/z3_internal.h"

#include "expr/cone.h"

// Exponent ranges make these circuits far wider than their operands.
static uint64_t float_gates(enum expr_op op, uint64_t w)
{
    switch (op) {
    case EXPR_FREM: return w == 32 ? 300 * 300 : UINT64_C(2200) * 2200;
    case EXPR_FDIV:
    case EXPR_FSQRT: return 3 * w * w;
    case EXPR_FMUL: return w * w;
    case EXPR_FMIN:
    case EXPR_FMAX:
    case EXPR_FNEG:
    case EXPR_FABS: return 4 * w;
    default: return 20 * w;
    }
}

static uint64_t gates(const struct expr_pool *pool, const struct expr *e)
{
    uint64_t w = e->width;
    switch (e->op) {
    case EXPR_CONST:
    case EXPR_INPUT:
    case EXPR_ZEXT:
    case EXPR_SEXT:
    case EXPR_TRUNC:
    case EXPR_EXTRACT:
    case EXPR_CONCAT: return 0;
    case EXPR_MUL: return w * w;
    case EXPR_UDIV:
    case EXPR_SDIV:
    case EXPR_UREM:
    case EXPR_SREM: return 3 * w * w;
    case EXPR_SHL:
    case EXPR_LSHR:
    case EXPR_ASHR: return 8 * w;
    case EXPR_READ: return w * expr_get_snapshot(pool, e->x)->size;
    default: break;
    }
    uint64_t from = expr_get(pool, e->a)->width;
    return e->op >= EXPR_FADD ? float_gates(e->op, w > from ? w : from) : w > from ? w : from;
}

bool z3_too_large(struct z3 *z, const struct solver_query *query)
{
    uint64_t total = 0, limit = z->options.max_gates;
    struct cone cone;
    if (!limit)
        return false;
    cone_find(&cone, z->base.pool, query->constraints, query->count, true);
    for (size_t i = 0; i < cone.count && total <= limit; i++)
        total += gates(z->base.pool, expr_get(z->base.pool, cone.ids[i]));
    cone_release(&cone);
    return total > limit;
}
