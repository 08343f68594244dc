// SPDX-License-Identifier: Apache-2.0
// Local rules for comparisons and for the negation of single bits.
//
// Most comparisons of a C program compare a promoted value with a constant:
// (int)c == 'x', (unsigned)flags < 3. The rules strip the promotion, move constants
// to one side and decide what the ranges decide.
#include "expr/expr_internal.h"

static enum expr_op negated(enum expr_op op)
{
    switch (op) {
    case EXPR_EQ: return EXPR_NE;
    case EXPR_NE: return EXPR_EQ;
    case EXPR_UGT: return EXPR_ULE;
    case EXPR_UGE: return EXPR_ULT;
    case EXPR_ULT: return EXPR_UGE;
    case EXPR_ULE: return EXPR_UGT;
    case EXPR_SGT: return EXPR_SLE;
    case EXPR_SGE: return EXPR_SLT;
    case EXPR_SLT: return EXPR_SGE;
    case EXPR_SLE: return EXPR_SGT;
    case EXPR_FOEQ: return EXPR_FUNE;
    case EXPR_FOGT: return EXPR_FULE;
    case EXPR_FOGE: return EXPR_FULT;
    case EXPR_FOLT: return EXPR_FUGE;
    case EXPR_FOLE: return EXPR_FUGT;
    case EXPR_FONE: return EXPR_FUEQ;
    case EXPR_FORD: return EXPR_FUNO;
    case EXPR_FUNO: return EXPR_FORD;
    case EXPR_FUEQ: return EXPR_FONE;
    case EXPR_FUGT: return EXPR_FOLE;
    case EXPR_FUGE: return EXPR_FOLT;
    case EXPR_FULT: return EXPR_FOGE;
    case EXPR_FULE: return EXPR_FOGT;
    case EXPR_FUNE: return EXPR_FOEQ;
    default: return EXPR_NONE;
    }
}

// The same comparison with its operands swapped, for those that are not canonical.
static enum expr_op swapped(enum expr_op op)
{
    switch (op) {
    case EXPR_UGT: return EXPR_ULT;
    case EXPR_UGE: return EXPR_ULE;
    case EXPR_SGT: return EXPR_SLT;
    case EXPR_SGE: return EXPR_SLE;
    case EXPR_FOGT: return EXPR_FOLT;
    case EXPR_FOGE: return EXPR_FOLE;
    case EXPR_FUGT: return EXPR_FULT;
    case EXPR_FUGE: return EXPR_FULE;
    default: return EXPR_NONE;
    }
}

static bool is_flip(const struct expr_pool *pool, const struct expr *n)
{
    expr_u128 v;
    return n->op == EXPR_XOR && n->width == 1 && expr_value_of(pool, n->b, &v) && v == 1;
}

expr_id expr_not(struct expr_pool *pool, expr_id a)
{
    const struct expr *n = expr_get(pool, a);
    expr_u128 v;
    if (expr_value_of(pool, a, &v))
        return expr_number(pool, 1, !v);
    if (is_flip(pool, n))
        return n->a;
    enum expr_op op = negated(n->op);
    if (op != EXPR_NONE)
        return expr_binary(pool, op, n->a, n->b);
    struct expr e = {.op = EXPR_XOR, .width = 1, .a = a, .b = expr_true(pool)};
    return expr_intern(pool, &e);
}

// Is b surely the negation of a, seen without building anything?
bool expr_is_negation(struct expr_pool *pool, expr_id a, expr_id b)
{
    const struct expr *p = expr_get(pool, a), *q = expr_get(pool, b);
    if (is_flip(pool, p) && p->a == b)
        return true;
    if (is_flip(pool, q) && q->a == a)
        return true;
    enum expr_op op = negated(p->op);
    if (op == EXPR_NONE)
        return false;
    if (op == q->op && p->a == q->a && p->b == q->b)
        return true;
    return swapped(op) == q->op && q->op != EXPR_NONE && p->a == q->b && p->b == q->a;
}

static expr_id truth(struct expr_pool *pool, bool value)
{
    return expr_number(pool, 1, value);
}

// Equalities. `equal` tells EQ from NE; a comparison of parts is joined by AND or OR.

static expr_id equal_to(struct expr_pool *pool, bool equal, expr_id a, expr_u128 v)
{
    return expr_binary(pool, equal ? EXPR_EQ : EXPR_NE, a,
                       expr_number(pool, expr_width(pool, a), v));
}

static expr_id equal_extension(struct expr_pool *pool, bool equal, const struct expr *n,
                               expr_u128 v)
{
    unsigned inner = expr_width(pool, n->a);
    expr_u128 low = value_cut(v, inner);
    expr_u128 back = n->op == EXPR_ZEXT ? low : value_cut(value_extend(low, inner), n->width);
    return back == v ? equal_to(pool, equal, n->a, low) : truth(pool, !equal);
}

static expr_id equal_concat(struct expr_pool *pool, bool equal, const struct expr *n, expr_u128 v)
{
    unsigned split = expr_width(pool, n->b);
    if (!expr_is_const(pool, n->a) && !expr_is_const(pool, n->b))
        return 0;
    expr_id high = equal_to(pool, equal, n->a, v >> split);
    expr_id low = equal_to(pool, equal, n->b, v);
    return equal ? expr_and(pool, high, low) : expr_or(pool, high, low);
}

// The inverse of an odd number modulo 2^128, by Newton's iteration.
static expr_u128 inverse(expr_u128 odd)
{
    expr_u128 x = odd;
    for (int i = 0; i < 7; i++)
        x *= 2 - odd * x;
    return x;
}

static expr_id equal_arithmetic(struct expr_pool *pool, bool equal, const struct expr *n,
                                expr_u128 v)
{
    expr_u128 k;
    if (expr_op_operands(n->op) != 2)
        return 0;
    if (n->op == EXPR_SUB && expr_value_of(pool, n->a, &k))
        return equal_to(pool, equal, n->b, k - v);
    if ((n->op == EXPR_SUB || n->op == EXPR_XOR) && v == 0 && !expr_is_const(pool, n->b))
        return expr_binary(pool, equal ? EXPR_EQ : EXPR_NE, n->a, n->b);
    if (!expr_value_of(pool, n->b, &k))
        return 0;
    if (n->op == EXPR_ADD)
        return equal_to(pool, equal, n->a, v - k);
    if (n->op == EXPR_XOR)
        return equal_to(pool, equal, n->a, v ^ k);
    if (n->op == EXPR_MUL && (k & 1))
        return equal_to(pool, equal, n->a, v * inverse(k));
    if ((n->op == EXPR_AND && (v & ~k)) || (n->op == EXPR_OR && (k & ~v)))
        return truth(pool, !equal);
    return 0;
}

// ite(c, k, e) == v with a constant k: c decides, or e is compared under not c.
static expr_id equal_ite(struct expr_pool *pool, bool equal, const struct expr *n, expr_u128 v)
{
    expr_u128 k;
    bool first = expr_value_of(pool, n->b, &k);
    if (!first && !expr_value_of(pool, n->c, &k))
        return 0;
    expr_id here = first ? n->a : expr_not(pool, n->a);
    expr_id other = equal_to(pool, equal, first ? n->c : n->b, v);
    if ((k == v) == equal)
        return expr_or(pool, here, other);
    return expr_and(pool, expr_not(pool, here), other);
}

static expr_id equal_const(struct expr_pool *pool, bool equal, expr_id a, expr_u128 v)
{
    const struct expr *n = expr_get(pool, a);
    if (n->width == 1)
        return (v == 1) == equal ? a : expr_not(pool, a);
    switch (n->op) {
    case EXPR_ZEXT:
    case EXPR_SEXT: return equal_extension(pool, equal, n, v);
    case EXPR_CONCAT: return equal_concat(pool, equal, n, v);
    case EXPR_ITE: return equal_ite(pool, equal, n, v);
    default: return equal_arithmetic(pool, equal, n, v);
    }
}

// Two extensions of the same kind and inner width.
static bool same_extension(const struct expr_pool *pool, const struct expr *p, const struct expr *q)
{
    return (p->op == EXPR_ZEXT || p->op == EXPR_SEXT) && p->op == q->op &&
           expr_width(pool, p->a) == expr_width(pool, q->a);
}

static expr_id simplify_equal(struct expr_pool *pool, bool equal, expr_id a, expr_id b)
{
    expr_u128 v;
    if (a == b)
        return truth(pool, equal);
    if (expr_value_of(pool, b, &v))
        return equal_const(pool, equal, a, v);
    const struct expr *p = expr_get(pool, a), *q = expr_get(pool, b);
    if (p->width == 1 && expr_is_negation(pool, a, b))
        return truth(pool, !equal);
    if (same_extension(pool, p, q))
        return expr_binary(pool, equal ? EXPR_EQ : EXPR_NE, p->a, q->a);
    return 0;
}

// Orders. Signed and unsigned share the rules: the bounds differ. With a constant
// only "less than" remains; its neighbours become equalities at the bounds.

struct order {
    bool is_signed;
    enum expr_op less, less_equal;
    expr_u128 min, max; // in the operands' width
};

static struct order order_of(enum expr_op op, unsigned width)
{
    bool is_signed = op == EXPR_SLT || op == EXPR_SLE;
    expr_u128 top = (expr_u128)1 << (width - 1);
    return (struct order){
        .is_signed = is_signed,
        .less = is_signed ? EXPR_SLT : EXPR_ULT,
        .less_equal = is_signed ? EXPR_SLE : EXPR_ULE,
        .min = is_signed ? top : 0,
        .max = is_signed ? top - 1 : value_ones(width),
    };
}

// The largest and smallest value of an extension in its own width.
static bool extension_range(const struct expr_pool *pool, const struct order *o,
                            const struct expr *n, expr_u128 *low, expr_u128 *high)
{
    if (n->op != EXPR_ZEXT && !(n->op == EXPR_SEXT && o->is_signed))
        return false;
    unsigned inner = expr_width(pool, n->a);
    expr_u128 top = (expr_u128)1 << (inner - 1);
    bool sext = n->op == EXPR_SEXT;
    *low = sext ? value_cut(value_extend(top, inner), n->width) : 0;
    *high = sext ? top - 1 : value_ones(inner);
    return true;
}

static bool less(const struct order *o, unsigned width, expr_u128 a, expr_u128 b)
{
    return o->is_signed ? value_signed(a, width) < value_signed(b, width) : a < b;
}

// Compare the inside of an extension: signed only if the extension was.
static expr_id less_inside(struct expr_pool *pool, const struct expr *n, expr_u128 v,
                           bool const_first)
{
    expr_id k = expr_number(pool, expr_width(pool, n->a), v);
    enum expr_op op = n->op == EXPR_SEXT ? EXPR_SLT : EXPR_ULT;
    return const_first ? expr_binary(pool, op, k, n->a) : expr_binary(pool, op, n->a, k);
}

static expr_id less_than_const(struct expr_pool *pool, const struct order *o, expr_id a,
                               expr_u128 v)
{
    const struct expr *n = expr_get(pool, a);
    expr_u128 low, high;
    if (v == o->min)
        return truth(pool, false);
    if (v == value_cut(o->min + 1, n->width))
        return equal_to(pool, true, a, o->min);
    if (v == o->max)
        return equal_to(pool, false, a, o->max);
    if (!extension_range(pool, o, n, &low, &high))
        return 0;
    if (!less(o, n->width, low, v))
        return truth(pool, false);
    return less(o, n->width, high, v) ? truth(pool, true) : less_inside(pool, n, v, false);
}

static expr_id const_less_than(struct expr_pool *pool, const struct order *o, expr_u128 v,
                               expr_id a)
{
    const struct expr *n = expr_get(pool, a);
    expr_u128 low, high;
    if (v == o->max)
        return truth(pool, false);
    if (v == value_cut(o->max - 1, n->width))
        return equal_to(pool, true, a, o->max);
    if (v == o->min)
        return equal_to(pool, false, a, o->min);
    if (!extension_range(pool, o, n, &low, &high))
        return 0;
    if (!less(o, n->width, v, high))
        return truth(pool, false);
    return less(o, n->width, v, low) ? truth(pool, true) : less_inside(pool, n, v, true);
}

static expr_id simplify_order(struct expr_pool *pool, enum expr_op op, expr_id a, expr_id b)
{
    unsigned width = expr_width(pool, a);
    struct order o = order_of(op, width);
    bool or_equal = op == o.less_equal;
    expr_u128 v;
    if (a == b)
        return truth(pool, or_equal);
    if (expr_value_of(pool, b, &v)) {
        if (!or_equal)
            return less_than_const(pool, &o, a, v);
        return v == o.max ? truth(pool, true)
                          : expr_binary(pool, o.less, a, expr_number(pool, width, v + 1));
    }
    if (expr_value_of(pool, a, &v)) {
        if (!or_equal)
            return const_less_than(pool, &o, v, b);
        return v == o.min ? truth(pool, true)
                          : expr_binary(pool, o.less, expr_number(pool, width, v - 1), b);
    }
    const struct expr *p = expr_get(pool, a), *q = expr_get(pool, b);
    if (!same_extension(pool, p, q))
        return 0;
    if (p->op == EXPR_ZEXT) // widened, so signed and unsigned order agree
        op = or_equal ? EXPR_ULE : EXPR_ULT;
    return expr_binary(pool, op, p->a, q->a);
}

expr_id simplify_compare(struct expr_pool *pool, enum expr_op op, expr_id a, expr_id b)
{
    if (swapped(op) != EXPR_NONE)
        return expr_binary(pool, swapped(op), b, a);
    switch (op) {
    case EXPR_EQ:
    case EXPR_NE: return simplify_equal(pool, op == EXPR_EQ, a, b);
    case EXPR_ULT:
    case EXPR_ULE:
    case EXPR_SLT:
    case EXPR_SLE: return simplify_order(pool, op, a, b);
    default: // floats
        return 0;
    }
}
