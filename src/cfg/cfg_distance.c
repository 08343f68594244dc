// SPDX-License-Identifier: Apache-2.0
// Distances to wanted nodes, reachability, and walks of a few levels. All match calls
// and returns as cfg.h says, by walking two copies of the graph: in the upper one a
// return leads to every caller, in the lower one it leads nowhere; a call leads from
// either copy into the lower one.
#include "cfg/cfg_internal.h"

#include "base/error.h"
#include <stdlib.h>
#include <string.h>

// 0-1 breadth-first search backwards. States are 2 * node (lower) and 2 * node + 1.
struct search {
    const struct cfg *cfg;
    uint32_t *up, *down;
    uint32_t *deque; // a ring
    size_t head, count, room;
};

static void relax(struct search *s, uint32_t node, bool upper, uint32_t distance, bool far)
{
    uint32_t *at = upper ? &s->up[node] : &s->down[node];
    if (*at <= distance || !s->cfg->alive[node])
        return;
    *at = distance;
    if (s->count == s->room)
        BUG("the ring of distances is full");
    uint32_t state = 2 * node + upper;
    if (far) {
        s->deque[(s->head + s->count) % s->room] = state;
    } else {
        s->head = (s->head + s->room - 1) % s->room;
        s->deque[s->head] = state;
    }
    s->count++;
}

// Taking a branch costs one: the step into an OUTCOME node.
static void expand(struct search *s, uint32_t node, bool upper)
{
    const struct cfg *g = s->cfg;
    uint32_t distance = upper ? s->up[node] : s->down[node];
    bool branch = g->nodes[node].kind == CFG_OUTCOME;
    uint32_t function = g->nodes[node].function;
    for (uint32_t i = g->preds.first[node]; i < g->preds.first[node + 1]; i++) {
        uint32_t from = g->preds.of[i];
        relax(s, from, upper, distance + branch, branch);
        if (!upper || g->nodes[from].kind != CFG_CALL)
            continue;
        // Whoever returns to here.
        for (uint32_t c = g->callees.first[from]; c < g->callees.first[from + 1]; c++) {
            uint32_t callee = g->callees.of[c];
            for (uint32_t r = g->returns.first[callee]; r < g->returns.first[callee + 1]; r++)
                relax(s, g->returns.of[r], true, distance, false);
        }
    }
    if (upper)
        return;
    relax(s, node, true, distance, false);
    if (g->functions[function].first_node == node)
        for (uint32_t i = g->callers.first[function]; i < g->callers.first[function + 1]; i++)
            relax(s, g->callers.of[i], false, distance, false);
}

void cfg_distances(const struct cfg *g, const bool *wanted, uint32_t *up, uint32_t *down)
{
    size_t room = 4 * g->node_count + 8; // a state is queued again only when it gets nearer
    struct search s = {g, up, down, xcalloc(room, sizeof *s.deque), 0, 0, room};
    memset(up, 0xff, g->node_count * sizeof *up);
    memset(down, 0xff, g->node_count * sizeof *down);
    for (uint32_t n = 0; n < g->node_count; n++)
        if (wanted[n])
            relax(&s, n, false, 0, true);
    while (s.count) {
        uint32_t state = s.deque[s.head];
        s.head = (s.head + 1) % s.room;
        s.count--;
        expand(&s, state / 2, state & 1);
    }
    free(s.deque);
}

void cfg_reach(const struct cfg *g, uint32_t from, bool *reached)
{
    uint32_t *stack = xcalloc(g->node_count + 1, sizeof *stack), depth = 0;
    memset(reached, 0, g->node_count);
    reached[from] = true;
    stack[depth++] = from;
    while (depth) {
        uint32_t n = stack[--depth];
        const struct cfg_node *node = &g->nodes[n];
        for (uint32_t e = 0; e < node->edge_count; e++) {
            uint32_t to = g->edges[node->first_edge + e];
            if (!reached[to]) {
                reached[to] = true;
                stack[depth++] = to;
            }
        }
        for (uint32_t c = g->callees.first[n]; c < g->callees.first[n + 1]; c++) {
            uint32_t to = g->functions[g->callees.of[c]].first_node;
            if (!reached[to]) {
                reached[to] = true;
                stack[depth++] = to;
            }
        }
        for (uint32_t c = g->jumps.first[n]; c < g->jumps.first[n + 1]; c++) {
            if (!reached[g->jumps.of[c]]) {
                reached[g->jumps.of[c]] = true;
                stack[depth++] = g->jumps.of[c];
            }
        }
    }
    free(stack);
}

void cfg_set_root(struct cfg *g, uint32_t function)
{
    g->root = g->functions[function].first_node;
    cfg_reach(g, g->root, g->alive);
}

// ---- walks of a few levels ----

// One level after the other. What lies on the next level are outcomes, and an outcome is
// entered from its own branch point only (or, a copy, from the first of its kind), so
// nothing is entered too late.
struct step {
    const struct cfg *cfg;
    struct cfg_walk *walk;
    size_t count, next_count;
};

static void enter(struct step *s, uint32_t node, bool next)
{
    struct cfg_walk *w = s->walk;
    if (w->stamp[node] == w->now || !s->cfg->alive[node])
        return;
    w->stamp[node] = w->now;
    if (next)
        w->next[s->next_count++] = node;
    else
        w->queue[s->count++] = node;
}

static void walk_node(struct step *s, uint32_t node)
{
    const struct cfg *g = s->cfg;
    const struct cfg_node *n = &g->nodes[node];
    for (uint32_t c = g->callees.first[node]; c < g->callees.first[node + 1]; c++)
        enter(s, g->functions[g->callees.of[c]].first_node, false);
    for (uint32_t e = 0; e < n->edge_count; e++)
        enter(s, g->edges[n->first_edge + e], n->kind == CFG_COND || n->kind == CFG_SWITCH);
    for (uint32_t c = g->jumps.first[node]; c < g->jumps.first[node + 1]; c++)
        enter(s, g->jumps.of[c], false);
    if (n->kind != CFG_RETURN)
        return;
    for (uint32_t i = g->callers.first[n->function]; i < g->callers.first[n->function + 1]; i++) {
        const struct cfg_node *call = &g->nodes[g->callers.of[i]];
        for (uint32_t e = 0; e < call->edge_count; e++)
            enter(s, g->edges[call->first_edge + e], false);
    }
}

void cfg_walk_down(const struct cfg *g, struct cfg_walk *w, uint32_t from, unsigned levels,
                   cfg_visitor *visit, void *context)
{
    if (!w->stamp) {
        w->stamp = xcalloc(g->node_count + 1, sizeof *w->stamp);
        w->queue = xcalloc(g->node_count + 1, sizeof *w->queue);
        w->next = xcalloc(g->node_count + 1, sizeof *w->next);
    }
    w->now++;
    struct step s = {g, w, 0, 0};
    enter(&s, from, false);
    for (unsigned level = 0; level <= levels && s.count; level++) {
        for (size_t at = 0; at < s.count; at++) {
            visit(w->queue[at], level, context);
            walk_node(&s, w->queue[at]);
        }
        uint32_t *swap = w->queue;
        w->queue = w->next;
        w->next = swap;
        s.count = s.next_count;
        s.next_count = 0;
    }
}

void cfg_walk_release(struct cfg_walk *w)
{
    free(w->stamp);
    free(w->queue);
    free(w->next);
    *w = (struct cfg_walk){0};
}
