/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Recording. Nothing here changes what the code under attack can see: no library call, no
 * errno, no floating point. The file is named by ATTACK_MARKS and mapped before main, because
 * a test of Cadenza runs in a sandbox; with system calls, because its replay library wraps
 * functions of the C library.
 */
#define _GNU_SOURCE 1
#include "marks.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

extern const int attack_choice_of[];
extern const unsigned attack_goal_count;

static struct marks nowhere;
struct marks *marks = &nowhere;

enum { NESTED = 64 };
static struct {
    int decision;
    unsigned vector;
} frames[NESTED];
static unsigned depth;

__attribute__((constructor)) static void marks_map(void)
{
    static const char name[] = "ATTACK_MARKS=";
    char **at = environ;
    while (*at && strncmp(*at, name, sizeof name - 1) != 0)
        at++;
    if (!*at)
        return;
    long file = syscall(SYS_openat, AT_FDCWD, *at + sizeof name - 1, O_RDWR);
    if (file < 0)
        return;
    void *map = mmap(NULL, sizeof *marks, PROT_READ | PROT_WRITE, MAP_SHARED, (int)file, 0);
    syscall(SYS_close, file);
    if (map != MAP_FAILED)
        marks = map;
}

static void marks_see(struct sighting *place)
{
    if (!place->iteration ||
        __builtin_popcount(marks->features) < __builtin_popcount(place->features)) {
        place->iteration = marks->iteration + 1;
        place->features = marks->features;
    }
}

int mark(int goal, int outcome)
{
    marks_see(&marks->seen[marks->task][goal][outcome]);
    return outcome;
}

int mark_in(int goal, int decision, int position, int outcome)
{
    if (depth > 0 && depth <= NESTED && frames[depth - 1].decision == decision && position < 3)
        frames[depth - 1].vector |= (1u + (unsigned)outcome) << 2 * position;
    return mark(goal, outcome);
}

/* A label was chosen: the others of its switch were not. */
void mark_case(int goal)
{
    for (unsigned i = 0; i < attack_goal_count; i++)
        if (attack_choice_of[i] == attack_choice_of[goal])
            mark((int)i, (int)i == goal);
}

void decision_begins(int decision)
{
    if (depth < NESTED) {
        frames[depth].decision = decision;
        frames[depth].vector = 0;
    }
    depth++;
}

int decision_ends(int decision, int outcome)
{
    while (depth > NESTED || (depth > 0 && frames[depth - 1].decision != decision))
        depth--; /* those that a longjmp left */
    if (depth > 0)
        marks_see(&marks->vectors[marks->task][decision][outcome][frames[--depth].vector]);
    return outcome;
}
