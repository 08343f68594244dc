// SPDX-License-Identifier: Apache-2.0
// Dominators and post-dominators inside each function, by the iteration of Cooper,
// Harvey and Kennedy over reverse post order. Post-dominators are dominators of the
// reversed graph, whose root is a virtual exit behind every node without successors.
#include "cfg/cfg_internal.h"

#include <stdlib.h>
#include <string.h>

// A function's nodes as 0 .. count-1, in either direction; `root` may be one more.
struct flow {
    size_t count;
    uint32_t root;
    struct cfg_list next, previous;
    uint32_t *order, *position; // reverse post order; position CFG_NONE: not reached
    size_t reached;
    uint32_t *idom;
};

static void order_nodes(struct flow *f, struct arena *arena)
{
    uint32_t *stack = arena_array(arena, uint32_t, f->count + 1), depth = 0;
    uint32_t *at = arena_array(arena, uint32_t, f->count + 1);
    uint32_t *reversed = arena_array(arena, uint32_t, f->count + 1);
    bool *seen = arena_array(arena, bool, f->count + 1);
    stack[depth++] = f->root;
    seen[f->root] = true;
    while (depth) {
        uint32_t n = stack[depth - 1];
        if (f->next.first[n] + at[n] == f->next.first[n + 1]) {
            reversed[f->reached++] = n;
            depth--;
            continue;
        }
        uint32_t to = f->next.of[f->next.first[n] + at[n]++];
        if (!seen[to]) {
            seen[to] = true;
            stack[depth++] = to;
        }
    }
    memset(f->position, 0xff, (f->count + 1) * sizeof *f->position);
    for (size_t i = 0; i < f->reached; i++) {
        f->order[i] = reversed[f->reached - 1 - i];
        f->position[f->order[i]] = (uint32_t)i;
    }
}

static uint32_t common(const struct flow *f, uint32_t a, uint32_t b)
{
    while (a != b) {
        while (f->position[a] > f->position[b])
            a = f->idom[a];
        while (f->position[b] > f->position[a])
            b = f->idom[b];
    }
    return a;
}

static void find_idoms(struct flow *f, struct arena *arena)
{
    f->order = arena_array(arena, uint32_t, f->count + 1);
    f->position = arena_array(arena, uint32_t, f->count + 1);
    f->idom = arena_array(arena, uint32_t, f->count + 1);
    order_nodes(f, arena);
    memset(f->idom, 0xff, (f->count + 1) * sizeof *f->idom);
    f->idom[f->root] = f->root;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 1; i < f->reached; i++) {
            uint32_t n = f->order[i], best = CFG_NONE;
            for (uint32_t p = f->previous.first[n]; p < f->previous.first[n + 1]; p++) {
                uint32_t from = f->previous.of[p];
                if (f->position[from] == CFG_NONE || f->idom[from] == CFG_NONE)
                    continue;
                best = best == CFG_NONE ? from : common(f, from, best);
            }
            changed |= f->idom[n] != best;
            f->idom[n] = best;
        }
    }
}

// The pairs of a function's edges; with `exits`, also those to a virtual exit.
static size_t list_edges(const struct cfg *g, const struct cfg_function *f, bool exits,
                         struct pair *pairs)
{
    size_t count = 0;
    for (uint32_t i = 0; i < f->node_count; i++) {
        const struct cfg_node *n = &g->nodes[f->first_node + i];
        for (uint32_t e = 0; e < n->edge_count; e++)
            pairs[count++] = (struct pair){i, g->edges[n->first_edge + e] - f->first_node};
        if (exits && !n->edge_count)
            pairs[count++] = (struct pair){i, f->node_count};
    }
    return count;
}

static void swap_pairs(struct pair *pairs, size_t count)
{
    for (size_t i = 0; i < count; i++)
        pairs[i] = (struct pair){pairs[i].to, pairs[i].from};
}

static void solve(struct cfg *g, const struct cfg_function *function, bool post,
                  struct arena *scratch, uint32_t *out)
{
    size_t edges = 0;
    for (uint32_t i = 0; i < function->node_count; i++)
        edges += g->nodes[function->first_node + i].edge_count + 1;
    struct pair *pairs = arena_array(scratch, struct pair, edges + 1);
    size_t count = list_edges(g, function, post, pairs);
    struct flow f = {.count = function->node_count + (post ? 1u : 0u),
                     .root = post ? function->node_count : 0};
    cfg_make_list(scratch, post ? &f.previous : &f.next, f.count, pairs, count);
    swap_pairs(pairs, count);
    cfg_make_list(scratch, post ? &f.next : &f.previous, f.count, pairs, count);
    find_idoms(&f, scratch);
    for (uint32_t i = 0; i < function->node_count; i++) {
        bool none = f.idom[i] == CFG_NONE || f.idom[i] == i || f.idom[i] == function->node_count;
        out[function->first_node + i] = none ? CFG_NONE : function->first_node + f.idom[i];
    }
}

// Numbers by a walk over the dominator tree of one function, children by node number.
static void number_tree(struct cfg *g, const struct cfg_function *f, uint32_t *clock,
                        struct arena *scratch)
{
    uint32_t *child = arena_array(scratch, uint32_t, f->node_count);
    uint32_t *sibling = arena_array(scratch, uint32_t, f->node_count);
    for (uint32_t i = f->node_count; i-- > 1;) {
        uint32_t up = g->idom[f->first_node + i];
        if (up == CFG_NONE)
            continue;
        sibling[i] = child[up - f->first_node];
        child[up - f->first_node] = i;
    }
    for (uint32_t at = 0;;) {
        uint32_t node = f->first_node + at;
        if (!g->dom_in[node])
            g->dom_in[node] = ++*clock;
        if (child[at]) {
            uint32_t down = child[at];
            child[at] = sibling[down]; // taken; node 0 is nobody's child
            at = down;
            continue;
        }
        g->dom_out[node] = *clock;
        if (!at)
            return;
        at = g->idom[node] - f->first_node;
    }
}

void cfg_find_dominators(struct cfg *g)
{
    uint32_t clock = 0;
    g->idom = arena_array(&g->arena, uint32_t, g->node_count + 1);
    g->ipdom = arena_array(&g->arena, uint32_t, g->node_count + 1);
    g->dom_in = arena_array(&g->arena, uint32_t, g->node_count + 1);
    g->dom_out = arena_array(&g->arena, uint32_t, g->node_count + 1);
    for (size_t i = 0; i < g->function_count; i++) {
        struct arena scratch;
        arena_init(&scratch);
        solve(g, &g->functions[i], false, &scratch, g->idom);
        solve(g, &g->functions[i], true, &scratch, g->ipdom);
        number_tree(g, &g->functions[i], &clock, &scratch);
        arena_release(&scratch);
    }
}
