// SPDX-License-Identifier: Apache-2.0
// One execution of a search: run an input, count what it covers, keep it if it is worth a
// test, and give its decisions to the explorer.
#include "campaign/campaign_internal.h"

#include "base/clock.h"
#include "campaign/alarm_causes.h"
#include "program/faults.h"
#include <string.h>

enum {
    CUT_OFF_RECORDS = 300,      // decisions of an execution without end that are followed
    NODES_PER_RESET = 1u << 20, // wire nodes after which the node area starts afresh
};

const void *campaign_area(const struct loop *loop, const struct wire_area *which, uint32_t first,
                          size_t size)
{
    return (const char *)target_area(loop->request->target, which) + first * size;
}

void *campaign_copy(struct arena *arena, const void *from, size_t size)
{
    void *to = arena_alloc(arena, size);
    if (size)
        memcpy(to, from, size);
    return to;
}

// Is this an alarm, and the first of its cause at its place? A run in which undefined
// behaviour is followed by a fault is the second choice: the two may be one.
static bool is_new_alarm(struct loop *loop, const struct wire_run *run, uint32_t fault,
                         uint32_t site)
{
    bool mixed = fault_is_soft(fault) && run->status == WIRE_FAULT;
    uint64_t key = (uint64_t)fault << 32 | site;
    if (mixed && map_get(&loop->alarms, key, NULL))
        return false;
    key |= (uint64_t)mixed << 63;
    if (!(loop->request->unit->checks >> fault & 1) || map_get(&loop->alarms, key, NULL))
        return false;
    map_put(&loop->alarms, key, 1);
    return true;
}

// `alarm`: what the test stands for, or NULL.
void campaign_keep(struct loop *loop, const struct wire_run *run, const struct wire_soft *alarm)
{
    struct campaign *c = loop->campaign;
    const struct wire_header *wire = target_wire(loop->request->target);
    const uint32_t *hits = campaign_area(loop, &wire->hits, run->first_hit, sizeof *hits);
    const struct wire_vector *vectors =
        campaign_area(loop, &wire->vectors, run->first_vector, sizeof *vectors);
    size_t goals = coverage_expand(&c->coverage, hits, run->hit_count, loop->goals);
    uint32_t *indices = arena_array(&c->arena, uint32_t, run->vector_count);
    size_t known = 0;
    for (uint32_t i = 0; i < run->vector_count; i++) {
        size_t index = coverage_find_vector(&c->coverage, &vectors[i]);
        if (index != SIZE_MAX)
            indices[known++] = (uint32_t)index;
    }
    size_t size = run->input_used;
    uint8_t *input = arena_alloc(&c->arena, size);
    memcpy(input, campaign_area(loop, &wire->inputs, run->input_offset, 1),
           size < run->input_size ? size : run->input_size);
    *VEC_PUSH(&c->kept) = (struct kept_test){
        .input = input,
        .input_size = size,
        .uses = campaign_copy(&c->arena,
                              campaign_area(loop, &wire->uses, run->first_use, sizeof(uint32_t)),
                              run->use_count * sizeof(uint32_t)),
        .use_count = run->use_count,
        .goals = campaign_copy(&c->arena, loop->goals, goals * sizeof(uint32_t)),
        .goal_count = goals,
        .vectors = indices,
        .vector_count = known,
        .status = run->status,
        .fault = alarm ? alarm->fault : run->fault,
        .fault_site = alarm ? alarm->site : run->fault_site,
        .leaves = run->status == WIRE_EXIT || (run->status == WIRE_OK && run->exit_code),
        .at_bound = run->fault_place != 0 || (run->status == WIRE_STEPS && run->exit_code),
        .first_of_alarm = alarm != NULL,
        .steps = wire->step_budget,
    };
    if (c->kept.count == 1 && loop->request->first_kept)
        loop->request->first_kept(&c->kept.items[0], loop->request->context);
}

void campaign_sample(struct loop *loop)
{
    struct campaign *c = loop->campaign;
    *VEC_PUSH(&c->samples) = (struct campaign_sample){
        .iteration = c->iterations,
        .queries = c->queries,
        .seconds = clock_now() - loop->start,
        .branches = (uint32_t)c->coverage.covered_count,
        .conditions = (uint32_t)c->coverage.pair_count,
        .statements = (uint32_t)c->coverage.statement_count,
    };
}

// One test for each alarm that nobody has raised before. Returns how many.
static unsigned keep_alarms(struct loop *loop, const struct wire_run *run)
{
    struct wire_soft alarms[WIRE_MAX_SOFT + 1];
    unsigned count = 0;
    uint64_t full = (uint64_t)loop->request->options->steps;
    if (run->status == WIRE_FAULT && is_new_alarm(loop, run, run->fault, run->fault_site))
        alarms[count++] = (struct wire_soft){run->fault, run->fault_site};
    else if (run->status == WIRE_STEPS && run->fault_site && run->steps >= full &&
             is_new_alarm(loop, run, WIRE_FAULT_STEPS, run->fault_site))
        alarms[count++] = (struct wire_soft){WIRE_FAULT_STEPS, run->fault_site};
    for (uint32_t i = 0; i < run->soft_count && i < WIRE_MAX_SOFT; i++)
        if (is_new_alarm(loop, run, run->soft[i].fault, run->soft[i].site))
            alarms[count++] = run->soft[i];
    for (unsigned i = 0; i < count; i++)
        campaign_keep(loop, run, &alarms[i]);
    return count;
}

// Coverage, alarms and losses of one run. Returns its gain by the criterion.
static size_t account(struct loop *loop, const struct wire_run *run)
{
    struct campaign *c = loop->campaign;
    const struct wire_header *wire = target_wire(loop->request->target);
    const uint32_t *hits = campaign_area(loop, &wire->hits, run->first_hit, sizeof *hits);
    const struct wire_vector *vectors =
        campaign_area(loop, &wire->vectors, run->first_vector, sizeof *vectors);
    for (int i = 0; i < WIRE_LOSS_COUNT; i++)
        c->losses[i] += run->losses[i];
    if (run->status == WIRE_REJECTED) { // an assumption failed: it has reached nothing
        c->rejected++;
        return 0;
    }
    struct coverage_gain gain = coverage_add(&c->coverage, hits, run->hit_count, vectors,
                                             run->vector_count, run->status == WIRE_FAULT);
    unsigned alarms = keep_alarms(loop, run);
    bool clean = (run->status == WIRE_OK || run->status == WIRE_EXIT) && !run->soft_count;
    if (gain.goals || gain.vectors || gain.ran || !c->kept.count || (clean && !loop->kept_clean))
        campaign_keep(loop, run, NULL);
    loop->kept_clean |= clean;
    if (gain.items)
        loop->last_new = c->iterations;
    if (gain.items || gain.ran || alarms) {
        loop->last_gain = c->iterations;
        loop->last_queries = c->queries;
    }
    if (gain.goals || gain.pairs || gain.statements)
        campaign_sample(loop);
    // An abort ends the clean build too; after other faults it may run on.
    bool hides = run->status == WIRE_FAULT && fault_hides_paths(run->fault);
    c->faults += hides;
    c->unexplained_faults += hides && !(loop->request->unit->checks >> run->fault & 1);
    bool ended = run->status == WIRE_OK || run->status == WIRE_EXIT || run->status == WIRE_FAULT;
    bool at_open_end = run->status == WIRE_STEPS && run->exit_code;
    c->open_ends += at_open_end;
    c->cut_off += (!ended && !at_open_end) || run->fault == WIRE_FAULT_MEMORY;
    return gain.items;
}

bool campaign_wants_steps(const struct loop *loop)
{
    return loop->request->unit->checks >> WIRE_FAULT_STEPS & 1;
}

static uint64_t hash_records(const struct wire_record *records, uint32_t count)
{
    uint64_t hash = count;
    for (uint32_t i = 0; i < count; i++)
        hash = hash_mix(hash ^ records[i].value ^ (uint64_t)records[i].site << 32 ^
                        (uint64_t)records[i].kind << 16 ^ (uint64_t)records[i].outcome << 20);
    return hash;
}

// After the same decisions an execution took another one than those before. If it and the next
// ones do the same again, code without instrumentation decided by what it read. One repetition
// would not do: a short execution can be the same by chance.
enum { FORK_CHECKS = 4 };

static bool check_fork(struct loop *loop, uint64_t hash)
{
    struct campaign *c = loop->campaign;
    struct target *target = loop->request->target;
    struct error err = {0};
    uint32_t count = 0;
    loop->fork_checks++;
    uint32_t all_steps = campaign_wants_steps(loop) ? WIRE_ALL_STEPS : 0;
    target_begin(target, (uint32_t)loop->request->task,
                 WIRE_CONCOLIC | all_steps | WIRE_KEEP_NODES);
    target_add(target, loop->input.data, loop->input.length);
    if (!target_run(target, &c->failure))
        return false;
    c->runs++;
    const struct wire_record *again =
        trace_begin(&loop->decoder, target_wire(target), target_wire(target)->size, &err)
            ? trace_records(&loop->decoder, 0, &count, &err)
            : NULL;
    loop->not_deterministic |= !again || hash_records(again, count) != hash;
    return true;
}

// Tests were kept, from number `first` on: find what would have ruled out their alarms.
static void explain(struct loop *loop, size_t first, const struct wire_run *run,
                    const struct campaign_records *records)
{
    struct campaign *c = loop->campaign;
    for (size_t i = first; i < c->kept.count; i++) {
        struct kept_test *test = &c->kept.items[i];
        struct causes_request request = {.campaign = loop->request,
                                         .pool = loop->pool,
                                         .solver = loop->solver,
                                         .decoder = &loop->decoder,
                                         .run = run,
                                         .records = records->items,
                                         .count = records->count,
                                         .fault = test->fault,
                                         .site = test->fault_site};
        if (test->first_of_alarm)
            causes_find(&request, &c->arena, test);
    }
}

bool campaign_run_input(struct loop *loop, size_t *gain, struct campaign_records *records)
{
    struct campaign *c = loop->campaign;
    struct target *target = loop->request->target;
    const struct wire_header *wire = target_wire(target);
    target_set_steps(target, step_budget_next(&loop->steps));
    bool fresh = wire->node_count > NODES_PER_RESET || c->iterations == 0;
    uint32_t all_steps = campaign_wants_steps(loop) ? WIRE_ALL_STEPS : 0;
    target_begin(target, (uint32_t)loop->request->task,
                 WIRE_CONCOLIC | all_steps | (fresh ? 0 : WIRE_KEEP_NODES));
    target_add(target, loop->input.data, loop->input.length);
    if (!target_run(target, &c->failure))
        return false;
    c->iterations++;
    c->runs++;
    const struct wire_run *run = target_result(target, 0);
    size_t kept = c->kept.count;
    *gain = account(loop, run);
    struct error err = {0};
    *records = (struct campaign_records){0};
    if (trace_begin(&loop->decoder, wire, wire->size, &err))
        records->items = trace_records(&loop->decoder, 0, &records->count, &err);
    if (records->items && c->kept.count > kept && !loop->request->options->no_inference)
        explain(loop, kept, run, records);
    return true;
}

bool campaign_execute(struct loop *loop, const struct candidate *chosen)
{
    struct campaign *c = loop->campaign;
    struct campaign_records records;
    size_t gain;
    if (!campaign_run_input(loop, &gain, &records))
        return false;
    const struct wire_run *run = target_result(loop->request->target, 0);
    bool grew = false;
    struct error err = {0};
    uint64_t hash = loop->fork_checks < FORK_CHECKS && records.items
                        ? hash_records(records.items, records.count)
                        : 0;
    bool ends = run->status != WIRE_STEPS &&
                (run->status != WIRE_FAULT ||
                 (run->fault != WIRE_FAULT_ENDLESS && run->fault != WIRE_FAULT_STACK));
    if (!ends && records.count > CUT_OFF_RECORDS)
        records.count = CUT_OFF_RECORDS; // a loop that does not end repeats itself
    if (!records.items ||
        !explorer_absorb(loop->explorer, &loop->decoder, records.items, records.count,
                         (uint32_t)loop->inputs.count, &grew, &err))
        c->losses[WIRE_LOSS_NODES]++;
    if (grew) {
        *VEC_PUSH(&loop->inputs) = (struct stored_input){
            campaign_copy(&c->arena, loop->input.data, loop->input.length), loop->input.length};
        loop->input_bytes += loop->input.length + sizeof(struct stored_input);
    }
    campaign_note_stumble(loop, run);
    explorer_ran(loop->explorer, chosen, loop->parent, gain, (const uint8_t *)loop->input.data,
                 loop->input.length);
    if (step_budget_learn(&loop->steps, run))
        return campaign_execute(loop, chosen);
    bool check =
        loop->explorer->forked && loop->fork_checks < FORK_CHECKS && !loop->not_deterministic;
    return !check || check_fork(loop, hash);
}
