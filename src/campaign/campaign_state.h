// SPDX-License-Identifier: Apache-2.0
// What the parts of a campaign share. The contract with generators (generator.h):
//
// - They may look at everything here, and at the coverage in `campaign`.
// - They write `input`, ask the solver through tree_search.h, and take candidates out of
//   `explorer`. Growth of bounds alone exchanges `explorer`.
// - Everything else is written by the loop and what it calls: campaign.c, execution.c.
//
// What only one generator needs is its own, behind the pointer that its create() returns.
#ifndef CZ_CAMPAIGN_CAMPAIGN_STATE_H
#define CZ_CAMPAIGN_CAMPAIGN_STATE_H

#include "campaign/campaign.h"
#include "inputs/corpus.h"
#include "search/explorer.h"

struct campaign_state {
    const struct campaign_request *request;
    struct campaign *campaign;
    struct cfg *cfg;
    double start; // of the task's time, by the clock
    struct corpus corpus;
    struct buf input; // the next input

    struct expr_pool *pool;
    struct solver *solver;
    struct solver_options solver_limits;
    bool solver_hit_clock;
    struct explorer_options how; // explorers are made
    struct explorer tree;        // of the bounds that the search begins with
    struct explorer *explorer;   // the one in use

    bool complete;         // nothing is left to want, as of this turn
    bool kept_clean;       // a test was kept that neither crashes nor is cut off
    uint64_t last_gain;    // iteration of the last gain ...
    uint64_t last_queries; // ... queries until then
    uint64_t last_new;     // ... that was more than a test that runs through
    uint64_t work;         // units so far, see docs/design/search-turns.md
    uint64_t turn_begin;   // ... until this turn
    bool most_explored;    // the search with the largest bounds came to its end
};

// Iterations since anything was gained.
static inline uint64_t campaign_idle(const struct campaign_state *state)
{
    return state->campaign->iterations - state->last_gain;
}

// Is a budget used up? *end says which, unless it is NULL.
bool campaign_budget_ended(const struct campaign_state *state, enum campaign_end *end);

#endif
