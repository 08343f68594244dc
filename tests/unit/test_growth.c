// SPDX-License-Identifier: Apache-2.0
// Bounds that grow: when and which, and how the inputs of one call are given to others. The place
// table is made by hand, as a target would write it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "inputs/bound_growth.h"
#include "inputs/call_growth.h"

#include <string.h>

enum { MORE = 1, FIRST, SECOND, THIRD, SHAPE_FIRST, SHAPE_THIRD, STUB, ELEMENTS, DEPTH, PLACES };

struct table {
    struct wire_place places[PLACES];
    char strings[256];
    struct places view;
    struct places_index index;
};

static void add(struct table *t, uint32_t id, const char *path, uint8_t type, uint16_t bits,
                uint32_t offset)
{
    strcpy(t->strings + t->view.string_count, path);
    t->places[id] = (struct wire_place){.name = t->view.string_count,
                                        .link = WIRE_L_ROOT,
                                        .type = type,
                                        .bits = bits,
                                        .count = 1,
                                        .offset = offset};
    t->view.string_count += (uint32_t)strlen(path) + 1;
}

static void table_init(struct table *t)
{
    *t = (struct table){.view = {.string_count = 1, .count = PLACES}};
    t->view.table = t->places;
    t->view.strings = t->strings;
    add(t, MORE, "more_calls", WIRE_T_UNSIGNED, 8, 0);
    add(t, FIRST, "arg:x", WIRE_T_SIGNED, 32, 4);
    add(t, SECOND, "call2:arg:x", WIRE_T_SIGNED, 32, 8);
    add(t, THIRD, "call3:arg:x", WIRE_T_SIGNED, 32, 12);
    add(t, SHAPE_FIRST, "arg:p", WIRE_T_SHAPE, 1, 16);
    add(t, SHAPE_THIRD, "call3:arg:p", WIRE_T_SHAPE, 1, 17);
    add(t, STUB, "stub:f#1:return", WIRE_T_SIGNED, 32, 20);
    add(t, ELEMENTS, "bound:elements", WIRE_T_UNSIGNED, 32, 24);
    add(t, DEPTH, "bound:depth", WIRE_T_UNSIGNED, 32, 28);
    places_index_init(&t->index);
    places_index_update(&t->index, &t->view);
}

static void test_grows_when_nothing_is_left_or_nothing_helps(void **state)
{
    (void)state;
    struct options options = {.calls = 2, .most_calls = 3};
    struct wire_run run = {0};
    struct bound_growth growth;
    struct table t;
    bound_growth_init(&growth, &options);
    table_init(&t);
    bound_growth_learn(&growth, &run, 0, &t.index); // the task does not keep state
    assert_false(bound_growth_is_possible(&growth));
    assert_false(bound_growth_is_due(&growth, bound_growth_idle(&growth, 1000, 0)));
    bound_growth_learn(&growth, &run, 1u << BOUND_calls, &t.index);
    assert_true(bound_growth_is_possible(&growth));
    assert_false(bound_growth_is_due(&growth, bound_growth_idle(&growth, 150, 0)));
    assert_true(bound_growth_is_due(&growth, bound_growth_idle(&growth, 200, 0)));
    assert_true(bound_growth_next(&growth, BOUND_STUCK));
    assert_int_equal(growth.bounds[BOUND_calls].now, 3);
    assert_false(bound_growth_is_possible(&growth));
    growth.since = 200;
    assert_false(bound_growth_is_due(&growth, bound_growth_idle(&growth, 280, 0)));
    assert_true(bound_growth_is_due(&growth, bound_growth_idle(&growth, 300, 0)));
    assert_false(bound_growth_next(&growth, BOUND_STUCK)); // back to the first search, for good
    assert_int_equal(growth.bounds[BOUND_calls].now, 2);
    assert_false(bound_growth_has_grown(&growth));
    bound_growth_learn(&growth, &run, 1u << BOUND_calls, &t.index);
    assert_false(bound_growth_is_possible(&growth));
    assert_false(bound_growth_is_due(&growth, bound_growth_idle(&growth, 5000, 0)));
    places_index_release(&t.index);
}

static struct options bounds_options(void)
{
    return (struct options){.calls = 2,
                            .most_calls = 2,
                            .elements = 10,
                            .most_elements = 100,
                            .depth = 4,
                            .most_depth = 8};
}

static void test_only_touched_bounds_grow_and_the_rarest_first(void **state)
{
    (void)state;
    struct options options = bounds_options();
    struct wire_run run = {.losses[WIRE_LOSS_ELEMENTS] = 1};
    struct bound_growth growth;
    struct table t;
    table_init(&t);
    bound_growth_init(&growth, &options);
    bound_growth_learn(&growth, &run, 0, &t.index);
    assert_false(bound_growth_is_due(&growth, 500)); // there is more to try with the first bounds
    assert_true(bound_growth_is_due(&growth, 1000));
    assert_true(bound_growth_next(&growth, BOUND_STUCK));
    assert_int_equal(growth.bounds[BOUND_elements].now, 40);
    assert_int_equal(growth.bounds[BOUND_depth].now, 4);
    run.losses[WIRE_LOSS_DEPTH] = 1;
    bound_growth_learn(&growth, &run, 0, &t.index);
    assert_true(bound_growth_next(&growth, BOUND_STUCK)); // it was raised less often
    assert_int_equal(growth.bounds[BOUND_depth].now, 8);
    assert_true(bound_growth_next(&growth, BOUND_STUCK));
    assert_int_equal(growth.bounds[BOUND_elements].now, 100); // no more than is allowed
    assert_false(bound_growth_next(&growth, BOUND_STUCK));
    places_index_release(&t.index);
}

static void test_no_growth_keeps_bounds_where_they_start(void **state)
{
    (void)state;
    struct options options = bounds_options();
    struct wire_run run = {.losses[WIRE_LOSS_ELEMENTS] = 1};
    struct bound_growth growth;
    struct table t;
    table_init(&t);
    options.no_growth = true;
    bound_growth_init(&growth, &options);
    bound_growth_learn(&growth, &run, 0, &t.index);
    assert_false(bound_growth_is_possible(&growth));
    assert_true(bound_growth_explored(&growth)); // within --elements 10
    places_index_release(&t.index);
}

static void test_what_an_exhausted_search_did_not_touch_does_not_matter(void **state)
{
    (void)state;
    struct options options = bounds_options();
    struct wire_run run = {.losses[WIRE_LOSS_ELEMENTS] = 1};
    struct bound_growth growth;
    struct table t;
    table_init(&t);
    bound_growth_init(&growth, &options);
    bound_growth_learn(&growth, &run, 0, &t.index);
    assert_false(bound_growth_explored(&growth));
    assert_true(bound_growth_next(&growth, BOUND_STUCK)); // the larger search touches nothing
    assert_true(bound_growth_is_possible(&growth));
    assert_true(bound_growth_explored(&growth));
    assert_false(bound_growth_is_possible(&growth));
    places_index_release(&t.index);
}

static void test_longer_arrays_get_what_the_shorter_had(void **state)
{
    (void)state;
    struct wire_place table[] = {
        [1] = {.parent = 9, .type = WIRE_T_SIGNED, .bits = 16, .count = 2, .offset = 0},
        [2] = {.parent = 9, .type = WIRE_T_SIGNED, .bits = 16, .count = 4, .offset = 4},
        [3] = {.parent = 8, .type = WIRE_T_SIGNED, .bits = 16, .count = 4, .offset = 12},
    };
    struct places places = {.table = table, .count = 4};
    static const uint32_t before[] = {1}, now[] = {2, 3};
    struct buf input = BUF_INIT;
    buf_add(&input, "\1\2\3\4", 4);
    assert_true(bound_growth_carry(&places, (struct bound_uses){before, 1},
                                   (struct bound_uses){now, 2}, &input));
    assert_int_equal(input.length, 12); // the array of another object is not touched
    assert_memory_equal(input.data + 4, "\1\2\3\4\0\0\0\0", 8);
    assert_false(bound_growth_carry(&places, (struct bound_uses){before, 1},
                                    (struct bound_uses){before, 1}, &input));
    buf_release(&input);
}

static void test_a_call_is_given_to_later_ones_or_to_all(void **state)
{
    (void)state;
    struct table t;
    struct options options = {.calls = 2, .most_calls = 8};
    struct bound_growth growth;
    struct buf input = BUF_INIT;
    static const uint8_t bytes[] = {0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0};
    static const uint32_t uses[] = {MORE, FIRST, SECOND, STUB};
    table_init(&t);
    bound_growth_init(&growth, &options);
    bound_growth_learn(&growth, &(struct wire_run){0}, 1u << BOUND_calls, &t.index);
    assert_true(bound_growth_next(&growth, BOUND_STUCK));
    buf_add(&input, bytes, sizeof bytes);
    assert_int_equal(call_growth_count(2, &t.view, &t.index, &input), 2);
    bound_growth_apply(&growth, &t.view, &t.index, &input);
    assert_int_equal(call_growth_count(2, &t.view, &t.index, &input), 3);
    assert_int_equal(input.data[0], 1);
    struct call_growth_run run = {2, &t.view, &t.index, uses, sizeof uses / sizeof *uses};
    assert_true(call_growth_repeat(&run, 3, false, &input));
    assert_true(input.length >= 16);
    assert_int_equal(input.data[4], 1);
    assert_int_equal(input.data[12], 2);
    assert_true(call_growth_repeat(&run, 3, true, &input));
    assert_int_equal(input.data[4], 2);
    assert_int_equal(input.data[0], 1); // not an input of a call
    buf_release(&input);
    places_index_release(&t.index);
}

static void test_shapes_keep_their_prefix(void **state)
{
    (void)state;
    struct table t;
    struct buf input = BUF_INIT;
    static const uint32_t uses[] = {SHAPE_FIRST};
    table_init(&t);
    for (int i = 0; i < 17; i++)
        buf_putc(&input, i == 16);
    struct call_growth_run run = {1, &t.view, &t.index, uses, 1};
    assert_true(call_growth_repeat(&run, 3, false, &input));
    assert_int_equal(input.length, 18);
    assert_int_equal(input.data[17], 1);
    buf_release(&input);
    places_index_release(&t.index);
}

static void test_a_driver_that_does_not_ask(void **state)
{
    (void)state;
    struct table t;
    struct bound_growth growth = {.bounds[BOUND_calls] = {.start = 2, .now = 3, .most = 8}};
    struct buf input = BUF_INIT;
    table_init(&t);
    places_index_release(&t.index);
    places_index_init(&t.index);
    bound_growth_apply(&growth, &t.view, &t.index, &input);
    assert_int_equal(input.length, 0);
    assert_int_equal(call_growth_count(2, &t.view, &t.index, &input), 0);
    places_index_release(&t.index);
    buf_release(&input);
}

int test_growth(void);
int test_growth(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_grows_when_nothing_is_left_or_nothing_helps),
        cmocka_unit_test(test_only_touched_bounds_grow_and_the_rarest_first),
        cmocka_unit_test(test_no_growth_keeps_bounds_where_they_start),
        cmocka_unit_test(test_what_an_exhausted_search_did_not_touch_does_not_matter),
        cmocka_unit_test(test_longer_arrays_get_what_the_shorter_had),
        cmocka_unit_test(test_a_call_is_given_to_later_ones_or_to_all),
        cmocka_unit_test(test_shapes_keep_their_prefix),
        cmocka_unit_test(test_a_driver_that_does_not_ask),
    };
    return cmocka_run_group_tests_name("growth", tests, NULL, NULL);
}
