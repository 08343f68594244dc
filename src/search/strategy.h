// SPDX-License-Identifier: Apache-2.0
// The interface of search strategies. A strategy sees candidates: an open edge of
// the execution tree, with what the coverage structure says about it. It keeps
// them in any order it likes and hands out the next one to try. One file per
// strategy; strategies.c lists them.
#ifndef CZ_SEARCH_STRATEGY_H
#define CZ_SEARCH_STRATEGY_H

#include "base/rng.h"
#include "coverage/coverage.h"
#include "search/tree.h"

struct candidate {
    uint32_t node, edge;
    uint32_t goal; // goal behind the edge, or NO_GOAL
    uint32_t site; // of the node, for balancing
};
#define NO_GOAL UINT32_MAX

// What a strategy may look at.
struct search_view {
    const struct tree *tree;
    const struct coverage *coverage;
    struct rng *rng;
};

struct strategy {
    const char *name, *help;
    void *(*create)(const struct search_view *view);
    void (*destroy)(void *self);
    // A new open edge. Edges of one run come in path order.
    void (*offer)(void *self, const struct candidate *candidate);
    // Take the next candidate out; false when there is none.
    bool (*choose)(void *self, struct candidate *out);
};

// All strategies, ended by NULL; and one by name (NULL: no such).
extern const struct strategy *const strategies[];
const struct strategy *strategy_by_name(const char *name);

#endif
