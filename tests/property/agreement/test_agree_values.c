// SPDX-License-Identifier: Apache-2.0
// What is an expression's value? The plain evaluator on the expression as it was asked
// for is the reference. The simplified expression, the flat program, the circuits and
// Z3 with all inputs fixed must say the same. A failure prints the seed.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../random_expr.h"
#include "expr/eval.h"
#include "expr/flat.h"
#include "expr/value.h"
#include "expr/vars.h"
#include "solver/blast.h"
#include "solver/solver.h"

enum {
    PER_POOL = 50, // expressions that share a pool, and a question to Z3
    INPUTS = 6,    // vectors per expression
};

struct values {
    struct expr_pool *pools[2]; // [1] simplifies
    struct eval evals[2];
    struct blast blast[2];
    struct flat flat;
    expr_id ids[PER_POOL][2];
    uint8_t input[RANDOM_INPUT_BYTES];
    uint64_t seed;
};

static void open_pools(struct values *v)
{
    for (int i = 0; i < 2; i++) {
        v->pools[i] = expr_pool_new();
        expr_pool_simplify(v->pools[i], i);
        eval_init(&v->evals[i], v->pools[i]);
        blast_init(&v->blast[i], v->pools[i], 0);
    }
    flat_init(&v->flat, v->pools[1]);
}

static void close_pools(struct values *v)
{
    flat_release(&v->flat);
    for (int i = 0; i < 2; i++) {
        blast_release(&v->blast[i]);
        eval_release(&v->evals[i]);
        expr_pool_free(v->pools[i]);
    }
}

static void build(struct values *v, unsigned k, const struct random_options *options,
                  unsigned width)
{
    for (int i = 0; i < 2; i++) {
        struct rng rng = {v->seed};
        v->ids[k][i] = random_expr(v->pools[i], &rng, options, width);
    }
}

static void new_input(struct values *v, struct rng *rng)
{
    random_input(rng, v->input);
    for (int i = 0; i < 2; i++)
        eval_begin(&v->evals[i], v->input, sizeof v->input);
}

static expr_u128 value_of(struct values *v, unsigned k, int which)
{
    return value_wide(eval_expr(&v->evals[which], v->ids[k][which]));
}

static void expect(const struct values *v, const char *what, expr_u128 got, expr_u128 wanted)
{
    if (got != wanted)
        fail_msg("%s: %llx:%llx instead of %llx:%llx: seed %llu", what,
                 (unsigned long long)(got >> 64), (unsigned long long)got,
                 (unsigned long long)(wanted >> 64), (unsigned long long)wanted,
                 (unsigned long long)v->seed);
}

// ---- simplifier ----

static void simplified_expressions(void **state)
{
    (void)state;
    for (uint64_t first = 1; first <= 60000; first += PER_POOL) {
        struct values v;
        open_pools(&v);
        for (v.seed = first; v.seed < first + PER_POOL; v.seed++) {
            struct random_options options = {.floats = v.seed % 4 == 0,
                                             .reads = true,
                                             .division = true,
                                             .size = 1 + (unsigned)(v.seed % 25)};
            struct rng rng = {~v.seed};
            build(&v, 0, &options, random_width(&rng));
            for (int k = 0; k < INPUTS; k++) {
                new_input(&v, &rng);
                expect(&v, "simplified", value_of(&v, 0, 1), value_of(&v, 0, 0));
            }
        }
        close_pools(&v);
    }
}

// ---- flat programs ----

static void flat_programs(void **state)
{
    (void)state;
    for (uint64_t first = 1; first <= 30000; first += PER_POOL) {
        struct values v;
        open_pools(&v);
        for (v.seed = first; v.seed < first + PER_POOL; v.seed++) {
            struct random_options options = {.floats = v.seed % 3 == 0,
                                             .reads = true,
                                             .division = true,
                                             .size = 1 + (unsigned)(v.seed % 15)};
            struct rng rng = {~v.seed};
            build(&v, 0, &options, 1);
            new_input(&v, &rng);
            flat_compile(&v.flat, &v.ids[0][1], 1, v.input, sizeof v.input);
            for (int k = 0; k < INPUTS; k++) {
                expect(&v, "flat program", !v.flat.violated, value_of(&v, 0, 0));
                new_input(&v, &rng);
                flat_load(&v.flat, v.input, sizeof v.input);
            }
        }
        close_pools(&v);
    }
}

// ---- circuits ----

// The gates' values on the parent input, side conditions included. FREM has no circuit.
static bool circuit_value(struct values *v, int which, expr_id id, expr_u128 *out)
{
    struct blast *b = &v->blast[which];
    unsigned width = expr_get(v->pools[which], id)->width;
    *out = 0;
    blast_begin(b, v->input, sizeof v->input);
    for (unsigned i = 0; i < width; i++) {
        lit bit;
        if (!blast_bit(b, width == 1 ? id : expr_extract(v->pools[which], id, i, 1), &bit))
            return false;
        *out |= (expr_u128)gates_value(&b->gates, bit) << i;
    }
    for (size_t i = 1; i < b->gates.sides.count; i++)
        if (!gates_value(&b->gates, b->gates.sides.items[i]))
            expect(v, "side condition", 0, 1);
    return true;
}

static void circuits(void **state)
{
    unsigned built = 0, asked = 0;
    (void)state;
    for (uint64_t first = 1; first <= 40000; first += PER_POOL) {
        struct values v;
        open_pools(&v);
        for (v.seed = first; v.seed < first + PER_POOL; v.seed++) {
            struct random_options options = {.floats = v.seed % 2,
                                             .reads = v.seed % 3 == 0,
                                             .division = v.seed % 4 == 0,
                                             .size = 1 + (unsigned)(v.seed % 7)};
            struct rng rng = {~v.seed};
            expr_u128 got;
            build(&v, 0, &options, random_width(&rng));
            new_input(&v, &rng);
            int which = v.seed % 5 == 0; // unsimplified ones have more operations
            bool good = circuit_value(&v, which, v.ids[0][which], &got);
            if (good)
                expect(&v, "circuit", got, value_of(&v, 0, 0));
            built += good;
            asked++;
        }
        close_pools(&v);
    }
    assert_true(built * 10 > asked * 9); // not hollow
}

// ---- Z3 ----

// With all inputs fixed no expression of the batch has another value than the
// evaluator's. One question for all; if Z3 denies it, one for each finds the culprit.
static expr_id differs(struct values *v, unsigned k, int which)
{
    struct expr_pool *pool = v->pools[which];
    unsigned width = expr_get(pool, v->ids[k][which])->width;
    expr_id value = expr_const(pool, width, value_pair(value_of(v, k, 0)));
    return expr_not(pool, expr_binary(pool, EXPR_EQ, v->ids[k][which], value));
}

static enum solver_answer ask_fixed(struct values *v, struct solver *z3, int which, expr_id claim)
{
    struct expr_pool *pool = v->pools[which];
    struct expr_vars vars;
    expr_vars_init(&vars, pool);
    expr_id query[2] = {expr_true(pool), claim};
    size_t count = expr_vars_of(&vars, &claim, 1);
    for (size_t i = 0; i < count; i++) {
        expr_id input = expr_input(pool, vars.found[i].offset, vars.found[i].width);
        expr_id value = expr_const(pool, vars.found[i].width, eval_expr(&v->evals[which], input));
        query[0] = expr_and(pool, query[0], expr_binary(pool, EXPR_EQ, input, value));
    }
    expr_vars_release(&vars);
    struct solver_query q = {query, 2, v->input, sizeof v->input, NULL};
    return solver_check(z3, &q, NULL);
}

static void find_culprit(struct values *v, struct solver *z3, uint64_t first, int which)
{
    for (unsigned k = 0; k < PER_POOL; k++)
        if (ask_fixed(v, z3, which, differs(v, k, which)) == SOLVER_SAT)
            fail_msg("evaluator and Z3 disagree: seed %llu", (unsigned long long)(first + k));
    fail_msg("evaluator and Z3 disagree: seeds from %llu", (unsigned long long)first);
}

static void z3_with_inputs_fixed(void **state)
{
    unsigned decided = 0, batches = 0;
    (void)state;
    for (uint64_t first = 1; first <= 20000; first += PER_POOL, batches++) {
        struct solver_options alone = {.rlimit = 20000000,
                                       .without = SOLVER_QUICK_LAYERS | SOLVER_LAYER(BITBLAST)};
        int which = batches % 2;
        struct values v;
        open_pools(&v);
        struct solver *z3 = solver_new(v.pools[which], &alone);
        struct rng rng = {~first};
        expr_id any = expr_false(v.pools[which]);
        new_input(&v, &rng);
        for (unsigned k = 0; k < PER_POOL; k++) {
            struct random_options options = {.floats = batches % 3 == 0,
                                             .reads = k % 3 == 0,
                                             .division = true,
                                             .size = 1 + k % 8};
            v.seed = first + k;
            build(&v, k, &options, random_width(&rng));
            any = expr_or(v.pools[which], any, differs(&v, k, which));
        }
        enum solver_answer answer = ask_fixed(&v, z3, which, any);
        if (answer == SOLVER_SAT)
            find_culprit(&v, z3, first, which);
        decided += answer == SOLVER_UNSAT;
        solver_free(z3);
        close_pools(&v);
    }
    assert_true(decided * 20 > batches * 19); // not hollow
}

int test_agree_values(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(simplified_expressions),
        cmocka_unit_test(flat_programs),
        cmocka_unit_test(circuits),
        cmocka_unit_test(z3_with_inputs_fixed),
    };
    return cmocka_run_group_tests_name("agree_values", tests, NULL, NULL);
}
