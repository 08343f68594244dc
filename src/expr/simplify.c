// SPDX-License-Identifier: Apache-2.0
// Local rules for binary operations: arithmetic, shifts, masks and bit logic.
//
// Masks and shifts by constants become EXTRACT, CONCAT and ZEXT, because that is
// what bit-fields, byte swaps and words put together from bytes really are; the
// rules of simplify_cast.c then cancel them against each other. See
// expr_internal.h for what a rule returns.
#include "expr/expr_internal.h"

static bool is_commutative(enum expr_op op)
{
    return op == EXPR_ADD || op == EXPR_MUL || op == EXPR_AND || op == EXPR_OR || op == EXPR_XOR ||
           op == EXPR_EQ || op == EXPR_NE;
}

// Is e `op` with a constant on the right? Then its value and the other operand.
static bool with_const(const struct expr_pool *pool, expr_id e, enum expr_op op, expr_id *rest,
                       expr_u128 *value)
{
    const struct expr *n = expr_get(pool, e);
    if (n->op != op || !expr_value_of(pool, n->b, value))
        return false;
    *rest = n->a;
    return true;
}

static expr_id add_const(struct expr_pool *pool, expr_id a, expr_u128 v, unsigned width)
{
    expr_id rest;
    expr_u128 inner;
    if (v == 0)
        return a;
    if (with_const(pool, a, EXPR_ADD, &rest, &inner))
        return expr_binary(pool, EXPR_ADD, rest, expr_number(pool, width, inner + v));
    const struct expr *n = expr_get(pool, a);
    if (n->op == EXPR_SUB && expr_value_of(pool, n->a, &inner))
        return expr_binary(pool, EXPR_SUB, expr_number(pool, width, inner + v), n->b);
    return 0;
}

// Bits of e from here upwards are surely 0.
static unsigned zero_above(const struct expr_pool *pool, expr_id e)
{
    const struct expr *n = expr_get(pool, e);
    expr_u128 v;
    if (n->op == EXPR_ZEXT)
        return expr_width(pool, n->a);
    return expr_value_of(pool, e, &v) ? value_bits(v) : n->width;
}

// Bits of e below this are surely 0.
static unsigned zero_below(const struct expr_pool *pool, expr_id e)
{
    const struct expr *n = expr_get(pool, e);
    expr_u128 v;
    while (n->op == EXPR_ZEXT)
        n = expr_get(pool, n->a);
    if ((n->op == EXPR_CONCAT || n->op == EXPR_SHL) && expr_value_of(pool, n->b, &v)) {
        if (n->op == EXPR_SHL)
            return v < n->width ? (unsigned)v : n->width;
        unsigned low = expr_width(pool, n->b);
        return v ? value_lowest(v) : low;
    }
    return 0;
}

// OR, XOR and ADD of words that do not overlap: a concatenation.
static expr_id join(struct expr_pool *pool, expr_id a, expr_id b, unsigned width)
{
    unsigned k = zero_below(pool, a);
    if (k == 0 || k >= width || zero_above(pool, b) > k) {
        expr_id swap = a;
        a = b;
        b = swap;
        k = zero_below(pool, a);
        if (k == 0 || k >= width || zero_above(pool, b) > k)
            return 0;
    }
    return expr_concat(pool, expr_extract(pool, a, k, width - k), expr_extract(pool, b, 0, k));
}

static expr_id simplify_add(struct expr_pool *pool, expr_id a, expr_id b, unsigned width)
{
    expr_u128 v;
    expr_id rest;
    if (expr_value_of(pool, b, &v))
        return add_const(pool, a, v, width);
    if (width == 1)
        return expr_binary(pool, EXPR_XOR, a, b);
    if (with_const(pool, a, EXPR_ADD, &rest, &v)) // constants float outwards
        return expr_binary(pool, EXPR_ADD, expr_binary(pool, EXPR_ADD, rest, b),
                           expr_number(pool, width, v));
    if (with_const(pool, b, EXPR_ADD, &rest, &v))
        return expr_binary(pool, EXPR_ADD, expr_binary(pool, EXPR_ADD, a, rest),
                           expr_number(pool, width, v));
    const struct expr *p = expr_get(pool, a), *q = expr_get(pool, b);
    if (p->op == EXPR_SUB && p->b == b)
        return p->a;
    if (q->op == EXPR_SUB && q->b == a)
        return q->a;
    return join(pool, a, b, width);
}

static expr_id simplify_sub(struct expr_pool *pool, expr_id a, expr_id b, unsigned width)
{
    expr_u128 v;
    expr_id rest;
    if (a == b)
        return expr_number(pool, width, 0);
    if (expr_value_of(pool, b, &v))
        return expr_binary(pool, EXPR_ADD, a, expr_number(pool, width, -v));
    if (width == 1)
        return expr_binary(pool, EXPR_XOR, a, b);
    const struct expr *p = expr_get(pool, a), *q = expr_get(pool, b);
    if (p->op == EXPR_ADD && (p->a == b || p->b == b))
        return p->a == b ? p->b : p->a;
    expr_u128 first, second;
    if (q->op == EXPR_SUB && expr_value_of(pool, a, &first) && expr_value_of(pool, q->a, &second))
        return expr_binary(pool, EXPR_ADD, q->b, expr_number(pool, width, first - second));
    if (with_const(pool, a, EXPR_ADD, &rest, &v))
        return expr_binary(pool, EXPR_ADD, expr_binary(pool, EXPR_SUB, rest, b),
                           expr_number(pool, width, v));
    if (with_const(pool, b, EXPR_ADD, &rest, &v))
        return expr_binary(pool, EXPR_ADD, expr_binary(pool, EXPR_SUB, a, rest),
                           expr_number(pool, width, -v));
    return 0;
}

static expr_id simplify_mul(struct expr_pool *pool, expr_id a, expr_id b, unsigned width)
{
    expr_u128 v, inner;
    expr_id rest;
    if (!expr_value_of(pool, b, &v))
        return width == 1 ? expr_binary(pool, EXPR_AND, a, b) : 0;
    if (v == 0)
        return b;
    if (v == 1)
        return a;
    if (value_is_power(v))
        return expr_binary(pool, EXPR_SHL, a, expr_number(pool, width, value_lowest(v)));
    if (with_const(pool, a, EXPR_MUL, &rest, &inner))
        return expr_binary(pool, EXPR_MUL, rest, expr_number(pool, width, inner * v));
    return 0;
}

// Division of a zero-extended value by a constant: in the narrow width.
static expr_id divide_narrow(struct expr_pool *pool, bool rem, expr_id a, expr_u128 v,
                             unsigned width)
{
    expr_id inner = expr_get(pool, a)->a;
    unsigned narrow = expr_width(pool, inner);
    if (value_bits(v) > narrow)
        return rem ? a : expr_number(pool, width, 0);
    expr_id result =
        expr_binary(pool, rem ? EXPR_UREM : EXPR_UDIV, inner, expr_number(pool, narrow, v));
    return expr_unary(pool, EXPR_ZEXT, width, result);
}

static expr_id simplify_unsigned_division(struct expr_pool *pool, bool rem, expr_id a, expr_u128 v,
                                          unsigned width)
{
    if (v == 0)
        return rem ? a : expr_number(pool, width, value_ones(width));
    if (v == 1)
        return rem ? expr_number(pool, width, 0) : a;
    if (value_is_power(v))
        return rem ? expr_binary(pool, EXPR_AND, a, expr_number(pool, width, v - 1))
                   : expr_binary(pool, EXPR_LSHR, a, expr_number(pool, width, value_lowest(v)));
    return expr_get(pool, a)->op == EXPR_ZEXT ? divide_narrow(pool, rem, a, v, width) : 0;
}

static expr_id simplify_division(struct expr_pool *pool, enum expr_op op, expr_id a, expr_id b,
                                 unsigned width)
{
    expr_u128 v;
    bool rem = op == EXPR_UREM || op == EXPR_SREM;
    if (!expr_value_of(pool, b, &v))
        return 0;
    if (op == EXPR_UDIV || op == EXPR_UREM)
        return simplify_unsigned_division(pool, rem, a, v, width);
    if (v == 0)
        return rem ? a : 0;
    if (v == 1 && width > 1)
        return rem ? expr_number(pool, width, 0) : a;
    if (v == value_ones(width))
        return rem ? expr_number(pool, width, 0)
                   : expr_binary(pool, EXPR_SUB, expr_number(pool, width, 0), a);
    // ZEXT always widens, so its value is not negative.
    if (expr_get(pool, a)->op == EXPR_ZEXT && !value_sign(v, width))
        return simplify_unsigned_division(pool, rem, a, v, width);
    return 0;
}

static expr_id simplify_shift(struct expr_pool *pool, enum expr_op op, expr_id a, expr_id b,
                              unsigned width)
{
    expr_u128 v;
    if (!expr_value_of(pool, b, &v)) {
        expr_u128 zero;
        return expr_value_of(pool, a, &zero) && zero == 0 ? a : 0;
    }
    if (v == 0)
        return a;
    if (v >= width && op != EXPR_ASHR)
        return expr_number(pool, width, 0);
    unsigned by = v >= width ? width - 1 : (unsigned)v;
    if (op == EXPR_SHL)
        return expr_concat(pool, expr_extract(pool, a, 0, width - by), expr_number(pool, by, 0));
    if (by == 0)
        return a;
    return expr_unary(pool, op == EXPR_LSHR ? EXPR_ZEXT : EXPR_SEXT, width,
                      expr_extract(pool, a, by, width - by));
}

// a & mask where mask is one run of ones: the bits of the run, zeros around.
static expr_id take_run(struct expr_pool *pool, expr_id a, expr_u128 mask, unsigned width)
{
    unsigned low = value_lowest(mask), count = value_bits(mask) - low;
    if (!value_is_power((mask >> low) + 1) && mask >> low != value_ones(128))
        return 0;
    expr_id bits = expr_extract(pool, a, low, count);
    if (low)
        bits = expr_concat(pool, bits, expr_number(pool, low, 0));
    return expr_unary(pool, EXPR_ZEXT, width, bits);
}

static expr_id logic_const(struct expr_pool *pool, enum expr_op op, expr_id a, expr_id b,
                           expr_u128 v, unsigned width)
{
    expr_u128 inner;
    expr_id rest;
    if (v == 0)
        return op == EXPR_AND ? b : a;
    if (v == value_ones(width) && op != EXPR_XOR)
        return op == EXPR_AND ? a : b;
    if (width == 1) // only XOR with 1 is left
        return expr_not(pool, a);
    if (with_const(pool, a, op, &rest, &inner))
        return expr_binary(pool, op, rest,
                           expr_number(pool, width, expr_apply(op, width, width, inner, v, 0)));
    const struct expr *n = expr_get(pool, a);
    if (n->op == EXPR_ZEXT) {
        unsigned narrow = expr_width(pool, n->a);
        if (op == EXPR_AND || value_bits(v) <= narrow)
            return expr_unary(pool, EXPR_ZEXT, width,
                              expr_binary(pool, op, n->a, expr_number(pool, narrow, v)));
    }
    return op == EXPR_AND ? take_run(pool, a, v, width) : 0;
}

expr_id simplify_logic(struct expr_pool *pool, enum expr_op op, expr_id a, expr_id b)
{
    unsigned width = expr_width(pool, a);
    expr_u128 v;
    if (expr_value_of(pool, b, &v))
        return logic_const(pool, op, a, b, v, width);
    if (a == b)
        return op == EXPR_XOR ? expr_number(pool, width, 0) : a;
    const struct expr *p = expr_get(pool, a), *q = expr_get(pool, b);
    if (width == 1 && expr_is_negation(pool, a, b))
        return expr_number(pool, 1, op != EXPR_AND);
    if (p->op == EXPR_ZEXT && q->op == EXPR_ZEXT &&
        expr_width(pool, p->a) == expr_width(pool, q->a))
        return expr_unary(pool, EXPR_ZEXT, width, expr_binary(pool, op, p->a, q->a));
    if (p->op == op && (p->a == b || p->b == b)) // x & (x & y), x ^ (x ^ y)
        return op == EXPR_XOR ? (p->a == b ? p->b : p->a) : a;
    if (q->op == op && (q->a == a || q->b == a))
        return op == EXPR_XOR ? (q->a == a ? q->b : q->a) : b;
    return op == EXPR_AND ? 0 : join(pool, a, b, width);
}

static expr_id simplify_ordered(struct expr_pool *pool, enum expr_op op, expr_id a, expr_id b)
{
    unsigned width = expr_width(pool, a);
    switch (op) {
    case EXPR_ADD: return simplify_add(pool, a, b, width);
    case EXPR_SUB: return simplify_sub(pool, a, b, width);
    case EXPR_MUL: return simplify_mul(pool, a, b, width);
    case EXPR_UDIV:
    case EXPR_SDIV:
    case EXPR_UREM:
    case EXPR_SREM: return simplify_division(pool, op, a, b, width);
    case EXPR_SHL:
    case EXPR_LSHR:
    case EXPR_ASHR: return simplify_shift(pool, op, a, b, width);
    case EXPR_AND:
    case EXPR_OR:
    case EXPR_XOR: return simplify_logic(pool, op, a, b);
    default: return simplify_compare(pool, op, a, b);
    }
}

// Commutative operations put a constant, else the larger id, on the right.
expr_id simplify_binary(struct expr_pool *pool, enum expr_op op, expr_id a, expr_id b)
{
    if (is_commutative(op)) {
        bool a_const = expr_is_const(pool, a), b_const = expr_is_const(pool, b);
        if (a_const > b_const || (a_const == b_const && a > b)) {
            expr_id swap = a;
            a = b;
            b = swap;
            expr_id simpler = simplify_ordered(pool, op, a, b);
            return simpler
                       ? simpler
                       : expr_intern(pool,
                                     &(struct expr){.op = (uint16_t)op,
                                                    .a = a,
                                                    .b = b,
                                                    .width = expr_op_kind(op) == 'C'
                                                                 ? 1
                                                                 : (uint16_t)expr_width(pool, a)});
        }
    }
    return simplify_ordered(pool, op, a, b);
}
