// SPDX-License-Identifier: Apache-2.0
// Concolic exploration of one task: runs go in, queries come out. The explorer
// merges each run's decisions into the execution tree, offers the outcomes that
// were not taken to the strategy, and turns the strategy's choice into the
// constraints that an input must satisfy to go there.
#ifndef CZ_SEARCH_EXPLORER_H
#define CZ_SEARCH_EXPLORER_H

#include "base/map.h"
#include "expr/expr.h"
#include "search/strategy.h"
#include "solver/solver.h"
#include "trace/trace.h"

struct explorer_options {
    const struct strategy *strategy;
    uint64_t seed;
    unsigned enumerate; // values tried for a pinned value
};

struct explorer {
    const struct program *program;
    struct coverage *coverage;
    struct expr_pool *pool;
    struct tree tree;
    struct rng rng;
    const struct strategy *strategy;
    void *strategy_state;
    unsigned enumerate;
    // Violations of safety checks are hunted apart from the search for coverage: they
    // end their run, so no path lies behind them.
    VEC(struct candidate) hunts;
    size_t next_hunt;
    struct map hunted; // site of a check -> attempts; HUNT_OVER when it was violated
    VEC(uint32_t) stamps; // per expression: last run that asserted it
    uint32_t run;
    size_t divergences;
    bool not_deterministic;
};

void explorer_init(struct explorer *explorer, const struct program *program,
                   struct coverage *coverage, struct expr_pool *pool,
                   const struct explorer_options *options);
void explorer_release(struct explorer *explorer);

// Take in a run's records. `input` is the number by which the caller knows the
// input. *grew: the tree has new nodes, so the input must be kept. False: a record
// was damaged; what came before it counts.
bool explorer_absorb(struct explorer *explorer, struct trace_decoder *decoder,
                     const struct wire_record *records, size_t count, uint32_t input, bool *grew,
                     struct error *err);

// The next edge to try, or false when none is open.
bool explorer_next(struct explorer *explorer, struct candidate *out);

typedef VEC(expr_id) expr_list;
// The next violation of a check to try: one whose place no run has violated, and not
// too often for one place. False when there is none.
bool explorer_next_hunt(struct explorer *explorer, struct candidate *out);

// The path to the candidate and, last, the outcome wanted there.
void explorer_constraints(struct explorer *explorer, const struct candidate *candidate,
                          expr_list *out);
uint32_t explorer_input(const struct explorer *explorer, const struct candidate *candidate);

// What became of it. SAT: call it after the new input ran and was absorbed.
void explorer_settle(struct explorer *explorer, const struct candidate *candidate,
                     enum solver_answer answer);

// No outcome is open and none was given up.
bool explorer_exhausted(const struct explorer *explorer);

#endif
