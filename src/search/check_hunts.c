// SPDX-License-Identifier: Apache-2.0
#include "search/check_hunts.h"

#include "base/tunables.h"

void check_hunts_init(struct check_hunts *hunts)
{
    *hunts = (struct check_hunts){0};
    map_init(&hunts->index);
}

void check_hunts_release(struct check_hunts *hunts)
{
    for (unsigned rank = 0; rank < SEARCH_HUNT_RANKS; rank++)
        VEC_RELEASE(&hunts->queues[rank].items);
    VEC_RELEASE(&hunts->goals);
    map_release(&hunts->index);
}

size_t check_hunts_bytes(const struct check_hunts *hunts)
{
    size_t count = 0;
    for (unsigned rank = 0; rank < SEARCH_HUNT_RANKS; rank++)
        count += hunts->queues[rank].items.count;
    return count * sizeof(struct hunt);
}

struct check_goal *check_hunts_goal(struct check_hunts *hunts, uint32_t site, uint32_t fault)
{
    uint64_t key = (uint64_t)site << 8 | fault, number;
    if (!map_get(&hunts->index, key, &number)) {
        number = hunts->goals.count;
        map_put(&hunts->index, key, number);
        *VEC_PUSH(&hunts->goals) = (struct check_goal){.site = site, .fault = fault};
    }
    return &hunts->goals.items[number];
}

bool check_hunts_want(const struct check_goal *goal)
{
    return !goal->violated && goal->queued < SEARCH_HUNTS;
}

void check_hunts_add(struct check_hunts *hunts, struct check_goal *goal,
                     const struct candidate *candidate)
{
    unsigned rank = goal->queued < SEARCH_HUNT_RANKS ? goal->queued : SEARCH_HUNT_RANKS - 1;
    goal->queued++;
    *VEC_PUSH(&hunts->queues[rank].items) =
        (struct hunt){*candidate, (uint32_t)(goal - hunts->goals.items)};
}

bool check_hunts_next(struct check_hunts *hunts, unsigned ranks, struct hunt *out)
{
    for (unsigned rank = 0; rank < ranks; rank++) {
        struct hunt_queue *queue = &hunts->queues[rank];
        if (queue->next < queue->items.count) {
            *out = queue->items.items[queue->next++];
            if (queue->next == queue->items.count)
                queue->next = queue->items.count = 0;
            return true;
        }
    }
    return false;
}

bool check_hunts_has(const struct check_hunts *hunts, unsigned ranks)
{
    for (unsigned rank = 0; rank < ranks; rank++)
        if (hunts->queues[rank].next < hunts->queues[rank].items.count)
            return true;
    return false;
}

bool check_hunts_refuted(const struct check_goal *goal)
{
    return !goal->violated && !goal->capped && !goal->failed && goal->refuted == goal->queued;
}
