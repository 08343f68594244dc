// SPDX-License-Identifier: Apache-2.0
// What is worth doing next after a run: a few sentences, the most rewarding first.
#ifndef CZ_REPORT_NEXT_STEPS_H
#define CZ_REPORT_NEXT_STEPS_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/tunables.h"
#include "result/result.h"

struct next_step {
    size_t weight;    // goals, alarms or files that it is about
    const char *text; // a sentence with what to do, without a full stop
};

// The steps of an aggregated result, at most REPORT_NEXT_STEPS; texts are in the arena.
size_t next_steps_find(const struct result *result, struct next_step steps[REPORT_NEXT_STEPS],
                       struct arena *arena);

#endif
