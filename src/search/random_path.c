// SPDX-License-Identifier: Apache-2.0
// Uniform random search (CREST) and KLEE's random path: from the root down, at each
// node one of the sides behind which something is open, with equal chance. Short paths
// get most of the attention, and loops do not crowd out what lies beside them.
#include "search/random_path.h"

#include "base/arena.h"
#include "base/tunables.h"
#include "search/pool.h"
#include "search/strategies.h"

static bool walk_once(const struct search_view *view, struct candidate *out)
{
    const struct tree *tree = view->tree;
    uint32_t node = tree->root;
    while (node && node != TREE_DONE) {
        uint32_t picked = 0, sides = 0;
        for (uint32_t e = tree->nodes.items[node].first_edge; e; e = tree->edges.items[e].next) {
            const struct tree_edge *edge = &tree->edges.items[e];
            bool live = edge->state == EDGE_OPEN ||
                        (edge->state == EDGE_VISITED && edge->child && edge->child != TREE_DONE);
            if (live && rng_below(view->rng, ++sides) == 0)
                picked = e;
        }
        if (!picked)
            return false; // only checks are left here
        if (tree->edges.items[picked].state == EDGE_OPEN) {
            *out = candidate_at(tree, view->coverage, node, picked);
            return true;
        }
        node = tree->edges.items[picked].child;
    }
    return false;
}

bool random_walk(const struct search_view *view, struct candidate *out)
{
    for (int i = 0; i < SEARCH_WALKS; i++)
        if (walk_once(view, out))
            return true;
    return pool_take_any(view->pool, out);
}

static void *random_path_create(const struct search_view *view)
{
    struct search_view *self = xcalloc(1, sizeof *self);
    *self = *view;
    return self;
}

static void random_path_offer(void *pointer, const struct candidate *candidate)
{
    (void)pointer, (void)candidate; // the tree has it
}

static bool random_path_choose_candidate(void *pointer, struct candidate *out)
{
    return random_walk(pointer, out);
}

const struct strategy strategy_uniform_random = {
    random_path_create, free, random_path_offer, random_path_choose_candidate, NULL, NULL,
};
