// SPDX-License-Identifier: Apache-2.0
// Larger bounds (bound_growth.h): a tree of its own for every combination. It begins with the input
// that went furthest in the search before and met a bound there, and with tests that were kept,
// each with the new bounds: once as it is, so that the driver asks for what is new, then with its
// old values in longer arrays. One more call begins with zeros, then with what the call before had,
// then all calls have that.
#include "base/tunables.h"
#include "inputs/bound_growth.h"
#include "inputs/call_growth.h"
#include "campaign/campaign_state.h"
#include "campaign/conclusion.h"
#include "campaign/generator.h"
#include "program/places.h"
#include <stdlib.h>
#include <string.h>

enum carrying { CARRY_AS_IT_IS, CARRY_ARRAYS, CARRY_LAST_CALL, CARRY_ALL_CALLS, CARRY_STEPS };

// An input and the places that it asked for.
struct carried {
    struct buf input;
    VEC(uint32_t) uses;
};

struct bounds_search {
    struct bound_growth growth;
    uint32_t always;       // bounds that every execution touches (1u << enum bound_id)
    struct explorer grown; // the tree of larger bounds; in use if the state's explorer is this one
    struct places_index index;
    struct carried furthest;   // the input with the longest path that met a bound ...
    uint32_t furthest_records; // ... in the search that is under way: how long; 0: none yet
    size_t test, end;          // inputs that are still to be carried over: 0 is `begins`, then come
    size_t first_kept;         // ... kept tests from this one on
    struct carried begins;     // the furthest input of the search before
    enum carrying step;        // the next for input number `test`
    unsigned last_call;        // of that input before it grew
    VEC(uint32_t) uses;        // places that it asked for with the new bounds
};

// Every call of a task that keeps state might be followed by another one. A length that fits its
// buffer is never larger, which no execution shows.
static uint32_t always_touched(const struct campaign_request *request)
{
    const struct unit *unit = request->unit;
    uint32_t always = unit->program.tasks[request->task].keeps_state ? 1u << BOUND_calls : 0;
    for (size_t i = 0; i < unit->note_count; i++)
        if (unit->notes[i].task == request->task && unit->notes[i].kind == NOTE_LENGTHS)
            always |= 1u << BOUND_elements;
    return always;
}

static void *bounds_create(struct campaign_state *state)
{
    struct bounds_search *b = xcalloc(1, sizeof *b);
    b->always = always_touched(state->request);
    bound_growth_init(&b->growth, state->request->options);
    places_index_init(&b->index);
    return b;
}

static struct places update_index(struct bounds_search *b, const struct campaign_state *state)
{
    struct places places;
    places_view(&places, target_wire(state->request->target));
    places_index_update(&b->index, &places);
    return places;
}

// The search with the bounds as they are is over, or is left.
static void note_explored(struct bounds_search *b, struct campaign_state *state)
{
    if (!explorer_exhausted(state->explorer) || !bound_growth_explored(&b->growth))
        return;
    state->most_explored = true;
    for (int i = 0; i < BOUND_COUNT; i++)
        state->campaign->explored[i] = b->growth.bounds[i].now;
}

// The bounds that may be why a goal is open.
static void note_open_bounds(struct bounds_search *b, struct campaign_state *state)
{
    struct campaign *c = state->campaign;
    update_index(b, state);
    for (int i = 0; i < BOUND_COUNT && !state->most_explored; i++) {
        const struct bound *bound = &b->growth.bounds[i];
        int loss = bound_loss(i);
        bool met = b->always >> i & 1 || (loss != BOUND_NO_LOSS && c->losses[loss]);
        if (met && bound->start < bound->most && bound_is_asked_for(i, &b->index))
            c->can_grow |= 1u << i;
    }
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
    state->campaign->filtered += b->grown.tree.filtered;
    state->campaign->dropped += b->grown.tree.dropped;
    explorer_release(&b->grown);
    state->explorer = &state->tree;
}

static void bounds_destroy(void *self, struct campaign_state *state)
{
    struct bounds_search *b = self;
    note_explored(b, state);
    note_open_bounds(b, state);
    leave_grown(b, state);
    places_index_release(&b->index);
    VEC_RELEASE(&b->uses);
    VEC_RELEASE(&b->begins.uses);
    VEC_RELEASE(&b->furthest.uses);
    buf_release(&b->begins.input);
    buf_release(&b->furthest.input);
    free(b);
}

static uint64_t idle_of(const struct bounds_search *b, const struct campaign_state *state)
{
    return bound_growth_idle(&b->growth, state->campaign->iterations, state->last_gain);
}

static enum generator_status bounds_status(void *self, struct campaign_state *state)
{
    const struct bounds_search *b = self;
    if (b->test < b->end)
        return GENERATOR_FIRST;
    if (state->complete)
        return GENERATOR_WAITING;
    if (bound_growth_is_due(&b->growth, idle_of(b, state)))
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
    uint64_t idle = idle_of(b, state);
    bool more =
        bound_growth_next(&b->growth, bound_growth_is_due(&b->growth, idle) ? idle : BOUND_STUCK);
    leave_grown(b, state);
    if (!more)
        return false;
    state->explorer = &b->grown;
    explorer_init(&b->grown, program, &state->campaign->coverage, state->pool, &state->how);
    struct carried before = b->begins;
    b->begins = b->furthest;
    b->furthest = before;
    b->test = b->furthest_records ? 0 : 1;
    b->furthest_records = 0;
    b->first_kept = count > CAMPAIGN_CARRIED_TESTS ? count - CAMPAIGN_CARRIED_TESTS : 0;
    b->end = 1 + count - b->first_kept;
    b->step = CARRY_AS_IT_IS;
    b->growth.since = b->growth.begun = state->campaign->iterations;
    b->growth.longest = 0;
    return true;
}

static void next_test(struct bounds_search *b, const struct campaign_state *state)
{
    b->test++;
    b->step = CARRY_AS_IT_IS;
    b->growth.since = state->campaign->iterations;
}

// NULL: the input at hand is no test.
static const struct kept_test *kept_at_hand(const struct bounds_search *b,
                                            const struct campaign_state *state)
{
    return b->test ? &state->campaign->kept.items[b->first_kept + b->test - 1] : NULL;
}

// The input with the new bounds.
static bool carry_as_it_is(struct bounds_search *b, struct campaign_state *state,
                           const struct places *places)
{
    const struct kept_test *test = kept_at_hand(b, state);
    if (test && test->status != WIRE_OK && !test->at_bound)
        return false;
    buf_clear(&state->input);
    if (test)
        buf_add(&state->input, test->input, test->input_size);
    else
        buf_add(&state->input, b->begins.input.data, b->begins.input.length);
    b->last_call =
        call_growth_count(b->growth.bounds[BOUND_calls].start, places, &b->index, &state->input);
    bound_growth_apply(&b->growth, places, &b->index, &state->input);
    return true;
}

// The same once more, which state->input still is, with its values in longer arrays ...
static bool carry_arrays(const struct bounds_search *b, struct campaign_state *state,
                         const struct places *places)
{
    const struct kept_test *test = kept_at_hand(b, state);
    struct bound_uses before = {b->begins.uses.items, b->begins.uses.count};
    if (test)
        before = (struct bound_uses){test->uses, test->use_count};
    return bound_growth_carry(places, before, (struct bound_uses){b->uses.items, b->uses.count},
                              &state->input);
}

// ... and with more than zeros for the new calls.
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
    struct places places = update_index(b, state);
    while (b->test < b->end) {
        enum carrying step = b->step;
        bool made = step == CARRY_AS_IT_IS ? carry_as_it_is(b, state, &places)
                    : step == CARRY_ARRAYS ? carry_arrays(b, state, &places)
                                           : carry_calls(b, state, &places);
        if (!made && step == CARRY_AS_IT_IS)
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

static const uint32_t *uses_of(const struct campaign_state *state, const struct wire_run *run)
{
    const struct wire_header *wire = target_wire(state->request->target);
    return (const uint32_t *)target_area(state->request->target, &wire->uses) + run->first_use;
}

#define COPY_USES(to, from, n)                                                                     \
    do {                                                                                           \
        (to)->count = 0;                                                                           \
        for (uint32_t i_ = 0; i_ < (n); i_++)                                                      \
            *VEC_PUSH(to) = (from)[i_];                                                            \
    } while (0)

// The next search begins where this one had to end.
static void note_furthest(struct bounds_search *b, const struct campaign_state *state,
                          const struct execution *execution)
{
    const struct wire_run *run = execution->run;
    bool ends_well = run->status == WIRE_OK || run->status == WIRE_EXIT;
    if (!ends_well || execution->record_count <= b->furthest_records ||
        !bound_growth_meets(&b->growth, run))
        return;
    b->furthest_records = execution->record_count;
    buf_clear(&b->furthest.input);
    buf_add(&b->furthest.input, state->input.data, state->input.length);
    COPY_USES(&b->furthest.uses, uses_of(state, run), run->use_count);
}

static void bounds_learn(void *self, struct campaign_state *state,
                         const struct execution *execution)
{
    struct bounds_search *b = self;
    const struct wire_run *run = execution->run;
    if (!execution->proposal->outside_tree) {
        note_furthest(b, state, execution);
        bound_growth_note_path(&b->growth, execution->record_count, state->campaign->iterations);
        if (bound_growth_is_news(&b->growth, run, b->always)) {
            update_index(b, state);
            bound_growth_learn(&b->growth, run, b->always, &b->index);
        }
    }
    if (b->test < b->end)
        b->growth.since = state->campaign->iterations;
    if (execution->origin == GENERATOR_bounds && b->step == CARRY_ARRAYS)
        COPY_USES(&b->uses, uses_of(state, run), run->use_count);
}

const struct generator generate_bounds = {
    .name = "bounds",
    .create = bounds_create,
    .destroy = bounds_destroy,
    .status = bounds_status,
    .propose = bounds_propose,
    .learn = bounds_learn,
};
