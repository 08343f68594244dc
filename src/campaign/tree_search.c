// SPDX-License-Identifier: Apache-2.0
#include "campaign/tree_search.h"

#include "base/clock.h"
#include "base/tunables.h"
#include <string.h>

static uint64_t backend_queries(const struct solver *chain)
{
    uint64_t count = 0;
    for (; chain; chain = solver_next(chain))
        if (solver_layer_of(chain) == SOLVER_LAYER_BITBLAST ||
            solver_layer_of(chain) == SOLVER_LAYER_Z3)
            count += solver_statistics(chain)->queries;
    return count;
}

// On success the next input is in state->input.
static enum solver_answer solve(struct campaign_state *state, const expr_list *constraints,
                                uint32_t number, enum tree_effort effort)
{
    struct campaign *c = state->campaign;
    const struct corpus_entry *parent = corpus_get(&state->corpus, number);
    struct solver_query query = {.constraints = constraints->items,
                                 .count = constraints->count,
                                 .input = parent->bytes,
                                 .input_size = parent->size};
    struct solver_model model = {0};
    uint64_t backend = backend_queries(state->solver);
    double begin = clock_now();
    enum solver_answer answer = solver_check(state->solver, &query, &model);
    c->solver_seconds += clock_now() - begin;
    c->queries++;
    c->sat += answer == SOLVER_SAT;
    c->unsat += answer == SOLVER_UNSAT;
    state->work +=
        CAMPAIGN_WORK_QUERY + CAMPAIGN_WORK_BACKEND * (backend_queries(state->solver) - backend);
    if (answer == SOLVER_UNKNOWN)
        state->work += effort == TREE_QUICK ? CAMPAIGN_WORK_GIVEN_UP : CAMPAIGN_WORK_GIVEN_UP_LATE;
    state->solver_hit_clock |= solver_hit_clock(state->solver);
    if (answer == SOLVER_SAT) {
        buf_clear(&state->input);
        buf_add(&state->input, parent->bytes, parent->size);
        solver_apply_model(&model, &state->input);
    }
    solver_model_release(&model);
    return answer;
}

// For exactly the vector that a condition misses, and else for the candidate alone.
static enum solver_answer solve_candidate(struct campaign_state *state,
                                          const struct candidate *candidate, uint32_t parent,
                                          enum tree_effort effort)
{
    const expr_list *exact = explorer_vector(state->explorer, candidate);
    if (exact) {
        state->campaign->vector_queries++;
        if (solve(state, exact, parent, effort) == SOLVER_SAT)
            return SOLVER_SAT;
    }
    return solve(state, explorer_constraints(state->explorer, candidate), parent, effort);
}

struct proposal tree_search_propose(struct campaign_state *state, const struct candidate *candidate,
                                    enum tree_effort effort)
{
    uint32_t parent = explorer_input(state->explorer, candidate);
    solver_hurry(state->solver, effort == TREE_QUICK);
    enum solver_answer answer = solve_candidate(state, candidate, parent, effort);
    if (answer == SOLVER_SAT) // it is settled after the execution
        return (struct proposal){
            .kind = PROPOSAL_INPUT, .is_solved = true, .chosen = *candidate, .parent = parent};
    if (answer == SOLVER_UNKNOWN && effort == TREE_QUICK) {
        explorer_postpone(state->explorer, candidate);
    } else {
        state->campaign->unknown += answer == SOLVER_UNKNOWN;
        explorer_settle(state->explorer, candidate, answer);
    }
    return (struct proposal){.kind = PROPOSAL_SPENT};
}

bool tree_search_goes_on(const struct campaign_state *state)
{
    uint64_t afterglow = (uint64_t)state->request->options->afterglow;
    return !state->complete || (campaign_idle(state) < afterglow &&
                                !check_hunts_has(&state->explorer->hunts, SEARCH_HUNT_EAGER));
}

void tree_search_count_solver(struct campaign_state *state)
{
    struct campaign *c = state->campaign;
    struct solver_counts counts[SOLVER_LAYER_COUNT] = {0};
    solver_count_layers(state->solver, counts);
    for (int i = 0; i < SOLVER_LAYER_COUNT; i++) {
        c->layers[i].queries += counts[i].queries;
        c->layers[i].sat += counts[i].sat;
        c->layers[i].unsat += counts[i].unsat;
        c->layers[i].seconds += counts[i].seconds;
    }
    c->slow_queries += solver_slow_queries(state->solver);
    state->solver_hit_clock |= solver_hit_clock(state->solver);
}

void tree_search_renew_solver(struct campaign_state *state)
{
    tree_search_count_solver(state);
    solver_free(state->solver);
    state->solver = solver_new(state->pool, &state->solver_limits);
}
