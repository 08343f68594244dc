// SPDX-License-Identifier: Apache-2.0
// The circuits of floats against the evaluator, which computes with the hardware: every
// operation on all pairs of special values and on thousands of random operands, near
// each other, near the borders of the formats, subnormal, with few bits. Operands are
// inputs or constants, which take other ways through the gates.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../random_expr.h"
#include "expr/eval.h"
#include "expr/value.h"
#include "solver/blast.h"

enum { RANDOM_PAIRS = 1500, POOL_LIMIT = 200000 };

struct floats {
    struct expr_pool *pool;
    struct eval eval;
    struct blast blast;
    struct rng rng;
    uint8_t input[32]; // a at 0, b at 16
    unsigned long checked;
};

static void open_floats(struct floats *f)
{
    f->pool = expr_pool_new();
    expr_pool_simplify(f->pool, false);
    eval_init(&f->eval, f->pool);
    blast_init(&f->blast, f->pool, 0);
}

static void close_floats(struct floats *f)
{
    eval_release(&f->eval);
    blast_release(&f->blast);
    expr_pool_free(f->pool);
}

// A float of a random class.
static uint64_t random_float(struct rng *rng, unsigned width)
{
    unsigned fraction = width == 32 ? 23 : 52, bias = width == 32 ? 127 : 1023;
    uint64_t noise = width == 32 ? (uint32_t)rng_next(rng) : rng_next(rng);
    uint64_t mask = (UINT64_C(1) << fraction) - 1, sign = noise & UINT64_C(1) << (width - 1);
    switch (rng_below(rng, 6)) {
    case 0:
        return width == 32 ? floats32[rng_below(rng, COUNT(floats32))]
                           : floats64[rng_below(rng, COUNT(floats64))];
    case 1: // near 1
        return sign | (noise & mask) | (bias - 30 + rng_below(rng, 60)) << fraction;
    case 2: // few bits
        return noise & ~(mask >> rng_below(rng, fraction + 1));
    case 3: // subnormal, or as small
        return sign | (noise & mask) >> rng_below(rng, fraction + 1) |
               rng_below(rng, 3) << fraction;
    case 4: return rng_below(rng, 300);
    default: return noise;
    }
}

static void check(struct floats *f, expr_id id)
{
    const struct expr *e = expr_get(f->pool, id);
    expr_u128 got = 0;
    eval_begin(&f->eval, f->input, sizeof f->input);
    expr_u128 wanted = value_wide(eval_expr(&f->eval, id));
    blast_begin(&f->blast, f->input, sizeof f->input);
    for (unsigned i = 0; i < e->width; i++) {
        lit bit;
        expr_id part = e->width == 1 ? id : expr_extract(f->pool, id, i, 1);
        assert_true(blast_bit(&f->blast, part, &bit));
        got |= (expr_u128)gates_value(&f->blast.gates, bit) << i;
    }
    f->checked++;
    if (got != wanted) {
        uint64_t a, b;
        memcpy(&a, f->input, 8);
        memcpy(&b, f->input + 16, 8);
        fail_msg("%s of width %u on %llx, %llx: %llx instead of %llx", expr_op_text(e->op),
                 e->width, (unsigned long long)a, (unsigned long long)b, (unsigned long long)got,
                 (unsigned long long)wanted);
    }
}

static void put(struct floats *f, uint64_t a, uint64_t b)
{
    memcpy(f->input, &a, 8);
    memcpy(f->input + 16, &b, 8);
    if (expr_pool_size(f->pool) > POOL_LIMIT) {
        close_floats(f);
        open_floats(f);
    }
}

static void check_operation(struct floats *f, enum expr_op op, unsigned width, uint64_t a,
                            uint64_t b)
{
    uint64_t how = rng_below(&f->rng, 3);
    put(f, a, b);
    expr_id x = how == 1 ? expr_const64(f->pool, width, a) : expr_input(f->pool, 0, width);
    expr_id y = how == 2 ? expr_const64(f->pool, width, b) : expr_input(f->pool, 16, width);
    char kind = expr_op_kind(op);
    if (kind == 'F' || kind == 'Q')
        check(f, expr_binary(f->pool, op, x, y));
    else if (kind == 'G')
        check(f, expr_unary(f->pool, op, width, x));
    else if (op == EXPR_FPTOSI || op == EXPR_FPTOUI)
        check(f, expr_unary(f->pool, op, random_width(&f->rng), x));
    else if (width == (op == EXPR_FPEXT ? 32 : 64))
        check(f, expr_unary(f->pool, op, 96 - width, x));
}

static void float_circuits(void **state)
{
    struct floats f = {.rng = {11}};
    (void)state;
    open_floats(&f);
    for (enum expr_op op = EXPR_FADD; op < EXPR_OP_COUNT; op++) {
        if (op == EXPR_FREM || op == EXPR_SITOFP || op == EXPR_UITOFP)
            continue;
        for (unsigned width = 32; width <= 64; width += 32) {
            for (size_t i = 0; i < COUNT(floats32) * COUNT(floats32); i++) {
                size_t p = i / COUNT(floats32), q = i % COUNT(floats32);
                check_operation(&f, op, width, width == 32 ? floats32[p] : floats64[p],
                                width == 32 ? floats32[q] : floats64[q]);
            }
            for (int i = 0; i < RANDOM_PAIRS; i++) {
                uint64_t a = random_float(&f.rng, width), b = random_float(&f.rng, width);
                if (i % 8 == 0) // cancellation
                    b = a ^ rng_below(&f.rng, 4);
                check_operation(&f, op, width, a, b);
            }
        }
    }
    assert_true(f.checked > 100000);
    close_floats(&f);
}

static void integers_as_floats(void **state)
{
    struct floats f = {.rng = {12}};
    (void)state;
    open_floats(&f);
    for (int i = 0; i < 20000; i++) {
        unsigned from = random_width(&f.rng), width = i % 2 ? 32 : 64;
        struct expr_value v = random_value(&f.rng, from);
        if (i % 3 == 0) // a tie, or next to one
            v.low = (rng_next(&f.rng) | 1) >> rng_below(&f.rng, 64) << rng_below(&f.rng, 40);
        put(&f, 0, 0);
        memcpy(f.input, &v, sizeof v);
        expr_id n = expr_input(f.pool, 0, 128);
        n = from == 128 ? n : expr_unary(f.pool, EXPR_TRUNC, from, n);
        check(&f, expr_unary(f.pool, i % 5 < 2 ? EXPR_UITOFP : EXPR_SITOFP, width, n));
    }
    close_floats(&f);
}

int test_agree_floats(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(float_circuits),
        cmocka_unit_test(integers_as_floats),
    };
    return cmocka_run_group_tests_name("agree_floats", tests, NULL, NULL);
}
