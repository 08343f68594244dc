// SPDX-License-Identifier: Apache-2.0
// Queries that were too hard for a first attempt, again with the whole limit.
#include "campaign/tree_search.h"

#include "base/tunables.h"

static enum generator_status postponed_status(void *self, struct campaign_state *state)
{
    (void)self;
    return explorer_has_postponed(state->explorer) && tree_search_goes_on(state)
               ? GENERATOR_READY
               : GENERATOR_WAITING;
}

static struct proposal postponed_propose(void *self, struct campaign_state *state)
{
    struct candidate candidate;
    (void)self;
    if (!explorer_next_postponed(state->explorer, &candidate))
        return PROPOSE_NOTHING;
    state->work += CAMPAIGN_WORK_HARD;
    return tree_search_propose(state, &candidate, TREE_FULL);
}

const struct generator generate_postponed = {
    .name = "postponed",
    .status = postponed_status,
    .propose = postponed_propose,
};
