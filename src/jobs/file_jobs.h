// SPDX-License-Identifier: Apache-2.0
// The files of a project as pieces of work. A backend (options/backends.def) has them done, here or
// elsewhere, in any order and several at a time, and hands their outcomes over in the order of the
// files. The order for a file, its manifest, is on disk when `begins` has returned, and its result
// is a directory that was renamed into place when `work` has; so `work` may run anywhere.
#ifndef CZ_JOBS_FILE_JOBS_H
#define CZ_JOBS_FILE_JOBS_H

#include "base/buf.h"
#include "base/tokens.h"
#include "jobs/messages.h"
#include "jobs/run.h"
#include "options/options.h"

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

typedef bool backend_run(const struct files_request *request, struct error *err);
#define BACKEND(id, word) backend_run backend_##word##_run;
#include "options/backends.def"
#undef BACKEND

// By the backend that the options name.
bool files_run(const struct files_request *request, enum option_on backend, struct error *err);

#endif
