// SPDX-License-Identifier: Apache-2.0
// Local search in front of the decision procedure. It looks for an input near the
// parent that satisfies the sliced query, in two steps:
//
//   guesses   every input of the flipped constraint is set to the constants of that
//             constraint, their neighbours and a few small values, one at a time. This
//             answers most queries, and with values that people would choose: for
//             x > 0 it finds 1 where a decision procedure likes 2147483647, after which
//             a loop up to x would run for ever.
//   descent   only for floating point, where decision procedures are slow: the
//             alternating variable method over the distance of distance.h, with
//             steps that double as long as they help.
//
// It only ever answers SAT; everything else goes on to the next layer. All choices
// are seeded by the query itself.
#include "solver/distance.h"
#include "solver/solver_internal.h"

#include "base/arena.h"
#include "base/rng.h"
#include "base/vec.h"
#include "expr/value.h"
#include "expr/vars.h"
#include <stdlib.h>
#include <string.h>

enum {
    MAX_VARS = 48,       // of a query that is tried at all
    MAX_CONSTANTS = 24,
    NODE_BUDGET = 1500000, // node evaluations per query, for the descent
    MAX_DESCENT = 6000,  // evaluations
    SCAN = 4000,         // nodes that are searched for constants
};

struct variable_state {
    struct expr_var var;
    bool is_float;
    uint64_t value; // low 64 bits
};

struct local {
    struct solver base;
    struct eval eval;
    struct expr_vars vars;
    VEC(struct variable_state) state;
    VEC(uint64_t) constants;
    VEC(expr_id) stack;
    VEC(uint32_t) seen; // per node: query number
    uint32_t query_number;
    struct buf input;
    const struct solver_query *query;
    size_t evaluations, limit;
    size_t nodes; // scanned
    bool has_float;
};

static void put(struct local *l, const struct variable_state *v)
{
    size_t end = v->var.offset + v->var.width / 8;
    while (l->input.length < end)
        buf_putc(&l->input, 0);
    size_t bytes = v->var.width / 8;
    memcpy(l->input.data + v->var.offset, &v->value, bytes < 8 ? bytes : 8);
}

static distance cost(struct local *l)
{
    l->evaluations++;
    eval_begin(&l->eval, (const uint8_t *)l->input.data, l->input.length);
    distance sum = 0;
    for (size_t i = l->query->count; i-- > 0;)
        sum += distance_of(&l->eval, l->query->constraints[i]);
    return sum;
}

// Cheaper than cost: stops at the first constraint that fails.
static bool satisfied(struct local *l)
{
    l->evaluations++;
    eval_begin(&l->eval, (const uint8_t *)l->input.data, l->input.length);
    for (size_t i = l->query->count; i-- > 0;)
        if (!eval_true(&l->eval, l->query->constraints[i]))
            return false;
    return true;
}

static void add_constant(struct local *l, uint64_t value)
{
    if (l->constants.count >= MAX_CONSTANTS)
        return;
    for (size_t i = 0; i < l->constants.count; i++)
        if (l->constants.items[i] == value)
            return;
    *VEC_PUSH(&l->constants) = value;
}

static void mark_float(struct local *l, expr_id operand)
{
    const struct expr *e = expr_get(l->base.pool, operand);
    if (e->op != EXPR_INPUT)
        return;
    for (size_t i = 0; i < l->state.count; i++)
        if (l->state.items[i].var.offset == e->x && l->state.items[i].var.width == e->width)
            l->state.items[i].is_float = true;
}

static bool takes_floats(const struct expr *e)
{
    char kind = expr_op_kind((enum expr_op)e->op);
    return kind == 'F' || kind == 'Q' || kind == 'G' || e->op == EXPR_FPEXT ||
           e->op == EXPR_FPTRUNC || e->op == EXPR_FPTOSI || e->op == EXPR_FPTOUI;
}

// Walk a constraint: collect constants (when wanted), see which inputs are floats.
static void scan(struct local *l, expr_id root, bool constants)
{
    l->stack.count = 0;
    *VEC_PUSH(&l->stack) = root;
    while (l->stack.count && l->nodes < SCAN) {
        expr_id id = l->stack.items[--l->stack.count];
        VEC_RESERVE(&l->seen, id + 1);
        if (l->seen.items[id] == l->query_number)
            continue;
        l->seen.items[id] = l->query_number;
        l->nodes++;
        const struct expr *e = expr_get(l->base.pool, id);
        if (e->op == EXPR_CONST && constants)
            add_constant(l, e->x);
        expr_id operands[3];
        unsigned count = expr_operands(e, operands);
        bool floats = takes_floats(e);
        l->has_float |= floats || e->op == EXPR_SITOFP || e->op == EXPR_UITOFP;
        for (unsigned i = 0; i < count; i++) {
            if (floats)
                mark_float(l, operands[i]);
            *VEC_PUSH(&l->stack) = operands[i];
        }
    }
}

static uint64_t width_mask(const struct variable_state *v)
{
    return v->var.width >= 64 ? UINT64_MAX : (1ull << v->var.width) - 1;
}

static uint64_t float_bits(const struct variable_state *v, double number)
{
    uint64_t bits = 0;
    float narrow = (float)number;
    if (v->var.width == 32)
        memcpy(&bits, &narrow, sizeof narrow);
    else
        memcpy(&bits, &number, sizeof number);
    return bits;
}

static const double float_seeds[] = {0.0, 1.0, -1.0, 0.5, 2.0, 10.0, -10.0, 100.0, 1e3, -1e3, 1e6, 1e9};
static const int64_t integer_seeds[] = {0, 1, -1, 2};

// Try one value; keeps it only when the query is satisfied.
static bool try_value(struct local *l, struct variable_state *v, uint64_t value)
{
    uint64_t old = v->value;
    v->value = value & width_mask(v);
    if (v->value == old)
        return false;
    put(l, v);
    if (satisfied(l))
        return true;
    v->value = old;
    put(l, v);
    return false;
}

static bool guess_integer(struct local *l, struct variable_state *v)
{
    for (size_t i = 0; i < l->constants.count; i++)
        for (int step = 0; step < 3; step++) // c, c + 1, c - 1
            if (try_value(l, v, l->constants.items[i] + (uint64_t)(step == 2 ? -1 : step)))
                return true;
    for (size_t i = 0; i < sizeof integer_seeds / sizeof *integer_seeds; i++)
        if (try_value(l, v, (uint64_t)integer_seeds[i]))
            return true;
    return try_value(l, v, v->value + 1) || try_value(l, v, v->value - 1);
}

// A constant in an expression over doubles may stand for a float input.
static uint64_t as_float(const struct variable_state *v, uint64_t constant)
{
    double number;
    if (v->var.width == 64)
        return constant;
    if (constant <= UINT32_MAX)
        return constant;
    memcpy(&number, &constant, sizeof number);
    return float_bits(v, number);
}

static bool guess_float(struct local *l, struct variable_state *v)
{
    for (size_t i = 0; i < l->constants.count; i++) // an integer that the float is cast to
        if (try_value(l, v, float_bits(v, (double)(int64_t)l->constants.items[i])) ||
            try_value(l, v, float_bits(v, (double)(int32_t)l->constants.items[i])))
            return true;
    for (size_t i = 0; i < l->constants.count; i++) {
        uint64_t order = distance_order(as_float(v, l->constants.items[i]), v->var.width);
        for (int step = -1; step <= 1; step++)
            if (try_value(l, v, distance_unorder(order + (uint64_t)step, v->var.width)))
                return true;
    }
    for (size_t i = 0; i < sizeof float_seeds / sizeof *float_seeds; i++)
        if (try_value(l, v, float_bits(v, float_seeds[i])))
            return true;
    return false;
}

static bool guess(struct local *l, size_t flipped_vars)
{
    for (size_t i = 0; i < flipped_vars; i++) {
        struct variable_state *v = &l->state.items[i];
        if (v->is_float ? guess_float(l, v) : guess_integer(l, v))
            return true;
    }
    return false;
}

// ---- descent ----

static uint64_t step_from(const struct variable_state *v, int64_t step)
{
    if (!v->is_float)
        return (v->value + (uint64_t)step) & width_mask(v);
    uint64_t order = distance_order(v->value & width_mask(v), v->var.width);
    return distance_unorder((order + (uint64_t)step) & width_mask(v), v->var.width);
}

static bool improve(struct local *l, struct variable_state *v, uint64_t value, distance *best)
{
    uint64_t old = v->value;
    if (value == old || l->evaluations >= l->limit)
        return false;
    v->value = value;
    put(l, v);
    distance d = cost(l);
    if (d < *best) {
        *best = d;
        return true;
    }
    v->value = old;
    put(l, v);
    return false;
}

// Double the step as long as it helps, in both directions, from several sizes.
static bool descend_variable(struct local *l, struct variable_state *v, distance *best)
{
    bool any = false;
    for (int64_t start = 1; start > 0 && start < (int64_t)1 << 60 && *best; start <<= 4) {
        for (int sign = 0; sign < 2; sign++) {
            int64_t step = sign ? -start : start;
            while (improve(l, v, step_from(v, step), best)) {
                any = true;
                step = step < INT64_MAX / 2 && step > INT64_MIN / 2 ? step * 2 : step;
            }
        }
        if (l->evaluations >= l->limit)
            break;
    }
    return any;
}

static bool jump_variable(struct local *l, struct variable_state *v, distance *best)
{
    bool any = false;
    for (size_t i = 0; v->is_float && i < sizeof float_seeds / sizeof *float_seeds; i++)
        any |= improve(l, v, float_bits(v, float_seeds[i]), best);
    for (size_t i = 0; i < l->constants.count; i++)
        any |= improve(l, v, v->is_float ? as_float(v, l->constants.items[i])
                                         : l->constants.items[i] & width_mask(v), best);
    return any;
}

static bool descend(struct local *l)
{
    distance best = cost(l);
    struct rng rng = {l->query->count * 0x9E3779B97F4A7C15u + l->nodes};
    while (best && l->evaluations < l->limit) {
        bool any = false;
        for (size_t i = 0; i < l->state.count && best; i++)
            any |= jump_variable(l, &l->state.items[i], &best) ||
                   descend_variable(l, &l->state.items[i], &best);
        if (any || !best)
            continue;
        // Stuck: move one input somewhere else and go on from there.
        struct variable_state *v = &l->state.items[rng_below(&rng, l->state.count)];
        v->value = v->is_float
                       ? float_bits(v, float_seeds[rng_below(&rng, sizeof float_seeds / sizeof *float_seeds)] *
                                           (double)(1 + rng_below(&rng, 64)))
                       : rng_next(&rng) >> rng_below(&rng, 64) & width_mask(v);
        put(l, v);
        best = cost(l);
    }
    return best == 0;
}

// The inputs of the flipped constraint come first. False: too many, or too wide.
static bool collect_variables(struct local *l, size_t *flipped)
{
    const struct solver_query *q = l->query;
    l->state.count = 0;
    *flipped = expr_vars_of(&l->vars, &q->constraints[q->count - 1], 1);
    if (!*flipped || *flipped > MAX_VARS)
        return false;
    for (size_t i = 0; i < *flipped; i++)
        *VEC_PUSH(&l->state) = (struct variable_state){.var = l->vars.found[i]};
    size_t all = expr_vars_of(&l->vars, q->constraints, q->count);
    for (size_t i = 0; i < all && l->state.count < MAX_VARS; i++) {
        bool known = false;
        for (size_t k = 0; k < *flipped; k++)
            known |= l->state.items[k].var.offset == l->vars.found[i].offset &&
                     l->state.items[k].var.width == l->vars.found[i].width;
        if (!known)
            *VEC_PUSH(&l->state) = (struct variable_state){.var = l->vars.found[i]};
    }
    for (size_t i = 0; i < l->state.count; i++)
        if (l->state.items[i].var.width > 64)
            return false;
    return true;
}

static void load_parent(struct local *l)
{
    buf_clear(&l->input);
    buf_add(&l->input, l->query->input, l->query->input_size);
    for (size_t i = 0; i < l->state.count; i++) {
        struct variable_state *v = &l->state.items[i];
        v->value = 0;
        for (unsigned k = 0; k < v->var.width / 8 && v->var.offset + k < l->input.length; k++)
            v->value |= (uint64_t)(uint8_t)l->input.data[v->var.offset + k] << 8 * k;
    }
}

static bool search(struct local *l)
{
    size_t flipped;
    if (!l->query->count || !collect_variables(l, &flipped))
        return false;
    l->constants.count = 0;
    l->nodes = 0;
    l->has_float = false;
    l->query_number++;
    scan(l, l->query->constraints[l->query->count - 1], true);
    for (size_t i = l->query->count - 1; i-- > 0 && l->nodes < SCAN;)
        scan(l, l->query->constraints[i], l->has_float);
    load_parent(l);
    l->evaluations = 0;
    if (guess(l, flipped))
        return true;
    if (!l->has_float)
        return false;
    l->limit = NODE_BUDGET / (l->nodes + 1);
    if (l->limit > MAX_DESCENT)
        l->limit = MAX_DESCENT;
    return descend(l);
}

static enum solver_answer local_check(struct solver *solver, const struct solver_query *query,
                                      struct solver_model *model)
{
    struct local *l = (struct local *)solver;
    l->query = query;
    if (!search(l))
        return solver_ask(solver->next, query, model);
    // From the bytes, not from the variables: inputs may overlap.
    for (size_t i = 0; i < l->state.count; i++) {
        struct expr_var var = l->state.items[i].var;
        uint64_t value = 0;
        for (unsigned k = 0; k < var.width / 8 && var.offset + k < l->input.length; k++)
            value |= (uint64_t)(uint8_t)l->input.data[var.offset + k] << 8 * k;
        solver_model_set(model, var.offset, var.width, (struct expr_value){value, 0});
    }
    return SOLVER_SAT;
}

static void local_free(struct solver *solver)
{
    struct local *l = (struct local *)solver;
    eval_release(&l->eval);
    expr_vars_release(&l->vars);
    VEC_RELEASE(&l->state);
    VEC_RELEASE(&l->constants);
    VEC_RELEASE(&l->stack);
    VEC_RELEASE(&l->seen);
    buf_release(&l->input);
    free(l);
}

struct solver *solver_local_new(struct expr_pool *pool, struct solver *next)
{
    static const struct solver_ops ops = {"local", local_check, local_free};
    struct local *l = xcalloc(1, sizeof *l);
    l->base = (struct solver){.ops = &ops, .pool = pool, .next = next};
    eval_init(&l->eval, pool);
    expr_vars_init(&l->vars, pool);
    return &l->base;
}
