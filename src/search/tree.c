// SPDX-License-Identifier: Apache-2.0
#include "search/tree.h"

#include "base/check.h"
#include "base/tunables.h"
#include "search/tree_check.h"

// Debug builds look at small trees after every change.
#define CHECK_SMALL(tree)                                                                          \
    DEBUG_MUST_HOLD((tree)->nodes.count < SEARCH_CHECKED_NODES ? tree_check(tree) : NULL)

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

size_t tree_bytes(const struct tree *tree)
{
    return tree->used_nodes * sizeof(struct tree_node) +
           tree->used_edges * sizeof(struct tree_edge);
}

// ---- room ----

static uint32_t new_node(struct tree *tree)
{
    uint32_t node = tree->free_node;
    tree->used_nodes++;
    if (node) {
        tree->free_node = tree->nodes.items[node].parent;
        return node;
    }
    node = (uint32_t)tree->nodes.count;
    VEC_PUSH(&tree->nodes);
    return node;
}

static uint32_t new_edge(struct tree *tree)
{
    uint32_t edge = tree->free_edge;
    tree->used_edges++;
    if (edge) {
        tree->free_edge = tree->edges.items[edge].next;
        return edge;
    }
    edge = (uint32_t)tree->edges.count;
    VEC_PUSH(&tree->edges);
    return edge;
}

static void free_node(struct tree *tree, uint32_t node)
{
    for (uint32_t e = tree->nodes.items[node].first_edge, next; e; e = next) {
        next = tree->edges.items[e].next;
        tree->edges.items[e] = (struct tree_edge){.next = tree->free_edge, .state = EDGE_VISITED};
        tree->free_edge = e;
        tree->used_edges--;
    }
    tree->nodes.items[node] = (struct tree_node){.parent = tree->free_node};
    tree->free_node = node;
    tree->used_nodes--;
}

// One edge of the node has nothing left to do. A node without live edges goes, and
// with it the edge that leads to it.
static uint32_t kill_edge(struct tree *tree, uint32_t node)
{
    while (node) {
        if (!tree->nodes.items[node].live)
            BUG("a node of the execution tree has fewer open edges than none");
        if (--tree->nodes.items[node].live)
            break;
        uint32_t parent = tree->nodes.items[node].parent, via = tree->nodes.items[node].via;
        free_node(tree, node);
        if (via)
            tree->edges.items[via].child = TREE_DONE;
        else
            tree->root = TREE_DONE;
        node = parent;
    }
    return node;
}

// ---- states ----

static bool gave_up(uint8_t state)
{
    return state == EDGE_UNKNOWN || state == EDGE_DIVERGED || state == EDGE_LIMIT ||
           state == EDGE_DROPPED;
}

static bool is_live(uint8_t state)
{
    return state == EDGE_OPEN || state == EDGE_POSTPONED || state == EDGE_SKIPPED ||
           state == EDGE_VISITED;
}

static void count_state(struct tree *tree, uint8_t from, uint8_t to)
{
    if ((from == EDGE_OPEN && !tree->open) || (from == EDGE_POSTPONED && !tree->postponed))
        BUG("the execution tree has fewer open edges than none");
    tree->open -= from == EDGE_OPEN;
    tree->open += to == EDGE_OPEN;
    tree->postponed -= from == EDGE_POSTPONED;
    tree->postponed += to == EDGE_POSTPONED;
    tree->given_up += gave_up(to);
    tree->filtered += to == EDGE_FILTERED;
    tree->dropped += to == EDGE_DROPPED;
}

void tree_set_state(struct tree *tree, uint32_t node, uint32_t edge, enum edge_state state)
{
    assert(node && node < tree->nodes.count && edge && edge < tree->edges.count);
    struct tree_edge *e = &tree->edges.items[edge];
    assert(e->serial &&
           (e->state == EDGE_OPEN || e->state == EDGE_POSTPONED || e->state == EDGE_SKIPPED));
    bool was_live = is_live(e->state) && e->state != EDGE_VISITED;
    count_state(tree, e->state, (uint8_t)state);
    e->state = (uint8_t)state;
    if (was_live && !is_live((uint8_t)state))
        kill_edge(tree, node);
    CHECK_SMALL(tree);
}

uint32_t tree_edge_of(const struct tree *tree, uint32_t node, uint64_t outcome)
{
    assert(node && node < tree->nodes.count);
    uint32_t edge = tree->nodes.items[node].first_edge;
    while (edge && tree->edges.items[edge].outcome != outcome)
        edge = tree->edges.items[edge].next;
    return edge;
}

uint32_t tree_add_edge(struct tree *tree, uint32_t node, uint64_t outcome)
{
    uint32_t edge = new_edge(tree);
    tree->edges.items[edge] = (struct tree_edge){
        .outcome = outcome, .next = tree->nodes.items[node].first_edge, .serial = ++tree->serial};
    tree->nodes.items[node].first_edge = edge;
    tree->nodes.items[node].live++;
    tree->open++;
    return edge;
}

// ---- walks ----

void tree_begin(struct tree *tree)
{
    assert(!tree->at && !tree->through); // the last walk has ended
    tree->at = tree->through = 0;
}

static uint32_t make_node(struct tree *tree, const struct tree_node *decision)
{
    uint32_t node = new_node(tree);
    struct tree_node *made = &tree->nodes.items[node];
    *made = *decision;
    made->parent = tree->at;
    made->via = tree->through;
    made->first_edge = made->live = 0;
    made->depth = tree->at ? tree->nodes.items[tree->at].depth + 1 : 0;
    if (tree->through)
        tree->edges.items[tree->through].child = node;
    else
        tree->root = node;
    return node;
}

enum tree_step tree_step(struct tree *tree, const struct tree_node *decision, uint64_t outcome)
{
    uint32_t node = tree->through ? tree->edges.items[tree->through].child : tree->root;
    enum tree_step result = node ? TREE_OLD : TREE_NEW;
    if (node == TREE_DONE)
        return TREE_KNOWN;
    if (!node) {
        node = make_node(tree, decision);
    } else {
        const struct tree_node *known = &tree->nodes.items[node];
        if (known->site != decision->site || known->kind != decision->kind ||
            known->value != decision->value)
            return TREE_OTHER_DECISION;
    }
    uint32_t edge = tree_edge_of(tree, node, outcome);
    if (!edge)
        edge = tree_add_edge(tree, node, outcome);
    struct tree_edge *e = &tree->edges.items[edge];
    // What was given up or filtered comes to life again when a run goes there.
    bool lives = is_live(e->state);
    if (gave_up(e->state))
        tree->given_up--;
    if (!lives)
        tree->nodes.items[node].live++;
    count_state(tree, e->state, EDGE_VISITED);
    e->state = EDGE_VISITED;
    tree->at = node;
    tree->through = edge;
    return result;
}

void tree_end(struct tree *tree)
{
    tree->leaf = tree->at;
    if (tree->through && !tree->edges.items[tree->through].child) {
        tree->edges.items[tree->through].child = TREE_DONE;
        tree->leaf = kill_edge(tree, tree->at);
    }
    tree->at = tree->through = 0;
    CHECK_SMALL(tree);
}
