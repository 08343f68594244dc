// SPDX-License-Identifier: Apache-2.0
// How many steps an execution gets. Code that is called in a state of its own choosing
// often loops for ever, and each such execution would cost all of --steps; so executions
// get a small multiple of what those took that ended by themselves. Not to miss code that
// is really long, the first execution that is cut off, the second, fourth, eighth ... is
// repeated with all of --steps: if it ends, the budget grows.
#ifndef CZ_ENGINE_STEPS_H
#define CZ_ENGINE_STEPS_H

#include "wire/wire.h"
#include <stdbool.h>

struct steps {
    uint64_t full, usual;
    uint64_t cut_off, repeat_at; // executions cut off below `full`; the next to be repeated
    bool repeating;
};

void steps_init(struct steps *steps, uint64_t full);
uint64_t steps_next(const struct steps *steps); // the budget of the next execution
// True: execute the same input again.
bool steps_learn(struct steps *steps, const struct wire_run *run);

#endif
