// SPDX-License-Identifier: Apache-2.0
// The flipped constraint, solved by computing backwards from the parent's values
// (propagate.h), a few times with different choices. The first attempts take the
// nearest values, which are also those that people would choose: for x > 0 it finds 1
// where a decision procedure likes 2147483647, after which a loop up to x would run
// for ever.
#include "solver/propagate.h"
#include "solver/solver_internal.h"

#include "base/arena.h"
#include "base/tunables.h"
#include "expr/flat.h"
#include <stdlib.h>

struct invert {
    struct solver base;
    struct flat own;
    struct propagate propagate;
};

static bool search(struct invert *v, const struct solver_query *query, struct flat *flat)
{
    struct propagate *p = &v->propagate;
    uint32_t flipped = flat->roots[flat->root_count - 1];
    uint64_t limit = flat->work + SOLVER_INVERT_WORK;
    if (!flat->violated) // the parent is the answer
        return true;
    p->rng.state = query->count * 0x9E3779B97F4A7C15u + flat->count;
    for (p->attempt = 0; p->attempt < SOLVER_INVERT_ATTEMPTS && flat->work < limit; p->attempt++) {
        if (!propagate_find(p, flat, flipped, true))
            continue;
        propagate_apply(p);
        if (!flat->violated)
            return true;
        propagate_undo(p);
    }
    return false;
}

static enum solver_answer invert_check(struct solver *solver, const struct solver_query *query,
                                       struct solver_model *model)
{
    struct invert *v = (struct invert *)solver;
    if (query->count) {
        struct flat *flat = solver_flat(solver, query, &v->own);
        if (search(v, query, flat)) {
            solver_model_from_flat(model, flat, query);
            return SOLVER_SAT;
        }
    }
    return solver_ask(solver->next, query, model);
}

static void invert_free(struct solver *solver)
{
    struct invert *v = (struct invert *)solver;
    flat_release(&v->own);
    propagate_release(&v->propagate);
    free(v);
}

struct solver *solver_invert_new(struct expr_pool *pool, struct solver *next)
{
    static const struct solver_ops ops = {"invert", invert_check, invert_free};
    struct invert *v = xcalloc(1, sizeof *v);
    v->base = (struct solver){.ops = &ops, .pool = pool, .next = next};
    flat_init(&v->own, pool);
    return &v->base;
}
