// SPDX-License-Identifier: Apache-2.0
// Time for budgets and statistics. Nothing that decides about a search may read it but
// the budgets themselves.
#ifndef CZ_BASE_CLOCK_H
#define CZ_BASE_CLOCK_H

// Seconds of the monotonic clock.
double clock_now(void);

// Processor seconds of this process and of its children that have ended.
double clock_cpu(void);

#endif
