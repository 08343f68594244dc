// SPDX-License-Identifier: Apache-2.0
// What the tree is searched for. What nothing has reached comes first; where only crashing tests
// are known, tests that run through are looked for when that does not get on. It is no generator:
// changing the aim changes the distances of the whole graph, so it holds for many turns of all.
#ifndef CZ_CAMPAIGN_SEARCH_AIM_H
#define CZ_CAMPAIGN_SEARCH_AIM_H

#include "campaign/campaign_state.h"

struct search_aim {
    uint64_t ran_dry;  // last_new + 1 when there was nothing else to try
    uint64_t epoch;    // of the coverage
    bool only_crashed; // coverage_only_crashed() at that epoch
};

// Before every turn. True: something that was put aside can be tried again.
bool search_aim_choose(struct search_aim *aim, struct campaign_state *state);
// The same when there is nothing else to try.
bool search_aim_reconsider(struct search_aim *aim, struct campaign_state *state);

#endif
