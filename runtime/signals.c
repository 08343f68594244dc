// SPDX-License-Identifier: Apache-2.0
// Signals of the code under test. Its handlers are kept in a table of ours (the real
// ones belong to the runtime) and called by raise() and kill() on oneself; without a
// handler the run ends as the default action would end the program. Signals to
// other processes are refused.
#define _GNU_SOURCE 1
#include "library_state.h"
#include "target_process.h"
#include "../include/cz/driver.h"
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define SIGNALS    65
#define SITE_RAISE (CZRT_SITE_ALLOCATION + 1)

static struct sigaction actions[SIGNALS];
static wire_label labels[SIGNALS]; // of a handler that somebody else has left
static bool is_known[SIGNALS];     // set in this run, or asked for
static sigset_t blocked;
static bool actions_used;

void czrt_signals_reset(void)
{
    if (actions_used) {
        memset(actions, 0, sizeof actions);
        memset(labels, 0, sizeof labels);
        memset(is_known, 0, sizeof is_known);
        sigemptyset(&blocked);
    }
    actions_used = false;
}

static bool is_catchable(int number)
{
    return number > 0 && number < SIGNALS && number != SIGKILL && number != SIGSTOP;
}

// The action for a signal. That of a unit task may have been set before: whether the signal
// is ignored is an input; a handler that somebody else has installed is not tried. A program
// inherits it.
static struct sigaction *action_of(int number)
{
    static char name[4]; // no labels there
    if (is_known[number] || !czrt_running)
        return &actions[number];
    actions_used = is_known[number] = true;
    if (!czrt_is_program()) {
        snprintf(name, sizeof name, "%d", number);
        bool ignored = cz_bool(cz_part(czrt_root_named("signal:", name, 0), "ignored"));
        labels[number] = czrt_concolic ? czrt_extend(czrt_ret, CZRT_POINTER_BITS, false) : 0;
        actions[number].sa_handler = ignored ? SIG_IGN : SIG_DFL; // 1 and 0
        czrt_ret = 0;
    }
    czrt_loss(czrt_is_program() ? WIRE_LOSS_SIGNALS : WIRE_LOSS_STATE);
    return &actions[number];
}

// That the signal comes from outside, at any time, is not tried.
static void note_handler(void (*handler)(int))
{
    if (handler != SIG_DFL && handler != SIG_IGN)
        czrt_loss(WIRE_LOSS_STATE);
}

static void note_labels(const void *from, size_t n)
{
    const wire_label *shadow = CZRT_SHADOW(from);
    czrt_extent_forget(from);
    for (size_t i = 0; czrt_concolic && i < n; i++)
        if (shadow[i] && !WIRE_IS_POISON(shadow[i])) {
            czrt_loss(WIRE_LOSS_CONCRETISED);
            return;
        }
}

void (*czrt_signal(int number, void (*handler)(int)))(int)
{
    czrt_ret = 0;
    czrt_pin_argument(0, (unsigned)number);
    czrt_pin_argument(1, (uintptr_t)handler);
    if (!is_catchable(number)) {
        czrt_set_errno(EINVAL);
        return SIG_ERR;
    }
    struct sigaction *action = action_of(number);
    note_handler(handler);
    void (*old)(int) = action->sa_handler;
    wire_label label = labels[number];
    *action = (struct sigaction){.sa_handler = handler};
    labels[number] = 0;
    actions_used = true;
    czrt_ret = label;
    return old;
}

int czrt_sigaction(int number, const struct sigaction *new, struct sigaction *old)
{
    czrt_pin_argument(0, (unsigned)number);
    if (!is_catchable(number)) {
        czrt_set_errno(EINVAL);
        czrt_ret = 0;
        return -1;
    }
    struct sigaction *action = action_of(number), before = *action;
    wire_label label = labels[number];
    if (new) {
        note_labels(new, sizeof *new);
        note_handler(new->sa_handler);
        *action = *new;
        labels[number] = 0;
        actions_used = true;
    }
    if (old) {
        *old = before;
        czrt_shadow_fill(old, 0, sizeof *old);
        if (label)
            czrt_store(&old->sa_handler, sizeof old->sa_handler, label, 0);
    }
    czrt_ret = 0;
    return 0;
}

static _Noreturn void end_by_signal(uint32_t fault, int number)
{
    czrt_outcome = (struct czrt_outcome){.status = fault ? WIRE_FAULT : WIRE_EXIT,
                                         .fault = fault,
                                         .exit_code = fault ? 0 : 128u + (uint32_t)number};
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
        czrt_set_errno(EINVAL);
        return -1;
    }
    if (number == 0)
        return 0;
    if (!czrt_running)
        return raise(number);
    const struct sigaction *action = action_of(number);
    bool ignored = action->sa_handler == SIG_IGN;
    if (labels[number])
        czrt_branch(SITE_RAISE, ignored, czrt_extend(labels[number], 1, false));
    czrt_ret = 0;
    if (ignored)
        return 0;
    if (sigismember(&blocked, number)) { // comes later, which is not modelled
        czrt_loss(WIRE_LOSS_EXTERNAL);
        return 0;
    }
    if (action->sa_handler == SIG_DFL) {
        default_action(number);
    } else if (action->sa_flags & SA_SIGINFO) {
        siginfo_t info = {.si_signo = number, .si_code = SI_TKILL};
        action->sa_sigaction(number, &info, NULL);
    } else {
        action->sa_handler(number);
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
    czrt_set_errno(EPERM);
    return -1;
}

// No signal arrives from outside, but the mask can be asked for.
static void change_mask(int how, const sigset_t *set)
{
    for (int i = 1; i < SIGNALS; i++) {
        bool in = sigismember(set, i) == 1;
        if (in && how != SIG_UNBLOCK)
            sigaddset(&blocked, i);
        else if (in ? how == SIG_UNBLOCK : how == SIG_SETMASK)
            sigdelset(&blocked, i);
    }
    actions_used = true;
}

int czrt_sigprocmask(int how, const sigset_t *set, sigset_t *old)
{
    sigset_t before = blocked;
    czrt_pin_argument(0, (unsigned)how);
    if (set && how != SIG_BLOCK && how != SIG_UNBLOCK && how != SIG_SETMASK) {
        czrt_set_errno(EINVAL);
        czrt_ret = 0;
        return -1;
    }
    if (set) {
        note_labels(set, sizeof *set);
        change_mask(how, set);
    }
    if (old) { // somebody else may have blocked some
        czrt_state(CZRT_STATE_HIDDEN);
        *old = before;
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

// One bit changes, the others keep their values and lose their labels.
static void change_set(const sigset_t *set, int number)
{
    czrt_pin_argument(1, (unsigned)number);
    note_labels(set, sizeof *set);
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
    change_set(set, number);
    return written(set, sigaddset(set, number));
}

int czrt_sigdelset(sigset_t *set, int number)
{
    change_set(set, number);
    return written(set, sigdelset(set, number));
}
