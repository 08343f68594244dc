// SPDX-License-Identifier: Apache-2.0
// Local rules for casts, EXTRACT, CONCAT, ITE and READ. After them a ZEXT really
// widens and never sits on another ZEXT, a CONCAT nests to the right and never has
// a zero constant as its high part, and an EXTRACT never sits on EXTRACT, CONCAT
// or ZEXT (as long as the cascade is not cut off).
#include "expr/expr_internal.h"

static bool both_const(const struct expr_pool *pool, const struct expr *ite)
{
    return expr_is_const(pool, ite->b) && expr_is_const(pool, ite->c);
}

static expr_id simplify_zext(struct expr_pool *pool, unsigned width, expr_id a)
{
    const struct expr *n = expr_get(pool, a);
    if (n->width == width)
        return a;
    if (n->op == EXPR_ZEXT)
        return expr_unary(pool, EXPR_ZEXT, width, n->a);
    if (n->op == EXPR_ITE && both_const(pool, n))
        return expr_ite(pool, n->a, expr_unary(pool, EXPR_ZEXT, width, n->b),
                        expr_unary(pool, EXPR_ZEXT, width, n->c));
    return 0;
}

static expr_id simplify_sext(struct expr_pool *pool, unsigned width, expr_id a)
{
    const struct expr *n = expr_get(pool, a);
    if (n->width == width)
        return a;
    if (n->op == EXPR_SEXT || n->op == EXPR_ZEXT) // ZEXT: its sign is 0
        return expr_unary(pool, n->op, width, n->a);
    if (n->op == EXPR_ITE && both_const(pool, n))
        return expr_ite(pool, n->a, expr_unary(pool, EXPR_SEXT, width, n->b),
                        expr_unary(pool, EXPR_SEXT, width, n->c));
    return 0;
}

static expr_id simplify_float_unary(struct expr_pool *pool, enum expr_op op, expr_id a)
{
    const struct expr *n = expr_get(pool, a);
    if (op == EXPR_FNEG && n->op == EXPR_FNEG)
        return n->a;
    if (op == EXPR_FABS && (n->op == EXPR_FNEG || n->op == EXPR_FABS))
        return expr_unary(pool, EXPR_FABS, n->width, n->a);
    return 0;
}

expr_id simplify_unary(struct expr_pool *pool, enum expr_op op, unsigned width, expr_id a)
{
    switch (op) {
    case EXPR_ZEXT: return simplify_zext(pool, width, a);
    case EXPR_SEXT: return simplify_sext(pool, width, a);
    case EXPR_TRUNC: return expr_extract(pool, a, 0, width);
    default: return simplify_float_unary(pool, op, a);
    }
}

static expr_id extract_concat(struct expr_pool *pool, const struct expr *n, unsigned low,
                              unsigned width)
{
    unsigned split = expr_width(pool, n->b);
    if (low >= split)
        return expr_extract(pool, n->a, low - split, width);
    if (low + width <= split)
        return expr_extract(pool, n->b, low, width);
    return expr_concat(pool, expr_extract(pool, n->a, 0, low + width - split),
                       expr_extract(pool, n->b, low, split - low));
}

static expr_id extract_extension(struct expr_pool *pool, const struct expr *n, unsigned low,
                                 unsigned width)
{
    unsigned inner = expr_width(pool, n->a);
    if (low + width <= inner)
        return expr_extract(pool, n->a, low, width);
    if (n->op == EXPR_ZEXT && low >= inner)
        return expr_number(pool, width, 0);
    if (low >= inner)
        low = inner - 1; // copies of the sign
    return expr_unary(pool, n->op, width, expr_extract(pool, n->a, low, inner - low));
}

// Will the low part of this operand be something simple at once?
static bool narrows(const struct expr_pool *pool, expr_id id)
{
    switch (expr_get(pool, id)->op) {
    case EXPR_CONST:
    case EXPR_ZEXT:
    case EXPR_SEXT:
    case EXPR_CONCAT:
    case EXPR_EXTRACT: return true;
    default: return false;
    }
}

// The low bits of sums and products depend on low bits only, any bits of logic on
// the same bits. Only where both operands narrow, so that nothing is built twice.
static expr_id extract_binary(struct expr_pool *pool, const struct expr *n, unsigned low,
                              unsigned width)
{
    bool bitwise = n->op == EXPR_AND || n->op == EXPR_OR || n->op == EXPR_XOR;
    bool modular = n->op == EXPR_ADD || n->op == EXPR_SUB || n->op == EXPR_MUL;
    if (!(bitwise || (modular && low == 0)) || !narrows(pool, n->a) || !narrows(pool, n->b))
        return 0;
    return expr_binary(pool, n->op, expr_extract(pool, n->a, low, width),
                       expr_extract(pool, n->b, low, width));
}

expr_id simplify_extract(struct expr_pool *pool, expr_id a, unsigned low, unsigned width)
{
    const struct expr *n = expr_get(pool, a);
    if (low == 0 && width == n->width)
        return a;
    switch (n->op) {
    case EXPR_EXTRACT: return expr_extract(pool, n->a, low + (unsigned)n->x, width);
    case EXPR_CONCAT: return extract_concat(pool, n, low, width);
    case EXPR_ZEXT:
    case EXPR_SEXT: return extract_extension(pool, n, low, width);
    case EXPR_ITE:
        if (!both_const(pool, n))
            return 0;
        return expr_ite(pool, n->a, expr_extract(pool, n->b, low, width),
                        expr_extract(pool, n->c, low, width));
    default: return extract_binary(pool, n, low, width);
    }
}

// Two neighbouring pieces of one expression, or two constants, as one.
static expr_id merge(struct expr_pool *pool, expr_id high, expr_id low)
{
    const struct expr *h = expr_get(pool, high), *l = expr_get(pool, low);
    if (h->op == EXPR_CONST && l->op == EXPR_CONST)
        return expr_concat(pool, high, low);
    if (h->op == EXPR_EXTRACT && l->op == EXPR_EXTRACT && h->a == l->a && h->x == l->x + l->width)
        return expr_extract(pool, l->a, (unsigned)l->x, h->width + l->width);
    return 0;
}

expr_id simplify_concat(struct expr_pool *pool, expr_id high, expr_id low)
{
    const struct expr *h = expr_get(pool, high), *l = expr_get(pool, low);
    unsigned width = h->width + l->width;
    expr_u128 v;
    if (expr_value_of(pool, high, &v) && v == 0)
        return expr_unary(pool, EXPR_ZEXT, width, low);
    if (h->op == EXPR_ZEXT)
        return expr_unary(pool, EXPR_ZEXT, width, expr_concat(pool, h->a, low));
    if (h->op == EXPR_CONCAT)
        return expr_concat(pool, h->a, expr_concat(pool, h->b, low));
    expr_id one = merge(pool, high, low);
    if (one)
        return one;
    if (l->op != EXPR_CONCAT || !(one = merge(pool, high, l->a)))
        return 0;
    return expr_concat(pool, one, l->b);
}

static expr_id ite_of_bits(struct expr_pool *pool, expr_id c, expr_id yes, expr_id no)
{
    expr_u128 v;
    if (expr_value_of(pool, yes, &v))
        return v ? expr_or(pool, c, no) : expr_and(pool, expr_not(pool, c), no);
    if (expr_value_of(pool, no, &v))
        return v ? expr_or(pool, expr_not(pool, c), yes) : expr_and(pool, c, yes);
    return 0;
}

expr_id simplify_ite(struct expr_pool *pool, expr_id c, expr_id yes, expr_id no)
{
    const struct expr *n = expr_get(pool, c), *y = expr_get(pool, yes), *o = expr_get(pool, no);
    if (yes == no)
        return yes;
    if (n->op == EXPR_XOR && n->width == 1 && expr_is_const(pool, n->b))
        return expr_ite(pool, n->a, no, yes);
    if (y->op == EXPR_ITE && y->a == c)
        return expr_ite(pool, c, y->b, no);
    if (o->op == EXPR_ITE && o->a == c)
        return expr_ite(pool, c, yes, o->c);
    return y->width == 1 ? ite_of_bits(pool, c, yes, no) : 0;
}

// A read at a constant offset is no read. (Also when simplification is off: the
// evaluator and the solvers need not know this case.)
expr_id simplify_read(struct expr_pool *pool, uint64_t snapshot, expr_id offset, unsigned bytes)
{
    const struct expr_snapshot *s = expr_get_snapshot(pool, snapshot);
    expr_u128 at;
    if (bytes > s->size)
        return expr_number(pool, 8 * bytes, 0);
    if (!expr_value_of(pool, offset, &at))
        return 0;
    if (at > s->size - bytes)
        return expr_number(pool, 8 * bytes, 0);
    expr_id result = 0;
    for (unsigned i = 0; i < bytes; i++) {
        size_t index = (size_t)at + i;
        expr_id byte =
            s->exprs && s->exprs[index] ? s->exprs[index] : expr_const64(pool, 8, s->bytes[index]);
        result = result ? expr_concat(pool, byte, result) : byte;
    }
    return result;
}
