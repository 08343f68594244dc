// SPDX-License-Identifier: Apache-2.0
#include "judge/provers.h"

void provers_ask(const struct proof_request *request, struct ledger *ledger)
{
#define PROVER(name) prove_##name(request, ledger);
#include "judge/provers.def"
#undef PROVER
}
