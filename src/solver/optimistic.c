// SPDX-License-Identifier: Apache-2.0
// When the layers behind gave up at a limit: ask them for less. First the flipped
// constraint with those over the same inputs, then the flipped one alone. Such a model
// counts only if it satisfies the whole query; "unsat" of a part is "unsat" of the
// whole.
#include "solver/solver_internal.h"

#include "base/arena.h"
#include "base/tunables.h"
#include "base/vec.h"
#include "expr/flat.h"
#include "expr/vars.h"
#include <stdlib.h>

struct optimistic {
    struct solver base;
    struct flat own;
    struct expr_vars vars;
    VEC(struct expr_var) inputs; // of the flipped constraint
    VEC(expr_id) part;
    struct buf merged;
};

static int compare_vars(const void *p, const void *q)
{
    const struct expr_var *a = p, *b = q;
    if (a->offset != b->offset)
        return a->offset < b->offset ? -1 : 1;
    return a->width < b->width ? -1 : a->width > b->width;
}

static bool has_input(const struct optimistic *o, const struct expr_var *var)
{
    return bsearch(var, o->inputs.items, o->inputs.count, sizeof *var, compare_vars);
}

// Constraints over many inputs need a walk each; after `limit` they do not count.
static bool has_inputs_of(struct optimistic *o, expr_id constraint, uint64_t limit)
{
    size_t count = expr_vars_few(&o->vars, constraint);
    if (count > EXPR_VARS_SMALL) {
        if (o->vars.work > limit)
            return false;
        count = expr_vars_of(&o->vars, &constraint, 1);
    }
    for (size_t i = 0; i < count; i++)
        if (!has_input(o, &o->vars.found[i]))
            return false;
    return true;
}

static void collect_part(struct optimistic *o, const struct solver_query *query)
{
    expr_id flipped = query->constraints[query->count - 1];
    size_t count = expr_vars_of(&o->vars, &flipped, 1);
    o->inputs.count = o->part.count = 0;
    for (size_t i = 0; i < count; i++)
        *VEC_PUSH(&o->inputs) = o->vars.found[i];
    uint64_t limit = o->vars.work + SOLVER_OPTIMISTIC_WALK;
    for (size_t i = 0; i + 1 < query->count; i++)
        if (has_inputs_of(o, query->constraints[i], limit))
            *VEC_PUSH(&o->part) = query->constraints[i];
    *VEC_PUSH(&o->part) = flipped;
}

static bool holds(struct optimistic *o, const struct solver_query *query,
                  const struct solver_model *model)
{
    struct flat *flat = solver_flat(&o->base, query, &o->own);
    buf_clear(&o->merged);
    buf_add(&o->merged, query->input, query->input_size);
    solver_apply_model(model, &o->merged);
    flat_load(flat, (const uint8_t *)o->merged.data, o->merged.length);
    return !flat->violated;
}

static enum solver_answer ask_part(struct optimistic *o, const struct solver_query *query,
                                   const expr_id *part, size_t count, struct solver_model *model)
{
    struct solver_query less = {part, count, query->input, query->input_size, NULL};
    o->base.hit_clock |= o->base.next->hit_clock; // of the question before
    enum solver_answer answer = solver_ask(o->base.next, &less, model);
    if (answer == SOLVER_SAT && !holds(o, query, model))
        return SOLVER_UNKNOWN;
    return answer;
}

static enum solver_answer optimistic_check(struct solver *solver, const struct solver_query *query,
                                           struct solver_model *model)
{
    struct optimistic *o = (struct optimistic *)solver;
    enum solver_answer answer = solver_ask(solver->next, query, model);
    if (answer != SOLVER_UNKNOWN || query->count < 2 || solver->hurry)
        return answer;
    collect_part(o, query);
    size_t count = o->part.count;
    if (count < query->count)
        answer = ask_part(o, query, o->part.items, count, model);
    if (answer == SOLVER_UNKNOWN && count > 1)
        answer = ask_part(o, query, &query->constraints[query->count - 1], 1, model);
    return answer;
}

static void optimistic_free(struct solver *solver)
{
    struct optimistic *o = (struct optimistic *)solver;
    flat_release(&o->own);
    expr_vars_release(&o->vars);
    VEC_RELEASE(&o->inputs);
    VEC_RELEASE(&o->part);
    buf_release(&o->merged);
    free(o);
}

struct solver *solver_optimistic_new(struct expr_pool *pool, struct solver *next)
{
    static const struct solver_ops ops = {"optimistic", optimistic_check, optimistic_free};
    struct optimistic *o = xcalloc(1, sizeof *o);
    o->base = (struct solver){.ops = &ops, .pool = pool, .next = next};
    flat_init(&o->own, pool);
    expr_vars_init(&o->vars, pool);
    return &o->base;
}
