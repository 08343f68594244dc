// SPDX-License-Identifier: Apache-2.0
// The one mutable global of the engine: a signal handler has no other place to write to.
#include "base/interrupt.h"

#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t pending;
static volatile time_t since;

static void on_signal(int number, siginfo_t *info, void *context)
{
    (void)context;
    // The kernel sends SIGPIPE in our own name when a reader is gone; the failing write tells of
    // it.
    if (number == SIGPIPE && info->si_pid == getpid())
        return;
    // timeout(1) and terminals send a signal to a process and to its group: twice at once is once.
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (pending && now.tv_sec - since > 1) {
        signal(number, SIG_DFL);
        raise(number);
    }
    if (!pending)
        since = now.tv_sec;
    pending = number;
}

void interrupt_watch(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
    struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO}, old;
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        // nohup and background jobs ignore some on purpose
        if (sigaction(signals[i], NULL, &old) == 0 &&
            (old.sa_handler != SIG_IGN || signals[i] == SIGPIPE))
            sigaction(signals[i], &action, NULL);
}

bool interrupt_pending(void)
{
    return pending != 0;
}

bool interrupt_error(struct error *err)
{
    const char *name = sigabbrev_np(pending);
    return error_set(err, ERROR_RETRY, "interrupted by SIG%s", name ? name : "?");
}
