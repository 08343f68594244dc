// SPDX-License-Identifier: Apache-2.0
#include "search/tree.h"

void tree_init(struct tree *tree)
{
    *tree = (struct tree){0};
    VEC_PUSH(&tree->nodes);
    VEC_PUSH(&tree->edges);
}

void tree_release(struct tree *tree)
{
    VEC_RELEASE(&tree->nodes);
    VEC_RELEASE(&tree->edges);
}

void tree_begin(struct tree *tree)
{
    tree->at = tree->through = 0;
}

static bool gave_up(uint8_t state)
{
    return state == EDGE_UNKNOWN || state == EDGE_DIVERGED || state == EDGE_LIMIT;
}

void tree_set_state(struct tree *tree, uint32_t edge, enum edge_state state)
{
    struct tree_edge *e = &tree->edges.items[edge];
    tree->open -= e->state == EDGE_OPEN;
    tree->given_up -= gave_up(e->state);
    e->state = (uint8_t)state;
    tree->open += state == EDGE_OPEN;
    tree->given_up += gave_up((uint8_t)state);
}

uint32_t tree_edge_of(const struct tree *tree, uint32_t node, uint64_t outcome)
{
    uint32_t edge = tree->nodes.items[node].first_edge;
    while (edge && tree->edges.items[edge].outcome != outcome)
        edge = tree->edges.items[edge].next;
    return edge;
}

uint32_t tree_add_edge(struct tree *tree, uint32_t node, uint64_t outcome)
{
    uint32_t edge = (uint32_t)tree->edges.count;
    *VEC_PUSH(&tree->edges) = (struct tree_edge){.outcome = outcome,
                                                 .next = tree->nodes.items[node].first_edge};
    tree->nodes.items[node].first_edge = edge;
    tree->open++;
    return edge;
}

static uint32_t next_node(struct tree *tree, const struct tree_node *decision, bool *is_new)
{
    uint32_t node = tree->through ? tree->edges.items[tree->through].child
                                  : (tree->nodes.count > 1 ? 1 : 0);
    *is_new = node == 0;
    if (node) {
        const struct tree_node *known = &tree->nodes.items[node];
        bool same = known->site == decision->site && known->kind == decision->kind &&
                    known->value == decision->value;
        return same ? node : 0;
    }
    node = (uint32_t)tree->nodes.count;
    struct tree_node *made = VEC_PUSH(&tree->nodes);
    *made = *decision;
    made->parent = tree->at;
    made->via = tree->through;
    made->first_edge = 0;
    made->depth = tree->at ? tree->nodes.items[tree->at].depth + 1 : 0;
    if (tree->through)
        tree->edges.items[tree->through].child = node;
    return node;
}

uint32_t tree_step(struct tree *tree, const struct tree_node *decision, uint64_t outcome,
                   bool *is_new)
{
    uint32_t node = next_node(tree, decision, is_new);
    if (!node)
        return 0;
    uint32_t edge = tree_edge_of(tree, node, outcome);
    if (!edge)
        edge = tree_add_edge(tree, node, outcome);
    tree_set_state(tree, edge, EDGE_VISITED);
    tree->at = node;
    tree->through = edge;
    return node;
}
