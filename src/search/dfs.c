// SPDX-License-Identifier: Apache-2.0
// Depth-first search: the deepest branch of the latest path first. The candidates
// of a run come in path order, so a stack does it.
#include "search/strategies.h"

#include "base/arena.h"

struct dfs {
    VEC(struct candidate) stack;
};

static void *create(const struct search_view *view)
{
    (void)view;
    return xcalloc(1, sizeof(struct dfs));
}

static void destroy(void *self)
{
    struct dfs *dfs = self;
    VEC_RELEASE(&dfs->stack);
    free(dfs);
}

static void offer(void *self, const struct candidate *candidate)
{
    struct dfs *dfs = self;
    *VEC_PUSH(&dfs->stack) = *candidate;
}

static bool choose(void *self, struct candidate *out)
{
    struct dfs *dfs = self;
    if (!dfs->stack.count)
        return false;
    *out = dfs->stack.items[--dfs->stack.count];
    return true;
}

const struct strategy strategy_dfs = {
    "dfs", "deepest branch of the latest path first; knows when all paths are explored",
    create, destroy, offer, choose, NULL, NULL,
};
