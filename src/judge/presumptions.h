// SPDX-License-Identifier: Apache-2.0
// What a claim of infeasibility presumes. One that presumes nothing is strong: it holds for every
// call with any memory. All claims speak of executions without undefined behaviour before the goal;
// where an alarm of the task shows some, the claim is weak and names the alarm.
#ifndef CZ_JUDGE_PRESUMPTIONS_H
#define CZ_JUDGE_PRESUMPTIONS_H

#include "judge/verdicts.h"

struct presumption {
    enum assumption kind; // ASSUMES_BOUND: a bound, which may grow
    const char *text;
};

struct presumptions {
    const struct presumption *items;
    size_t count;
    unsigned kinds; // of all of them
};

// What the search presumes about a goal (2 * branch id + outcome), or about all paths.
#define PRESUMPTIONS_ALL ((size_t)-1)
struct presumptions presumptions_of_search(const struct verdicts_request *request, size_t goal);

// What the optimiser presumes about this branch outcome (campaign.dead).
struct presumptions presumptions_of_optimiser(const struct verdicts_request *request, size_t goal);

// All of them in a sentence, "" without any.
const char *presumptions_text(const struct presumptions *presumptions, struct arena *arena);

#endif
