// SPDX-License-Identifier: Apache-2.0
// From an edge of the execution tree to an input that goes there: what the generators share that
// ask the solver.
#ifndef CZ_CAMPAIGN_TREE_SEARCH_H
#define CZ_CAMPAIGN_TREE_SEARCH_H

#include "campaign/campaign_state.h"
#include "campaign/generator.h"

enum tree_effort {
    TREE_QUICK, // a query that proves hard is postponed
    TREE_FULL,
};

// Ask for the candidate; the input is in state->input when the answer is one.
struct proposal tree_search_propose(struct campaign_state *state, const struct candidate *candidate,
                                    enum tree_effort effort);

// Is the tree worth a turn? When all is covered the search goes on for a while (--afterglow),
// since alarms lie behind branches of the libc models, which are no goals; but attempts at checks
// come first then.
bool tree_search_goes_on(const struct campaign_state *state);

void tree_search_count_solver(struct campaign_state *state); // into campaign->layers
void tree_search_renew_solver(struct campaign_state *state); // what its layers remember is gone

#endif
