// SPDX-License-Identifier: Apache-2.0
// What a run shows while it goes on: a line per worker and an overall bar at the bottom,
// redrawn in place. Only on a terminal, at most ten times a second, never wider or higher
// than it; progress_clear() takes all of it off the screen again.
#ifndef CZ_CLI_PROGRESS_H
#define CZ_CLI_PROGRESS_H

#include "base/vec.h"
#include "jobs/run.h"

struct progress_worker {
    bool busy;
    char task[64];
    struct worker_state state;
};

struct progress {
    bool enabled, colour, new_file;
    unsigned lines; // on the screen now
    double start, last;
    char file[128], stage[64];
    size_t files, files_begun, files_done, tasks,
        tasks_done; // tasks: of files that are being tested
    VEC(struct progress_worker) workers;
};

// `wanted`: the user did not ask for silence. It is on when standard error is a terminal
// that can move its cursor, too.
void progress_init(struct progress *progress, bool wanted);
void progress_release(struct progress *progress); // clears it

// Call it before anything else is printed.
void progress_clear(struct progress *progress);

void progress_file(struct progress *progress, const char *name, size_t number, size_t count);
void progress_file_done(struct progress *progress);

// For struct run_observer; the context is the progress.
void progress_stage(void *context, const char *what);
void progress_search(void *context, const char *task, const struct worker_state *state);

#endif
