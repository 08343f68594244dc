// SPDX-License-Identifier: Apache-2.0
// The loop of one task's search: ask the generators, give one a turn, execute what it proposes,
// count what that covers, tell everybody, until an end condition holds. Work is counted in
// iterations (one concolic execution each) and units of work; the clock is only looked at between
// turns.
#include "campaign/campaign.h"

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/tunables.h"
#include "campaign/alarm_tests.h"
#include "campaign/campaign_setup.h"
#include "campaign/conclusion.h"
#include "campaign/execution.h"
#include "campaign/memory_limits.h"
#include "campaign/proofs_beside_search.h"
#include "campaign/scheduler.h"
#include "campaign/search_aim.h"
#include "campaign/tree_search.h"
#include "search/strategies.h"
#include <assert.h>

const struct generator *const generators[GENERATOR_COUNT] = {
#define GENERATOR(name, share) [GENERATOR_##name] = &generate_##name,
#include "campaign/generators.def"
#undef GENERATOR
};

// What the loop has besides what everybody sees.
struct campaign_parts {
    struct campaign_state state;
    struct executor executor;
    struct scheduler scheduler;
    struct search_aim aim;
    struct memory_limits memory;
    struct proofs_beside_search proofs;
    void *selves[GENERATOR_COUNT];
};

// ---- ends ----

// With an explicit --time, use all of it.
static uint64_t patience(const struct options *o)
{
    if (o->patience)
        return (uint64_t)o->patience;
    return o->seconds_given && o->seconds ? UINT64_MAX : CAMPAIGN_PATIENCE_DEFAULT;
}

static bool time_ended(const struct campaign_state *state)
{
    double seconds = state->request->seconds;
    return seconds > 0 && clock_now() - state->start > seconds;
}

bool campaign_budget_ended(const struct campaign_state *state, enum campaign_end *end)
{
    const struct campaign *c = state->campaign;
    const struct options *o = state->request->options;
    enum campaign_end ignored;
    end = end ? end : &ignored;
    if (interrupt_pending())
        *end = CAMPAIGN_INTERRUPTED;
    else if (o->iterations && c->iterations >= (uint64_t)o->iterations)
        *end = CAMPAIGN_ITERATIONS;
    else if (campaign_idle(state) >= patience(o) ||
             (c->queries - state->last_queries) / CAMPAIGN_QUERIES_PER_RUN >= patience(o))
        *end = CAMPAIGN_PATIENCE;
    else if (time_ended(state))
        *end = CAMPAIGN_TIME;
    else
        return false;
    return true;
}

// Nobody has anything to propose.
static enum campaign_end natural_end(const struct campaign_state *state)
{
    return state->complete                       ? CAMPAIGN_COMPLETE
           : explorer_exhausted(state->explorer) ? CAMPAIGN_EXHAUSTED
                                                 : CAMPAIGN_GAVE_UP;
}

// May a generator of this status have its turn? Sets campaign->end if not. What comes after the
// search does not change how that ended.
static bool may_go_on(struct campaign_state *state, enum generator_status status)
{
    enum campaign_end end;
    struct campaign *c = state->campaign;
    if (status == GENERATOR_AFTER && (time_ended(state) || interrupt_pending()))
        c->end = natural_end(state);
    else if (status > GENERATOR_AFTER && campaign_budget_ended(state, &end))
        c->end = state->complete ? CAMPAIGN_COMPLETE : end;
    else
        return true;
    return false;
}

// ---- turns ----

static void ask_all(struct campaign_parts *p, enum generator_status statuses[GENERATOR_COUNT])
{
    for (int i = 0; i < GENERATOR_COUNT; i++)
        statuses[i] = generators[i]->status(p->selves[i], &p->state);
}

static bool execute(struct campaign_parts *p, enum generator_id origin,
                    const struct proposal *proposal, size_t *gain)
{
    struct execution execution = {.origin = origin};
    if (!executor_run(&p->executor, proposal, &execution))
        return false;
    for (int i = 0; i < GENERATOR_COUNT; i++)
        if (generators[i]->learn)
            generators[i]->learn(p->selves[i], &p->state, &execution);
    *gain = execution.gain;
    return executor_check_fork(&p->executor);
}

// Execute the proposal and account for the turn. False: the target failed.
static bool finish_turn(struct campaign_parts *p, enum generator_id id,
                        const struct proposal *proposal)
{
    struct campaign_state *state = &p->state;
    size_t gain = 0;
    bool good = proposal->kind == PROPOSAL_SPENT ||
                (proposal->kind == PROPOSAL_INPUT && execute(p, id, proposal, &gain));
    uint64_t work = state->work - state->turn_begin;
    scheduler_account(&p->scheduler, id, work ? work : 1, gain);
    if (good && state->request->progress)
        state->request->progress(state->campaign, state->request->context);
    state->campaign->end = good ? state->campaign->end : CAMPAIGN_FAILED;
    return good;
}

// Give somebody a turn. False: nobody had anything, a budget is used up, or the target failed.
static bool take_turn(struct campaign_parts *p)
{
    struct campaign_state *state = &p->state;
    enum generator_status statuses[GENERATOR_COUNT];
    bool reconsidered = false;
    ask_all(p, statuses);
    for (;;) {
        enum generator_id id = scheduler_next(&p->scheduler, statuses);
        bool stuck = id == SCHEDULER_NOBODY || statuses[id] <= GENERATOR_STUCK;
        if (stuck && !reconsidered) {
            reconsidered = true;
            if (search_aim_reconsider(&p->aim, state))
                ask_all(p, statuses);
            continue;
        }
        if (id == SCHEDULER_NOBODY) {
            state->campaign->end = natural_end(state);
            return false;
        }
        if (!may_go_on(state, statuses[id]))
            return false;
        state->turn_begin = state->work;
        struct proposal proposal = generators[id]->propose(p->selves[id], state);
        if (proposal.kind != PROPOSAL_NONE)
            return finish_turn(p, id, &proposal);
        statuses[id] = GENERATOR_WAITING;
    }
}

static void search(struct campaign_parts *p)
{
    struct campaign_state *state = &p->state;
    struct campaign *c = state->campaign;
    for (uint64_t turn = 1;; turn++) {
        proofs_beside_search(&p->proofs, state);
        search_aim_choose(&p->aim, state);
        state->complete = coverage_complete(&c->coverage);
        if (!memory_limits_hold(&p->memory, state, turn)) {
            c->end = state->complete ? CAMPAIGN_COMPLETE : CAMPAIGN_MEMORY;
            return;
        }
        if (!take_turn(p))
            return;
    }
}

// ---- beginning and end ----

static void prepare_campaign(const struct campaign_request *request, struct campaign *c,
                             struct cfg *cfg)
{
    size_t goals = 2 * request->unit->program.branch_count;
    campaign_set_goals(request, cfg, &c->coverage);
    c->partial = conclusion_driver_is_partial(request);
    c->dead = arena_array(&c->arena, bool, goals);
    c->dead_always = arena_array(&c->arena, bool, goals);
    c->assumed = arena_array(&c->arena, bool, goals);
    c->behind_fault = arena_array(&c->arena, bool, goals);
}

static void prepare_solver(struct campaign_state *state, double deadline)
{
    const struct options *o = state->request->options;
    const struct unit *unit = state->request->unit;
    struct solver_options limits = SOLVER_OPTIONS_DEFAULT;
    limits.rlimit = (unsigned)o->solver_limit;
    limits.deadline = deadline; // the query in which the time ends is given up
    solver_parse_layers(o->layers, &limits.without, NULL); // the command line was checked
    limits.dump_directory = *o->dump_queries ? o->dump_queries : NULL;
    limits.slow_directory = unit->queries;
    limits.dump_name = unit->program.tasks[state->request->task].name;
    state->solver_limits = limits;
    state->solver = solver_new(state->pool, &limits);
}

static struct explorer_options explorer_options(const struct options *o)
{
    return (struct explorer_options){.strategy = strategies[o->strategy],
                                     .seed = (uint64_t)o->seed,
                                     .enumerate = (unsigned)o->enumerate,
                                     .no_filter = o->no_filter,
                                     .details = {.walk_down = (unsigned)o->walk_down,
                                                 .fixed_k = (unsigned)o->fixed_k,
                                                 .no_dominators = o->no_dominators,
                                                 .no_fitness = o->no_fitness}};
}

static void prepare_parts(struct campaign_parts *p, double deadline)
{
    struct campaign_state *state = &p->state;
    struct campaign *c = state->campaign;
    corpus_init(&state->corpus, &c->arena);
    state->pool = expr_pool_new();
    prepare_solver(state, deadline);
    state->how = explorer_options(state->request->options);
    state->explorer = &state->tree;
    explorer_init(&state->tree, &state->request->unit->program, &c->coverage, state->pool,
                  &state->how);
    executor_init(&p->executor, state);
    memory_limits_init(&p->memory);
    scheduler_init(&p->scheduler);
    for (int i = 0; i < GENERATOR_COUNT; i++)
        p->selves[i] = generators[i]->create ? generators[i]->create(state) : NULL;
}

static void release_generators(struct campaign_parts *p)
{
    for (int i = 0; i < GENERATOR_COUNT; i++)
        if (generators[i]->destroy)
            generators[i]->destroy(p->selves[i], &p->state);
    assert(p->state.explorer == &p->state.tree);
}

static void release_parts(struct campaign_parts *p)
{
    struct campaign_state *state = &p->state;
    tree_search_count_solver(state);
    explorer_release(&state->tree);
    solver_free(state->solver);
    executor_release(&p->executor);
    expr_pool_free(state->pool);
    corpus_release(&state->corpus);
    buf_release(&state->input);
    coverage_forget_graph(&state->campaign->coverage); // the graph does not outlive the search
    cfg_free(state->cfg);
}

// What the search found out, and how far that depends on clocks and machines.
static void conclude(struct campaign_parts *p)
{
    struct campaign *c = p->state.campaign;
    struct target *target = p->state.request->target;
    executor_sample(&p->executor);
    conclusion_draw(&p->state);
    proofs_after_search(&p->proofs, &p->state);
    conclusion_forget_assumed(c);
    c->reproducible = c->end != CAMPAIGN_TIME && !p->state.solver_hit_clock &&
                      !p->proofs.hit_clock && !p->memory.decided && !target_hit_clock(target) &&
                      !p->executor.not_deterministic;
    c->restarts = target_restarts(target);
    c->spoilt = target_spoilt(target);
}

void campaign_run(const struct campaign_request *request, struct campaign *c)
{
    *c = (struct campaign){0};
    arena_init(&c->arena);
    coverage_init(&c->coverage, &request->unit->program, request->task);
    struct campaign_parts p = {.state = {.request = request,
                                         .campaign = c,
                                         .cfg = campaign_graph(request),
                                         .start = request->start}};
    prepare_campaign(request, c, p.state.cfg);
    double end = request->seconds > 0 ? request->start + request->seconds : 0;
    target_set_deadline(request->target, end);
    prepare_parts(&p, end);

    search(&p);
    bool goes_on = c->end != CAMPAIGN_FAILED && !interrupt_pending();
    release_generators(&p);
    conclude(&p);
    if (end > 0)
        target_set_deadline(request->target, end + OPTIONS_TIME_SIMPLIFY);
    if (goes_on)
        alarm_tests_simplify(&p.executor);
    c->seconds = clock_now() - p.state.start;
    release_parts(&p);
}

void campaign_release(struct campaign *c)
{
    coverage_release(&c->coverage);
    VEC_RELEASE(&c->kept);
    VEC_RELEASE(&c->samples);
    VEC_RELEASE(&c->checks);
    arena_release(&c->arena);
    *c = (struct campaign){0};
}

const char *campaign_end_text(const struct campaign *c, const struct options *o,
                              struct arena *arena)
{
    switch (c->end) {
    case CAMPAIGN_COMPLETE: return "everything was reached";
    case CAMPAIGN_EXHAUSTED: return "all paths were explored";
    case CAMPAIGN_INTERRUPTED: return "the run was interrupted";
    case CAMPAIGN_TIME:
        return arena_printf(arena, "budget: --time %lld ended", (long long)o->seconds);
    case CAMPAIGN_ITERATIONS:
        return arena_printf(arena, "budget: --iterations %lld ended", (long long)o->iterations);
    case CAMPAIGN_PATIENCE:
        return arena_printf(arena, "budget: --patience %lld ended without progress",
                            (long long)patience(o));
    case CAMPAIGN_MEMORY:
        return arena_printf(arena, "budget: --memory %lld MB used up", (long long)o->memory);
    case CAMPAIGN_GAVE_UP:
        return c->dropped   ? "candidates were dropped for want of memory (--memory)"
               : c->unknown ? "solver limit (--solver-limit) on some branches"
                            : "some branches could not be followed";
    case CAMPAIGN_FAILED: break;
    }
    return "the target could not be run";
}
