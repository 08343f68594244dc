// SPDX-License-Identifier: Apache-2.0
// A way through for a task all of whose runs end in a fault. Most often that is a pointer
// that the code does not expect to be NULL, behind others of that kind: each is a step that
// covers nothing, so the search has no reason to take all of them in one run. Here the run
// is repeated with an object behind the pointer, until it gets through or ends otherwise.
#include "campaign/campaign_state.h"
#include "campaign/generator.h"

#include "base/tunables.h"

struct null_chains {
    struct buf stumbled;     // input of the last run that ended at a NULL pointer ...
    uint32_t shape;          // ... offset of its shape, plus one; 0: none
    unsigned links;          // of the chain under way; 0: none is
    uint64_t next_iteration; // of the next chain
};

static void *null_chains_create(struct campaign_state *state)
{
    (void)state;
    struct null_chains *chains = xcalloc(1, sizeof *chains);
    chains->next_iteration = CAMPAIGN_CHAIN_PATIENCE;
    return chains;
}

static void null_chains_destroy(void *self, struct campaign_state *state)
{
    struct null_chains *chains = self;
    (void)state;
    buf_release(&chains->stumbled);
    free(chains);
}

static void end_chain(struct null_chains *chains, const struct campaign_state *state)
{
    chains->links = 0;
    chains->next_iteration = 2 * state->campaign->iterations;
}

static enum generator_status null_chains_status(void *self, struct campaign_state *state)
{
    struct null_chains *chains = self;
    if (state->kept_clean)
        return GENERATOR_EXHAUSTED;
    if (!chains->links && state->campaign->iterations < chains->next_iteration)
        return GENERATOR_WAITING;
    if (chains->shape && chains->links < CAMPAIGN_CHAIN_LINKS)
        return GENERATOR_FIRST;
    end_chain(chains, state);
    return GENERATOR_WAITING;
}

// The input of the run that ended there, with an object.
static struct proposal null_chains_propose(void *self, struct campaign_state *state)
{
    struct null_chains *chains = self;
    size_t at = chains->shape - 1;
    chains->shape = 0;
    chains->links++;
    buf_clear(&state->input);
    buf_add(&state->input, chains->stumbled.data, chains->stumbled.length);
    while (state->input.length <= at)
        buf_putc(&state->input, 0);
    if (state->input.data[at]) { // it has one already
        end_chain(chains, state);
        return PROPOSE_NOTHING;
    }
    state->input.data[at] = 1;
    return PROPOSE_INPUT;
}

static void null_chains_learn(void *self, struct campaign_state *state,
                              const struct execution *execution)
{
    struct null_chains *chains = self;
    const struct wire_run *run = execution->run;
    if (state->kept_clean || execution->proposal->outside_tree || run->status != WIRE_FAULT ||
        run->fault != WIRE_FAULT_NULL || !run->fault_shape)
        return;
    chains->shape = run->fault_shape;
    buf_clear(&chains->stumbled);
    buf_add(&chains->stumbled, state->input.data, state->input.length);
}

const struct generator generate_null_chains = {
    .name = "chains of NULLs",
    .create = null_chains_create,
    .destroy = null_chains_destroy,
    .status = null_chains_status,
    .propose = null_chains_propose,
    .learn = null_chains_learn,
};
