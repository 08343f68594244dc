// SPDX-License-Identifier: Apache-2.0
// Random branch search: any open branch with equal chance (CREST's random-branch
// over the whole tree instead of the last path, so that it can exhaust it).
#include "search/strategies.h"

#include "base/arena.h"

struct random_branch {
    struct rng *rng;
    VEC(struct candidate) pool;
};

static void *create(const struct search_view *view)
{
    struct random_branch *self = xcalloc(1, sizeof *self);
    self->rng = view->rng;
    return self;
}

static void destroy(void *pointer)
{
    struct random_branch *self = pointer;
    VEC_RELEASE(&self->pool);
    free(self);
}

static void offer(void *pointer, const struct candidate *candidate)
{
    struct random_branch *self = pointer;
    *VEC_PUSH(&self->pool) = *candidate;
}

static bool choose(void *pointer, struct candidate *out)
{
    struct random_branch *self = pointer;
    if (!self->pool.count)
        return false;
    size_t index = rng_below(self->rng, self->pool.count);
    *out = self->pool.items[index];
    self->pool.items[index] = self->pool.items[--self->pool.count];
    return true;
}

const struct strategy strategy_random_branch = {
    "random-branch", "any open branch with equal chance", create, destroy, offer, choose,
};
