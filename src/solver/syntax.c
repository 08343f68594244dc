// SPDX-License-Identifier: Apache-2.0
// Contradictions that show without computing: the flipped constraint, or a part of
// it, against its negation among the others. Conjunctions are looked into, and a
// comparison also contradicts its stricter opposites (a < b and b < a).
//
// Only parts of the flipped constraint are compared with the rest: the rest holds on
// the parent input and cannot contradict itself.
#include "solver/solver_internal.h"

#include "base/arena.h"
#include "base/tunables.h"
#include "base/vec.h"
#include <stdlib.h>

struct syntax {
    struct solver base;
    VEC(uint32_t) stamps; // by expression: query in which it was a conjunct
    uint32_t stamp;
    VEC(expr_id) stack;
    VEC(expr_id) parts;
};

// Calls visit for each conjunct of a constraint.
static void split(struct syntax *s, expr_id constraint, void (*visit)(struct syntax *, expr_id))
{
    s->stack.count = 0;
    *VEC_PUSH(&s->stack) = constraint;
    while (s->stack.count) {
        expr_id id = s->stack.items[--s->stack.count];
        const struct expr *e = expr_get(s->base.pool, id);
        if (e->op == EXPR_AND) {
            *VEC_PUSH(&s->stack) = e->a;
            *VEC_PUSH(&s->stack) = e->b;
        } else {
            visit(s, id);
        }
    }
}

static void mark(struct syntax *s, expr_id id)
{
    s->stamps.items[id] = s->stamp;
}

static void keep(struct syntax *s, expr_id id)
{
    if (s->parts.count < SOLVER_SYNTAX_PARTS)
        *VEC_PUSH(&s->parts) = id;
    mark(s, id);
}

static bool present(const struct syntax *s, expr_id id)
{
    return id < s->stamps.room && s->stamps.items[id] == s->stamp;
}

static bool compared(struct syntax *s, enum expr_op op, expr_id a, expr_id b)
{
    return present(s, expr_binary(s->base.pool, op, a, b));
}

static bool contradicted(struct syntax *s, expr_id part)
{
    const struct expr *e = expr_get(s->base.pool, part);
    if (e->op == EXPR_CONST)
        return e->x == 0;
    if (present(s, expr_not(s->base.pool, part)))
        return true;
    switch (e->op) {
    case EXPR_EQ:
        return compared(s, EXPR_ULT, e->a, e->b) || compared(s, EXPR_ULT, e->b, e->a) ||
               compared(s, EXPR_SLT, e->a, e->b) || compared(s, EXPR_SLT, e->b, e->a);
    case EXPR_ULT:
    case EXPR_SLT: return compared(s, e->op, e->b, e->a) || compared(s, EXPR_EQ, e->a, e->b);
    case EXPR_ULE:
    case EXPR_SLE: return compared(s, e->op == EXPR_ULE ? EXPR_ULT : EXPR_SLT, e->b, e->a);
    default: return false;
    }
}

static bool contradiction(struct syntax *s, const struct solver_query *query)
{
    if (!query->count)
        return false;
    VEC_RESERVE(&s->stamps, expr_pool_size(s->base.pool));
    s->stamp++; // 2^32 queries do not happen in one chain
    s->parts.count = 0;
    for (size_t i = 0; i + 1 < query->count; i++)
        split(s, query->constraints[i], mark);
    split(s, query->constraints[query->count - 1], keep);
    for (size_t i = 0; i < s->parts.count; i++)
        if (contradicted(s, s->parts.items[i]))
            return true;
    return false;
}

static enum solver_answer syntax_check(struct solver *solver, const struct solver_query *query,
                                       struct solver_model *model)
{
    if (contradiction((struct syntax *)solver, query))
        return SOLVER_UNSAT;
    return solver_ask(solver->next, query, model);
}

static void syntax_free(struct solver *solver)
{
    struct syntax *s = (struct syntax *)solver;
    VEC_RELEASE(&s->stamps);
    VEC_RELEASE(&s->stack);
    VEC_RELEASE(&s->parts);
    free(s);
}

struct solver *solver_syntax_new(struct expr_pool *pool, struct solver *next)
{
    static const struct solver_ops ops = {"syntax", syntax_check, syntax_free};
    struct syntax *s = xcalloc(1, sizeof *s);
    s->base = (struct solver){.ops = &ops, .pool = pool, .next = next};
    return &s->base;
}
