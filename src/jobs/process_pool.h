// SPDX-License-Identifier: Apache-2.0
// Pieces of work in processes of their own, several at a time (base/child.h): the tasks of a unit
// (workers.h), the files of a project (file_jobs.h). A process that dies takes nobody with it.
// Ends are handed over in the order of the pieces, so that nothing depends on which was first;
// while the parent works on one, the other processes go on.
//
// An interrupted run tells its processes to end, waits for their last words, and kills those that
// have not ended by then.
#ifndef CZ_JOBS_PROCESS_POOL_H
#define CZ_JOBS_PROCESS_POOL_H

#include "base/record.h"
#include "base/tokens.h"

struct pool_end {  // of a process
    bool garbled;  // it sent something that nobody understands, and was killed
    bool may_work; // ... later: it was killed from outside, or had no memory or disk
    char how[32];  // "signal 9", "exit code 1"
};

struct pool_request {
    size_t count;  // of pieces
    unsigned jobs; // processes at a time
    // Every process but one takes a token; NULL: `jobs` is the only limit.
    const struct tokens *takes;
    // Gets a token for each of the `jobs` that has no piece to work on (any more); or NULL.
    const struct tokens *gives;
    double last_words; // seconds
    // In the parent; may be NULL. There is nothing to do for this piece.
    bool (*is_done)(void *context, size_t piece);
    // In the parent; a piece begins. `slot` is below `jobs` and its own until it ends.
    bool (*begins)(void *context, size_t piece, unsigned slot, struct error *err);
    // In the process; sends records with child_send().
    void (*work)(void *context, size_t piece, int fd);
    // In the parent, for every record. False: it is not what was expected, the process is killed.
    bool (*hears)(void *context, size_t piece, unsigned slot, const struct record_frame *frame);
    // In the parent, as soon as the process has ended.
    void (*ended)(void *context, size_t piece, unsigned slot, const struct pool_end *end);
    // In the parent, in the order of the pieces. False stops everything.
    bool (*done)(void *context, size_t piece, struct error *err);
    // In the parent, of an interrupted run: a piece that has ended and was not handed over.
    void (*left_over)(void *context, size_t piece);
    void *context;
};

// False when `begins` or `done` said so, no process could be started, or the run is interrupted.
bool pool_run(const struct pool_request *request, struct error *err);

#endif
