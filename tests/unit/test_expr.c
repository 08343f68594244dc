// SPDX-License-Identifier: Apache-2.0
// Unit tests of src/expr: hash-consing, each family of rules by its result, the
// evaluator on corners with known values, variables, printing, and depth.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/tunables.h"
#include "expr/eval.h"
#include "expr/print.h"
#include "expr/vars.h"
#include <math.h>
#include <string.h>

static int setup(void **state)
{
    *state = expr_pool_new();
    return 0;
}

static int teardown(void **state)
{
    expr_pool_free(*state);
    return 0;
}

static void expect(struct expr_pool *pool, expr_id id, const char *text)
{
    struct buf out = BUF_INIT;
    expr_print(pool, id, &out);
    assert_string_equal(buf_text(&out), text);
    buf_release(&out);
}

static expr_id num(struct expr_pool *pool, unsigned width, uint64_t value)
{
    return expr_const64(pool, width, value);
}

static expr_id bin(struct expr_pool *pool, enum expr_op op, expr_id a, uint64_t value)
{
    return expr_binary(pool, op, a, num(pool, expr_get(pool, a)->width, value));
}

static void equal_nodes_are_one(void **state)
{
    struct expr_pool *pool = *state;
    expr_id a = expr_input(pool, 0, 32), b = expr_input(pool, 4, 32);
    assert_int_equal(a, expr_input(pool, 0, 32));
    assert_int_not_equal(a, b);
    assert_int_equal(expr_binary(pool, EXPR_ADD, a, b), expr_binary(pool, EXPR_ADD, b, a));
    assert_int_not_equal(expr_binary(pool, EXPR_SUB, a, b), expr_binary(pool, EXPR_SUB, b, a));
    assert_int_equal(num(pool, 8, 0x1FF), num(pool, 8, 0xFF));
    for (uint32_t i = 0; i < 10000; i++) // across growth of the table
        expr_input(pool, 8 * i, 64);
    size_t size = expr_pool_size(pool);
    for (uint32_t i = 0; i < 10000; i++)
        expr_input(pool, 8 * i, 64);
    assert_int_equal(size, expr_pool_size(pool));
}

static void equal_tables_are_one(void **state)
{
    struct expr_pool *pool = *state;
    uint8_t one[4] = {1, 2, 3, 4}, two[4] = {1, 2, 3, 9};
    expr_id bytes[4] = {0, expr_input(pool, 0, 8), 0, num(pool, 8, 4)};
    uint64_t plain = expr_snapshot(pool, one, NULL, 4);
    assert_int_equal(plain, expr_snapshot(pool, one, NULL, 4));
    assert_int_not_equal(plain, expr_snapshot(pool, two, NULL, 4));
    uint64_t mixed = expr_snapshot(pool, one, bytes, 4);
    assert_int_not_equal(mixed, plain);
    assert_int_equal(mixed, expr_snapshot(pool, two, bytes, 4)); // byte 3 is a constant 4
    bytes[1] = 0;
    assert_int_equal(plain, expr_snapshot(pool, one, bytes, 4));
}

static void arithmetic_rules(void **state)
{
    struct expr_pool *pool = *state;
    expr_id x = expr_input(pool, 0, 32), y = expr_input(pool, 4, 32);
    assert_int_equal(bin(pool, EXPR_ADD, x, 0), x);
    expect(pool, bin(pool, EXPR_ADD, bin(pool, EXPR_ADD, x, 3), 4), "(add in32[0] 7)");
    expect(pool, bin(pool, EXPR_SUB, x, 1), "(add in32[0] 0xffffffff)");
    assert_int_equal(expr_binary(pool, EXPR_SUB, expr_binary(pool, EXPR_ADD, x, y), x), y);
    assert_int_equal(expr_binary(pool, EXPR_SUB, x, x), num(pool, 32, 0));
    expect(pool, bin(pool, EXPR_MUL, x, 8), "(concat (extract 0+29 in32[0]) 0)");
    assert_int_equal(bin(pool, EXPR_UDIV, x, 1), x);
    expect(pool, bin(pool, EXPR_UREM, x, 16), "(zext32 (extract 0+4 in32[0]))");
    expr_id byte = expr_unary(pool, EXPR_ZEXT, 32, expr_input(pool, 8, 8));
    expect(pool, bin(pool, EXPR_SREM, byte, 10), "(zext32 (urem in8[8] 0xa))");
    assert_int_equal(bin(pool, EXPR_SDIV, byte, 300), num(pool, 32, 0));
}

static void shifts_and_masks_become_pieces(void **state)
{
    struct expr_pool *pool = *state;
    expr_id x = expr_input(pool, 0, 32);
    expect(pool, bin(pool, EXPR_LSHR, x, 24), "(zext32 (extract 24+8 in32[0]))");
    expect(pool, bin(pool, EXPR_ASHR, x, 31), "(sext32 (extract 31+1 in32[0]))");
    assert_int_equal(bin(pool, EXPR_SHL, x, 32), num(pool, 32, 0));
    expect(pool, bin(pool, EXPR_AND, x, 0xFF), "(zext32 (extract 0+8 in32[0]))");
    expect(pool, bin(pool, EXPR_NE, bin(pool, EXPR_AND, x, 4), 0), "(extract 2+1 in32[0])");
    // A word put together from its own bytes is the word.
    expr_id all = num(pool, 32, 0);
    for (unsigned i = 0; i < 4; i++) {
        expr_id byte = bin(pool, EXPR_AND, bin(pool, EXPR_LSHR, x, 8 * i), 0xFF);
        all = expr_binary(pool, EXPR_OR, all, bin(pool, EXPR_SHL, byte, 8 * i));
    }
    assert_int_equal(all, x);
}

static void comparison_rules(void **state)
{
    struct expr_pool *pool = *state;
    expr_id c = expr_input(pool, 0, 8), x = expr_input(pool, 4, 32);
    expr_id z = expr_unary(pool, EXPR_ZEXT, 32, c), s = expr_unary(pool, EXPR_SEXT, 32, c);
    expect(pool, bin(pool, EXPR_EQ, z, 'x'), "(eq in8[0] 0x78)");
    assert_int_equal(bin(pool, EXPR_EQ, z, 300), expr_false(pool));
    expect(pool, bin(pool, EXPR_EQ, s, 0xFFFFFFFF), "(eq in8[0] 0xff)");
    assert_int_equal(bin(pool, EXPR_EQ, s, 200), expr_false(pool));
    assert_int_equal(bin(pool, EXPR_SLT, z, 256), expr_true(pool));
    assert_int_equal(bin(pool, EXPR_SLT, z, (uint32_t)-1), expr_false(pool));
    expect(pool, bin(pool, EXPR_SLT, s, (uint32_t)-5), "(slt in8[0] 0xfb)");
    expect(pool, bin(pool, EXPR_ULE, x, 9), "(ult in32[4] 0xa)");
    expect(pool, bin(pool, EXPR_UGT, x, 0), "(ne in32[4] 0)");
    expect(pool, bin(pool, EXPR_EQ, bin(pool, EXPR_ADD, x, 5), 7), "(eq in32[4] 2)");
    expect(pool, bin(pool, EXPR_EQ, bin(pool, EXPR_MUL, x, 3), 9), "(eq in32[4] 3)");
    assert_int_equal(expr_binary(pool, EXPR_SLE, x, x), expr_true(pool));
    expr_id flag = bin(pool, EXPR_ULT, x, 5);
    assert_int_equal(bin(pool, EXPR_NE, expr_unary(pool, EXPR_ZEXT, 32, flag), 0), flag);
}

static void negation_rules(void **state)
{
    struct expr_pool *pool = *state;
    expr_id x = expr_input(pool, 0, 32), y = expr_input(pool, 4, 32);
    expr_id less = expr_binary(pool, EXPR_SLT, x, y);
    expect(pool, expr_not(pool, less), "(sle in32[4] in32[0])");
    assert_int_equal(expr_not(pool, expr_not(pool, less)), less);
    expr_id both = expr_and(pool, less, bin(pool, EXPR_EQ, x, 1));
    assert_int_equal(expr_not(pool, expr_not(pool, both)), both);
    assert_int_equal(expr_and(pool, less, expr_not(pool, less)), expr_false(pool));
    assert_int_equal(expr_or(pool, both, expr_not(pool, both)), expr_true(pool));
    expect(pool, expr_not(pool, expr_binary(pool, EXPR_FOLT, x, y)), "(fule in32[4] in32[0])");
}

static void ite_rules(void **state)
{
    struct expr_pool *pool = *state;
    expr_id x = expr_input(pool, 0, 32), c = bin(pool, EXPR_EQ, x, 1), d = bin(pool, EXPR_EQ, x, 2);
    expr_id pick = expr_ite(pool, c, num(pool, 32, 10), num(pool, 32, 20));
    assert_int_equal(bin(pool, EXPR_EQ, pick, 10), c);
    assert_int_equal(bin(pool, EXPR_EQ, pick, 20), expr_not(pool, c));
    assert_int_equal(bin(pool, EXPR_EQ, pick, 30), expr_false(pool));
    expr_id chain = expr_ite(pool, d, num(pool, 32, 7), pick);
    assert_int_equal(bin(pool, EXPR_EQ, chain, 7), d);
    assert_int_equal(expr_ite(pool, c, x, x), x);
    assert_int_equal(expr_ite(pool, c, expr_true(pool), expr_false(pool)), c);
    assert_int_equal(expr_ite(pool, c, expr_ite(pool, c, x, num(pool, 32, 0)), num(pool, 32, 5)),
                     expr_ite(pool, c, x, num(pool, 32, 5)));
}

static void reads_at_constants_are_bytes(void **state)
{
    struct expr_pool *pool = *state;
    uint8_t bytes[6] = {1, 2, 3, 4, 5, 6};
    expr_id exprs[6] = {0, 0, expr_input(pool, 0, 8), 0, 0, 0};
    uint64_t table = expr_snapshot(pool, bytes, exprs, 6);
    assert_int_equal(expr_read(pool, table, num(pool, 64, 3), 2), num(pool, 16, 0x0504));
    expect(pool, expr_read(pool, table, num(pool, 64, 2), 2), "(concat 4 in8[0])");
    assert_int_equal(expr_read(pool, table, num(pool, 64, 5), 2), num(pool, 16, 0));
    assert_int_equal(expr_read(pool, table, num(pool, 64, UINT64_MAX), 2), num(pool, 16, 0));
}

// Evaluator.

static uint64_t value_of(struct expr_pool *pool, expr_id id, const void *input, size_t size)
{
    struct eval eval;
    eval_init(&eval, pool);
    eval_begin(&eval, input, size);
    uint64_t low = eval_expr(&eval, id).low;
    eval_release(&eval);
    return low;
}

static void evaluates_inputs_and_tables(void **state)
{
    struct expr_pool *pool = *state;
    uint8_t input[3] = {0x11, 0x22, 1}, bytes[4] = {9, 8, 7, 6};
    expr_id exprs[4] = {0, expr_input(pool, 0, 8), 0, 0};
    uint64_t table = expr_snapshot(pool, bytes, exprs, 4);
    expr_id index = expr_unary(pool, EXPR_ZEXT, 64, expr_input(pool, 2, 8));
    assert_int_equal(value_of(pool, expr_input(pool, 0, 64), input, 3), 0x12211);
    assert_int_equal(value_of(pool, expr_input(pool, 100, 32), input, 3), 0);
    assert_int_equal(value_of(pool, expr_read(pool, table, index, 2), input, 3), 0x0711);
    input[2] = 3;
    assert_int_equal(value_of(pool, expr_read(pool, table, index, 2), input, 3), 0);
}

static void a_new_input_forgets_old_values(void **state)
{
    struct expr_pool *pool = *state;
    uint8_t one = 1, two = 2;
    struct eval eval;
    expr_id id = bin(pool, EXPR_MUL, expr_input(pool, 0, 8), 7);
    eval_init(&eval, pool);
    eval_begin(&eval, &one, 1);
    assert_int_equal(eval_expr(&eval, id).low, 7);
    eval_begin(&eval, &two, 1);
    assert_int_equal(eval_expr(&eval, id).low, 14);
    eval_release(&eval);
}

static uint64_t fold(struct expr_pool *pool, enum expr_op op, unsigned width, uint64_t a,
                     uint64_t b)
{
    return expr_get(pool, expr_binary(pool, op, num(pool, width, a), num(pool, width, b)))->x;
}

static void division_and_shift_corners(void **state)
{
    struct expr_pool *pool = *state;
    assert_int_equal(fold(pool, EXPR_UDIV, 8, 5, 0), 0xFF);
    assert_int_equal(fold(pool, EXPR_SDIV, 8, 5, 0), 0xFF);
    assert_int_equal(fold(pool, EXPR_SDIV, 8, 0xFB, 0), 1);
    assert_int_equal(fold(pool, EXPR_UREM, 8, 5, 0), 5);
    assert_int_equal(fold(pool, EXPR_SREM, 8, 0xFB, 0), 0xFB);
    assert_int_equal(fold(pool, EXPR_SDIV, 32, 0x80000000, 0xFFFFFFFF), 0x80000000);
    assert_int_equal(fold(pool, EXPR_SREM, 32, 0x80000000, 0xFFFFFFFF), 0);
    assert_int_equal(fold(pool, EXPR_SREM, 8, 0xF9, 3), 0xFF); // -7 % 3 == -1
    assert_int_equal(fold(pool, EXPR_SHL, 8, 1, 8), 0);
    assert_int_equal(fold(pool, EXPR_LSHR, 8, 0x80, 200), 0);
    assert_int_equal(fold(pool, EXPR_ASHR, 8, 0x80, 200), 0xFF);
    struct expr_value big = {0, UINT64_C(1) << 63}, ones = {UINT64_MAX, UINT64_MAX};
    const struct expr *q = expr_get(pool, expr_binary(pool, EXPR_SDIV, expr_const(pool, 128, big),
                                                      expr_const(pool, 128, ones)));
    assert_true(q->x == 0 && q->y == UINT64_C(1) << 63);
}

static uint64_t bits64(double d)
{
    uint64_t b;
    memcpy(&b, &d, sizeof b);
    return b;
}

static uint64_t convert(struct expr_pool *pool, enum expr_op op, unsigned width, double d)
{
    return expr_get(pool, expr_unary(pool, op, width, num(pool, 64, bits64(d))))->x;
}

static void float_corners(void **state)
{
    struct expr_pool *pool = *state;
    uint64_t nan = bits64(NAN), none = 0xFFF8000000000000, one = bits64(1.0);
    assert_int_equal(fold(pool, EXPR_FSUB, 64, bits64(INFINITY), bits64(INFINITY)), none);
    assert_int_equal(fold(pool, EXPR_FADD, 64, one, 0x7FF0000000000001), 0x7FF8000000000001);
    assert_int_equal(fold(pool, EXPR_FADD, 32, 0x3F800000, 0x33800000), 0x3F800000); // in float
    assert_int_equal(fold(pool, EXPR_FMIN, 64, nan, one), one);
    assert_int_equal(fold(pool, EXPR_FMIN, 64, 0, bits64(-0.0)), 0);
    assert_int_equal(fold(pool, EXPR_FMAX, 64, bits64(-0.0), 0), bits64(-0.0));
    assert_int_equal(fold(pool, EXPR_FREM, 64, bits64(-7.0), bits64(2.0)), bits64(-1.0));
    assert_int_equal(fold(pool, EXPR_FOEQ, 64, 0, bits64(-0.0)), 1);
    assert_int_equal(fold(pool, EXPR_FUNE, 64, nan, nan), 1);
    assert_int_equal(fold(pool, EXPR_FONE, 64, nan, one), 0);
}

static void conversion_corners(void **state)
{
    struct expr_pool *pool = *state;
    assert_int_equal(convert(pool, EXPR_FPTOSI, 32, 3e9), 0x80000000);
    assert_int_equal(convert(pool, EXPR_FPTOSI, 32, -2147483648.9), 0x80000000);
    assert_int_equal(convert(pool, EXPR_FPTOSI, 32, -2.9), 0xFFFFFFFE);
    assert_int_equal(convert(pool, EXPR_FPTOSI, 8, 300.0), 300 & 0xFF);
    assert_int_equal(convert(pool, EXPR_FPTOSI, 16, 3e9), 0);
    assert_int_equal(convert(pool, EXPR_FPTOSI, 64, NAN), UINT64_C(1) << 63);
    assert_int_equal(convert(pool, EXPR_FPTOUI, 32, -1.0), 0xFFFFFFFF);
    assert_int_equal(convert(pool, EXPR_FPTOUI, 32, 3e9), 3000000000);
    assert_int_equal(convert(pool, EXPR_FPTOUI, 32, NAN), 0);
    assert_int_equal(convert(pool, EXPR_FPTOUI, 64, 1.8e19), UINT64_C(18000000000000000000));
    assert_int_equal(convert(pool, EXPR_FPTOUI, 64, -1.0), UINT64_MAX);
    assert_int_equal(convert(pool, EXPR_FPTOUI, 64, 1e30), UINT64_C(1) << 63);
}

// Compiled code must convert as documented in eval.h, or traces and models differ.
static void conversions_are_what_clang_compiles(void **state)
{
    static const double values[] = {0.0,          -0.5,
                                    1.5,          -1.0,
                                    255.0,        256.0,
                                    65536.0,      2147483647.0,
                                    2147483648.0, -2147483649.0,
                                    4294967295.0, 4294967296.0,
                                    1e18,         9223372036854775808.0,
                                    1.8e19,       1e20,
                                    -1e10,        -1e20};
    struct expr_pool *pool = *state;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        volatile double d = values[i];
        // Conversions that C leaves undefined, on purpose: through the machine, not folded.
        int32_t s32;
        int64_t s64;
        __asm__("cvttsd2si %1, %0" : "=r"(s32) : "x"(d));
        __asm__("cvttsd2si %1, %0" : "=r"(s64) : "x"(d));
        assert_int_equal(convert(pool, EXPR_FPTOSI, 32, d), (uint32_t)s32);
        assert_int_equal(convert(pool, EXPR_FPTOSI, 64, d), (uint64_t)s64);
        assert_int_equal(convert(pool, EXPR_FPTOSI, 8, d), (uint8_t)s32);
        assert_int_equal(convert(pool, EXPR_FPTOUI, 16, d), (uint16_t)s32);
        assert_int_equal(convert(pool, EXPR_FPTOUI, 32, d), (uint32_t)s64);
    }
}

// Variables.

static void variables_are_sorted_and_unique(void **state)
{
    struct expr_pool *pool = *state;
    struct expr_vars vars;
    expr_id sum = num(pool, 32, 0);
    for (uint32_t i = 10; i-- > 0;)
        sum = expr_binary(pool, EXPR_XOR, sum, bin(pool, EXPR_MUL, expr_input(pool, 4 * i, 32), 5));
    expr_id roots[2] = {sum, expr_input(pool, 8, 32)};
    expr_vars_init(&vars, pool);
    assert_int_equal(expr_vars_of(&vars, roots, 2), 10);
    assert_int_equal(expr_vars_of(&vars, &roots[1], 1), 1);
    assert_int_equal(vars.found[0].offset, 8);
    assert_int_equal(expr_vars_of(&vars, roots, 2), 10); // now with memos
    for (uint32_t i = 0; i < 10; i++)
        assert_int_equal(vars.found[i].offset, 4 * i);
    expr_id constant = num(pool, 8, 3);
    assert_int_equal(expr_vars_of(&vars, &constant, 1), 0);
    expr_vars_release(&vars);
}

static void variables_of_tables_count(void **state)
{
    struct expr_pool *pool = *state;
    struct expr_vars vars;
    uint8_t bytes[4] = {0};
    expr_id exprs[4] = {0, expr_input(pool, 50, 8), 0, 0};
    uint64_t table = expr_snapshot(pool, bytes, exprs, 4);
    expr_id index = expr_unary(pool, EXPR_ZEXT, 64, expr_input(pool, 2, 8));
    expr_id roots[2] = {expr_read(pool, table, index, 1), expr_read(pool, table, index, 2)};
    expr_vars_init(&vars, pool);
    assert_int_equal(expr_vars_of(&vars, roots, 2), 2);
    assert_int_equal(expr_vars_of(&vars, &roots[1], 1), 2);
    assert_int_equal(vars.found[1].offset, 50);
    expr_vars_release(&vars);
}

// Thousands of conditions on a running sum: a few inputs are found, many are only
// noticed, and no walk is repeated.
static void few_variables_need_no_walk(void **state)
{
    enum { ROUNDS = 5000 };
    struct expr_pool *pool = *state;
    struct expr_vars vars;
    expr_id sum = expr_input(pool, 0, 32);
    expr_vars_init(&vars, pool);
    for (uint32_t i = 1; i < ROUNDS; i++) {
        sum =
            expr_binary(pool, EXPR_ADD, bin(pool, EXPR_MUL, sum, 31), expr_input(pool, 4 * i, 32));
        size_t few = expr_vars_few(&vars, bin(pool, EXPR_ULT, sum, 77));
        assert_int_equal(few, i < EXPR_VARS_SMALL ? i + 1 : EXPR_VARS_SMALL + 1);
        assert_int_equal(vars.found_count, few > EXPR_VARS_SMALL ? 0 : few);
    }
    assert_true(vars.work < 20 * ROUNDS);
    expr_id two = expr_binary(pool, EXPR_EQ, expr_input(pool, 8, 32), expr_input(pool, 4, 32));
    assert_int_equal(expr_vars_few(&vars, two), 2);
    assert_int_equal(vars.found[0].offset, 4);
    expr_vars_release(&vars);
}

// A loop over a long buffer: nothing may recurse along it.
static void deep_expressions_do_not_overflow_the_stack(void **state)
{
    struct expr_pool *pool = *state;
    struct expr_vars vars;
    struct buf out = BUF_INIT;
    uint8_t input[4] = {1, 2, 3, 4};
    expr_id hash = expr_input(pool, 0, 32), x = expr_input(pool, 4, 32);
    for (uint32_t i = 0; i < 300000; i++)
        hash = expr_binary(pool, i % 2 ? EXPR_XOR : EXPR_ADD, bin(pool, EXPR_MUL, hash, 31), x);
    value_of(pool, hash, input, sizeof input);
    expr_vars_init(&vars, pool);
    assert_int_equal(expr_vars_of(&vars, &hash, 1), 2);
    expr_vars_release(&vars);
    expr_print(pool, hash, &out);
    expr_id flag = bin(pool, EXPR_EQ, hash, 1);
    buf_clear(&out);
    expr_print_smt2(pool, &flag, 1, &out);
    assert_true(out.length > 300000);
    buf_release(&out);
}

static void shared_nodes_print_once(void **state)
{
    struct expr_pool *pool = *state;
    expr_id x = expr_input(pool, 0, 32), y = bin(pool, EXPR_UDIV, x, 3);
    for (int i = 0; i < 64; i++)
        y = expr_binary(pool, EXPR_MUL, y, y);
    struct buf out = BUF_INIT;
    expr_print(pool, y, &out);
    assert_true(out.length < 5000);
    buf_release(&out);
}

int test_expr(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        T(equal_nodes_are_one),
        T(equal_tables_are_one),
        T(arithmetic_rules),
        T(shifts_and_masks_become_pieces),
        T(comparison_rules),
        T(negation_rules),
        T(ite_rules),
        T(reads_at_constants_are_bytes),
        T(evaluates_inputs_and_tables),
        T(a_new_input_forgets_old_values),
        T(division_and_shift_corners),
        T(float_corners),
        T(conversion_corners),
        T(conversions_are_what_clang_compiles),
        T(variables_are_sorted_and_unique),
        T(variables_of_tables_count),
        T(few_variables_need_no_walk),
        T(deep_expressions_do_not_overflow_the_stack),
        T(shared_nodes_print_once),
    };
#undef T
    return cmocka_run_group_tests_name("expr", tests, NULL, NULL);
}
