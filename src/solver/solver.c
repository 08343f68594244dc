// SPDX-License-Identifier: Apache-2.0
// The chain of layers and its counting. See solver.h.
#include "solver/solver.h"

#include "base/arena.h"
#include "base/check.h"
#include "base/clock.h"
#include "solver/bitblast.h"
#include "solver/solver_internal.h"
#include <stdlib.h>
#include <string.h>

static const char *const layer_names[SOLVER_LAYER_COUNT] = {
#define LAYER(NAME, name, help) [SOLVER_LAYER_##NAME] = #name,
#include "solver/layers.def"
#undef LAYER
};

const char *solver_layer_name(enum solver_layer layer)
{
    return layer_names[layer];
}

static struct solver *add_layer(enum solver_layer layer, struct expr_pool *pool,
                                const struct solver_options *options, struct solver *next)
{
    switch (layer) {
    case SOLVER_LAYER_SLICE: return solver_slice_new(pool, next);
    case SOLVER_LAYER_VALIDATE: return solver_validate_new(pool, next);
    case SOLVER_LAYER_SYNTAX: return solver_syntax_new(pool, next);
    case SOLVER_LAYER_DOMAINS: return solver_domains_new(pool, next);
    case SOLVER_LAYER_CACHE: return solver_cache_new(pool, next);
    case SOLVER_LAYER_INVERT: return solver_invert_new(pool, next);
    case SOLVER_LAYER_LOCAL: return solver_local_new(pool, next);
    case SOLVER_LAYER_OPTIMISTIC: return solver_optimistic_new(pool, next);
    case SOLVER_LAYER_BITBLAST: return solver_bitblast_new(pool, options, next);
    default: return solver_z3_new(pool, options);
    }
}

// The end of a chain without z3.
static enum solver_answer nobody_check(struct solver *solver, const struct solver_query *query,
                                       struct solver_model *model)
{
    (void)solver;
    (void)query;
    (void)model;
    return SOLVER_UNKNOWN;
}

static void nobody_free(struct solver *solver)
{
    free(solver);
}

static struct solver *nobody_new(struct expr_pool *pool)
{
    static const struct solver_ops ops = {"nobody", nobody_check, nobody_free};
    struct solver *s = xcalloc(1, sizeof *s);
    *s = (struct solver){.ops = &ops, .pool = pool, .layer = SOLVER_LAYER_COUNT};
    return s;
}

unsigned solver_clock_ms(const struct solver_options *options)
{
    if (!options->deadline)
        return options->timeout_ms;
    double left = (options->deadline - clock_now()) * 1000;
    unsigned rest = left < 1 ? 1 : left > 1e9 ? 1000000000u : (unsigned)left;
    return options->timeout_ms && options->timeout_ms < rest ? options->timeout_ms : rest;
}

struct solver *solver_new(struct expr_pool *pool, const struct solver_options *options)
{
    static const struct solver_options defaults = SOLVER_OPTIONS_DEFAULT;
    if (!options)
        options = &defaults;
    struct solver *chain = options->without & SOLVER_LAYER(Z3) ? nobody_new(pool) : NULL;
    for (int layer = SOLVER_LAYER_COUNT; layer-- > 0;) {
        if (!(options->without & 1u << layer)) {
            chain = add_layer((enum solver_layer)layer, pool, options, chain);
            chain->layer = (enum solver_layer)layer;
        }
        // Behind slicing; it makes no models, so it need not be validated.
        if (layer == SOLVER_LAYER_VALIDATE && (options->dump_directory || options->slow_directory))
            chain = solver_record_new(pool, options, chain);
    }
    return chain;
}

void solver_free(struct solver *solver)
{
    while (solver) {
        struct solver *next = solver->next;
        solver->ops->free(solver);
        solver = next;
    }
}

static int find_layer(const char *name, size_t length)
{
    for (int i = 0; i < SOLVER_LAYER_COUNT; i++)
        if (strlen(layer_names[i]) == length && strncmp(layer_names[i], name, length) == 0)
            return i;
    return -1;
}

bool solver_parse_layers(const char *list, unsigned *without, struct buf *bad)
{
    unsigned named = 0, dropped = 0, all = (1u << SOLVER_LAYER_COUNT) - 1;
    for (const char *at = list; *at;) {
        size_t length = strcspn(at, ",");
        bool drop = *at == '-';
        int layer = find_layer(at + drop, length - drop);
        if (length == 3 && strncmp(at, "all", 3) == 0)
            named = all;
        else if (layer < 0)
            return buf_add(bad, at, length), false;
        else if (drop)
            dropped |= 1u << layer;
        else
            named |= 1u << layer;
        at += length + (at[length] == ',');
    }
    *without = (named ? all & ~named : 0) | dropped;
    return true;
}

enum solver_answer solver_ask(struct solver *solver, const struct solver_query *query,
                              struct solver_model *model)
{
    double begin = clock_now();
    solver_model_clear(model);
    solver->hit_clock = false;
    if (solver->next) // it may not be asked this time
        solver->next->hit_clock = false;
    enum solver_answer answer = solver->ops->check(solver, query, model);
    if (solver->next)
        solver->hit_clock |= solver->next->hit_clock;
    if (answer != SOLVER_SAT)
        solver_model_clear(model);
    struct solver_stats *stats = &solver->stats;
    stats->queries++;
    stats->sat += answer == SOLVER_SAT;
    stats->unsat += answer == SOLVER_UNSAT;
    stats->unknown += answer == SOLVER_UNKNOWN;
    stats->clock_hits += solver->hit_clock;
    stats->seconds += clock_now() - begin;
    return answer;
}

enum solver_answer solver_check(struct solver *solver, const struct solver_query *query,
                                struct solver_model *model)
{
    for (size_t i = 0; i < query->count; i++)
        assert(expr_get(solver->pool, query->constraints[i])->width == 1);
    struct solver_model unused = {0};
    enum solver_answer answer = solver_ask(solver, query, model ? model : &unused);
    solver_model_release(&unused);
    return answer;
}

void solver_hurry(struct solver *solver, bool hurry)
{
    for (; solver; solver = solver->next)
        solver->hurry = hurry;
}

bool solver_hit_clock(const struct solver *solver)
{
    return solver->hit_clock;
}

const struct solver *solver_next(const struct solver *solver)
{
    return solver->next;
}

const char *solver_name(const struct solver *solver)
{
    return solver->ops->name;
}

enum solver_layer solver_layer_of(const struct solver *solver)
{
    return solver->layer;
}

const struct solver_stats *solver_statistics(const struct solver *solver)
{
    return &solver->stats;
}

// a - b; the layer behind may count more than the layer in front got from it.
static uint64_t beyond(uint64_t a, uint64_t b)
{
    return a > b ? a - b : 0;
}

void solver_count_layers(const struct solver *chain, struct solver_counts out[SOLVER_LAYER_COUNT])
{
    static const struct solver_stats none;
    memset(out, 0, SOLVER_LAYER_COUNT * sizeof *out);
    for (; chain; chain = chain->next) {
        const struct solver_stats *own = &chain->stats;
        const struct solver_stats *behind = chain->next ? &chain->next->stats : &none;
        if (chain->layer == SOLVER_LAYER_COUNT)
            continue;
        out[chain->layer] = (struct solver_counts){
            .queries = own->queries,
            .sat = beyond(own->sat, behind->sat),
            .unsat = beyond(own->unsat, behind->unsat),
            .seconds = own->seconds > behind->seconds ? own->seconds - behind->seconds : 0,
        };
    }
}

uint64_t solver_slow_queries(const struct solver *chain)
{
    uint64_t slow = 0;
    for (; chain; chain = chain->next)
        slow += chain->stats.slow;
    return slow;
}
