/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What marked code records: which outcomes of conditions, labels and decisions were seen,
 * in a file that the attacker maps, so that nothing is lost when the process dies.
 */
#ifndef ATTACK_RT_MARKS_H
#define ATTACK_RT_MARKS_H

#include <stdint.h>

#define MARKS_SANITIZER_EXIT 99 /* exit code of a sanitizer's report */

enum { MARKS_TASKS = 32, MARKS_GOALS = 1024, MARKS_DECISIONS = 256 };

struct sighting {
    uint32_t iteration; /* + 1; 0: not seen */
    uint32_t features;  /* of that iteration, the one with the fewest */
};

struct marks {
    uint32_t task, iteration, features; /* that are running */
    uint32_t crashes, reports;          /* executions that died, those that a sanitizer ended */
    struct sighting seen[MARKS_TASKS][MARKS_GOALS][2];
    /* Per decision and outcome its vectors: two bits a condition (0 not evaluated, 1 false,
       2 true), at most three conditions. */
    struct sighting vectors[MARKS_TASKS][MARKS_DECISIONS][2][64];
};

extern struct marks *marks;

int mark(int goal, int outcome);
int mark_in(int goal, int decision, int position, int outcome);
void mark_case(int goal);
void decision_begins(int decision);
int decision_ends(int decision, int outcome);
void tick(void);

#endif
