// SPDX-License-Identifier: Apache-2.0
// Depth-first search: the deepest branch of the latest path first. The candidates
// of a run come in path order, so a stack does it.
#include "search/strategies.h"

#include "base/arena.h"

struct dfs {
    VEC(struct candidate) stack;
};

static void *dfs_create(const struct search_view *view)
{
    (void)view;
    return xcalloc(1, sizeof(struct dfs));
}

static void dfs_destroy(void *self)
{
    struct dfs *dfs = self;
    VEC_RELEASE(&dfs->stack);
    free(dfs);
}

static void dfs_offer(void *self, const struct candidate *candidate)
{
    struct dfs *dfs = self;
    *VEC_PUSH(&dfs->stack) = *candidate;
}

static bool dfs_choose_candidate(void *self, struct candidate *out)
{
    struct dfs *dfs = self;
    if (!dfs->stack.count)
        return false;
    *out = dfs->stack.items[--dfs->stack.count];
    return true;
}

const struct strategy strategy_dfs = {
    dfs_create, dfs_destroy, dfs_offer, dfs_choose_candidate, NULL, NULL,
};
