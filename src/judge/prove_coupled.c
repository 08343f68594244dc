// SPDX-License-Identifier: Apache-2.0
// The conditions of a decision contradict each other: no pair of vectors shows this one.
#include "judge/provers.h"

void prove_coupled(const struct proof_request *request, struct ledger *ledger)
{
    const struct verdicts_request *r = request->task;
    for (size_t i = 0; i < request->count; i++) {
        const struct result_goal *goal = &r->result->goals[request->goals[i]];
        if (goal->kind == GOAL_CONDITION && r->campaign->coverage.pair_coupled[goal->branch])
            ledger_add(ledger,
                       &(struct claim){.goal = request->goals[i],
                                       .proof = PROOF_COUPLED,
                                       .evidence = "no values of its conditions form a pair "
                                                   "of vectors that shows it"});
    }
}
