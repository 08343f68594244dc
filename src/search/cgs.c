// SPDX-License-Identifier: Apache-2.0
// Context-guided search (Seo and Kim, 2014, algorithm 2). Branches are examined depth
// by depth, those of one depth in random order. A branch is selected if its k-context,
// the k last branches on the way to it (itself included, branches that dominate it
// excluded), was not selected before; else it is skipped. When the tree has been
// walked to its deepest branch, k grows by one and the walk begins again with what was
// skipped. Once contexts are longer than all paths, what is left is taken in order.
#include "search/cgs.h"

#include "base/arena.h"
#include "search/ranked.h"
#include "search/strategies.h"

static void push(struct cgs_depths *depths, const struct candidate *candidate)
{
    while (depths->count <= candidate->depth)
        VEC_PUSH(depths);
    *VEC_PUSH(&depths->items[candidate->depth]) = *candidate;
}

void cgs_init(struct cgs *self, const struct search_view *view)
{
    *self = (struct cgs){.view = *view};
    self->k = view->options->fixed_k ? view->options->fixed_k : 1;
    map_init(&self->contexts);
}

static void release_depths(struct cgs_depths *depths)
{
    for (size_t i = 0; i < depths->count; i++)
        VEC_RELEASE(&depths->items[i]);
    VEC_RELEASE(depths);
}

void cgs_release(struct cgs *self)
{
    release_depths(&self->pending);
    release_depths(&self->skipped);
    map_release(&self->contexts);
}

void cgs_offer(struct cgs *self, const struct candidate *candidate)
{
    push(candidate->depth < self->depth ? &self->skipped : &self->pending, candidate);
}

// What a node of the path was: the outcome of a branch point, or a site and its outcome.
static uint64_t taken(const struct cgs *self, uint32_t node, uint32_t via, uint32_t *place)
{
    const struct tree_node *n = &self->view.tree->nodes.items[node];
    uint64_t outcome = self->view.tree->edges.items[via].outcome;
    const struct cfg *cfg = self->view.coverage->cfg;
    uint32_t goal = n->kind == WIRE_COND     ? 2 * n->site + (uint32_t)outcome
                    : n->kind == WIRE_SWITCH ? 2 * (uint32_t)outcome + 1
                                             : NO_GOAL;
    *place = goal != NO_GOAL && cfg ? cfg->goal_node[goal] : CFG_NONE;
    return goal != NO_GOAL ? goal : hash_mix((uint64_t)n->site << 32 | n->kind) ^ outcome << 1;
}

// The branch that is flipped counts as the one that was taken there, b in the paper; its
// opposite tells the same.
static uint64_t context_of(const struct cgs *self, const struct candidate *c)
{
    const struct cfg *cfg = self->view.coverage->cfg;
    const struct tree *tree = self->view.tree;
    uint64_t own = c->goal != NO_GOAL ? c->goal : hash_mix((uint64_t)c->site << 1 | 1);
    uint64_t hash = hash_mix(own ^ (uint64_t)self->k << 48);
    uint32_t via = tree->nodes.items[c->node].via, at = tree->nodes.items[c->node].parent;
    for (unsigned length = 1; length < self->k && at;) {
        uint32_t place, next_via = tree->nodes.items[at].via;
        uint64_t branch = taken(self, at, via, &place);
        bool dominates = !self->view.options->no_dominators && cfg && place != CFG_NONE &&
                         c->place != CFG_NONE && cfg_dominates(cfg, place, c->place);
        if (!dominates) {
            hash = hash_mix(hash ^ branch);
            length++;
        }
        via = next_via;
        at = tree->nodes.items[at].parent;
    }
    return hash;
}

static bool is_new(struct cgs *self, const struct candidate *candidate)
{
    uint64_t context = context_of(self, candidate);
    if (map_get(&self->contexts, context, NULL))
        return false;
    map_put(&self->contexts, context, 1);
    return true;
}

// The walk is over: again, with what was skipped.
static bool next_walk(struct cgs *self)
{
    size_t deepest = self->skipped.count;
    bool any = false;
    for (size_t i = 0; i < deepest && !any; i++)
        any = self->skipped.items[i].count > 0;
    if (!any)
        return false;
    struct cgs_depths swap = self->pending;
    self->pending = self->skipped;
    self->skipped = swap;
    self->depth = 0;
    // With contexts of this length or at all: nothing new can come.
    self->take_all = !self->selected && (self->view.options->fixed_k || self->k > deepest);
    if (!self->view.options->fixed_k)
        self->k++;
    self->selected = 0;
    return true;
}

bool cgs_choose(struct cgs *self, struct candidate *out)
{
    do {
        for (; self->depth < self->pending.count; self->depth++) {
            candidate_list *list = &self->pending.items[self->depth];
            while (list->count) {
                size_t at = rng_below(self->view.rng, list->count);
                *out = list->items[at];
                list->items[at] = list->items[--list->count];
                if (!candidate_is_open(&self->view, out))
                    continue;
                if (self->take_all || is_new(self, out)) {
                    self->selected++;
                    return true;
                }
                push(&self->skipped, out);
            }
        }
    } while (next_walk(self));
    return false;
}

static void *cgs_create(const struct search_view *view)
{
    struct cgs *self = xcalloc(1, sizeof *self);
    cgs_init(self, view);
    return self;
}

static void cgs_destroy(void *pointer)
{
    cgs_release(pointer);
    free(pointer);
}

static void offer(void *pointer, const struct candidate *candidate)
{
    cgs_offer(pointer, candidate);
}

static bool cgs_choose_candidate(void *pointer, struct candidate *out)
{
    return cgs_choose(pointer, out);
}

const struct strategy strategy_cgs = {
    cgs_create, cgs_destroy, offer, cgs_choose_candidate, NULL, NULL,
};
