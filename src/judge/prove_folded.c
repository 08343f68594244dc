// SPDX-License-Identifier: Apache-2.0
// The compiler folded the condition: its hook is not in the unit's code.
#include "judge/provers.h"

void prove_folded(const struct proof_request *request, struct ledger *ledger)
{
    const struct verdicts_request *r = request->task;
    for (size_t i = 0; i < request->count; i++)
        if (!r->unit->instrumented.branch_survives[r->result->goals[request->goals[i]].branch])
            ledger_add(ledger, &(struct claim){.goal = request->goals[i],
                                               .proof = PROOF_FOLDED,
                                               .evidence = "clang -O0 emits no code for it"});
}
