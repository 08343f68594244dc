// SPDX-License-Identifier: Apache-2.0
// What the search begins with: zeros or the test of --seed-test, then the inputs of --seed-input.
// The places that a seed needs come into being as it runs, so it runs again until nothing of it
// is missing.
#include "campaign/campaign_setup.h"
#include "campaign/campaign_state.h"
#include "campaign/generator.h"

#include "base/tunables.h"

struct seeding {
    bool begun;
    size_t seed;    // index of the next
    unsigned round; // of it
};

static void *seeds_create(struct campaign_state *state)
{
    (void)state;
    return xcalloc(1, sizeof(struct seeding));
}

static void seeds_destroy(void *self, struct campaign_state *state)
{
    (void)state;
    free(self);
}

static enum generator_status seeds_status(void *self, struct campaign_state *state)
{
    const struct seeding *seeding = self;
    const struct seeds *seeds = state->request->seeds;
    bool more = !seeding->begun || (seeds && seeding->seed < seeds->list.count);
    return more ? GENERATOR_FIRST : GENERATOR_EXHAUSTED;
}

static struct proposal propose_first(struct campaign_state *state)
{
    struct proposal first = PROPOSE_INPUT;
    if (!campaign_first_input(state->request, &state->input, &state->campaign->failure))
        first.kind = PROPOSAL_FAILED;
    return first;
}

// The seed as far as its places are known. False: nothing of it is missing.
static bool apply_seed(struct seeding *seeding, struct campaign_state *state)
{
    const struct seeds *seeds = state->request->seeds;
    struct places places;
    bool changed = true;
    if (!seeding->round)
        buf_clear(&state->input);
    places_view(&places, target_wire(state->request->target));
    seeds_apply(seeds, &seeds->list.items[seeding->seed], &places, &state->input, &changed);
    return changed;
}

static struct proposal seeds_propose(void *self, struct campaign_state *state)
{
    struct seeding *seeding = self;
    if (!seeding->begun) {
        seeding->begun = true;
        return propose_first(state);
    }
    bool changed = apply_seed(seeding, state);
    if (!changed || ++seeding->round == CAMPAIGN_SEED_ROUNDS) {
        seeding->seed++;
        seeding->round = 0;
    }
    return changed ? PROPOSE_INPUT : (struct proposal){.kind = PROPOSAL_SPENT};
}

const struct generator generate_seeds = {
    .name = "seeds",
    .create = seeds_create,
    .destroy = seeds_destroy,
    .status = seeds_status,
    .propose = seeds_propose,
};
