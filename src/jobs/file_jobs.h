// SPDX-License-Identifier: Apache-2.0
// The files of a project, several at a time: a forked process per file, which has the right to
// one worker and takes tokens for more. So a file that breaks something takes nobody with it.
// Outcomes are handed over in the order of the files.
#ifndef CZ_JOBS_FILE_JOBS_H
#define CZ_JOBS_FILE_JOBS_H

#include "base/buf.h"
#include "base/tokens.h"
#include "jobs/run.h"

struct files_request {
    size_t count;
    unsigned jobs;
    struct run_observer observer; // in the parent, of all files
    // In the parent: there is nothing to do for this file; a file begins.
    bool (*is_done)(void *context, size_t file);
    void (*begins)(void *context, size_t file);
    // In the process of the file.
    void (*work)(void *context, size_t file, const struct run_observer *observer,
                 const struct tokens *tokens, struct buf *outcome);
    // In the parent: outcome NULL: there was nothing to do, or, with a reason, the process
    // died; `retry`: it was killed or had no memory. False stops everything.
    bool (*done)(void *context, size_t file, const struct buf *outcome, const char *reason,
                 bool retry, struct error *err);
    void *context;
};

bool files_run(const struct files_request *request, struct error *err);

#endif
