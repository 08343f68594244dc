// SPDX-License-Identifier: Apache-2.0
// Every operation of wire/ops.def at its corner values, with the value written down:
// division by zero, INT_MIN / -1, shifts beyond the width, NaN, infinities, signed
// zeros, conversions out of range. For each row the evaluator, constant folding, the
// circuits and Z3 must give that value, and solvers no other. An operation without a
// row fails the test.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "expr/eval.h"
#include "expr/value.h"
#include "solver/solver.h"
#include <float.h>
#include <math.h>
#include <string.h>

struct row {
    enum expr_op op;
    unsigned width, from; // of the result, of the first operand
    expr_u128 a, b, result;
};

static expr_u128 F(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static expr_u128 D(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

#define ONES(width)              value_ones(width)
#define TOP(width)               ((expr_u128)1 << ((width) - 1))
#define NAN32                    ((expr_u128)0xFFC00000)
#define NAN64                    ((expr_u128)0xFFF8000000000000)
#define BOTH(op, w, a, b, r)     {EXPR_##op, w, w, a, b, r}
#define TEST(op, w, a, b, r)     {EXPR_##op, 1, w, a, b, r}
#define CAST(op, from, to, a, r) {EXPR_##op, to, from, a, 0, r}

// ---- the rows ----

#define INTEGER_ROWS(w)                                                                            \
    BOTH(ADD, w, ONES(w), 1, 0), BOTH(ADD, w, TOP(w), TOP(w), 0), BOTH(SUB, w, 0, 1, ONES(w)),     \
        BOTH(SUB, w, TOP(w), 1, TOP(w) - 1), BOTH(MUL, w, ONES(w), ONES(w), 1),                    \
        BOTH(MUL, w, TOP(w), 2, 0), BOTH(MUL, w, TOP(w), ONES(w), TOP(w)),                         \
        BOTH(UDIV, w, 7, 0, ONES(w)), BOTH(UDIV, w, 0, 0, ONES(w)),                                \
        BOTH(UDIV, w, TOP(w), ONES(w), 0), BOTH(UDIV, w, ONES(w), 1, ONES(w)),                     \
        BOTH(SDIV, w, 7, 0, ONES(w)), BOTH(SDIV, w, 0, 0, ONES(w)), BOTH(SDIV, w, ONES(w), 0, 1),  \
        BOTH(SDIV, w, TOP(w), 0, 1), BOTH(SDIV, w, TOP(w), ONES(w), TOP(w)),                       \
        BOTH(SDIV, w, ONES(w) - 6, 2, ONES(w) - 2), BOTH(UREM, w, 7, 0, 7),                        \
        BOTH(UREM, w, 0, 0, 0), BOTH(UREM, w, ONES(w), TOP(w), TOP(w) - 1),                        \
        BOTH(SREM, w, ONES(w), 0, ONES(w)), BOTH(SREM, w, TOP(w), 0, TOP(w)),                      \
        BOTH(SREM, w, TOP(w), ONES(w), 0), BOTH(SREM, w, ONES(w) - 6, 2, ONES(w)),                 \
        BOTH(SREM, w, 7, ONES(w) - 1, 1), BOTH(SHL, w, 1, (w) - 1, TOP(w)),                        \
        BOTH(SHL, w, ONES(w), w, 0), BOTH(SHL, w, 1, ONES(w), 0),                                  \
        BOTH(LSHR, w, TOP(w), (w) - 1, 1), BOTH(LSHR, w, ONES(w), w, 0),                           \
        BOTH(LSHR, w, ONES(w), TOP(w), 0), BOTH(ASHR, w, TOP(w), (w) - 1, ONES(w)),                \
        BOTH(ASHR, w, TOP(w), w, ONES(w)), BOTH(ASHR, w, TOP(w) - 1, w, 0),                        \
        BOTH(ASHR, w, ONES(w), ONES(w), ONES(w)), BOTH(AND, w, TOP(w), ONES(w), TOP(w)),           \
        BOTH(OR, w, TOP(w), 1, TOP(w) + 1), BOTH(XOR, w, ONES(w), TOP(w), TOP(w) - 1),             \
        TEST(EQ, w, TOP(w), TOP(w), 1), TEST(EQ, w, TOP(w), 0, 0), TEST(NE, w, TOP(w), 0, 1),      \
        TEST(UGT, w, TOP(w), TOP(w) - 1, 1), TEST(UGT, w, 0, 0, 0), TEST(UGE, w, 0, 0, 1),         \
        TEST(UGE, w, TOP(w) - 1, TOP(w), 0), TEST(ULT, w, 0, ONES(w), 1), TEST(ULT, w, 0, 0, 0),   \
        TEST(ULE, w, ONES(w), ONES(w), 1), TEST(ULE, w, ONES(w), 0, 0),                            \
        TEST(SGT, w, TOP(w) - 1, TOP(w), 1), TEST(SGT, w, ONES(w), 0, 0),                          \
        TEST(SGE, w, TOP(w), TOP(w), 1), TEST(SGE, w, TOP(w), 0, 0), TEST(SLT, w, TOP(w), 0, 1),   \
        TEST(SLT, w, 0, ONES(w), 0), TEST(SLE, w, TOP(w), TOP(w) - 1, 1),                          \
        TEST(SLE, w, 0, ONES(w), 0)

// P makes the bits of a float, N is the default NaN.
#define FLOAT_ROWS(w, P, N, MAX, MIN, LEAST)                                                       \
    BOTH(FADD, w, P(0.0), P(-0.0), P(0.0)), BOTH(FADD, w, P(-0.0), P(-0.0), P(-0.0)),              \
        BOTH(FADD, w, P(1.5), P(-1.5), P(0.0)), BOTH(FADD, w, P(INFINITY), P(-INFINITY), N),       \
        BOTH(FADD, w, P(MAX), P(MAX), P(INFINITY)),                                                \
        BOTH(FADD, w, P(LEAST), P(LEAST), P(2 * LEAST)), BOTH(FADD, w, N, P(1.0), N),              \
        BOTH(FADD, w, P(1.0), N, N), BOTH(FSUB, w, P(0.0), P(0.0), P(0.0)),                        \
        BOTH(FSUB, w, P(-0.0), P(0.0), P(-0.0)), BOTH(FSUB, w, P(INFINITY), P(INFINITY), N),       \
        BOTH(FSUB, w, P(MIN), P(LEAST), P(MIN - LEAST)), BOTH(FMUL, w, P(0.0), P(INFINITY), N),    \
        BOTH(FMUL, w, P(-0.0), P(3.0), P(-0.0)), BOTH(FMUL, w, P(MAX), P(-2.0), P(-INFINITY)),     \
        BOTH(FMUL, w, P(LEAST), P(0.5), P(0.0)), BOTH(FMUL, w, P(LEAST), P(-0.75), P(-LEAST)),     \
        BOTH(FMUL, w, P(MIN), P(0.5), P(MIN / 2)), BOTH(FDIV, w, P(1.0), P(0.0), P(INFINITY)),     \
        BOTH(FDIV, w, P(1.0), P(-0.0), P(-INFINITY)), BOTH(FDIV, w, P(0.0), P(0.0), N),            \
        BOTH(FDIV, w, P(INFINITY), P(INFINITY), N), BOTH(FDIV, w, P(1.0), P(-INFINITY), P(-0.0)),  \
        BOTH(FDIV, w, P(MIN), P(2.0), P(MIN / 2)), BOTH(FREM, w, P(-5.5), P(2.0), P(-1.5)),        \
        BOTH(FREM, w, P(5.0), P(0.0), N), BOTH(FREM, w, P(5.0), P(INFINITY), P(5.0)),              \
        BOTH(FREM, w, P(INFINITY), P(5.0), N), BOTH(FREM, w, P(-4.0), P(2.0), P(-0.0)),            \
        BOTH(FMIN, w, P(0.0), P(-0.0), P(0.0)), BOTH(FMIN, w, N, P(2.0), P(2.0)),                  \
        BOTH(FMIN, w, P(2.0), N, P(2.0)), BOTH(FMIN, w, P(-INFINITY), P(2.0), P(-INFINITY)),       \
        BOTH(FMAX, w, P(-0.0), P(0.0), P(-0.0)), BOTH(FMAX, w, N, P(2.0), P(2.0)),                 \
        BOTH(FMAX, w, P(2.0), N, P(2.0)), BOTH(FMAX, w, N, N, N),                                  \
        TEST(FOEQ, w, P(0.0), P(-0.0), 1), TEST(FOEQ, w, N, N, 0), TEST(FUEQ, w, N, N, 1),         \
        TEST(FUEQ, w, P(1.0), P(2.0), 0), TEST(FOGT, w, P(INFINITY), P(MAX), 1),                   \
        TEST(FOGT, w, N, P(0.0), 0), TEST(FUGT, w, N, P(0.0), 1),                                  \
        TEST(FUGT, w, P(0.0), P(-0.0), 0), TEST(FOGE, w, P(-0.0), P(0.0), 1),                      \
        TEST(FOGE, w, P(0.0), N, 0), TEST(FUGE, w, P(0.0), N, 1),                                  \
        TEST(FUGE, w, P(-LEAST), P(0.0), 0), TEST(FOLT, w, P(-LEAST), P(0.0), 1),                  \
        TEST(FOLT, w, P(-0.0), P(0.0), 0), TEST(FULT, w, N, P(-INFINITY), 1),                      \
        TEST(FULT, w, P(1.0), P(-1.0), 0), TEST(FOLE, w, P(0.0), P(-0.0), 1),                      \
        TEST(FOLE, w, P(-INFINITY), N, 0), TEST(FULE, w, N, N, 1),                                 \
        TEST(FULE, w, P(2.0), P(1.0), 0), TEST(FONE, w, N, N, 0),                                  \
        TEST(FONE, w, P(-0.0), P(0.0), 0), TEST(FONE, w, P(1.0), P(2.0), 1),                       \
        TEST(FUNE, w, N, N, 1), TEST(FUNE, w, P(-0.0), P(0.0), 0), TEST(FORD, w, N, P(1.0), 0),    \
        TEST(FORD, w, P(INFINITY), P(-INFINITY), 1), TEST(FUNO, w, P(1.0), N, 1),                  \
        TEST(FUNO, w, P(0.0), P(1.0), 0), BOTH(FNEG, w, P(0.0), 0, P(-0.0)),                       \
        BOTH(FNEG, w, N, 0, N ^ TOP(w)), BOTH(FABS, w, P(-0.0), 0, P(0.0)),                        \
        BOTH(FABS, w, N, 0, N ^ TOP(w)), BOTH(FABS, w, P(-INFINITY), 0, P(INFINITY)),              \
        BOTH(FSQRT, w, P(9.0), 0, P(3.0)), BOTH(FSQRT, w, P(-0.0), 0, P(-0.0)),                    \
        BOTH(FSQRT, w, P(-1.0), 0, N), BOTH(FSQRT, w, P(INFINITY), 0, P(INFINITY)),                \
        BOTH(FFLOOR, w, P(-0.5), 0, P(-1.0)), BOTH(FFLOOR, w, P(0.75), 0, P(0.0)),                 \
        BOTH(FFLOOR, w, P(-0.0), 0, P(-0.0)), BOTH(FFLOOR, w, P(MAX), 0, P(MAX)),                  \
        BOTH(FCEIL, w, P(-0.5), 0, P(-0.0)), BOTH(FCEIL, w, P(LEAST), 0, P(1.0)),                  \
        BOTH(FCEIL, w, P(-INFINITY), 0, P(-INFINITY)), BOTH(FTRUNC, w, P(-1.5), 0, P(-1.0)),       \
        BOTH(FTRUNC, w, P(-0.5), 0, P(-0.0)), BOTH(FTRUNC, w, N, 0, N),                            \
        CAST(FPTOSI, w, 32, P(-1.9), ONES(32)), CAST(FPTOSI, w, 32, N, TOP(32)),                   \
        CAST(FPTOSI, w, 32, P(0x1p31), TOP(32)), CAST(FPTOSI, w, 32, P(-0x1p31), TOP(32)),         \
        CAST(FPTOSI, w, 64, P(0x1p63), TOP(64)), CAST(FPTOSI, w, 64, P(-0x1p62), 3 * TOP(63)),     \
        CAST(FPTOSI, w, 8, P(300.0), 44), CAST(FPTOSI, w, 8, P(0x1p31), 0),                        \
        CAST(FPTOSI, w, 128, P(-0x1p100), -((expr_u128)1 << 100)), CAST(FPTOSI, w, 128, N, 0),     \
        CAST(FPTOSI, w, 128, P(INFINITY), 0), CAST(FPTOUI, w, 32, P(0x1p31), TOP(32)),             \
        CAST(FPTOUI, w, 32, P(-1.0), ONES(32)), CAST(FPTOUI, w, 32, N, 0),                         \
        CAST(FPTOUI, w, 64, P(0x1p63), TOP(64)), CAST(FPTOUI, w, 64, P(0x1p64), TOP(64)),          \
        CAST(FPTOUI, w, 64, P(-0.5), 0), CAST(FPTOUI, w, 128, P(0x1p127), TOP(128)),               \
        CAST(FPTOUI, w, 128, P(-1.0), 0), CAST(SITOFP, 32, w, TOP(32), P(-0x1p31)),                \
        CAST(SITOFP, 1, w, 1, P(-1.0)), CAST(SITOFP, 128, w, TOP(128), P(-0x1p127)),               \
        CAST(UITOFP, 32, w, TOP(32), P(0x1p31)), CAST(UITOFP, 1, w, 1, P(1.0)),                    \
        CAST(UITOFP, 64, w, ONES(64), P(0x1p64)), CAST(UITOFP, 64, w, 0, P(0.0))

#define OTHER_ROWS                                                                                 \
    CAST(ZEXT, 1, 128, 1, 1), CAST(ZEXT, 64, 65, ONES(64), ONES(64)),                              \
        CAST(SEXT, 1, 128, 1, ONES(128)), CAST(SEXT, 64, 65, TOP(64), 3 * TOP(64)),                \
        CAST(TRUNC, 128, 1, ONES(128) - 1, 0), CAST(TRUNC, 65, 64, TOP(65) + 5, 5),                \
        CAST(FPEXT, 32, 64, 1, D(0x1p-149)), CAST(FPEXT, 32, 64, F(-INFINITY), D(-INFINITY)),      \
        CAST(FPEXT, 32, 64, 0x7F800001, 0x7FF8000020000000),                                       \
        CAST(FPEXT, 32, 64, F(-0.0f), D(-0.0)), CAST(FPTRUNC, 64, 32, D(0x1p128), F(INFINITY)),    \
        CAST(FPTRUNC, 64, 32, D(FLT_MAX), F(FLT_MAX)),                                             \
        CAST(FPTRUNC, 64, 32, D(0x1.ffffffp127), F(INFINITY)), /* a tie */                         \
        CAST(FPTRUNC, 64, 32, D(0x1.fffffefffffffp127), F(FLT_MAX)),                               \
        CAST(FPTRUNC, 64, 32, D(0x1p-150), F(0)),                                                  \
        CAST(FPTRUNC, 64, 32, D(-0x1.8p-150), 0x80000001),                                         \
        CAST(FPTRUNC, 64, 32, 0x7FF0000000000001, 0x7FC00000),                                     \
        CAST(SITOFP, 64, 32, 16777217, F(16777216)), CAST(SITOFP, 64, 32, 16777219, F(16777220)),  \
        CAST(UITOFP, 128, 32, ONES(128), F(INFINITY)),                                             \
        CAST(UITOFP, 128, 64, ONES(128), D(0x1p128)),                                              \
        CAST(SITOFP, 64, 64, TOP(64) - 1, D(0x1p63)), CAST(EXTRACT, 128, 1, TOP(128), 1),          \
        CAST(EXTRACT, 65, 65, TOP(65), TOP(65)), BOTH(CONCAT, 64, TOP(64), 1, TOP(128) + 1),       \
        BOTH(CONCAT, 1, 1, 0, 2), BOTH(ITE, 128, TOP(128), 0, TOP(128)), BOTH(ITE, 1, 0, 1, 1),    \
        BOTH(READ, 64, 0, 0, 0x0807060504030201), BOTH(READ, 64, 1, 0, 0x0908070605040302),        \
        BOTH(READ, 64, 9, 0, 0), BOTH(READ, 64, ONES(64), 0, 0)

// ---- the judges ----

struct judges {
    struct expr_pool *pool;
    struct eval eval;
    struct solver *bitblast, *z3;
    uint8_t input[48];
};

static int setup(void **state)
{
    static struct judges j;
    struct solver_options options = {.queries_per_context = 64, .max_gates = 0};
    unsigned every = (1u << SOLVER_LAYER_COUNT) - 1;
    j.pool = expr_pool_new();
    expr_pool_simplify(j.pool, false);
    eval_init(&j.eval, j.pool);
    options.without = every & ~SOLVER_LAYER(BITBLAST);
    j.bitblast = solver_new(j.pool, &options);
    options.without = every & ~SOLVER_LAYER(Z3);
    j.z3 = solver_new(j.pool, &options);
    *state = &j;
    return 0;
}

static int teardown(void **state)
{
    struct judges *j = *state;
    solver_free(j->bitblast);
    solver_free(j->z3);
    eval_release(&j->eval);
    expr_pool_free(j->pool);
    return 0;
}

static expr_id operand(struct judges *j, uint32_t offset, unsigned width)
{
    unsigned bytes = width <= 8 ? 1 : width <= 16 ? 2 : width <= 32 ? 4 : width <= 64 ? 8 : 16;
    expr_id input = expr_input(j->pool, offset, 8 * bytes);
    return width == 8 * bytes ? input : expr_unary(j->pool, EXPR_TRUNC, width, input);
}

static expr_id table_read(struct judges *j, expr_id offset)
{
    static const uint8_t bytes[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    return expr_read(j->pool, expr_snapshot(j->pool, bytes, NULL, sizeof bytes), offset, 8);
}

// The row's operation on operands that may be inputs or constants.
static expr_id build(struct judges *j, const struct row *r, expr_id a, expr_id b)
{
    switch (expr_op_kind(r->op)) {
    case 'B':
    case 'C':
    case 'F':
    case 'Q': return expr_binary(j->pool, r->op, a, b);
    case 'U':
    case 'X':
    case 'G': return expr_unary(j->pool, r->op, r->width, a);
    default: break;
    }
    switch (r->op) {
    case EXPR_EXTRACT: return expr_extract(j->pool, a, r->from - r->width, r->width);
    case EXPR_CONCAT: return expr_concat(j->pool, a, b);
    case EXPR_ITE: return expr_ite(j->pool, expr_binary(j->pool, EXPR_UGT, a, b), a, b);
    default: return table_read(j, a);
    }
}

// This value and no other. The first half is left out for the largest circuits.
static bool agrees(struct judges *j, struct solver *solver, expr_id fixed, expr_id is, bool both)
{
    expr_id query[2] = {fixed, expr_not(j->pool, is)};
    struct solver_query q = {query, 2, j->input, sizeof j->input, NULL};
    if (solver_check(solver, &q, NULL) != SOLVER_UNSAT)
        return false;
    query[1] = is;
    return !both || solver_check(solver, &q, NULL) == SOLVER_SAT;
}

static void reject(const struct row *r, const char *who)
{
    fail_msg("%s: %s of width %u on %llx:%llx, %llx:%llx is not %llx:%llx", who,
             expr_op_text(r->op), r->from, (unsigned long long)(r->a >> 64),
             (unsigned long long)r->a, (unsigned long long)(r->b >> 64), (unsigned long long)r->b,
             (unsigned long long)(r->result >> 64), (unsigned long long)r->result);
}

static void check_row(struct judges *j, const struct row *r)
{
    expr_id a = operand(j, 0, r->from), b = operand(j, 16, r->from), id = build(j, r, a, b);
    expr_id ka = expr_const(j->pool, r->from, value_pair(value_cut(r->a, r->from)));
    expr_id kb = expr_const(j->pool, r->from, value_pair(value_cut(r->b, r->from)));
    unsigned width = expr_get(j->pool, id)->width;
    expr_id wanted = expr_const(j->pool, width, value_pair(value_cut(r->result, width)));
    bool both = width <= 64;
    memcpy(j->input, &r->a, 16);
    memcpy(j->input + 16, &r->b, 16);
    eval_begin(&j->eval, j->input, sizeof j->input);
    if (value_wide(eval_expr(&j->eval, id)) != value_cut(r->result, width))
        reject(r, "evaluator");
    if (build(j, r, ka, kb) != wanted)
        reject(r, "constant folding");
    expr_id fixed = expr_and(j->pool, expr_binary(j->pool, EXPR_EQ, a, ka),
                             expr_binary(j->pool, EXPR_EQ, b, kb));
    expr_id is = expr_binary(j->pool, EXPR_EQ, id, wanted);
    if (r->op != EXPR_FREM && !agrees(j, j->bitblast, fixed, is, both)) // has no circuit
        reject(r, "bit-blaster");
    if (!agrees(j, j->z3, fixed, is, both))
        reject(r, "Z3");
}

static void check_rows(void **state, const struct row *rows, size_t count, bool seen[EXPR_OP_COUNT])
{
    for (size_t i = 0; i < count; i++) {
        check_row(*state, &rows[i]);
        seen[rows[i].op] = true;
    }
}

static void corner_values(void **state)
{
    bool seen[EXPR_OP_COUNT] = {0};
    const struct row integers[] = {INTEGER_ROWS(8), INTEGER_ROWS(33), INTEGER_ROWS(64),
                                   INTEGER_ROWS(128)};
    const struct row floats[] = {FLOAT_ROWS(32, F, NAN32, FLT_MAX, FLT_MIN, 0x1p-149f)};
    const struct row doubles[] = {FLOAT_ROWS(64, D, NAN64, DBL_MAX, DBL_MIN, 0x1p-1074)};
    const struct row others[] = {OTHER_ROWS};
    check_rows(state, integers, sizeof integers / sizeof *integers, seen);
    check_rows(state, floats, sizeof floats / sizeof *floats, seen);
    check_rows(state, doubles, sizeof doubles / sizeof *doubles, seen);
    check_rows(state, others, sizeof others / sizeof *others, seen);
    for (int op = 0; op < EXPR_OP_COUNT; op++)
        if (!seen[op] && expr_op_kind((enum expr_op)op) != 'V')
            fail_msg("no corner of %s is tested", expr_op_text((enum expr_op)op));
}

int test_solver_corners(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(corner_values, setup, teardown),
    };
    return cmocka_run_group_tests_name("solver_corners", tests, NULL, NULL);
}
