// SPDX-License-Identifier: Apache-2.0
// Searches tasks of one unit in parallel: a process per task (process_pool.h), each with a target
// of its own, which sends its campaign when it is done.
#ifndef CZ_JOBS_WORKERS_H
#define CZ_JOBS_WORKERS_H

#include "base/tokens.h"
#include "campaign/campaign.h"
#include "jobs/messages.h"

struct workers_request {
    struct unit *unit;
    const struct options *options;
    const struct seeds *seeds;    // of a whole program, or NULL
    struct target_options target; // scratch: the parent of the workers' directories
    const double *seconds;        // per task, in place of --time; or NULL
    const uint64_t *assumed;      // per task: preconditions that are tried and must hold; or NULL
    unsigned jobs;
    const struct tokens *tokens; // for all workers but one at a time; NULL: jobs is the only limit
    // In the worker: the first test was kept; the text of a test. Both may be NULL.
    void (*first_kept)(const struct target *target, size_t task, const struct kept_test *test,
                       void *context);
    void (*render)(const struct target *target, size_t task, const struct kept_test *test,
                   struct buf *out, void *context);
    // In the parent: a search goes on (may be NULL); a search is done. The campaign is
    // released afterwards. False stops everything.
    void (*progress)(const struct worker_state *state, void *context);
    bool (*done)(size_t task, const struct campaign *campaign, void *context, struct error *err);
    // In the parent, of an interrupted run: what a search had found; may be NULL.
    void (*cut_short)(size_t task, const struct campaign *campaign, void *context);
    void *context;
};

// A worker that dies gives a campaign that failed, and the others go on. False only when
// `done` said so, no worker could be started, or the run is interrupted.
bool workers_run(const struct workers_request *request, struct error *err);

#endif
