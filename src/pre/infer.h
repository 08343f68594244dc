// SPDX-License-Identifier: Apache-2.0
// From an alarm to conditions on the task's inputs that would rule it out. The predicate of
// the check that failed, or the decisions that led to it, are compared with a few shapes
// that people write: p != NULL, n < 16, n <= count(buffer), a < b, n != 0, and these behind
// a case that was on the way (mode != 3 || p != NULL). A shape is taken when the solver
// shows that the check cannot fail where it holds.
//
// What comes out are candidates, best first; whether one holds in all executions that do
// not crash is for the caller to find out.
#ifndef CZ_PRE_INFER_H
#define CZ_PRE_INFER_H

#include "base/vec.h"
#include "pre/term.h"
#include "solver/solver.h"

typedef VEC(const char *) infer_texts;

struct infer_request {
    struct expr_pool *pool;
    struct solver *solver;
    const struct places *places;
    const struct function *entry;
    const uint8_t *input; // of the run
    size_t input_size;
    const expr_id *path; // 1 bit each: what held on the way, in order
    size_t path_count;
    expr_id safe;        // the check that failed; 0: it did not depend on inputs
    uint32_t cause;      // enum wire_fault
    uint32_t shape;      // NULL: offset of the pointer's shape input, plus one; 0: not known
    uint32_t object;     // place of the driver's object whose bounds were left, or 0
    struct arena *arena; // of the texts
};

// Plain conditions, and guards: what would have kept the run out of the cases it was in.
void infer_candidates(const struct infer_request *request, infer_texts *out, infer_texts *guards);

// Add what is weaker: a guard, or else the condition.
void infer_guarded(const infer_texts *guards, struct arena *arena, infer_texts *out);

#endif
