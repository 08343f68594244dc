// SPDX-License-Identifier: Apache-2.0
// Conditions backwards: comparisons and their logical connections. The nearest value
// that satisfies a comparison comes first (x < 10 wants 9); later attempts also take
// others.
#include "expr/apply.h"
#include "solver/propagate.h"

static expr_u128 between(struct propagate *p, expr_u128 low, expr_u128 high)
{
    expr_u128 span = high - low + 1;
    expr_u128 r = (expr_u128)rng_next(&p->rng) << 64 | rng_next(&p->rng);
    return span ? low + r % span : r;
}

// A value from [low, high]: mostly the end named by `near_high`, else one close to it,
// or any.
static expr_u128 pick(struct propagate *p, expr_u128 low, expr_u128 high, bool near_high)
{
    expr_u128 edge = near_high ? high : low;
    uint64_t kind = propagate_chance(p, 4);
    if (kind < 2)
        return edge;
    if (kind == 2 || high - low < 64)
        return between(p, low, high);
    expr_u128 off = rng_below(&p->rng, 64);
    return near_high ? high - off : low + off;
}

// Make a < b (a <= b with `equal`). In the order of signed numbers after a shift.
static bool make_less(struct propagate *p, const struct flat_ins *ins, bool swap, bool is_signed,
                      bool equal)
{
    unsigned w = ins->from;
    expr_u128 bias = is_signed ? (expr_u128)1 << (w - 1) : 0, top = value_ones(w);
    uint32_t a = swap ? ins->b : ins->a, b = swap ? ins->a : ins->b;
    expr_u128 va = flat_value(p->flat, a) ^ bias, vb = flat_value(p->flat, b) ^ bias;
    if (propagate_left(p, ins) != swap) { // change a
        if (!equal && vb == 0)
            return false;
        propagate_wish(p, a, pick(p, 0, vb - !equal, true) ^ bias);
    } else {
        if (!equal && va == top)
            return false;
        propagate_wish(p, b, pick(p, va + !equal, top, false) ^ bias);
    }
    return true;
}

static bool make_equal(struct propagate *p, const struct flat_ins *ins, bool equal)
{
    bool left = propagate_left(p, ins);
    uint32_t child = left ? ins->a : ins->b, other = left ? ins->b : ins->a;
    expr_u128 v = flat_value(p->flat, other);
    if (equal) {
        propagate_wish(p, child, v);
        return true;
    }
    uint64_t kind = propagate_chance(p, 3);
    if (p->attempt == 1)
        kind = 1;
    expr_u128 any = (expr_u128)rng_next(&p->rng) << 64 | rng_next(&p->rng);
    propagate_wish(p, child, kind == 0 ? v + 1 : kind == 1 ? v - 1 : any);
    return true;
}

static bool make_connection(struct propagate *p, const struct flat_ins *ins, bool wanted)
{
    bool a = p->flat->low[ins->a] & 1, b = p->flat->low[ins->b] & 1;
    if ((ins->op == EXPR_AND) == wanted) { // both
        if (a != wanted)
            propagate_wish(p, ins->a, wanted);
        if (b != wanted)
            propagate_wish(p, ins->b, wanted);
        return true;
    }
    bool left = propagate_left(p, ins);
    propagate_wish(p, left ? ins->a : ins->b, wanted);
    return true;
}

static bool make_compare(struct propagate *p, const struct flat_ins *ins, bool wanted)
{
    switch (ins->op) {
    case EXPR_EQ: return make_equal(p, ins, wanted);
    case EXPR_NE: return make_equal(p, ins, !wanted);
    case EXPR_ULT: return make_less(p, ins, !wanted, false, !wanted);
    case EXPR_ULE: return make_less(p, ins, !wanted, false, wanted);
    case EXPR_SLT: return make_less(p, ins, !wanted, true, !wanted);
    case EXPR_SLE: return make_less(p, ins, !wanted, true, wanted);
    case EXPR_UGT: return make_less(p, ins, wanted, false, !wanted);
    case EXPR_UGE: return make_less(p, ins, wanted, false, wanted);
    case EXPR_SGT: return make_less(p, ins, wanted, true, !wanted);
    default: return make_less(p, ins, wanted, true, wanted); // SGE
    }
}

bool propagate_condition(struct propagate *p, uint32_t at, bool wanted)
{
    const struct flat_ins *ins = &p->flat->code[at];
    if ((p->flat->low[at] & 1) == wanted)
        return true;
    switch (expr_op_kind(ins->op)) {
    case 'C': return make_compare(p, ins, wanted);
    case 'Q': return propagate_float_condition(p, ins, wanted);
    default: break;
    }
    if (ins->op == EXPR_AND || ins->op == EXPR_OR)
        return make_connection(p, ins, wanted);
    if (ins->op == EXPR_XOR) {
        bool left = propagate_left(p, ins);
        uint32_t child = left ? ins->a : ins->b;
        propagate_wish(p, child, !(p->flat->low[child] & 1));
        return true;
    }
    if (ins->op == EXPR_ITE) {
        bool now = p->flat->low[ins->a] & 1;
        if (propagate_chance(p, 2) || p->attempt == 1)
            propagate_wish(p, ins->a, !now);
        else
            propagate_wish(p, now ? ins->b : ins->c, wanted);
        return true;
    }
    if (ins->op == EXPR_EXTRACT || ins->op == EXPR_TRUNC) {
        propagate_wish(p, at, wanted);
        return true;
    }
    return false;
}
