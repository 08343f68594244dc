// SPDX-License-Identifier: Apache-2.0
// Are the alarms of a unit about what its callers must not do? Candidates for preconditions
// (alarm_causes.h) are built into a driver of their own and tried: one is taken when it holds in
// every test that does not crash, does not hold in the alarm's own test, and a search in
// which it is assumed does not find the alarm again. What is taken is a question to the
// user, with the calls that the project makes; an alarm that all of them rule out is not
// counted.
#ifndef CZ_JOBS_INFERENCE_H
#define CZ_JOBS_INFERENCE_H

#include "jobs/workers.h"
#include "result/result.h"

// An alarm of a task, and what might rule it out.
struct question {
    const char *task;
    uint32_t fault;
    const char *file; // where
    uint32_t line;
    const char *test;       // the path of the test that shows it ...
    unsigned number;        // ... and its number
    const char *candidates; // one per line
};

struct questions {
    struct arena arena;
    VEC(struct question) list;
};

void questions_init(struct questions *questions);
void questions_release(struct questions *questions);
// Those of a task's search. `chosen` are the kept tests of the suite, `paths` their files.
void questions_add(struct questions *questions, struct unit *unit, size_t task,
                   const struct campaign *campaign, const size_t *chosen, size_t count,
                   const char *const *paths);

struct inference_request {
    const struct unit_request *build; // as the unit was built
    const struct questions *questions;
    const struct target_options *target; // as the unit's targets
    unsigned jobs;
    const struct tokens *tokens; // as in struct workers_request
    const double *left;          // seconds per task of the result's program; NULL: no limit
    double build_seconds;        // that the unit's build took; candidates need another one
    struct result *result;       // with the tests and alarms of all tasks
    void (*stage)(void *context, const char *what); // or NULL
    void *context;
};

// Fills result->preconditions and what the alarms say of them. Nothing that fails here
// fails the run: it becomes a note.
void inference_run(const struct inference_request *request);

#endif
