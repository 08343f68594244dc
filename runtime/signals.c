// SPDX-License-Identifier: Apache-2.0
// Signals of the code under test. Its handlers are kept in a table of ours (the real
// ones belong to the runtime) and called by raise() and kill() on oneself; without a
// handler the run ends as the default action would end the program. Signals to
// other processes are refused.
#define _GNU_SOURCE 1
#include "process.h"
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#define SIGNALS 65

static struct sigaction actions[SIGNALS];
static bool actions_used;

void czrt_signals_reset(void)
{
    if (actions_used)
        memset(actions, 0, sizeof actions);
    actions_used = false;
}

static bool is_catchable(int number)
{
    return number > 0 && number < SIGNALS && number != SIGKILL && number != SIGSTOP;
}

void (*czrt_signal(int number, void (*handler)(int)))(int)
{
    czrt_ret = 0;
    czrt_pin_argument(0, (unsigned)number);
    if (!is_catchable(number)) {
        errno = EINVAL;
        return SIG_ERR;
    }
    void (*old)(int) = actions[number].sa_handler;
    actions[number] = (struct sigaction){ .sa_handler = handler };
    actions_used = true;
    return old;
}

int czrt_sigaction(int number, const struct sigaction *action, struct sigaction *old)
{
    czrt_ret = 0;
    czrt_pin_argument(0, (unsigned)number);
    if (!is_catchable(number)) {
        errno = EINVAL;
        return -1;
    }
    if (old) {
        *old = actions[number];
        czrt_shadow_fill(old, 0, sizeof *old);
    }
    if (action) {
        actions[number] = *action;
        actions_used = true;
    }
    return 0;
}

static _Noreturn void end_by_signal(uint32_t fault, int number)
{
    czrt_outcome = (struct czrt_outcome){ .status = fault ? WIRE_FAULT : WIRE_EXIT, .fault = fault,
                                          .exit_code = fault ? 0 : 128u + (uint32_t)number };
    czrt_leave();
}

static void default_action(int number)
{
    switch (number) {
    case SIGABRT: czrt_abort();
    case SIGSEGV:
    case SIGBUS: end_by_signal(WIRE_FAULT_SEGV, number);
    case SIGFPE: end_by_signal(WIRE_FAULT_FPE, number);
    case SIGILL:
    case SIGTRAP: end_by_signal(WIRE_FAULT_ILLEGAL, number);
    case SIGCHLD:
    case SIGCONT:
    case SIGURG:
    case SIGWINCH: return; // ignored
    default: end_by_signal(WIRE_FAULT_NONE, number);
    }
}

int czrt_raise(int number)
{
    czrt_ret = 0;
    czrt_pin_argument(0, (unsigned)number);
    if (number < 0 || number >= SIGNALS) {
        errno = EINVAL;
        return -1;
    }
    if (number == 0 || actions[number].sa_handler == SIG_IGN)
        return 0;
    if (!czrt_running)
        return raise(number);
    if (actions[number].sa_handler == SIG_DFL) {
        default_action(number);
    } else if (actions[number].sa_flags & SA_SIGINFO) {
        siginfo_t info = { .si_signo = number, .si_code = SI_TKILL };
        actions[number].sa_sigaction(number, &info, NULL);
    } else {
        actions[number].sa_handler(number);
    }
    czrt_ret = 0;
    return 0;
}

int czrt_kill(int process, int number)
{
    czrt_pin_argument(0, (unsigned)process);
    czrt_pin_argument(1, (unsigned)number);
    if (process == getpid() || process == 0)
        return czrt_raise(number);
    czrt_ret = 0;
    errno = EPERM;
    return -1;
}

// Masks: kept by nobody, since no signal arrives from outside.
int czrt_sigprocmask(int how, const sigset_t *set, sigset_t *old)
{
    (void)how;
    (void)set;
    if (old) {
        sigemptyset(old);
        czrt_shadow_fill(old, 0, sizeof *old);
    }
    czrt_ret = 0;
    return 0;
}

int czrt_pthread_sigmask(int how, const sigset_t *set, sigset_t *old)
{
    return czrt_sigprocmask(how, set, old);
}

static int written(sigset_t *set, int result)
{
    czrt_shadow_fill(set, 0, sizeof *set);
    czrt_ret = 0;
    return result;
}

int czrt_sigemptyset(sigset_t *set)
{
    return written(set, sigemptyset(set));
}

int czrt_sigfillset(sigset_t *set)
{
    return written(set, sigfillset(set));
}

int czrt_sigaddset(sigset_t *set, int number)
{
    return written(set, sigaddset(set, number));
}

int czrt_sigdelset(sigset_t *set, int number)
{
    return written(set, sigdelset(set, number));
}
