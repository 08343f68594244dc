// SPDX-License-Identifier: Apache-2.0
// cadenza-jail: starts a program that holds code under test, and ends everything it has started.
// The walls are up before the program's first instruction, so that its IFUNC resolvers and
// constructors are inside as well, and they are still up when its destructors run.
//
//     cadenza-jail [OPTION]... -- PROGRAM ARGUMENT...
//     cadenza-jail --probe          what this kernel has, a word for each layer, and exit
//
// Three processes. The guard stays outside; SIGTERM makes it end the jail and itself. The keeper
// is process 1 of a namespace: when it ends, the kernel ends all that is left inside. It starts
// the program, waits for it, and watches how much memory the jail holds. Without namespaces guard
// and keeper are one process, which adopts orphans (subreaper) and ends them one by one.
//
// The guard ends as the program did, by the same exit code or signal, or with one of the codes
// below.
#ifndef CZ_JAIL_H
#define CZ_JAIL_H

enum jail_exit {
    JAIL_LIMIT = 124,  // the jail held more than --memory, or too many processes
    JAIL_FAILED = 125, // the jail could not be set up; the reason is on standard error
};

// The program is executed by its descriptor. It is the highest that the limit on descriptors lets
// exist, and the limit is lowered below it just before: after the execution nobody can have it
// again, so the one rule of the filter that lets it be executed never fits a second time.
#define JAIL_PROGRAM_FD 1023

#define JAIL_OUTPUT_FD 203 // the file of --output

#endif
