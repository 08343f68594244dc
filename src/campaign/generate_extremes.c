// SPDX-License-Identifier: Apache-2.0
// Every number of a kept input at an end of its range, one at a time, or too large for a byte or
// two. What the solver finds is just enough to take a branch; loops that go wrong only after many
// turns, and sums that overflow, want large numbers. When every path is known, so is what lies on
// it: then there is nothing to do here.
#include "base/tunables.h"
#include "campaign/campaign_state.h"
#include "campaign/generator.h"
#include "program/places.h"
#include <string.h>

enum {
    VALUES = 5, // per number
};

struct extremes {
    size_t test, use; // the next: kept test, place that it asked for
    unsigned value;   // ... and which value
    unsigned runs_left;
    uint64_t steps_left;
};

static void *extremes_create(struct campaign_state *state)
{
    (void)state;
    struct extremes *x = xcalloc(1, sizeof *x);
    x->runs_left = CAMPAIGN_EXTREME_RUNS;
    x->steps_left = CAMPAIGN_EXTREME_STEPS;
    return x;
}

static void extremes_destroy(void *self, struct campaign_state *state)
{
    (void)state;
    free(self);
}

static enum generator_status extremes_status(void *self, struct campaign_state *state)
{
    const struct extremes *x = self;
    if (!x->runs_left || !x->steps_left || !state->request->options->afterglow ||
        x->test >= state->campaign->kept.count || campaign_budget_ended(state, NULL))
        return GENERATOR_EXHAUSTED;
    return explorer_exhausted(&state->tree) ? GENERATOR_WAITING : GENERATOR_AFTER;
}

// Bounds are for the generator of larger ones.
static bool is_number(const struct places *places, uint32_t id)
{
    const struct wire_place *place = &places->table[id];
    return !places_is_bound(places, id) &&
           (place->type == WIRE_T_SIGNED || place->type == WIRE_T_UNSIGNED) &&
           places_element_size(place) <= 8 && place->count <= 1;
}

// Value number k of a number of this size. False: it does not fit.
static bool extreme_value(size_t size, unsigned k, uint64_t *value)
{
    uint64_t top = 1ull << (8 * size - 1);
    const uint64_t values[VALUES] = {256, 65536, top - 1, top, UINT64_MAX};
    *value = values[k];
    return k >= 2 || values[k] < top;
}

// The next place and value; false: there are no more.
static bool next_extreme(struct extremes *x, const struct campaign_state *state,
                         struct wire_place *place, uint64_t *value)
{
    struct places places;
    places_view(&places, target_wire(state->request->target));
    for (; x->test < state->campaign->kept.count; x->test++, x->use = 0) {
        const struct kept_test *test = &state->campaign->kept.items[x->test];
        for (; test->status == WIRE_OK && x->use < test->use_count; x->use++, x->value = 0) {
            *place = places.table[test->uses[x->use]];
            while (is_number(&places, test->uses[x->use]) && x->value < VALUES)
                if (extreme_value(places_element_size(place), x->value++, value))
                    return true;
        }
    }
    return false;
}

static struct proposal extremes_propose(void *self, struct campaign_state *state)
{
    struct extremes *x = self;
    struct wire_place place;
    uint64_t value;
    if (!next_extreme(x, state, &place, &value))
        return PROPOSE_NOTHING;
    const struct kept_test *test = &state->campaign->kept.items[x->test];
    size_t size = places_element_size(&place);
    buf_clear(&state->input);
    buf_add(&state->input, test->input, test->input_size);
    while (state->input.length < place.offset + size)
        buf_putc(&state->input, 0);
    memcpy(state->input.data + place.offset, &value, size);
    x->runs_left--;
    struct proposal proposal = PROPOSE_INPUT;
    proposal.outside_tree = true; // which is over
    return proposal;
}

static void extremes_learn(void *self, struct campaign_state *state,
                           const struct execution *execution)
{
    struct extremes *x = self;
    (void)state;
    if (execution->origin == GENERATOR_extremes)
        x->steps_left -= execution->steps < x->steps_left ? execution->steps : x->steps_left;
}

const struct generator generate_extremes = {
    .name = "extremes",
    .create = extremes_create,
    .destroy = extremes_destroy,
    .status = extremes_status,
    .propose = extremes_propose,
    .learn = extremes_learn,
};
