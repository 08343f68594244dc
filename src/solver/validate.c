// SPDX-License-Identifier: Apache-2.0
// The layer that trusts nobody: every model of the layers behind is merged with the
// parent input and evaluated on all constraints of the query. A model that does not
// satisfy them is counted and the answer is "unknown".
#include "expr/eval.h"
#include "solver/solver_internal.h"

#include "base/arena.h"
#include <stdlib.h>

struct validate {
    struct solver base;
    struct eval eval;
    struct buf merged;
};

static bool validate_holds(struct validate *v, const struct solver_query *query,
                           const struct solver_model *model)
{
    buf_clear(&v->merged);
    buf_add(&v->merged, query->input, query->input_size);
    solver_apply_model(model, &v->merged);
    eval_begin(&v->eval, (const uint8_t *)v->merged.data, v->merged.length);
    for (size_t i = query->count; i-- > 0;)
        if (!eval_true(&v->eval, query->constraints[i]))
            return false;
    return true;
}

static enum solver_answer validate_check(struct solver *solver, const struct solver_query *query,
                                         struct solver_model *model)
{
    struct validate *v = (struct validate *)solver;
    enum solver_answer answer = solver_ask(solver->next, query, model);
    if (answer != SOLVER_SAT || validate_holds(v, query, model))
        return answer;
    solver->stats.wrong_models++;
    return SOLVER_UNKNOWN;
}

static void validate_free(struct solver *solver)
{
    struct validate *v = (struct validate *)solver;
    eval_release(&v->eval);
    buf_release(&v->merged);
    free(v);
}

struct solver *solver_validate_new(struct expr_pool *pool, struct solver *next)
{
    static const struct solver_ops ops = {"validate", validate_check, validate_free};
    struct validate *v = xcalloc(1, sizeof *v);
    v->base = (struct solver){.ops = &ops, .pool = pool, .next = next};
    eval_init(&v->eval, pool);
    return &v->base;
}
