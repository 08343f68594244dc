// SPDX-License-Identifier: Apache-2.0
// Unit tests of src/solver: answers and models of each kind of constraint, slicing
// (what is kept, long paths), validation of wrong models, limits, reproducibility.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/arena.h"
#include "expr/eval.h"
#include "expr/print.h"
#include "solver/solver_internal.h"
#include <stdlib.h>
#include <string.h>
#include <z3.h>

struct fixture {
    struct expr_pool *pool;
    struct solver *solver;
    struct solver_model model;
    struct buf input;
};

static int setup(void **state)
{
    struct fixture *f = xcalloc(1, sizeof *f);
    struct solver_options options = SOLVER_OPTIONS_DEFAULT;
    options.without =
        SOLVER_QUICK_LAYERS | SOLVER_LAYER(BITBLAST); // these tests are about slicing and Z3
    options.timeout_ms = 0; // only work counts: a busy machine must not make them fail
    f->pool = expr_pool_new();
    f->solver = solver_new(f->pool, &options);
    for (int i = 0; i < 64; i++)
        buf_putc(&f->input, 0);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;
    solver_model_release(&f->model);
    solver_free(f->solver);
    expr_pool_free(f->pool);
    buf_release(&f->input);
    free(f);
    return 0;
}

static enum solver_answer ask(struct fixture *f, const expr_id *constraints, size_t count)
{
    struct solver_query query = {constraints, count, (const uint8_t *)f->input.data,
                                 f->input.length, NULL};
    return solver_check(f->solver, &query, &f->model);
}

static const struct solver_stats *layer(struct fixture *f, const char *name)
{
    for (const struct solver *l = f->solver; l; l = solver_next(l))
        if (strcmp(solver_name(l), name) == 0)
            return solver_statistics(l);
    return NULL;
}

static uint64_t solved(struct fixture *f, expr_id id)
{
    struct buf merged = BUF_INIT;
    struct eval eval;
    buf_add(&merged, f->input.data, f->input.length);
    solver_apply_model(&f->model, &merged);
    eval_init(&eval, f->pool);
    eval_begin(&eval, (const uint8_t *)merged.data, merged.length);
    uint64_t value = eval_expr(&eval, id).low;
    eval_release(&eval);
    buf_release(&merged);
    return value;
}

static expr_id cmp(struct fixture *f, enum expr_op op, expr_id a, uint64_t value)
{
    return expr_binary(f->pool, op, a, expr_const64(f->pool, expr_get(f->pool, a)->width, value));
}

static void solves_an_equation(void **state)
{
    struct fixture *f = *state;
    expr_id x = expr_input(f->pool, 4, 32), y = expr_input(f->pool, 8, 32);
    expr_id c[] = {cmp(f, EXPR_UGT, x, 100),
                   cmp(f, EXPR_EQ, expr_binary(f->pool, EXPR_MUL, x, y), 391)};
    assert_int_equal(ask(f, c, 2), SOLVER_SAT);
    assert_int_equal(solved(f, expr_binary(f->pool, EXPR_MUL, x, y)) & 0xFFFFFFFF, 391);
    assert_true(solved(f, x) > 100);
    expr_id never[] = {cmp(f, EXPR_ULT, x, 5), cmp(f, EXPR_UGT, x, 7)};
    assert_int_equal(ask(f, never, 2), SOLVER_UNSAT);
    assert_int_equal(f->model.count, 0);
    assert_int_equal(ask(f, NULL, 0), SOLVER_SAT);
}

static void solves_wide_values(void **state)
{
    struct fixture *f = *state;
    struct expr_value value = {UINT64_C(0x123456789ABCDEF0), UINT64_C(0xFEDCBA9876543210)};
    expr_id x = expr_input(f->pool, 0, 128);
    expr_id c =
        expr_binary(f->pool, EXPR_EQ,
                    expr_binary(f->pool, EXPR_XOR, x,
                                expr_binary(f->pool, EXPR_LSHR, x, expr_const64(f->pool, 128, 1))),
                    expr_const(f->pool, 128, value));
    assert_int_equal(ask(f, &c, 1), SOLVER_SAT);
    assert_int_equal(solved(f, c), 1);
    assert_int_equal(f->model.items[0].width, 128);
}

static void solves_table_lookups(void **state)
{
    struct fixture *f = *state;
    uint32_t words[256];
    for (uint32_t i = 0; i < 256; i++)
        words[i] = i * 2654435761u;
    uint64_t table = expr_snapshot(f->pool, (const uint8_t *)words, NULL, sizeof words);
    expr_id index = expr_input(f->pool, 0, 32);
    expr_id offset = expr_binary(f->pool, EXPR_MUL, expr_unary(f->pool, EXPR_ZEXT, 64, index),
                                 expr_const64(f->pool, 64, 4));
    expr_id word = expr_read(f->pool, table, offset, 4);
    expr_id c = cmp(f, EXPR_EQ, word, words[177]);
    assert_int_equal(ask(f, &c, 1), SOLVER_SAT);
    assert_int_equal(solved(f, index), 177);
    c = cmp(f, EXPR_EQ, word, 12345); // not in the table
    assert_int_equal(ask(f, &c, 1), SOLVER_UNSAT);
    expr_id outside[] = {cmp(f, EXPR_UGE, index, 256), cmp(f, EXPR_NE, word, 0)};
    assert_int_equal(ask(f, outside, 2), SOLVER_UNSAT);
}

static void solves_floats(void **state)
{
    struct fixture *f = *state;
    expr_id x = expr_input(f->pool, 0, 32), y = expr_input(f->pool, 4, 32);
    expr_id sum = expr_binary(f->pool, EXPR_FADD, x, y);
    expr_id c[] = {cmp(f, EXPR_FOGT, x, 0x3F800000), cmp(f, EXPR_FOEQ, sum, 0x40490FDB)};
    assert_int_equal(ask(f, c, 2), SOLVER_SAT);
    assert_int_equal(solved(f, sum), 0x40490FDB);
    // The bits of a sum that is not a number.
    expr_id nan[] = {expr_binary(f->pool, EXPR_FORD, x, y), cmp(f, EXPR_EQ, sum, 0xFFC00000)};
    assert_int_equal(ask(f, nan, 2), SOLVER_SAT);
    expr_id no[] = {expr_binary(f->pool, EXPR_FORD, x, y), cmp(f, EXPR_EQ, sum, 0x7FC00000)};
    assert_int_equal(ask(f, no, 2), SOLVER_UNSAT);
}

static void overlapping_inputs_agree(void **state)
{
    struct fixture *f = *state;
    expr_id word = expr_input(f->pool, 0, 32), byte = expr_input(f->pool, 2, 8);
    expr_id c[] = {cmp(f, EXPR_EQ, byte, 0x77), cmp(f, EXPR_UGE, word, 0x770000)};
    assert_int_equal(ask(f, c, 2), SOLVER_SAT);
    expr_id no[] = {cmp(f, EXPR_EQ, byte, 0x77), cmp(f, EXPR_ULT, word, 0x770000)};
    assert_int_equal(ask(f, no, 2), SOLVER_UNSAT);
}

static void a_model_may_grow_the_input(void **state)
{
    struct fixture *f = *state;
    expr_id c = cmp(f, EXPR_EQ, expr_input(f->pool, 100, 16), 0x1234);
    assert_int_equal(ask(f, &c, 1), SOLVER_SAT);
    struct buf merged = BUF_INIT;
    solver_apply_model(&f->model, &merged);
    assert_int_equal(merged.length, 102);
    assert_int_equal(merged.data[99], 0);
    assert_int_equal(merged.data[101], 0x12);
    buf_release(&merged);
}

// Slicing.

static void only_connected_constraints_are_kept(void **state)
{
    struct fixture *f = *state;
    expr_id v[6];
    for (uint32_t i = 0; i < 6; i++)
        v[i] = expr_input(f->pool, 4 * i, 32);
    expr_id c[] = {cmp(f, EXPR_ULE, v[0], 9),                  // not connected
                   expr_binary(f->pool, EXPR_ULE, v[1], v[2]), // through v2
                   expr_binary(f->pool, EXPR_ULE, v[2], v[3]), // through v3
                   expr_binary(f->pool, EXPR_ULE, v[4], v[5]), // not connected
                   cmp(f, EXPR_UGT, v[3], 3)};
    assert_int_equal(ask(f, c, 5), SOLVER_SAT);
    assert_int_equal(layer(f, "slice")->kept, 3);
    for (size_t i = 0; i < f->model.count; i++) // others keep the parent's values
        assert_in_range(f->model.items[i].offset, 4, 12);
    // The same prefix again, then one that does not extend it.
    assert_int_equal(ask(f, c, 4), SOLVER_SAT);
    assert_int_equal(layer(f, "slice")->kept, 4);
    expr_id other[] = {c[3], c[0], cmp(f, EXPR_EQ, v[0], 3)};
    assert_int_equal(ask(f, other, 3), SOLVER_SAT);
    assert_int_equal(layer(f, "slice")->kept, 6);
}

static void tables_connect_their_bytes(void **state)
{
    struct fixture *f = *state;
    uint8_t bytes[2] = {0};
    expr_id exprs[2] = {expr_input(f->pool, 20, 8), 0};
    uint64_t table = expr_snapshot(f->pool, bytes, exprs, 2);
    expr_id index = expr_unary(f->pool, EXPR_ZEXT, 64, expr_input(f->pool, 0, 8));
    expr_id c[] = {cmp(f, EXPR_ULE, exprs[0], 9), cmp(f, EXPR_ULE, expr_input(f->pool, 30, 8), 9),
                   cmp(f, EXPR_EQ, expr_read(f->pool, table, index, 1), 10)};
    assert_int_equal(ask(f, c, 3), SOLVER_UNSAT);
    assert_int_equal(layer(f, "slice")->kept, 2);
}

static void a_flipped_duplicate_is_unsatisfiable(void **state)
{
    struct fixture *f = *state;
    expr_id x = expr_input(f->pool, 0, 32);
    expr_id c[] = {cmp(f, EXPR_ULE, x, 9), cmp(f, EXPR_ULE, x, 9)};
    c[1] = expr_not(f->pool, c[0]);
    assert_int_equal(ask(f, c, 2), SOLVER_UNSAT);
    expr_id wrong[] = {expr_false(f->pool), cmp(f, EXPR_EQ, x, 1)};
    assert_int_equal(ask(f, wrong, 2), SOLVER_UNSAT);
}

// 100,000 constraints, each on its own byte and all on a running sum: flipping many
// of them one after the other must not cost a pass over the path each.
static void long_paths_are_sliced_quickly(void **state)
{
    struct fixture *f = *state;
    enum { COUNT = 100000 };
    expr_id *c = xcalloc(COUNT, sizeof *c);
    for (uint32_t i = 0; i < COUNT; i++)
        c[i] = cmp(f, EXPR_ULE, expr_input(f->pool, i, 8), 9);
    for (uint32_t i = 0; i < COUNT; i += 500) {
        expr_id holds = c[i];
        c[i] = expr_not(f->pool, holds);
        assert_int_equal(ask(f, c, i + 1), SOLVER_SAT);
        c[i] = holds;
    }
    assert_int_equal(layer(f, "slice")->kept, COUNT / 500);
    free(c);
}

// Validation.

static enum solver_answer liar_check(struct solver *solver, const struct solver_query *query,
                                     struct solver_model *model)
{
    (void)solver;
    (void)query;
    solver_model_set(model, 0, 32, (struct expr_value){99, 0});
    return SOLVER_SAT;
}

static void liar_free(struct solver *solver)
{
    free(solver);
}

static void a_wrong_model_is_never_accepted(void **state)
{
    static const struct solver_ops liar_ops = {"liar", liar_check, liar_free};
    struct fixture *f = *state;
    struct solver *liar = xcalloc(1, sizeof *liar);
    liar->ops = &liar_ops;
    solver_free(f->solver);
    f->solver = solver_validate_new(f->pool, liar);
    expr_id x = expr_input(f->pool, 0, 32);
    expr_id c = cmp(f, EXPR_EQ, x, 98);
    assert_int_equal(ask(f, &c, 1), SOLVER_UNKNOWN);
    assert_int_equal(f->model.count, 0);
    assert_int_equal(layer(f, "validate")->wrong_models, 1);
    c = cmp(f, EXPR_EQ, x, 99);
    assert_int_equal(ask(f, &c, 1), SOLVER_SAT);
    assert_int_equal(solved(f, x), 99);
}

// A layer in front of validate once answered with models that did not satisfy the
// query when inputs overlapped; nothing had checked them.
static void validation_covers_every_layer_that_makes_models(void **state)
{
    struct fixture *f = *state;
    struct solver *whole = solver_new(f->pool, NULL);
    bool validated = false;
    for (const struct solver *l = whole; l; l = solver_next(l)) {
        if (strcmp(solver_name(l), "validate") == 0)
            validated = true;
        else if (strcmp(solver_name(l), "slice") != 0)
            assert_true(validated);
    }
    assert_true(validated);
    solver_free(whole);
}

// Limits.

// Factoring a product of two large primes: far beyond any limit used here.
static expr_id hard(struct fixture *f)
{
    expr_id x = expr_unary(f->pool, EXPR_ZEXT, 128, expr_input(f->pool, 0, 64));
    expr_id y = expr_unary(f->pool, EXPR_ZEXT, 128, expr_input(f->pool, 8, 64));
    expr_id both = expr_and(f->pool, cmp(f, EXPR_UGT, x, 1), cmp(f, EXPR_UGT, y, 1));
    unsigned __int128 n = (unsigned __int128)0xFFFFFFFFFFFFFFC5u * 0xFFFFFFFFFFFFFFADu;
    struct expr_value value = {(uint64_t)n, (uint64_t)(n >> 64)};
    return expr_and(f->pool, both,
                    expr_binary(f->pool, EXPR_EQ, expr_binary(f->pool, EXPR_MUL, x, y),
                                expr_const(f->pool, 128, value)));
}

static void use_limits(struct fixture *f, unsigned rlimit, unsigned timeout_ms)
{
    struct solver_options options = {.rlimit = rlimit,
                                     .timeout_ms = timeout_ms,
                                     .without = SOLVER_QUICK_LAYERS | SOLVER_LAYER(BITBLAST)};
    solver_free(f->solver);
    f->solver = solver_new(f->pool, &options);
}

// A running sum over `count` inputs.
static expr_id running_sum(struct fixture *f, uint32_t count)
{
    expr_id sum = expr_input(f->pool, 0, 8);
    for (uint32_t i = 1; i < count; i++)
        sum = expr_binary(f->pool, i % 2 ? EXPR_XOR : EXPR_ADD, sum, expr_input(f->pool, i, 8));
    return sum;
}

// Deeper than terms may be before they are cut.
static void deep_constraints_are_decided(void **state)
{
    struct fixture *f = *state;
    expr_id sum = running_sum(f, 2000);
    expr_id c = cmp(f, EXPR_EQ, sum, 77);
    assert_int_equal(ask(f, &c, 1), SOLVER_SAT);
    assert_int_equal(solved(f, sum), 77);
    expr_id no[] = {cmp(f, EXPR_EQ, sum, 77), cmp(f, EXPR_EQ, sum, 78)};
    assert_int_equal(ask(f, no, 2), SOLVER_UNSAT);
}

static void too_large_queries_are_not_tried(void **state)
{
    struct fixture *f = *state;
    expr_id c = cmp(f, EXPR_EQ, running_sum(f, 300000), 77);
    assert_int_equal(ask(f, &c, 1), SOLVER_UNKNOWN);
    assert_int_equal(layer(f, "z3")->too_large, 1);
    assert_false(solver_hit_clock(f->solver));
}

static void work_limits_give_unknown(void **state)
{
    struct fixture *f = *state;
    use_limits(f, 100000, 0);
    expr_id c = hard(f);
    assert_int_equal(ask(f, &c, 1), SOLVER_UNKNOWN);
    assert_false(solver_hit_clock(f->solver));
    c = cmp(f, EXPR_EQ, expr_input(f->pool, 0, 8), 3); // and the next query works
    assert_int_equal(ask(f, &c, 1), SOLVER_SAT);
}

static void the_clock_is_reported(void **state)
{
    struct fixture *f = *state;
    use_limits(f, 0, 50);
    expr_id c = hard(f);
    assert_int_equal(ask(f, &c, 1), SOLVER_UNKNOWN);
    assert_true(solver_hit_clock(f->solver));
    assert_int_equal(layer(f, "z3")->clock_hits, 1);
    c = cmp(f, EXPR_EQ, expr_input(f->pool, 0, 8), 3);
    assert_int_equal(ask(f, &c, 1), SOLVER_SAT);
    assert_false(solver_hit_clock(f->solver));
}

// The same queries give the same models, whatever contexts they meet.
static void models_are_reproducible(void **state)
{
    struct fixture *f = *state;
    expr_id x = expr_input(f->pool, 0, 32), y = expr_input(f->pool, 4, 32);
    uint64_t first[150];
    for (int round = 0; round < 2; round++) {
        solver_free(f->solver);
        struct solver_options options = SOLVER_OPTIONS_DEFAULT;
        options.without = SOLVER_QUICK_LAYERS | SOLVER_LAYER(BITBLAST);
        f->solver = solver_new(f->pool, &options);
        for (uint32_t i = 0; i < 150; i++) { // past the renewal of contexts
            expr_id c[] = {expr_binary(f->pool, EXPR_ULT, x, y),
                           cmp(f, EXPR_UGT, expr_binary(f->pool, EXPR_ADD, x, y), 1000 + i)};
            assert_int_equal(ask(f, c, 2), SOLVER_SAT);
            uint64_t value = solved(f, x) << 32 | solved(f, y);
            if (round)
                assert_int_equal(value, first[i]);
            first[i] = value;
        }
    }
}

// The printed script means the same as the query.
static const char *run_script(Z3_context context, struct fixture *f, expr_id constraint)
{
    struct buf script = BUF_INIT;
    expr_print_smt2(f->pool, &constraint, 1, &script);
    const char *answer = Z3_eval_smtlib2_string(context, buf_text(&script));
    buf_release(&script);
    return answer;
}

static void scripts_mean_the_query(void **state)
{
    struct fixture *f = *state;
    uint8_t bytes[4] = {5, 6, 7, 8};
    expr_id exprs[4] = {0, 0, expr_input(f->pool, 9, 8), 0};
    uint64_t table = expr_snapshot(f->pool, bytes, exprs, 4);
    expr_id x = expr_input(f->pool, 0, 32), y = expr_input(f->pool, 2, 32);
    expr_id at = expr_unary(f->pool, EXPR_ZEXT, 64, expr_input(f->pool, 8, 8));
    expr_id half = expr_binary(f->pool, EXPR_FDIV, x, expr_const64(f->pool, 32, 0x40000000));
    struct {
        expr_id id;
        const char *answer;
    } cases[] = {
        {cmp(f, EXPR_EQ, expr_binary(f->pool, EXPR_MUL, x, y), 35), "sat\n"},
        {expr_and(f->pool, cmp(f, EXPR_EQ, x, 0x11110000), cmp(f, EXPR_EQ, y, 0x2222)), "unsat\n"},
        {cmp(f, EXPR_EQ, expr_read(f->pool, table, at, 2), 0x0706), "sat\n"},
        {cmp(f, EXPR_EQ, expr_read(f->pool, table, at, 1), 99), "sat\n"},
        {cmp(f, EXPR_EQ, expr_read(f->pool, table, at, 4), 99), "unsat\n"},
        {cmp(f, EXPR_EQ, half, 0x40490FDB), "sat\n"},
        {expr_and(f->pool, cmp(f, EXPR_EQ, x, 0x7F800001), cmp(f, EXPR_NE, half, 0x7FC00001)),
         "unsat\n"},
        {expr_and(f->pool, cmp(f, EXPR_FOGT, x, 0x4F800000),
                  cmp(f, EXPR_NE, expr_unary(f->pool, EXPR_FPTOSI, 32, x), 0x80000000)),
         "unsat\n"},
        {cmp(f, EXPR_EQ, expr_unary(f->pool, EXPR_FPTOUI, 64, x), UINT64_C(1) << 63), "sat\n"},
        {expr_binary(f->pool, EXPR_FUNE, expr_binary(f->pool, EXPR_FMIN, x, x), x), "sat\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Z3_config config = Z3_mk_config();
        Z3_context context = Z3_mk_context(config);
        assert_string_equal(run_script(context, f, cases[i].id), cases[i].answer);
        assert_int_equal(ask(f, &cases[i].id, 1),
                         cases[i].answer[0] == 's' ? SOLVER_SAT : SOLVER_UNSAT);
        Z3_del_context(context);
        Z3_del_config(config);
    }
}

int test_solver(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        T(solves_an_equation),
        T(solves_wide_values),
        T(solves_table_lookups),
        T(solves_floats),
        T(overlapping_inputs_agree),
        T(a_model_may_grow_the_input),
        T(only_connected_constraints_are_kept),
        T(tables_connect_their_bytes),
        T(a_flipped_duplicate_is_unsatisfiable),
        T(long_paths_are_sliced_quickly),
        T(deep_constraints_are_decided),
        T(too_large_queries_are_not_tried),
        T(a_wrong_model_is_never_accepted),
        T(validation_covers_every_layer_that_makes_models),
        T(work_limits_give_unknown),
        T(the_clock_is_reported),
        T(models_are_reproducible),
        T(scripts_mean_the_query),
    };
#undef T
    return cmocka_run_group_tests_name("solver", tests, NULL, NULL);
}
