// SPDX-License-Identifier: Apache-2.0
// State that earlier calls have left in the C library, for clean builds: actions of signals,
// the text of strtok(), handlers that cannot be registered. runtime/signals.c and the models
// ask for the same inputs.
#define _GNU_SOURCE 1
#include "replay_runtime.h"
#include "../include/cz/driver.h"
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIGNALS 65

void (*__real_signal(int number, void (*handler)(int)))(int);
void (*__wrap_signal(int number, void (*handler)(int)))(int);
int __real_sigaction(int number, const struct sigaction *new, struct sigaction *old);
int __real_raise(int number);
int __real_atexit(void (*function)(void));
int __real_at_quick_exit(void (*function)(void));
char *__real_strtok(char *text, const char *separators);

static bool is_known[SIGNALS];
static struct sigaction actions[SIGNALS]; // as the unit knows them

static bool is_catchable(int number)
{
    return number > 0 && number < SIGNALS && number != SIGKILL && number != SIGSTOP;
}

// The first question about a signal's action sets it as the test says.
static void settle(int number)
{
    char place[32];
    if (is_known[number])
        return;
    is_known[number] = true;
    if (replay_is_program())
        return;
    snprintf(place, sizeof place, "signal:%d", number);
    replay_running = false;
    if (cz_bool(cz_part(cz_root(place), "ignored"))) {
        actions[number].sa_handler = SIG_IGN;
        __real_signal(number, SIG_IGN);
    }
    replay_running = true;
}

// Our own handlers of faults, which save the profile, stay in place of the default action.
static void install(int number, const struct sigaction *new)
{
    actions[number] = *new;
    if (new->sa_handler != SIG_DFL || !replay_catches(number))
        __real_sigaction(number, new, NULL);
}

int __wrap_sigaction(int number, const struct sigaction *new, struct sigaction *old)
{
    if (!replay_running || !is_catchable(number))
        return __real_sigaction(number, new, old);
    settle(number);
    struct sigaction before = actions[number];
    if (new)
        install(number, new);
    if (old)
        *old = before;
    return 0;
}

void (*__wrap_signal(int number, void (*handler)(int)))(int)
{
    if (!replay_running || !is_catchable(number))
        return __real_signal(number, handler);
    struct sigaction new = {.sa_handler = handler, .sa_flags = SA_RESTART}, old;
    __wrap_sigaction(number, &new, &old);
    return old.sa_handler;
}

int __wrap_raise(int number)
{
    if (replay_running && is_catchable(number))
        settle(number);
    return __real_raise(number);
}

static bool is_refused(const char *function)
{
    if (!replay_running)
        return false;
    replay_running = false;
    bool fails = replay_allocation_fails(function);
    replay_running = true;
    return fails;
}

int __wrap_atexit(void (*function)(void))
{
    return is_refused("atexit") ? -1 : __real_atexit(function);
}

int __wrap_at_quick_exit(void (*function)(void))
{
    return is_refused("at_quick_exit") ? -1 : __real_at_quick_exit(function);
}

char *__wrap_strtok(char *text, const char *separators)
{
    static bool is_begun;
    if (!replay_running)
        return __real_strtok(text, separators);
    if (!text && !is_begun && !replay_is_program()) {
        replay_running = false;
        cz_path at = cz_root("strtok");
        if (cz_present(at)) {
            text = cz_text(at, replay_text_bytes());
            cz_array(at, text, CZ_I8, replay_text_bytes());
        }
        replay_running = true;
    }
    is_begun = true;
    return __real_strtok(text, separators);
}

// What the unit's variable holds is an input, and the C library would wait for ever for a
// thread that is in the middle of it.
int __real_pthread_once(pthread_once_t *control, void (*function)(void));
int __wrap_pthread_once(pthread_once_t *control, void (*function)(void))
{
    if (!replay_running || replay_is_program())
        return __real_pthread_once(control, function);
    if (*control == PTHREAD_ONCE_INIT) {
        *control = PTHREAD_ONCE_INIT + 1;
        function();
    }
    return 0;
}
