/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The main program of an attack build.
 *
 *     attack SEED FEATURES FIRST COUNT [FUNCTION [GOAL OUTCOME]]
 *
 * runs iterations FIRST .. FIRST + COUNT - 1 of every function, or of the one with that
 * number, with features out of the mask FEATURES, in children that may crash. With GOAL it
 * stops when the outcome was seen. With ATTACK_VERBOSE in the environment it says what each
 * call was given, and messages of sanitizers are shown.
 */
#define _GNU_SOURCE 1
#include "run.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BATCH = 64, MOST_CRASHES = 200, BATCH_SECONDS = 4, MOST_TIMEOUTS = 3 };

int run_verbose;
static unsigned long long seed;
static unsigned allowed;
static int goal = -1, outcome;
static const struct attack_function *running;
static unsigned ticking;

int feature(enum feature which)
{
    return marks->features >> which & 1;
}

void tick(void)
{
    if (ticking || !running || !feature(FEATURE_TICK))
        return;
    ticking = 1;
    if (below(2))
        running->tick();
    ticking = 0;
}

long long stub_result(void)
{
    return any();
}

int stub_acts(void)
{
    return feature(FEATURE_STUBS) && below(2);
}

void note(const char *name, long long value)
{
    if (run_verbose)
        fprintf(stderr, "    %s = %lld (0x%llx)\n", name, value, (unsigned long long)value);
}

static unsigned choose_features(void)
{
    unsigned all = (1u << FEATURE_COUNT) - 1, mask = all;
    switch (below(4)) {
    case 0: mask = 0; break;
    case 1: mask = 1u << below(FEATURE_COUNT); break;
    case 2: mask = (unsigned)rnd() & all; break;
    }
    return mask & allowed;
}

static void run_iteration(unsigned number, unsigned iteration)
{
    running = &attack_functions[number];
    marks->task = number;
    marks->iteration = iteration;
    values_begin(seed * 1000003 + number * 7919ull + iteration * 0x10001ull, running);
    marks->features = choose_features();
    if (run_verbose)
        fprintf(stderr, "iteration %u of %s, features 0x%x\n", iteration, running->name,
                marks->features);
    unsigned calls = feature(FEATURE_CALLS) ? 1 + below(4) : 1;
    running->globals();
    for (unsigned i = 0; i < calls; i++) {
        running->call();
        world_end();
    }
    values_end();
}

static int seen(void)
{
    return goal >= 0 && marks->seen[marks->task][goal][outcome].iteration;
}

/* One child: iterations from *next on, up to `end`. */
static void run_batch(unsigned number, unsigned *next, unsigned end)
{
    pid_t child = fork();
    if (child == 0) {
        struct rlimit none = {0, 0};
        setrlimit(RLIMIT_CORE, &none);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        world_begin();
        alarm(BATCH_SECONDS);
        for (unsigned i = *next; i < end && !seen(); i++)
            run_iteration(number, i);
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    unsigned crashed = !(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    marks->crashes += crashed;
    marks->reports += WIFEXITED(status) && WEXITSTATUS(status) == MARKS_SANITIZER_EXIT;
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
        marks->crashes += MOST_CRASHES / MOST_TIMEOUTS;
    *next = crashed ? marks->iteration + 1 : end;
}

static void attack(unsigned number, unsigned first, unsigned count)
{
    unsigned crashes = marks->crashes;
    marks->task = number;
    for (unsigned next = first; next < first + count && !seen();) {
        unsigned end = next + BATCH < first + count ? next + BATCH : first + count;
        marks->iteration = next;
        run_batch(number, &next, end);
        if (marks->crashes - crashes > MOST_CRASHES)
            break;
    }
}

int main(int argc, char **argv)
{
    if (argc < 5)
        return 2;
    seed = strtoull(argv[1], NULL, 0);
    allowed = (unsigned)strtoul(argv[2], NULL, 0);
    unsigned first = (unsigned)atoi(argv[3]), count = (unsigned)atoi(argv[4]);
    run_verbose = getenv("ATTACK_VERBOSE") != NULL;
    if (argc > 7) {
        goal = atoi(argv[6]);
        outcome = atoi(argv[7]);
    }
    if (argc > 5) {
        attack((unsigned)atoi(argv[5]), first, count);
        return goal >= 0 && !seen();
    }
    for (unsigned i = 0; i < attack_function_count; i++)
        attack(i, first, count);
    return 0;
}
