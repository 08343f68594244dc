// SPDX-License-Identifier: Apache-2.0
// The default. One of several ways to choose is drawn, with a chance that follows what
// it has brought lately: no single one is best on every program, nor from beginning to
// end on one program. The ways: what is certain to add something, the most promising and
// least tried place first (predictive path search); all places alike; new contexts
// (context-guided search); all branches of the run that gained most (generational
// search); what is near to uncovered goals; fitness; and the deepest branch of the latest
// path, which empties small trees.
#include "search/cgs.h"
#include "search/fitness.h"
#include "search/generational.h"
#include "search/ranked.h"
#include "search/strategies.h"

#include "base/arena.h"
#include "base/tunables.h"

// Ways to choose.
enum way { CERTAIN, SPREAD, CONTEXT, GENERATION, NEAREST, FITTEST, DEEPEST, WAYS };

struct auto_search {
    struct search_view view;
    struct cgs cgs;
    struct generational generational;
    struct fitness fitness;
    candidate_list stack;
    double credit[WAYS]; // gains, fading
    double tried[WAYS];  // attempts, fading alike
    enum way last;       // WAYS: none
    unsigned turn;
};

static void *auto_create(const struct search_view *view)
{
    struct auto_search *self = xcalloc(1, sizeof *self);
    self->view = *view;
    self->last = WAYS;
    cgs_init(&self->cgs, view);
    fitness_init(&self->fitness, view);
    return self;
}

static void auto_destroy(void *pointer)
{
    struct auto_search *self = pointer;
    cgs_release(&self->cgs);
    generational_release(&self->generational);
    fitness_release(&self->fitness);
    VEC_RELEASE(&self->stack);
    free(self);
}

static void auto_offer(void *pointer, const struct candidate *candidate)
{
    struct auto_search *self = pointer;
    cgs_offer(&self->cgs, candidate);
    generational_offer(&self->generational, candidate);
    fitness_offer(&self->fitness, candidate);
    *VEC_PUSH(&self->stack) = *candidate;
}

static double score_certain(void *pointer, struct bucket *b)
{
    struct auto_search *self = pointer;
    if (b->relevance != MUST_RELEVANT || b->tries >= SEARCH_AUTO_CERTAIN_TRIES)
        return -1;
    return (double)(1 + pool_potential(self->view.pool, b, self->view.options->walk_down)) /
           (double)(1 + b->tries);
}

// All places alike, however many candidates they have, seldom tried ones more.
static double score_spread(void *self, struct bucket *b)
{
    (void)self;
    double weight = b->relevance == MUST_RELEVANT ? 16 : 1;
    return weight / ((1 + (double)b->tries) * (double)b->items.count);
}

static double score_near(void *self, struct bucket *b)
{
    (void)self;
    if (b->distance == CFG_FAR)
        return 0;
    double distance = b->distance ? b->distance : 1;
    return 1 / (distance * distance * (1 + (double)b->tries) * (double)b->items.count);
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

// Of a place's candidates by turns any, and a deep one, whose run has done the most.
static bool take_spread(struct auto_search *self, struct candidate *out)
{
    struct bucket *b = ranked_draw(self->view.pool, score_spread, self);
    if (!b)
        return false;
    return self->turn++ % 2 ? pool_take_some(self->view.pool, b, POOL_DEEP, out)
                            : pool_take_random(self->view.pool, b, out);
}

// Any candidate of the best place: always the shallowest would keep runs short.
static bool take_certain(struct auto_search *self, struct candidate *out)
{
    struct bucket *b = ranked_best(self->view.pool, score_certain, self);
    return b && pool_take_random(self->view.pool, b, out);
}

static bool choose_way(struct auto_search *self, enum way way, struct candidate *out)
{
    switch (way) {
    case CERTAIN: return take_certain(self, out);
    case SPREAD: return take_spread(self, out);
    case CONTEXT: return cgs_choose(&self->cgs, out);
    case GENERATION: return generational_choose(&self->generational, out);
    case NEAREST: return ranked_take_weighted(self->view.pool, score_near, self, out);
    case FITTEST: return fitness_choose(&self->fitness, out);
    case DEEPEST: return choose_deepest(self, out);
    default: return false;
    }
}

// With a chance in proportion to the rate of gains. Some gains in a few tries are assumed
// in advance: every way is tried again and again, and when none brings anything, the one
// that leaves nothing out is tried most.
static enum way draw(struct auto_search *self)
{
    static const double before[WAYS] = {
        [CERTAIN] = TUNABLE_FRACTION(SEARCH_AUTO_CERTAIN_PERMILLE),
        [SPREAD] = TUNABLE_FRACTION(SEARCH_AUTO_SPREAD_PERMILLE),
        [CONTEXT] = TUNABLE_FRACTION(SEARCH_AUTO_CONTEXT_PERMILLE),
        [GENERATION] = TUNABLE_FRACTION(SEARCH_AUTO_GENERATION_PERMILLE),
        [NEAREST] = TUNABLE_FRACTION(SEARCH_AUTO_NEAREST_PERMILLE),
        [FITTEST] = TUNABLE_FRACTION(SEARCH_AUTO_FITTEST_PERMILLE),
        [DEEPEST] = TUNABLE_FRACTION(SEARCH_AUTO_DEEPEST_PERMILLE),
    };
    double total = 0;
    enum way drawn = SPREAD;
    for (int i = 0; i < WAYS; i++) {
        double weight = (before[i] + self->credit[i]) / (SEARCH_AUTO_TRIES + self->tried[i]);
        double chance = (double)(rng_next(self->view.rng) >> 11) * 0x1p-53;
        total += weight;
        if (chance * total < weight)
            drawn = (enum way)i;
    }
    return drawn;
}

static bool auto_choose_candidate(void *pointer, struct candidate *out)
{
    struct auto_search *self = pointer;
    self->last = WAYS;
    if (coverage_complete(self->view.coverage))
        return choose_for_alarms(self, out);
    self->last = draw(self);
    if (choose_way(self, self->last, out))
        return true;
    self->tried[self->last]++; // it has nothing to offer
    self->last = CERTAIN;
    if (choose_way(self, CERTAIN, out))
        return true;
    self->last = SPREAD;
    return choose_way(self, SPREAD, out) || pool_take_any(self->view.pool, out);
}

static void auto_note_run(void *pointer, const struct run_report *report)
{
    struct auto_search *self = pointer;
    generational_ran(&self->generational, report);
    fitness_ran(&self->fitness, report);
    if (self->last == WAYS)
        return;
    for (int i = 0; i < WAYS; i++) {
        self->credit[i] *= TUNABLE_FRACTION(SEARCH_AUTO_FADE_PERMILLE);
        self->tried[i] *= TUNABLE_FRACTION(SEARCH_AUTO_FADE_PERMILLE);
    }
    self->tried[self->last]++;
    self->credit[self->last] +=
        (double)(report->gain < SEARCH_AUTO_GAIN ? report->gain : SEARCH_AUTO_GAIN);
}

static void auto_note_failure(void *pointer, const struct candidate *candidate)
{
    struct auto_search *self = pointer;
    fitness_failed(&self->fitness, candidate);
}

const struct strategy strategy_auto = {
    auto_create, auto_destroy, auto_offer, auto_choose_candidate, auto_note_run, auto_note_failure,
};
