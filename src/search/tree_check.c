// SPDX-License-Identifier: Apache-2.0
// The invariants of the execution tree: links lead there and back, counts are what counting again
// yields. "Exhausted" is a proof, and it rests on these counts.
#include "search/tree_check.h"

#include <stddef.h>

struct tally {
    size_t open, postponed, nodes, edges;
};

static bool is_freed_edge(const struct tree_edge *e)
{
    return !e->serial;
}

// Is there something left to do at or behind the edge?
static bool is_live_edge(const struct tree_edge *e)
{
    return e->state == EDGE_OPEN || e->state == EDGE_POSTPONED || e->state == EDGE_SKIPPED ||
           (e->state == EDGE_VISITED && e->child != TREE_DONE);
}

static const char *check_edge(const struct tree *tree, uint32_t node, uint32_t edge)
{
    const struct tree_edge *e = &tree->edges.items[edge];
    if (is_freed_edge(e) || e->state > EDGE_DROPPED)
        return "a node of the execution tree has an edge that was freed";
    if (!e->child || e->child == TREE_DONE)
        return NULL;
    if (e->child >= tree->nodes.count || tree->nodes.items[e->child].parent != node ||
        tree->nodes.items[e->child].via != edge)
        return "an edge of the execution tree leads to a node that does not know it";
    if (tree->nodes.items[e->child].depth != tree->nodes.items[node].depth + 1)
        return "a node of the execution tree is not one deeper than its parent";
    return NULL;
}

static const char *check_node(const struct tree *tree, uint32_t node, struct tally *tally)
{
    const struct tree_node *n = &tree->nodes.items[node];
    uint32_t live = 0;
    for (uint32_t edge = n->first_edge; edge; edge = tree->edges.items[edge].next) {
        if (edge >= tree->edges.count || tally->edges > tree->edges.count)
            return "the edges of a node of the execution tree do not end";
        const char *wrong = check_edge(tree, node, edge);
        if (wrong)
            return wrong;
        const struct tree_edge *e = &tree->edges.items[edge];
        tally->edges++;
        tally->open += e->state == EDGE_OPEN;
        tally->postponed += e->state == EDGE_POSTPONED;
        live += is_live_edge(e);
    }
    tally->nodes++;
    return live == n->live ? NULL : "a node of the execution tree counts its open edges wrongly";
}

// Nodes that are in use have an edge, and live ones.
static bool is_used(const struct tree_node *n)
{
    return n->first_edge != 0;
}

const char *tree_check(const struct tree *tree)
{
    struct tally tally = {0};
    for (uint32_t node = 1; node < tree->nodes.count; node++) {
        const char *wrong =
            is_used(&tree->nodes.items[node]) ? check_node(tree, node, &tally) : NULL;
        if (wrong)
            return wrong;
    }
    if (tally.nodes != tree->used_nodes || tally.edges != tree->used_edges)
        return "the execution tree has another size than it counts";
    if (tally.open != tree->open)
        return "the execution tree counts its open edges wrongly";
    if (tally.postponed != tree->postponed)
        return "the execution tree counts its postponed edges wrongly";
    if (!tree->root != !tree->serial)
        return "the execution tree has edges and no root";
    return NULL;
}
