// SPDX-License-Identifier: Apache-2.0
// The bit-blaster on random queries: models evaluate true, and what it finds
// unsatisfiable is so for Z3, the core alone. A failure prints the seed that repeats
// it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "expr/eval.h"
#include "random_expr.h"
#include "solver/bitblast.h"
#include "solver/solver_internal.h"

#define MAX_PATH 6

struct pair {
    struct expr_pool *pool;
    struct solver *blast, *z3;
    struct eval eval;
    struct solver_model model;
    struct solver_core core;
    uint8_t parent[RANDOM_INPUT_BYTES];
    unsigned sat, unsat, unknown, confirmed;
};

static void fail_at(const char *what, uint64_t seed)
{
    fail_msg("%s: seed %llu", what, (unsigned long long)seed);
}

static void pair_open(struct pair *p, bool simplify)
{
    struct solver_options limits = {.rlimit = 100000, .max_gates = 60000};
    struct solver_options oracle = {.rlimit = 20000, .max_gates = 20000, .queries_per_context = 64};
    p->pool = expr_pool_new();
    expr_pool_simplify(p->pool, simplify);
    p->blast = solver_bitblast_new(p->pool, &limits, NULL);
    p->z3 = solver_z3_new(p->pool, &oracle);
    eval_init(&p->eval, p->pool);
}

static void pair_close(struct pair *p)
{
    solver_model_release(&p->model);
    solver_core_release(&p->core);
    eval_release(&p->eval);
    solver_free(p->blast);
    solver_free(p->z3);
    expr_pool_free(p->pool);
}

static bool model_holds(struct pair *p, const struct solver_query *query)
{
    struct buf merged = BUF_INIT;
    bool holds = true;
    buf_add(&merged, p->parent, sizeof p->parent);
    solver_apply_model(&p->model, &merged);
    eval_begin(&p->eval, (const uint8_t *)merged.data, merged.length);
    for (size_t i = 0; i < query->count; i++)
        holds &= eval_true(&p->eval, query->constraints[i]);
    buf_release(&merged);
    return holds;
}

// The constraints of the core alone must be unsatisfiable, so the query is.
static void check_unsat(struct pair *p, const struct solver_query *query, uint64_t seed)
{
    expr_id kept[MAX_PATH];
    enum solver_answer answer = solver_find_core(p->blast, query, &p->core);
    if (answer == SOLVER_UNKNOWN)
        return;
    if (answer != SOLVER_UNSAT || p->core.count == 0)
        fail_at("no core", seed);
    for (size_t i = 0; i < p->core.count; i++)
        kept[i] = query->constraints[p->core.items[i]];
    struct solver_query part = *query;
    part.constraints = kept;
    part.count = p->core.count;
    answer = solver_check(p->z3, &part, NULL);
    if (answer == SOLVER_SAT)
        fail_at("Z3 satisfies what the bit-blaster cannot", seed);
    p->confirmed += answer == SOLVER_UNSAT;
}

// Both verdicts are checked by someone else: models by the evaluator, contradictions
// by Z3.
static void check_query(struct pair *p, const struct solver_query *query, uint64_t seed)
{
    enum solver_answer answer = solver_check(p->blast, query, &p->model);
    if (answer == SOLVER_SAT && !model_holds(p, query))
        fail_at("a model is wrong", seed);
    if (answer == SOLVER_UNSAT)
        check_unsat(p, query, seed);
    p->sat += answer == SOLVER_SAT;
    p->unsat += answer == SOLVER_UNSAT;
    p->unknown += answer == SOLVER_UNKNOWN;
}

// A path of conditions as they are on the parent, with the last one flipped; or, to
// have more contradictions, each as it comes.
static void check_path(struct pair *p, struct rng *rng, uint64_t seed,
                       const struct random_options *options)
{
    expr_id path[MAX_PATH];
    size_t count = 1 + rng_below(rng, MAX_PATH);
    bool follow = rng_below(rng, 3) != 0;
    random_input(rng, p->parent);
    for (size_t i = 0; i < count; i++) {
        path[i] = random_expr(p->pool, rng, options, 1);
        eval_begin(&p->eval, p->parent, sizeof p->parent);
        if (follow && eval_true(&p->eval, path[i]) == (i + 1 == count))
            path[i] = expr_not(p->pool, path[i]);
    }
    struct solver_query query = {
        .constraints = path, .count = count, .input = p->parent, .input_size = sizeof p->parent};
    check_query(p, &query, seed);
}

static void verdicts_agree_with_z3(void **state)
{
    struct pair total = {0};
    (void)state;
    for (uint64_t seed = 1; seed <= 110; seed++) {
        struct random_options options = {
            .reads = true, .division = seed % 4 == 0, .size = 2 + seed % 14};
        struct rng rng = {seed};
        struct pair p = {0};
        pair_open(&p, seed % 3);
        for (int k = 0; k < 10; k++)
            check_path(&p, &rng, seed, &options);
        total.sat += p.sat;
        total.unsat += p.unsat;
        total.unknown += p.unknown;
        total.confirmed += p.confirmed;
        pair_close(&p);
    }
    // Limits must not hollow out the test.
    assert_true(total.sat > 360 && total.unsat > 360 && total.unknown < 70);
    assert_true(total.confirmed * 10 > total.unsat * 9);
}

// The circuits' values on the parent: a condition that holds there must be found
// satisfiable, and without a search the model is the parent.
static void the_parent_is_a_model(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 80; seed++) {
        struct random_options options = {.reads = true, .division = true, .size = 2 + seed % 24};
        struct solver_options limits = {.rlimit = 100000, .max_gates = 200000};
        struct expr_pool *pool = expr_pool_new();
        expr_pool_simplify(pool, seed % 2);
        struct solver *blast = solver_bitblast_new(pool, &limits, NULL);
        struct rng rng = {seed};
        uint8_t input[RANDOM_INPUT_BYTES];
        struct eval eval;
        eval_init(&eval, pool);
        for (int k = 0; k < 5; k++) {
            expr_id id = random_expr(pool, &rng, &options, random_width(&rng));
            random_input(&rng, input);
            eval_begin(&eval, input, sizeof input);
            expr_id value = expr_const(pool, expr_get(pool, id)->width, eval_expr(&eval, id));
            expr_id is = expr_binary(pool, EXPR_EQ, id, value);
            struct solver_query query = {
                .constraints = &is, .count = 1, .input = input, .input_size = sizeof input};
            if (solver_check(blast, &query, NULL) == SOLVER_UNSAT)
                fail_at("the parent's own value is refused", seed);
        }
        eval_release(&eval);
        solver_free(blast);
        expr_pool_free(pool);
    }
}

int test_property_blast(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verdicts_agree_with_z3),
        cmocka_unit_test(the_parent_is_a_model),
    };
    return cmocka_run_group_tests_name("property_blast", tests, NULL, NULL);
}
