// SPDX-License-Identifier: Apache-2.0
// LLVM's optimiser removed the branch. It was asked beside the search
// (campaign/optimiser_proofs.h).
#include "judge/provers.h"

// The side of a condition that is unreachable, the one with the stronger proof.
static size_t better_side(const struct campaign *c, size_t branch)
{
    size_t no = 2 * branch, yes = no + 1;
    if (!c->dead[no] || !c->dead[yes])
        return c->dead[no] ? no : yes;
    return c->dead_always[no] || (!c->dead_always[yes] && !c->assumed[no]) ? no : yes;
}

// From which code the branch disappeared.
static const char *evidence(const struct verdicts_request *r, size_t outcome)
{
    const char *task = r->unit->program.tasks[r->task->program_task].name;
    if (r->campaign->dead_always[outcome])
        return arena_printf(r->arena, "LLVM removes it from %s() with any arguments and memory",
                            task);
    return arena_printf(r->arena, "LLVM removes it from the driver of %s()%s", task,
                        r->campaign->assumed[outcome] ? " under its preconditions" : "");
}

void prove_optimiser(const struct proof_request *request, struct ledger *ledger)
{
    const struct verdicts_request *r = request->task;
    const struct campaign *c = r->campaign;
    for (size_t i = 0; i < request->count; i++) {
        const struct result_goal *goal = &r->result->goals[request->goals[i]];
        size_t outcome = goal->kind == GOAL_BRANCH ? 2 * goal->branch + goal->outcome
                                                   : better_side(c, goal->branch);
        if (c->dead[outcome])
            ledger_add(ledger, &(struct claim){.goal = request->goals[i],
                                               .proof = PROOF_OPTIMISER,
                                               .presumes = presumptions_of_optimiser(r, outcome),
                                               .evidence = evidence(r, outcome)});
    }
    if (c->proofs_cut)
        ledger_fail(ledger, "the optimiser did not decide it in time");
}
