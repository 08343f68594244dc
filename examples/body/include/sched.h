// SPDX-License-Identifier: Apache-2.0
// Cooperative scheduler: a table of periodic tasks, called from a millisecond tick.
#ifndef BODY_SCHED_H
#define BODY_SCHED_H

#include "types.h"

#define SCHED_SLOTS 10U

typedef status_t (*sched_fn_t)(void);
typedef void (*sched_idle_t)(uint16_t idle_ms);

typedef struct {
    sched_fn_t run;
    uint16_t period_ms;
    uint16_t due_ms;
    uint8_t failures;
    uint8_t max_failures; // 0: never suspended
    bool enabled;
} sched_task_t;

void sched_init(sched_idle_t idle);
status_t sched_add(sched_fn_t run, uint16_t period_ms, uint16_t offset_ms, uint8_t max_failures);
status_t sched_enable(uint8_t slot, bool on);

// Advances the time, runs what is due, returns the number of tasks run.
uint8_t sched_tick(uint16_t elapsed_ms);

// Runs one task of a caller's table; used by the tick and by the diagnostic routines.
status_t sched_run_one(sched_task_t *task, uint16_t elapsed_ms);

#endif
