// SPDX-License-Identifier: Apache-2.0
// Which exit code wins, and which errors make which.
#include "base/exit_codes.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
// cmocka needs those before it
#include <cmocka.h>

static void the_first_by_rank_is_returned(void **state)
{
    (void)state;
    static const enum exit_code by_rank[] = {
        EXIT_USAGE, EXIT_NOTHING, EXIT_INTERNAL, EXIT_RETRY, EXIT_INCOMPLETE, EXIT_BUGS, EXIT_GATE};
    assert_int_equal(exit_first(0), 0);
    for (exit_set set = 1; set < 1u << 7; set++) {
        exit_set codes = 0;
        enum exit_code wanted[7], got[EXIT_CODE_COUNT];
        size_t count = 0;
        for (size_t i = 0; i < 7; i++)
            if (set >> i & 1)
                codes |= exit_bit(wanted[count++] = by_rank[i]);
        assert_int_equal(exit_first(codes), wanted[0]);
        assert_int_equal(exit_list(codes, got), count);
        assert_memory_equal(got, wanted, count * sizeof *got);
    }
}

static void numbers_are_as_documented(void **state)
{
    (void)state;
    assert_int_equal(EXIT_BUGS, 1);
    assert_int_equal(EXIT_USAGE, 2);
    assert_int_equal(EXIT_NOTHING, 3);
    assert_int_equal(EXIT_INTERNAL, 4);
    assert_int_equal(EXIT_GATE, 5);
    assert_int_equal(EXIT_INCOMPLETE, 6);
    assert_int_equal(EXIT_RETRY, 7);
}

static void a_full_disk_is_worth_another_try(void **state)
{
    (void)state;
    struct error err = {0};
    errno = ENOSPC;
    error_errno(&err, "cannot write %s", "x");
    assert_int_equal(exit_for_error(err.kind), EXIT_RETRY);
    error_set(&err, ERROR_INTERNAL,
              "clang failed:\nerror: unable to open: 'No space left on device'");
    assert_int_equal(exit_for_error(err.kind), EXIT_RETRY);
    errno = EACCES;
    error_errno(&err, "cannot write %s", "x");
    assert_int_equal(exit_for_error(err.kind), EXIT_NOTHING);
    error_set(&err, ERROR_USAGE, "no such file: 'No space left on device'");
    assert_int_equal(exit_for_error(err.kind), EXIT_USAGE);
}

static void a_part_that_fails_leaves_the_run_incomplete(void **state)
{
    (void)state;
    assert_int_equal(exit_first(exit_for_part(ERROR_SOURCE)), EXIT_INCOMPLETE);
    assert_int_equal(exit_first(exit_for_part(ERROR_RETRY)), EXIT_RETRY);
    assert_int_equal(exit_first(exit_for_part(ERROR_INTERNAL)), EXIT_INTERNAL);
    assert_true(exit_for_part(ERROR_RETRY) & exit_bit(EXIT_INCOMPLETE));
}

int test_exit_codes(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_by_rank_is_returned),
        cmocka_unit_test(numbers_are_as_documented),
        cmocka_unit_test(a_full_disk_is_worth_another_try),
        cmocka_unit_test(a_part_that_fails_leaves_the_run_incomplete),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
