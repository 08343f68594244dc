// SPDX-License-Identifier: Apache-2.0
// Predictive path search (CAUT, section IV-C). Must-relevant candidates come before
// may-relevant ones; among them the one with the largest potential, the number of
// uncovered goals within --walk-down levels, the shortest of equals. As long as there
// are only may-relevant ones, every other choice is left to fitness-guided search.
#include "search/fitness.h"
#include "search/ranked.h"
#include "search/strategies.h"

#include "base/arena.h"

struct pps {
    struct search_view view;
    struct fitness fitness;
    unsigned turn;
};

static void *pps_create(const struct search_view *view)
{
    struct pps *self = xcalloc(1, sizeof *self);
    self->view = *view;
    fitness_init(&self->fitness, view);
    return self;
}

static void pps_destroy(void *pointer)
{
    struct pps *self = pointer;
    fitness_release(&self->fitness);
    free(self);
}

static void pps_offer(void *pointer, const struct candidate *candidate)
{
    struct pps *self = pointer;
    fitness_offer(&self->fitness, candidate);
}

static double score_must(void *pointer, struct bucket *b)
{
    struct pps *self = pointer;
    if (b->relevance != MUST_RELEVANT)
        return -1;
    return (double)pool_potential(self->view.pool, b, self->view.options->walk_down);
}

static double score_all(void *pointer, struct bucket *b)
{
    struct pps *self = pointer;
    return (double)pool_potential(self->view.pool, b, self->view.options->walk_down);
}

static bool pps_choose_candidate(void *pointer, struct candidate *out)
{
    struct pps *self = pointer;
    if (ranked_take_best(self->view.pool, score_must, self, out))
        return true;
    if (!self->view.options->no_fitness && self->turn++ % 2 == 0 &&
        fitness_choose(&self->fitness, out))
        return true;
    return ranked_take_best(self->view.pool, score_all, self, out);
}

static void pps_note_run(void *pointer, const struct run_report *report)
{
    struct pps *self = pointer;
    fitness_ran(&self->fitness, report);
}

static void pps_note_failure(void *pointer, const struct candidate *candidate)
{
    struct pps *self = pointer;
    fitness_failed(&self->fitness, candidate);
}

const struct strategy strategy_pps = {
    pps_create, pps_destroy, pps_offer, pps_choose_candidate, pps_note_run, pps_note_failure,
};
