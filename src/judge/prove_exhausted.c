// SPDX-License-Identifier: Apache-2.0
// The search explored every path and never came there.
#include "judge/provers.h"

#include "judge/standing.h"

void prove_exhausted(const struct proof_request *request, struct ledger *ledger)
{
    const struct verdicts_request *r = request->task;
    const bool stands[] = {[GOAL_BRANCH] = standing_of_search(r, GOAL_BRANCH),
                           [GOAL_CONDITION] = standing_of_search(r, GOAL_CONDITION)};
    const char *evidence = arena_printf(
        r->arena, "%llu execution%s and %llu quer%s explored all paths",
        (unsigned long long)r->campaign->runs, r->campaign->runs == 1 ? "" : "s",
        (unsigned long long)r->campaign->queries, r->campaign->queries == 1 ? "y" : "ies");
    for (size_t i = 0; i < request->count; i++) {
        const struct result_goal *goal = &r->result->goals[request->goals[i]];
        if (!stands[goal->kind])
            continue;
        // Of a condition the side that presumes more.
        size_t outcome = 2 * goal->branch + (goal->kind == GOAL_BRANCH
                                                 ? goal->outcome
                                                 : !r->campaign->behind_fault[2 * goal->branch]);
        ledger_add(ledger, &(struct claim){.goal = request->goals[i],
                                           .proof = PROOF_EXHAUSTED,
                                           .presumes = presumptions_of_search(r, outcome),
                                           .evidence = evidence});
    }
}
