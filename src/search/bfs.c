// SPDX-License-Identifier: Apache-2.0
// Breadth-first search: the shallowest branch first, older ones before newer ones. One
// queue per depth.
#include "search/strategies.h"

#include "base/arena.h"

struct queue {
    VEC(struct candidate) items;
    size_t next;
};

struct bfs {
    VEC(struct queue) depths;
    size_t lowest; // no queue before this one has anything
};

static void *bfs_create(const struct search_view *view)
{
    (void)view;
    return xcalloc(1, sizeof(struct bfs));
}

static void bfs_destroy(void *pointer)
{
    struct bfs *self = pointer;
    for (size_t i = 0; i < self->depths.count; i++)
        VEC_RELEASE(&self->depths.items[i].items);
    VEC_RELEASE(&self->depths);
    free(self);
}

static void bfs_offer(void *pointer, const struct candidate *candidate)
{
    struct bfs *self = pointer;
    while (self->depths.count <= candidate->depth)
        VEC_PUSH(&self->depths);
    *VEC_PUSH(&self->depths.items[candidate->depth].items) = *candidate;
    if (candidate->depth < self->lowest)
        self->lowest = candidate->depth;
}

static bool bfs_choose_candidate(void *pointer, struct candidate *out)
{
    struct bfs *self = pointer;
    for (; self->lowest < self->depths.count; self->lowest++) {
        struct queue *queue = &self->depths.items[self->lowest];
        if (queue->next < queue->items.count) {
            *out = queue->items.items[queue->next++];
            return true;
        }
        VEC_RELEASE(&queue->items);
        queue->next = 0;
    }
    return false;
}

const struct strategy strategy_bfs = {
    bfs_create, bfs_destroy, bfs_offer, bfs_choose_candidate, NULL, NULL,
};
