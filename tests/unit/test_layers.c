// SPDX-License-Identifier: Apache-2.0
// Unit tests of the layers in front of the backends: each alone, with what it must
// answer, what it must leave to others, and models near the parent's values.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/arena.h"
#include "base/fs.h"
#include "expr/eval.h"
#include "expr/smt2_read.h"
#include "solver/distance.h"
#include "solver/propagate.h"
#include "solver/ranges.h"
#include "solver/solver_internal.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

struct fixture {
    struct expr_pool *pool;
    struct solver *solver;
    struct solver_model model;
    uint8_t input[32];
};

static int setup(void **state)
{
    struct fixture *f = xcalloc(1, sizeof *f);
    f->pool = expr_pool_new();
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;
    solver_model_release(&f->model);
    solver_free(f->solver);
    expr_pool_free(f->pool);
    free(f);
    return 0;
}

// Only these layers.
static void use(struct fixture *f, unsigned layers)
{
    struct solver_options options = SOLVER_OPTIONS_DEFAULT;
    options.without = ((1u << SOLVER_LAYER_COUNT) - 1) & ~layers;
    solver_free(f->solver);
    f->solver = solver_new(f->pool, &options);
}

static enum solver_answer ask(struct fixture *f, const expr_id *constraints, size_t count)
{
    struct solver_query query = {constraints, count, f->input, sizeof f->input, NULL};
    return solver_check(f->solver, &query, &f->model);
}

static uint64_t solved(struct fixture *f, expr_id id)
{
    struct buf merged = BUF_INIT;
    struct eval eval;
    buf_add(&merged, f->input, sizeof f->input);
    solver_apply_model(&f->model, &merged);
    eval_init(&eval, f->pool);
    eval_begin(&eval, (const uint8_t *)merged.data, merged.length);
    uint64_t value = eval_expr(&eval, id).low;
    eval_release(&eval);
    buf_release(&merged);
    return value;
}

static expr_id in(struct fixture *f, uint32_t offset, unsigned width)
{
    return expr_input(f->pool, offset, width);
}

static expr_id op(struct fixture *f, enum expr_op what, expr_id a, uint64_t value)
{
    return expr_binary(f->pool, what, a, expr_const64(f->pool, expr_get(f->pool, a)->width, value));
}

static expr_id both(struct fixture *f, enum expr_op what, expr_id a, expr_id b)
{
    return expr_binary(f->pool, what, a, b);
}

static bool sat(struct fixture *f, expr_id constraint)
{
    return ask(f, &constraint, 1) == SOLVER_SAT && solved(f, constraint) == 1;
}

// ---- ranges ----

static void expect_members(const struct ranges *r, bool (*member)(uint64_t))
{
    for (uint64_t v = 0; v < 256; v++)
        assert_int_equal(ranges_contain(r, v), member(v));
}

static bool signed_below_5(uint64_t v)
{
    return (int8_t)v < 5;
}
static bool not_7(uint64_t v)
{
    return v != 7;
}
static bool shifted(uint64_t v)
{
    return (uint8_t)(v + 250) < 10;
}
static bool outside(uint64_t v)
{
    return v < 10 || v > 20;
}

static void ranges_are_sets(void **state)
{
    (void)state;
    struct ranges r = ranges_compare(EXPR_SLT, 8, 5);
    expect_members(&r, signed_below_5);
    r = ranges_compare(EXPR_NE, 8, 7);
    expect_members(&r, not_7);
    r = ranges_compare(EXPR_ULT, 8, 10);
    r = ranges_subtract(&r, 250);
    expect_members(&r, shifted);
    struct ranges a = ranges_compare(EXPR_ULT, 8, 10), b = ranges_compare(EXPR_UGT, 8, 20);
    r = ranges_union(&a, &b);
    expect_members(&r, outside);
    assert_int_equal(ranges_nearest(&r, 12), 9);
    assert_int_equal(ranges_nearest(&r, 19), 21);
    assert_int_equal(ranges_nearest(&r, 200), 200);
    assert_int_equal(ranges_intersect(&a, &b).count, 0);
    assert_int_equal(ranges_compare(EXPR_ULT, 64, 0).count, 0);
    assert_int_equal(ranges_compare(EXPR_ULE, 64, UINT64_MAX).count, 1);
    r = ranges_compare(EXPR_SGE, 32, (uint32_t)-5); // sext(x) >= -5 for 8-bit x
    r = ranges_unsext(&r, 8);
    assert_true(ranges_contain(&r, 0xFB) && !ranges_contain(&r, 0xFA) && ranges_contain(&r, 127));
}

static void too_many_ranges_are_not_exact(void **state)
{
    (void)state;
    struct ranges r = ranges_between(32, 1, 0);
    for (uint64_t i = 0; i < SOLVER_RANGES; i++) {
        struct ranges one = ranges_between(32, 10 * i, 10 * i);
        r = ranges_union(&r, &one);
    }
    assert_true(r.exact);
    struct ranges one = ranges_between(32, 1000, 1000);
    r = ranges_union(&r, &one);
    assert_false(r.exact);
    assert_true(ranges_contain(&r, 1000)); // larger, never smaller
    assert_true(ranges_contain(&r, 10));
}

// ---- syntax ----

static void syntax_finds_negations(void **state)
{
    struct fixture *f = *state;
    use(f, SOLVER_LAYER(SYNTAX));
    expr_id x = in(f, 0, 32), y = in(f, 4, 32);
    expr_id less = both(f, EXPR_ULT, x, y), other = op(f, EXPR_EQ, both(f, EXPR_MUL, x, y), 6);
    expr_id duplicate[] = {less, other, expr_not(f->pool, less)};
    assert_int_equal(ask(f, duplicate, 3), SOLVER_UNSAT);
    expr_id inside[] = {expr_and(f->pool, less, other), expr_not(f->pool, other)};
    assert_int_equal(ask(f, inside, 2), SOLVER_UNSAT);
    expr_id part[] = {less, expr_and(f->pool, other, expr_not(f->pool, less))};
    assert_int_equal(ask(f, part, 2), SOLVER_UNSAT);
    expr_id strict[] = {less, both(f, EXPR_ULT, y, x)};
    assert_int_equal(ask(f, strict, 2), SOLVER_UNSAT);
    expr_id equal[] = {less, both(f, EXPR_EQ, x, y)};
    assert_int_equal(ask(f, equal, 2), SOLVER_UNSAT);
    expr_id no = expr_false(f->pool);
    assert_int_equal(ask(f, &no, 1), SOLVER_UNSAT);
    expr_id fine[] = {less, other};
    assert_int_equal(ask(f, fine, 2), SOLVER_UNKNOWN);
    expr_id either[] = {expr_or(f->pool, less, other), expr_not(f->pool, other)};
    assert_int_equal(ask(f, either, 2), SOLVER_UNKNOWN);
}

// ---- domains ----

static void domains_decide_single_inputs(void **state)
{
    struct fixture *f = *state;
    use(f, SOLVER_LAYER(DOMAINS));
    expr_id x = in(f, 0, 32), c = in(f, 4, 8);
    expr_id good[] = {op(f, EXPR_SGT, x, 10), op(f, EXPR_NE, x, 11),
                      op(f, EXPR_EQ, op(f, EXPR_AND, c, 7), 5)};
    assert_int_equal(ask(f, good, 3), SOLVER_SAT);
    assert_int_equal(solved(f, x), 12); // the nearest to the parent's 0
    assert_int_equal(solved(f, c) & 7, 5);
    expr_id bad[] = {op(f, EXPR_ULT, x, 10), op(f, EXPR_UGT, x, 12)};
    assert_int_equal(ask(f, bad, 2), SOLVER_UNSAT);
    expr_id odd[] = {op(f, EXPR_EQ, op(f, EXPR_AND, c, 1), 1),
                     op(f, EXPR_EQ, op(f, EXPR_AND, c, 3), 2)};
    assert_int_equal(ask(f, odd, 2), SOLVER_UNSAT);
    expr_id digit = expr_and(f->pool, op(f, EXPR_UGE, c, '0'), op(f, EXPR_ULE, c, '9'));
    expr_id letter[] = {expr_not(f->pool, digit), op(f, EXPR_UGT, c, 'z' - 2),
                        op(f, EXPR_ULT, c, 'z')};
    assert_int_equal(ask(f, letter, 3), SOLVER_SAT);
    assert_int_equal(solved(f, c), 'y');
    expr_id negative = op(f, EXPR_SLT, x, 0);
    assert_true(sat(f, negative));
    assert_int_equal(solved(f, x), UINT32_MAX);
}

static void domains_work_on_terms(void **state)
{
    struct fixture *f = *state;
    use(f, SOLVER_LAYER(DOMAINS));
    expr_id sum = both(f, EXPR_MUL, in(f, 0, 32), in(f, 4, 32));
    expr_id bad[] = {op(f, EXPR_ULT, sum, 10), op(f, EXPR_UGT, op(f, EXPR_SUB, sum, 1), 20)};
    assert_int_equal(ask(f, bad, 2), SOLVER_UNKNOWN); // 0 - 1 is large
    bad[1] = op(f, EXPR_UGT, op(f, EXPR_ADD, sum, 1), 20);
    assert_int_equal(ask(f, bad, 2), SOLVER_UNSAT);
    bad[1] = op(f, EXPR_UGT, sum, 20);
    assert_int_equal(ask(f, bad, 2), SOLVER_UNSAT);
    expr_id open[] = {op(f, EXPR_ULT, sum, 10), op(f, EXPR_UGT, sum, 5)};
    assert_int_equal(ask(f, open, 2), SOLVER_UNKNOWN); // no input of its own
}

static void domains_do_not_trust_overlapping_inputs(void **state)
{
    struct fixture *f = *state;
    use(f, SOLVER_LAYER(DOMAINS));
    expr_id c[] = {op(f, EXPR_EQ, in(f, 0, 32), 0x01020304), op(f, EXPR_EQ, in(f, 2, 8), 9)};
    assert_int_equal(ask(f, c, 2), SOLVER_UNKNOWN);
    expr_id apart[] = {op(f, EXPR_EQ, in(f, 0, 16), 0x0102), op(f, EXPR_EQ, in(f, 2, 8), 9)};
    assert_int_equal(ask(f, apart, 2), SOLVER_SAT);
}

// ---- cache ----

static const struct solver_stats *layer(struct fixture *f, const char *name)
{
    for (const struct solver *l = f->solver; l; l = solver_next(l))
        if (strcmp(solver_name(l), name) == 0)
            return solver_statistics(l);
    return NULL;
}

static void the_cache_reuses_models_and_contradictions(void **state)
{
    struct fixture *f = *state;
    use(f, SOLVER_LAYER(CACHE) | SOLVER_LAYER(BITBLAST));
    expr_id x = in(f, 0, 32), y = in(f, 4, 32);
    expr_id product = op(f, EXPR_EQ, both(f, EXPR_MUL, x, y), 391), large = op(f, EXPR_UGT, x, 1);
    expr_id other = op(f, EXPR_UGT, y, 1), never = op(f, EXPR_EQ, both(f, EXPR_MUL, x, y), 392);
    expr_id three[] = {large, other, product};
    assert_int_equal(ask(f, three, 3), SOLVER_SAT);
    assert_true(sat(f, product)); // a part of it: the same model
    assert_int_equal(layer(f, "bitblast")->queries, 1);
    expr_id clash[] = {product, never};
    assert_int_equal(ask(f, clash, 2), SOLVER_UNSAT);
    expr_id more[] = {never, large, other, product}; // contains what clashed
    assert_int_equal(ask(f, more, 4), SOLVER_UNSAT);
    assert_int_equal(layer(f, "bitblast")->queries, 2);
    expr_id less[] = {large, never}; // contains only half of it
    assert_int_equal(ask(f, less, 2), SOLVER_SAT);
    assert_int_equal(layer(f, "bitblast")->queries, 3);
}

// ---- inversion ----

static void inversion_computes_backwards(void **state)
{
    struct fixture *f = *state;
    use(f, SOLVER_LAYER(INVERT));
    expr_id x = in(f, 0, 32), y = in(f, 4, 16), wide = expr_unary(f->pool, EXPR_ZEXT, 32, y);
    assert_true(
        sat(f, op(f, EXPR_EQ, op(f, EXPR_ADD, op(f, EXPR_MUL, x, 2654435761u), 12345), 99)));
    assert_true(sat(f, op(f, EXPR_EQ, op(f, EXPR_XOR, op(f, EXPR_SUB, x, 7), 0xFF00), 1)));
    assert_true(sat(f, op(f, EXPR_EQ, op(f, EXPR_LSHR, x, 13), 0x1ABC)));
    assert_true(sat(f, op(f, EXPR_EQ, op(f, EXPR_SHL, x, 3), 88)));
    assert_true(sat(f, op(f, EXPR_EQ, op(f, EXPR_ASHR, x, 4), (uint32_t)-3)));
    assert_true(sat(f, op(f, EXPR_EQ, op(f, EXPR_UDIV, x, 60), 59)));
    assert_true(sat(f, op(f, EXPR_EQ, op(f, EXPR_SDIV, x, 7), (uint32_t)-11)));
    assert_true(sat(f, op(f, EXPR_EQ, op(f, EXPR_SREM, x, 100), 42)));
    assert_true(sat(f, op(f, EXPR_EQ, op(f, EXPR_UREM, x, 7), 3)));
    assert_true(sat(f, op(f, EXPR_EQ, op(f, EXPR_AND, x, 0xF0F0), 0x3010)));
    assert_true(sat(f, op(f, EXPR_EQ, op(f, EXPR_OR, x, 1), 0x77)));
    assert_true(sat(f, op(f, EXPR_UGT, op(f, EXPR_MUL, wide, 3), 1000)));
    assert_true(sat(f, op(f, EXPR_EQ, expr_unary(f->pool, EXPR_SEXT, 64, x), (uint64_t)-5)));
    expr_id bytes =
        expr_concat(f->pool, in(f, 8, 8), expr_concat(f->pool, in(f, 9, 8), in(f, 10, 8)));
    assert_true(sat(f, op(f, EXPR_EQ, bytes, 0xABCDEF)));
    assert_true(sat(f, op(f, EXPR_SLT, x, (uint32_t)-100)));
    expr_id both_halves = expr_and(f->pool, op(f, EXPR_EQ, expr_extract(f->pool, x, 0, 8), 5),
                                   op(f, EXPR_EQ, expr_extract(f->pool, x, 8, 8), 6));
    assert_true(sat(f, both_halves));
}

static void inversion_takes_the_nearest_value(void **state)
{
    struct fixture *f = *state;
    use(f, SOLVER_LAYER(INVERT));
    expr_id x = in(f, 0, 32);
    assert_true(sat(f, op(f, EXPR_SGT, x, 0)));
    assert_int_equal(solved(f, x), 1);
    assert_true(sat(f, op(f, EXPR_SLT, x, 0)));
    assert_int_equal(solved(f, x), UINT32_MAX);
}

static void inversion_looks_up_tables(void **state)
{
    struct fixture *f = *state;
    uint32_t words[64];
    for (uint32_t i = 0; i < 64; i++)
        words[i] = i * 2654435761u;
    uint64_t table = expr_snapshot(f->pool, (const uint8_t *)words, NULL, sizeof words);
    use(f, SOLVER_LAYER(INVERT));
    expr_id index = expr_unary(f->pool, EXPR_ZEXT, 64, in(f, 0, 8));
    expr_id read = expr_read(f->pool, table, op(f, EXPR_SHL, index, 2), 4);
    assert_true(sat(f, op(f, EXPR_EQ, read, words[37])));
    assert_int_equal(solved(f, in(f, 0, 8)), 37);
    expr_id none = op(f, EXPR_EQ, read, 12345);
    assert_int_equal(ask(f, &none, 1), SOLVER_UNKNOWN);
}

static void inversion_only_answers_for_the_whole_query(void **state)
{
    struct fixture *f = *state;
    use(f, SOLVER_LAYER(INVERT));
    expr_id x = in(f, 0, 32), y = in(f, 4, 32);
    expr_id clash[] = {op(f, EXPR_ULT, x, 5), op(f, EXPR_EQ, x, 9)};
    assert_int_equal(ask(f, clash, 2), SOLVER_UNKNOWN);
    expr_id stays[] = {both(f, EXPR_EQ, x, y), op(f, EXPR_UGT, x, 0)};
    assert_int_equal(ask(f, stays, 2), SOLVER_UNKNOWN); // needs both inputs: for the next layer
}

// ---- local search ----

static void local_search_repairs_several_constraints(void **state)
{
    struct fixture *f = *state;
    use(f, SOLVER_LAYER(LOCAL));
    expr_id x = in(f, 0, 32), y = in(f, 4, 32), z = in(f, 8, 32);
    expr_id c[] = {both(f, EXPR_SLE, x, y), both(f, EXPR_SLE, y, z),
                   op(f, EXPR_EQ, both(f, EXPR_ADD, x, z), 1000), op(f, EXPR_SGT, x, 100)};
    assert_int_equal(ask(f, c, 4), SOLVER_SAT);
    for (size_t i = 0; i < COUNT(c); i++)
        assert_int_equal(solved(f, c[i]), 1);
    expr_id never[] = {both(f, EXPR_ULT, x, y), both(f, EXPR_ULT, y, x)};
    assert_int_equal(ask(f, never, 2), SOLVER_UNKNOWN);
}

static void local_search_is_deterministic(void **state)
{
    struct fixture *f = *state;
    expr_id x = in(f, 0, 32), y = in(f, 4, 32);
    expr_id c[] = {both(f, EXPR_SLT, x, y),
                   op(f, EXPR_EQ, op(f, EXPR_AND, both(f, EXPR_XOR, x, y), 255), 77),
                   op(f, EXPR_UGT, both(f, EXPR_MUL, x, y), 123456)};
    uint64_t first = 0;
    for (int round = 0; round < 3; round++) {
        use(f, SOLVER_LAYER(LOCAL));
        assert_int_equal(ask(f, c, 3), SOLVER_SAT);
        uint64_t now = solved(f, x) << 32 | solved(f, y);
        assert_true(round == 0 || now == first);
        first = now;
    }
}

static expr_id number(struct fixture *f, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return expr_const64(f->pool, 64, bits);
}

static void local_search_solves_floats(void **state)
{
    struct fixture *f = *state;
    use(f, SOLVER_LAYER(LOCAL));
    expr_id x = in(f, 0, 64), y = in(f, 8, 64);
    expr_id u = both(f, EXPR_FADD, both(f, EXPR_FMUL, x, number(f, 2.5)), y);
    expr_id window[] = {both(f, EXPR_FOGT, u, number(f, 11.75)),
                        both(f, EXPR_FOLT, u, number(f, 11.875))};
    assert_int_equal(ask(f, window, 2), SOLVER_SAT);
    expr_id nan[] = {both(f, EXPR_FUNE, x, x), both(f, EXPR_FOGT, y, number(f, 0))};
    assert_int_equal(ask(f, nan, 2), SOLVER_SAT);
    expr_id zero[] = {both(f, EXPR_FOEQ, x, number(f, 0)),
                      both(f, EXPR_FOLT, both(f, EXPR_FDIV, number(f, 1), x), number(f, 0))};
    assert_int_equal(ask(f, zero, 2), SOLVER_SAT);
    assert_int_equal(solved(f, x), UINT64_C(1) << 63);
    expr_id infinite[] = {both(f, EXPR_FOGT, x, number(f, 1e300)),
                          both(f, EXPR_FOEQ, both(f, EXPR_FMUL, x, number(f, 0.5)), x)};
    assert_int_equal(ask(f, infinite, 2), SOLVER_SAT);
    expr_id never[] = {both(f, EXPR_FOLT, x, number(f, 1)), both(f, EXPR_FOGT, x, number(f, 2))};
    assert_int_equal(ask(f, never, 2), SOLVER_UNKNOWN);
}

static void distances_lead_to_the_goal(void **state)
{
    struct fixture *f = *state;
    struct flat flat;
    expr_id x = in(f, 0, 32), c[] = {op(f, EXPR_ULT, x, 10)};
    uint64_t last = UINT64_MAX;
    flat_init(&flat, f->pool);
    flat_compile(&flat, c, 1, f->input, sizeof f->input);
    assert_int_equal(distance_total(&flat), 0);
    for (uint32_t v = 1u << 31; v > 9; v = v / 2 + v / 4) {
        flat_set(&flat, 0, v);
        assert_true(distance_total(&flat) < last);
        last = distance_total(&flat);
        assert_true(last > 0);
    }
    flat_release(&flat);
    assert_int_equal(distance_unorder(distance_order(0x80000000, 32), 32), 0x80000000);
    assert_true(distance_order(0xBF800000, 32) < distance_order(0x3F800000, 32));
}

// ---- optimistic solving ----

struct picky { // gives up on more than `limit` constraints
    struct solver base;
    size_t limit;
    uint32_t value;
    bool late; // because of the clock
};

static enum solver_answer picky_check(struct solver *solver, const struct solver_query *query,
                                      struct solver_model *model)
{
    struct picky *p = (struct picky *)solver;
    solver->hit_clock = p->late && query->count > p->limit;
    if (query->count > p->limit)
        return SOLVER_UNKNOWN;
    solver_model_set(model, 0, 32, (struct expr_value){p->value, 0});
    return SOLVER_SAT;
}

static void picky_free(struct solver *solver)
{
    free(solver);
}

static void optimism_is_checked(void **state)
{
    static const struct solver_ops ops = {"picky", picky_check, picky_free};
    struct fixture *f = *state;
    struct picky *p = xcalloc(1, sizeof *p);
    *p = (struct picky){.base = {.ops = &ops, .pool = f->pool}, .limit = 1, .value = 20};
    f->solver = solver_optimistic_new(f->pool, &p->base);
    expr_id x = in(f, 0, 32), y = in(f, 4, 32);
    expr_id c[] = {both(f, EXPR_UGE, x, y), op(f, EXPR_UGT, x, 10)};
    assert_int_equal(ask(f, c, 2), SOLVER_SAT); // x = 20 for the last one fits the whole
    assert_int_equal(solved(f, x), 20);
    expr_id misfit[] = {both(f, EXPR_ULE, x, y), op(f, EXPR_UGT, x, 10)};
    assert_int_equal(ask(f, misfit, 2), SOLVER_UNKNOWN);
    assert_int_equal(f->model.count, 0);
    assert_false(solver_hit_clock(f->solver));
    p->late = true; // an answer that is there only because the clock stopped another one
    assert_int_equal(ask(f, c, 2), SOLVER_SAT);
    assert_true(solver_hit_clock(f->solver));
}

// ---- the chain ----

static void layers_can_be_chosen(void **state)
{
    (void)state;
    unsigned without = 0;
    struct buf bad = BUF_INIT;
    assert_true(solver_parse_layers("all", &without, &bad));
    assert_int_equal(without, 0);
    assert_true(solver_parse_layers("-cache,-local", &without, &bad));
    assert_int_equal(without, SOLVER_LAYER(CACHE) | SOLVER_LAYER(LOCAL));
    assert_true(solver_parse_layers("slice,z3", &without, &bad));
    assert_int_equal(without & (SOLVER_LAYER(SLICE) | SOLVER_LAYER(Z3)), 0);
    assert_true(without & SOLVER_LAYER(VALIDATE));
    assert_false(solver_parse_layers("slice,nonsense,z3", &without, &bad));
    assert_string_equal(buf_text(&bad), "nonsense");
    buf_release(&bad);
}

static void queries_are_recorded(void **state)
{
    struct fixture *f = *state;
    char directory[] = "/tmp/cz-queries-XXXXXX";
    struct buf path = BUF_INIT, text = BUF_INIT;
    struct error err = {0};
    struct smt2_query back;
    assert_non_null(mkdtemp(directory));
    struct solver_options options = SOLVER_OPTIONS_DEFAULT;
    options.dump_directory = directory;
    options.dump_name = "task";
    f->solver = solver_new(f->pool, &options);
    f->input[3] = 0xA5;
    expr_id x = in(f, 0, 32), c[] = {op(f, EXPR_ULT, in(f, 8, 8), 5), op(f, EXPR_EQ, x, 7)};
    assert_int_equal(ask(f, c, 2), SOLVER_SAT);
    buf_printf(&path, "%s/task-000001.smt2", directory);
    assert_true(fs_read(path.data, &text, &err));
    assert_true(smt2_read(f->pool, text.data, text.length, &back, &err));
    assert_int_equal(back.count, 1); // what slicing kept
    assert_int_equal(back.constraints[0], c[1]);
    assert_int_equal((uint8_t)back.input.data[3], 0xA5);
    smt2_query_release(&back);
    assert_true(fs_remove_tree(directory, &err));
    buf_release(&path);
    buf_release(&text);
}

static enum solver_answer sleepy_check(struct solver *solver, const struct solver_query *query,
                                       struct solver_model *model)
{
    (void)solver;
    (void)model;
    if (query->count > 1)
        usleep(20000);
    return SOLVER_UNSAT;
}

static void slow_queries_are_written(void **state)
{
    static const struct solver_ops ops = {"sleepy", sleepy_check, picky_free};
    struct fixture *f = *state;
    char directory[] = "/tmp/cz-queries-XXXXXX";
    struct buf path = BUF_INIT, text = BUF_INIT;
    struct error err = {0};
    assert_non_null(mkdtemp(directory));
    struct solver_options options = {
        .slow_directory = directory, .slow_ms = 10, .dump_name = "task"};
    struct solver *sleepy = xcalloc(1, sizeof *sleepy);
    *sleepy = (struct solver){.ops = &ops, .pool = f->pool};
    f->solver = solver_record_new(f->pool, &options, sleepy);
    expr_id x = in(f, 0, 32), c[] = {op(f, EXPR_ULT, x, 9), op(f, EXPR_EQ, x, 7)};
    assert_int_equal(ask(f, c, 2), SOLVER_UNSAT);
    buf_printf(&path, "%s/slow-task-001.smt2", directory);
    assert_true(fs_read(path.data, &text, &err));
    assert_non_null(strstr(text.data, "; unsat after 0."));
    assert_int_equal(solver_slow_queries(f->solver), 1);
    assert_true(fs_remove_tree(directory, &err));
    buf_release(&path);
    buf_release(&text);
}

static void damaged_scripts_are_errors(void **state)
{
    struct fixture *f = *state;
    static const char *const texts[] = {
        "(assert (= e5 #b1))",
        "(define-fun e1 () (_ BitVec 8) (bvadd #b1 #b11111111))",
        "(define-fun e1 () (_ BitVec 8) #b00000000",
        "(declare-fun x () (_ BitVec 8))",
        "(define-fun e1 () (_ BitVec 8) (bvfrob #b1 #b1))",
        "(push 1)",
        ")",
        "(define-fun e1 () (_ BitVec 8) (ite #b1 #b1))",
        "(define-fun e1 () (_ BitVec 8) ((_ extract 9 0) #b1))",
        "(define-fun e1)",
        "(declare-fun)",
        "(define-fun e1 () (_ BitVec 8) #)",
        "(define-fun e1 () (_ BitVec 8) #b12)",
        "(define-fun e1 () (_ BitVec 8) (not #b11))",
        "(define-fun e1 () (_ BitVec 8) (not RNE))",
        "(define-fun e1 () (_ BitVec 8) (fp.sqrt RNE #b11))",
        "(define-fun e1 () (_ BitVec 8) (fp.isNaN #b11))",
        "(define-fun e1 () (_ BitVec 8) ((_ to_fp 8 24) RNE ((_ to_fp 8 24) #b11)))",
        "(define-fun e1 () (_ BitVec 8) (let ((t (fp.rem (fp.abs #b1) (fp.abs #b11)))) t))",
        "(define-fun r1_0 () (_ BitVec 0) (_ bv0 8))(define-fun e1 () (_ BitVec 0) r1_0)",
    };
    for (size_t i = 0; i < COUNT(texts); i++) {
        struct smt2_query back;
        struct error err = {0};
        assert_false(smt2_read(f->pool, texts[i], strlen(texts[i]), &back, &err));
        assert_non_null(strstr(err.text, "line 1"));
    }
}

// A query of many nodes must cost time in proportion, and no recursion.
static void large_queries_pass_all_layers(void **state)
{
    struct fixture *f = *state;
    struct solver_options options = SOLVER_OPTIONS_DEFAULT;
    f->solver = solver_new(f->pool, &options);
    expr_id sum = in(f, 0, 8);
    for (uint32_t i = 1; i < 60000; i++)
        sum = both(f, i % 2 ? EXPR_XOR : EXPR_ADD, sum, in(f, i % 32, 8));
    expr_id c[] = {op(f, EXPR_NE, sum, 3), op(f, EXPR_EQ, sum, 77)};
    enum solver_answer answer = ask(f, c, 2);
    assert_true(answer == SOLVER_SAT ? solved(f, sum) == 77 : answer == SOLVER_UNKNOWN);
    expr_id any = expr_true(f->pool);
    for (uint32_t i = 0; i < 20000; i++) // a long conjunction, as of a switch's default
        any = expr_and(f->pool, any, op(f, EXPR_NE, in(f, 0, 32), i));
    assert_true(sat(f, any));
}

int test_layers(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_are_sets),
        cmocka_unit_test(too_many_ranges_are_not_exact),
        TEST(syntax_finds_negations),
        TEST(domains_decide_single_inputs),
        TEST(domains_work_on_terms),
        TEST(domains_do_not_trust_overlapping_inputs),
        TEST(the_cache_reuses_models_and_contradictions),
        TEST(inversion_computes_backwards),
        TEST(inversion_takes_the_nearest_value),
        TEST(inversion_looks_up_tables),
        TEST(inversion_only_answers_for_the_whole_query),
        TEST(local_search_repairs_several_constraints),
        TEST(local_search_is_deterministic),
        TEST(local_search_solves_floats),
        TEST(distances_lead_to_the_goal),
        TEST(optimism_is_checked),
        cmocka_unit_test(layers_can_be_chosen),
        TEST(queries_are_recorded),
        TEST(slow_queries_are_written),
        TEST(damaged_scripts_are_errors),
        TEST(large_queries_pass_all_layers),
    };
#undef TEST
    return cmocka_run_group_tests_name("layers", tests, NULL, NULL);
}
