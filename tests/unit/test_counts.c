// SPDX-License-Identifier: Apache-2.0
// Numbers of elements that a bound moves (src/harness/counts.h).
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/arena.h"
#include "harness/counts.h"

static void has_text(struct count count, const char *expected)
{
    struct arena arena;
    arena_init(&arena);
    assert_string_equal(count_text(&arena, count), expected);
    arena_release(&arena);
}

static void test_text_of_counts(void **state)
{
    (void)state;
    struct count usual = count_bounded(10, 256);
    has_text(count_fixed(4), "4");
    has_text(count_bounded(10, 10), "10");
    has_text(count_bounded(10, 3), "10");
    has_text(usual, "cz_elements(10, 256)");
    has_text(count_plus(usual, 1), "(cz_elements(10, 256) + 1)");
    has_text(count_times(usual, 3), "(3 * cz_elements(10, 256))");
    has_text(count_plus(count_times(count_plus(usual, 2), 3), 1), "(3 * cz_elements(10, 256) + 7)");
}

static void test_limits_of_counts(void **state)
{
    (void)state;
    struct count triple = count_times(count_bounded(10, 256), 3);
    assert_int_equal(count_start(triple), 30);
    assert_int_equal(count_most(triple), 768);
    assert_int_equal(count_most(count_limit(triple, 100)), 99);
    assert_int_equal(count_start(count_limit(triple, 100)), 30);
    assert_true(count_is_fixed(count_limit(triple, 31)));
    assert_int_equal(count_start(count_limit(triple, 20)), 30); // the start stays
    assert_int_equal(count_most(count_limit(triple, 20)), 30);
    assert_int_equal(count_most(count_limit(count_fixed(5), 3)), 5);
}

// A length that belongs to two buffers fits both, however far the bound grows.
static void test_smaller_of_counts(void **state)
{
    (void)state;
    struct count usual = count_bounded(10, 256);
    has_text(count_smaller(usual, count_plus(usual, 1)), "cz_elements(10, 256)");
    has_text(count_smaller(count_times(usual, 4), usual), "cz_elements(10, 256)");
    has_text(count_smaller(usual, count_fixed(4)), "4");
    has_text(count_smaller(count_bounded(20, 256), usual), "cz_elements(10, 256)");
    has_text(count_smaller(usual, count_fixed(20)), "cz_elements(10, 20)");
    has_text(count_smaller(count_fixed(20), count_plus(usual, 1)), "(cz_elements(10, 19) + 1)");
    // At the start the first is smaller, at most the second: neither always.
    struct count twice = count_times(usual, 2), early = count_times(count_bounded(10, 40), 4);
    struct count both = count_smaller(twice, early);
    assert_int_equal(count_start(both), 20);
    assert_int_equal(count_most(both), 160);
    has_text(both, "((4 * cz_elements(10, 40)) < (2 * cz_elements(10, 256)) ? "
                   "(4 * cz_elements(10, 40)) : (2 * cz_elements(10, 256)))");
    assert_true(count_covers(twice, both) && count_covers(early, both));
    assert_false(count_covers(both, twice) || count_covers(both, early));
    assert_int_equal(count_most(count_smaller(both, count_fixed(50))), 50);
    assert_int_equal(count_start(count_smaller(both, count_fixed(7))), 7);
    assert_int_equal(count_most(count_plus(count_times(both, 3), 1)), 481);
    // ... or only in between.
    struct count between = count_smaller(count_bounded(21, 256), count_times(usual, 2));
    assert_int_equal(count_start(between), 20);
    assert_int_equal(count_most(between), 256);
}

int test_counts(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text_of_counts),
        cmocka_unit_test(test_limits_of_counts),
        cmocka_unit_test(test_smaller_of_counts),
    };
    return cmocka_run_group_tests_name("counts", tests, NULL, NULL);
}
