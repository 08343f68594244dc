// SPDX-License-Identifier: Apache-2.0
// Solving path constraints. A solver is a chain of layers behind one interface,
// cheapest first; a layer answers or passes a smaller question on:
//
//     slice     keeps the constraints that share inputs with the last one
//     validate  evaluates every model; a wrong one becomes "unknown", never an answer
//     local     tries values near the parent; answers most satisfiable queries
//     z3        decides
//
// A query is a path prefix that holds on the parent input, and as its last
// constraint the flipped one. A model lists new values for some inputs; all others
// keep the parent's values.
//
// Limits are work units, so answers are reproducible; the clock is a safety net, and
// an answer that it cut short sets hit_clock.
#ifndef CZ_SOLVER_H
#define CZ_SOLVER_H

#include "base/buf.h"
#include "expr/expr.h"

struct solver_query {
    const expr_id *constraints; // each 1 bit, all must be true
    size_t count;
    const uint8_t *input; // the parent: satisfies all but the last
    size_t input_size;
};

enum solver_answer { SOLVER_SAT, SOLVER_UNSAT, SOLVER_UNKNOWN };

struct solver_assignment {
    uint32_t offset, width; // bytes, bits
    struct expr_value value;
};

struct solver_model {
    struct solver_assignment *items; // sorted by offset
    size_t count, room;
};

struct solver_options {
    unsigned rlimit;              // Z3's work units per query; 0: none
    unsigned timeout_ms;          // clock per query; 0: none
    unsigned max_gates;           // estimated size beyond which Z3 is not asked; 0: none
    unsigned queries_per_context; // Z3 contexts are renewed after so many queries
    bool no_slice, no_local, no_validate; // for tests
};

// rlimit worth one to two seconds, clock 10 s.
#define SOLVER_OPTIONS_DEFAULT                                                                     \
    {.rlimit = 4000000, .timeout_ms = 10000, .max_gates = 200000, .queries_per_context = 64}

struct solver_stats {
    uint64_t queries, sat, unsat, unknown;
    uint64_t wrong_models; // validate: models that the evaluator rejected
    uint64_t clock_hits;   // answers cut short by the clock
    uint64_t too_large;    // z3: not asked because of max_gates
    uint64_t kept, seen;   // slice: constraints passed on, constraints given
    double cpu_seconds;    // layers behind included
};

struct solver; // one layer; the head stands for the chain

// The chain on one pool, which must outlive it. options may be NULL.
struct solver *solver_new(struct expr_pool *pool, const struct solver_options *options);
void solver_free(struct solver *solver);

// SAT fills the model (cleared first); it may be NULL. Other answers leave it empty.
enum solver_answer solver_check(struct solver *solver, const struct solver_query *query,
                                struct solver_model *model);

// Was the last answer cut short by the clock?
bool solver_hit_clock(const struct solver *solver);

// The layers of a chain, head first: `for (l = solver; l; l = solver_next(l))`.
const struct solver *solver_next(const struct solver *solver);
const char *solver_name(const struct solver *solver);
const struct solver_stats *solver_statistics(const struct solver *solver);

void solver_model_release(struct solver_model *model);
void solver_model_clear(struct solver_model *model);
void solver_model_set(struct solver_model *model, uint32_t offset, uint32_t width,
                      struct expr_value value);

// Write the model's values into an input vector, which grows with zeros as needed.
void solver_apply_model(const struct solver_model *model, struct buf *input);

#endif
