// SPDX-License-Identifier: Apache-2.0
// From the kept runs to a small suite: a greedy set cover over the goals and, for
// every condition whose independence is shown, the two vectors of one pair. The
// first run of every alarm stays in.
#ifndef CZ_JUDGE_SUITE_H
#define CZ_JUDGE_SUITE_H

#include "campaign/campaign.h"

// Indices of the chosen tests in campaign->kept, ascending, in the arena.
size_t suite_choose(const struct campaign *campaign, struct arena *arena, size_t **chosen);

#endif
