// SPDX-License-Identifier: Apache-2.0
// Assumptions on the clean build: a test in which one does not hold ends there as
// "rejected", and what it has covered is not saved. Also the sizes of the driver's objects.
#define _GNU_SOURCE 1
#include "../include/cz/driver.h"
#include "replay_runtime.h"
#include <stdbool.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MAX_MADE 4096u // as in runtime/assume.c

static struct {
    uintptr_t base;
    unsigned long size;
    bool is_freed;
    unsigned place; // of the pointer to it
} made[MAX_MADE];
static unsigned made_count;

void replay_made(const void *object, unsigned long size, unsigned place)
{
    if (made_count < MAX_MADE) {
        made[made_count].base = (uintptr_t)object;
        made[made_count].place = place;
        made[made_count++].size = size;
    }
}

void replay_made_freed(const void *object)
{
    for (unsigned i = 0; i < made_count; i++)
        if (made[i].base == (uintptr_t)object)
            made[i].is_freed = true;
}

void replay_each_made(void (*each)(const void *object, unsigned long size, const char *path))
{
    for (unsigned i = 0; i < made_count; i++)
        if (made[i].size && !made[i].is_freed)
            each((const void *)made[i].base, made[i].size, replay_path(made[i].place));
}

void *cz_chosen(void *place)
{
    return place;
}

unsigned long cz_room(const void *from)
{
    uintptr_t at = (uintptr_t)from;
    for (unsigned i = 0; i < made_count; i++)
        if (at - made[i].base < made[i].size)
            return made[i].base + made[i].size - at;
    return 0;
}

static bool assuming; // a condition is being evaluated

static _Noreturn void reject(void)
{
    replay_running = false;
    replay_report->rejected = true;
    for (;;) // without the handlers of the code under test
        syscall(SYS_exit_group, 0);
}

void cz_assuming(void)
{
    assuming = true;
}

void replay_assume_fault(void)
{
    if (assuming)
        reject();
}

void cz_assume_(int holds)
{
    assuming = false;
    if (!holds && replay_running)
        reject();
}

// Preconditions are only tried on the engine's build.
void cz_probe(unsigned number, int holds)
{
    (void)number;
    (void)holds;
}
