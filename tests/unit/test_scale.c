// SPDX-License-Identifier: Apache-2.0
// The search's structures at the size of large programs: trees of millions of nodes, paths
// of 100,000 branches, and less memory than candidates. What grows faster than its input
// does not end here in the time that a test has.
#include "base/arena.h"
#include "search/explorer.h"
#include "search/strategies.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { LONG = 100000, NODES = 2000000, BRANCHES = 64 };

// A program of single conditions in one function.
struct fixture {
    struct program program;
    struct function functions[1];
    struct branch branches[BRANCHES];
    struct decision decisions[BRANCHES];
    struct task tasks[1];
    size_t task_functions[1], conditions[BRANCHES];
    int next[BRANCHES][1][2];
    struct coverage coverage;
    struct expr_pool *pool;
    struct explorer explorer;
};

static void setup(struct fixture *f, const struct strategy *strategy)
{
    memset(f, 0, sizeof *f);
    for (size_t i = 0; i < BRANCHES; i++) {
        f->conditions[i] = i;
        f->branches[i] = (struct branch){.kind = BRANCH_CONDITION, .decision = i};
        f->next[i][0][0] = DECISION_FALSE;
        f->next[i][0][1] = DECISION_TRUE;
        f->decisions[i] = (struct decision){
            .conditions = &f->conditions[i], .condition_count = 1, .next = f->next[i]};
    }
    f->tasks[0] = (struct task){.name = "f", .functions = f->task_functions, .function_count = 1};
    f->program = (struct program){.functions = f->functions,
                                  .function_count = 1,
                                  .branches = f->branches,
                                  .branch_count = BRANCHES,
                                  .decisions = f->decisions,
                                  .decision_count = BRANCHES,
                                  .tasks = f->tasks,
                                  .task_count = 1};
    coverage_init(&f->coverage, &f->program, 0);
    f->pool = expr_pool_new();
    struct explorer_options how = {
        .strategy = strategy, .seed = 1, .enumerate = 8, .details = {.walk_down = 3}};
    explorer_init(&f->explorer, &f->program, &f->coverage, f->pool, &how);
}

static void teardown(struct fixture *f)
{
    explorer_release(&f->explorer);
    coverage_release(&f->coverage);
    expr_pool_free(f->pool);
}

static expr_id condition(struct expr_pool *pool, uint32_t byte)
{
    return expr_binary(pool, EXPR_NE, expr_input(pool, byte, 8), expr_const64(pool, 8, 0));
}

// What explorer_absorb does with a run: `length` new decisions behind the outcome `outcome`
// of the first `shared` ones, the other side of each offered.
static void run(struct fixture *f, size_t shared, uint64_t outcome, size_t length)
{
    struct explorer *x = &f->explorer;
    tree_begin(&x->tree);
    for (size_t i = 0; i < shared + length; i++) {
        struct tree_node decision = {.site = (uint32_t)(i % BRANCHES),
                                     .kind = WIRE_COND,
                                     .value = condition(f->pool, (uint32_t)i),
                                     .place = CFG_NONE};
        uint64_t taken = i + 1 == shared ? outcome : 1;
        enum tree_step step = tree_step(&x->tree, &decision, taken);
        assert_int_equal(step, i < shared ? TREE_OLD : TREE_NEW);
        if (step != TREE_NEW)
            continue;
        uint32_t edge = tree_add_edge(&x->tree, x->tree.at, !taken);
        struct candidate c = candidate_at(&x->tree, &f->coverage, x->tree.at, edge);
        pool_add(&x->candidates, &c);
        x->strategy->offer(x->strategy_state, &c);
    }
    tree_end(&x->tree);
    explorer_ran(x, NULL, 0, 1, (const uint8_t *)"", 0);
}

static void trees_of_millions_of_nodes_grow_and_vanish(void **state)
{
    (void)state;
    struct fixture f;
    setup(&f, &strategy_bfs);
    run(&f, 0, 0, LONG);
    for (size_t i = 1; i < NODES / LONG; i++) // each leaves the first path a step earlier
        run(&f, i, 0, LONG);
    struct tree *tree = &f.explorer.tree;
    assert_int_equal(tree->used_nodes, NODES);
    struct candidate c;
    size_t count = 0;
    while (explorer_next(&f.explorer, &c)) {
        explorer_settle(&f.explorer, &c, SOLVER_UNSAT);
        count++;
    }
    assert_true(count > NODES - NODES / LONG - 1);
    assert_true(explorer_exhausted(&f.explorer));
    assert_int_equal(tree->used_nodes + tree->used_edges, 0);
    teardown(&f);
}

static void every_strategy_bears_long_paths(void **state)
{
    (void)state;
    for (size_t s = 0; strategies[s]; s++) {
        struct fixture f;
        setup(&f, strategies[s]);
        run(&f, 0, 0, LONG);
        struct candidate c;
        for (int i = 0; i < 500; i++) {
            assert_true(explorer_next(&f.explorer, &c));
            explorer_settle(&f.explorer, &c, SOLVER_UNSAT);
        }
        assert_int_equal(f.explorer.tree.open, LONG - 500);
        teardown(&f);
    }
}

// One path's constraints after the other's: only what differs is built.
static void constraints_of_long_paths_are_kept(void **state)
{
    (void)state;
    struct fixture f;
    setup(&f, &strategy_dfs);
    run(&f, 0, 0, LONG);
    struct candidate c;
    for (int i = 0; i < 5000; i++) {
        assert_true(explorer_next(&f.explorer, &c));
        assert_int_equal(explorer_constraints(&f.explorer, &c)->count, c.depth + 1);
        explorer_settle(&f.explorer, &c, SOLVER_UNSAT);
    }
    teardown(&f);
}

// Half of the candidates go: the deepest of the places that have most, and all are counted.
static void shedding_drops_the_least_useful(void **state)
{
    (void)state;
    struct fixture f;
    setup(&f, &strategy_bfs);
    run(&f, 0, 0, LONG);
    struct explorer *x = &f.explorer;
    size_t before = explorer_bytes(x), open = x->tree.open;
    size_t dropped = explorer_shed(x, 0.5);
    assert_true(dropped >= open / 2 && dropped <= open / 2 + BRANCHES);
    assert_int_equal(x->tree.dropped, dropped);
    assert_int_equal(x->tree.open, open - dropped);
    assert_true(explorer_bytes(x) < before);
    struct candidate c;
    while (explorer_next(x, &c)) {
        assert_true(c.depth < LONG / 2 + BRANCHES); // every place has the same number here
        explorer_settle(x, &c, SOLVER_UNSAT);
    }
    assert_false(explorer_exhausted(x)); // no proof: something was dropped
    teardown(&f);
}

// A candidate that the solver gave up on early is not offered again by any strategy, and
// the search is not over before it was tried with more effort.
static void postponed_candidates_wait(void **state)
{
    (void)state;
    for (size_t s = 0; strategies[s]; s++) {
        struct fixture f;
        setup(&f, strategies[s]);
        run(&f, 0, 0, 10);
        struct explorer *x = &f.explorer;
        struct candidate first, c;
        assert_true(explorer_next(x, &first));
        explorer_postpone(x, &first);
        size_t others = 0;
        while (explorer_next(x, &c)) {
            assert_true(c.edge != first.edge);
            explorer_settle(x, &c, SOLVER_UNSAT);
            others++;
        }
        assert_int_equal(others, 9);
        assert_false(explorer_exhausted(x));
        assert_true(explorer_next_postponed(x, &c));
        assert_int_equal(c.edge, first.edge);
        explorer_settle(x, &c, SOLVER_UNSAT);
        assert_false(explorer_next_postponed(x, &c));
        assert_true(explorer_exhausted(x));
        teardown(&f);
    }
}

int test_scale(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_of_millions_of_nodes_grow_and_vanish),
        cmocka_unit_test(every_strategy_bears_long_paths),
        cmocka_unit_test(constraints_of_long_paths_are_kept),
        cmocka_unit_test(shedding_drops_the_least_useful),
        cmocka_unit_test(postponed_candidates_wait),
    };
    return cmocka_run_group_tests_name("scale", tests, NULL, NULL);
}
