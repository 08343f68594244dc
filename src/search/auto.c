// SPDX-License-Identifier: Apache-2.0
// The default. A branch whose other side nobody has covered comes first, the
// shallowest such first, because its query is the smallest. When there is none it
// takes turns between a fair draw over sites (first the site, then one of its open
// branches: a loop that runs a thousand times weighs no more than an if) and the
// deepest branch of the latest path, which empties small trees quickly.
//
// Candidates stand in up to three places; one that is taken from one of them is
// recognised as stale in the others by the edge's state.
#include "search/strategies.h"

#include "base/arena.h"
#include "base/map.h"

struct site_pool {
    VEC(struct candidate) items;
};

struct auto_search {
    struct search_view view;
    VEC(struct candidate) fresh; // promising when offered, in order of arrival
    size_t next_fresh;
    VEC(struct candidate) stack;
    VEC(struct site_pool) sites;
    struct map site_index;
    bool *taken; // per edge
    size_t taken_room;
    unsigned turn;
};

static void *create(const struct search_view *view)
{
    struct auto_search *self = xcalloc(1, sizeof *self);
    self->view = *view;
    map_init(&self->site_index);
    return self;
}

static void destroy(void *pointer)
{
    struct auto_search *self = pointer;
    for (size_t i = 0; i < self->sites.count; i++)
        VEC_RELEASE(&self->sites.items[i].items);
    VEC_RELEASE(&self->sites);
    VEC_RELEASE(&self->fresh);
    VEC_RELEASE(&self->stack);
    map_release(&self->site_index);
    free(self->taken);
    free(self);
}

static struct site_pool *pool_of(struct auto_search *self, const struct candidate *candidate)
{
    uint64_t key = (uint64_t)candidate->site << 32 | candidate->goal, index;
    if (!map_get(&self->site_index, key, &index)) {
        index = self->sites.count;
        VEC_PUSH(&self->sites);
        map_put(&self->site_index, key, index);
    }
    return &self->sites.items[index];
}

static void offer(void *pointer, const struct candidate *candidate)
{
    struct auto_search *self = pointer;
    if (candidate->goal != NO_GOAL && coverage_wants(self->view.coverage, candidate->goal))
        *VEC_PUSH(&self->fresh) = *candidate;
    *VEC_PUSH(&self->stack) = *candidate;
    *VEC_PUSH(&pool_of(self, candidate)->items) = *candidate;
    // An enumerated value is offered again on the same edge.
    if (candidate->edge < self->taken_room)
        self->taken[candidate->edge] = false;
}

static bool take(struct auto_search *self, const struct candidate *candidate, struct candidate *out)
{
    vec_reserve((void **)&self->taken, &self->taken_room, candidate->edge + 1, sizeof(bool));
    if (self->taken[candidate->edge])
        return false;
    self->taken[candidate->edge] = true;
    *out = *candidate;
    return true;
}

static bool choose_fresh(struct auto_search *self, struct candidate *out)
{
    while (self->next_fresh < self->fresh.count) {
        const struct candidate *candidate = &self->fresh.items[self->next_fresh++];
        if (coverage_wants(self->view.coverage, candidate->goal) && take(self, candidate, out))
            return true;
    }
    self->fresh.count = self->next_fresh = 0;
    return false;
}

static bool choose_deepest(struct auto_search *self, struct candidate *out)
{
    while (self->stack.count)
        if (take(self, &self->stack.items[--self->stack.count], out))
            return true;
    return false;
}

static bool choose_by_site(struct auto_search *self, struct candidate *out)
{
    while (self->sites.count) {
        size_t site = rng_below(self->view.rng, self->sites.count);
        struct site_pool *pool = &self->sites.items[site];
        while (pool->items.count) {
            size_t index = rng_below(self->view.rng, pool->items.count);
            struct candidate candidate = pool->items.items[index];
            pool->items.items[index] = pool->items.items[--pool->items.count];
            if (take(self, &candidate, out))
                return true;
        }
        // Nothing here: look at the others in turn, so that the loop ends.
        bool any = false;
        for (size_t i = 0; i < self->sites.count && !any; i++)
            any = self->sites.items[i].items.count > 0;
        if (!any)
            return false;
    }
    return false;
}

static bool choose(void *pointer, struct candidate *out)
{
    struct auto_search *self = pointer;
    if (choose_fresh(self, out))
        return true;
    if (self->turn++ % 4 == 0 && choose_deepest(self, out))
        return true;
    return choose_by_site(self, out) || choose_deepest(self, out);
}

const struct strategy strategy_auto = {
    "auto", "uncovered branches first, then by turns a fair draw over sites and the deepest",
    create, destroy, offer, choose,
};
