// SPDX-License-Identifier: Apache-2.0
// Further attempts at checks that were tried often: now and then, and some when no branch is open
// any more.
#include "campaign/tree_search.h"

#include "base/arena.h"
#include "base/tunables.h"
#include <stdlib.h>

static void *more_checks_create(struct campaign_state *state)
{
    (void)state;
    return xcalloc(1, sizeof(unsigned)); // attempts when the search was over
}

static void more_checks_destroy(void *self, struct campaign_state *state)
{
    (void)state;
    free(self);
}

static bool is_beside_search(const struct campaign_state *state)
{
    return state->explorer->tree.open && !state->complete;
}

static enum generator_status more_checks_status(void *self, struct campaign_state *state)
{
    const unsigned *after = self;
    if (!check_hunts_has(&state->explorer->hunts, SEARCH_HUNT_RANKS))
        return GENERATOR_WAITING;
    if (is_beside_search(state))
        return GENERATOR_READY;
    return *after < CAMPAIGN_MORE_CHECKS ? GENERATOR_AFTER : GENERATOR_EXHAUSTED;
}

static struct proposal more_checks_propose(void *self, struct campaign_state *state)
{
    struct candidate candidate;
    unsigned *after = self;
    if (!explorer_next_hunt(state->explorer, false, &candidate))
        return PROPOSE_NOTHING;
    *after += !is_beside_search(state);
    return tree_search_propose(state, &candidate, TREE_FULL);
}

const struct generator generate_more_checks = {
    .name = "more checks",
    .create = more_checks_create,
    .destroy = more_checks_destroy,
    .status = more_checks_status,
    .propose = more_checks_propose,
};
