/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The main program of independent drivers: tests that are C functions, one per call of the
 * program (its number is the argument). gcov's counters are saved however the test ends.
 */
#define _GNU_SOURCE 1
#include "marks.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

void __gcov_dump(void);
extern void (*const independent_tests[])(void);
extern const long long *independent_results; /* of stubs, in the order of calls */
extern unsigned independent_result_count;

static void on_end(int number)
{
    (void)number;
    __gcov_dump();
    _exit(1);
}

long long stub_result(void)
{
    return independent_result_count ? (independent_result_count--, *independent_results++) : 0;
}

int stub_acts(void)
{
    return 0;
}

void tick(void)
{
}

int main(int argc, char **argv)
{
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGALRM};
    static char stack[1 << 16];
    stack_t signal_stack = {.ss_sp = stack, .ss_size = sizeof stack};
    struct sigaction action = {.sa_handler = on_end, .sa_flags = SA_ONSTACK};
    if (argc != 2)
        return 2;
    sigaltstack(&signal_stack, NULL);
    for (unsigned i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &action, NULL);
    alarm(10);
    independent_tests[atoi(argv[1])]();
    return 0;
}
