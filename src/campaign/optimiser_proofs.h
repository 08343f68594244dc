// SPDX-License-Identifier: Apache-2.0
// Asks LLVM's optimiser which goals of a task are unreachable, in a process of its own: it may
// take minutes for a large function, and nobody waits for it longer than its time allows. The
// steps come one after the other; what is not decided in time stays open.
#ifndef CZ_CAMPAIGN_OPTIMISER_PROOFS_H
#define CZ_CAMPAIGN_OPTIMISER_PROOFS_H

#include "base/record.h"
#include "campaign/campaign.h"

// For every call with any memory; for what the driver makes; for that without the user's
// assumptions.
enum proofs_step { PROOFS_FUNCTION, PROOFS_DRIVER, PROOFS_DRIVER_ALONE, PROOFS_STEPS };

// What the process says of a step.
struct proofs_answer {
    enum proofs_step step;
    bool good;            // it did not fail, and was wanted
    const uint32_t *dead; // goals, in order
    size_t dead_count;
};
extern const struct record_type proofs_answer_record; // checked against the number of goals

struct proofs;

// `wanted`: which steps. NULL: no process could be started.
struct proofs *proofs_start(const struct campaign_request *request,
                            const bool wanted[PROOFS_STEPS]);
// Wait for the step until `end` of the clock. False: it is not over by then.
bool proofs_wait(struct proofs *proofs, enum proofs_step step, double end);
// Of a step that is over: which goals are dead; NULL when it failed or was not wanted.
const bool *proofs_dead(const struct proofs *proofs, enum proofs_step step);
double proofs_begin(const struct proofs *proofs); // when it was started, by the clock
void proofs_stop(struct proofs *proofs);          // ends the process, too; NULL does nothing

#endif
