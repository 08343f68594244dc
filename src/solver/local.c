// SPDX-License-Identifier: Apache-2.0
// Local search in front of the decision procedures: from the parent input, change few
// inputs at a time until all constraints of the sliced query hold.
//
//   repair    take a constraint that does not hold, compute backwards what would make
//             it hold (propagate.h), keep the change if the total distance did not grow,
//             sometimes also otherwise.
//   descent   only for floating point, where decision procedures are slow: the
//             alternating variable method over the distance of distance.h, with
//             steps that double as long as they help. One step is the next
//             representable number.
//
// It only ever answers SAT; everything else goes on to the next layer. All choices
// are seeded by the query itself, limits count evaluations and instructions.
#include "solver/distance.h"
#include "solver/propagate.h"
#include "solver/solver_internal.h"

#include "base/arena.h"
#include "base/tunables.h"
#include "base/vec.h"
#include "expr/apply.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct local {
    struct solver base;
    struct flat own;
    struct flat *flat;
    struct propagate propagate;
    struct rng rng;
    VEC(bool) is_float;      // by input: taken by a float operation
    VEC(uint64_t) constants; // of the float part, for jumps
    size_t evaluations, limit;
    uint64_t work_limit;
};

static uint64_t seed_of(const struct solver_query *query, const struct flat *flat)
{
    return query->count * 0x9E3779B97F4A7C15u + flat->count;
}

static bool exhausted(const struct local *l)
{
    return l->evaluations >= l->limit || l->flat->work >= l->work_limit;
}

static void allow(struct local *l, size_t evaluations, uint64_t work)
{
    l->evaluations = 0;
    l->limit = evaluations;
    l->work_limit = l->flat->work + work;
}

// ---- repair ----

static uint32_t pick_violated(struct local *l)
{
    uint64_t wanted = rng_below(&l->rng, l->flat->violated);
    uint32_t found = l->flat->roots[0];
    for (size_t i = l->flat->root_count; i-- > 0;) {
        uint32_t at = l->flat->roots[i];
        if (l->flat->low[at] & 1)
            continue;
        found = at;
        if (wanted-- == 0)
            break;
    }
    return found;
}

// A small random change of one input, in the form that propagate_apply takes.
static void mutate(struct local *l)
{
    struct propagate *p = &l->propagate;
    uint32_t input = (uint32_t)rng_below(&l->rng, l->flat->input_count);
    const struct flat_input *in = &l->flat->inputs[input];
    expr_u128 old = flat_value(l->flat, in->at), value;
    switch (rng_below(&l->rng, 3)) {
    case 0: value = rng_next(&l->rng) >> rng_below(&l->rng, 64); break;
    case 1: value = old ^ (expr_u128)1 << rng_below(&l->rng, in->width); break;
    default: value = rng_below(&l->rng, 2) ? old + 1 : old - 1; break;
    }
    p->flat = l->flat;
    p->changes.count = 0;
    *VEC_PUSH(&p->changes) = (struct change){input, value_cut(value, in->width), old};
}

static bool repair(struct local *l, uint64_t work)
{
    struct propagate *p = &l->propagate;
    uint64_t cost = distance_total(l->flat);
    p->rng.state = rng_next(&l->rng);
    allow(l, SOLVER_LOCAL_REPAIRS, work);
    while (l->flat->violated && !exhausted(l)) {
        l->evaluations++;
        p->attempt = (unsigned)l->evaluations + 1;
        bool guided = rng_below(&l->rng, SOLVER_LOCAL_BLIND) != 0;
        if (!guided || !propagate_find(p, l->flat, pick_violated(l), true))
            mutate(l);
        l->flat->work += p->steps;
        propagate_apply(p);
        uint64_t next = distance_total(l->flat);
        l->flat->work += l->flat->root_count / 4;
        if (next <= cost || rng_below(&l->rng, SOLVER_LOCAL_WORSE) == 0)
            cost = next;
        else
            propagate_undo(p);
    }
    return !l->flat->violated;
}

// ---- descent ----

static const double float_seeds[] = {0.0, 1.0,  -1.0, 0.5, 2.0,  10.0,     -10.0,     100.0,
                                     1e3, -1e3, 1e6,  1e9, -0.0, INFINITY, -INFINITY, NAN};
enum { FLOAT_SEEDS = sizeof float_seeds / sizeof *float_seeds };

static uint64_t float_bits(unsigned width, double number)
{
    uint64_t bits = 0;
    float narrow = (float)number;
    if (width == 32)
        memcpy(&bits, &narrow, sizeof narrow);
    else
        memcpy(&bits, &number, sizeof number);
    return bits;
}

static bool takes_floats(const struct flat_ins *ins)
{
    return expr_op_is_float(ins->op) && ins->op != EXPR_SITOFP && ins->op != EXPR_UITOFP;
}

static void find_floats(struct local *l)
{
    const struct flat *flat = l->flat;
    VEC_RESERVE(&l->is_float, flat->input_count);
    memset(l->is_float.items, 0, flat->input_count);
    l->constants.count = 0;
    for (size_t i = 0; i < flat->count; i++) {
        const struct flat_ins *ins = &flat->code[i];
        if (!takes_floats(ins))
            continue;
        for (unsigned k = 0; k < ins->operands; k++) {
            uint32_t at = k ? ins->b : ins->a;
            if (flat->input_of[at])
                l->is_float.items[flat->input_of[at] - 1] = true;
            else if (flat->code[at].op == EXPR_CONST && l->constants.count < SOLVER_LOCAL_CONSTANTS)
                *VEC_PUSH(&l->constants) = flat->low[at];
        }
    }
}

// A constant in an expression over doubles may stand for a float input.
static uint64_t as_float(unsigned width, uint64_t constant)
{
    double number;
    if (width == 64 || constant <= UINT32_MAX)
        return constant;
    memcpy(&number, &constant, sizeof number);
    return float_bits(width, number);
}

static uint64_t step_from(const struct local *l, size_t input, int64_t step)
{
    const struct flat_input *in = &l->flat->inputs[input];
    uint64_t value = l->flat->low[in->at], all = UINT64_MAX >> (64 - in->width);
    if (!l->is_float.items[input])
        return (value + (uint64_t)step) & all;
    return distance_unorder((distance_order(value, in->width) + (uint64_t)step) & all, in->width);
}

static bool improve(struct local *l, size_t input, uint64_t value, uint64_t *best)
{
    uint64_t old = l->flat->low[l->flat->inputs[input].at];
    if (value == old || exhausted(l))
        return false;
    l->evaluations++;
    flat_set(l->flat, input, value);
    uint64_t d = distance_total(l->flat);
    if (d < *best) {
        *best = d;
        return true;
    }
    flat_set(l->flat, input, old);
    return false;
}

// Double the step as long as it helps, in both directions, from several sizes.
static bool descend_input(struct local *l, size_t input, uint64_t *best)
{
    bool any = false;
    unsigned width = l->flat->inputs[input].width;
    for (unsigned shift = 0; shift + 4 < width && *best && !exhausted(l); shift += 4)
        for (int sign = 0; sign < 2; sign++) {
            int64_t step = (sign ? -INT64_C(1) : INT64_C(1)) * (INT64_C(1) << shift);
            while (improve(l, input, step_from(l, input, step), best)) {
                any = true;
                step = step < INT64_MAX / 2 && step > INT64_MIN / 2 ? step * 2 : step;
            }
        }
    return any;
}

static bool jump(struct local *l, size_t input, uint64_t *best)
{
    unsigned width = l->flat->inputs[input].width;
    bool any = false;
    if (!l->is_float.items[input])
        return false;
    for (size_t i = 0; i < FLOAT_SEEDS; i++)
        any |= improve(l, input, float_bits(width, float_seeds[i]), best);
    for (size_t i = 0; i < l->constants.count; i++)
        any |= improve(l, input, as_float(width, l->constants.items[i]), best);
    return any;
}

// Stuck: move one input somewhere else.
static void kick(struct local *l)
{
    size_t input = rng_below(&l->rng, l->flat->input_count);
    const struct flat_input *in = &l->flat->inputs[input];
    uint64_t value, all = UINT64_MAX >> (64 - in->width), noise = rng_next(&l->rng);
    switch (l->is_float.items[input] ? rng_below(&l->rng, 4) : 4) {
    case 0: value = float_bits(in->width, (double)(noise % 41) - 20); break;
    case 1:
        value =
            float_bits(in->width, float_seeds[noise % FLOAT_SEEDS] * (double)(1 + noise / 64 % 64));
        break;
    case 2: value = float_bits(in->width, (double)(noise % 1000000) / 1e5); break;
    case 3: value = step_from(l, input, (int64_t)(noise % 2001) - 1000); break;
    default: value = noise >> rng_below(&l->rng, 64); break;
    }
    flat_set(l->flat, input, value & all);
}

static bool descend(struct local *l)
{
    const struct flat *flat = l->flat;
    for (size_t i = 0; i < flat->input_count; i++)
        if (flat->inputs[i].width > 64)
            return false;
    allow(l, SOLVER_LOCAL_DESCENTS, SOLVER_LOCAL_DESCENT_WORK);
    uint64_t best = distance_total(flat);
    while (best && !exhausted(l)) {
        bool any = false;
        for (size_t i = 0; i < flat->input_count && best; i++) {
            any |= jump(l, i, &best);
            any |= descend_input(l, i, &best);
        }
        if (any || !best)
            continue;
        kick(l);
        best = distance_total(flat);
    }
    return best == 0;
}

// ---- the layer ----

static bool search(struct local *l, const struct solver_query *query)
{
    l->rng.state = seed_of(query, l->flat);
    if (!l->flat->input_count)
        return !l->flat->violated;
    bool floats = l->flat->has_floats;
    if (repair(l, floats ? SOLVER_LOCAL_FLOAT_WORK : SOLVER_LOCAL_REPAIR_WORK))
        return true;
    if (floats && l->flat->input_count <= SOLVER_LOCAL_FLOAT_INPUTS) {
        find_floats(l);
        flat_load(l->flat, query->input, query->input_size);
        if (descend(l))
            return true;
    }
    flat_load(l->flat, query->input, query->input_size);
    return false;
}

static enum solver_answer local_check(struct solver *solver, const struct solver_query *query,
                                      struct solver_model *model)
{
    struct local *l = (struct local *)solver;
    if (!query->count)
        return solver_ask(solver->next, query, model);
    l->flat = solver_flat(solver, query, &l->own);
    if (!search(l, query))
        return solver_ask(solver->next, query, model);
    solver_model_from_flat(model, l->flat, query);
    return SOLVER_SAT;
}

static void local_free(struct solver *solver)
{
    struct local *l = (struct local *)solver;
    flat_release(&l->own);
    propagate_release(&l->propagate);
    VEC_RELEASE(&l->is_float);
    VEC_RELEASE(&l->constants);
    free(l);
}

struct solver *solver_local_new(struct expr_pool *pool, struct solver *next)
{
    static const struct solver_ops ops = {"local", local_check, local_free};
    struct local *l = xcalloc(1, sizeof *l);
    l->base = (struct solver){.ops = &ops, .pool = pool, .next = next};
    flat_init(&l->own, pool);
    return &l->base;
}
