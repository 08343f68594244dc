// SPDX-License-Identifier: Apache-2.0
// Generational search (SAGE): all branches of a run are flipped, one after the other;
// then the run with the largest gain in coverage is expanded in the same way. A run's
// new candidates are its children: they lie behind the branch that it was made for,
// which is SAGE's bound against repetition.
#include "search/strategies.h"

#include "base/arena.h"

struct generation {
    candidate_list children;
    size_t next, gain;
};

struct generational {
    VEC(struct generation) runs;
    size_t current; // in runs, or runs.count
    candidate_list latest;
};

static void *create(const struct search_view *view)
{
    (void)view;
    return xcalloc(1, sizeof(struct generational));
}

static void destroy(void *pointer)
{
    struct generational *self = pointer;
    for (size_t i = 0; i < self->runs.count; i++)
        VEC_RELEASE(&self->runs.items[i].children);
    VEC_RELEASE(&self->runs);
    VEC_RELEASE(&self->latest);
    free(self);
}

static void offer(void *pointer, const struct candidate *candidate)
{
    struct generational *self = pointer;
    *VEC_PUSH(&self->latest) = *candidate;
}

static void close_generation(struct generational *self, size_t gain)
{
    if (!self->latest.count)
        return;
    struct generation *made = VEC_PUSH(&self->runs);
    *made = (struct generation){.children = self->latest, .gain = gain};
    self->latest = (candidate_list){0};
}

static void ran(void *pointer, const struct run_report *report)
{
    close_generation(pointer, report->gain);
}

// The run with the largest gain, the oldest of equals. Finished ones are taken out.
static bool next_generation(struct generational *self)
{
    size_t kept = 0;
    for (size_t i = 0; i < self->runs.count; i++) {
        struct generation *g = &self->runs.items[i];
        if (g->next < g->children.count)
            self->runs.items[kept++] = *g;
        else
            VEC_RELEASE(&g->children);
    }
    self->runs.count = kept;
    self->current = 0;
    for (size_t i = 1; i < kept; i++)
        if (self->runs.items[i].gain > self->runs.items[self->current].gain)
            self->current = i;
    return kept > 0;
}

static bool choose(void *pointer, struct candidate *out)
{
    struct generational *self = pointer;
    if (!self->runs.count)
        close_generation(self, 0); // candidates that came back without a run
    if (self->current >= self->runs.count ||
        self->runs.items[self->current].next == self->runs.items[self->current].children.count) {
        if (!next_generation(self)) {
            close_generation(self, 0);
            if (!next_generation(self))
                return false;
        }
    }
    struct generation *g = &self->runs.items[self->current];
    *out = g->children.items[g->next++];
    return true;
}

const struct strategy strategy_generational = {
    "generational", "all branches of the run that gained most, then those of the next",
    create, destroy, offer, choose, ran, NULL,
};
