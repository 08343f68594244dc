// SPDX-License-Identifier: Apache-2.0
// How a layer of the solver chain is written: embed `struct solver` as the first
// member, fill its ops, count answers in check through solver_ask.
#ifndef CZ_SOLVER_INTERNAL_H
#define CZ_SOLVER_INTERNAL_H

#include "solver/solver.h"

struct solver_ops {
    const char *name;
    enum solver_answer (*check)(struct solver *solver, const struct solver_query *query,
                                struct solver_model *model);
    void (*free)(struct solver *solver); // the layer itself, not the layers behind
};

struct solver {
    const struct solver_ops *ops;
    struct expr_pool *pool;
    struct solver *next; // NULL for a backend
    struct solver_stats stats;
    bool hit_clock;
};

// Ask a layer: runs ops->check, counts and measures.
enum solver_answer solver_ask(struct solver *solver, const struct solver_query *query,
                              struct solver_model *model);

struct solver *solver_slice_new(struct expr_pool *pool, struct solver *next);
struct solver *solver_local_new(struct expr_pool *pool, struct solver *next);
struct solver *solver_validate_new(struct expr_pool *pool, struct solver *next);
struct solver *solver_z3_new(struct expr_pool *pool, const struct solver_options *options);

#endif
