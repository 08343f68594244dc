// SPDX-License-Identifier: Apache-2.0
// Which statements ran, from the branch outcomes that did. A node that ran was entered
// through its dominators, so these ran too; and what follows without a branch ran, up
// to the next call, which need not return. What lies behind such a call is known to
// have run when some branch behind it has.
#include "coverage/coverage.h"

#include <stdlib.h>

static size_t mark(struct coverage *c, uint32_t node)
{
    if (c->executed[node])
        return 0;
    c->executed[node] = true;
    c->statement_count += c->is_statement[node];
    return c->is_statement[node];
}

// May a call of these functions fail to come back? Only libc and calls through
// pointers are taken on trust.
static bool returns(const struct coverage *c, uint32_t call)
{
    const struct cfg *g = c->cfg;
    for (uint32_t i = g->callees.first[call]; i < g->callees.first[call + 1]; i++) {
        uint32_t f = g->callees.of[i];
        if (g->returns.first[f] == g->returns.first[f + 1])
            return false;
    }
    return g->callees.first[call + 1] - g->callees.first[call] <= 1;
}

static size_t run_on(struct coverage *c, uint32_t node)
{
    const struct cfg *g = c->cfg;
    size_t added = 0;
    for (;;) {
        const struct cfg_node *n = &g->nodes[node];
        added += mark(c, node);
        if (n->kind == CFG_CALL) {
            bool sure = g->callees.first[node + 1] - g->callees.first[node] == 1;
            uint32_t entry =
                sure ? g->functions[g->callees.of[g->callees.first[node]]].first_node : 0;
            if (sure && !c->executed[entry])
                added += run_on(c, entry);
            if (!returns(c, node))
                return added;
        }
        if (n->edge_count != 1 || c->executed[g->edges[n->first_edge]])
            return added;
        node = g->edges[n->first_edge];
    }
}

static size_t mark_dominators(struct coverage *c, uint32_t node)
{
    size_t added = 0;
    for (uint32_t at = c->cfg->idom[node]; at != CFG_NONE && !c->executed[at];
         at = c->cfg->idom[at])
        added += mark(c, at);
    return added;
}

size_t statements_infer(struct coverage *c, uint32_t goal)
{
    uint32_t node = c->cfg ? c->cfg->goal_node[goal] : CFG_NONE;
    if (node == CFG_NONE)
        return 0;
    size_t added = mark_dominators(c, node);
    return added + run_on(c, node);
}

void statements_init(struct coverage *c)
{
    const struct cfg *g = c->cfg;
    c->executed = xcalloc(g->node_count + 1, sizeof(bool));
    c->is_statement = xcalloc(g->node_count + 1, sizeof(bool));
    bool *functions = xcalloc(g->function_count + 1, sizeof(bool));
    for (size_t i = 0; i < c->program->function_count; i++)
        if (c->in_task[i] && g->function_of[i] != CFG_NONE)
            functions[g->function_of[i]] = true;
    for (size_t i = 0; i < g->line_count; i++) {
        uint32_t node = g->lines[i].node;
        bool dead = !g->dom_in[node]; // nothing leads there
        if (functions[g->nodes[node].function] && !dead && !c->is_statement[node]) {
            c->is_statement[node] = true;
            c->statement_total++;
        }
    }
    free(functions);
    uint32_t entry = g->function_of[c->task->entry];
    if (entry != CFG_NONE)
        run_on(c, g->functions[entry].first_node);
}
