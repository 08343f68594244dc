// SPDX-License-Identifier: Apache-2.0
// The default. Candidates that are certain to add something come first, the most
// promising and least tried place first, as in predictive path search; but after a
// place has failed a few times it has to share its turns with the others. Those take
// turns: contexts that are new (context-guided search), fitness, nearness to what is
// missing, and the deepest branch of the latest path, which empties small trees.
#include "search/cgs.h"
#include "search/fitness.h"
#include "search/random_path.h"
#include "search/ranked.h"
#include "search/strategies.h"

#include "base/arena.h"

enum { PATIENCE = 4 }; // tries of a place before it has to share

struct auto_search {
    struct search_view view;
    struct cgs cgs;
    struct fitness fitness;
    candidate_list stack;
    unsigned turn;
};

static void *create(const struct search_view *view)
{
    struct auto_search *self = xcalloc(1, sizeof *self);
    self->view = *view;
    cgs_init(&self->cgs, view);
    fitness_init(&self->fitness, view);
    return self;
}

static void destroy(void *pointer)
{
    struct auto_search *self = pointer;
    cgs_release(&self->cgs);
    fitness_release(&self->fitness);
    VEC_RELEASE(&self->stack);
    free(self);
}

static void offer(void *pointer, const struct candidate *candidate)
{
    struct auto_search *self = pointer;
    cgs_offer(&self->cgs, candidate);
    fitness_offer(&self->fitness, candidate);
    *VEC_PUSH(&self->stack) = *candidate;
}

static double score_fresh(void *pointer, struct bucket *b)
{
    struct auto_search *self = pointer;
    if (b->relevance != MUST_RELEVANT || b->tries >= PATIENCE)
        return -1;
    return (double)(1 + pool_potential(self->view.pool, b, self->view.options->walk_down)) /
           (double)(1 + b->tries);
}

static double score_near(void *self, struct bucket *b)
{
    (void)self;
    if (b->distance == CFG_FAR)
        return 0;
    double distance = b->distance ? b->distance : 1;
    return 1 / (distance * distance * (1 + (double)b->tries));
}

static double score_equal(void *self, struct bucket *b)
{
    (void)self;
    return 1 / (double)b->items.count;
}

static bool choose_deepest(struct auto_search *self, struct candidate *out)
{
    while (self->stack.count) {
        *out = self->stack.items[--self->stack.count];
        if (candidate_is_open(&self->view, out))
            return true;
    }
    return false;
}

// All is covered; what is left are alarms. Those lie where loops go too far, so all places
// get their turn, and any of their candidates, however deep.
static bool choose_for_alarms(struct auto_search *self, struct candidate *out)
{
    if (self->turn++ % 4 == 0 && choose_deepest(self, out))
        return true;
    return ranked_take_weighted(self->view.pool, score_equal, self, out) ||
           pool_take_any(self->view.pool, out);
}

static bool choose(void *pointer, struct candidate *out)
{
    struct auto_search *self = pointer;
    if (ranked_take_best(self->view.pool, score_fresh, self, out))
        return true;
    if (coverage_complete(self->view.coverage))
        return choose_for_alarms(self, out);
    switch (self->turn++ % 4) {
    case 0:
        if (fitness_choose(&self->fitness, out))
            return true;
        break;
    case 1:
        if (ranked_take_weighted(self->view.pool, score_near, self, out))
            return true;
        break;
    case 2:
        if (choose_deepest(self, out))
            return true;
        break;
    }
    return cgs_choose(&self->cgs, out) || pool_take_any(self->view.pool, out);
}

static void ran(void *pointer, const struct run_report *report)
{
    struct auto_search *self = pointer;
    fitness_ran(&self->fitness, report);
}

static void failed(void *pointer, const struct candidate *candidate)
{
    struct auto_search *self = pointer;
    fitness_failed(&self->fitness, candidate);
}

const struct strategy strategy_auto = {
    "auto", "what is certain to be new first, then new contexts, fitness, nearness, depth by turns",
    create, destroy, offer, choose, ran, failed,
};
