// SPDX-License-Identifier: Apache-2.0
// Reverse depth-first search: of the latest path the first branch, not the last one.
// The new candidates of a run are collected and put on the stack last first.
#include "search/strategies.h"

#include "base/arena.h"

struct reverse_dfs {
    candidate_list stack, latest;
};

static void *reverse_dfs_create(const struct search_view *view)
{
    (void)view;
    return xcalloc(1, sizeof(struct reverse_dfs));
}

static void reverse_dfs_destroy(void *pointer)
{
    struct reverse_dfs *self = pointer;
    VEC_RELEASE(&self->stack);
    VEC_RELEASE(&self->latest);
    free(self);
}

static void reverse_dfs_offer(void *pointer, const struct candidate *candidate)
{
    struct reverse_dfs *self = pointer;
    *VEC_PUSH(&self->latest) = *candidate;
}

static bool reverse_dfs_choose_candidate(void *pointer, struct candidate *out)
{
    struct reverse_dfs *self = pointer;
    while (self->latest.count)
        *VEC_PUSH(&self->stack) = self->latest.items[--self->latest.count];
    if (!self->stack.count)
        return false;
    *out = self->stack.items[--self->stack.count];
    return true;
}

const struct strategy strategy_reverse_dfs = {
    reverse_dfs_create,
    reverse_dfs_destroy,
    reverse_dfs_offer,
    reverse_dfs_choose_candidate,
    NULL,
    NULL,
};
