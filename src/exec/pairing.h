// SPDX-License-Identifier: Apache-2.0
// Keeps the engine and its target on one processor. The two take turns: one works while the other
// waits. The kernel likes to wake each on an idle processor, which takes longer than most
// executions, so both are bound to the processor that the engine is on. Somebody else may
// want that one, too: the time that the engine had to wait for it is looked at every now and then,
// and if it was much, both are let go for a moment and bound again wherever the kernel has put
// them.
//
// Nothing but speed depends on it. Where the kernel does not tell what it takes (schedstat,
// children), nothing is bound.
#ifndef CZ_EXEC_PAIRING_H
#define CZ_EXEC_PAIRING_H

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct pairing {
    cpu_set_t usual; // where the engine may run
    pid_t engine;
    pid_t partners[8]; // processes of the target
    unsigned partner_count;
    bool possible;
    bool bound;
    double last_look, next_look;
    uint64_t waited; // nanoseconds for a processor, as of the last look
};

void pairing_start(struct pairing *pairing, pid_t target); // a target that has just answered
void pairing_look(struct pairing *pairing);                // call before each request
void pairing_leave(const struct pairing *pairing); // in a process that the engine has forked
void pairing_stop(struct pairing *pairing);

#endif
