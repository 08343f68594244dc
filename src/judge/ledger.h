// SPDX-License-Identifier: Apache-2.0
// All that provers claim about the goals of a task, and where they failed. Of several claims about
// one goal the one counts that presumes least; of equals the first.
#ifndef CZ_JUDGE_LEDGER_H
#define CZ_JUDGE_LEDGER_H

#include "base/vec.h"
#include "judge/presumptions.h"

struct claim {   // that a goal is infeasible
    size_t goal; // of the result
    enum proof_kind proof;
    struct presumptions presumes; // none: the claim is strong
    const char *evidence;         // what shows it, a clause for people; outlives the ledger
};

struct ledger {
    VEC(struct claim) claims;
    VEC(const char *) failures; // "the optimiser did not decide it in time"
    size_t *best;               // per goal: index in claims, plus one; 0: none
    size_t goal_count;
};

void ledger_init(struct ledger *ledger, size_t goal_count);
void ledger_release(struct ledger *ledger);
void ledger_add(struct ledger *ledger, const struct claim *claim);
void ledger_fail(struct ledger *ledger, const char *what); // `what` outlives the ledger
// What is wrong with the ledger, or NULL (base/check.h).
const char *ledger_check(const struct ledger *ledger);
const struct claim *ledger_find(const struct ledger *ledger, size_t goal); // NULL: none

#endif
