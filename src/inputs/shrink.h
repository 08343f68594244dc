// SPDX-License-Identifier: Apache-2.0
// The simplest input that raises an alarm: every input is zero that can be, numbers are as
// small as they can be. And which of its inputs matter: with another value of that input
// alone the alarm is gone. Both by running the target, with a limit on the runs.
#ifndef CZ_INPUTS_SHRINK_H
#define CZ_INPUTS_SHRINK_H

#include "base/buf.h"
#include "base/error.h"
#include "exec/target.h"

struct shrink_request {
    struct target *target;
    uint32_t task;
    uint64_t steps;       // budget of a run
    uint32_t fault, site; // what has to happen again
    bool ends_well;       // and the run must not end in another fault
};

// Does the run show this? Also among what did not end it.
bool shrink_shows(const struct wire_run *run, uint32_t fault, uint32_t site, bool ends_well);

// Replaces `input` by a simpler one. In `matters` a line per input that matters: its path.
// False: the target failed, or the input does not raise the alarm (any more).
bool shrink_alarm(const struct shrink_request *request, struct buf *input, struct buf *matters,
                  struct error *err);

#endif
