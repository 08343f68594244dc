// SPDX-License-Identifier: Apache-2.0
// --memory: when it is short, the least useful candidates are dropped.
#ifndef CZ_CAMPAIGN_MEMORY_LIMITS_H
#define CZ_CAMPAIGN_MEMORY_LIMITS_H

#include "campaign/campaign_state.h"

struct memory_limits {
    size_t resident;   // memory of the process at the start
    uint64_t relieved; // turn at which memory was last freed, or 0
    bool decided;      // what the system says of memory changed the search
};

void memory_limits_init(struct memory_limits *limits);
// Before a turn, counted from 1. False: the search needs more than it may have.
bool memory_limits_hold(struct memory_limits *limits, struct campaign_state *state, uint64_t turn);

#endif
