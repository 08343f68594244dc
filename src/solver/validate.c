// SPDX-License-Identifier: Apache-2.0
// The layer that trusts nobody: every model of the layers behind is merged with the
// parent input and evaluated on all constraints of the query. A model that does not
// satisfy them is counted and the answer is "unknown".
//
// The flat program that it evaluates is there for the layers behind, too: the first
// one that needs it compiles it.
#include "expr/flat.h"
#include "solver/solver_internal.h"

#include "base/arena.h"
#include <stdlib.h>

struct validate {
    struct solver base;
    struct flat flat;
    struct buf merged;
};

static bool validate_holds(struct validate *v, const struct solver_query *query,
                           const struct solver_model *model)
{
    struct flat *flat = solver_flat(&v->base, query, &v->flat);
    buf_clear(&v->merged);
    buf_add(&v->merged, query->input, query->input_size);
    solver_apply_model(model, &v->merged);
    flat_load(flat, (const uint8_t *)v->merged.data, v->merged.length);
    return !flat->violated;
}

static enum solver_answer validate_check(struct solver *solver, const struct solver_query *query,
                                         struct solver_model *model)
{
    struct validate *v = (struct validate *)solver;
    struct solver_query shared = *query;
    shared.flat = &v->flat;
    v->flat.compiled = false;
    enum solver_answer answer = solver_ask(solver->next, &shared, model);
    if (answer != SOLVER_SAT || validate_holds(v, &shared, model))
        return answer;
    solver->stats.wrong_models++;
    return SOLVER_UNKNOWN;
}

static void validate_free(struct solver *solver)
{
    struct validate *v = (struct validate *)solver;
    flat_release(&v->flat);
    buf_release(&v->merged);
    free(v);
}

struct solver *solver_validate_new(struct expr_pool *pool, struct solver *next)
{
    static const struct solver_ops ops = {"validate", validate_check, validate_free};
    struct validate *v = xcalloc(1, sizeof *v);
    v->base = (struct solver){.ops = &ops, .pool = pool, .next = next};
    flat_init(&v->flat, pool);
    return &v->base;
}
