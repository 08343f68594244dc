// SPDX-License-Identifier: Apache-2.0
// Attempts to violate the checks that executions met with operands that depend on inputs
// (search/check_hunts.h): the first ones at each.
#include "campaign/tree_search.h"

#include "base/tunables.h"

static enum generator_status checks_status(void *self, struct campaign_state *state)
{
    (void)self;
    return check_hunts_has(&state->explorer->hunts, SEARCH_HUNT_EAGER) ? GENERATOR_READY
                                                                       : GENERATOR_WAITING;
}

static struct proposal checks_propose(void *self, struct campaign_state *state)
{
    struct candidate candidate;
    (void)self;
    if (!explorer_next_hunt(state->explorer, true, &candidate))
        return PROPOSE_NOTHING;
    return tree_search_propose(state, &candidate, TREE_FULL);
}

const struct generator generate_checks = {
    .name = "checks",
    .status = checks_status,
    .propose = checks_propose,
};
