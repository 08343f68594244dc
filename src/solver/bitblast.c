// SPDX-License-Identifier: Apache-2.0
// The layer that turns a query into clauses and asks CaDiCaL. Every query gets a
// fresh SAT solver: queries are sliced and small, and a fresh one takes tens of
// microseconds, so keeping clauses between queries gains nothing and would make
// answers depend on history.
//
// For cores each constraint is an assumption; CaDiCaL names the ones that it needed,
// and those are tried without each in turn.
#include "solver/bitblast.h"

#include "base/arena.h"
#include "base/tunables.h"
#include "base/vec.h"
#include "solver/blast.h"
#include "solver/cnf.h"
#include "solver/solver_internal.h"
#include <string.h>

struct bitblast {
    struct solver base;
    struct solver_options options;
    struct blast blast;
    struct cnf cnf;
    VEC(lit) roots; // of the query's constraints
    VEC(int) names; // the same for the SAT solver, for cores
};

// The time that a conflict takes grows with the formula: 0.1 ms at 7,000 variables,
// 2 ms at 100,000. The limit is to be worth about the same time for all.
static unsigned conflict_limit(const struct bitblast *b)
{
    uint64_t limit = b->options.rlimit / SOLVER_RLIMIT_PER_CONFLICT;
    uint64_t variables = (uint64_t)b->cnf.variables;
    if (!b->options.rlimit)
        return 0;
    if (variables > SOLVER_USUAL_VARIABLES)
        limit = limit * SOLVER_USUAL_VARIABLES / variables;
    if (b->base.hurry)
        limit /= SOLVER_HURRY;
    return limit < SOLVER_LEAST_CONFLICTS ? SOLVER_LEAST_CONFLICTS : (unsigned)limit;
}

// The circuits of all constraints. False if this layer cannot do them.
static bool bitblast_build(struct bitblast *b, const struct solver_query *query)
{
    blast_begin(&b->blast, query->input, query->input_size);
    b->roots.count = 0;
    for (size_t i = 0; i < query->count; i++) {
        lit root;
        if (!blast_bit(&b->blast, query->constraints[i], &root))
            return false;
        *VEC_PUSH(&b->roots) = root;
    }
    return true;
}

static struct sat *bitblast_open(struct bitblast *b)
{
    struct sat *sat = sat_new();
    sat_deadline(sat, solver_clock_ms(&b->options));
    cnf_begin(&b->cnf, sat);
    return sat;
}

static int compare_inputs(const void *p, const void *q)
{
    const struct expr_var *a = p, *b = q;
    if (a->offset != b->offset)
        return a->offset < b->offset ? -1 : 1;
    return a->width < b->width ? -1 : a->width > b->width;
}

static uint8_t model_byte(struct bitblast *b, uint64_t offset)
{
    unsigned value = 0;
    for (unsigned i = 0; i < 8; i++)
        value |= (unsigned)cnf_value(&b->cnf, blast_input_bit(&b->blast, offset, i)) << i;
    return (uint8_t)value;
}

static void bitblast_model(struct bitblast *b, struct solver_model *model)
{
    struct expr_var *inputs = b->blast.inputs.items;
    size_t count = b->blast.inputs.count;
    if (count)
        qsort(inputs, count, sizeof *inputs, compare_inputs);
    for (size_t i = 0; i < count; i++) {
        struct expr_value value = {0};
        for (unsigned k = 0; k < inputs[i].width / 8; k++) {
            uint64_t byte = model_byte(b, (uint64_t)inputs[i].offset + k);
            if (k < 8)
                value.low |= byte << (8 * k);
            else
                value.high |= byte << (8 * (k - 8));
        }
        solver_model_set(model, inputs[i].offset, inputs[i].width, value);
    }
}

static enum solver_answer bitblast_solve(struct bitblast *b, struct solver_model *model)
{
    bool open = false;
    for (size_t i = 0; i < b->roots.count; i++) {
        if (b->roots.items[i] == LIT_FALSE)
            return SOLVER_UNSAT;
        open |= b->roots.items[i] != LIT_TRUE;
    }
    if (!open)
        return SOLVER_SAT; // on every input, the parent's included
    struct sat *sat = bitblast_open(b);
    for (size_t i = b->roots.count; i-- > 0;)
        cnf_assert(&b->cnf, b->roots.items[i]);
    enum sat_answer answer = sat_solve(sat, conflict_limit(b));
    if (answer == SAT_YES)
        bitblast_model(b, model);
    b->base.hit_clock = answer == SAT_LIMIT && sat_hit_clock(sat);
    sat_free(sat);
    return answer == SAT_YES ? SOLVER_SAT : answer == SAT_NO ? SOLVER_UNSAT : SOLVER_UNKNOWN;
}

static enum solver_answer bitblast_check(struct solver *base, const struct solver_query *query,
                                         struct solver_model *model)
{
    struct bitblast *b = (struct bitblast *)base;
    enum solver_answer answer = SOLVER_UNKNOWN;
    bool built = bitblast_build(b, query);
    if (built)
        answer = bitblast_solve(b, model);
    else
        base->stats.too_large += b->blast.gates.full;
    // Past the clock the query had its time; in a hurry it has had it, too.
    bool over = base->hit_clock || (base->hurry && built);
    if (answer != SOLVER_UNKNOWN || over || !base->next)
        return answer;
    return solver_ask(base->next, query, model);
}

static void bitblast_free(struct solver *base)
{
    struct bitblast *b = (struct bitblast *)base;
    blast_release(&b->blast);
    cnf_release(&b->cnf);
    VEC_RELEASE(&b->roots);
    VEC_RELEASE(&b->names);
    free(b);
}

static const struct solver_ops bitblast_ops = {"bitblast", bitblast_check, bitblast_free};

struct solver *solver_bitblast_new(struct expr_pool *pool, const struct solver_options *options,
                                   struct solver *next)
{
    struct bitblast *b = xcalloc(1, sizeof *b);
    b->base = (struct solver){.ops = &bitblast_ops, .pool = pool, .next = next};
    b->options = *options;
    blast_init(&b->blast, pool, options->max_gates ? options->max_gates : SOLVER_GATES_UNLIMITED);
    cnf_init(&b->cnf, &b->blast.gates);
    return &b->base;
}

// Cores.

static void core_push(struct solver_core *core, size_t index)
{
    vec_reserve((void **)&core->items, &core->room, core->count + 1, sizeof *core->items);
    core->items[core->count++] = (uint32_t)index;
}

static void core_all(struct solver_core *core, size_t count)
{
    core->count = 0;
    for (size_t i = 0; i < count; i++)
        core_push(core, i);
}

// Solve under the core's constraints except number `without`.
static enum sat_answer core_try(struct bitblast *b, const struct solver_core *core, size_t without,
                                unsigned conflicts)
{
    for (size_t i = 0; i < core->count; i++)
        if (i != without)
            sat_assume(b->cnf.sat, b->names.items[core->items[i]]);
    return sat_solve(b->cnf.sat, conflicts);
}

// Keep what the last SAT_NO needed. `without` was not assumed.
static void core_shrink(struct bitblast *b, struct solver_core *core, size_t without)
{
    size_t kept = 0;
    for (size_t i = 0; i < core->count; i++)
        if (i != without && sat_failed(b->cnf.sat, b->names.items[core->items[i]]))
            core->items[kept++] = core->items[i];
    core->count = kept;
}

// Leave constraints out one by one, the first ones of the path first. What is in
// front of `at` is known to be needed, so shrinking never removes it.
static void core_minimise(struct bitblast *b, struct solver_core *core)
{
    size_t at = 0;
    while (at < core->count && core->count > 1 && !sat_hit_clock(b->cnf.sat)) {
        if (core_try(b, core, at, SOLVER_CORE_CONFLICTS) == SAT_NO)
            core_shrink(b, core, at);
        else
            at++;
    }
}

static enum solver_answer core_solve(struct bitblast *b, struct solver_core *core)
{
    b->names.count = 0;
    for (size_t i = 0; i < b->roots.count; i++) {
        lit root = b->roots.items[i];
        if (root == LIT_FALSE) {
            core->count = 0;
            core_push(core, i);
            return SOLVER_UNSAT;
        }
        *VEC_PUSH(&b->names) = root == LIT_TRUE ? 0 : cnf_literal(&b->cnf, root);
        if (root != LIT_TRUE)
            core_push(core, i);
    }
    switch (core_try(b, core, SIZE_MAX, conflict_limit(b))) {
    case SAT_YES: return SOLVER_SAT;
    case SAT_LIMIT: return SOLVER_UNKNOWN;
    default: break;
    }
    core_shrink(b, core, SIZE_MAX);
    core_minimise(b, core);
    return SOLVER_UNSAT;
}

static struct solver *find_layer(struct solver *chain)
{
    while (chain && chain->ops != &bitblast_ops)
        chain = chain->next;
    return chain;
}

enum solver_answer solver_find_core(struct solver *chain, const struct solver_query *query,
                                    struct solver_core *core)
{
    struct bitblast *b = (struct bitblast *)find_layer(chain);
    enum solver_answer answer;
    core->count = 0;
    if (b && bitblast_build(b, query)) {
        struct sat *sat = bitblast_open(b);
        answer = core_solve(b, core);
        sat_free(sat);
    } else {
        answer = solver_check(b && b->base.next ? b->base.next : chain, query, NULL);
        core_all(core, query->count);
    }
    if (answer != SOLVER_UNSAT)
        core->count = 0;
    return answer;
}

void solver_core_release(struct solver_core *core)
{
    VEC_RELEASE(core);
}
