// SPDX-License-Identifier: Apache-2.0
// The table of the C library's functions: its order, and that its words do not contradict each
// other.
#include "program/libc.h"
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void the_table_is_in_order(void **state)
{
    (void)state;
    for (size_t i = 1; i < libc_count(); i++)
        if (strcmp(libc_at(i - 1)->name, libc_at(i)->name) >= 0)
            fail_msg("%s stands before %s", libc_at(i - 1)->name, libc_at(i)->name);
    for (size_t i = 0; i < libc_count(); i++)
        assert_ptr_equal(libc_find(libc_at(i)->name), libc_at(i));
}

static void names_of_glibc_are_found(void **state)
{
    (void)state;
    static const char *const first_and_last[] = {"_Exit",  "ynl",    "zone_unused",
                                                 "atexit", "alloca", "getgrgid"};
    for (size_t i = 0; i < sizeof first_and_last / sizeof *first_and_last; i++)
        assert_int_equal(libc_defines(first_and_last[i]),
                         strcmp(first_and_last[i], "zone_unused") != 0);
    assert_true(libc_defines("strlcpy")); // has a model, though this glibc has none
    assert_false(libc_defines("lifetime_of_everything"));
    assert_false(libc_defines("reallocf")); // a line of class OTHER does not say that it is there
    assert_true(libc_has_variable("environ"));
    assert_false(libc_has_variable("qsort"));
}

static void what_is_not_known_may_call_back(void **state)
{
    (void)state;
    assert_true(libc_calls_back("somebodys_function"));
    assert_true(libc_calls_back("strftime")); // known, but called for real
    assert_true(libc_calls_back("on_exit"));
    assert_true(libc_calls_back("atexit"));
    assert_false(libc_calls_back("strlen"));
    assert_false(libc_tells_effects("somebodys_function"));
    assert_int_equal(libc_returns("somebodys_function"), LIBC_NO_ARGUMENT);
}

static void lines_do_not_contradict_themselves(void **state)
{
    (void)state;
    for (size_t i = 0; i < libc_count(); i++) {
        const struct libc_function *f = libc_at(i);
        for (size_t k = 1; k < LIBC_MOST_WRITES; k++)
            if (f->writes[k].used && !f->writes[k - 1].used)
                fail_msg("%s: WRITES_%zu alone", f->name, k + 1);
        if (f->class == LIBC_PURE && (f->writes[0].used || f->writes_from || f->frees))
            fail_msg("%s is PURE and writes or frees", f->name);
        if (f->calls && !f->calls_back && f->class != LIBC_OTHER)
            fail_msg("%s calls its argument, but does not call back", f->name);
        if (f->wrapped && f->class == LIBC_OTHER)
            fail_msg("%s is wrapped in clean builds only", f->name);
        if (f->copies && (!f->bytes.used || !f->writes[0].used))
            fail_msg("%s copies no bytes", f->name);
        if (f->bytes.used && f->writes[0].used && f->writes[0].argument != f->bytes.first)
            fail_msg("%s: BYTES and WRITES differ", f->name);
        if (f->class == LIBC_INPUT && f->state != LIBC_STATE_INPUTS)
            fail_msg("%s: what is an input depends on inputs", f->name);
    }
}

int test_libc(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_is_in_order),
        cmocka_unit_test(names_of_glibc_are_found),
        cmocka_unit_test(what_is_not_known_may_call_back),
        cmocka_unit_test(lines_do_not_contradict_themselves),
    };
    return cmocka_run_group_tests_name("libc", tests, NULL, NULL);
}
