// SPDX-License-Identifier: Apache-2.0
// Larger bounds (bound_growth.h): a tree of its own for every combination, begun with tests that
// were kept, each with the new bounds. One more call begins with zeros, then with what the call
// before had, then all calls have that.
#include "inputs/bound_growth.h"
#include "inputs/call_growth.h"
#include "campaign/campaign_state.h"
#include "campaign/conclusion.h"
#include "campaign/generator.h"
#include "program/places.h"
#include <stdlib.h>
#include <string.h>

enum {
    CARRIED_TESTS = 8, // kept tests that get the new bounds
};

enum carrying { CARRY_ZEROS, CARRY_LAST_CALL, CARRY_ALL_CALLS, CARRY_STEPS };

struct bounds_search {
    struct bound_growth growth;
    struct explorer grown; // the tree of larger bounds; in use if the state's explorer is this one
    struct places_index index;
    size_t test, end;   // kept tests that are still to be carried over
    enum carrying step; // the next for test number `test`
    unsigned last_call; // of that test before it grew
    VEC(uint32_t) uses; // places that it asked for with the new bounds
};

static void *bounds_create(struct campaign_state *state)
{
    const struct program *program = &state->request->unit->program;
    struct bounds_search *b = xcalloc(1, sizeof *b);
    bound_growth_init(&b->growth, state->request->options);
    if (program->tasks[state->request->task].keeps_state)
        bound_growth_touch(&b->growth, BOUND_calls);
    places_index_init(&b->index);
    return b;
}

// The search with the bounds as they are is over, or is left.
static void note_explored(struct bounds_search *b, struct campaign_state *state)
{
    if (!b->growth.over && !bound_growth_is_possible(&b->growth) &&
        explorer_exhausted(state->explorer))
        state->most_explored = true;
}

// Back to the first tree.
static void leave_grown(struct bounds_search *b, struct campaign_state *state)
{
    if (state->explorer != &b->grown)
        return;
    conclusion_list_checks(state, &b->grown, false);
    state->tree.divergences += b->grown.divergences;
    state->tree.violations += b->grown.violations;
    state->tree.choosing += b->grown.choosing;
    state->tree.forked |= b->grown.forked;
    explorer_release(&b->grown);
    state->explorer = &state->tree;
}

static void bounds_destroy(void *self, struct campaign_state *state)
{
    struct bounds_search *b = self;
    note_explored(b, state);
    leave_grown(b, state);
    places_index_release(&b->index);
    VEC_RELEASE(&b->uses);
    free(b);
}

static enum generator_status bounds_status(void *self, struct campaign_state *state)
{
    const struct bounds_search *b = self;
    if (b->test < b->end)
        return GENERATOR_FIRST;
    if (state->complete)
        return GENERATOR_WAITING;
    if (bound_growth_is_due(&b->growth, state->campaign->iterations, state->last_gain))
        return GENERATOR_FIRST;
    bool helps = bound_growth_is_possible(&b->growth) || bound_growth_has_grown(&b->growth);
    return helps ? GENERATOR_STUCK : GENERATOR_WAITING;
}

// The next bounds, and a tree for them. False: back to the first ones.
static bool grow(struct bounds_search *b, struct campaign_state *state)
{
    const struct program *program = &state->request->unit->program;
    size_t count = state->campaign->kept.count;
    note_explored(b, state);
    bool more = bound_growth_next(&b->growth);
    leave_grown(b, state);
    if (!more)
        return false;
    if (program->tasks[state->request->task].keeps_state)
        bound_growth_touch(&b->growth, BOUND_calls);
    state->explorer = &b->grown;
    explorer_init(&b->grown, program, &state->campaign->coverage, state->pool, &state->how);
    b->test = count > CARRIED_TESTS ? count - CARRIED_TESTS : 0;
    b->end = count;
    b->step = CARRY_ZEROS;
    b->growth.since = state->campaign->iterations;
    return true;
}

static void next_test(struct bounds_search *b, const struct campaign_state *state)
{
    b->test++;
    b->step = CARRY_ZEROS;
    b->growth.since = state->campaign->iterations;
}

// The test with the new bounds.
static bool carry_zeros(struct bounds_search *b, struct campaign_state *state,
                        const struct places *places)
{
    const struct kept_test *test = &state->campaign->kept.items[b->test];
    if (test->status != WIRE_OK)
        return false;
    buf_clear(&state->input);
    buf_add(&state->input, test->input, test->input_size);
    b->last_call =
        call_growth_count(b->growth.bounds[BOUND_calls].start, places, &b->index, &state->input);
    bound_growth_apply(&b->growth, places, &b->index, &state->input);
    return true;
}

// The same once more, which state->input still is, with more than zeros for the new calls.
static bool carry_calls(struct bounds_search *b, struct campaign_state *state,
                        const struct places *places)
{
    unsigned calls = b->growth.bounds[BOUND_calls].now;
    struct call_growth_run run = {b->last_call, places, &b->index, b->uses.items, b->uses.count};
    return b->last_call && b->last_call < calls &&
           call_growth_repeat(&run, calls, b->step == CARRY_ALL_CALLS, &state->input);
}

static struct proposal carry(struct bounds_search *b, struct campaign_state *state)
{
    struct places places;
    places_view(&places, target_wire(state->request->target));
    places_index_update(&b->index, &places);
    while (b->test < b->end) {
        enum carrying step = b->step;
        bool made =
            step == CARRY_ZEROS ? carry_zeros(b, state, &places) : carry_calls(b, state, &places);
        if (!made && step == CARRY_ZEROS)
            next_test(b, state);
        else if (++b->step == CARRY_STEPS)
            next_test(b, state);
        if (made)
            return PROPOSE_INPUT;
    }
    return (struct proposal){.kind = PROPOSAL_SPENT};
}

static struct proposal bounds_propose(void *self, struct campaign_state *state)
{
    struct bounds_search *b = self;
    if (b->test >= b->end && !grow(b, state))
        return (struct proposal){.kind = PROPOSAL_SPENT};
    return carry(b, state);
}

static void bounds_learn(void *self, struct campaign_state *state,
                         const struct execution *execution)
{
    struct bounds_search *b = self;
    const struct wire_run *run = execution->run;
    b->growth.since = b->test < b->end ? state->campaign->iterations : b->growth.since;
    if (execution->origin != GENERATOR_bounds || b->step != CARRY_LAST_CALL)
        return;
    const struct wire_header *wire = target_wire(state->request->target);
    const uint32_t *uses =
        (const uint32_t *)target_area(state->request->target, &wire->uses) + run->first_use;
    b->uses.count = 0;
    VEC_RESERVE(&b->uses, run->use_count);
    for (uint32_t i = 0; i < run->use_count; i++)
        *VEC_PUSH(&b->uses) = uses[i];
}

const struct generator generate_bounds = {
    .name = "bounds",
    .create = bounds_create,
    .destroy = bounds_destroy,
    .status = bounds_status,
    .propose = bounds_propose,
    .learn = bounds_learn,
};
