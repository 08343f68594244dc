// SPDX-License-Identifier: Apache-2.0
// KLEE's default: by turns a random path through the tree and a branch drawn with
// weight 1/d^2, where d is its distance to the nearest uncovered goal.
#include "search/random_path.h"
#include "search/ranked.h"
#include "search/strategies.h"

#include "base/arena.h"

struct rp_md2u {
    struct search_view view;
    unsigned turn;
};

static void *rp_md2u_create(const struct search_view *view)
{
    struct rp_md2u *self = xcalloc(1, sizeof *self);
    self->view = *view;
    return self;
}

static double score(void *self, struct bucket *b)
{
    (void)self;
    if (b->distance == CFG_FAR)
        return 0;
    double distance = b->distance ? b->distance : 1;
    return 1 / (distance * distance);
}

static bool rp_md2u_choose_candidate(void *pointer, struct candidate *out)
{
    struct rp_md2u *self = pointer;
    if (self->turn++ % 2 && ranked_take_weighted(self->view.pool, score, self, out))
        return true;
    return random_walk(&self->view, out);
}

const struct strategy strategy_rp_md2u = {
    rp_md2u_create, free, ranked_offer, rp_md2u_choose_candidate, NULL, NULL,
};
