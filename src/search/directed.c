// SPDX-License-Identifier: Apache-2.0
// Directed search: the branch that is nearest to a wanted goal (--goal, or all goals),
// the shallowest of equals. A place that was tried often without getting there counts
// as farther away, so the search does not stay where a loop must first be left.
#include "search/ranked.h"
#include "search/strategies.h"

#include "base/arena.h"

static void *directed_create(const struct search_view *view)
{
    struct search_view *self = xcalloc(1, sizeof *self);
    *self = *view;
    return self;
}

static unsigned magnitude(uint64_t number)
{
    return number ? 64u - (unsigned)__builtin_clzll(number) : 0;
}

static double score(void *self, struct bucket *b)
{
    (void)self;
    if (b->distance == CFG_FAR)
        return -1;
    return 1 / (1 + (double)b->distance + (double)magnitude(b->tries));
}

static bool directed_choose_candidate(void *pointer, struct candidate *out)
{
    struct search_view *self = pointer;
    return ranked_take_best(self->pool, score, self, out) || pool_take_any(self->pool, out);
}

const struct strategy strategy_directed = {
    directed_create, free, ranked_offer, directed_choose_candidate, NULL, NULL,
};
