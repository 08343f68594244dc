// SPDX-License-Identifier: Apache-2.0
// Random branch search (CREST): any open branch of the latest path with equal chance.
// Where CREST starts again with a random input, when a path has no open branch left,
// this takes any open branch of the tree, so that it can exhaust it.
#include "search/strategies.h"

#include "base/arena.h"
#include "search/pool.h"

struct random_branch {
    struct search_view view;
    candidate_list path;
};

static void *random_branch_create(const struct search_view *view)
{
    struct random_branch *self = xcalloc(1, sizeof *self);
    self->view = *view;
    return self;
}

static void random_branch_destroy(void *pointer)
{
    struct random_branch *self = pointer;
    VEC_RELEASE(&self->path);
    free(self);
}

static void random_branch_offer(void *pointer, const struct candidate *candidate)
{
    (void)pointer, (void)candidate; // the pool has it
}

static void random_branch_note_run(void *pointer, const struct run_report *report)
{
    struct random_branch *self = pointer;
    self->path.count = 0;
    candidates_on_path(&self->view, report->leaf, &self->path);
}

static bool random_branch_choose_candidate(void *pointer, struct candidate *out)
{
    struct random_branch *self = pointer;
    while (self->path.count) {
        size_t at = rng_below(self->view.rng, self->path.count);
        *out = self->path.items[at];
        self->path.items[at] = self->path.items[--self->path.count];
        if (candidate_is_open(&self->view, out))
            return true;
    }
    return pool_take_any(self->view.pool, out);
}

const struct strategy strategy_random_branch = {
    random_branch_create,           random_branch_destroy,  random_branch_offer,
    random_branch_choose_candidate, random_branch_note_run, NULL,
};
