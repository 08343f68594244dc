// SPDX-License-Identifier: Apache-2.0
// Random expressions for the property tests. The same seed builds the same
// expression in any pool, so a pool that simplifies can be compared with one that
// does not. A stack of expressions of mixed widths grows by one operation at a time
// on recent items, so results share subexpressions as those of real programs do.
// A header because every .c file of this folder is a group of tests.
#ifndef CZ_RANDOM_EXPR_H
#define CZ_RANDOM_EXPR_H

#include "base/rng.h"
#include "expr/expr.h"
#include <string.h>

#define RANDOM_INPUT_BYTES 24

struct random_options {
    bool floats, reads;
    bool division; // of symbolic by symbolic, expensive for solvers
    unsigned size; // about how many operations
};

#define ITEMS 64

static const unsigned widths[] = {1, 7, 8, 16, 17, 32, 33, 64, 65, 128};
static const uint32_t floats32[] = {0x00000000, 0x80000000, 0x3F800000, 0xBF800000, 0x7F800000,
                                    0xFF800000, 0x7FC00000, 0xFFC00001, 0x7F800001, 0x00000001,
                                    0x807FFFFF, 0x00800000, 0x7F7FFFFF, 0x4F000000, 0xCF000000,
                                    0x4F800000, 0x5F000000, 0xDF000000, 0x5F800000, 0x3F000000,
                                    0x40490FDB, 0xC2F6E979, 0x42C80000, 0x437F0000, 0x4B800001};
static const uint64_t floats64[] = {0,
                                    0x8000000000000000,
                                    0x3FF0000000000000,
                                    0xBFF0000000000000,
                                    0x7FF0000000000000,
                                    0xFFF0000000000000,
                                    0x7FF8000000000000,
                                    0xFFF8000000000001,
                                    0x7FF0000000000001,
                                    0x0000000000000001,
                                    0x800FFFFFFFFFFFFF,
                                    0x0010000000000000,
                                    0x7FEFFFFFFFFFFFFF,
                                    0x41E0000000000000,
                                    0xC1E0000000000000,
                                    0x41EFFFFFFFE00000,
                                    0x43E0000000000000,
                                    0xC3E0000000000000,
                                    0x43F0000000000000,
                                    0x3FE0000000000000,
                                    0x400921FB54442D18,
                                    0xC1E0000000200000,
                                    0x47EFFFFFE0000000,
                                    0x47EFFFFFF0000000,
                                    0x36A0000000000000};

#define COUNT(a) (sizeof(a) / sizeof *(a))

// 1 to 64 and 128, those of C and their neighbours more often.
static inline unsigned random_width(struct rng *rng)
{
    return rng_below(rng, 2) ? widths[rng_below(rng, COUNT(widths))]
                             : 1 + (unsigned)rng_below(rng, 64);
}

// A value of this width that is likely to hit a corner.
static inline struct expr_value random_value(struct rng *rng, unsigned width)
{
    struct expr_value v = {rng_next(rng), rng_next(rng)};
    unsigned shift = (unsigned)rng_below(rng, 64);
    switch (rng_below(rng, 8)) {
    case 0: return (struct expr_value){rng_below(rng, 4), 0};
    case 1: return (struct expr_value){~rng_below(rng, 3), UINT64_MAX};
    case 2:
        return width <= 64 ? (struct expr_value){UINT64_C(1) << (width - 1), 0}
                           : (struct expr_value){0, UINT64_C(1) << (width - 65)};
    case 3: return (struct expr_value){UINT64_C(1) << shift, 0};
    case 4: return (struct expr_value){(UINT64_C(1) << shift) - 1, 0};
    case 5: return (struct expr_value){rng_below(rng, 256), 0};
    case 6:
        if (width == 32)
            return (struct expr_value){floats32[rng_below(rng, COUNT(floats32))], 0};
        return (struct expr_value){floats64[rng_below(rng, COUNT(floats64))], 0};
    default: return v;
    }
}

// Interesting inputs: zeros, ones, small and special numbers, noise.
static inline void random_input(struct rng *rng, uint8_t input[RANDOM_INPUT_BYTES])
{
    for (unsigned i = 0; i < RANDOM_INPUT_BYTES; i += 8) {
        unsigned half = (unsigned)rng_below(rng, 2);
        struct expr_value v = random_value(rng, half ? 32 : 64);
        struct expr_value u = random_value(rng, 32);
        if (half)
            v.low = v.low << 32 | (uint32_t)u.low;
        memcpy(input + i, &v.low, 8);
    }
}

struct items {
    struct expr_pool *pool;
    struct rng *rng;
    const struct random_options *options;
    expr_id ids[ITEMS];
    unsigned count;
};

static inline expr_id leaf(struct items *s)
{
    uint64_t kind = rng_below(s->rng, 10);
    if (kind < 3) {
        unsigned width = random_width(s->rng);
        return expr_const(s->pool, width, random_value(s->rng, width));
    }
    unsigned bytes = 1u << rng_below(s->rng, 4); // overlapping on purpose
    uint32_t offset = (uint32_t)(rng_below(s->rng, RANDOM_INPUT_BYTES / bytes) * bytes);
    if (kind == 9)
        offset = (uint32_t)rng_below(s->rng, RANDOM_INPUT_BYTES - 8);
    return expr_input(s->pool, offset, 8 * bytes);
}

static inline expr_id pick(struct items *s)
{
    if (s->count == 0 || rng_below(s->rng, 4) == 0)
        return leaf(s);
    unsigned recent = s->count < 6 ? s->count : 6;
    return s->ids[s->count - 1 - rng_below(s->rng, recent)];
}

// The expression in another width, by a random cast.
static inline expr_id fit(struct items *s, expr_id id, unsigned width)
{
    unsigned from = expr_get(s->pool, id)->width;
    if (from == width)
        return id;
    if (from < width)
        return expr_unary(s->pool, rng_below(s->rng, 2) ? EXPR_ZEXT : EXPR_SEXT, width, id);
    if (rng_below(s->rng, 2))
        return expr_unary(s->pool, EXPR_TRUNC, width, id);
    return expr_extract(s->pool, id, (unsigned)rng_below(s->rng, from - width + 1), width);
}

static inline unsigned width_of(struct items *s, expr_id id)
{
    return expr_get(s->pool, id)->width;
}

static inline expr_id any_const(struct items *s, unsigned width)
{
    return expr_const(s->pool, width, random_value(s->rng, width));
}

static inline expr_id table_read(struct items *s)
{
    uint8_t bytes[64];
    expr_id exprs[64] = {0};
    uint32_t size = 1 + (uint32_t)rng_below(s->rng, 40);
    unsigned n = 1u << rng_below(s->rng, 4);
    for (uint32_t i = 0; i < size; i++) {
        bytes[i] = (uint8_t)rng_next(s->rng);
        if (rng_below(s->rng, 6) == 0)
            exprs[i] = fit(s, pick(s), 8);
    }
    bool symbolic = rng_below(s->rng, 2);
    uint64_t table = expr_snapshot(s->pool, bytes, symbolic ? exprs : NULL, size);
    expr_id index = expr_unary(s->pool, EXPR_ZEXT, 64, fit(s, pick(s), 8));
    if (rng_below(s->rng, 2))
        index = expr_binary(s->pool, EXPR_AND, index, expr_const64(s->pool, 64, 31));
    if (rng_below(s->rng, 2))
        index = expr_binary(s->pool, EXPR_MUL, index, expr_const64(s->pool, 64, n));
    if (rng_below(s->rng, 2))
        index = expr_binary(s->pool, EXPR_ADD, index,
                            expr_const64(s->pool, 64, rng_below(s->rng, 9) - 4));
    return expr_read(s->pool, table, index, n);
}

static inline expr_id integer_step(struct items *s)
{
    expr_id a = pick(s);
    unsigned width = width_of(s, a);
    expr_id b = rng_below(s->rng, 3) == 0 ? any_const(s, width) : fit(s, pick(s), width);
    switch (rng_below(s->rng, 8)) {
    case 0: return expr_binary(s->pool, (enum expr_op)(EXPR_EQ + rng_below(s->rng, 10)), a, b);
    case 1: return fit(s, a, random_width(s->rng));
    case 2:
        if (width + width_of(s, b) > EXPR_MAX_WIDTH)
            return fit(s, a, 8);
        return expr_concat(s->pool, a, b);
    case 3: return expr_ite(s->pool, fit(s, pick(s), 1), a, b);
    case 4:
        if (s->options->reads && rng_below(s->rng, 2))
            return table_read(s);
        return expr_not(s->pool, fit(s, a, 1));
    default: {
        enum expr_op op = (enum expr_op)(EXPR_ADD + rng_below(s->rng, 13));
        bool division = op >= EXPR_UDIV && op <= EXPR_SREM;
        if (division && !s->options->division)
            b = any_const(s, width);
        if (op == EXPR_SHL || op == EXPR_LSHR || op == EXPR_ASHR)
            b = rng_below(s->rng, 2) ? expr_const64(s->pool, width, rng_below(s->rng, width + 2))
                                     : b;
        return expr_binary(s->pool, op, a, b);
    }
    }
}

static inline expr_id float_step(struct items *s)
{
    unsigned width = rng_below(s->rng, 2) ? 32 : 64;
    expr_id a = fit(s, pick(s), width), b = fit(s, pick(s), width);
    if (rng_below(s->rng, 3) == 0)
        b = any_const(s, width);
    switch (rng_below(s->rng, 7)) {
    case 0:
    case 1: return expr_binary(s->pool, (enum expr_op)(EXPR_FADD + rng_below(s->rng, 7)), a, b);
    case 2: return expr_binary(s->pool, (enum expr_op)(EXPR_FOEQ + rng_below(s->rng, 14)), a, b);
    case 3: return expr_unary(s->pool, (enum expr_op)(EXPR_FNEG + rng_below(s->rng, 6)), width, a);
    case 4:
        return width == 32 ? expr_unary(s->pool, EXPR_FPEXT, 64, a)
                           : expr_unary(s->pool, EXPR_FPTRUNC, 32, a);
    case 5:
        return expr_unary(s->pool, rng_below(s->rng, 2) ? EXPR_SITOFP : EXPR_UITOFP, width,
                          pick(s));
    default:
        return expr_unary(s->pool, rng_below(s->rng, 2) ? EXPR_FPTOSI : EXPR_FPTOUI,
                          random_width(s->rng), a);
    }
}

static inline expr_id random_expr(struct expr_pool *pool, struct rng *rng,
                                  const struct random_options *options, unsigned width)
{
    struct items s = {.pool = pool, .rng = rng, .options = options};
    for (unsigned i = 0; i < options->size && s.count < ITEMS; i++) {
        bool use_float = options->floats && rng_below(rng, 2);
        s.ids[s.count] = use_float ? float_step(&s) : integer_step(&s);
        s.count++;
    }
    return fit(&s, s.count ? s.ids[s.count - 1] : leaf(&s), width);
}

#endif
