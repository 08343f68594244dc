// SPDX-License-Identifier: Apache-2.0
// Coverage structure, execution tree, strategies, suite reduction and options.
#include "base/arena.h"
#include "options/options.h"
#include "judge/suite.h"
#include "search/pool.h"
#include "search/strategies.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// A program by hand: one function, the decision a && (b || c), and a switch with two
// cases and a default.
struct fixture {
    struct program program;
    struct function functions[1];
    struct branch branches[6];
    struct decision decisions[1];
    struct switch_point switches[1];
    struct task tasks[1];
    size_t task_functions[1], conditions[3], cases[3];
    int next[3][2];
};

static void make_program(struct fixture *f)
{
    *f = (struct fixture){.conditions = {0, 1, 2}, .cases = {3, 4, 5}};
    for (unsigned i = 0; i < 6; i++) {
        f->branches[i] = (struct branch){.kind = i < 3 ? BRANCH_CONDITION : BRANCH_CASE,
                                         .index = i < 3 ? i : i - 3};
        f->branches[i].low = f->branches[i].high = i;
    }
    f->branches[5].kind = BRANCH_DEFAULT;
    f->next[0][0] = DECISION_FALSE;
    f->next[0][1] = 1;
    f->next[1][0] = 2;
    f->next[1][1] = DECISION_TRUE;
    f->next[2][0] = DECISION_FALSE;
    f->next[2][1] = DECISION_TRUE;
    f->decisions[0] =
        (struct decision){.conditions = f->conditions, .condition_count = 3, .next = f->next};
    f->switches[0] = (struct switch_point){.branches = f->cases, .branch_count = 3};
    f->tasks[0] = (struct task){.name = "f", .functions = f->task_functions, .function_count = 1};
    f->program = (struct program){.functions = f->functions,
                                  .function_count = 1,
                                  .branches = f->branches,
                                  .branch_count = 6,
                                  .decisions = f->decisions,
                                  .decision_count = 1,
                                  .switches = f->switches,
                                  .switch_count = 1,
                                  .tasks = f->tasks,
                                  .task_count = 1};
}

static void a_case_covers_the_false_sides_of_the_others(void **state)
{
    (void)state;
    struct fixture f;
    make_program(&f);
    struct coverage c;
    coverage_init(&c, &f.program, 0);
    assert_int_equal(c.goal_count, 12);
    uint32_t hit = 2 * 3 + 1;
    struct coverage_gain gain = coverage_add(&c, &hit, 1, NULL, 0, false);
    assert_int_equal(gain.goals, 3);
    assert_true(c.covered[7] && c.covered[8] && c.covered[10]);
    assert_false(c.covered[6] || c.covered[9] || c.covered[11]);
    uint32_t all[12];
    assert_int_equal(coverage_expand(&c, &hit, 1, all), 3);
    uint32_t wild = 4000000;
    assert_int_equal(coverage_add(&c, &wild, 1, NULL, 0, false).goals, 0);
    coverage_release(&c);
}

static void pairs_follow_the_rule_of_llvm_cov(void **state)
{
    (void)state;
    struct fixture f;
    make_program(&f);
    struct coverage c;
    coverage_init(&c, &f.program, 0);
    // a=1 b=0 c=1 -> true; a=0 -> false: shows a only.
    struct wire_vector tft = {0, 0, 7, 5}, f__ = {0, 0, 1, 0}, tff = {0, 0, 7, 1},
                       tt_ = {0, 0, 3, 3};
    assert_int_equal(coverage_add(&c, NULL, 0, &tft, 1, false).pairs, 0);
    assert_int_equal(coverage_add(&c, NULL, 0, &f__, 1, false).pairs, 1);
    assert_true(c.pair_shown[0] && !c.pair_shown[1] && !c.pair_shown[2]);
    assert_int_equal(coverage_add(&c, NULL, 0, &tff, 1, false).pairs, 1); // with tft: c
    assert_int_equal(coverage_add(&c, NULL, 0, &tt_, 1, false).pairs, 1); // with tff: b
    assert_int_equal(c.pair_count, 3);
    assert_int_equal(coverage_add(&c, NULL, 0, &tt_, 1, false).vectors, 0); // known
    struct wire_vector unfinished = {0, 0, 1, 1};                           // a true, then nothing
    assert_int_equal(coverage_add(&c, NULL, 0, &unfinished, 1, false).vectors, 0);
    size_t pair[2];
    assert_true(coverage_pair(&c, 2, NULL, pair));
    coverage_release(&c);
}

static uint32_t step(struct tree *tree, uint32_t site, uint64_t outcome, enum tree_step wanted)
{
    struct tree_node decision = {.site = site, .kind = WIRE_COND, .value = 10 + site};
    assert_int_equal(tree_step(tree, &decision, outcome), wanted);
    return tree->at;
}

static void tree_merges_common_prefixes(void **state)
{
    (void)state;
    struct tree tree;
    tree_init(&tree);
    tree_begin(&tree);
    uint32_t a = step(&tree, 1, 1, TREE_NEW);
    uint32_t left = tree_add_edge(&tree, a, 0);
    uint32_t b = step(&tree, 2, 0, TREE_NEW);
    uint32_t open = tree_add_edge(&tree, b, 1), serial = tree.edges.items[open].serial;
    tree_end(&tree);
    assert_int_equal(tree.open, 2);
    assert_int_equal(tree.leaf, b);
    tree_begin(&tree);
    assert_int_equal(step(&tree, 1, 1, TREE_OLD), a);
    assert_int_equal(step(&tree, 2, 1, TREE_OLD), b);
    assert_true(tree_is(&tree, open, serial, EDGE_VISITED));
    tree_end(&tree);
    // All is done below a's true side: it is gone, a is there for its false side.
    assert_int_equal(tree.used_nodes, 1);
    assert_int_equal(tree.leaf, a);
    assert_int_equal(tree.open, 1);
    tree_begin(&tree);
    step(&tree, 2, 1, TREE_OTHER_DECISION);
    tree_begin(&tree);
    step(&tree, 1, 1, TREE_OLD);
    step(&tree, 2, 0, TREE_KNOWN);
    tree_end(&tree);
    tree_set_state(&tree, a, left, EDGE_INFEASIBLE);
    assert_int_equal(tree.root, TREE_DONE);
    assert_int_equal(tree.used_nodes + tree.used_edges, 0);
    tree_release(&tree);
}

// A path of `length` conditions, each with its other side open.
static void make_path(struct tree *tree, size_t length)
{
    tree_begin(tree);
    for (size_t i = 0; i < length; i++)
        tree_add_edge(tree, step(tree, (uint32_t)(i % 3), 1, TREE_NEW), 0);
    tree_end(tree);
}

static void every_strategy_hands_out_each_candidate_once(void **state)
{
    (void)state;
    struct fixture f;
    make_program(&f);
    for (size_t s = 0; strategies[s]; s++) {
        struct coverage c;
        coverage_init(&c, &f.program, 0);
        struct tree tree;
        tree_init(&tree);
        struct rng rng = {3};
        struct pool pool;
        struct strategy_options options = {.walk_down = 3};
        struct search_view view = {&tree, &c, &rng, &pool, NULL, &options};
        pool_init(&pool, &view);
        void *self = strategies[s]->create(&view);
        make_path(&tree, 200);
        for (uint32_t e = 1; e < tree.edges.count; e++)
            for (uint32_t n = 1; n < tree.nodes.count; n++)
                if (tree.edges.items[e].state == EDGE_OPEN && tree_edge_of(&tree, n, 0) == e) {
                    struct candidate offered = candidate_at(&tree, &c, n, e);
                    pool_add(&pool, &offered);
                    strategies[s]->offer(self, &offered);
                }
        if (strategies[s]->ran)
            strategies[s]->ran(self, &(struct run_report){.leaf = tree.leaf});
        struct candidate got;
        size_t count = 0;
        while (strategies[s]->choose(self, &got)) {
            if (!candidate_is_open(&view, &got))
                continue;
            tree_set_state(&tree, got.node, got.edge, EDGE_INFEASIBLE);
            if (strategies[s]->failed)
                strategies[s]->failed(self, &got);
            count++;
        }
        assert_int_equal(count, 200);
        assert_int_equal(tree.root, TREE_DONE);
        strategies[s]->destroy(self);
        pool_release(&pool);
        tree_release(&tree);
        coverage_release(&c);
    }
    assert_ptr_equal(strategies[STRATEGY_DFS], &strategy_dfs);
    assert_null(strategies[STRATEGY_COUNT]);
}

static void suite_is_a_small_cover(void **state)
{
    (void)state;
    struct fixture f;
    make_program(&f);
    struct campaign c = {0};
    arena_init(&c.arena);
    coverage_init(&c.coverage, &f.program, 0);
    static const uint32_t sets[4][3] = {{0, 2, 4}, {0, 1, 3}, {1, 3, 5}, {0, 2, 4}};
    for (int i = 0; i < 4; i++) {
        coverage_add(&c.coverage, sets[i], 3, NULL, 0, false);
        *VEC_PUSH(&c.kept) =
            (struct kept_test){.goals = sets[i], .goal_count = 3, .status = WIRE_OK};
    }
    size_t *chosen;
    assert_int_equal(suite_choose(&c, &c.arena, &chosen), 2); // {0,2,4} and {1,3,5}
    assert_int_equal(chosen[0], 0);
    assert_int_equal(chosen[1], 2);
    c.kept.items[3].status = WIRE_FAULT;
    c.kept.items[3].first_of_alarm = true;
    assert_int_equal(suite_choose(&c, &c.arena, &chosen), 3); // the alarm's test stays
    campaign_release(&c);
}

static void options_come_from_the_table(void **state)
{
    (void)state;
    struct options o;
    options_init(&o);
    assert_int_equal(o.elements, 10);
    struct error err = {0};
    char *words[] = {"--depth",   "7",      "--seed=5", "--static",
                     "--depth=0", "--time", "x.c",      "--time"};
    int i = 0;
    assert_int_equal(options_take(&o, 8, words, &i, &err), 1);
    assert_int_equal(i, 1);
    assert_int_equal(o.depth, 7);
    assert_int_equal(options_take(&o, 8, words, &(int){2}, &err), 1);
    assert_int_equal(o.seed, 5);
    assert_int_equal(options_take(&o, 8, words, &(int){3}, &err), 1);
    assert_true(o.static_tasks);
    assert_int_equal(options_take(&o, 8, words, &(int){4}, &err), -1);
    assert_non_null(strstr(err.text, "--depth takes a whole number"));
    assert_int_equal(options_take(&o, 8, words, &(int){6}, &err), 0);
    assert_int_equal(options_take(&o, 8, words, &(int){7}, &err), -1);
    struct buf text = BUF_INIT;
    options_text(&o, &text);
    assert_non_null(strstr(text.data, "--depth 7"));
    buf_release(&text);
}

int test_search(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_case_covers_the_false_sides_of_the_others),
        cmocka_unit_test(pairs_follow_the_rule_of_llvm_cov),
        cmocka_unit_test(tree_merges_common_prefixes),
        cmocka_unit_test(every_strategy_hands_out_each_candidate_once),
        cmocka_unit_test(suite_is_a_small_cover),
        cmocka_unit_test(options_come_from_the_table),
    };
    return cmocka_run_group_tests_name("search", tests, NULL, NULL);
}
