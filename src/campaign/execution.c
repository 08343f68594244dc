// SPDX-License-Identifier: Apache-2.0
// One execution of a search. See execution.h.
#include "campaign/execution.h"

#include "base/clock.h"
#include "base/tunables.h"
#include "campaign/alarm_causes.h"
#include "program/faults.h"
#include <string.h>

void executor_init(struct executor *x, struct campaign_state *state)
{
    const struct program *program = &state->request->unit->program;
    *x = (struct executor){.state = state};
    map_init(&x->alarms);
    step_budget_init(&x->steps, (uint64_t)state->request->options->steps);
    x->goals = xcalloc(2 * program->branch_count + 1, sizeof *x->goals);
    trace_decoder_init(&x->decoder, state->pool, program);
}

void executor_release(struct executor *x)
{
    trace_decoder_release(&x->decoder);
    map_release(&x->alarms);
    free(x->goals);
}

const void *executor_area(const struct campaign_state *state, const struct wire_area *which,
                          uint32_t first, size_t size)
{
    return (const char *)target_area(state->request->target, which) + first * size;
}

// ---- alarms ----

bool executor_saw_alarm(const struct executor *x, uint32_t fault, uint32_t site)
{
    return map_get(&x->alarms, (uint64_t)fault << 32 | site, NULL);
}

// Is this an alarm, and the first of its cause at its place? A run in which undefined
// behaviour is followed by a fault is the second choice: the two may be one.
static bool is_new_alarm(struct executor *x, const struct wire_run *run, uint32_t fault,
                         uint32_t site)
{
    bool mixed = fault_is_soft(fault) && run->status == WIRE_FAULT;
    if (mixed && executor_saw_alarm(x, fault, site))
        return false;
    uint64_t key = (uint64_t)fault << 32 | site | (uint64_t)mixed << 63;
    if (!(x->state->request->unit->checks >> fault & 1) || map_get(&x->alarms, key, NULL))
        return false;
    map_put(&x->alarms, key, 1);
    return true;
}

// ---- keeping ----

static size_t known_vectors(const struct coverage *coverage, const struct wire_vector *vectors,
                            size_t count, uint32_t *indices)
{
    size_t known = 0;
    for (size_t i = 0; i < count; i++) {
        size_t index = coverage_find_vector(coverage, &vectors[i]);
        if (index != SIZE_MAX)
            indices[known++] = (uint32_t)index;
    }
    return known;
}

// Remember the input and what it reached.
static uint32_t remember(struct executor *x, const struct wire_run *run,
                         const struct execution *execution)
{
    struct campaign_state *state = x->state;
    const struct coverage *coverage = &state->campaign->coverage;
    const struct wire_header *wire = target_wire(state->request->target);
    const uint32_t *hits = executor_area(state, &wire->hits, run->first_hit, sizeof *hits);
    const struct wire_vector *vectors =
        executor_area(state, &wire->vectors, run->first_vector, sizeof *vectors);
    uint32_t *indices = xcalloc(run->vector_count + 1, sizeof *indices);
    struct corpus_reach reach = {
        .places = executor_area(state, &wire->uses, run->first_use, sizeof(uint32_t)),
        .place_count = run->use_count,
        .goals = x->goals,
        .goal_count = coverage_expand(coverage, hits, run->hit_count, x->goals),
        .vectors = indices,
        .vector_count = known_vectors(coverage, vectors, run->vector_count, indices)};
    uint32_t number =
        execution->number != CORPUS_NONE
            ? execution->number
            : corpus_add(
                  &state->corpus,
                  &(struct corpus_entry){
                      .bytes = executor_area(state, &wire->inputs, run->input_offset, 1),
                      .size = run->input_size,
                      .origin = execution->origin,
                      .parent = execution->proposal ? execution->proposal->parent : CORPUS_NONE,
                      .work = state->work - state->turn_begin});
    corpus_set_reach(&state->corpus, number, &reach);
    free(indices);
    return number;
}

// The bytes that the run used, which may be more or less than it was given.
static const uint8_t *used_bytes(const struct campaign_state *state,
                                 const struct corpus_entry *entry, size_t used)
{
    if (entry->size == used)
        return entry->bytes;
    uint8_t *bytes = arena_alloc(&state->campaign->arena, used);
    memcpy(bytes, entry->bytes, used < entry->size ? used : entry->size);
    return bytes;
}

uint32_t executor_keep(struct executor *x, const struct wire_run *run,
                       const struct execution *execution, const struct wire_soft *alarm)
{
    struct campaign *c = x->state->campaign;
    const struct campaign_request *request = x->state->request;
    uint32_t number = execution->number;
    if (number == CORPUS_NONE || !corpus_get(&x->state->corpus, number)->reach)
        number = remember(x, run, execution);
    const struct corpus_entry *entry = corpus_get(&x->state->corpus, number);
    *VEC_PUSH(&c->kept) = (struct kept_test){
        .input = used_bytes(x->state, entry, run->input_used),
        .input_size = run->input_used,
        .uses = entry->reach->places,
        .use_count = entry->reach->place_count,
        .goals = entry->reach->goals,
        .goal_count = entry->reach->goal_count,
        .vectors = entry->reach->vectors,
        .vector_count = entry->reach->vector_count,
        .status = run->status,
        .fault = alarm ? alarm->fault : run->fault,
        .fault_site = alarm ? alarm->site : run->fault_site,
        .leaves = run->status == WIRE_EXIT || (run->status == WIRE_OK && run->exit_code),
        .at_bound = run->fault_place != 0 || (run->status == WIRE_STEPS && run->exit_code),
        .first_of_alarm = alarm != NULL,
        .steps = target_wire(request->target)->step_budget,
    };
    if (c->kept.count == 1 && request->first_kept)
        request->first_kept(&c->kept.items[0], request->context);
    return number;
}

// ---- accounting ----

void executor_sample(const struct executor *x)
{
    struct campaign *c = x->state->campaign;
    *VEC_PUSH(&c->samples) = (struct campaign_sample){
        .iteration = c->iterations,
        .queries = c->queries,
        .seconds = clock_now() - x->state->start,
        .branches = (uint32_t)c->coverage.covered_count,
        .conditions = (uint32_t)c->coverage.pair_count,
        .statements = (uint32_t)c->coverage.statement_count,
    };
}

// One test for each alarm that nobody has raised before. Returns how many.
static unsigned keep_alarms(struct executor *x, const struct wire_run *run,
                            struct execution *execution)
{
    struct wire_soft alarms[WIRE_MAX_SOFT + 1];
    unsigned count = 0;
    uint64_t full = (uint64_t)x->state->request->options->steps;
    if (run->status == WIRE_FAULT && is_new_alarm(x, run, run->fault, run->fault_site))
        alarms[count++] = (struct wire_soft){run->fault, run->fault_site};
    else if (run->status == WIRE_STEPS && run->fault_site && run->steps >= full &&
             is_new_alarm(x, run, WIRE_FAULT_STEPS, run->fault_site))
        alarms[count++] = (struct wire_soft){WIRE_FAULT_STEPS, run->fault_site};
    for (uint32_t i = 0; i < run->soft_count && i < WIRE_MAX_SOFT; i++)
        if (is_new_alarm(x, run, run->soft[i].fault, run->soft[i].site))
            alarms[count++] = run->soft[i];
    for (unsigned i = 0; i < count; i++)
        execution->number = executor_keep(x, run, execution, &alarms[i]);
    return count;
}

static void count_end(struct campaign_state *state, const struct wire_run *run)
{
    struct campaign *c = state->campaign;
    // An abort ends the clean build too; after other faults it may run on.
    bool hides = run->status == WIRE_FAULT && fault_hides_paths(run->fault);
    c->faults += hides;
    c->unexplained_faults += hides && !(state->request->unit->checks >> run->fault & 1);
    bool ended = run->status == WIRE_OK || run->status == WIRE_EXIT || run->status == WIRE_FAULT;
    bool at_open_end = run->status == WIRE_STEPS && run->exit_code;
    c->open_ends += at_open_end;
    c->cut_off += (!ended && !at_open_end) || run->fault == WIRE_FAULT_MEMORY;
}

static void note_gain(struct executor *x, const struct coverage_gain *gain, unsigned alarms,
                      struct execution *execution)
{
    struct campaign_state *state = x->state;
    const struct campaign *c = state->campaign;
    if (gain->items)
        state->last_new = c->iterations;
    if (gain->items || gain->ran || alarms) {
        state->last_gain = c->iterations;
        state->last_queries = c->queries;
    }
    execution->items += gain->items;
    execution->gain += gain->items + alarms + (gain->ran != 0);
    if (gain->goals || gain->pairs || gain->statements)
        executor_sample(x);
}

// Coverage, alarms and losses of one run.
static void account(struct executor *x, const struct wire_run *run, struct execution *execution)
{
    struct campaign_state *state = x->state;
    struct campaign *c = state->campaign;
    const struct wire_header *wire = target_wire(state->request->target);
    const uint32_t *hits = executor_area(state, &wire->hits, run->first_hit, sizeof *hits);
    const struct wire_vector *vectors =
        executor_area(state, &wire->vectors, run->first_vector, sizeof *vectors);
    for (int i = 0; i < WIRE_LOSS_COUNT; i++)
        c->losses[i] += run->losses[i];
    if (run->status == WIRE_REJECTED) { // an assumption failed: it has reached nothing
        c->rejected++;
        return;
    }
    struct coverage_gain gain = coverage_add(&c->coverage, hits, run->hit_count, vectors,
                                             run->vector_count, run->status == WIRE_FAULT);
    unsigned alarms = keep_alarms(x, run, execution);
    bool clean = (run->status == WIRE_OK || run->status == WIRE_EXIT) && !run->soft_count;
    if (gain.goals || gain.vectors || gain.ran || !c->kept.count || (clean && !state->kept_clean))
        execution->number = executor_keep(x, run, execution, NULL);
    state->kept_clean |= clean;
    note_gain(x, &gain, alarms, execution);
    count_end(state, run);
}

// Tests were kept, from number `first` on: find what would have ruled out their alarms.
static void explain(struct executor *x, size_t first, const struct execution *execution)
{
    struct campaign_state *state = x->state;
    struct campaign *c = state->campaign;
    for (size_t i = first; i < c->kept.count; i++) {
        struct kept_test *test = &c->kept.items[i];
        struct causes_request request = {.campaign = state->request,
                                         .pool = state->pool,
                                         .solver = state->solver,
                                         .decoder = &x->decoder,
                                         .run = execution->run,
                                         .records = execution->records,
                                         .count = execution->record_count,
                                         .fault = test->fault,
                                         .site = test->fault_site};
        if (test->first_of_alarm)
            causes_find(&request, &c->arena, test);
    }
}

// ---- running ----

static uint64_t hash_records(const struct wire_record *records, uint32_t count)
{
    uint64_t hash = count;
    for (uint32_t i = 0; i < count; i++)
        hash = hash_mix(hash ^ records[i].value ^ (uint64_t)records[i].site << 32 ^
                        (uint64_t)records[i].kind << 16 ^ (uint64_t)records[i].outcome << 20);
    return hash;
}

uint32_t executor_flags(const struct campaign_request *request)
{
    bool all_steps = request->unit->checks >> WIRE_FAULT_STEPS & 1;
    return WIRE_CONCOLIC | (all_steps ? WIRE_ALL_STEPS : 0);
}

static bool run_input(struct executor *x, struct execution *execution)
{
    struct campaign_state *state = x->state;
    struct campaign *c = state->campaign;
    struct target *target = state->request->target;
    const struct wire_header *wire = target_wire(target);
    target_set_steps(target, step_budget_next(&x->steps));
    bool fresh = wire->node_count > CAMPAIGN_NODES_PER_RESET || c->iterations == 0;
    target_begin(target, (uint32_t)state->request->task,
                 executor_flags(state->request) | (fresh ? 0 : WIRE_KEEP_NODES));
    target_add(target, state->input.data, state->input.length);
    if (!target_run(target, &c->failure))
        return false;
    c->iterations++;
    c->runs++;
    state->work++;
    execution->run = target_result(target, 0);
    execution->steps += execution->run->steps;
    size_t kept = c->kept.count;
    account(x, execution->run, execution);
    struct error err = {0};
    execution->records = NULL;
    execution->record_count = 0;
    if (trace_begin(&x->decoder, wire, wire->size, &err))
        execution->records = trace_records(&x->decoder, 0, &execution->record_count, &err);
    if (execution->records && c->kept.count > kept && !state->request->options->no_inference)
        explain(x, kept, execution);
    return true;
}

static bool ends(const struct wire_run *run)
{
    return run->status != WIRE_STEPS &&
           (run->status != WIRE_FAULT ||
            (run->fault != WIRE_FAULT_ENDLESS && run->fault != WIRE_FAULT_STACK));
}

// Its decisions become part of the tree; the input is remembered if they are new there.
static void absorb(struct executor *x, struct execution *execution, size_t items)
{
    struct campaign_state *state = x->state;
    const struct proposal *proposal = execution->proposal;
    bool grew = false;
    struct error err = {0};
    uint32_t count = execution->record_count;
    uint32_t number = execution->number != CORPUS_NONE ? execution->number
                                                       : (uint32_t)state->corpus.entries.count;
    if (!ends(execution->run) && count > CAMPAIGN_CUT_OFF_RECORDS) {
        count = CAMPAIGN_CUT_OFF_RECORDS; // a loop that does not end repeats itself
        state->campaign->cut_off += execution->run->status == WIRE_FAULT; // others are counted
    }
    if (!execution->records || !explorer_absorb(state->explorer, &x->decoder, execution->records,
                                                count, number, &grew, &err))
        state->campaign->losses[WIRE_LOSS_NODES]++;
    if (grew && execution->number == CORPUS_NONE)
        execution->number = corpus_add(
            &state->corpus, &(struct corpus_entry){.bytes = (const uint8_t *)state->input.data,
                                                   .size = state->input.length,
                                                   .origin = execution->origin,
                                                   .parent = proposal->parent,
                                                   .work = state->work - state->turn_begin});
    explorer_ran(state->explorer, proposal->is_solved ? &proposal->chosen : NULL,
                 proposal->is_solved ? proposal->parent : 0, items,
                 (const uint8_t *)state->input.data, state->input.length);
}

bool executor_run(struct executor *x, const struct proposal *proposal, struct execution *execution)
{
    struct campaign_state *state = x->state;
    execution->proposal = proposal;
    do {
        size_t before = execution->items;
        execution->number = CORPUS_NONE; // a repetition reaches more
        if (!run_input(x, execution))
            return false;
        if (!proposal->outside_tree)
            absorb(x, execution, execution->items - before);
    } while (step_budget_learn(&x->steps, execution->run));
    if (proposal->is_solved)
        explorer_settle(state->explorer, &proposal->chosen, SOLVER_SAT);
    x->hash = x->fork_checks < CAMPAIGN_FORK_CHECKS && execution->records
                  ? hash_records(execution->records, execution->record_count)
                  : 0;
    return true;
}

static bool repeat_and_compare(struct executor *x)
{
    struct campaign_state *state = x->state;
    struct target *target = state->request->target;
    struct error err = {0};
    uint32_t count = 0;
    x->fork_checks++;
    target_begin(target, (uint32_t)state->request->task,
                 executor_flags(state->request) | WIRE_KEEP_NODES);
    target_add(target, state->input.data, state->input.length);
    if (!target_run(target, &state->campaign->failure))
        return false;
    state->campaign->runs++;
    const struct wire_record *again =
        trace_begin(&x->decoder, target_wire(target), target_wire(target)->size, &err)
            ? trace_records(&x->decoder, 0, &count, &err)
            : NULL;
    x->not_deterministic |= !again || hash_records(again, count) != x->hash;
    return true;
}

// After the same decisions an execution took another one than those before. If it and the next
// ones do the same again, code without instrumentation decided by what it read. One repetition
// would not do: a short execution can be the same by chance.
// After the same decisions an execution took another one than those before. If it and the next
// ones do the same again, code without instrumentation decided by what it read. One repetition
// would not do: a short execution can be the same by chance.
bool executor_check_fork(struct executor *x)
{
    bool check = x->state->explorer->forked && x->fork_checks < CAMPAIGN_FORK_CHECKS &&
                 !x->not_deterministic;
    return !check || repeat_and_compare(x);
}
