// SPDX-License-Identifier: Apache-2.0
#include "campaign/memory_limits.h"

#include "base/process_memory.h"
#include "campaign/tree_search.h"

enum {
    MEMORY_EVERY = 64,  // turns between looks at the memory in use
    PROCESS_EVERY = 4,  // ... at the memory of the whole process
    RELIEF_EVERY = 256, // turns between two attempts to free some of that
    MEMORY_ROUNDS = 4,  // halvings of the candidates before memory is too short
    EXPR_BYTES = 64,    // of an expression in its pool, about
};
static const size_t MEMORY_LEAST = (size_t)1024 << 20; // of a process: less is not worth a look

void memory_limits_init(struct memory_limits *limits)
{
    *limits = (struct memory_limits){.resident = memory_resident()};
}

// Drop candidates when memory is short; false: that did not help.
static bool fits_memory(struct campaign_state *state)
{
    size_t limit = (size_t)state->request->options->memory << 20;
    size_t others = state->corpus.bytes + expr_pool_size(state->pool) * EXPR_BYTES;
    for (int round = 0; round < MEMORY_ROUNDS; round++) {
        if (others + explorer_bytes(state->explorer) <= limit)
            return true;
        explorer_shed(state->explorer, 0.5);
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
    limit = limit < MEMORY_LEAST ? MEMORY_LEAST : limit;
    if (used < limit - limit / 8)
        return true;
    if (limits->relieved && turn - limits->relieved < RELIEF_EVERY)
        return used <= limit;
    limits->relieved = turn;
    limits->decided = true;
    explorer_shed(state->explorer, 0.5);
    tree_search_renew_solver(state);
    memory_trim();
    return memory_resident() <= limits->resident + limit;
}

bool memory_limits_hold(struct memory_limits *limits, struct campaign_state *state, uint64_t turn)
{
    return (turn % MEMORY_EVERY || fits_memory(state)) &&
           (turn % PROCESS_EVERY || fits_process(limits, state, turn));
}
