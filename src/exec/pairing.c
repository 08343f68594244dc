// SPDX-License-Identifier: Apache-2.0
#include "exec/pairing.h"

#include "base/clock.h"
#include "base/tunables.h"
#include <assert.h>
#include <stdio.h>
#include <unistd.h>

static bool read_waited(uint64_t *out)
{
    unsigned long long ran, waited;
    FILE *file = fopen("/proc/self/schedstat", "re");
    bool good = file && fscanf(file, "%llu %llu", &ran, &waited) == 2;
    if (file)
        fclose(file);
    *out = good ? waited : 0;
    return good;
}

// The process and those below it: which of them answers does not matter.
static void add_partners(struct pairing *p, pid_t process, unsigned depth)
{
    char path[64];
    int child;
    if (p->partner_count == sizeof p->partners / sizeof *p->partners)
        return;
    p->partners[p->partner_count++] = process;
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)process, (int)process);
    FILE *file = depth < EXEC_PAIRING_DEPTH ? fopen(path, "re") : NULL;
    while (file && fscanf(file, "%d", &child) == 1)
        add_partners(p, child, depth + 1);
    if (file)
        fclose(file);
}

// A partner that has ended cannot be bound, which does no harm.
static void place(struct pairing *p, const cpu_set_t *where)
{
    sched_setaffinity(0, sizeof *where, where);
    for (unsigned i = 0; i < p->partner_count; i++)
        sched_setaffinity(p->partners[i], sizeof *where, where);
}

static void let_go(struct pairing *p)
{
    if (p->bound)
        place(p, &p->usual);
    p->bound = false;
}

static void bind_here(struct pairing *p)
{
    int here = sched_getcpu();
    if (here < 0 || here >= CPU_SETSIZE || !CPU_ISSET(here, &p->usual))
        return;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(here, &one);
    place(p, &one);
    p->bound = true;
}

void pairing_start(struct pairing *p, pid_t target)
{
    assert(!p->bound);
    *p = (struct pairing){.engine = getpid()};
    p->possible = sched_getaffinity(0, sizeof p->usual, &p->usual) == 0 &&
                  CPU_COUNT(&p->usual) > 1 && read_waited(&p->waited);
    if (!p->possible)
        return;
    add_partners(p, target, 0);
    p->last_look = clock_now();
    p->next_look = p->last_look + TUNABLE_SECONDS(EXEC_PAIRING_LOOSE_MS);
}

// Did the engine wait for its processor much of the time since the last look?
static bool is_crowded(struct pairing *p, double now)
{
    uint64_t before = p->waited;
    return read_waited(&p->waited) &&
           (double)(p->waited - before) * 1e-9 >
               TUNABLE_FRACTION(EXEC_PAIRING_CROWDED_PERMILLE) * (now - p->last_look);
}

void pairing_look(struct pairing *p)
{
    if (!p->possible)
        return;
    double now = clock_now();
    if (now < p->next_look)
        return;
    assert(p->engine == getpid());
    bool crowded = is_crowded(p, now);
    if (!p->bound)
        bind_here(p);
    else if (crowded)
        let_go(p);
    p->last_look = now;
    p->next_look = now + (p->bound ? TUNABLE_SECONDS(EXEC_PAIRING_PERIOD_MS)
                                   : TUNABLE_SECONDS(EXEC_PAIRING_LOOSE_MS));
}

void pairing_leave(const struct pairing *p)
{
    assert(p->engine != getpid());
    if (p->bound)
        sched_setaffinity(0, sizeof p->usual, &p->usual);
}

void pairing_stop(struct pairing *p)
{
    if (p->engine == getpid())
        let_go(p);
    p->possible = p->bound = false;
}
