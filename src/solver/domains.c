// SPDX-License-Identifier: Apache-2.0
// Sets of values. A constraint that compares one term with constants is a set of that
// term's values (ranges.h), whatever the term is; a constraint over a single input byte,
// whatever it computes, is a set of bytes, found by trying all 256. The sets of all
// constraints over the same term are intersected: an empty one means unsat. If every
// constraint is such a set, and every term an input of its own, the query is decided,
// and the nearest values to the parent's are the model.
//
// Sets belong to constraints, not to queries: they are computed once and remembered.
#include "solver/ranges.h"
#include "solver/solver_internal.h"

#include "base/arena.h"
#include "base/map.h"
#include "base/tunables.h"
#include "base/vec.h"
#include "expr/flat.h"
#include "expr/vars.h"
#include <stdlib.h>
#include <string.h>

// The values that a constraint allows for a term. Bytes: bit v of `bytes`.
struct set {
    expr_id term; // 0: the constraint is no such set
    bool is_bytes;
    union {
        struct ranges ranges;
        uint64_t bytes[4];
    };
};

struct domains {
    struct solver base;
    struct flat flat; // of one constraint
    struct expr_vars vars;
    struct map known; // conjunct -> index in sets
    VEC(struct set) sets;
    VEC(struct set) terms; // of this query, intersected
    VEC(uint32_t) slots;   // by expression: index in terms
    VEC(uint32_t) stamps;  // by expression: query of the slot
    uint32_t stamp;
    VEC(expr_id) stack;
};

static expr_id single_byte(struct domains *d, expr_id constraint)
{
    if (expr_vars_few(&d->vars, constraint) != 1 || d->vars.found[0].width != 8)
        return 0;
    return expr_input(d->base.pool, d->vars.found[0].offset, 8);
}

static void enumerate(struct domains *d, expr_id constraint, struct set *out)
{
    out->is_bytes = true;
    memset(out->bytes, 0, sizeof out->bytes);
    flat_compile(&d->flat, &constraint, 1, NULL, 0);
    for (unsigned v = 0; v < 256; v++) {
        flat_set(&d->flat, 0, v);
        if (!d->flat.violated)
            out->bytes[v / 64] |= UINT64_C(1) << (v % 64);
    }
}

// From the values of a term to those of the term inside it.
static void peel(const struct expr_pool *pool, struct set *s)
{
    for (;;) {
        const struct expr *e = expr_get(pool, s->term);
        if (e->op == EXPR_ADD && expr_is_const(pool, e->b))
            s->ranges = ranges_subtract(&s->ranges, expr_get(pool, e->b)->x);
        else if (e->op == EXPR_ZEXT)
            s->ranges = ranges_unzext(&s->ranges, expr_get(pool, e->a)->width);
        else if (e->op == EXPR_SEXT)
            s->ranges = ranges_unsext(&s->ranges, expr_get(pool, e->a)->width);
        else
            return;
        s->term = e->a;
    }
}

static bool comparison(const struct expr_pool *pool, const struct expr *e, struct set *out)
{
    static const uint8_t mirrored[EXPR_OP_COUNT] = {
        [EXPR_EQ] = EXPR_EQ,   [EXPR_NE] = EXPR_NE,   [EXPR_ULT] = EXPR_UGT, [EXPR_ULE] = EXPR_UGE,
        [EXPR_UGT] = EXPR_ULT, [EXPR_UGE] = EXPR_ULE, [EXPR_SLT] = EXPR_SGT, [EXPR_SLE] = EXPR_SGE,
        [EXPR_SGT] = EXPR_SLT, [EXPR_SGE] = EXPR_SLE};
    const struct expr *a = expr_get(pool, e->a), *b = expr_get(pool, e->b);
    if (a->width > 64 || (a->op == EXPR_CONST) == (b->op == EXPR_CONST))
        return false;
    bool swap = a->op == EXPR_CONST;
    out->term = swap ? e->b : e->a;
    out->ranges = ranges_compare(swap ? (enum expr_op)mirrored[e->op] : (enum expr_op)e->op,
                                 a->width, swap ? a->x : b->x);
    peel(pool, out);
    return true;
}

static bool interval_set(const struct expr_pool *pool, expr_id id, unsigned *budget,
                         struct set *out)
{
    const struct expr *e = expr_get(pool, id);
    struct set a, b;
    if (expr_op_kind(e->op) == 'C')
        return comparison(pool, e, out);
    if (!*budget || e->width != 1)
        return false;
    --*budget;
    if (e->op == EXPR_XOR && expr_is_const(pool, e->b) && expr_get(pool, e->b)->x) {
        if (!interval_set(pool, e->a, budget, out) || !out->ranges.exact)
            return false;
        out->ranges = ranges_complement(&out->ranges);
        return true;
    }
    if (e->op != EXPR_AND && e->op != EXPR_OR)
        return false;
    if (!interval_set(pool, e->a, budget, &a) || !interval_set(pool, e->b, budget, &b) ||
        a.term != b.term)
        return false;
    out->term = a.term;
    out->ranges = e->op == EXPR_AND ? ranges_intersect(&a.ranges, &b.ranges)
                                    : ranges_union(&a.ranges, &b.ranges);
    return true;
}

static struct set compute_set(struct domains *d, expr_id constraint)
{
    struct set s = {.term = single_byte(d, constraint)};
    unsigned budget = SOLVER_DOMAIN_PARTS;
    if (s.term)
        enumerate(d, constraint, &s);
    else if (!interval_set(d->base.pool, constraint, &budget, &s))
        s.term = 0;
    return s;
}

static const struct set *set_of(struct domains *d, expr_id constraint)
{
    uint64_t index;
    if (map_get(&d->known, constraint, &index))
        return &d->sets.items[index];
    if (d->sets.count >= SOLVER_DOMAIN_SETS) {
        map_clear(&d->known);
        d->sets.count = 0;
    }
    struct set s = compute_set(d, constraint);
    map_put(&d->known, constraint, d->sets.count);
    *VEC_PUSH(&d->sets) = s;
    return &d->sets.items[d->sets.count - 1];
}

static bool is_empty(const struct set *s)
{
    return s->is_bytes ? !(s->bytes[0] | s->bytes[1] | s->bytes[2] | s->bytes[3])
                       : s->ranges.count == 0;
}

static bool has_byte(const struct set *s, unsigned v)
{
    return s->bytes[v / 64] >> (v % 64) & 1;
}

static void to_bytes(struct set *s)
{
    struct ranges r = s->ranges;
    s->is_bytes = true;
    memset(s->bytes, 0, sizeof s->bytes);
    for (unsigned v = 0; v < 256; v++)
        if (ranges_contain(&r, v))
            s->bytes[v / 64] |= UINT64_C(1) << (v % 64);
}

// A byte set and a range set of one term meet when a byte is part of larger constraints.
static void intersect(struct set *s, const struct set *with)
{
    struct set other = *with;
    if (s->is_bytes != other.is_bytes)
        to_bytes(s->is_bytes ? &other : s);
    if (s->is_bytes)
        for (int i = 0; i < 4; i++)
            s->bytes[i] &= other.bytes[i];
    else
        s->ranges = ranges_intersect(&s->ranges, &other.ranges);
}

enum outcome { EMPTY, EXACT, SUPERSET };

// Take one conjunct into the terms of the query.
static enum outcome take(struct domains *d, expr_id constraint)
{
    const struct set *s = set_of(d, constraint);
    if (!s->term)
        return SUPERSET;
    bool exact = s->is_bytes || s->ranges.exact;
    VEC_RESERVE(&d->slots, expr_pool_size(d->base.pool));
    VEC_RESERVE(&d->stamps, expr_pool_size(d->base.pool));
    if (d->stamps.items[s->term] != d->stamp) {
        d->stamps.items[s->term] = d->stamp;
        d->slots.items[s->term] = (uint32_t)d->terms.count;
        *VEC_PUSH(&d->terms) = *s;
    } else {
        struct set *known = &d->terms.items[d->slots.items[s->term]];
        bool was_exact = known->is_bytes || known->ranges.exact;
        intersect(known, s);
        exact = exact && was_exact && (known->is_bytes || known->ranges.exact);
    }
    if (is_empty(&d->terms.items[d->slots.items[s->term]]))
        return EMPTY;
    return exact ? EXACT : SUPERSET;
}

static enum outcome take_all(struct domains *d, const struct solver_query *query)
{
    enum outcome all = EXACT;
    d->terms.count = 0;
    d->stamp++;
    for (size_t i = query->count; i-- > 0;) {
        d->stack.count = 0;
        *VEC_PUSH(&d->stack) = query->constraints[i];
        while (d->stack.count) {
            expr_id id = d->stack.items[--d->stack.count];
            const struct expr *e = expr_get(d->base.pool, id);
            if (e->op == EXPR_AND) {
                *VEC_PUSH(&d->stack) = e->a;
                *VEC_PUSH(&d->stack) = e->b;
                continue;
            }
            enum outcome one = e->op == EXPR_CONST ? (e->x ? EXACT : EMPTY) : take(d, id);
            if (one == EMPTY)
                return EMPTY;
            all = one == SUPERSET ? SUPERSET : all;
        }
    }
    return all;
}

static int compare_terms(const void *p, const void *q)
{
    uint64_t a = *(const uint64_t *)p, b = *(const uint64_t *)q;
    return a < b ? -1 : a > b;
}

// Is every term an input, and do they share no bytes?
static bool independent(struct domains *d)
{
    uint64_t *spans = xcalloc(d->terms.count + 1, sizeof *spans);
    bool good = true;
    for (size_t i = 0; i < d->terms.count && good; i++) {
        const struct expr *e = expr_get(d->base.pool, d->terms.items[i].term);
        good = e->op == EXPR_INPUT;
        spans[i] = e->x << 8 | e->width;
    }
    qsort(spans, d->terms.count, sizeof *spans, compare_terms);
    for (size_t i = 1; i < d->terms.count && good; i++)
        good = (spans[i - 1] >> 8) + (spans[i - 1] & 0xff) / 8 <= spans[i] >> 8;
    free(spans);
    return good;
}

static uint64_t nearest_byte(const struct set *s, unsigned value)
{
    for (unsigned off = 0; off <= 128; off++) {
        if (has_byte(s, (value + off) & 0xff))
            return (value + off) & 0xff;
        if (has_byte(s, (value - off) & 0xff))
            return (value - off) & 0xff;
    }
    return value; // empty: not asked
}

static void answer_with(struct domains *d, const struct solver_query *query,
                        struct solver_model *model)
{
    for (size_t i = 0; i < d->terms.count; i++) {
        const struct set *s = &d->terms.items[i];
        const struct expr *e = expr_get(d->base.pool, s->term);
        uint64_t value = 0;
        for (unsigned k = 0; k < e->width / 8u; k++)
            if (e->x + k < query->input_size)
                value |= (uint64_t)query->input[e->x + k] << (8 * k);
        uint64_t near =
            s->is_bytes ? nearest_byte(s, (unsigned)value) : ranges_nearest(&s->ranges, value);
        if (near != value)
            solver_model_set(model, (uint32_t)e->x, e->width, (struct expr_value){near, 0});
    }
}

static enum solver_answer domains_check(struct solver *solver, const struct solver_query *query,
                                        struct solver_model *model)
{
    struct domains *d = (struct domains *)solver;
    enum outcome outcome = take_all(d, query);
    if (outcome == EMPTY)
        return SOLVER_UNSAT;
    if (outcome == EXACT && independent(d)) {
        answer_with(d, query, model);
        return SOLVER_SAT;
    }
    return solver_ask(solver->next, query, model);
}

static void domains_free(struct solver *solver)
{
    struct domains *d = (struct domains *)solver;
    flat_release(&d->flat);
    expr_vars_release(&d->vars);
    map_release(&d->known);
    VEC_RELEASE(&d->sets);
    VEC_RELEASE(&d->terms);
    VEC_RELEASE(&d->slots);
    VEC_RELEASE(&d->stamps);
    VEC_RELEASE(&d->stack);
    free(d);
}

struct solver *solver_domains_new(struct expr_pool *pool, struct solver *next)
{
    static const struct solver_ops ops = {"domains", domains_check, domains_free};
    struct domains *d = xcalloc(1, sizeof *d);
    d->base = (struct solver){.ops = &ops, .pool = pool, .next = next};
    flat_init(&d->flat, pool);
    expr_vars_init(&d->vars, pool);
    map_init(&d->known);
    return &d->base;
}
