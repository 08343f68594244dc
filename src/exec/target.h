// SPDX-License-Identifier: Apache-2.0
// A running target: the process that executes the instrumented unit, and the
// shared memory in which requests and answers travel (wire/wire.h). The unit runs
// many times in one process; when it kills that process, the target is started
// again and the batch is repeated with one child per run.
//
// The place table survives restarts, so input vectors keep their meaning for the
// life of a struct target.
#ifndef CZ_EXEC_TARGET_H
#define CZ_EXEC_TARGET_H

#include "base/error.h"
#include "wire/wire.h"
#include <stdbool.h>
#include <stddef.h>

struct target_options {
    const char *executable;
    const char *scratch;       // directory in which the code under test may write
    uint64_t step_budget;      // per run
    uint64_t heap_budget;      // bytes per run
    uint64_t record_budget;    // symbolic decisions per run
    uint64_t memory;           // bytes that all its processes may hold together, 0: any
    unsigned watchdog_seconds; // a batch that takes longer is killed; a safety net, which is
                               // halved whenever it strikes
    double deadline;           // see target_set_deadline()
    bool always_fork;
    bool narrow;      // a 32-bit process: it has less room
    uint64_t assumed; // preconditions that are tried and must hold (wire_header.assumed)
};

struct target;

struct target *target_start(const struct target_options *options, struct error *err);
void target_stop(struct target *target);
// For a process that was forked from the target's: it has a processor of its own again.
void target_leave(const struct target *target);
// A new process with an empty table of places, e.g. for the next task: what one task has
// asked for would lengthen the inputs of all later ones.
bool target_renew(struct target *target, struct error *err);

// The answer to the last batch: a copy, checked, which no target can change any more.
const struct wire_header *target_wire(const struct target *target);
// An area of it, e.g. target_area(t, &target_wire(t)->records).
const void *target_area(const struct target *target, const struct wire_area *area);

// A batch: begin, add inputs (false: the batch is full, run it first), run. After
// target_run every run has an answer; one that killed the process is a fault.
// flags: enum wire_flags; the target decides about WIRE_FORK itself.
void target_begin(struct target *target, uint32_t task, uint32_t flags);
void target_set_steps(struct target *target, uint64_t budget); // from the next batch on
// From this time of the clock on (clock_now(); 0: never) runs are cut off: one that is under
// way soon after it, later ones at once. Their status is WIRE_STEPS.
void target_set_deadline(struct target *target, double deadline);
bool target_add(struct target *target, const void *input, size_t size);
bool target_run(struct target *target, struct error *err);
const struct wire_run *target_result(const struct target *target, size_t index);

// How often the process had to be started anew, and whether a clock decided.
unsigned target_restarts(const struct target *target);
// How many executions destroyed the shared memory or wrote into the pipes.
unsigned target_spoilt(const struct target *target);
bool target_hit_clock(const struct target *target);
bool target_forks(const struct target *target);

#endif
