// SPDX-License-Identifier: Apache-2.0
#include "judge/standing.h"

#include "program/faults.h"
#include <assert.h>

// A fault that the engine saw ends an execution. That it was undefined behaviour, and not the
// engine's mistake, is what the alarm says that the clean build confirmed. Leaving an object that
// --elements had sized is a bound.
bool standing_of_faults(const struct verdicts_request *r)
{
    for (size_t i = 0; i < r->count; i++) {
        const struct kept_test *kept = &r->campaign->kept.items[r->chosen[i]];
        const struct result_test *test = r->task->tests.items[i];
        if (kept->status != WIRE_FAULT || kept->at_bound || !fault_hides_paths(kept->fault))
            continue;
        if (test->alarm == RESULT_NONE ||
            r->result->alarms.items[test->alarm]->proof <= ALARM_NOT_REPRODUCED)
            return false;
    }
    return true;
}

bool standing_of_search(const struct verdicts_request *r, enum goal_kind kind)
{
    const struct campaign *c = r->campaign;
    if (!c->exhausted || !standing_of_faults(r))
        return false;
    if (!c->filtered)
        return true;
    // Path filtering leaves out those that lead only to goals that nobody asked for.
    enum criterion least = kind == GOAL_BRANCH ? CRITERION_BRANCH : CRITERION_MCDC;
    return c->coverage.criterion >= least && !*r->options->goals;
}

bool standing_of_claim(const struct verdicts_request *r, const struct claim *claim)
{
    const struct result_goal *goal = &r->result->goals[claim->goal];
    const struct coverage *seen = &r->campaign->coverage;
    assert(goal->branch != RESULT_NONE);
    bool reached = goal->kind == GOAL_BRANCH ? seen->covered[2 * goal->branch + goal->outcome]
                                             : seen->pair_shown[goal->branch];
    if (reached)
        return false;
    return claim->proof != PROOF_EXHAUSTED || standing_of_search(r, goal->kind);
}
