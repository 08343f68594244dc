// SPDX-License-Identifier: Apache-2.0
// Unit tests of the bit-blasting backend. Circuits are checked in two ways: by the
// values that the gates have on the parent input, which is cheap enough for every
// operation, width and pair of corner values, and by the SAT solver with the inputs
// fixed, which checks the clauses. Then models, cores, limits and reproducibility.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/arena.h"
#include "base/rng.h"
#include "expr/eval.h"
#include "expr/value.h"
#include "solver/bitblast.h"
#include "solver/blast.h"
#include "solver/cnf.h"
#include "solver/solver_internal.h"
#include <stdlib.h>
#include <string.h>

#define COUNT(a)    (sizeof(a) / sizeof *(a))
#define INPUT_BYTES 64

static const unsigned all_widths[] = {1, 2, 7, 8, 16, 31, 32, 33, 64, 65, 127, 128};

struct fixture {
    struct expr_pool *pool;
    struct solver *solver; // the backend alone
    struct solver_model model;
    struct eval eval;
    struct blast blast;
    uint8_t input[INPUT_BYTES];
};

static struct fixture *fixture_new(const struct solver_options *options)
{
    struct fixture *f = xcalloc(1, sizeof *f);
    f->pool = expr_pool_new();
    expr_pool_simplify(f->pool, false); // the operation itself, not what it becomes
    f->solver = solver_bitblast_new(f->pool, options, NULL);
    eval_init(&f->eval, f->pool);
    blast_init(&f->blast, f->pool, 0);
    return f;
}

static int setup(void **state)
{
    struct solver_options options = SOLVER_OPTIONS_DEFAULT;
    *state = fixture_new(&options);
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;
    solver_model_release(&f->model);
    solver_free(f->solver);
    eval_release(&f->eval);
    blast_release(&f->blast);
    expr_pool_free(f->pool);
    free(f);
    return 0;
}

static enum solver_answer ask(struct fixture *f, const expr_id *constraints, size_t count)
{
    struct solver_query query = {.constraints = constraints,
                                 .count = count,
                                 .input = f->input,
                                 .input_size = sizeof f->input};
    return solver_check(f->solver, &query, &f->model);
}

// The evaluator's value on the input merged with the model.
static expr_u128 solved(struct fixture *f, expr_id id)
{
    struct buf merged = BUF_INIT;
    buf_add(&merged, f->input, sizeof f->input);
    solver_apply_model(&f->model, &merged);
    eval_begin(&f->eval, (const uint8_t *)merged.data, merged.length);
    expr_u128 value = value_wide(eval_expr(&f->eval, id));
    buf_release(&merged);
    return value;
}

static expr_id number(struct fixture *f, unsigned width, expr_u128 value)
{
    return expr_const(f->pool, width, value_pair(value_cut(value, width)));
}

static expr_id cmp(struct fixture *f, enum expr_op op, expr_id a, expr_u128 value)
{
    return expr_binary(f->pool, op, a, number(f, expr_get(f->pool, a)->width, value));
}

// An operand of any width at input byte 16 * index.
static expr_id operand(struct fixture *f, unsigned index, unsigned width)
{
    static const unsigned sizes[] = {8, 16, 32, 64, 128};
    size_t i = 0;
    while (sizes[i] < width)
        i++;
    expr_id input = expr_input(f->pool, 16 * index, sizes[i]);
    return width == sizes[i] ? input : expr_unary(f->pool, EXPR_TRUNC, width, input);
}

static void put(struct fixture *f, unsigned index, expr_u128 value)
{
    memcpy(f->input + 16 * index, &value, sizeof value);
}

// Circuits by the values of their gates.

static void check_gates(struct fixture *f, expr_id id, const char *what)
{
    const struct expr *e = expr_get(f->pool, id);
    blast_begin(&f->blast, f->input, sizeof f->input);
    eval_begin(&f->eval, f->input, sizeof f->input);
    expr_u128 expected = value_wide(eval_expr(&f->eval, id)), got = 0;
    for (unsigned i = 0; i < e->width; i++) {
        expr_id bit_id = e->width == 1 ? id : expr_extract(f->pool, id, i, 1);
        lit bit;
        assert_true(blast_bit(&f->blast, bit_id, &bit));
        got |= (expr_u128)gates_value(&f->blast.gates, bit) << i;
    }
    for (size_t i = 1; i < f->blast.gates.sides.count; i++)
        assert_true(gates_value(&f->blast.gates, f->blast.gates.sides.items[i]));
    if (got != expected)
        fail_msg("%s %s of width %u: %llx:%llx instead of %llx:%llx", what, expr_op_text(e->op),
                 e->width, (unsigned long long)(got >> 64), (unsigned long long)got,
                 (unsigned long long)(expected >> 64), (unsigned long long)expected);
}

static size_t corner_values(unsigned width, struct rng *rng, expr_u128 out[12])
{
    expr_u128 ones = value_ones(width), top = (expr_u128)1 << (width - 1);
    expr_u128 noise = (expr_u128)rng_next(rng) << 64 | rng_next(rng);
    expr_u128 all[] = {0,     ones,        top, 1,       width,    width - 1,
                       noise, noise >> 64, 7,   top + 1, ones - 1, width + 1};
    size_t count = width > 64 ? 7 : COUNT(all);
    for (size_t i = 0; i < count; i++)
        out[i] = value_cut(all[i], width);
    return count;
}

static void check_pairs(struct fixture *f, enum expr_op op, unsigned width, struct rng *rng)
{
    expr_u128 values[12];
    size_t count = corner_values(width, rng, values);
    bool slow = op >= EXPR_MUL && op <= EXPR_SREM && width > 64;
    expr_id a = operand(f, 0, width), b = operand(f, 1, width);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < count; k++) {
            if (slow && (i + 3 * k + op) % 7)
                continue;
            put(f, 0, values[i]);
            put(f, 1, values[k]);
            check_gates(f, expr_binary(f->pool, op, a, b), "symbolic");
            expr_id number_k = number(f, width, values[k]);
            check_gates(f, expr_binary(f->pool, op, a, number_k), "by a constant");
            if (i == k)
                check_gates(f, expr_binary(f->pool, op, number_k, b), "of a constant");
        }
}

static void every_operation_has_its_values(void **state)
{
    struct fixture *f = *state;
    struct rng rng = {1};
    for (enum expr_op op = EXPR_ADD; op <= EXPR_SLE; op++)
        for (size_t w = 0; w < COUNT(all_widths); w++)
            check_pairs(f, op, all_widths[w], &rng);
}

// Operands with known bits take other ways through the circuits.
static void extended_operands_have_their_values(void **state)
{
    static const unsigned narrow[] = {1, 5, 8, 16, 32, 64};
    struct fixture *f = *state;
    struct rng rng = {2};
    for (enum expr_op op = EXPR_ADD; op <= EXPR_XOR; op++)
        for (size_t n = 0; n < COUNT(narrow); n++)
            for (unsigned how = 0; how < 4; how++) {
                unsigned width = how & 1 ? 64 : 33;
                if (narrow[n] >= width)
                    continue;
                enum expr_op extend = how & 2 ? EXPR_SEXT : EXPR_ZEXT;
                expr_id a = expr_unary(f->pool, extend, width, operand(f, 0, narrow[n]));
                expr_id b = expr_unary(f->pool, extend, width, operand(f, 1, narrow[n]));
                expr_id c = number(f, width, rng_next(&rng) >> rng_below(&rng, 60));
                put(f, 0, (expr_u128)rng_next(&rng));
                put(f, 1, (expr_u128)rng_next(&rng));
                check_gates(f, expr_binary(f->pool, op, a, b), "extended");
                check_gates(f, expr_binary(f->pool, op, a, c), "extended, constant");
                check_gates(f, expr_binary(f->pool, op, operand(f, 2, width), b), "half extended");
            }
}

static void casts_have_their_values(void **state)
{
    struct fixture *f = *state;
    struct rng rng = {3};
    for (int round = 0; round < 200; round++) {
        unsigned from = 1 + (unsigned)rng_below(&rng, 127);
        unsigned to = from + 1 + (unsigned)rng_below(&rng, 128 - from);
        put(f, 0, (expr_u128)rng_next(&rng) << 64 | rng_next(&rng));
        put(f, 1, (expr_u128)rng_next(&rng) << 64 | rng_next(&rng));
        expr_id a = operand(f, 0, from), wide = operand(f, 1, to);
        check_gates(f, expr_unary(f->pool, EXPR_ZEXT, to, a), "cast");
        check_gates(f, expr_unary(f->pool, EXPR_SEXT, to, a), "cast");
        check_gates(f, expr_unary(f->pool, EXPR_TRUNC, from, wide), "cast");
        check_gates(f, expr_extract(f->pool, wide, to - from, from), "cast");
        check_gates(f, expr_concat(f->pool, operand(f, 1, 128 - from), a), "cast");
        expr_id condition = cmp(f, EXPR_ULT, operand(f, 2, 8), 128);
        f->input[32] = (uint8_t)rng_next(&rng);
        expr_id other = expr_unary(f->pool, EXPR_SEXT, to, a);
        check_gates(f, expr_ite(f->pool, condition, wide, other), "ite");
    }
}

static void reads_have_their_values(void **state)
{
    struct fixture *f = *state;
    struct rng rng = {4};
    for (int round = 0; round < 400; round++) {
        uint8_t bytes[40];
        expr_id exprs[40] = {0};
        uint32_t size = 1 + (uint32_t)rng_below(&rng, 40);
        for (uint32_t i = 0; i < size; i++) {
            bytes[i] = (uint8_t)rng_next(&rng);
            exprs[i] = rng_below(&rng, 4) ? 0 : expr_input(f->pool, 48 + i % 16, 8);
            f->input[48 + i % 16] = (uint8_t)rng_next(&rng);
        }
        uint64_t table = expr_snapshot(f->pool, bytes, round % 2 ? exprs : NULL, size);
        unsigned bytes_read = 1u << rng_below(&rng, 5);
        expr_id index = operand(f, 0, 64);
        if (round % 3 == 0)
            index = expr_unary(f->pool, EXPR_ZEXT, 64, operand(f, 0, 3));
        if (round % 5 == 0)
            index = expr_binary(f->pool, EXPR_SHL, index, number(f, 64, 2));
        if (round % 7 == 0)
            index = expr_binary(f->pool, EXPR_ADD, index, number(f, 64, rng_below(&rng, 9) - 4));
        expr_u128 at = rng_below(&rng, 4) ? rng_below(&rng, size + 3) : rng_next(&rng);
        put(f, 0, at);
        check_gates(f, expr_read(f->pool, table, index, bytes_read), "table");
    }
}

// Circuits through clauses and the SAT solver.

static void check_clauses(struct fixture *f, enum expr_op op, unsigned width, expr_u128 x,
                          expr_u128 y, bool constant)
{
    expr_id a = operand(f, 0, width), b = operand(f, 1, width);
    expr_id fixed[3] = {cmp(f, EXPR_EQ, a, x), cmp(f, EXPR_EQ, b, y), 0};
    expr_id id = expr_binary(f->pool, op, a, constant ? number(f, width, y) : b);
    put(f, 2, x);
    put(f, 3, y);
    eval_begin(&f->eval, f->input + 32, 32);
    expr_u128 value = value_wide(eval_expr(&f->eval, id));
    const char *text = expr_op_text(op);
    fixed[2] = cmp(f, EXPR_NE, id, value);
    if (ask(f, fixed, 3) != SOLVER_UNSAT)
        fail_msg("%s of width %u on %llx, %llx has another value", text, width,
                 (unsigned long long)x, (unsigned long long)y);
    fixed[2] = cmp(f, EXPR_EQ, id, value);
    if (ask(f, fixed, 3) != SOLVER_SAT || solved(f, fixed[2]) != 1 || solved(f, a) != x ||
        solved(f, b) != y)
        fail_msg("%s of width %u on %llx, %llx does not have its value", text, width,
                 (unsigned long long)x, (unsigned long long)y);
}

static void every_operation_has_its_clauses(void **state)
{
    struct fixture *f = *state;
    struct rng rng = {5};
    memset(f->input, 0x5A, sizeof f->input);
    for (enum expr_op op = EXPR_ADD; op <= EXPR_SLE; op++)
        for (size_t w = 0; w < COUNT(all_widths); w++) {
            unsigned width = all_widths[w];
            bool division = op >= EXPR_UDIV && op <= EXPR_SREM;
            expr_u128 values[12];
            size_t count = corner_values(width, &rng, values);
            if (division && width > 65) // circuits of 60,000 gates; see division_corners
                continue;
            for (size_t i = 0; i < (division && width > 32 ? 1 : 3); i++) {
                expr_u128 x = values[rng_below(&rng, count)], y = values[rng_below(&rng, count)];
                check_clauses(f, op, width, x, y, (op + i) % 2);
            }
        }
}

static void division_corners(void **state)
{
    static const enum expr_op ops[] = {EXPR_UDIV, EXPR_SDIV, EXPR_UREM, EXPR_SREM};
    struct fixture *f = *state;
    for (size_t w = 0; w < COUNT(all_widths); w++)
        for (size_t i = 0; i < COUNT(ops); i++) {
            unsigned width = all_widths[w];
            expr_u128 top = (expr_u128)1 << (width - 1), ones = value_ones(width);
            if (width > 64 && (width < 128 || ops[i] == EXPR_UDIV || ops[i] == EXPR_SREM))
                continue; // large circuits
            check_clauses(f, ops[i], width, top, 0, false);
            check_clauses(f, ops[i], width, top, ones, true); // INT_MIN / -1
            check_clauses(f, ops[i], width, ones >> 1, 0, true);
            if (width > 33)
                continue;
            check_clauses(f, ops[i], width, top, ones, false);
            check_clauses(f, ops[i], width, ones >> 1, 0, false);
        }
}

static void quotient_and_remainder_share_a_circuit(void **state)
{
    struct fixture *f = *state;
    lit bit;
    expr_id a = operand(f, 0, 32), b = operand(f, 1, 32);
    expr_id q = cmp(f, EXPR_EQ, expr_binary(f->pool, EXPR_UDIV, a, b), 5);
    expr_id r = cmp(f, EXPR_EQ, expr_binary(f->pool, EXPR_UREM, a, b), 3);
    blast_begin(&f->blast, f->input, sizeof f->input);
    assert_true(blast_bit(&f->blast, q, &bit));
    size_t gates = f->blast.gates.all.count;
    assert_true(blast_bit(&f->blast, r, &bit));
    assert_true(f->blast.gates.all.count - gates < 100);
    expr_id both[] = {q, r};
    assert_int_equal(ask(f, both, 2), SOLVER_SAT);
    assert_true(solved(f, q) && solved(f, r));
}

// Gates and clauses.

static void gates_fold(void **state)
{
    struct gates g;
    (void)state;
    gates_init(&g, 0);
    lit a = gates_input(&g, false, 0), b = gates_input(&g, true, 0), c = gates_input(&g, true, 0);
    lit ab = gates_and(&g, a, b);
    assert_int_equal(ab, gates_and(&g, b, a));
    assert_int_equal(gates_and(&g, a, lit_not(a)), LIT_FALSE);
    assert_int_equal(gates_and(&g, a, ab), ab);
    assert_int_equal(gates_and(&g, lit_not(a), ab), LIT_FALSE);
    assert_int_equal(gates_and(&g, a, lit_not(ab)), gates_and(&g, a, lit_not(b)));
    assert_int_equal(gates_and(&g, lit_not(a), lit_not(ab)), lit_not(a));
    assert_int_equal(gates_xor(&g, a, gates_xor(&g, lit_not(b), a)), lit_not(b));
    assert_int_equal(gates_ite(&g, a, b, b), b);
    assert_int_equal(gates_ite(&g, lit_not(a), b, c), gates_ite(&g, a, c, b));
    assert_int_equal(gates_ite(&g, a, b, lit_not(b)), lit_not(gates_xor(&g, a, b)));
    assert_int_equal(gates_maj(&g, a, b, LIT_TRUE), gates_or(&g, a, b));
    assert_int_equal(gates_maj(&g, a, lit_not(a), c), c);
    assert_int_equal(gates_maj(&g, lit_not(a), lit_not(b), lit_not(c)),
                     lit_not(gates_maj(&g, c, b, a)));
    assert_true(gates_value(&g, gates_maj(&g, a, b, c)));
    gates_clear(&g);
    assert_int_equal(g.all.count, 1);
    gates_release(&g);
}

static void only_asked_cones_become_clauses(void **state)
{
    struct fixture *f = *state;
    struct cnf cnf;
    lit large, small;
    expr_id product = expr_binary(f->pool, EXPR_MUL, operand(f, 0, 64), operand(f, 1, 64));
    blast_begin(&f->blast, f->input, sizeof f->input);
    assert_true(blast_bit(&f->blast, cmp(f, EXPR_EQ, product, 77), &large));
    assert_true(blast_bit(&f->blast, cmp(f, EXPR_EQ, operand(f, 0, 8), 3), &small));
    struct sat *sat = sat_new();
    cnf_init(&cnf, &f->blast.gates);
    cnf_begin(&cnf, sat);
    cnf_assert(&cnf, small);
    assert_int_equal(cnf.variables, 8);
    assert_int_equal(sat_solve(sat, 0), SAT_YES);
    cnf_literal(&cnf, large);
    assert_true(cnf.variables > 1000);
    sat_free(sat);
    cnf_release(&cnf);
}

// 64 levels of ANDs with a common operand have 2^64 paths; a claim walks 128 gates.
static void shared_conjunctions_are_claimed_once(void **state)
{
    (void)state;
    struct gates g;
    struct cnf cnf;
    gates_init(&g, 0);
    lit sum = gates_input(&g, true, 0);
    for (int i = 0; i < 64; i++) {
        lit left = gates_and(&g, sum, gates_input(&g, true, 0));
        sum = gates_and(&g, left, gates_and(&g, sum, gates_input(&g, false, 0)));
    }
    struct sat *sat = sat_new();
    cnf_init(&cnf, &g);
    cnf_begin(&cnf, sat);
    cnf_assert(&cnf, sum);
    assert_int_equal(cnf.variables, 129);
    assert_int_equal(sat_solve(sat, 0), SAT_YES);
    sat_free(sat);
    cnf_release(&cnf);
    gates_release(&g);
}

// Models.

static void a_model_stays_near_the_parent(void **state)
{
    struct fixture *f = *state;
    for (size_t i = 0; i < sizeof f->input; i++)
        f->input[i] = (uint8_t)(17 * i + 3);
    expr_id a = operand(f, 0, 32), b = operand(f, 1, 32);
    expr_u128 before = solved(f, b);
    expr_id c[] = {cmp(f, EXPR_NE, expr_binary(f->pool, EXPR_XOR, a, b), 1),
                   cmp(f, EXPR_EQ, expr_extract(f->pool, a, 4, 1), !(f->input[0] >> 4 & 1))};
    assert_int_equal(ask(f, c, 2), SOLVER_SAT);
    assert_int_equal((uint64_t)solved(f, b), (uint64_t)before);
    assert_int_equal(solved(f, a) ^ 0x10, f->input[0] | f->input[1] << 8 | f->input[2] << 16 |
                                              (uint32_t)f->input[3] << 24);
}

static void only_inputs_of_the_query_are_reported(void **state)
{
    struct fixture *f = *state;
    expr_id never = expr_binary(f->pool, EXPR_AND, operand(f, 3, 8), number(f, 8, 0));
    expr_id c[] = {cmp(f, EXPR_EQ, operand(f, 1, 32), 99), cmp(f, EXPR_EQ, operand(f, 0, 8), 7)};
    expr_id other = cmp(f, EXPR_EQ, never, 0);
    assert_int_equal(ask(f, &other, 1), SOLVER_SAT);
    assert_int_equal(ask(f, c, 2), SOLVER_SAT);
    assert_int_equal(f->model.count, 2);
    assert_int_equal(f->model.items[0].offset, 0);
    assert_int_equal(f->model.items[1].offset, 16);
    assert_int_equal(f->model.items[1].value.low, 99);
    assert_int_equal(ask(f, NULL, 0), SOLVER_SAT);
    assert_int_equal(f->model.count, 0);
}

static void overlapping_inputs_share_bits(void **state)
{
    struct fixture *f = *state;
    expr_id word = expr_input(f->pool, 0, 32), byte = expr_input(f->pool, 2, 8);
    expr_id no[] = {cmp(f, EXPR_EQ, byte, 0x77), cmp(f, EXPR_ULT, word, 0x770000)};
    assert_int_equal(ask(f, no, 2), SOLVER_UNSAT);
    expr_id yes[] = {cmp(f, EXPR_EQ, byte, 0x77),
                     cmp(f, EXPR_EQ, expr_input(f->pool, 3, 16), 0x3388)};
    assert_int_equal(ask(f, yes, 2), SOLVER_SAT);
    assert_true(solved(f, yes[0]) && solved(f, yes[1]));
    expr_id far = cmp(f, EXPR_EQ, expr_input(f->pool, 4000000000u, 128), 5); // beyond the input
    struct solver_query query = {
        .constraints = &far, .count = 1, .input = f->input, .input_size = sizeof f->input};
    assert_int_equal(solver_check(f->solver, &query, &f->model), SOLVER_SAT);
    assert_int_equal(f->model.items[0].offset, 4000000000u);
    assert_int_equal(f->model.items[0].value.low, 5);
}

static void the_same_query_has_the_same_model(void **state)
{
    struct fixture *f = *state;
    expr_id a = operand(f, 0, 32), b = operand(f, 1, 32);
    expr_id product = expr_binary(f->pool, EXPR_MUL, a, b);
    expr_id c[] = {cmp(f, EXPR_UGT, a, 1000), cmp(f, EXPR_UGT, b, 1000),
                   cmp(f, EXPR_EQ, product, 0x12345678)};
    assert_int_equal(ask(f, c, 3), SOLVER_SAT);
    expr_u128 first_a = solved(f, a), first_b = solved(f, b);
    expr_id between = cmp(f, EXPR_EQ, expr_binary(f->pool, EXPR_SDIV, a, b), 77);
    assert_int_equal(ask(f, &between, 1), SOLVER_SAT);
    assert_int_equal(ask(f, c, 3), SOLVER_SAT);
    assert_true(solved(f, a) == first_a && solved(f, b) == first_b);
}

// Cores.

static void cores_are_small_and_unsatisfiable(void **state)
{
    struct fixture *f = *state;
    struct solver_core core = {0};
    expr_id a = operand(f, 0, 32), b = operand(f, 1, 32), c = operand(f, 2, 32);
    expr_id q[] = {cmp(f, EXPR_UGT, c, 5),
                   expr_binary(f->pool, EXPR_ULT, a, b),
                   cmp(f, EXPR_NE, a, 12345),
                   cmp(f, EXPR_ULT, b, 100),
                   cmp(f, EXPR_EQ, expr_binary(f->pool, EXPR_UREM, c, number(f, 32, 7)), 3),
                   cmp(f, EXPR_UGE, a, 100),
                   cmp(f, EXPR_EQ, c, 10)};
    struct solver_query query = {
        .constraints = q, .count = COUNT(q), .input = f->input, .input_size = sizeof f->input};
    assert_int_equal(solver_find_core(f->solver, &query, &core), SOLVER_UNSAT);
    assert_int_equal(core.count, 3);
    assert_int_equal(core.items[0], 1);
    assert_int_equal(core.items[1], 3);
    assert_int_equal(core.items[2], 5);
    query.count = 5;
    assert_int_equal(solver_find_core(f->solver, &query, &core), SOLVER_SAT);
    assert_int_equal(core.count, 0);
    expr_id no[] = {q[0], cmp(f, EXPR_EQ, number(f, 8, 1), 2)}; // false by itself
    query.constraints = no;
    query.count = 2;
    assert_int_equal(solver_find_core(f->solver, &query, &core), SOLVER_UNSAT);
    assert_int_equal(core.count, 1);
    assert_int_equal(core.items[0], 1);
    solver_core_release(&core);
}

static void cores_beyond_the_backend_are_whole(void **state)
{
    struct fixture *f = *state;
    struct solver_options options = SOLVER_OPTIONS_DEFAULT;
    struct solver *chain = solver_bitblast_new(f->pool, &options, solver_z3_new(f->pool, &options));
    struct solver_core core = {0};
    expr_id x = operand(f, 0, 32),
            rest = expr_binary(f->pool, EXPR_FREM, x, number(f, 32, 0x3F800000));
    expr_id q[] = {cmp(f, EXPR_FOLT, rest, 0x3F000000), cmp(f, EXPR_NE, x, 7),
                   cmp(f, EXPR_FOGT, rest, 0x3F400000)};
    struct solver_query query = {.constraints = q, .count = 3, .input = f->input, .input_size = 4};
    assert_int_equal(solver_find_core(chain, &query, &core), SOLVER_UNSAT);
    assert_int_equal(core.count, 3);
    assert_int_equal(solver_check(chain, &query, &f->model), SOLVER_UNSAT);
    assert_int_equal(
        solver_check(chain,
                     &(struct solver_query){
                         .constraints = q, .count = 2, .input = f->input, .input_size = 4},
                     &f->model),
        SOLVER_SAT);
    solver_core_release(&core);
    solver_free(chain);
}

// Limits.

static expr_id hard(struct fixture *f, unsigned width)
{
    expr_id a = operand(f, 0, width), b = operand(f, 1, width);
    expr_id wide = expr_binary(f->pool, EXPR_MUL, expr_unary(f->pool, EXPR_ZEXT, 2 * width, a),
                               expr_unary(f->pool, EXPR_ZEXT, 2 * width, b));
    expr_u128 product = (expr_u128)3037000493u * 2654435761u; // two primes
    expr_id c = cmp(f, EXPR_EQ, wide, product);
    c = expr_binary(f->pool, EXPR_AND, c, cmp(f, EXPR_UGT, a, 1));
    c = expr_binary(f->pool, EXPR_AND, c, cmp(f, EXPR_UGT, b, 1));
    return expr_binary(f->pool, EXPR_AND, c, expr_binary(f->pool, EXPR_ULT, a, b));
}

static void a_conflict_limit_gives_unknown(void **state)
{
    struct solver_options options = SOLVER_OPTIONS_DEFAULT;
    options.rlimit = 20000; // 200 conflicts
    options.timeout_ms = 0;
    struct fixture *f = fixture_new(&options);
    expr_id c = hard(f, 32), easy = cmp(f, EXPR_EQ, operand(f, 0, 32), 5);
    (void)state;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(ask(f, &c, 1), SOLVER_UNKNOWN);
        assert_int_equal(f->model.count, 0);
        assert_false(solver_hit_clock(f->solver));
        assert_int_equal(ask(f, &easy, 1), SOLVER_SAT);
    }
    void *owned = f;
    teardown(&owned);
}

// A backend behind this one, which decides everything.
static enum solver_answer oracle_check(struct solver *solver, const struct solver_query *query,
                                       struct solver_model *model)
{
    (void)solver;
    (void)query;
    (void)model;
    return SOLVER_UNSAT;
}

static void oracle_free(struct solver *solver)
{
    free(solver);
}

static struct solver *with_oracle(struct fixture *f, const struct solver_options *options)
{
    static const struct solver_ops ops = {"oracle", oracle_check, oracle_free};
    struct solver *oracle = xcalloc(1, sizeof *oracle);
    *oracle = (struct solver){.ops = &ops, .pool = f->pool};
    return solver_bitblast_new(f->pool, options, oracle);
}

static void what_is_undecided_at_the_limit_goes_to_the_next_backend(void **state)
{
    struct solver_options options = SOLVER_OPTIONS_DEFAULT;
    struct fixture *f = *state;
    expr_id c = hard(f, 32), easy = cmp(f, EXPR_EQ, operand(f, 0, 32), 5);
    options.rlimit = 20000;
    options.timeout_ms = 0;
    solver_free(f->solver);
    f->solver = with_oracle(f, &options);
    assert_int_equal(ask(f, &easy, 1), SOLVER_SAT);
    assert_int_equal(solver_statistics(solver_next(f->solver))->queries, 0);
    assert_int_equal(ask(f, &c, 1), SOLVER_UNSAT); // the oracle's answer
    assert_int_equal(solver_statistics(solver_next(f->solver))->queries, 1);
    // The clock is different: the time is over, and nobody is asked.
    options.rlimit = 0;
    options.timeout_ms = 50;
    c = hard(f, 64);
    solver_free(f->solver);
    f->solver = with_oracle(f, &options);
    assert_int_equal(ask(f, &c, 1), SOLVER_UNKNOWN);
    assert_true(solver_hit_clock(f->solver));
    assert_int_equal(solver_statistics(solver_next(f->solver))->queries, 0);
}

// In a hurry neither the backend behind is asked nor the whole limit used.
static void hard_queries_are_unknown_in_a_hurry(void **state)
{
    struct fixture *f = *state;
    struct solver_options options = SOLVER_OPTIONS_DEFAULT;
    options.rlimit = 400000; // 4,000 conflicts, 300 in a hurry
    struct solver *chain = with_oracle(f, &options);
    expr_id c = hard(f, 32), easy = cmp(f, EXPR_EQ, operand(f, 0, 32), 5);
    struct solver_query query = {
        .constraints = &c, .count = 1, .input = f->input, .input_size = sizeof f->input};
    struct solver_query other = {
        .constraints = &easy, .count = 1, .input = f->input, .input_size = sizeof f->input};
    solver_hurry(chain, true);
    assert_int_equal(solver_check(chain, &query, &f->model), SOLVER_UNKNOWN);
    assert_int_equal(solver_check(chain, &other, &f->model), SOLVER_SAT);
    solver_hurry(chain, false);
    assert_true(solver_check(chain, &query, &f->model) != SOLVER_UNKNOWN);
    solver_free(chain);
}

static void the_clock_gives_unknown(void **state)
{
    struct solver_options options = SOLVER_OPTIONS_DEFAULT;
    options.rlimit = 0;
    options.timeout_ms = 50;
    struct fixture *f = fixture_new(&options);
    expr_id c = hard(f, 64), easy = cmp(f, EXPR_EQ, operand(f, 0, 32), 5);
    (void)state;
    assert_int_equal(ask(f, &c, 1), SOLVER_UNKNOWN);
    assert_true(solver_hit_clock(f->solver));
    assert_int_equal(ask(f, &easy, 1), SOLVER_SAT);
    assert_false(solver_hit_clock(f->solver));
    void *owned = f;
    teardown(&owned);
}

static void large_queries_are_passed_on(void **state)
{
    struct solver_options options = SOLVER_OPTIONS_DEFAULT;
    options.max_gates = 5000;
    struct fixture *f = fixture_new(&options);
    expr_id a = operand(f, 0, 128), b = operand(f, 1, 128);
    expr_id c = cmp(f, EXPR_EQ, expr_binary(f->pool, EXPR_SDIV, a, b), 5);
    expr_id easy = cmp(f, EXPR_EQ, operand(f, 0, 32), 5);
    (void)state;
    assert_int_equal(ask(f, &c, 1), SOLVER_UNKNOWN); // there is no next layer
    assert_int_equal(solver_statistics(f->solver)->too_large, 1);
    assert_int_equal(ask(f, &easy, 1), SOLVER_SAT);
    void *owned = f;
    teardown(&owned);
}

// Tens of thousands of nodes, deep and wide: no recursion, bounded memory.
static void deep_chains_and_many_multiplications(void **state)
{
    struct fixture *f = *state;
    expr_id sum = operand(f, 0, 32), product = operand(f, 0, 64);
    for (uint32_t i = 0; i < 5000; i++)
        sum = expr_binary(f->pool, EXPR_XOR, sum, operand(f, i % 3, 32));
    expr_id c = cmp(f, EXPR_EQ, sum, 0x1234);
    assert_int_equal(ask(f, &c, 1), SOLVER_SAT);
    assert_int_equal(solved(f, c), 1);
    for (uint32_t i = 0; i < 100000; i++)
        sum = expr_binary(f->pool, EXPR_ADD, sum, operand(f, i % 3, 32));
    c = cmp(f, EXPR_EQ, sum, 0x1234);
    assert_int_equal(ask(f, &c, 1), SOLVER_UNKNOWN);
    for (uint32_t i = 0; i < 3000; i++)
        product = expr_binary(f->pool, EXPR_MUL, product,
                              expr_binary(f->pool, EXPR_ADD, product, operand(f, i % 3, 64)));
    c = cmp(f, EXPR_EQ, product, 0x1234);
    assert_int_equal(ask(f, &c, 1), SOLVER_UNKNOWN);
    c = cmp(f, EXPR_EQ, operand(f, 1, 16), 0x1234);
    assert_int_equal(ask(f, &c, 1), SOLVER_SAT);
}

static void huge_tables_are_passed_on(void **state)
{
    struct fixture *f = *state;
    uint32_t size = 1 << 22;
    uint8_t *bytes = xcalloc(size, 1);
    for (uint32_t i = 0; i < size; i++)
        bytes[i] = (uint8_t)(i * 2654435761u >> 13);
    uint64_t table = expr_snapshot(f->pool, bytes, NULL, size);
    expr_id c = cmp(f, EXPR_EQ, expr_read(f->pool, table, operand(f, 0, 64), 8), 0x123456789);
    assert_int_equal(ask(f, &c, 1), SOLVER_UNKNOWN);
    free(bytes);
}

int test_bitblast(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(every_operation_has_its_values),
        TEST(extended_operands_have_their_values),
        TEST(casts_have_their_values),
        TEST(reads_have_their_values),
        TEST(every_operation_has_its_clauses),
        TEST(division_corners),
        TEST(quotient_and_remainder_share_a_circuit),
        cmocka_unit_test(gates_fold),
        cmocka_unit_test(shared_conjunctions_are_claimed_once),
        TEST(only_asked_cones_become_clauses),
        TEST(a_model_stays_near_the_parent),
        TEST(only_inputs_of_the_query_are_reported),
        TEST(overlapping_inputs_share_bits),
        TEST(the_same_query_has_the_same_model),
        TEST(hard_queries_are_unknown_in_a_hurry),
        TEST(cores_are_small_and_unsatisfiable),
        TEST(cores_beyond_the_backend_are_whole),
        cmocka_unit_test(a_conflict_limit_gives_unknown),
        TEST(what_is_undecided_at_the_limit_goes_to_the_next_backend),
        cmocka_unit_test(the_clock_gives_unknown),
        cmocka_unit_test(large_queries_are_passed_on),
        TEST(deep_chains_and_many_multiplications),
        TEST(huge_tables_are_passed_on),
    };
    return cmocka_run_group_tests_name("bitblast", tests, NULL, NULL);
}
