// SPDX-License-Identifier: Apache-2.0
// Generational search (SAGE): all branches of a run are flipped, one after the other;
// then the run with the largest gain in coverage is expanded in the same way. A run's
// new candidates are its children: they lie behind the branch that it was made for,
// which is SAGE's bound against repetition.
#include "search/generational.h"

#include "base/arena.h"
#include "search/strategies.h"

void generational_release(struct generational *self)
{
    for (size_t i = 0; i < self->runs.count; i++)
        VEC_RELEASE(&self->runs.items[i].children);
    VEC_RELEASE(&self->runs);
    VEC_RELEASE(&self->latest);
}

void generational_offer(struct generational *self, const struct candidate *candidate)
{
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

void generational_ran(struct generational *self, const struct run_report *report)
{
    close_generation(self, report->gain);
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

bool generational_choose(struct generational *self, struct candidate *out)
{
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

static void *generational_create(const struct search_view *view)
{
    (void)view;
    return xcalloc(1, sizeof(struct generational));
}

static void generational_destroy(void *self)
{
    generational_release(self);
    free(self);
}

static void offer(void *self, const struct candidate *candidate)
{
    generational_offer(self, candidate);
}

static bool generational_choose_candidate(void *self, struct candidate *out)
{
    return generational_choose(self, out);
}

static void generational_note_run(void *self, const struct run_report *report)
{
    generational_ran(self, report);
}

const struct strategy strategy_generational = {
    generational_create,           generational_destroy,  offer,
    generational_choose_candidate, generational_note_run, NULL,
};
