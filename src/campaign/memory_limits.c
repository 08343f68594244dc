// SPDX-License-Identifier: Apache-2.0
#include "campaign/memory_limits.h"

#include "base/process_memory.h"
#include "base/tunables.h"
#include "campaign/tree_search.h"

void memory_limits_init(struct memory_limits *limits)
{
    *limits = (struct memory_limits){.resident = memory_resident()};
}

// Drop candidates when memory is short; false: that did not help.
static bool fits_memory(struct campaign_state *state)
{
    size_t limit = (size_t)state->request->options->memory << 20;
    size_t others = state->corpus.bytes + expr_pool_size(state->pool) * CAMPAIGN_EXPR_BYTES;
    for (int round = 0; round < CAMPAIGN_MEMORY_ROUNDS; round++) {
        if (others + explorer_bytes(state->explorer) <= limit)
            return true;
        explorer_shed(state->explorer, TUNABLE_FRACTION(CAMPAIGN_SHED_PERMILLE));
    }
    return others + explorer_bytes(state->explorer) <= limit;
}

// What is counted above is what the search decides by, since it is the same everywhere. The
// process also holds what solvers and allocators keep: when it comes near the limit, that and
// half of the candidates go. False: that did not help.
static bool fits_process(struct memory_limits *limits, struct campaign_state *state, uint64_t turn)
{
    size_t limit = (size_t)state->request->options->memory << 20, now = memory_resident();
    size_t used = now > limits->resident ? now - limits->resident : 0;
    const size_t least = (size_t)CAMPAIGN_MEMORY_LEAST_MB << 20; // less is not worth a look
    limit = limit < least ? least : limit;
    if (used < limit - limit / CAMPAIGN_MEMORY_SPARE)
        return true;
    if (limits->relieved && turn - limits->relieved < CAMPAIGN_RELIEF_EVERY)
        return used <= limit;
    limits->relieved = turn;
    limits->decided = true;
    explorer_shed(state->explorer, TUNABLE_FRACTION(CAMPAIGN_SHED_PERMILLE));
    tree_search_renew_solver(state);
    memory_trim();
    return memory_resident() <= limits->resident + limit;
}

bool memory_limits_hold(struct memory_limits *limits, struct campaign_state *state, uint64_t turn)
{
    return (turn % CAMPAIGN_MEMORY_EVERY || fits_memory(state)) &&
           (turn % CAMPAIGN_PROCESS_EVERY || fits_process(limits, state, turn));
}
