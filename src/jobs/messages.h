// SPDX-License-Identifier: Apache-2.0
// What processes of ours tell those that started them, as records (base/record.h): a worker how its
// search goes, and at its end its campaign (jobs/campaign_record.h); the process of a file the same
// of its workers, what it is doing, and at its end how it went.
#ifndef CZ_JOBS_MESSAGES_H
#define CZ_JOBS_MESSAGES_H

#include "base/record.h"
#include "result/result.h"
#include <stdint.h>

// The state of a search, as its worker reports it now and then, and at its begin and end.
struct worker_state {
    size_t task;
    uint64_t covered, goals, iterations;
    // The parent adds:
    unsigned worker; // which of the workers, from 0
    bool ended;      // it has no task now
    size_t tasks, tasks_ended;
};

struct progress_message {
    struct worker_state state;
    const char *task; // its name
};
extern const struct record_type progress_record;

struct stage_message {
    const char *text; // "building"
};
extern const struct record_type stage_record;

struct outcome_message {  // of a file
    enum error_kind kind; // ERROR_NONE: well
    bool taken_over;      // the results of an earlier run are still good
    struct result_counts counts;
    double seconds;
    const char *text; // of the error, or the table
};
extern const struct record_type outcome_record;

#endif
