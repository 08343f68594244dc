// SPDX-License-Identifier: Apache-2.0
// How much code hangs on a branch: the statements that are control-dependent on it,
// directly or through other branches, those of called functions included. Control
// dependence comes from post-dominators: what post-dominates the outcome but not the
// branch point depends on the outcome (Ferrante, Ottenstein and Warren).
#include "cfg/cfg_internal.h"

#include <stdlib.h>

struct count {
    struct cfg *cfg;
    const uint32_t *statements; // per node
    uint32_t *stamp, *function_stamp, now;
    uint32_t *stack;
    size_t depth;
};

static void push(struct count *c, uint32_t node)
{
    if (c->stamp[node] == c->now)
        return;
    c->stamp[node] = c->now;
    c->stack[c->depth++] = node;
}

static void push_function(struct count *c, uint32_t function)
{
    const struct cfg_function *f = &c->cfg->functions[function];
    if (c->function_stamp[function] == c->now)
        return;
    c->function_stamp[function] = c->now;
    for (uint32_t i = 0; i < f->node_count; i++)
        push(c, f->first_node + i);
}

// Everything that depends on an outcome: from it up the post-dominators, as far as the
// branch point's own.
static void push_dependent(struct count *c, uint32_t outcome, uint32_t point)
{
    const struct cfg *g = c->cfg;
    for (uint32_t n = outcome; n != CFG_NONE && n != g->ipdom[point]; n = g->ipdom[n])
        push(c, n);
}

static uint32_t weigh(struct count *c, uint32_t outcome, uint32_t point)
{
    const struct cfg *g = c->cfg;
    uint32_t total = 0;
    c->now++;
    push_dependent(c, outcome, point);
    while (c->depth) {
        uint32_t n = c->stack[--c->depth];
        const struct cfg_node *node = &g->nodes[n];
        total += c->statements[n];
        for (uint32_t i = g->callees.first[n]; i < g->callees.first[n + 1]; i++)
            push_function(c, g->callees.of[i]);
        if (node->kind == CFG_COND || node->kind == CFG_SWITCH)
            for (uint32_t e = 0; e < node->edge_count; e++)
                push_dependent(c, g->edges[node->first_edge + e], n);
    }
    return total;
}

const uint32_t *cfg_weights(struct cfg *g)
{
    if (g->weight)
        return g->weight;
    g->weight = arena_array(&g->arena, uint32_t, g->goal_count + 1);
    uint32_t *statements = xcalloc(g->node_count + 1, sizeof *statements);
    for (size_t i = 0; i < g->line_count; i++)
        statements[g->lines[i].node]++;
    struct count c = {.cfg = g, .statements = statements};
    c.stamp = xcalloc(g->node_count + 1, sizeof *c.stamp);
    c.stack = xcalloc(g->node_count + 1, sizeof *c.stack);
    c.function_stamp = xcalloc(g->function_count + 1, sizeof *c.function_stamp);
    for (uint32_t goal = 0; goal < g->goal_count; goal++) {
        uint32_t node = g->goal_node[goal];
        if (node != CFG_NONE && g->preds.first[node] < g->preds.first[node + 1])
            g->weight[goal] = weigh(&c, node, g->preds.of[g->preds.first[node]]);
    }
    free(statements);
    free(c.stamp);
    free(c.stack);
    free(c.function_stamp);
    return g->weight;
}
