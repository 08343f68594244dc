// SPDX-License-Identifier: Apache-2.0
// The files of a project, several at a time: a process per file (process_pool.h), which has the
// right to one worker and takes tokens for more. Outcomes are handed over in the order of the
// files.
#ifndef CZ_JOBS_FILE_JOBS_H
#define CZ_JOBS_FILE_JOBS_H

#include "base/buf.h"
#include "base/tokens.h"
#include "jobs/messages.h"
#include "jobs/run.h"

struct files_request {
    size_t count;
    unsigned jobs;
    struct run_observer observer; // in the parent, of all files
    // In the parent: there is nothing to do for this file. Its outcome is `taken_over`.
    bool (*is_done)(void *context, size_t file);
    // In the parent: a file begins. False stops everything.
    bool (*begins)(void *context, size_t file, struct error *err);
    // In the process of the file. The text of the outcome may be in the buffer.
    void (*work)(void *context, size_t file, const struct run_observer *observer,
                 const struct tokens *tokens, struct outcome_message *outcome, struct buf *text);
    // In the parent. False stops everything. A process that died has the outcome ERROR_IO, or
    // ERROR_RETRY if it was killed or had no memory, and a text that says how.
    bool (*done)(void *context, size_t file, const struct outcome_message *outcome,
                 struct error *err);
    void *context;
};

bool files_run(const struct files_request *request, struct error *err);

#endif
