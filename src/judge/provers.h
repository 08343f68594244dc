// SPDX-License-Identifier: Apache-2.0
// Whatever can tell that goals are infeasible: a prover takes the open goals of a task and enters
// claims into the ledger. It may claim nothing, and says so when it failed (ledger_fail), also when
// its time was not enough. Whether a claim stands is not its business (standing.h).
#ifndef CZ_JUDGE_PROVERS_H
#define CZ_JUDGE_PROVERS_H

#include "judge/ledger.h"

struct proof_request {
    const struct verdicts_request *task;
    const size_t *goals; // of the result: open, with a hook, ascending
    size_t count;
    double deadline; // by the clock, for provers that compute; 0: none
};

#define PROVER(name) void prove_##name(const struct proof_request *request, struct ledger *ledger);
#include "judge/provers.def"
#undef PROVER

void provers_ask(const struct proof_request *request, struct ledger *ledger); // all of them

#endif
