// SPDX-License-Identifier: Apache-2.0
// Integer operations backwards. Each case computes what one operand would have to be
// so that the result is the wished value, the other operand staying as it is, and
// keeps what it can of the operand's present value (low bits of a right shift, the
// remainder of a division), so that other constraints stay satisfied.
#include "solver/propagate.h"

#include "base/tunables.h"
#include "expr/apply.h"

void propagate_release(struct propagate *p)
{
    VEC_RELEASE(&p->wishes);
    VEC_RELEASE(&p->changes);
}

void propagate_wish(struct propagate *p, uint32_t at, expr_u128 value)
{
    *VEC_PUSH(&p->wishes) = (struct wish){at, value_cut(value, p->flat->code[at].width)};
}

uint64_t propagate_chance(struct propagate *p, uint64_t limit)
{
    return p->attempt < 2 ? 0 : rng_below(&p->rng, limit);
}

bool propagate_left(struct propagate *p, const struct flat_ins *ins)
{
    bool a = p->flat->code[ins->a].op != EXPR_CONST, b = p->flat->code[ins->b].op != EXPR_CONST;
    if (!a || !b)
        return a;
    return p->attempt < 2 ? p->attempt == 0 : rng_below(&p->rng, 2);
}

// The value of an instruction; an input that is about to change counts as changed.
static expr_u128 current(const struct propagate *p, uint32_t at)
{
    uint32_t input = p->flat->input_of[at];
    for (size_t i = p->changes.count; input && i-- > 0;)
        if (p->changes.items[i].input == input - 1)
            return p->changes.items[i].value;
    return flat_value(p->flat, at);
}

static void change_input(struct propagate *p, uint32_t at, expr_u128 value)
{
    uint32_t input = p->flat->input_of[at] - 1;
    for (size_t i = 0; i < p->changes.count; i++)
        if (p->changes.items[i].input == input) {
            p->changes.items[i].value = value;
            return;
        }
    *VEC_PUSH(&p->changes) = (struct change){input, value, flat_value(p->flat, at)};
}

static expr_u128 noise(struct propagate *p)
{
    return (expr_u128)rng_next(&p->rng) << 64 | rng_next(&p->rng);
}

// Newton's iteration: each round doubles the bits that are right.
static expr_u128 odd_inverse(expr_u128 a)
{
    expr_u128 x = a;
    for (int i = 0; i < 7; i++)
        x *= 2 - a * x;
    return x;
}

static uint64_t square_root(expr_u128 v)
{
    uint64_t root = 0;
    for (uint64_t bit = UINT64_C(1) << 63; bit; bit >>= 1)
        if ((expr_u128)(root | bit) * (root | bit) <= v)
            root |= bit;
    return root;
}

static bool undo_mul(struct propagate *p, const struct flat_ins *ins, uint32_t child, expr_u128 v,
                     expr_u128 old, expr_u128 t)
{
    unsigned w = ins->width;
    if (ins->a == ins->b) {
        propagate_wish(p, child, square_root(t));
        return true;
    }
    if (!v)
        return t == 0;
    unsigned zeros = value_lowest(v);
    if (t & value_ones(zeros))
        return false;
    expr_u128 kept = value_ones(w - zeros), r = (t >> zeros) * odd_inverse(v >> zeros) & kept;
    if (zeros && propagate_chance(p, 2))
        r |= old & ~kept;
    propagate_wish(p, child, r);
    return true;
}

static expr_u128 absolute(expr_u128 v, unsigned width)
{
    return value_sign(v, width) ? value_cut(-v, width) : v;
}

// The dividend: quotient times divisor plus the remainder that it has now.
static bool undo_dividend(struct propagate *p, const struct flat_ins *ins, expr_u128 v,
                          expr_u128 old, expr_u128 t)
{
    unsigned w = ins->width;
    bool is_signed = ins->op == EXPR_SDIV;
    if (!v)
        return false;
    expr_u128 m = is_signed ? absolute(v, w) : v, q = is_signed ? absolute(t, w) : t;
    expr_u128 limit = is_signed ? value_ones(w - 1) : value_ones(w);
    if (q && m > limit / q)
        return false;
    expr_u128 rest = (is_signed ? absolute(old, w) : old) % m, product = q * m;
    if (rest > limit - product)
        rest = 0;
    bool negative = is_signed && (q ? value_sign(t, w) != value_sign(v, w) : value_sign(old, w));
    propagate_wish(p, ins->a, negative ? -(product + rest) : product + rest);
    return true;
}

static bool undo_divisor(struct propagate *p, const struct flat_ins *ins, expr_u128 v, expr_u128 t)
{
    unsigned w = ins->width;
    if (!t) {
        propagate_wish(p, ins->b, ins->op == EXPR_SDIV ? value_ones(w - 1) : value_ones(w));
        return true;
    }
    propagate_wish(p, ins->b, expr_apply(ins->op, w, w, v, t, 0));
    return true;
}

static bool undo_remainder(struct propagate *p, const struct flat_ins *ins, bool left, expr_u128 v,
                           expr_u128 old, expr_u128 t)
{
    unsigned w = ins->width;
    bool is_signed = ins->op == EXPR_SREM;
    if (!left) { // v % child == t
        if (v == t)
            propagate_wish(p, ins->b, is_signed ? value_ones(w - 1) : value_ones(w));
        else
            propagate_wish(p, ins->b, v - t);
        return true;
    }
    expr_u128 m = is_signed ? absolute(v, w) : v, r = is_signed ? absolute(t, w) : t;
    if (!v || r >= m)
        return false;
    expr_u128 from = is_signed ? absolute(old, w) : old;
    if (propagate_chance(p, 4) == 1)
        from = value_cut(noise(p), w - is_signed) >> rng_below(&p->rng, w);
    expr_u128 base = from - from % m, limit = value_ones(w - is_signed);
    if (base > limit - r)
        base = 0;
    bool negative = is_signed && (t ? value_sign(t, w) : value_sign(old, w));
    propagate_wish(p, ins->a, negative ? -(base + r) : base + r);
    return true;
}

static bool undo_shift(struct propagate *p, const struct flat_ins *ins, bool left, expr_u128 v,
                       expr_u128 old, expr_u128 t)
{
    unsigned w = ins->width, by = v >= w ? w : (unsigned)v;
    if (!left) { // by how much? The amounts are few.
        unsigned first = (unsigned)propagate_chance(p, w);
        for (unsigned i = 0; i < w; i++) {
            unsigned amount = (first + i) % w;
            if (expr_apply(ins->op, w, w, v, amount, 0) == t) {
                propagate_wish(p, ins->b, amount);
                return true;
            }
        }
        return false;
    }
    if (by >= w)
        return expr_apply(ins->op, w, w, old, v, 0) == t;
    expr_u128 back = ins->op == EXPR_SHL ? t >> by | (by ? old & ~(value_ones(w) >> by) : 0)
                                         : value_cut(t << by, w) | (old & value_ones(by));
    if (expr_apply(ins->op, w, w, value_cut(back, w), v, 0) != t)
        return false;
    propagate_wish(p, ins->a, back);
    return true;
}

static bool undo_mask(struct propagate *p, const struct flat_ins *ins, uint32_t child,
                      uint32_t other, expr_u128 v, expr_u128 old, expr_u128 t)
{
    bool constant = p->flat->code[other].op == EXPR_CONST;
    if (ins->op == EXPR_AND) {
        if (!(t & ~v)) {
            propagate_wish(p, child, t | (old & ~v));
            return true;
        }
        if (constant)
            return false;
        propagate_wish(p, ins->a, t | (propagate_chance(p, 2) ? noise(p) : 0));
        propagate_wish(p, ins->b, t);
        return true;
    }
    if (v & ~t) {
        if (constant)
            return false;
        propagate_wish(p, ins->a, t & flat_value(p->flat, ins->a));
        propagate_wish(p, ins->b, t);
        return true;
    }
    propagate_wish(p, child, (t & ~v) | (old & v));
    return true;
}

// An offset at which the table has the value: the nearest above the present one, going
// around, or somewhere. A byte that is itself an expression may be wished for.
static bool undo_read(struct propagate *p, const struct flat_ins *ins, expr_u128 t)
{
    const struct expr_snapshot *s = expr_get_snapshot(p->flat->pool, ins->x);
    unsigned bytes = ins->width / 8u;
    if (s->size < bytes || s->size > SOLVER_PROPAGATE_SCAN)
        return false;
    uint64_t places = s->size - bytes + 1, old = p->flat->low[ins->a];
    uint64_t first = propagate_chance(p, 2) ? rng_below(&p->rng, places) : old < places ? old : 0;
    p->steps += (unsigned)(places / SOLVER_PROPAGATE_SCAN_STEP);
    for (uint64_t i = 0; i < places; i++) {
        uint64_t at = first + i < places ? first + i : first + i - places;
        unsigned same = 0;
        while (same < bytes && s->bytes[at + same] == (uint8_t)(t >> (8 * same)) &&
               !(s->exprs && s->exprs[at + same]))
            same++;
        if (same < bytes && !(bytes == 1 && s->exprs && s->exprs[at]))
            continue;
        if (same < bytes)
            propagate_wish(p, flat_find(p->flat, s->exprs[at]), t);
        propagate_wish(p, ins->a, at);
        return true;
    }
    return false;
}

static bool undo_cast(struct propagate *p, const struct flat_ins *ins, expr_u128 t)
{
    unsigned from = ins->from;
    switch (ins->op) {
    case EXPR_ZEXT:
        if (from < 128 && t >> from)
            return false;
        propagate_wish(p, ins->a, t);
        return true;
    case EXPR_SEXT:
        if (value_cut(value_extend(value_cut(t, from), from), ins->width) != t)
            return false;
        propagate_wish(p, ins->a, t);
        return true;
    case EXPR_CONCAT:
        propagate_wish(p, ins->a, t >> from);
        propagate_wish(p, ins->b, t);
        return true;
    default: { // EXTRACT, TRUNC: the other bits stay
        unsigned low = ins->op == EXPR_EXTRACT ? (unsigned)ins->x : 0;
        expr_u128 bits = value_ones(ins->width) << low;
        propagate_wish(p, ins->a, (current(p, ins->a) & ~bits) | t << low);
        return true;
    }
    }
}

static bool undo_ite(struct propagate *p, const struct flat_ins *ins, expr_u128 t)
{
    bool now = p->flat->low[ins->a] & 1;
    bool flip = p->attempt < 2 ? p->attempt == 1 : rng_below(&p->rng, 2);
    uint32_t stay = now ? ins->b : ins->c, other = now ? ins->c : ins->b;
    if (p->flat->code[stay].op == EXPR_CONST)
        flip = true;
    uint32_t chosen = flip ? other : stay;
    if (p->flat->code[chosen].op == EXPR_CONST && flat_value(p->flat, chosen) != t)
        return false;
    if (flip)
        propagate_wish(p, ins->a, !now);
    if (flat_value(p->flat, chosen) != t)
        propagate_wish(p, chosen, t);
    return true;
}

static bool undo_binary(struct propagate *p, const struct flat_ins *ins, expr_u128 t)
{
    bool left = propagate_left(p, ins);
    uint32_t child = left ? ins->a : ins->b, other = left ? ins->b : ins->a;
    expr_u128 v = current(p, other), old = current(p, child);
    switch (ins->op) {
    case EXPR_ADD:
        if (ins->a == ins->b)
            propagate_wish(p, child, t >> 1);
        else
            propagate_wish(p, child, t - v);
        return true;
    case EXPR_SUB: propagate_wish(p, child, left ? t + v : v - t); return true;
    case EXPR_XOR: propagate_wish(p, child, t ^ v); return true;
    case EXPR_MUL: return undo_mul(p, ins, child, v, old, t);
    case EXPR_UDIV:
    case EXPR_SDIV: return left ? undo_dividend(p, ins, v, old, t) : undo_divisor(p, ins, v, t);
    case EXPR_UREM:
    case EXPR_SREM: return undo_remainder(p, ins, left, v, old, t);
    case EXPR_SHL:
    case EXPR_LSHR:
    case EXPR_ASHR: return undo_shift(p, ins, left, v, old, t);
    default: // AND, OR
        return undo_mask(p, ins, child, other, v, old, t);
    }
}

static bool grant(struct propagate *p, const struct wish *wish)
{
    const struct flat_ins *ins = &p->flat->code[wish->at];
    expr_u128 t = wish->value;
    if (ins->op == EXPR_INPUT) {
        change_input(p, wish->at, t);
        return true;
    }
    if (ins->op == EXPR_CONST)
        return flat_value(p->flat, wish->at) == t;
    if (ins->width == 1 && ins->op != EXPR_EXTRACT && ins->op != EXPR_TRUNC)
        return propagate_condition(p, wish->at, t != 0);
    if (expr_op_is_float(ins->op))
        return propagate_float(p, ins, t);
    if (ins->op == EXPR_READ)
        return undo_read(p, ins, t);
    if (ins->op == EXPR_ITE)
        return undo_ite(p, ins, t);
    return expr_op_kind(ins->op) == 'B' ? undo_binary(p, ins, t) : undo_cast(p, ins, t);
}

bool propagate_find(struct propagate *p, struct flat *flat, uint32_t condition, bool wanted)
{
    p->flat = flat;
    p->wishes.count = p->changes.count = 0;
    p->steps = 0;
    if (!propagate_condition(p, condition, wanted))
        return false;
    while (p->wishes.count) {
        struct wish wish = p->wishes.items[--p->wishes.count];
        if (++p->steps > SOLVER_PROPAGATE_STEPS || !grant(p, &wish))
            return false;
    }
    return p->changes.count > 0;
}

void propagate_apply(struct propagate *p)
{
    for (size_t i = 0; i < p->changes.count; i++)
        flat_put(p->flat, p->changes.items[i].input, p->changes.items[i].value);
    flat_run(p->flat);
}

void propagate_undo(struct propagate *p)
{
    for (size_t i = p->changes.count; i-- > 0;)
        flat_put(p->flat, p->changes.items[i].input, p->changes.items[i].before);
    flat_run(p->flat);
}
