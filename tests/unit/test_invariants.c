// SPDX-License-Identifier: Apache-2.0
// Damage is planted into sound structures: their check functions find it.
#include "base/arena.h"
#include "base/check.h"
#include "cfg/cfg_internal.h"
#include "coverage/coverage.h"
#include "expr/expr_check.h"
#include "expr/expr_internal.h"
#include "program/program_check.h"
#include "search/tree_check.h"
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

// Is there something wrong with it, and does that go when the damage is undone?
#define FINDS(check, place, damaged)                                                               \
    do {                                                                                           \
        __typeof__(place) sound_ = (place);                                                        \
        (place) = (damaged);                                                                       \
        if (!(check))                                                                              \
            fail_msg("not found: %s = %s", #place, #damaged);                                      \
        (place) = sound_;                                                                          \
        if (check)                                                                                 \
            fail_msg("%s", (check));                                                               \
    } while (0)

static void damaged_expressions_are_found(void **state)
{
    (void)state;
    struct expr_pool *pool = expr_pool_new();
    expr_id a = expr_input(pool, 0, 32), b = expr_input(pool, 4, 32);
    expr_id sum = expr_binary(pool, EXPR_ADD, a, b);
    expr_id less = expr_binary(pool, EXPR_ULT, sum, b);
    const uint8_t bytes[2] = {1, 0};
    const expr_id exprs[2] = {0, expr_extract(pool, a, 0, 8)};
    uint64_t table = expr_snapshot(pool, bytes, exprs, 2);
    assert_null(expr_pool_check(pool));
    struct expr *node = (struct expr *)expr_get(pool, sum);
    FINDS(expr_pool_check(pool), node->a, less);
    FINDS(expr_pool_check(pool), node->width, 8);
    FINDS(expr_pool_check(pool), node->b, 0);
    FINDS(expr_pool_check(pool), pool->depth, 1);
    struct expr_snapshot *snapshot = &pool->snapshots[table];
    FINDS(expr_pool_check(pool), ((expr_id *)snapshot->exprs)[1], a);
    FINDS(expr_pool_check(pool), ((uint8_t *)snapshot->bytes)[1], 7);
    expr_pool_free(pool);
}

// Two decisions; one outcome of each is open.
static void make_tree(struct tree *tree)
{
    const struct tree_node first = {.site = 1, .value = 1}, second = {.site = 2, .value = 2};
    tree_init(tree);
    tree_begin(tree);
    tree_step(tree, &first, 1);
    tree_add_edge(tree, tree->at, 0);
    tree_step(tree, &second, 1);
    tree_add_edge(tree, tree->at, 0);
    tree_end(tree);
}

static void damaged_trees_are_found(void **state)
{
    (void)state;
    struct tree tree;
    make_tree(&tree);
    assert_null(tree_check(&tree));
    assert_int_equal(tree.open, 2);
    FINDS(tree_check(&tree), tree.open, 0);
    FINDS(tree_check(&tree), tree.postponed, 1);
    FINDS(tree_check(&tree), tree.used_nodes, 1);
    struct tree_node *root = &tree.nodes.items[tree.root];
    FINDS(tree_check(&tree), root->live, 1);
    uint32_t child = tree.edges.items[tree_edge_of(&tree, tree.root, 1)].child;
    FINDS(tree_check(&tree), tree.nodes.items[child].parent, child);
    FINDS(tree_check(&tree), tree.nodes.items[child].depth, 7);
    FINDS(tree_check(&tree), tree.edges.items[tree_edge_of(&tree, child, 0)].state, EDGE_POSTPONED);
    tree_set_state(&tree, child, tree_edge_of(&tree, child, 0), EDGE_INFEASIBLE);
    assert_null(tree_check(&tree));
    assert_int_equal(tree.open, 1);
    tree_release(&tree);
}

// A function with one decision `a && b` and its graph, as few nodes as there can be.
struct sample {
    struct function functions[1];
    struct branch branches[2];
    struct decision decisions[1];
    size_t conditions[2], task_functions[1];
    int next[2][2];
    struct task tasks[1];
    struct program program;
    struct cfg_function part_functions[1];
    struct cfg_node nodes[3];
    uint32_t edges[2];
    struct cfg_part part;
};

static void make_sample(struct sample *s)
{
    *s = (struct sample){.conditions = {0, 1},
                         .next = {{DECISION_FALSE, 1}, {DECISION_FALSE, DECISION_TRUE}}};
    s->functions[0] = (struct function){.name = "f", .defined = true};
    for (unsigned i = 0; i < 2; i++)
        s->branches[i] = (struct branch){.kind = BRANCH_CONDITION, .id = i, .index = i};
    s->decisions[0] =
        (struct decision){.conditions = s->conditions, .condition_count = 2, .next = s->next};
    s->tasks[0] = (struct task){.name = "f", .functions = s->task_functions, .function_count = 1};
    s->program = (struct program){.functions = s->functions,
                                  .function_count = 1,
                                  .branches = s->branches,
                                  .branch_count = 2,
                                  .decisions = s->decisions,
                                  .decision_count = 1,
                                  .tasks = s->tasks,
                                  .task_count = 1};
    s->part_functions[0] = (struct cfg_function){.name = "f", .node_count = 3};
    s->nodes[0] = (struct cfg_node){.kind = CFG_COND, .edge_count = 1};
    s->nodes[1] =
        (struct cfg_node){.kind = CFG_OUTCOME, .subject = 1, .first_edge = 1, .edge_count = 1};
    s->nodes[2] = (struct cfg_node){.kind = CFG_RETURN};
    s->edges[0] = 1;
    s->edges[1] = 2;
    s->part = (struct cfg_part){.functions = s->part_functions,
                                .function_count = 1,
                                .nodes = s->nodes,
                                .node_count = 3,
                                .edges = s->edges,
                                .edge_count = 2};
}

static void damaged_programs_are_found(void **state)
{
    (void)state;
    struct sample s;
    make_sample(&s);
    assert_null(program_check_unit(&s.program));
    FINDS(program_check_unit(&s.program), s.branches[1].id, 0);
    FINDS(program_check_unit(&s.program), s.branches[1].function, 1);
    FINDS(program_check_unit(&s.program), s.branches[1].decision, 1);
    FINDS(program_check_unit(&s.program), s.branches[1].index, 0);
    FINDS(program_check_unit(&s.program), s.conditions[1], 2);
    FINDS(program_check_unit(&s.program), s.next[1][0], 0);
    FINDS(program_check_unit(&s.program), s.next[0][1], 2);
    FINDS(program_check_unit(&s.program), s.task_functions[0], 1);
    FINDS(program_check_unit(&s.program), s.tasks[0].entry, 3);
}

static void damaged_graphs_are_found(void **state)
{
    (void)state;
    struct sample s;
    make_sample(&s);
    const struct cfg_part *part = &s.part;
    struct cfg *g = cfg_new(&s.program, &part, 1);
    assert_null(cfg_check(g));
    FINDS(cfg_check(g), g->edges[1], 3);
    FINDS(cfg_check(g), g->nodes[1].function, 1);
    FINDS(cfg_check(g), g->nodes[1].first_edge, 2);
    FINDS(cfg_check(g), g->goal_node[1], 2);
    FINDS(cfg_check(g), g->preds.of[0], 3);
    FINDS(cfg_check(g), g->preds.first[1], 5);
    FINDS(cfg_check(g), g->functions[0].node_count, 4);
    cfg_free(g);
}

static void damaged_coverage_is_found(void **state)
{
    (void)state;
    struct sample s;
    struct coverage c;
    make_sample(&s);
    coverage_init(&c, &s.program, 0);
    const uint32_t goals[] = {1, 2};
    const struct wire_vector vectors[] = {{.decision = 0, .evaluated = 3, .values = 1}};
    coverage_add(&c, goals, 2, vectors, 1, false);
    assert_null(coverage_check(&c));
    FINDS(coverage_check(&c), c.covered_count, 3);
    FINDS(coverage_check(&c), c.covered[1], false);
    FINDS(coverage_check(&c), c.dead[3], true);
    FINDS(coverage_check(&c), c.is_goal[2], false);
    FINDS(coverage_check(&c), c.pair_count, 1);
    FINDS(coverage_check(&c), c.vectors.items[0].outcome, true);
    FINDS(coverage_check(&c), c.vectors.items[0].decision, 1);
    coverage_release(&c);
}

int test_invariants(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damaged_expressions_are_found), cmocka_unit_test(damaged_trees_are_found),
        cmocka_unit_test(damaged_programs_are_found),    cmocka_unit_test(damaged_graphs_are_found),
        cmocka_unit_test(damaged_coverage_is_found),
    };
    return cmocka_run_group_tests_name("invariants", tests, NULL, NULL);
}
