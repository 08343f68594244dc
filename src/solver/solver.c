// SPDX-License-Identifier: Apache-2.0
// The chain of layers, models, and counting. See solver.h.
#include "solver/solver.h"

#include "base/vec.h"
#include "solver/solver_internal.h"
#include <stdlib.h>
#include <time.h>

struct solver *solver_new(struct expr_pool *pool, const struct solver_options *options)
{
    static const struct solver_options defaults = SOLVER_OPTIONS_DEFAULT;
    if (!options)
        options = &defaults;
    struct solver *chain = solver_z3_new(pool, options);
    if (!options->no_local)
        chain = solver_local_new(pool, chain);
    if (!options->no_validate) // in front of every layer that makes models
        chain = solver_validate_new(pool, chain);
    return options->no_slice ? chain : solver_slice_new(pool, chain);
}

void solver_free(struct solver *solver)
{
    while (solver) {
        struct solver *next = solver->next;
        solver->ops->free(solver);
        solver = next;
    }
}

static double cpu_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

enum solver_answer solver_ask(struct solver *solver, const struct solver_query *query,
                              struct solver_model *model)
{
    double begin = cpu_now();
    solver_model_clear(model);
    solver->hit_clock = false;
    enum solver_answer answer = solver->ops->check(solver, query, model);
    if (solver->next)
        solver->hit_clock = solver->next->hit_clock && answer == SOLVER_UNKNOWN;
    if (answer != SOLVER_SAT)
        solver_model_clear(model);
    struct solver_stats *stats = &solver->stats;
    stats->queries++;
    stats->sat += answer == SOLVER_SAT;
    stats->unsat += answer == SOLVER_UNSAT;
    stats->unknown += answer == SOLVER_UNKNOWN;
    stats->clock_hits += solver->hit_clock;
    stats->cpu_seconds += cpu_now() - begin;
    return answer;
}

enum solver_answer solver_check(struct solver *solver, const struct solver_query *query,
                                struct solver_model *model)
{
    struct solver_model unused = {0};
    enum solver_answer answer = solver_ask(solver, query, model ? model : &unused);
    solver_model_release(&unused);
    return answer;
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

const struct solver_stats *solver_statistics(const struct solver *solver)
{
    return &solver->stats;
}

void solver_model_release(struct solver_model *model)
{
    VEC_RELEASE(model);
}

void solver_model_clear(struct solver_model *model)
{
    model->count = 0;
}

void solver_model_set(struct solver_model *model, uint32_t offset, uint32_t width,
                      struct expr_value value)
{
    *VEC_PUSH(model) = (struct solver_assignment){offset, width, value};
}

static uint8_t value_byte(struct expr_value value, unsigned index)
{
    uint64_t half = index < 8 ? value.low : value.high;
    return (uint8_t)(half >> (index % 8 * 8));
}

void solver_apply_model(const struct solver_model *model, struct buf *input)
{
    for (size_t i = 0; i < model->count; i++) {
        const struct solver_assignment *item = &model->items[i];
        size_t end = (size_t)item->offset + item->width / 8;
        while (input->length < end)
            buf_putc(input, 0);
        for (unsigned k = 0; k < item->width / 8; k++)
            input->data[item->offset + k] = (char)value_byte(item->value, k);
    }
}
