// SPDX-License-Identifier: Apache-2.0
// Fitness-guided exploration (Xie et al., 2009), for goals whose branch is reached but
// cannot be flipped there, because what it tests was decided before (`x == 6` after a
// loop that counts x). Paths that reach the goal's branch have a fitness: how far its
// condition is from the wanted value. Flips have a gain: how much nearer they brought
// paths so far. The next flip is the one with the best sum.
#ifndef CZ_SEARCH_FITNESS_H
#define CZ_SEARCH_FITNESS_H

#include "base/map.h"
#include "expr/flat.h"
#include "search/strategy.h"

struct fitness_path { // a run that reached the goal's branch
    uint64_t distance;
    candidate_list flips; // open branches before it
};

struct fitness_goal {
    uint32_t goal;
    VEC(struct fitness_path) paths; // the nearest ones, nearest first
    struct candidate seen;          // in the current run: the candidate for the goal
    bool is_seen;
    uint64_t tries;
};

struct fitness {
    struct search_view view;
    struct flat flat;
    VEC(struct fitness_goal) goals;
    struct map index;     // goal -> position
    struct map distances; // goal and input -> distance + 1
    double *gain;         // per goal of the program that is flipped: sum of improvements
    uint32_t *flips;      // ... and how often
    size_t turn;
};

void fitness_init(struct fitness *fitness, const struct search_view *view);
void fitness_release(struct fitness *fitness);
void fitness_offer(struct fitness *fitness, const struct candidate *candidate);
void fitness_ran(struct fitness *fitness, const struct run_report *report);
void fitness_failed(struct fitness *fitness, const struct candidate *candidate);
bool fitness_choose(struct fitness *fitness, struct candidate *out); // false: nothing to guide

#endif
