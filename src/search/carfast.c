// SPDX-License-Identifier: Apache-2.0
// CarFast (Park et al., 2012): greedy. A branch that is not covered yet, the one with
// the most statements that depend on it first; when there is none, any branch.
#include "search/ranked.h"
#include "search/strategies.h"

#include "base/arena.h"

struct carfast {
    struct search_view view;
    const uint32_t *weights;
};

static void *carfast_create(const struct search_view *view)
{
    struct carfast *self = xcalloc(1, sizeof *self);
    self->view = *view;
    if (view->coverage->cfg)
        self->weights = cfg_weights(view->coverage->cfg);
    return self;
}

static double score(void *pointer, struct bucket *b)
{
    struct carfast *self = pointer;
    if (b->relevance != MUST_RELEVANT)
        return -1;
    return self->weights && b->goal != NO_GOAL ? self->weights[b->goal] : 0;
}

static bool carfast_choose_candidate(void *pointer, struct candidate *out)
{
    struct carfast *self = pointer;
    return ranked_take_best(self->view.pool, score, self, out) ||
           pool_take_any(self->view.pool, out);
}

const struct strategy strategy_carfast = {
    carfast_create, free, ranked_offer, carfast_choose_candidate, NULL, NULL,
};
