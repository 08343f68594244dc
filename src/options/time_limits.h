// SPDX-License-Identifier: Apache-2.0
// How the time of a task is divided. The search has --time. What comes after it may go on
// for some seconds more, fewer than ten: each step ends when the time that the task has
// taken so far reaches --time and the step's number.
#ifndef CZ_OPTIONS_TIME_LIMITS_H
#define CZ_OPTIONS_TIME_LIMITS_H

enum {
    TIME_PROOFS = 1,    // the optimiser's proofs, which run beside the search
    TIME_SIMPLIFY = 1,  // simplest tests of alarms
    TIME_REPLAY = 6,    // a test may begin until then, and is stopped soon after
    TIME_INFERENCE = 8, // trying preconditions
};

#endif
