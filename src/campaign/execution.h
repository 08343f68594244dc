// SPDX-License-Identifier: Apache-2.0
// Executes inputs: runs the target, counts what an execution covers, keeps it if it is worth a
// test, and adds its decisions to the execution tree.
#ifndef CZ_CAMPAIGN_EXECUTION_H
#define CZ_CAMPAIGN_EXECUTION_H

#include "campaign/campaign_state.h"
#include "campaign/generator.h"
#include "campaign/step_budget.h"
#include "trace/trace.h"

struct executor {
    struct campaign_state *state;
    struct trace_decoder decoder;
    struct step_budget steps;
    struct map alarms;    // fault and site seen
    uint32_t *goals;      // scratch
    unsigned fork_checks; // executions repeated since one took another way than those before it
    uint64_t hash;        // of the last execution's records
    bool not_deterministic;
};

void executor_init(struct executor *executor, struct campaign_state *state);
void executor_release(struct executor *executor);

// Run state->input. A repetition with a larger budget of steps is part of the execution. False:
// the target failed.
bool executor_run(struct executor *executor, const struct proposal *proposal,
                  struct execution *execution);
// After an execution that everybody has learnt from: if code without instrumentation seems to
// have decided something, repeat it. False: the target failed.
bool executor_check_fork(struct executor *executor);

// Keep the run. `alarm`: what it stands for, or NULL. Returns the entry in the corpus.
uint32_t executor_keep(struct executor *executor, const struct wire_run *run,
                       const struct execution *execution, const struct wire_soft *alarm);
// Has an execution raised this alarm that did not end in another fault?
bool executor_saw_alarm(const struct executor *executor, uint32_t fault, uint32_t site);
void executor_sample(const struct executor *executor); // the coverage now
// The flags of executions that are to be like those of the search.
uint32_t executor_flags(const struct campaign_request *request);

// Items of an area of the target's memory, from number `first` on.
const void *executor_area(const struct campaign_state *state, const struct wire_area *which,
                          uint32_t first, size_t size);

#endif
