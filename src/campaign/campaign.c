// SPDX-License-Identifier: Apache-2.0
// The concolic loop of one task. Work is counted in iterations (one concolic
// execution each); the clock is only looked at between iterations.
#include "campaign/campaign.h"

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "unit/assumptions.h"
#include "campaign/campaign_internal.h"
#include "campaign/campaign_setup.h"
#include "program/faults.h"
#include "program/losses.h"
#include "campaign/optimiser_proofs.h"
#include "options/time_limits.h"
#include "program/places.h"
#include "search/strategies.h"
#include <stdlib.h>
#include <string.h>

enum {
    PROOF_AFTER = 64,     // iterations before the optimiser is asked for dead branches
    PATIENCE = 4000,      // default of --patience
    QUERIES_PER_RUN = 8,  // that many queries try patience like one execution
    MEMORY_EVERY = 64,    // steps between looks at the memory in use
    PROCESS_EVERY = 4,    // ... at the memory of the whole process
    RELIEF_EVERY = 256,   // steps between two attempts to free some of that
    MEMORY_ROUNDS = 4,    // halvings of the candidates before memory is too short
    EXPR_BYTES = 64,      // of an expression in its pool, about
    STANDSTILL = 500,     // iterations without a gain after which what was postponed gets turns
    POSTPONED_EVERY = 16, // steps for one of them
    THROUGH = 100,        // iterations without anything new before crashing tests are replaced
    RESIGN = 200,         // iterations without a gain after which crashing tests have to do
    HUNT_EVERY = 4,       // steps of the search for one attempt at a check
    HUNT_MORE_EVERY = 16, // ... for one more at a check that was tried often
    LAST_HUNTS = 2000,    // attempts when no branch is open any more
    PROOFS_LARGE = 1000,  // goals of a task whose proofs the search does not wait for
    PROOFS_SECONDS = 20,  // of the clock, for all proofs of a task
};
static const size_t MEMORY_LEAST = (size_t)1024 << 20; // of a process: less is not worth a look
static const double PROOFS_SHARE = 0.1; // of --time: how long the search waits for them

static bool give_up_time(const struct loop *loop)
{
    double seconds = loop->request->seconds;
    return seconds > 0 && clock_now() - loop->start > seconds;
}

// Who sets a time wants it used.
static uint64_t patience(const struct options *o)
{
    if (o->patience)
        return (uint64_t)o->patience;
    return o->seconds_given && o->seconds ? UINT64_MAX : PATIENCE;
}

bool campaign_budget_ended(struct loop *loop)
{
    struct campaign *c = loop->campaign;
    const struct options *o = loop->request->options;
    if (interrupt_pending())
        c->end = CAMPAIGN_INTERRUPTED;
    else if (o->iterations && c->iterations >= (uint64_t)o->iterations)
        c->end = CAMPAIGN_ITERATIONS;
    else if (c->iterations - loop->last_gain >= patience(o) ||
             (c->queries - loop->last_queries) / QUERIES_PER_RUN >= patience(o))
        c->end = CAMPAIGN_PATIENCE;
    else if (give_up_time(loop))
        c->end = CAMPAIGN_TIME;
    else
        return false;
    return true;
}

// A volatile pointer may change between two reads, which the driver does not do; other
// volatile variables are inputs at each read.
static bool may_change(const struct variable *variable)
{
    const struct type *type = variable->type;
    while (type->kind == TYPE_ARRAY)
        type = type->target;
    return variable->is_volatile && type->kind != TYPE_INT && type->kind != TYPE_BOOL &&
           type->kind != TYPE_ENUM && type->kind != TYPE_FLOAT;
}

// Does the driver leave out inputs of the task? Then nothing is proven by its means.
static bool driver_is_partial(const struct campaign_request *request)
{
    const struct unit *unit = request->unit;
    const struct program *program = &unit->program;
    const struct task *task = &program->tasks[request->task];
    for (size_t i = 0; i < task->global_count; i++)
        if (may_change(&program->variables[task->globals[i]]))
            return true;
    for (size_t i = 0; i < unit->note_count; i++)
        if (unit->notes[i].task == request->task && unit->notes[i].kind == NOTE_PARTIAL)
            return true;
    for (size_t i = 0; i < unit->hardware.use_count; i++)
        if (unit->hardware.uses[i].partial &&
            unit_left_out(request->unit, task, &unit->hardware.uses[i]))
            return true;
    return false;
}

static bool counts_calls(const struct campaign_request *request)
{
    for (size_t i = 0; i < request->unit->note_count; i++)
        if (request->unit->notes[i].task == request->task &&
            request->unit->notes[i].kind == NOTE_CALLS)
            return true;
    return false;
}

static void forget_dead_goals(struct loop *loop)
{
    struct campaign *c = loop->campaign;
    for (uint32_t goal = 0; goal < 2 * c->coverage.program->branch_count; goal++)
        if (c->dead[goal])
            coverage_set_dead(&c->coverage, goal);
}

// First for every call with any memory, then, unless the search has explored all that, by the
// driver, with its assumptions and without. One process answers all of it; what is not wanted
// any more when it comes to that is not waited for.
static bool start_proofs(struct loop *loop)
{
    struct campaign *c = loop->campaign;
    struct unit *unit = loop->request->unit;
    bool by_driver = !c->partial && !c->exhausted;
    bool assumes = by_driver && *assumptions_text(unit, loop->request->task);
    // A handler may come at any time, which the function alone does not show.
    bool interrupted = unit->program.tasks[loop->request->task].interrupted;
    loop->proofs =
        proofs_start(loop->request, (bool[PROOFS_STEPS]){!interrupted, by_driver, assumes});
    return loop->proofs;
}

// Take over what is decided by `end`. True: everything that is wanted is.
static bool take_proofs(struct loop *loop, double end)
{
    struct campaign *c = loop->campaign;
    size_t goals = 2 * c->coverage.program->branch_count;
    bool assumes = *assumptions_text(loop->request->unit, loop->request->task);
    if (!proofs_wait(loop->proofs, PROOFS_FUNCTION, end))
        return false;
    const bool *always = proofs_dead(loop->proofs, PROOFS_FUNCTION);
    for (size_t goal = 0; always && goal < goals; goal++)
        c->dead[goal] = c->dead_always[goal] = always[goal];
    forget_dead_goals(loop);
    if (c->partial || c->exhausted || coverage_complete(&c->coverage))
        return true;
    // What is dead without assumptions, too, does not presume them: both, or none.
    if (!proofs_wait(loop->proofs, assumes ? PROOFS_DRIVER_ALONE : PROOFS_DRIVER, end))
        return false;
    const bool *dead = proofs_dead(loop->proofs, PROOFS_DRIVER);
    const bool *without = proofs_dead(loop->proofs, PROOFS_DRIVER_ALONE);
    for (size_t goal = 0; dead && goal < goals; goal++) {
        c->assumed[goal] = assumes && dead[goal] && !(without && without[goal]) && !c->dead[goal];
        c->dead[goal] |= dead[goal];
    }
    forget_dead_goals(loop);
    return true;
}

static bool is_large(const struct loop *loop)
{
    return loop->campaign->coverage.goal_count > PROOFS_LARGE;
}

// How long the search waits for them. Only where runs are to be reproducible as long as they need.
static double proofs_patience(const struct loop *loop)
{
    double share = loop->request->seconds * PROOFS_SHARE;
    if (loop->request->options->iterations || !loop->request->seconds)
        return PROOFS_SECONDS;
    return share < PROOFS_SECONDS ? share : PROOFS_SECONDS;
}

// Ask the optimiser which of the open goals are unreachable; once per task. It works beside
// the search. Those of a small task are waited for, since dead goals would be searched for in
// vain; those of a large one when nothing else gets on.
static void prove_beside(struct loop *loop)
{
    struct campaign *c = loop->campaign;
    if (loop->proofs_done || loop->request->options->no_proofs || coverage_complete(&c->coverage) ||
        coverage_only_crashed(&c->coverage))
        return;
    if (!loop->proofs && !start_proofs(loop)) {
        loop->proofs_done = true;
        return;
    }
    if (is_large(loop) && c->iterations - loop->last_gain < STANDSTILL)
        return;
    if (!loop->proofs_wait_ended) {
        loop->proofs_wait_ended = true;
        loop->proofs_done = take_proofs(loop, clock_now() + proofs_patience(loop));
        loop->proofs_hit_clock |= !loop->proofs_done;
    } else if (!loop->request->options->iterations) {
        loop->proofs_done = take_proofs(loop, 0); // the clock has decided anyway
    }
}

// The search is over: what is still open?
static void prove_rest(struct loop *loop)
{
    struct campaign *c = loop->campaign;
    double seconds = loop->request->seconds;
    if (!loop->proofs_done && !loop->request->options->no_proofs &&
        !coverage_complete(&c->coverage) && !coverage_only_crashed(&c->coverage) &&
        (loop->proofs || start_proofs(loop))) {
        double end = proofs_begin(loop->proofs) + PROOFS_SECONDS;
        if (seconds > 0 && end > loop->start + seconds + TIME_PROOFS)
            end = loop->start + seconds + TIME_PROOFS;
        loop->proofs_done = take_proofs(loop, end);
        c->proofs_cut = !loop->proofs_done;
        loop->proofs_hit_clock |= c->proofs_cut;
    }
    proofs_stop(loop->proofs);
    loop->proofs = NULL;
}

// Solve; on success the next input is in loop->input.
static enum solver_answer solve(struct loop *loop, const struct candidate *candidate,
                                const expr_list *constraints)
{
    struct campaign *c = loop->campaign;
    loop->parent = explorer_input(loop->explorer, candidate);
    const struct stored_input *parent = &loop->inputs.items[loop->parent];
    struct solver_query query = {.constraints = constraints->items,
                                 .count = constraints->count,
                                 .input = parent->bytes,
                                 .input_size = parent->size};
    struct solver_model model = {0};
    double begin = clock_now();
    enum solver_answer answer = solver_check(loop->solver, &query, &model);
    c->solver_seconds += clock_now() - begin;
    c->queries++;
    c->sat += answer == SOLVER_SAT;
    c->unsat += answer == SOLVER_UNSAT;
    loop->solver_hit_clock |= solver_hit_clock(loop->solver);
    if (answer == SOLVER_SAT) {
        buf_clear(&loop->input);
        buf_add(&loop->input, parent->bytes, parent->size);
        solver_apply_model(&model, &loop->input);
    }
    solver_model_release(&model);
    return answer;
}

// For exactly the vector that a condition misses, and else for the candidate alone.
static enum solver_answer solve_candidate(struct loop *loop, const struct candidate *candidate)
{
    const expr_list *exact = explorer_vector(loop->explorer, candidate);
    if (exact) {
        loop->campaign->vector_queries++;
        if (solve(loop, candidate, exact) == SOLVER_SAT)
            return SOLVER_SAT;
    }
    return solve(loop, candidate, explorer_constraints(loop->explorer, candidate));
}

// Solve for the candidate and run the answer. False: the target failed. In a hurry a hard
// query is postponed.
static bool attempt(struct loop *loop, const struct candidate *candidate)
{
    solver_hurry(loop->solver, loop->hurry);
    enum solver_answer answer = solve_candidate(loop, candidate);
    if (answer == SOLVER_UNKNOWN && loop->hurry) {
        explorer_postpone(loop->explorer, candidate);
        return true;
    }
    loop->campaign->unknown += answer == SOLVER_UNKNOWN;
    if (answer == SOLVER_SAT && !campaign_execute(loop, candidate))
        return false;
    explorer_settle(loop->explorer, candidate, answer);
    if (loop->request->progress)
        loop->request->progress(loop->campaign, loop->request->context);
    return true;
}

// Every few steps, and as long as there are any when all goals are reached, try to
// violate a check. When nothing is left to reach, the search goes on for a while: alarms
// lie behind branches of the libc models, which are no goals.
static bool choose_next(struct loop *loop, bool complete, uint64_t step, struct candidate *out)
{
    const struct campaign *c = loop->campaign;
    loop->hurry = false;
    bool eager = complete || step % HUNT_EVERY == 0;
    if (eager && explorer_next_hunt(loop->explorer, true, out))
        return true;
    if (step % HUNT_MORE_EVERY == 0 && explorer_next_hunt(loop->explorer, false, out))
        return true;
    bool stands = c->iterations - loop->last_gain >= STANDSTILL;
    if (stands && step % POSTPONED_EVERY == 0 && explorer_next_postponed(loop->explorer, out))
        return true;
    if (complete && c->iterations - loop->last_gain >= (uint64_t)loop->request->options->afterglow)
        return false;
    loop->hurry = explorer_next(loop->explorer, out);
    return loop->hurry || explorer_next_postponed(loop->explorer, out);
}

// Drop candidates when memory is short; false: that did not help.
static bool fits_memory(struct loop *loop)
{
    size_t limit = (size_t)loop->request->options->memory << 20;
    size_t others = loop->input_bytes + expr_pool_size(loop->pool) * EXPR_BYTES;
    for (int round = 0; round < MEMORY_ROUNDS; round++) {
        if (others + explorer_bytes(loop->explorer) <= limit)
            return true;
        explorer_shed(loop->explorer, 0.5);
    }
    return others + explorer_bytes(loop->explorer) <= limit;
}

static void count_solver(struct loop *loop)
{
    struct campaign *c = loop->campaign;
    struct solver_counts counts[SOLVER_LAYER_COUNT] = {0};
    solver_count_layers(loop->solver, counts);
    for (int i = 0; i < SOLVER_LAYER_COUNT; i++) {
        c->layers[i].queries += counts[i].queries;
        c->layers[i].sat += counts[i].sat;
        c->layers[i].unsat += counts[i].unsat;
        c->layers[i].seconds += counts[i].seconds;
    }
    c->slow_queries += solver_slow_queries(loop->solver);
    loop->solver_hit_clock |= solver_hit_clock(loop->solver);
}

// A new solver: what the layers remember of earlier queries is gone.
static void renew_solver(struct loop *loop)
{
    count_solver(loop);
    solver_free(loop->solver);
    loop->solver = solver_new(loop->pool, &loop->solver_limits);
}

// What is counted above is what the search decides by, since it is the same everywhere. The
// process also holds what solvers and allocators keep: when it comes near the limit, that and
// half of the candidates go. False: that did not help.
static bool fits_process(struct loop *loop, uint64_t step)
{
    size_t limit = (size_t)loop->request->options->memory << 20, now = memory_resident();
    size_t used = now > loop->resident ? now - loop->resident : 0;
    limit = limit < MEMORY_LEAST ? MEMORY_LEAST : limit;
    if (used < limit - limit / 8)
        return true;
    if (loop->relieved && step - loop->relieved < RELIEF_EVERY)
        return used <= limit;
    loop->relieved = step;
    loop->memory_decided = true;
    explorer_shed(loop->explorer, 0.5);
    renew_solver(loop);
    memory_trim();
    return memory_resident() <= loop->resident + limit;
}

// Inputs that the user has. The places that a seed needs come into being as it runs.
static bool run_seeds(struct loop *loop)
{
    enum { ROUNDS = 3 };
    const struct seeds *seeds = loop->request->seeds;
    for (size_t i = 0; seeds && i < seeds->list.count; i++) {
        bool changed = true;
        buf_clear(&loop->input);
        for (int round = 0; changed && round < ROUNDS; round++) {
            struct places places;
            places_view(&places, target_wire(loop->request->target));
            seeds_apply(seeds, &seeds->list.items[i], &places, &loop->input, &changed);
            if (changed && !campaign_execute(loop, NULL))
                return false;
        }
    }
    return true;
}

// What nothing has reached comes first. When that does not get on, and when there is no more of
// it, tests that run through are looked for, where only crashing ones are known; from the start in
// a task of which no execution has ended well, because there they are the way on. True when that
// brings something back that was put aside.
static bool choose_aim(struct loop *loop)
{
    struct campaign *c = loop->campaign;
    if (loop->aim_epoch != c->coverage.epoch) {
        loop->only_crashed = coverage_only_crashed(&c->coverage);
        loop->aim_epoch = c->coverage.epoch;
    }
    bool stuck = !loop->kept_clean || (c->iterations - loop->last_new) / THROUGH % 2 ||
                 loop->ran_dry == loop->last_new + 1;
    bool before = c->coverage.through, resigned = c->coverage.resigned;
    coverage_set_through(&c->coverage, stuck || loop->only_crashed);
    if (!resigned && loop->only_crashed && c->iterations - loop->last_gain >= RESIGN)
        coverage_resign(&c->coverage);
    return (c->coverage.through > before || c->coverage.resigned > resigned) &&
           explorer_reconsider(loop->explorer);
}

// There is nothing else to try.
static bool reconsider(struct loop *loop)
{
    loop->ran_dry = loop->last_new + 1;
    return choose_aim(loop);
}

static void search(struct loop *loop)
{
    struct campaign *c = loop->campaign;
    c->end = CAMPAIGN_FAILED;
    if (!campaign_first_input(loop->request, &loop->input, &c->failure) ||
        !campaign_execute(loop, NULL) || !run_seeds(loop))
        return;
    for (uint64_t step = 1;; step++) {
        if (c->iterations >= PROOF_AFTER)
            prove_beside(loop);
        choose_aim(loop);
        bool complete = coverage_complete(&c->coverage);
        if (campaign_budget_ended(loop)) {
            c->end = complete ? CAMPAIGN_COMPLETE : c->end;
            return;
        }
        if ((step % MEMORY_EVERY == 0 && !fits_memory(loop)) ||
            (step % PROCESS_EVERY == 0 && !fits_process(loop, step))) {
            c->end = complete ? CAMPAIGN_COMPLETE : CAMPAIGN_MEMORY;
            return;
        }
        if (!campaign_get_through(loop)) {
            c->end = CAMPAIGN_FAILED;
            return;
        }
        struct candidate candidate;
        bool due =
            !complete && call_growth_is_due(&loop->growth, true, c->iterations, loop->last_gain);
        bool found = !due && (choose_next(loop, complete, step, &candidate) ||
                              (reconsider(loop) && choose_next(loop, complete, step, &candidate)));
        if (due || (!found && !complete &&
                    call_growth_is_due(&loop->growth, false, c->iterations, loop->last_gain))) {
            if (!campaign_grow(loop)) {
                c->end = CAMPAIGN_FAILED;
                return;
            }
            continue;
        }
        if (!found) {
            c->end = complete                             ? CAMPAIGN_COMPLETE
                     : explorer_exhausted(loop->explorer) ? CAMPAIGN_EXHAUSTED
                                                          : CAMPAIGN_GAVE_UP;
            break;
        }
        if (!attempt(loop, &candidate)) {
            c->end = CAMPAIGN_FAILED;
            return;
        }
    }
    // No branch is open any more, but some checks may not have been tried.
    struct candidate candidate;
    loop->hurry = false;
    for (int i = 0; i < LAST_HUNTS && !give_up_time(loop); i++)
        if (!explorer_next_hunt(loop->explorer, false, &candidate))
            return;
        else if (!attempt(loop, &candidate))
            return;
}

struct reached {
    const struct cfg *cfg;
    bool *goals;
};

static void mark_goal(uint32_t node, unsigned level, void *context)
{
    struct reached *reached = context;
    (void)level;
    if (reached->cfg->nodes[node].kind == CFG_OUTCOME)
        reached->goals[reached->cfg->nodes[node].subject] = true;
}

// Marks the goals that can be reached from the line of a site. False: the graph has no such line.
static bool mark_behind(struct loop *loop, uint32_t site)
{
    const struct instrument_result *instrumented = &loop->request->unit->instrumented;
    const struct cfg *cfg = loop->cfg;
    struct reached reached = {cfg, loop->campaign->behind_fault};
    bool found = false;
    if (!cfg || !site || site >= instrumented->site_count)
        return false;
    for (size_t i = 0; i < cfg->line_count; i++) {
        const struct cfg_line *line = &cfg->lines[i];
        if (line->line != instrumented->sites[site].line ||
            line->text != instrumented->sites[site].text)
            continue;
        cfg_walk_down(cfg, &loop->campaign->coverage.walk, line->node, UINT32_MAX, mark_goal,
                      &reached);
        found = true;
    }
    return found;
}

// Where undefined behaviour was seen, an execution can go on to what the graph reaches from there.
static void find_goals_behind_faults(struct loop *loop)
{
    struct campaign *c = loop->campaign;
    bool all = c->unexplained_faults > 0;
    for (size_t i = 0; i < c->kept.count && !all; i++)
        if (c->kept.items[i].first_of_alarm && fault_hides_paths(c->kept.items[i].fault))
            all = !mark_behind(loop, c->kept.items[i].fault_site);
    if (all)
        memset(c->behind_fault, true, 2 * c->coverage.program->branch_count * sizeof(bool));
}

static void conclude(struct loop *loop)
{
    struct campaign *c = loop->campaign;
    bool ended =
        c->end == CAMPAIGN_EXHAUSTED || c->end == CAMPAIGN_GAVE_UP || c->end == CAMPAIGN_PATIENCE;
    if (ended && coverage_only_crashed(&c->coverage))
        c->end = CAMPAIGN_COMPLETE; // crashing tests have to do
    uint64_t lost = c->cut_off + c->open_ends + c->unexplained_faults, bounds = 0;
    for (int i = 0; i < WIRE_LOSS_COUNT; i++)
        *(loss_class(i) == WIRE_LOSS_IS_OPEN ? &lost : &bounds) += c->losses[i];
    c->divergences = loop->explorer->divergences;
    c->filtered = loop->explorer->tree.filtered;
    c->dropped = loop->explorer->tree.dropped;
    c->choosing_seconds = loop->explorer->choosing;
    campaign_sample(loop);
    c->violations = loop->explorer->violations;
    find_goals_behind_faults(loop);
    bool all_refuted = campaign_list_checks(loop);
    // Where no execution at all satisfies the assumptions, everything would be infeasible:
    // no proof is to rest on them.
    c->calls_can_grow = counts_calls(loop->request) && !loop->most_calls_explored;
    bool all_followed = !lost && !c->partial && !c->calls_can_grow && !c->divergences &&
                        !c->unknown && c->rejected < c->runs && explorer_exhausted(loop->explorer);
    c->every_path = all_followed && !bounds && !c->faults && all_refuted && !c->filtered;
    c->exhausted = c->end == CAMPAIGN_EXHAUSTED && all_followed;
    prove_rest(loop);
    for (size_t goal = 0; c->rejected == c->runs && goal < 2 * c->coverage.program->branch_count;
         goal++)
        c->dead[goal] &= !c->assumed[goal];
    c->reproducible = c->end != CAMPAIGN_TIME && !loop->solver_hit_clock &&
                      !loop->proofs_hit_clock && !loop->memory_decided &&
                      !target_hit_clock(loop->request->target) && !loop->not_deterministic;
    c->restarts = target_restarts(loop->request->target);
    c->spoilt = target_spoilt(loop->request->target);
}

void campaign_run(const struct campaign_request *request, struct campaign *c)
{
    const struct program *program = &request->unit->program;
    const struct options *o = request->options;
    *c = (struct campaign){0};
    arena_init(&c->arena);
    coverage_init(&c->coverage, program, request->task);
    struct cfg *cfg = campaign_graph(request);
    campaign_set_goals(request, cfg, &c->coverage);
    c->partial = driver_is_partial(request);
    c->dead = arena_array(&c->arena, bool, 2 * program->branch_count);
    c->dead_always = arena_array(&c->arena, bool, 2 * program->branch_count);
    c->assumed = arena_array(&c->arena, bool, 2 * program->branch_count);
    c->behind_fault = arena_array(&c->arena, bool, 2 * program->branch_count);

    struct loop loop = {.request = request, .campaign = c, .cfg = cfg, .start = request->start};
    double end = request->seconds > 0 ? request->start + request->seconds : 0;
    target_set_deadline(request->target, end);
    map_init(&loop.alarms);
    step_budget_init(&loop.steps, (uint64_t)o->steps);
    loop.goals = xcalloc(2 * program->branch_count + 1, sizeof *loop.goals);
    loop.pool = expr_pool_new();
    trace_decoder_init(&loop.decoder, loop.pool, program);
    struct solver_options limits = SOLVER_OPTIONS_DEFAULT;
    limits.rlimit = (unsigned)o->solver_limit;
    limits.deadline = end; // the query in which the time ends is given up
    solver_parse_layers(o->layers, &limits.without, NULL); // the command line was checked
    limits.dump_directory = *o->dump_queries ? o->dump_queries : NULL;
    limits.slow_directory = request->unit->queries;
    limits.dump_name = program->tasks[request->task].name;
    loop.solver_limits = limits;
    loop.solver = solver_new(loop.pool, &limits);
    loop.resident = memory_resident();
    loop.how = (struct explorer_options){.strategy = strategy_by_name(o->strategy),
                                         .seed = (uint64_t)o->seed,
                                         .enumerate = (unsigned)o->enumerate,
                                         .no_filter = o->no_filter,
                                         .details = {.walk_down = (unsigned)o->walk_down,
                                                     .fixed_k = (unsigned)o->fixed_k,
                                                     .no_dominators = o->no_dominators,
                                                     .no_fitness = o->no_fitness}};
    loop.explorer = &loop.first;
    explorer_init(loop.explorer, program, &c->coverage, loop.pool, &loop.how);
    call_growth_init(&loop.growth, program->tasks[request->task].keeps_state, (unsigned)o->calls,
                     (unsigned)o->most_calls);

    search(&loop);
    bool goes_on = c->end != CAMPAIGN_FAILED && !interrupt_pending();
    campaign_note_calls(&loop);
    campaign_leave_grown(&loop);
    if (goes_on && o->afterglow)
        campaign_stress(&loop);
    conclude(&loop);
    if (end > 0)
        target_set_deadline(request->target, end + TIME_SIMPLIFY);
    if (goes_on)
        campaign_simplify(&loop);
    c->seconds = clock_now() - loop.start;

    count_solver(&loop);
    explorer_release(loop.explorer);
    solver_free(loop.solver);
    trace_decoder_release(&loop.decoder);
    expr_pool_free(loop.pool);
    VEC_RELEASE(&loop.inputs);
    map_release(&loop.alarms);
    buf_release(&loop.input);
    buf_release(&loop.stumbled);
    free(loop.goals);
    coverage_forget_graph(&c->coverage); // the graph does not outlive the search
    cfg_free(cfg);
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
