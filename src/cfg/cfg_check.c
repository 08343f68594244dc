// SPDX-License-Identifier: Apache-2.0
// The invariants of the graph. That there is no path in it is a proof, so a number out of range
// must not pass for a missing edge.
#include "cfg/cfg_internal.h"

static const char *check_list(const struct cfg_list *list, size_t rows, size_t limit)
{
    for (size_t i = 0; i < rows; i++)
        if (list->first[i] > list->first[i + 1])
            return "rows of a list of the control-flow graph overlap";
    for (uint32_t i = 0; i < list->first[rows]; i++)
        if (list->of[i] >= limit)
            return "a list of the control-flow graph leads out of it";
    return NULL;
}

static const char *check_node(const struct cfg *g, const struct cfg_node *n)
{
    if (n->function >= g->function_count || n->kind > CFG_RETURN)
        return "a node of the control-flow graph is of no function or kind";
    if (n->first_edge > g->edge_count || n->edge_count > g->edge_count - n->first_edge)
        return "edges of a node of the control-flow graph are not there";
    for (uint32_t e = 0; e < n->edge_count; e++) {
        uint32_t to = g->edges[n->first_edge + e];
        if (to >= g->node_count || g->nodes[to].function != n->function)
            return "an edge of the control-flow graph leaves its function";
    }
    return NULL;
}

static const char *check_nodes(const struct cfg *g)
{
    for (size_t f = 0; f < g->function_count; f++)
        if (g->functions[f].first_node > g->node_count ||
            g->functions[f].node_count > g->node_count - g->functions[f].first_node)
            return "nodes of a function of the control-flow graph are not there";
    for (size_t n = 0; n < g->node_count; n++) {
        const char *wrong = check_node(g, &g->nodes[n]);
        if (wrong)
            return wrong;
    }
    return NULL;
}

static const char *check_goals(const struct cfg *g)
{
    for (size_t goal = 0; goal < g->goal_count; goal++) {
        uint32_t node = g->goal_node[goal];
        if (node == CFG_NONE)
            continue;
        if (node >= g->node_count || g->nodes[node].kind != CFG_OUTCOME ||
            g->nodes[node].subject != goal)
            return "the node of a goal is another goal's";
    }
    return NULL;
}

const char *cfg_check(const struct cfg *g)
{
    const char *wrong = check_nodes(g);
    if (!wrong)
        wrong = check_goals(g);
    const struct {
        const struct cfg_list *list;
        size_t rows, limit;
    } lists[] = {
        {&g->preds, g->node_count, g->node_count},
        {&g->callees, g->node_count, g->function_count},
        {&g->jumps, g->node_count, g->node_count},
        {&g->callers, g->function_count, g->node_count},
        {&g->returns, g->function_count, g->node_count},
        {&g->goal_nodes, g->goal_count, g->node_count},
    };
    for (size_t i = 0; !wrong && i < sizeof lists / sizeof *lists; i++)
        wrong = check_list(lists[i].list, lists[i].rows, lists[i].limit);
    return wrong;
}
