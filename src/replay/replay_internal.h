// SPDX-License-Identifier: Apache-2.0
// Shared inside src/replay.
#ifndef CZ_REPLAY_INTERNAL_H
#define CZ_REPLAY_INTERNAL_H

#include "base/proc.h"
#include "replay/replay.h"

// The answer of `test` in a replay program's output from *at on: what follows
// "test<tab>". The code under test may have printed something before it, even on the
// same line. Moves *at behind the answer; false when there is none.
bool replay_find_outcome(const char **at, const char *test, struct arena *arena,
                         struct replay_outcome *out);

// Runs a replay program in the jail. `scratch` is made if need be, is its TMPDIR and the only
// directory that it may write; `profile` is a file for its coverage, or NULL. options->env is
// extra, as for proc_run.
bool replay_process(const char *const *argv, const char *scratch, const char *profile,
                    const struct proc_options *options, struct proc_result *result,
                    struct error *err);

// replay_run with another limit per test, a deadline (of the clock, 0: none), and coverage profiles
// in a directory, or NULL.
bool replay_run_for(unsigned seconds, double deadline, const char *executable, const char *scratch,
                    const char *const *tests, size_t count, const char *profiles, bool observe,
                    struct arena *arena, struct replay_outcome *outcomes, struct error *err);

// How long `count` tests of `seconds` each may take in one process.
struct replay_time {
    const char *all;  // the program's -T, or NULL when the deadline is over
    unsigned timeout; // ... and after so many seconds it is killed
};
struct replay_time replay_time(double deadline, unsigned seconds, size_t count,
                               struct arena *arena);

#endif
