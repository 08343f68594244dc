// SPDX-License-Identifier: Apache-2.0
// The scheduler's turns, and the corpus.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "campaign/scheduler.h"
#include "inputs/corpus.h"

#include <string.h>

struct turns {
    struct scheduler scheduler;
    enum generator_status statuses[GENERATOR_COUNT];
    unsigned count[GENERATOR_COUNT];
};

static void turns_init(struct turns *t)
{
    *t = (struct turns){0};
    scheduler_init(&t->scheduler);
}

// `gain` is what every turn of `lucky` brings.
static void take_turns(struct turns *t, unsigned turns, int lucky, uint64_t gain)
{
    memset(t->count, 0, sizeof t->count);
    for (unsigned i = 0; i < turns; i++) {
        enum generator_id id = scheduler_next(&t->scheduler, t->statuses);
        assert_int_not_equal(id, SCHEDULER_NOBODY);
        t->count[id]++;
        scheduler_account(&t->scheduler, id, 2, (int)id == lucky ? gain : 0);
    }
}

static void test_without_gain_turns_follow_the_shares(void **state)
{
    (void)state;
    struct turns t;
    turns_init(&t);
    assert_int_equal(scheduler_next(&t.scheduler, t.statuses), SCHEDULER_NOBODY);
    t.statuses[GENERATOR_concolic] = t.statuses[GENERATOR_checks] = GENERATOR_READY;
    take_turns(&t, 10000, -1, 0);
    // 16 to 4, and what has worked less is taken to gain a little more: nobody starves.
    assert_in_range(t.count[GENERATOR_checks], 10000 / 20, 10000 / 2);
}

static void test_gain_earns_turns(void **state)
{
    (void)state;
    struct turns t;
    turns_init(&t);
    t.statuses[GENERATOR_concolic] = t.statuses[GENERATOR_checks] = GENERATOR_READY;
    take_turns(&t, 10000, GENERATOR_concolic, 1);
    unsigned poor = t.count[GENERATOR_checks];
    take_turns(&t, 10000, GENERATOR_checks, 1);
    unsigned rich = t.count[GENERATOR_checks];
    assert_true(poor > 0);
    assert_true(rich > 4 * poor);
    take_turns(&t, 10000, GENERATOR_concolic, 1); // what was long ago is forgotten
    assert_true(t.count[GENERATOR_checks] < rich / 4);
}

static void test_costly_turns_are_rare(void **state)
{
    (void)state;
    struct turns t;
    turns_init(&t);
    t.statuses[GENERATOR_concolic] = t.statuses[GENERATOR_postponed] = GENERATOR_READY;
    unsigned turns = 0;
    for (unsigned i = 0; i < 10000; i++) {
        enum generator_id id = scheduler_next(&t.scheduler, t.statuses);
        turns += id == GENERATOR_postponed;
        scheduler_account(&t.scheduler, id, id == GENERATOR_postponed ? 300 : 2, 0);
    }
    assert_in_range(turns, 1, 100);
}

static void test_who_waited_does_not_catch_up(void **state)
{
    (void)state;
    struct turns t;
    turns_init(&t);
    t.statuses[GENERATOR_concolic] = GENERATOR_READY;
    take_turns(&t, 10000, -1, 0);
    t.statuses[GENERATOR_checks] = GENERATOR_READY;
    take_turns(&t, 100, -1, 0);
    assert_true(t.count[GENERATOR_concolic] > 10);
}

static void test_status_goes_before_gain(void **state)
{
    (void)state;
    struct turns t;
    turns_init(&t);
    t.statuses[GENERATOR_extremes] = t.statuses[GENERATOR_more_checks] = GENERATOR_AFTER;
    assert_int_equal(scheduler_next(&t.scheduler, t.statuses), GENERATOR_more_checks);
    t.statuses[GENERATOR_bounds] = GENERATOR_STUCK;
    assert_int_equal(scheduler_next(&t.scheduler, t.statuses), GENERATOR_bounds);
    t.statuses[GENERATOR_concolic] = GENERATOR_READY;
    assert_int_equal(scheduler_next(&t.scheduler, t.statuses), GENERATOR_concolic);
    t.statuses[GENERATOR_null_chains] = GENERATOR_FIRST;
    assert_int_equal(scheduler_next(&t.scheduler, t.statuses), GENERATOR_null_chains);
}

static void test_corpus_remembers(void **state)
{
    (void)state;
    struct arena arena;
    struct corpus corpus;
    uint8_t bytes[] = {1, 2, 3};
    uint32_t goals[] = {4, 7};
    arena_init(&arena);
    corpus_init(&corpus, &arena);
    uint32_t first = corpus_add(
        &corpus, &(struct corpus_entry){.bytes = bytes, .size = 3, .parent = CORPUS_NONE});
    uint32_t second = corpus_add(
        &corpus,
        &(struct corpus_entry){
            .bytes = bytes, .size = 2, .parent = first, .origin = GENERATOR_concolic, .work = 9});
    corpus_set_reach(&corpus, second, &(struct corpus_reach){.goals = goals, .goal_count = 2});
    bytes[0] = 0;
    goals[1] = 0; // both were copied
    assert_int_equal(corpus_get(&corpus, first)->bytes[0], 1);
    assert_null(corpus_get(&corpus, first)->reach);
    assert_int_equal(corpus_get(&corpus, second)->parent, first);
    assert_int_equal(corpus_get(&corpus, second)->reach->goals[1], 7);
    assert_true(corpus.bytes >= 5 + sizeof goals);
    corpus_release(&corpus);
    arena_release(&arena);
}

int test_generators(void);
int test_generators(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_without_gain_turns_follow_the_shares),
        cmocka_unit_test(test_gain_earns_turns),
        cmocka_unit_test(test_costly_turns_are_rare),
        cmocka_unit_test(test_who_waited_does_not_catch_up),
        cmocka_unit_test(test_status_goes_before_gain),
        cmocka_unit_test(test_corpus_remembers),
    };
    return cmocka_run_group_tests_name("generators", tests, NULL, NULL);
}
