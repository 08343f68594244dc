// SPDX-License-Identifier: Apache-2.0
// The optimiser's proofs (optimiser_proofs.h) run beside the search of a task: when they are
// asked for, how long the search waits for them, and what it does with the answers.
#ifndef CZ_CAMPAIGN_PROOFS_BESIDE_SEARCH_H
#define CZ_CAMPAIGN_PROOFS_BESIDE_SEARCH_H

#include "campaign/campaign_state.h"
#include "campaign/optimiser_proofs.h"

struct proofs_beside_search {
    struct proofs *process; // NULL before they are asked for
    bool done;              // all that was wanted is decided, or nothing is wanted
    bool wait_ended;        // they are not waited for any more before the end of the search
    bool hit_clock;
};

// Before a turn: ask which of the open goals are unreachable, once per task, and take the answers.
void proofs_beside_search(struct proofs_beside_search *proofs, struct campaign_state *state);
// The search is over: wait for the rest, as long as time allows, and end the process.
void proofs_after_search(struct proofs_beside_search *proofs, struct campaign_state *state);

#endif
