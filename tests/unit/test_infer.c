// SPDX-License-Identifier: Apache-2.0
// Conditions on inputs from the predicate of a failed check: names, shapes, guards.
#include "pre/infer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

// Inputs: unsigned index (0), int n (4), pointer p (8), unsigned char b (9), int p->len (12),
// what a stub returned (16), unsigned limit (20).
static const char strings[] = "\0arg:index\0arg:n\0arg:p\0arg:b\0len\0stub:get\0arg:limit";
enum { INDEX = 1, N = 11, P = 17, B = 23, LEN = 29, STUB = 33, LIMIT = 42 };
static const struct wire_place table[] = {
    {0},
    {.name = INDEX, .link = WIRE_L_ROOT, .type = WIRE_T_UNSIGNED, .bits = 32, .count = 1},
    {.name = N, .link = WIRE_L_ROOT, .type = WIRE_T_SIGNED, .bits = 32, .count = 1, .offset = 4},
    {.name = P, .link = WIRE_L_ROOT, .type = WIRE_T_SHAPE, .bits = 1, .count = 1, .offset = 8},
    {.name = B, .link = WIRE_L_ROOT, .type = WIRE_T_UNSIGNED, .bits = 8, .count = 1, .offset = 9},
    {.parent = 3,
     .name = LEN,
     .link = WIRE_L_ARROW,
     .type = WIRE_T_SIGNED,
     .bits = 32,
     .count = 1,
     .offset = 12},
    {.name = STUB,
     .link = WIRE_L_ROOT,
     .type = WIRE_T_SIGNED,
     .bits = 32,
     .count = 1,
     .offset = 16},
    {.name = LIMIT,
     .link = WIRE_L_ROOT,
     .type = WIRE_T_UNSIGNED,
     .bits = 32,
     .count = 1,
     .offset = 20},
};
static const struct places places = {.table = table,
                                     .strings = strings,
                                     .count = sizeof table / sizeof *table,
                                     .string_count = sizeof strings};

struct scene {
    struct expr_pool *pool;
    struct solver *solver;
    struct arena arena;
    uint8_t input[24];
    infer_texts out, guards;
};

static void begin(struct scene *s)
{
    memset(s, 0, sizeof *s);
    arena_init(&s->arena);
    s->pool = expr_pool_new();
    s->solver = solver_new(s->pool, NULL);
}

static void end(struct scene *s)
{
    VEC_RELEASE(&s->out);
    VEC_RELEASE(&s->guards);
    solver_free(s->solver);
    expr_pool_free(s->pool);
    arena_release(&s->arena);
}

static void set(struct scene *s, unsigned offset, int32_t value)
{
    memcpy(s->input + offset, &value, sizeof value);
}

static void infer(struct scene *s, uint32_t cause, expr_id safe, const expr_id *path, size_t count)
{
    static const struct function entry = {.name = "f"};
    struct infer_request request = {.pool = s->pool,
                                    .solver = s->solver,
                                    .places = &places,
                                    .entry = &entry,
                                    .input = s->input,
                                    .input_size = sizeof s->input,
                                    .path = path,
                                    .path_count = count,
                                    .safe = safe,
                                    .cause = cause,
                                    .arena = &s->arena};
    infer_candidates(&request, &s->out, &s->guards);
}

static expr_id number(struct scene *s, uint32_t offset, unsigned width, uint64_t value,
                      enum expr_op op)
{
    return expr_binary(s->pool, op, expr_input(s->pool, offset, width),
                       expr_const64(s->pool, width, value));
}

static void an_index_below_a_constant(void **state)
{
    (void)state;
    struct scene s;
    begin(&s);
    set(&s, 0, 99);
    infer(&s, WIRE_FAULT_BOUNDS, number(&s, 0, 32, 15, EXPR_ULE), NULL, 0);
    assert_int_equal(s.out.count, 1);
    assert_string_equal(s.out.items[0], "index < 16");
    end(&s);
}

// As the check of an address computes it: 4 * n + base is within 64 bytes of the base.
static void a_signed_index_has_two_ends(void **state)
{
    (void)state;
    struct scene s;
    begin(&s);
    set(&s, 4, -3);
    expr_id wide = expr_unary(s.pool, EXPR_SEXT, 64, expr_input(s.pool, 4, 32));
    expr_id offset = expr_binary(s.pool, EXPR_MUL, wide, expr_const64(s.pool, 64, 4));
    infer(&s, WIRE_FAULT_BOUNDS,
          expr_binary(s.pool, EXPR_ULE, offset, expr_const64(s.pool, 64, 60)), NULL, 0);
    assert_int_equal(s.out.count, 1);
    assert_string_equal(s.out.items[0], "n >= 0 && n < 16");
    end(&s);
}

static void a_divisor_is_not_zero(void **state)
{
    (void)state;
    struct scene s;
    begin(&s);
    infer(&s, WIRE_FAULT_DIVISION, number(&s, 9, 8, 0, EXPR_NE), NULL, 0);
    assert_int_equal(s.out.count, 1);
    assert_string_equal(s.out.items[0], "b != 0");
    end(&s);
}

static void two_inputs_are_compared(void **state)
{
    (void)state;
    struct scene s;
    begin(&s);
    set(&s, 0, 7);
    set(&s, 20, 7);
    infer(&s, WIRE_FAULT_BOUNDS,
          expr_binary(s.pool, EXPR_ULT, expr_input(s.pool, 0, 32), expr_input(s.pool, 20, 32)),
          NULL, 0);
    assert_int_equal(s.out.count, 1);
    assert_string_equal(s.out.items[0], "index < limit");
    end(&s);
}

static void what_callers_do_not_give_is_not_named(void **state)
{
    (void)state;
    struct scene s;
    begin(&s);
    set(&s, 16, 99);
    infer(&s, WIRE_FAULT_BOUNDS, number(&s, 16, 32, 15, EXPR_ULE), NULL, 0);
    assert_int_equal(s.out.count, 0);
    end(&s);
}

// (index & 255) < 16: no interval says this without forbidding what is safe.
static void nothing_is_said_that_forbids_too_much(void **state)
{
    (void)state;
    struct scene s;
    begin(&s);
    set(&s, 0, 99);
    expr_id low =
        expr_binary(s.pool, EXPR_AND, expr_input(s.pool, 0, 32), expr_const64(s.pool, 32, 255));
    infer(&s, WIRE_FAULT_BOUNDS, expr_binary(s.pool, EXPR_ULT, low, expr_const64(s.pool, 32, 16)),
          NULL, 0);
    assert_int_equal(s.out.count, 0);
    end(&s);
}

static void cases_on_the_way_are_guards(void **state)
{
    (void)state;
    struct scene s;
    begin(&s);
    set(&s, 0, 99);
    set(&s, 4, 3);
    s.input[8] = 1;
    set(&s, 12, 70);
    expr_id path[] = {expr_extract(s.pool, expr_input(s.pool, 8, 8), 0, 1),
                      number(&s, 4, 32, 3, EXPR_EQ),
                      expr_not(s.pool, number(&s, 12, 32, 64, EXPR_SLT))};
    infer(&s, WIRE_FAULT_BOUNDS, number(&s, 0, 32, 15, EXPR_ULE), path, 3);
    assert_int_equal(s.guards.count, 3);
    assert_string_equal(s.guards.items[0], "p->len < 64");
    assert_string_equal(s.guards.items[1], "n != 3");
    assert_string_equal(s.guards.items[2], "p == NULL");
    infer_guarded(&s.guards, &s.arena, &s.out);
    assert_int_equal(s.out.count, 4);
    assert_string_equal(s.out.items[2], "n != 3 || index < 16");
    end(&s);
}

static void an_assertion_is_told_by_the_last_decision(void **state)
{
    (void)state;
    struct scene s;
    begin(&s);
    set(&s, 4, -1);
    expr_id path[] = {number(&s, 4, 32, 0, EXPR_SLT)};
    infer(&s, WIRE_FAULT_ASSERT, 0, path, 1);
    assert_int_equal(s.out.count, 1);
    assert_string_equal(s.out.items[0], "n >= 0");
    end(&s);
}

int test_infer(void);
int test_infer(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_index_below_a_constant),
        cmocka_unit_test(a_signed_index_has_two_ends),
        cmocka_unit_test(a_divisor_is_not_zero),
        cmocka_unit_test(two_inputs_are_compared),
        cmocka_unit_test(what_callers_do_not_give_is_not_named),
        cmocka_unit_test(nothing_is_said_that_forbids_too_much),
        cmocka_unit_test(cases_on_the_way_are_guards),
        cmocka_unit_test(an_assertion_is_told_by_the_last_decision),
    };
    return cmocka_run_group_tests_name("infer", tests, NULL, NULL);
}
