// SPDX-License-Identifier: Apache-2.0
// SIGINT, SIGTERM, SIGHUP and a SIGPIPE that somebody sends ask a command to end: it stops what it
// waits for, writes what it has found and returns. Whoever waits asks interrupt_pending() at least
// every BASE_INTERRUPT_MS. A signal that comes two seconds after the first ends the process at
// once.
#ifndef CZ_BASE_INTERRUPT_H
#define CZ_BASE_INTERRUPT_H

#include "base/error.h"

void interrupt_watch(void); // once, in the first process; those that it forks watch, too
bool interrupt_pending(void);
bool interrupt_error(struct error *err); // ERROR_RETRY, "interrupted by SIGINT"; returns false

#endif
