// SPDX-License-Identifier: Apache-2.0
#include "campaign/search_aim.h"

#include "base/tunables.h"

// From the start in a task of which no execution has ended well: there, tests that run through
// are the way on.
bool search_aim_choose(struct search_aim *aim, struct campaign_state *state)
{
    struct campaign *c = state->campaign;
    if (aim->epoch != c->coverage.epoch) {
        aim->only_crashed = coverage_only_crashed(&c->coverage);
        aim->epoch = c->coverage.epoch;
    }
    bool stuck = !state->kept_clean || (c->iterations - state->last_new) / CAMPAIGN_THROUGH % 2 ||
                 aim->ran_dry == state->last_new + 1;
    bool before = c->coverage.through, resigned = c->coverage.resigned;
    coverage_set_through(&c->coverage, stuck || aim->only_crashed);
    if (!resigned && aim->only_crashed && campaign_idle(state) >= CAMPAIGN_RESIGN)
        coverage_resign(&c->coverage);
    return (c->coverage.through > before || c->coverage.resigned > resigned) &&
           explorer_reconsider(state->explorer);
}

bool search_aim_reconsider(struct search_aim *aim, struct campaign_state *state)
{
    aim->ran_dry = state->last_new + 1;
    return search_aim_choose(aim, state);
}
