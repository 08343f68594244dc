// SPDX-License-Identifier: Apache-2.0
// Checks as goals: attempts take turns, end with a violation, and only complete refutation
// counts as one. And the names of causes on the command line.
#include "program/faults.h"
#include "search/check_hunts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void add(struct check_hunts *hunts, uint32_t site, uint32_t times)
{
    for (uint32_t i = 0; i < times; i++) {
        struct check_goal *goal = check_hunts_goal(hunts, site, WIRE_FAULT_SHIFT);
        struct candidate candidate = {.site = site, .depth = i};
        if (check_hunts_want(goal))
            check_hunts_add(hunts, goal, &candidate);
        else
            goal->capped = true;
    }
}

static void everybodys_first_attempt_comes_before_anybodys_second(void **state)
{
    (void)state;
    struct check_hunts hunts;
    struct hunt hunt;
    uint32_t expected[] = {7, 8, 9, 7, 9, 7};
    check_hunts_init(&hunts);
    add(&hunts, 7, 3);
    add(&hunts, 8, 1);
    add(&hunts, 9, 2);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        assert_true(check_hunts_next(&hunts, SEARCH_HUNT_EAGER, &hunt));
        assert_int_equal(hunt.candidate.site, expected[i]);
    }
    assert_false(check_hunts_next(&hunts, SEARCH_HUNT_RANKS, &hunt));
    add(&hunts, 8, 1); // a queue that was empty is used again
    assert_true(check_hunts_next(&hunts, SEARCH_HUNT_EAGER, &hunt));
    check_hunts_release(&hunts);
}

static void attempts_at_one_goal_are_limited(void **state)
{
    (void)state;
    struct check_hunts hunts;
    struct hunt hunt;
    size_t eager = 0, all = 0;
    check_hunts_init(&hunts);
    add(&hunts, 7, SEARCH_HUNTS + 10);
    while (check_hunts_next(&hunts, SEARCH_HUNT_EAGER, &hunt))
        eager++;
    while (check_hunts_next(&hunts, SEARCH_HUNT_RANKS, &hunt))
        all++;
    assert_int_equal(eager, SEARCH_HUNT_EAGER);
    assert_int_equal(eager + all, SEARCH_HUNTS);
    struct check_goal *goal = check_hunts_goal(&hunts, 7, WIRE_FAULT_SHIFT);
    goal->refuted = goal->queued;
    assert_false(check_hunts_refuted(goal)); // there were more
    check_hunts_release(&hunts);
}

static void only_complete_refutation_counts(void **state)
{
    (void)state;
    struct check_hunts hunts;
    check_hunts_init(&hunts);
    add(&hunts, 7, 2);
    struct check_goal *goal = check_hunts_goal(&hunts, 7, WIRE_FAULT_SHIFT);
    goal->refuted = 1;
    assert_false(check_hunts_refuted(goal));
    goal->refuted = 2;
    assert_true(check_hunts_refuted(goal));
    goal->failed = 1;
    assert_false(check_hunts_refuted(goal));
    goal->failed = 0;
    goal->violated = true;
    assert_false(check_hunts_refuted(goal));
    assert_false(check_hunts_want(goal));
    assert_true(goal != check_hunts_goal(&hunts, 7, WIRE_FAULT_DIVISION)); // another cause
    check_hunts_release(&hunts);
}

static void causes_are_chosen_by_name(void **state)
{
    (void)state;
    uint32_t usual, chosen;
    struct error err = {0};
    assert_true(faults_choose("", "", &usual, &err));
    assert_true(usual >> WIRE_FAULT_SHIFT & 1);
    assert_false(usual >> WIRE_FAULT_OVERFLOW & 1);
    assert_false(usual >> WIRE_FAULT_MEMORY & 1);
    assert_true(faults_choose("overflow,steps", "shift,null", &chosen, &err));
    assert_true(chosen >> WIRE_FAULT_OVERFLOW & 1);
    assert_true(chosen >> WIRE_FAULT_STEPS & 1);
    assert_false(chosen >> WIRE_FAULT_SHIFT & 1);
    assert_false(chosen >> WIRE_FAULT_NULL & 1);
    assert_false(chosen >> WIRE_FAULT_SEGV & 1); // the same name
    assert_true(faults_choose("", "all", &chosen, &err));
    assert_int_equal(chosen, 0);
    assert_false(faults_choose("overflows", "", &chosen, &err));
    assert_non_null(strstr(err.text, "overflow"));
}

int test_check_hunts(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everybodys_first_attempt_comes_before_anybodys_second),
        cmocka_unit_test(attempts_at_one_goal_are_limited),
        cmocka_unit_test(only_complete_refutation_counts),
        cmocka_unit_test(causes_are_chosen_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
