// SPDX-License-Identifier: Apache-2.0
// The interface of search strategies. A strategy sees candidates: an open edge of
// the execution tree, with where it leads in the control-flow graph. It keeps
// them in any order it likes and hands out the next one to try; what the coverage
// structure and the pool of all candidates know it may ask. Path filtering is none of
// its business: candidates that have become irrelevant are dropped behind its back.
// One file per strategy; strategies.def lists them.
#ifndef CZ_SEARCH_STRATEGY_H
#define CZ_SEARCH_STRATEGY_H

#include "base/rng.h"
#include "coverage/coverage.h"
#include "search/tree.h"

struct candidate {
    uint32_t node, edge, serial;
    uint32_t goal;  // goal behind the edge, or NO_GOAL
    uint32_t site;  // of the node, for balancing
    uint32_t place; // node of the control-flow graph that it leads to, or CFG_NONE
    uint32_t depth;
};
#define NO_GOAL UINT32_MAX

struct pool;

struct strategy_options {
    unsigned walk_down; // pps: levels
    unsigned fixed_k;   // cgs: 0: growing
    bool no_dominators; // cgs
    bool no_fitness;    // pps
};

// What a strategy may look at.
struct search_view {
    const struct tree *tree;
    struct coverage *coverage;
    struct rng *rng;
    struct pool *pool; // all open candidates, by where they lead
    struct expr_pool *exprs;
    const struct strategy_options *options;
};

// A run has been taken in; its new candidates were offered before.
struct run_report {
    const struct candidate *chosen; // what it was solved for, or NULL (the first run)
    uint32_t parent_input;          // number of the input that it was made from
    uint32_t leaf;                  // the last node of its path that still has open edges
    size_t gain;                    // new items of the criterion
    const uint8_t *input;
    size_t input_size;
};

struct strategy {
    void *(*create)(const struct search_view *view);
    void (*destroy)(void *self);
    // A new open edge. Edges of one run come in path order.
    void (*offer)(void *self, const struct candidate *candidate);
    // Take the next candidate out; false when there is none. One that is no longer open
    // is asked about again, so there is no need to forget what others closed.
    bool (*choose)(void *self, struct candidate *out);
    // May be NULL.
    void (*ran)(void *self, const struct run_report *report);
    // What was chosen last had no solution; may be NULL.
    void (*failed)(void *self, const struct candidate *candidate);
};

enum strategy_id {
#define STRATEGY(id, name, word, help) STRATEGY_##id,
#include "search/strategies.def"
#undef STRATEGY
    STRATEGY_COUNT
};

// All strategies by their numbers, ended by NULL.
extern const struct strategy *const strategies[STRATEGY_COUNT + 1];

static inline bool candidate_is_open(const struct search_view *view,
                                     const struct candidate *candidate)
{
    return tree_is(view->tree, candidate->edge, candidate->serial, EDGE_OPEN);
}

// path.c: the values of the candidate's decision up to and with the candidate's own, as
// far as the path tells; decision CFG_NONE: it is in no decision with several
// conditions.
struct wire_vector candidate_vector(const struct search_view *view,
                                    const struct candidate *candidate);
enum relevance candidate_relevance(const struct search_view *view,
                                   const struct candidate *candidate);
// The candidate on an open edge of a node.
struct candidate candidate_at(const struct tree *tree, const struct coverage *coverage,
                              uint32_t node, uint32_t edge);

// The open candidates on the path to a node, in path order, appended to the list.
typedef VEC(struct candidate) candidate_list;
void candidates_on_path(const struct search_view *view, uint32_t leaf, candidate_list *out);

#endif
