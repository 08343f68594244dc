// SPDX-License-Identifier: Apache-2.0
// `cadenza run` on one unit, from the sources to the reports: build, search task by
// task, write the tests, replay them on the clean build, give every goal its
// verdict, report. The run directory is readable after every task, so that a
// killed run loses at most the task it was at.
#ifndef CZ_JOBS_RUN_H
#define CZ_JOBS_RUN_H

#include "jobs/workers.h"
#include "options/options.h"
#include "result/result.h"

struct run_observer {
    // Any of these may be NULL.
    void (*searching)(void *context, const char *task, const struct worker_state *state);
    void (*stage)(void *context, const char *what); // "building", "replaying" ...
    void *context;
};

struct run_request {
    struct unit_request unit;    // out_directory is the run directory
    const char *shown_directory; // ... as the user calls it (base/alias.h); NULL: the same
    struct run_observer observer;
    const struct tokens *tokens; // of the files that are tested at the same time, or NULL
    bool is_part;                // of a project, which has the gate and checks justifications
    uint64_t *digest;            // gets that of the unit (unit/unit_digest.h); may be NULL
};

// Make the directory and mark it as ours; somebody else's files are never overwritten.
bool run_claim_directory(const char *directory, struct error *err);

// Where the justifications of a source are, absolute if the file exists; NULL: --just none.
const char *run_justifications_file(const struct options *options, const char *home,
                                    const char *source, struct arena *arena);

// What request->digest would get, without building anything. Parts and
// sources.txt are written to the run directory.
bool run_digest(const struct run_request *request, struct error *err);

// False: nothing could be tested. The result is filled as far as it got.
bool run_unit(const struct run_request *request, struct result *result, struct error *err);

#endif
