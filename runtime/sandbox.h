// SPDX-License-Identifier: Apache-2.0
// Keeps code under test from harming the machine: generated inputs reach remove(),
// system() and kill(). Used by the target process and by the replay library; plain
// C on the kernel's interfaces, so that targets need no extra library.
#ifndef CZRT_SANDBOX_H
#define CZRT_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>

struct czrt_sandbox {
    const char *writable[4];    // directories or files that may be written; NULL ends the list
    unsigned long file_size;    // RLIMIT_FSIZE in bytes, 0: leave
    unsigned long cpu_seconds;  // RLIMIT_CPU, 0: leave
    bool forbid_threads;        // no clone() at all
};

// Irreversible for the process and its children: no writes outside `writable`, no
// exec, no sockets, no ptrace, no timers, no core dumps. Returns false only if not
// even the system call filter could be installed; `note` says what is missing then,
// or which layer the kernel lacks, and is "" otherwise.
bool czrt_sandbox_enter(const struct czrt_sandbox *limits, char *note, size_t note_size);

// Does Landlock keep signals within this process and its children (version 6)?
bool czrt_sandbox_scopes_signals(void);

// Signals may only go to the calling process from now on. Apart from the above
// because a child that a fork server makes has another process id: it would inherit
// a filter that forbids its own abort().
bool czrt_sandbox_self_signals(void);

#endif
