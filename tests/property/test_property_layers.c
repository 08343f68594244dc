// SPDX-License-Identifier: Apache-2.0
// The layers of the solver on random paths: each alone and all together give no other
// verdict than Z3, and every model satisfies its query. The flat program computes what
// the evaluator computes, change by change. Scripts that are written and read back mean
// the same. A failure prints the seed that repeats it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "expr/eval.h"
#include "expr/flat.h"
#include "expr/print.h"
#include "expr/smt2_read.h"
#include "random_expr.h"
#include "solver/solver.h"

static void fail_at(const char *what, uint64_t seed)
{
    fail_msg("%s: seed %llu", what, (unsigned long long)seed);
}

// ---- the flat program ----

static void compare_values(const struct flat *flat, struct eval *eval, uint64_t seed)
{
    size_t violated = 0;
    eval_begin(eval, flat->bytes, flat->byte_count);
    for (size_t i = 0; i < flat->root_count; i++)
        violated += !eval_true(eval, flat->code[flat->roots[i]].id);
    for (uint32_t i = 0; i < flat->count; i++) {
        struct expr_value v = eval_expr(eval, flat->code[i].id);
        if (v.low != flat->low[i] || v.high != flat->high[i])
            fail_at("flat program and evaluator differ", seed);
    }
    if (violated != flat->violated)
        fail_at("violated constraints are not counted", seed);
}

static void check_flat(uint64_t seed)
{
    struct random_options options = {
        .floats = seed % 3 == 0, .reads = true, .division = true, .size = 2 + seed % 25};
    struct expr_pool *pool = expr_pool_new();
    struct rng rng = {seed};
    struct flat flat;
    struct eval eval;
    expr_id roots[4];
    uint8_t input[RANDOM_INPUT_BYTES];
    flat_init(&flat, pool);
    eval_init(&eval, pool);
    for (int round = 0; round < 2; round++) { // the second program reuses the first one's memory
        for (size_t i = 0; i < COUNT(roots); i++)
            roots[i] = random_expr(pool, &rng, &options, 1);
        roots[3] = roots[rng_below(&rng, 4)];
        random_input(&rng, input);
        flat_compile(&flat, roots, COUNT(roots), input, sizeof input);
        compare_values(&flat, &eval, seed);
        for (int k = 0; k < 6 && flat.input_count; k++) {
            size_t which = rng_below(&rng, flat.input_count);
            struct expr_value v = random_value(&rng, flat.inputs[which].width);
            flat_set(&flat, which, value_cut(value_wide(v), flat.inputs[which].width));
            compare_values(&flat, &eval, seed);
        }
        random_input(&rng, input);
        flat_load(&flat, input, rng_below(&rng, sizeof input + 1));
        compare_values(&flat, &eval, seed);
    }
    flat_release(&flat);
    eval_release(&eval);
    expr_pool_free(pool);
}

static void flat_programs_compute_the_same(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 1500; seed++)
        check_flat(seed);
}

// ---- layers ----

enum { CHAINS = 9, Z3_ALONE = 0, ALL = 1 };

struct bench {
    struct expr_pool *pool;
    struct solver *chains[CHAINS];
    struct eval eval;
    struct solver_model model;
    unsigned answers[CHAINS]; // decided
};

static void bench_open(struct bench *b)
{
    static const unsigned alone[] = {
        SOLVER_LAYER(SYNTAX),  SOLVER_LAYER(DOMAINS),
        SOLVER_LAYER(CACHE),   SOLVER_LAYER(INVERT),
        SOLVER_LAYER(LOCAL),   SOLVER_LAYER(OPTIMISTIC) | SOLVER_LAYER(BITBLAST),
        SOLVER_LAYER(BITBLAST)};
    struct solver_options options = {
        .rlimit = 200000, .max_gates = 200000, .queries_per_context = 64};
    unsigned every = (1u << SOLVER_LAYER_COUNT) - 1;
    b->pool = expr_pool_new();
    options.without = every & ~(SOLVER_LAYER(SLICE) | SOLVER_LAYER(Z3));
    b->chains[Z3_ALONE] = solver_new(b->pool, &options);
    options.without = 0;
    b->chains[ALL] = solver_new(b->pool, &options);
    for (size_t i = 0; i < COUNT(alone); i++) {
        // Nobody behind and no validation in front: what the layer says itself. The cache
        // needs somebody to learn from.
        bool teach = alone[i] == SOLVER_LAYER(CACHE);
        options.without =
            every & ~(SOLVER_LAYER(SLICE) | alone[i] | (teach ? SOLVER_LAYER(BITBLAST) : 0));
        b->chains[2 + i] = solver_new(b->pool, &options);
    }
    eval_init(&b->eval, b->pool);
}

static void bench_close(struct bench *b)
{
    for (int i = 0; i < CHAINS; i++)
        solver_free(b->chains[i]);
    solver_model_release(&b->model);
    eval_release(&b->eval);
    expr_pool_free(b->pool);
}

static bool satisfies(struct bench *b, const struct solver_query *query)
{
    struct buf merged = BUF_INIT;
    bool good = true;
    buf_add(&merged, query->input, query->input_size);
    solver_apply_model(&b->model, &merged);
    eval_begin(&b->eval, (const uint8_t *)merged.data, merged.length);
    for (size_t i = 0; i < query->count && good; i++)
        good = eval_true(&b->eval, query->constraints[i]);
    buf_release(&merged);
    return good;
}

static void check_query(struct bench *b, const struct solver_query *query, uint64_t seed)
{
    enum solver_answer truth = SOLVER_UNKNOWN;
    for (int i = 0; i < CHAINS; i++) {
        enum solver_answer answer = solver_check(b->chains[i], query, &b->model);
        if (answer == SOLVER_UNKNOWN)
            continue;
        b->answers[i]++;
        if (truth != SOLVER_UNKNOWN && answer != truth)
            fail_msg("chain %d of %s gave another verdict: seed %llu", i, solver_name(b->chains[i]),
                     (unsigned long long)seed);
        if (answer == SOLVER_SAT && !satisfies(b, query))
            fail_msg("chain %d gave a wrong model: seed %llu", i, (unsigned long long)seed);
        truth = answer;
    }
}

// Comparisons of an input, or of something simple made from it, with a constant.
static expr_id simple_condition(struct expr_pool *pool, struct rng *rng)
{
    static const unsigned input_widths[] = {8, 8, 8, 16, 32, 64};
    unsigned width = input_widths[rng_below(rng, COUNT(input_widths))];
    uint32_t offset = (uint32_t)rng_below(rng, 4) * 2;
    expr_id x = expr_input(pool, offset, width);
    switch (rng_below(rng, 5)) {
    case 0:
        x = expr_binary(pool, EXPR_ADD, x, expr_const(pool, width, random_value(rng, width)));
        break;
    case 1: x = expr_unary(pool, rng_below(rng, 2) ? EXPR_ZEXT : EXPR_SEXT, 64, x); break;
    case 2:
        x = expr_binary(pool, EXPR_AND, x, expr_const(pool, width, random_value(rng, width)));
        break;
    default: break;
    }
    width = expr_get(pool, x)->width;
    expr_id c = expr_const(pool, width, random_value(rng, width));
    enum expr_op op = (enum expr_op)(EXPR_EQ + rng_below(rng, 10));
    return rng_below(rng, 4) ? expr_binary(pool, op, x, c) : expr_binary(pool, op, c, x);
}

static expr_id random_condition(struct expr_pool *pool, struct rng *rng, uint64_t seed)
{
    struct random_options options = {.reads = true, .size = 2 + seed % 9};
    switch (rng_below(rng, 4)) {
    case 0: return random_expr(pool, rng, &options, 1);
    case 1: return expr_or(pool, simple_condition(pool, rng), simple_condition(pool, rng));
    default: return simple_condition(pool, rng);
    }
}

static void check_path(uint64_t seed, unsigned *decided)
{
    struct bench b = {0};
    struct rng rng = {seed};
    uint8_t parent[RANDOM_INPUT_BYTES];
    expr_id path[10];
    bench_open(&b);
    random_input(&rng, parent);
    for (size_t i = 0; i < COUNT(path); i++) {
        expr_id holds = random_condition(b.pool, &rng, seed);
        eval_begin(&b.eval, parent, sizeof parent);
        if (!eval_true(&b.eval, holds))
            holds = expr_not(b.pool, holds);
        path[i] = expr_not(b.pool, holds);
        check_query(&b, &(struct solver_query){path, i + 1, parent, sizeof parent, NULL}, seed);
        path[i] = holds;
    }
    for (int i = 0; i < CHAINS; i++)
        decided[i] += b.answers[i];
    bench_close(&b);
}

static void layers_agree_with_z3(void **state)
{
    unsigned decided[CHAINS] = {0};
    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++)
        check_path(seed, decided);
    for (int i = 0; i < CHAINS; i++)
        assert_true(decided[i] > 0); // a layer that never answers proves nothing
    assert_true(decided[ALL] >= decided[Z3_ALONE]);
}

static void float_search_finds_true_models(void **state)
{
    (void)state;
    unsigned found = 0;
    for (uint64_t seed = 1; seed <= 150; seed++) {
        struct random_options options = {.floats = true, .size = 2 + seed % 8};
        struct solver_options alone = {.without = (1u << SOLVER_LAYER_COUNT) - 1};
        alone.without &= ~(SOLVER_LAYER(INVERT) | SOLVER_LAYER(LOCAL));
        struct bench b = {.pool = expr_pool_new()};
        struct rng rng = {seed};
        uint8_t parent[RANDOM_INPUT_BYTES];
        b.chains[0] = solver_new(b.pool, &alone);
        eval_init(&b.eval, b.pool);
        random_input(&rng, parent);
        expr_id c[2] = {random_expr(b.pool, &rng, &options, 1),
                        random_expr(b.pool, &rng, &options, 1)};
        struct solver_query query = {c, 2, parent, sizeof parent, NULL};
        if (solver_check(b.chains[0], &query, &b.model) == SOLVER_SAT) {
            found++;
            if (!satisfies(&b, &query))
                fail_at("a float model is wrong", seed);
        }
        bench_close(&b);
    }
    assert_true(found > 30);
}

// ---- scripts ----

static void check_script(uint64_t seed)
{
    struct random_options options = {
        .floats = seed % 2, .reads = true, .division = true, .size = 1 + seed % 20};
    struct expr_pool *pools[2] = {expr_pool_new(), expr_pool_new()};
    struct rng rng = {seed};
    struct eval evals[2];
    uint8_t input[RANDOM_INPUT_BYTES];
    struct buf text = BUF_INIT;
    struct smt2_query back;
    struct error err = {0};
    expr_id c[2];
    expr_pool_simplify(pools[0], seed % 3);
    for (int i = 0; i < 2; i++)
        c[i] = random_expr(pools[0], &rng, &options, 1);
    random_input(&rng, input);
    expr_print_smt2_query(pools[0], c, 2, input, sizeof input, &text);
    if (!smt2_read(pools[1], text.data, text.length, &back, &err))
        fail_msg("seed %llu: %s", (unsigned long long)seed, err.text);
    assert_int_equal(back.count, 2);
    assert_int_equal(back.input.length, sizeof input);
    assert_memory_equal(back.input.data, input, sizeof input);
    for (int i = 0; i < 2; i++)
        eval_init(&evals[i], pools[i]);
    for (int k = 0; k < 12; k++) {
        random_input(&rng, input);
        for (int i = 0; i < 2; i++)
            eval_begin(&evals[i], input, sizeof input);
        for (int i = 0; i < 2; i++)
            if (eval_true(&evals[0], c[i]) != eval_true(&evals[1], back.constraints[i]))
                fail_at("a script read back means something else", seed);
    }
    for (int i = 0; i < 2; i++) {
        eval_release(&evals[i]);
        expr_pool_free(pools[i]);
    }
    smt2_query_release(&back);
    buf_release(&text);
}

static void scripts_are_read_back(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 400; seed++)
        check_script(seed);
}

int test_property_layers(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flat_programs_compute_the_same),
        cmocka_unit_test(layers_agree_with_z3),
        cmocka_unit_test(float_search_finds_true_models),
        cmocka_unit_test(scripts_are_read_back),
    };
    return cmocka_run_group_tests_name("property_layers", tests, NULL, NULL);
}
