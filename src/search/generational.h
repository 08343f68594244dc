// SPDX-License-Identifier: Apache-2.0
// Generational search, for others to build on; see generational.c. Zeroed is ready.
#ifndef CZ_SEARCH_GENERATIONAL_H
#define CZ_SEARCH_GENERATIONAL_H

#include "search/strategy.h"

struct generation { // the new candidates of one run
    candidate_list children;
    size_t next, gain;
};

struct generational {
    VEC(struct generation) runs;
    size_t current; // in runs, or runs.count
    candidate_list latest;
};

void generational_release(struct generational *generational);
void generational_offer(struct generational *generational, const struct candidate *candidate);
void generational_ran(struct generational *generational, const struct run_report *report);
bool generational_choose(struct generational *generational, struct candidate *out);

#endif
