// SPDX-License-Identifier: Apache-2.0
// The concolic search: the edge of the execution tree that the strategy chooses, solved.
#include "campaign/tree_search.h"

static enum generator_status concolic_status(void *self, struct campaign_state *state)
{
    (void)self;
    return state->explorer->tree.open && tree_search_goes_on(state) ? GENERATOR_READY
                                                                    : GENERATOR_WAITING;
}

static struct proposal concolic_propose(void *self, struct campaign_state *state)
{
    struct candidate candidate;
    (void)self;
    if (!explorer_next(state->explorer, &candidate))
        return PROPOSE_NOTHING;
    return tree_search_propose(state, &candidate, TREE_QUICK);
}

const struct generator generate_concolic = {
    .name = "concolic",
    .status = concolic_status,
    .propose = concolic_propose,
};
