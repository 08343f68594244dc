/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The world around a call: what a program may have done with the C library, its environment
 * and its stack before it calls the function under attack.
 */
#define _GNU_SOURCE 1
#include "run.h"

#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <getopt.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static char words[64];
static int is_changed; /* by an earlier iteration of this process */

static const int signals[] = {SIGUSR1, SIGUSR2, SIGTERM, SIGINT, SIGPIPE, SIGCHLD, SIGHUP};
static const char *const names[] = {"MODE", "HOME", "LANG", "DEBUG", "TZ", "POSIXLY_CORRECT"};
enum { SIGNALS = sizeof signals / sizeof *signals, NAMES = sizeof names / sizeof *names };

static void on_signal(int number)
{
    (void)number;
}

/* Standard input is a file with an offset, or closed. */
static void any_descriptors(void)
{
    int file = memfd_create("attack", 0);
    if (file < 0)
        return;
    for (unsigned i = 0; i < 8; i++) {
        char byte = (char)any();
        if (write(file, &byte, 1) != 1)
            break;
    }
    lseek(file, below(2) ? (long)below(64) : (long)(any() & 0xffff), SEEK_SET);
    clearerr(stdin);
    dup2(file, 0);
    if (file != 0)
        close(file);
    if (below(8) == 0)
        close(0);
}

static void any_environment(void)
{
    for (unsigned i = 0; i < NAMES; i++) {
        if (below(2))
            unsetenv(names[i]);
        else
            setenv(names[i], any_text(), 1);
    }
}

static void any_library_state(void)
{
    static const char *const locales[] = {"C", "C.UTF-8", "POSIX"};
    is_changed = 1;
    any_descriptors();
    any_environment();
    for (unsigned i = 0; i < SIGNALS; i++)
        signal(signals[i], below(3) ? SIG_DFL : below(2) ? SIG_IGN : on_signal);
    sigset_t mask;
    sigemptyset(&mask);
    if (below(2))
        sigaddset(&mask, SIGUSR1);
    sigprocmask(SIG_SETMASK, &mask, NULL);
    optind = (int)(below(2) ? below(4) : any());
    opterr = (int)below(2);
    optopt = (int)any();
    srand((unsigned)any());
    srand48((long)any());
    srandom((unsigned)any());
    umask((mode_t)below(512));
    const char *locale = locales[below(3)];
    if (feature(FEATURE_LOCALE))
        setlocale(LC_ALL, locale);
    strcpy(words, below(2) ? "one,two three" : "a");
    strtok(words, below(2) ? "," : " ");
}

/* As in a new process, or an iteration would owe what it reaches to another one's state. */
static void usual_library_state(void)
{
    int null = open("/dev/null", O_RDWR);
    if (null > 0) {
        dup2(null, 0);
        close(null);
    }
    clearerr(stdin);
    for (unsigned i = 0; i < NAMES; i++)
        unsetenv(names[i]);
    for (unsigned i = 0; i < SIGNALS; i++)
        signal(signals[i], SIG_DFL);
    optind = opterr = 1;
    optopt = '?';
    srand(1);
    srand48(0);
    srandom(1);
    umask(022);
    words[0] = 0;
    strtok(words, " ");
    is_changed = 0;
}

static void any_rounding(void)
{
    static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    fesetround(modes[below(4)]);
    feclearexcept(FE_ALL_EXCEPT);
    if (below(2))
        feraiseexcept((int)below(64) & FE_ALL_EXCEPT);
}

/* Leave random bytes where the function's locals will be. */
__attribute__((noinline, no_sanitize("address"))) static void soil_stack(void)
{
    volatile unsigned words[1024];
    unsigned values[8], how = below(3), same = (unsigned char)any() * 0x01010101u;
    for (unsigned i = 0; i < 8; i++)
        values[i] = how == 0 ? same : how == 1 ? (unsigned)any() : (unsigned)rnd();
    for (unsigned i = 0; i < 1024; i++)
        words[i] = values[(i ^ i >> 3) & 7];
    (void)words;
}

static void soil_heap(void)
{
    void *held[12];
    for (unsigned i = 0; i < 12; i++) {
        size_t size = 8u << i % 6;
        held[i] = malloc(size);
        if (held[i])
            fill(held[i], size);
    }
    for (unsigned i = 0; i < 12; i++)
        free(held[i]);
}

void prepare(void)
{
    int error = (int)any();
    unsigned some_known = below(2) ? below(134) : 0;
    if (feature(FEATURE_LIBRARY))
        any_library_state();
    else if (is_changed)
        usual_library_state();
    if (feature(FEATURE_ROUNDING))
        any_rounding();
    if (feature(FEATURE_STACK)) {
        soil_heap();
        soil_stack();
    }
    errno = !feature(FEATURE_LIBRARY) ? 0 : some_known ? (int)some_known : error;
}

void world_begin(void)
{
    int null = open("/dev/null", O_RDWR);
    dup2(null, 0);
    dup2(null, 1);
    if (!run_verbose)
        dup2(null, 2);
    if (null > 2)
        close(null);
}

void world_end(void)
{
    feclearexcept(FE_ALL_EXCEPT);
    fesetround(FE_TONEAREST);
    setlocale(LC_ALL, "C");
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}
