// SPDX-License-Identifier: Apache-2.0
// Properties of expressions on random instances: the simplifier does not change a
// value, the evaluator and Z3 agree on every operation, and models satisfy what
// they were found for. A failure prints the seed that repeats it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "expr/eval.h"
#include "expr/vars.h"
#include "random_expr.h"
#include "solver/solver.h"

static bool same(struct expr_value a, struct expr_value b)
{
    return a.low == b.low && a.high == b.high;
}

static void fail_at(const char *what, uint64_t seed)
{
    fail_msg("%s: seed %llu", what, (unsigned long long)seed);
}

// Simplifier on and off.

static void check_simplifier(uint64_t seed, const struct random_options *options)
{
    struct expr_pool *pools[2] = {expr_pool_new(), expr_pool_new()};
    expr_pool_simplify(pools[1], false);
    struct eval evals[2];
    expr_id ids[2];
    struct rng inputs = {~seed};
    for (int i = 0; i < 2; i++) {
        struct rng rng = {seed};
        unsigned width = random_width(&rng);
        ids[i] = random_expr(pools[i], &rng, options, width);
        eval_init(&evals[i], pools[i]);
    }
    for (int k = 0; k < 8; k++) {
        uint8_t input[RANDOM_INPUT_BYTES];
        random_input(&inputs, input);
        eval_begin(&evals[0], input, sizeof input);
        eval_begin(&evals[1], input, sizeof input);
        if (!same(eval_expr(&evals[0], ids[0]), eval_expr(&evals[1], ids[1])))
            fail_at("simplified expression differs", seed);
    }
    for (int i = 0; i < 2; i++) {
        eval_release(&evals[i]);
        expr_pool_free(pools[i]);
    }
}

static void simplifier_keeps_values(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 10000; seed++) {
        struct random_options options = {
            .floats = seed % 4 == 0, .reads = true, .division = true, .size = 1 + seed % 30};
        check_simplifier(seed, &options);
    }
}

// Evaluator against Z3: with all inputs fixed, the value must be the only one. Fixed
// by equations, Z3 computes by rewriting; fixed by bounds, through its circuits.

enum fixing { BY_EQUATION, BY_BOUNDS };

struct oracle {
    struct expr_pool *pool;
    struct solver *solver;
    struct eval eval;
    struct expr_vars vars;
    unsigned decided, undecided;
};

static void oracle_open(struct oracle *o, bool simplify, unsigned max_gates)
{
    *o = (struct oracle){0};
    // Z3 alone: the quick layers answer with the evaluator, which is what is tested.
    struct solver_options options = {.rlimit = 2000000,
                                     .max_gates = max_gates,
                                     .queries_per_context = 64,
                                     .without = SOLVER_QUICK_LAYERS | SOLVER_LAYER(BITBLAST)};
    o->pool = expr_pool_new();
    expr_pool_simplify(o->pool, simplify);
    o->solver = solver_new(o->pool, &options);
    eval_init(&o->eval, o->pool);
    expr_vars_init(&o->vars, o->pool);
}

static void oracle_close(struct oracle *o)
{
    expr_vars_release(&o->vars);
    eval_release(&o->eval);
    solver_free(o->solver);
    expr_pool_free(o->pool);
}

static expr_id fixed_inputs(struct oracle *o, expr_id id, enum fixing how)
{
    expr_id all = expr_true(o->pool);
    size_t count = expr_vars_of(&o->vars, &id, 1);
    for (size_t i = 0; i < count; i++) {
        const struct expr_var *var = &o->vars.found[i];
        expr_id input = expr_input(o->pool, var->offset, var->width);
        expr_id value = expr_const(o->pool, var->width, eval_expr(&o->eval, input));
        enum expr_op first = how == BY_EQUATION ? EXPR_EQ : EXPR_ULE;
        all = expr_and(o->pool, all, expr_binary(o->pool, first, input, value));
        if (how == BY_BOUNDS)
            all = expr_and(o->pool, all, expr_binary(o->pool, EXPR_UGE, input, value));
    }
    return all;
}

static bool no_wrong_models(const struct solver *solver)
{
    for (; solver; solver = solver_next(solver))
        if (solver_statistics(solver)->wrong_models)
            return false;
    return true;
}

// With inputs fixed `id` has the evaluator's value and no other. Only the second half is
// asked for without `both`: an evaluator that is wrong fails it, too.
static bool oracle_agrees(struct oracle *o, expr_id id, const uint8_t *input, enum fixing how,
                          bool both)
{
    eval_begin(&o->eval, input, RANDOM_INPUT_BYTES);
    expr_id value = expr_const(o->pool, expr_get(o->pool, id)->width, eval_expr(&o->eval, id));
    expr_id is = expr_binary(o->pool, EXPR_EQ, id, value), fixed = fixed_inputs(o, id, how);
    expr_id yes[2] = {fixed, is}, no[2] = {fixed, expr_not(o->pool, is)};
    struct solver_query query = {yes, 2, input, RANDOM_INPUT_BYTES, NULL};
    enum solver_answer first = both ? solver_check(o->solver, &query, NULL) : SOLVER_SAT;
    query.constraints = no;
    enum solver_answer second = solver_check(o->solver, &query, NULL);
    bool unknown = first == SOLVER_UNKNOWN || second == SOLVER_UNKNOWN;
    o->decided += !unknown;
    o->undecided += unknown;
    return first != SOLVER_UNSAT && second != SOLVER_SAT && no_wrong_models(o->solver);
}

static void check_against_solver(uint64_t seed, enum fixing how,
                                 const struct random_options *options, unsigned *decided,
                                 unsigned *undecided)
{
    struct oracle o;
    struct rng rng = {seed};
    oracle_open(&o, seed % 2, 200000);
    for (int k = 0; k < 12; k++) {
        uint8_t input[RANDOM_INPUT_BYTES];
        expr_id id = random_expr(o.pool, &rng, options, random_width(&rng));
        random_input(&rng, input);
        if (!oracle_agrees(&o, id, input, how, true))
            fail_at("evaluator and Z3 disagree", seed);
    }
    *decided += o.decided;
    *undecided += o.undecided;
    oracle_close(&o);
}

static void integers_agree_with_z3(void **state)
{
    unsigned decided = 0, undecided = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= 25; seed++) {
        struct random_options options = {
            .reads = true, .division = seed % 5 != 0, .size = 3 + seed % 20};
        check_against_solver(seed, seed % 5 ? BY_EQUATION : BY_BOUNDS, &options, &decided,
                             &undecided);
    }
    assert_true(undecided * 10 < decided); // limits must not hollow out the test
}

static void floats_agree_with_z3(void **state)
{
    unsigned decided = 0, undecided = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        struct random_options options = {
            .floats = true, .reads = true, .division = true, .size = 1 + seed % 6};
        check_against_solver(seed, BY_EQUATION, &options, &decided, &undecided);
    }
    assert_true(undecided * 10 < decided); // limits must not hollow out the test
}

// Directed corners: every operation on pairs of special values, without
// simplification so that Z3 sees the operation itself.

static void corner(struct oracle *o, expr_id id, uint64_t a, uint64_t b, enum fixing how)
{
    uint8_t input[RANDOM_INPUT_BYTES] = {0};
    memcpy(input, &a, 8);
    memcpy(input + 8, &b, 8);
    const struct expr *e = expr_get(o->pool, id);
    if (!oracle_agrees(o, id, input, how, false))
        fail_msg("%s of width %u on %llx, %llx: evaluator and Z3 disagree", expr_op_text(e->op),
                 e->width, (unsigned long long)a, (unsigned long long)b);
}

static void integer_corners(void **state)
{
    static const uint64_t values[] = {0, 1, 7, 8, 0x7F, 0x80, 0xFF};
    struct oracle c;
    (void)state;
    oracle_open(&c, false, 0);
    expr_id a = expr_input(c.pool, 0, 8), b = expr_input(c.pool, 8, 8);
    for (enum expr_op op = EXPR_ADD; op <= EXPR_SLE; op++)
        for (size_t i = 0; i < COUNT(values); i++)
            for (size_t k = 0; k < COUNT(values); k++)
                corner(&c, expr_binary(c.pool, op, a, b), values[i], values[k], BY_BOUNDS);
    assert_int_equal(c.undecided, 0);
    oracle_close(&c);
}

static expr_id float_operation(struct expr_pool *pool, enum expr_op op, unsigned width)
{
    expr_id a = expr_input(pool, 0, width), b = expr_input(pool, 8, width);
    switch (expr_op_kind(op)) {
    case 'F':
    case 'Q': return expr_binary(pool, op, a, b);
    case 'G': return expr_unary(pool, op, width, a);
    default: return 0;
    }
}

static uint64_t special(unsigned width, size_t i)
{
    return width == 32 ? floats32[i] : floats64[i];
}

static void float_corners(void **state)
{
    struct oracle c;
    (void)state;
    oracle_open(&c, false, 0);
    for (enum expr_op op = EXPR_FADD; op <= EXPR_FTRUNC; op++)
        for (unsigned width = 32; width <= 64; width += 32) {
            expr_id id = float_operation(c.pool, op, width);
            for (size_t i = 0; i < COUNT(floats32); i++)
                corner(&c, id, special(width, i), special(width, (i * 7 + op) % COUNT(floats32)),
                       BY_EQUATION);
        }
    assert_int_equal(c.undecided, 0);
    oracle_close(&c);
}

static void conversion_corners(void **state)
{
    static const unsigned to[] = {1, 8, 16, 31, 32, 33, 64, 65, 128};
    struct oracle c;
    (void)state;
    oracle_open(&c, false, 0);
    for (unsigned from = 32; from <= 64; from += 32) {
        expr_id a = expr_input(c.pool, 0, from);
        for (size_t i = 0; i < COUNT(floats32); i++) {
            for (size_t k = 0; k < COUNT(to); k++) {
                corner(&c, expr_unary(c.pool, EXPR_FPTOSI, to[k], a), special(from, i), 0,
                       BY_EQUATION);
                corner(&c, expr_unary(c.pool, EXPR_FPTOUI, to[k], a), special(from, i), 0,
                       BY_EQUATION);
            }
            corner(&c,
                   from == 32 ? expr_unary(c.pool, EXPR_FPEXT, 64, a)
                              : expr_unary(c.pool, EXPR_FPTRUNC, 32, a),
                   special(from, i), 0, BY_EQUATION);
            corner(&c, expr_unary(c.pool, EXPR_SITOFP, from, a), special(from, i), 0, BY_EQUATION);
            corner(&c, expr_unary(c.pool, EXPR_UITOFP, 96 - from, a), special(from, i), 0,
                   BY_EQUATION);
        }
    }
    assert_int_equal(c.undecided, 0);
    oracle_close(&c);
}

// What the solver says is satisfiable is satisfied by the merged input.

static void check_model(uint64_t seed)
{
    // Every other seed without local search, so that Z3's models are seen, too.
    struct solver_options limits = {.rlimit = 200000,
                                    .max_gates = 200000,
                                    .queries_per_context = 64,
                                    .without = seed % 2 ? SOLVER_QUICK_LAYERS : 0};
    struct random_options options = {.reads = true, .size = 4 + seed % 12};
    struct expr_pool *pool = expr_pool_new();
    struct solver *solver = solver_new(pool, &limits);
    struct rng rng = {seed};
    struct solver_model model = {0};
    struct eval eval;
    uint8_t parent[RANDOM_INPUT_BYTES];
    expr_id path[8];
    eval_init(&eval, pool);
    random_input(&rng, parent);
    eval_begin(&eval, parent, sizeof parent);
    for (size_t i = 0; i < COUNT(path); i++) {
        path[i] = random_expr(pool, &rng, &options, 1);
        if (!eval_true(&eval, path[i]))
            path[i] = expr_not(pool, path[i]);
        expr_id holds = path[i];
        path[i] = expr_not(pool, holds);
        struct solver_query query = {path, i + 1, parent, sizeof parent, NULL};
        if (solver_check(solver, &query, &model) == SOLVER_SAT) {
            struct buf merged = BUF_INIT;
            buf_add(&merged, parent, sizeof parent);
            solver_apply_model(&model, &merged);
            eval_begin(&eval, (const uint8_t *)merged.data, merged.length);
            for (size_t k = 0; k <= i; k++)
                if (!eval_true(&eval, path[k]))
                    fail_at("a model does not satisfy its query", seed);
            eval_begin(&eval, parent, sizeof parent);
            buf_release(&merged);
        }
        path[i] = holds;
    }
    if (!no_wrong_models(solver))
        fail_at("a layer gave a wrong model", seed);
    solver_model_release(&model);
    eval_release(&eval);
    solver_free(solver);
    expr_pool_free(pool);
}

static void models_satisfy_whole_paths(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++)
        check_model(seed);
}

int test_property_expr(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(simplifier_keeps_values),
        cmocka_unit_test(integers_agree_with_z3),
        cmocka_unit_test(floats_agree_with_z3),
        cmocka_unit_test(integer_corners),
        cmocka_unit_test(float_corners),
        cmocka_unit_test(conversion_corners),
        cmocka_unit_test(models_satisfy_whole_paths),
    };
    return cmocka_run_group_tests_name("property_expr", tests, NULL, NULL);
}
