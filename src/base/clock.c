// SPDX-License-Identifier: Apache-2.0
#include "base/clock.h"

#include <sys/resource.h>
#include <time.h>

double clock_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double of_timeval(struct timeval t)
{
    return (double)t.tv_sec + (double)t.tv_usec * 1e-6;
}

double clock_cpu(void)
{
    struct rusage self, children;
    getrusage(RUSAGE_SELF, &self);
    getrusage(RUSAGE_CHILDREN, &children);
    return of_timeval(self.ru_utime) + of_timeval(self.ru_stime) + of_timeval(children.ru_utime) +
           of_timeval(children.ru_stime);
}
