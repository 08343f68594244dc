// SPDX-License-Identifier: Apache-2.0
// What a run tells the engine: conditions, branches, switches, checks and pins
// that depend on inputs, in program order; the distinct decision vectors; the
// goals hit; and how often the run lost track of something.
#include "runtime.h"
#include "peephole.h"
#include <string.h>

#define SEEN     4096 // recent checks, pins and branches, by label
#define VECTORS  1024 // vectors of the run, by contents
#define PROBES   16
#define SHAPES   8192 // shape inputs of the run, by offset; one that finds no room is just tried
#define NO_SHAPE UINT32_MAX

int64_t czrt_steps_left = INT64_MAX; // constructors run before the first budget
uint32_t czrt_trace;
uint32_t czrt_losses[WIRE_LOSS_COUNT];

static struct {
    wire_label label;
    uint32_t key, run;
} seen[SEEN];
static struct {
    uint32_t index, run;
} vector_set[VECTORS];
static uint32_t current_run = 1;
static struct shape {
    uint32_t offset, record, run;
} shapes[SHAPES];
static uint32_t asked = NO_SHAPE;      // the shape input whose branch comes next
static uint32_t last_shape = NO_SHAPE; // the pointer that is not there and was used last ...
static uint32_t last_shape_at;         // ... and how many records there were then
static uint32_t first_record;          // of this run
static uint32_t record_end;            // where the records of this run have to end
static bool is_ending;                 // they have

void czrt_core_init(void)
{
    czrt_expr_init();
    czrt_symaddr_reset();
    record_end = (uint32_t)czrt_wire->records.room;
}

void czrt_loss(uint32_t loss)
{
    czrt_losses[loss]++;
}

// What is computed from here on decides nothing that is followed: no more expressions, and
// as many steps again as were made so far.
static void end_soon(void)
{
    if (is_ending)
        return;
    is_ending = true;
    czrt_expr_stop();
    int64_t used = (int64_t)czrt_wire->step_budget - czrt_steps_left;
    if (czrt_wire->step_budget && czrt_steps_left > used && !(czrt_wire->flags & WIRE_ALL_STEPS))
        czrt_steps_left = used;
}

void czrt_record_stop(void)
{
    is_ending = true;
    record_end = czrt_wire->record_count;
    czrt_expr_stop();
    czrt_loss(WIRE_LOSS_NODES);
}

void czrt_record(uint32_t kind, uint32_t site, uint32_t check, wire_label label, uint32_t outcome,
                 uint64_t value)
{
    uint32_t i = czrt_wire->record_count;
    if (i >= record_end) {
        czrt_loss(WIRE_LOSS_NODES);
        end_soon();
        return;
    }
    czrt_wire->record_count = i + 1;
    struct wire_record *records =
        (struct wire_record *)((char *)czrt_wire + czrt_wire->records.offset);
    records[i] = (struct wire_record){.site = site,
                                      .kind = (uint16_t)kind,
                                      .check = (uint16_t)check,
                                      .label = label,
                                      .outcome = outcome,
                                      .value = value};
}

// Has this run already recorded the same fact? Then the path implies it. Only the
// most recent are remembered; a repeated record is harmless.
static bool is_repeated(uint32_t kind, wire_label label)
{
    uint32_t slot = (label >> 4) * 0x9E3779B1u >> 20;
    if (seen[slot].run == current_run && seen[slot].label == label && seen[slot].key == kind)
        return true;
    seen[slot].run = current_run;
    seen[slot].label = label;
    seen[slot].key = kind;
    return false;
}

void czrt_cond(uint32_t branch, uint32_t taken, wire_label label, uint32_t site)
{
    wire_label given = label;
    czrt_note_decision(label, site);
    label = czrt_decided(label);
    if (given && !label && !czrt_trace)
        return;
    czrt_record(WIRE_COND, branch, 0, label, taken, taken);
}

void czrt_branch(uint32_t site, uint32_t taken, wire_label label)
{
    uint32_t before = czrt_wire->record_count;
    czrt_note_decision(label, site);
    label = czrt_decided(label);
    if (label && !is_repeated(WIRE_BRANCH, label))
        czrt_record(WIRE_BRANCH, site, 0, label, taken, taken);
    if (asked != NO_SHAPE && czrt_wire->record_count > before) {
        struct shape *shape = &shapes[asked % SHAPES];
        *shape = (struct shape){.offset = asked, .record = before, .run = current_run};
    }
    asked = NO_SHAPE;
}

void czrt_shape_asked(uint32_t offset)
{
    asked = offset;
}

static struct wire_record *shape_record(uint32_t offset)
{
    const struct shape *shape = &shapes[offset % SHAPES];
    if (shape->offset != offset || shape->run != current_run)
        return NULL;
    return (struct wire_record *)((char *)czrt_wire + czrt_wire->records.offset) + shape->record;
}

bool czrt_shape_absent(uint32_t offset)
{
    struct wire_record *record = shape_record(offset);
    if (record)
        record->check = WIRE_SHAPE_IDLE;
    return record != NULL;
}

void czrt_shape_used(uint32_t offset)
{
    struct wire_record *record = shape_record(offset);
    if (record)
        record->check = 0;
    last_shape = offset;
    last_shape_at = czrt_wire->record_count;
}

void czrt_shapes_wake(void)
{
    struct wire_record *records =
        (struct wire_record *)((char *)czrt_wire + czrt_wire->records.offset);
    for (uint32_t i = first_record; i < czrt_wire->record_count; i++)
        if (records[i].kind == WIRE_BRANCH && records[i].check == WIRE_SHAPE_IDLE)
            records[i].check = 0;
}

uint32_t czrt_last_shape(void)
{
    return last_shape == NO_SHAPE ? 0 : last_shape + 1;
}

// ---- assumptions ----

void czrt_record_assumption(uint32_t site, uint32_t holds, wire_label label)
{
    if (label && !(holds && is_repeated(WIRE_BRANCH, label)))
        czrt_record(WIRE_BRANCH, site, holds ? 0 : WIRE_ASSUMED, label, holds, holds);
}

void czrt_blame_last(void)
{
    struct wire_record *records =
        (struct wire_record *)((char *)czrt_wire + czrt_wire->records.offset);
    struct wire_record *shape = last_shape == NO_SHAPE ? NULL : shape_record(last_shape);
    uint32_t count = czrt_wire->record_count;
    if (shape)
        shape->check = WIRE_ASSUMED;
    if (count > first_record && (!shape || last_shape_at < count) &&
        (records[count - 1].kind == WIRE_BRANCH || records[count - 1].kind == WIRE_COND) &&
        records[count - 1].check == 0)
        records[count - 1].check = WIRE_ASSUMED;
}

void czrt_switch(uint32_t id, uint32_t branch, uint64_t value, wire_label label, uint32_t site)
{
    wire_label given = label;
    czrt_note_decision(label, site);
    label = czrt_decided(label);
    if (given && !label && !czrt_trace)
        return;
    czrt_record(WIRE_SWITCH, id, 0, label, branch, value);
}

void czrt_switch_plain(uint32_t site, uint32_t width, uint64_t value, wire_label label,
                       const uint64_t *cases, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        czrt_branch(site, value == cases[i], czrt_binary(WIRE_EQ, width, label, 0, 0, cases[i]));
        if (value == cases[i])
            return;
    }
}

bool czrt_is_repeated_check(wire_label label)
{
    return is_repeated(WIRE_CHECK, label);
}

void czrt_pin(uint32_t site, wire_label label, uint64_t value)
{
    czrt_note_use(label);
    czrt_note_decision(label, site);
    label = czrt_decided(label);
    if (label && !is_repeated(WIRE_PIN, label))
        czrt_record(WIRE_PIN, site, 0, label, 0, value);
}

static struct wire_vector *vector_at(uint32_t index)
{
    return (struct wire_vector *)((char *)czrt_wire + czrt_wire->vectors.offset) + index;
}

void czrt_vector(uint32_t decision, uint64_t evaluated, uint64_t values)
{
    uint64_t h = (decision + evaluated * 0x9E3779B97F4A7C15ull) ^ values * 0xC2B2AE3D27D4EB4Full;
    h *= 0x9E3779B97F4A7C15ull;
    uint32_t slot = (uint32_t)(h >> 40) % VECTORS;
    for (uint32_t probe = 0; probe < PROBES; probe++, slot = (slot + 1) % VECTORS) {
        if (vector_set[slot].run != current_run)
            break;
        const struct wire_vector *v = vector_at(vector_set[slot].index);
        if (v->decision == decision && v->evaluated == evaluated && v->values == values)
            return;
    }
    uint32_t i = czrt_wire->vector_count;
    if (i >= czrt_wire->vectors.room) {
        czrt_loss(WIRE_LOSS_NODES);
        return;
    }
    czrt_wire->vector_count = i + 1;
    *vector_at(i) =
        (struct wire_vector){.decision = decision, .evaluated = evaluated, .values = values};
    vector_set[slot].index = i;
    vector_set[slot].run = current_run;
}

void czrt_record_begin_run(struct wire_run *run)
{
    current_run++;
    czrt_expr_resume();
    is_ending = false;
    memset(czrt_losses, 0, sizeof czrt_losses);
    memset(czrt_args, 0, sizeof czrt_args);
    czrt_callee = czrt_returned = NULL;
    czrt_ret = 0;
    czrt_ret_count = 0;
    czrt_trace = (czrt_wire->flags & WIRE_TRACE_ALL) != 0;
    run->first_record = first_record = czrt_wire->record_count;
    last_shape = NO_SHAPE;
    uint64_t end = run->first_record + czrt_wire->record_budget, room = czrt_wire->records.room;
    record_end = (uint32_t)(czrt_wire->record_budget && end < room ? end : room);
    run->first_vector = czrt_wire->vector_count;
}

// Move the marks of the fast paths into the list of hits.
static void collect_hits(struct wire_run *run)
{
    run->first_hit = czrt_wire->hit_count;
    run->hit_count = 0;
    if (!czrt_goal_hits || !&czrt_goal_count)
        return;
    uint32_t *hits = (uint32_t *)((char *)czrt_wire + czrt_wire->hits.offset);
    for (uint32_t goal = 0; goal < czrt_goal_count; goal++) {
        if (!czrt_goal_hits[goal])
            continue;
        czrt_goal_hits[goal] = 0;
        if (czrt_wire->hit_count < czrt_wire->hits.room)
            hits[czrt_wire->hit_count++] = goal;
        else
            czrt_loss(WIRE_LOSS_NODES);
    }
    run->hit_count = czrt_wire->hit_count - run->first_hit;
}

void czrt_record_end_run(struct wire_run *run)
{
    run->record_count = czrt_wire->record_count - run->first_record;
    run->vector_count = czrt_wire->vector_count - run->first_vector;
    collect_hits(run);
    memcpy(run->losses, czrt_losses, sizeof run->losses);
}
