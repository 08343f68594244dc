// SPDX-License-Identifier: Apache-2.0
// Weighted random search: any branch, with a weight that falls with the number of
// tries that its place has had, and is larger when something new is certain there. It
// spreads over the program without forgetting any path, which is what a composition
// of summaries asks for.
#include "search/ranked.h"
#include "search/strategies.h"

#include "base/arena.h"
#include "base/tunables.h"

static void *weighted_random_create(const struct search_view *view)
{
    struct search_view *self = xcalloc(1, sizeof *self);
    *self = *view;
    return self;
}

// Per bucket, not per candidate: the number of candidates is divided out.
static double score(void *self, struct bucket *b)
{
    (void)self;
    double weight = b->relevance == MUST_RELEVANT ? SEARCH_WEIGHTED_CERTAIN : 1;
    return weight / ((1 + (double)b->tries) * (double)b->items.count);
}

static bool weighted_random_choose_candidate(void *pointer, struct candidate *out)
{
    struct search_view *self = pointer;
    return ranked_take_weighted(self->pool, score, self, out) || pool_take_any(self->pool, out);
}

const struct strategy strategy_weighted_random = {
    weighted_random_create, free, ranked_offer, weighted_random_choose_candidate, NULL, NULL,
};
