// SPDX-License-Identifier: Apache-2.0
// Who proposes the next input: by gain per work unit, with a share of the work for everybody.
// Docs: docs/design/search-turns.md. No clock decides, so turns are the same in every run.
#ifndef CZ_CAMPAIGN_SCHEDULER_H
#define CZ_CAMPAIGN_SCHEDULER_H

#include "campaign/generator.h"

struct scheduler {
    struct scheduler_lane {
        double share;
        double gain, work; // of late
        double spent;      // work so far, each unit divided by the weight that it had then
        bool was_ready;
        uint64_t turns, all_gain, all_work;
    } lanes[GENERATOR_COUNT];
};

#define SCHEDULER_NOBODY GENERATOR_COUNT

void scheduler_init(struct scheduler *scheduler);

// The generator that is next, or SCHEDULER_NOBODY when all are waiting or exhausted.
enum generator_id scheduler_next(struct scheduler *scheduler,
                                 const enum generator_status statuses[GENERATOR_COUNT]);

// What its turn took and brought.
void scheduler_account(struct scheduler *scheduler, enum generator_id id, uint64_t work,
                       uint64_t gain);

#endif
