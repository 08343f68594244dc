// SPDX-License-Identifier: Apache-2.0
// The wrapper over CaDiCaL's C interface, see sat.h.
#include "solver/sat.h"

#include "base/arena.h"
#include "base/interrupt.h"
#include "base/tunables.h"
#include <ccadical.h>
#include <limits.h>
#include <stdlib.h>
#include <time.h>

// Reading the CPU clock is a system call; CaDiCaL asks every few propagations.

struct sat {
    CCaDiCaL *cadical;
    double end; // CPU seconds; 0: none
    unsigned calls;
    bool hit_clock;
};

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int sat_past_deadline(void *state)
{
    struct sat *sat = state;
    if (++sat->calls % SOLVER_SAT_CALLS_PER_LOOK == 0 &&
        (cpu_seconds() > sat->end || interrupt_pending()))
        sat->hit_clock = true;
    return sat->hit_clock;
}

struct sat *sat_new(void)
{
    struct sat *sat = xcalloc(1, sizeof *sat);
    sat->cadical = ccadical_init();
    ccadical_set_option(sat->cadical, "quiet", 1);
    return sat;
}

void sat_free(struct sat *sat)
{
    if (!sat)
        return;
    ccadical_release(sat->cadical);
    free(sat);
}

void sat_deadline(struct sat *sat, unsigned milliseconds)
{
    if (!milliseconds)
        return;
    sat->end = cpu_seconds() + (double)milliseconds * 1e-3;
    ccadical_set_terminate(sat->cadical, sat, sat_past_deadline);
}

bool sat_hit_clock(const struct sat *sat)
{
    return sat->hit_clock;
}

void sat_clause(struct sat *sat, const int *literals, size_t count)
{
    for (size_t i = 0; i < count; i++)
        ccadical_add(sat->cadical, literals[i]);
    ccadical_add(sat->cadical, 0);
}

void sat_assume(struct sat *sat, int literal)
{
    ccadical_assume(sat->cadical, literal);
}

enum sat_answer sat_solve(struct sat *sat, unsigned conflicts)
{
    if (conflicts)
        ccadical_limit(sat->cadical, "conflicts", conflicts > INT_MAX ? INT_MAX : (int)conflicts);
    switch (ccadical_solve(sat->cadical)) {
    case 10: return SAT_YES;
    case 20: return SAT_NO;
    default: return SAT_LIMIT;
    }
}

bool sat_value(struct sat *sat, int literal)
{
    // Only asked for variables: what it returns for negative literals has changed
    // between versions.
    return (ccadical_val(sat->cadical, abs(literal)) > 0) == (literal > 0);
}

bool sat_failed(struct sat *sat, int literal)
{
    return ccadical_failed(sat->cadical, literal);
}
