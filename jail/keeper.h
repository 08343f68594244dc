// SPDX-License-Identifier: Apache-2.0
// Waiting for the program, watching what it and its children hold, and ending what is left.
#ifndef CZ_JAIL_KEEPER_H
#define CZ_JAIL_KEEPER_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

struct keeper_limits {
    unsigned long memory; // bytes of all processes together, 0: any
};

struct keeper_end {
    int status; // as of waitpid
    bool over_limit;
};

// What a guard and a keeper wait for, blocked otherwise.
void keeper_signals(sigset_t *set);

// Returns when the program has ended, or was ended, and nothing that it started is left. The
// first struct keeper_end in `answer` is how. One that is over a limit is told before it is ended:
// whoever waits for its output may end us as soon as that is closed.
void keeper_wait(pid_t program, const struct keeper_limits *limits, int answer);

#endif
