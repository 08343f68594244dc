// SPDX-License-Identifier: Apache-2.0
// How many steps an execution gets. Code that is called in a state of its own choosing
// often loops for ever, and each such execution would cost all of --steps; so executions
// get a small multiple of what those took that ended by themselves. Not to miss code that
// is really long, the first execution that is cut off, the second, fourth, eighth ... is
// repeated with all of --steps: if it ends, the budget grows.
#ifndef CZ_CAMPAIGN_STEP_BUDGET_H
#define CZ_CAMPAIGN_STEP_BUDGET_H

#include "wire/wire.h"
#include <stdbool.h>

struct step_budget {
    uint64_t full, usual;
    uint64_t cut_off, repeat_at; // executions cut off below `full`; the next to be repeated
    bool repeating;
};

void step_budget_init(struct step_budget *steps, uint64_t full);
uint64_t step_budget_next(const struct step_budget *steps); // the budget of the next execution
// True: execute the same input again.
bool step_budget_learn(struct step_budget *steps, const struct wire_run *run);

#endif
