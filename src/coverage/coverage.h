// SPDX-License-Identifier: Apache-2.0
// The one coverage structure of a task: its goals (both outcomes of every branch
// point of its functions), what has reached them, and the decision vectors seen.
// It steers the search; what is reported comes from llvm-cov.
//
// MC/DC follows llvm-cov's rule: two vectors of a decision show condition i if its
// value and the decision's outcome differ while every other condition has equal
// values or is unevaluated in one of them.
#ifndef CZ_COVERAGE_H
#define CZ_COVERAGE_H

#include "base/vec.h"
#include "program/program.h"
#include "wire/wire.h"

struct decision_vector {
    uint32_t decision;
    bool outcome;
    uint64_t evaluated, values;
};

struct coverage {
    const struct program *program;
    const struct task *task;
    bool *is_goal;      // [2 * branch + outcome]: belongs to the task
    bool *covered;      // [2 * branch + outcome]
    bool *dead;         // proven unreachable
    size_t goal_count, covered_count, dead_count; // of the task
    bool *in_task;      // per function
    VEC(struct decision_vector) vectors; // distinct, of the task's decisions
    VEC(size_t) *by_decision;            // indices in vectors
    bool *pair_shown;                    // per branch id of a decision with 2+ conditions
    size_t pair_total, pair_count;
};

void coverage_init(struct coverage *coverage, const struct program *program, size_t task);
void coverage_release(struct coverage *coverage);

// What a run adds. `goals` are 2 * branch + outcome as the target reports them; the
// false outcomes of switch cases follow from the case that was taken.
struct coverage_gain {
    size_t goals, vectors, pairs;
};
struct coverage_gain coverage_add(struct coverage *coverage, const uint32_t *goals, size_t goal_count,
                                  const struct wire_vector *vectors, size_t vector_count);

// All goals that a run's hits stand for, sorted, without doubles and without goals
// of other tasks. Returns the count; `out` has room for 2 * branch_count.
size_t coverage_expand(const struct coverage *coverage, const uint32_t *goals, size_t goal_count,
                       uint32_t *out);

bool coverage_wants(const struct coverage *coverage, uint32_t goal); // neither covered nor dead
bool coverage_complete(const struct coverage *coverage); // nothing left to want, pairs included

// Index of a vector in `vectors`, or SIZE_MAX.
size_t coverage_find_vector(const struct coverage *coverage, const struct wire_vector *vector);

// The pair of vectors that shows condition `branch`, if there is one; `prefer` marks
// vectors (by index) that are chosen already and is consulted first.
bool coverage_pair(const struct coverage *coverage, size_t branch, const bool *prefer,
                   size_t pair[2]);

#endif
