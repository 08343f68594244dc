// SPDX-License-Identifier: Apache-2.0
// CREST's CFG-directed search (Burnim and Sen, 2008). Branches of the latest path are
// tried in the order of their distance to uncovered code. A run that covers something
// new becomes the path to work on. One that does not, although a goal was near, is
// followed a few levels deep: its own branches, nearer than the one that led there, a
// few tries each. When all that is used up the search goes on from any open branch,
// where CREST starts again with a random input.
#include "search/ranked.h"
#include "search/strategies.h"

#include "base/arena.h"
#include "base/tunables.h"

struct level {
    candidate_list branches; // nearest first
    size_t next;
    unsigned tries;
};

struct cfg_directed {
    struct search_view view;
    struct level levels[SEARCH_CFG_LEVELS];
    unsigned count;
    uint32_t distance; // of what was chosen last
    bool restarted;
};

static void *cfg_directed_create(const struct search_view *view)
{
    struct cfg_directed *self = xcalloc(1, sizeof *self);
    self->view = *view;
    return self;
}

static void cfg_directed_destroy(void *pointer)
{
    struct cfg_directed *self = pointer;
    for (unsigned i = 0; i < SEARCH_CFG_LEVELS; i++)
        VEC_RELEASE(&self->levels[i].branches);
    free(self);
}

// Sort by distance; equal ones in random order. `site` is free to hold the distance.
static int nearer(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    if (x->site != y->site)
        return x->site < y->site ? -1 : 1;
    return x->goal < y->goal ? -1 : x->goal > y->goal;
}

static void rank(struct cfg_directed *self, struct level *level, uint32_t limit)
{
    size_t kept = 0;
    for (size_t i = 0; i < level->branches.count; i++) {
        struct candidate c = level->branches.items[i];
        c.site = coverage_distance(self->view.coverage, c.place);
        if (c.site >= limit)
            continue;
        c.goal = (uint32_t)rng_next(self->view.rng); // shuffles equals; restored when chosen
        level->branches.items[kept++] = c;
    }
    level->branches.count = kept;
    if (kept)
        qsort(level->branches.items, kept, sizeof *level->branches.items, nearer);
}

static void push_level(struct cfg_directed *self, uint32_t leaf, uint32_t below, uint32_t limit,
                       unsigned tries)
{
    struct level *level = &self->levels[self->count++];
    level->branches.count = level->next = 0;
    level->tries = tries;
    candidates_on_path(&self->view, leaf, &level->branches);
    size_t kept = 0;
    for (size_t i = 0; i < level->branches.count; i++)
        if (level->branches.items[i].depth >= below)
            level->branches.items[kept++] = level->branches.items[i];
    level->branches.count = kept;
    rank(self, level, limit);
}

static void cfg_directed_note_run(void *pointer, const struct run_report *report)
{
    struct cfg_directed *self = pointer;
    if (!report->chosen || report->gain || self->restarted || !self->count) {
        self->count = 0;
        push_level(self, report->leaf, 0, CFG_FAR, SEARCH_CFG_TRIES);
    } else if (self->count < SEARCH_CFG_LEVELS && self->distance > 1) {
        push_level(self, report->leaf, report->chosen->depth + 1, self->distance,
                   SEARCH_CFG_DEEPER_TRIES);
    }
    self->restarted = false;
}

static bool cfg_directed_choose_candidate(void *pointer, struct candidate *out)
{
    struct cfg_directed *self = pointer;
    while (self->count) {
        struct level *level = &self->levels[self->count - 1];
        while (level->next < level->branches.count && level->tries) {
            *out = level->branches.items[level->next++];
            if (!candidate_is_open(&self->view, out))
                continue;
            self->distance = out->site;
            level->tries--;
            *out = candidate_at(self->view.tree, self->view.coverage, out->node, out->edge);
            return true;
        }
        self->count--;
    }
    self->restarted = true;
    return pool_take_any(self->view.pool, out);
}

const struct strategy strategy_cfg = {
    cfg_directed_create,           cfg_directed_destroy,  ranked_offer,
    cfg_directed_choose_candidate, cfg_directed_note_run, NULL,
};
