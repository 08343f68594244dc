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
    struct solver *next;     // NULL for a backend
    enum solver_layer layer; // SOLVER_LAYER_COUNT: none that --layers knows
    struct solver_stats stats;
    bool hit_clock;
    bool hurry; // see solver_hurry
};

// Ask a layer: runs ops->check, counts and measures.
enum solver_answer solver_ask(struct solver *solver, const struct solver_query *query,
                              struct solver_model *model);

// The query as a flat program with the parent's values in it: query->flat, compiled at
// the first call, or compiled into `own` when there is none.
struct flat *solver_flat(struct solver *solver, const struct solver_query *query, struct flat *own);

// The values of the flat program's inputs that differ from the parent's, as a model.
void solver_model_from_flat(struct solver_model *model, const struct flat *flat,
                            const struct solver_query *query);

struct solver *solver_slice_new(struct expr_pool *pool, struct solver *next);
struct solver *solver_record_new(struct expr_pool *pool, const struct solver_options *options,
                                 struct solver *next);
struct solver *solver_validate_new(struct expr_pool *pool, struct solver *next);
struct solver *solver_syntax_new(struct expr_pool *pool, struct solver *next);
struct solver *solver_domains_new(struct expr_pool *pool, struct solver *next);
struct solver *solver_cache_new(struct expr_pool *pool, struct solver *next);
struct solver *solver_invert_new(struct expr_pool *pool, struct solver *next);
struct solver *solver_local_new(struct expr_pool *pool, struct solver *next);
struct solver *solver_optimistic_new(struct expr_pool *pool, struct solver *next);
struct solver *solver_z3_new(struct expr_pool *pool, const struct solver_options *options);

// What the clock leaves to a query that begins now, in milliseconds; 0: no limit.
unsigned solver_clock_ms(const struct solver_options *options);

#endif
