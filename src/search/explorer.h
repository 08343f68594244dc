// SPDX-License-Identifier: Apache-2.0
// Concolic exploration of one task: runs go in, queries come out. The explorer
// merges each run's decisions into the execution tree, offers the outcomes that
// were not taken to the strategy, and turns the strategy's choice into the
// constraints that an input must satisfy to go there. Candidates behind which nothing
// wanted lies are filtered (CAUT, section IV): when they are offered, and again when
// they are chosen, because coverage has grown meanwhile.
#ifndef CZ_SEARCH_EXPLORER_H
#define CZ_SEARCH_EXPLORER_H

#include "base/map.h"
#include "expr/expr.h"
#include "search/check_hunts.h"
#include "search/pool.h"
#include "search/strategy.h"
#include "solver/solver.h"
#include "trace/trace.h"

struct explorer_options {
    const struct strategy *strategy;
    struct strategy_options details;
    uint64_t seed;
    unsigned enumerate; // values tried for a pinned value
    bool no_filter;
};

typedef VEC(expr_id) expr_list;

// The constraints of a path, kept from one query to the next: only what two paths do
// not share is built again.
struct cursor {
    VEC(struct cursor_step) steps;
    expr_list constraints;
};
struct cursor_step {
    uint32_t edge, serial;
};

struct explorer {
    const struct program *program;
    struct coverage *coverage;
    struct expr_pool *pool;
    struct tree tree;
    struct rng rng;
    struct pool candidates;
    struct search_view view;
    struct strategy_options details;
    const struct strategy *strategy;
    void *strategy_state;
    unsigned enumerate;
    bool filter;
    struct cursor cursor;
    struct check_hunts hunts;
    VEC(struct candidate) urgent;    // a run was rejected there: the other outcome gets on
    VEC(struct candidate) postponed; // the solver gave up early
    size_t next_postponed;
    VEC(struct candidate) aside; // irrelevant for what is wanted now, perhaps not for later
    size_t violations;    // runs that went on behind a violated check, and were not followed there
    VEC(uint32_t) stamps; // per expression: last run that asserted it
    uint32_t run;
    size_t divergences;
    double choosing; // seconds spent in the strategy
    // After the same decisions another one came next: something decided that leaves no
    // record (uninstrumented code), or the target is not deterministic. No proofs then.
    bool forked;
};

void explorer_init(struct explorer *explorer, const struct program *program,
                   struct coverage *coverage, struct expr_pool *pool,
                   const struct explorer_options *options);
void explorer_release(struct explorer *explorer);

// Take in a run's records. `input` is the number by which the caller knows the
// input. *grew: the tree has new nodes, so the input must be kept. False: a record
// was damaged; what came before it counts. The run's coverage was added before.
bool explorer_absorb(struct explorer *explorer, struct trace_decoder *decoder,
                     const struct wire_record *records, size_t count, uint32_t input, bool *grew,
                     struct error *err);
// ... and tell the strategy. `chosen` may be NULL; `parent` is the number of the input that
// the run's was made from.
void explorer_ran(struct explorer *explorer, const struct candidate *chosen, uint32_t parent,
                  size_t gain, const uint8_t *input, size_t input_size);

// The next edge to try, or false when none is open.
bool explorer_next(struct explorer *explorer, struct candidate *out);

// The solver gave up early on a candidate: it is tried again, with more effort, when the
// caller asks for what was postponed; oldest first, false when there is none.
void explorer_postpone(struct explorer *explorer, const struct candidate *candidate);
bool explorer_next_postponed(struct explorer *explorer, struct candidate *out);
bool explorer_has_postponed(const struct explorer *explorer); // though it may be filtered by now

// More is wanted than before (coverage_set_through), or will ever be: what was put aside is judged
// again. False when nothing was.
bool explorer_reconsider(struct explorer *explorer);

// The next violation of a check to try (hunts.h). `eager`: only the first attempts at each.
bool explorer_next_hunt(struct explorer *explorer, bool eager, struct candidate *out);

// The path to the candidate and, last, the outcome wanted there. The list is the
// explorer's and lives until the next call.
const expr_list *explorer_constraints(struct explorer *explorer, const struct candidate *candidate);

// The same, for exactly the vector of the candidate's decision that is missing (see
// coverage_vector_helps): later conditions that the parent run evaluated keep or change
// their values as the vector says. NULL: there is nothing to ask for beyond the
// candidate itself.
const expr_list *explorer_vector(struct explorer *explorer, const struct candidate *candidate);

uint32_t explorer_input(const struct explorer *explorer, const struct candidate *candidate);

// What became of it. SAT: call it after the new input ran and was absorbed.
void explorer_settle(struct explorer *explorer, const struct candidate *candidate,
                     enum solver_answer answer);

// No outcome is open and none was given up. What was filtered counts as explored:
// nothing that is still wanted lies behind it.
bool explorer_exhausted(const struct explorer *explorer);

// Memory that dropping candidates can win back, and dropping a share of them.
size_t explorer_bytes(const struct explorer *explorer);
size_t explorer_shed(struct explorer *explorer, double share);

#endif
