// SPDX-License-Identifier: Apache-2.0
// What earlier queries of this chain showed. A model that satisfied one query often
// satisfies another, whether smaller or larger: recent ones are tried, each reduced to
// the inputs of the query at hand. A set of constraints that contradicted each other
// contradicts in every larger set.
//
// Contradictions are remembered whole, not as cores: solving under assumptions to have
// the core gave 3 more hits in 3,304 recorded queries and 89 in 14,738, but made the
// proofs slower by as much (59 ms became 70, 5.0 s stayed 5.0 s); a second query for a
// minimal core cost several times what it saved.
#include "solver/solver_internal.h"

#include "base/arena.h"
#include "base/map.h"
#include "base/tunables.h"
#include "base/vec.h"
#include "expr/flat.h"
#include <stdlib.h>
#include <string.h>

struct core {
    uint64_t signature; // one bit per constraint, by hash
    uint32_t count;
    expr_id ids[SOLVER_CACHE_CORE_PARTS]; // ascending
};

struct cache {
    struct solver base;
    struct flat own;
    struct buf models[SOLVER_CACHE_MODELS]; // whole inputs
    size_t model_count; // ever; the newest is at (model_count - 1) % SOLVER_CACHE_MODELS
    struct core *cores;
    size_t core_count; // ever
    VEC(expr_id) sorted;
    uint64_t tried[SOLVER_CACHE_TRIES]; // hashes of the values that were tried
};

static uint64_t id_bit(expr_id id)
{
    return UINT64_C(1) << (hash_mix(id) & 63);
}

static int compare_ids(const void *p, const void *q)
{
    expr_id a = *(const expr_id *)p, b = *(const expr_id *)q;
    return a < b ? -1 : a > b;
}

static uint64_t sort_query(struct cache *c, const struct solver_query *query)
{
    uint64_t signature = 0;
    c->sorted.count = 0;
    VEC_RESERVE(&c->sorted, query->count);
    for (size_t i = 0; i < query->count; i++) {
        signature |= id_bit(query->constraints[i]);
        c->sorted.items[c->sorted.count++] = query->constraints[i];
    }
    qsort(c->sorted.items, c->sorted.count, sizeof *c->sorted.items, compare_ids);
    return signature;
}

static bool contained(const struct cache *c, const struct core *core)
{
    size_t at = 0;
    for (uint32_t i = 0; i < core->count; i++) {
        while (at < c->sorted.count && c->sorted.items[at] < core->ids[i])
            at++;
        if (at == c->sorted.count || c->sorted.items[at] != core->ids[i])
            return false;
    }
    return true;
}

static bool known_contradiction(struct cache *c, uint64_t signature)
{
    size_t count = c->core_count < SOLVER_CACHE_CORES ? c->core_count : SOLVER_CACHE_CORES;
    for (size_t i = 0; i < count; i++)
        if (!(c->cores[i].signature & ~signature) && contained(c, &c->cores[i]))
            return true;
    return false;
}

static void remember_contradiction(struct cache *c, const expr_id *ids, size_t count)
{
    if (!count || count > SOLVER_CACHE_CORE_PARTS)
        return;
    if (!c->cores)
        c->cores = xcalloc(SOLVER_CACHE_CORES, sizeof *c->cores);
    struct core *core = &c->cores[c->core_count++ % SOLVER_CACHE_CORES];
    core->signature = 0;
    core->count = (uint32_t)count;
    memcpy(core->ids, ids, count * sizeof *ids);
    qsort(core->ids, count, sizeof *ids, compare_ids);
    for (size_t i = 0; i < count; i++)
        core->signature |= id_bit(ids[i]);
}

static void remember_model(struct cache *c, const struct solver_query *query,
                           const struct solver_model *model)
{
    if (query->input_size > SOLVER_CACHE_MODEL_BYTES)
        return;
    struct buf *input = &c->models[c->model_count++ % SOLVER_CACHE_MODELS];
    buf_clear(input);
    buf_add(input, query->input, query->input_size);
    solver_apply_model(model, input);
}

// What the query sees of a model.
static uint64_t view(const struct flat *flat, const struct buf *model)
{
    uint64_t h = 0;
    for (size_t i = 0; i < flat->input_count; i++) {
        const struct flat_input *in = &flat->inputs[i];
        uint8_t bytes[16] = {0};
        for (unsigned k = 0; k < in->width / 8 && in->offset + k < model->length; k++)
            bytes[k] = (uint8_t)model->data[in->offset + k];
        h = hash_bytes(bytes, in->width / 8, h);
    }
    return h;
}

static bool try_models(struct cache *c, const struct solver_query *query, struct flat *flat)
{
    size_t have = c->model_count < SOLVER_CACHE_MODELS ? c->model_count : SOLVER_CACHE_MODELS,
           tried = 0;
    uint64_t limit = flat->work + SOLVER_CACHE_WORK;
    for (size_t i = 0; i < have && tried < SOLVER_CACHE_TRIES && flat->work < limit; i++) {
        const struct buf *model = &c->models[(c->model_count - 1 - i) % SOLVER_CACHE_MODELS];
        uint64_t hash = view(flat, model);
        bool again = false;
        for (size_t k = 0; k < tried; k++)
            again |= c->tried[k] == hash;
        if (again)
            continue;
        c->tried[tried++] = hash;
        flat_load(flat, (const uint8_t *)model->data, model->length);
        if (!flat->violated)
            return true;
    }
    if (tried)
        flat_load(flat, query->input, query->input_size);
    return false;
}

static enum solver_answer cache_check(struct solver *solver, const struct solver_query *query,
                                      struct solver_model *model)
{
    struct cache *c = (struct cache *)solver;
    if (!query->count)
        return solver_ask(solver->next, query, model);
    if (c->core_count && known_contradiction(c, sort_query(c, query)))
        return SOLVER_UNSAT;
    if (c->model_count) {
        struct flat *flat = solver_flat(solver, query, &c->own);
        if (try_models(c, query, flat)) {
            solver_model_from_flat(model, flat, query);
            return SOLVER_SAT;
        }
    }
    enum solver_answer answer = solver_ask(solver->next, query, model);
    if (answer == SOLVER_SAT)
        remember_model(c, query, model);
    else if (answer == SOLVER_UNSAT)
        remember_contradiction(c, query->constraints, query->count);
    return answer;
}

static void cache_free(struct solver *solver)
{
    struct cache *c = (struct cache *)solver;
    for (size_t i = 0; i < SOLVER_CACHE_MODELS; i++)
        buf_release(&c->models[i]);
    free(c->cores);
    flat_release(&c->own);
    VEC_RELEASE(&c->sorted);
    free(c);
}

struct solver *solver_cache_new(struct expr_pool *pool, struct solver *next)
{
    static const struct solver_ops ops = {"cache", cache_check, cache_free};
    struct cache *c = xcalloc(1, sizeof *c);
    c->base = (struct solver){.ops = &ops, .pool = pool, .next = next};
    flat_init(&c->own, pool);
    return &c->base;
}
