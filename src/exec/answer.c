// SPDX-License-Identifier: Apache-2.0
#include "exec/answer.h"

#include <stddef.h>
#include <string.h>

static const void *area(const struct wire_header *wire, const struct wire_area *which)
{
    return (const char *)wire + which->offset;
}

// `own` says where areas lie: the shared header may say anything.
static void copy(const struct wire_header *from, struct wire_header *to,
                 const struct wire_area *which, size_t item, uint64_t first, uint64_t end)
{
    uint64_t offset = which->offset + first * item;
    if (end > first)
        memcpy((char *)to + offset, (const char *)from + offset, (end - first) * item);
}

void answer_share(const struct wire_header *own, struct wire_header *shared)
{
    copy(own, shared, &own->places, sizeof(struct wire_place), 0, own->place_count);
    copy(own, shared, &own->strings, 1, 0, own->string_count);
}

void answer_request(const struct wire_header *own, struct wire_header *shared, uint64_t input_bytes)
{
    shared->task = own->task;
    shared->run_count = own->run_count;
    shared->flags = own->flags;
    shared->step_budget = own->step_budget;
    shared->heap_budget = own->heap_budget;
    shared->record_budget = own->record_budget;
    shared->assumed = own->assumed;
    shared->runs_done = 0;
    copy(own, shared, &own->runs, sizeof(struct wire_run), 0, own->run_count);
    copy(own, shared, &own->inputs, 1, 0, input_bytes);
}

// Is the part that the engine wrote still there? Compared on a copy.
static bool is_ours(const struct wire_header *got, const struct wire_header *own)
{
    return memcmp(got, own, offsetof(struct wire_header, notes)) == 0;
}

bool answer_ready(const struct wire_header *shared, struct wire_header *own)
{
    struct wire_header got = *(const volatile struct wire_header *)shared;
    if (!is_ours(&got, own) || got.place_count != own->place_count)
        return false;
    own->notes = got.notes;
    own->goal_count = got.goal_count;
    own->task_count = got.task_count;
    return true;
}

static bool counts_fit(const struct wire_header *got, const struct wire_header *own)
{
    return got->runs_done <= own->run_count && got->record_count <= own->records.room &&
           got->vector_count <= own->vectors.room && got->hit_count <= own->hits.room &&
           got->use_count <= own->uses.room && got->node_count <= own->nodes.room &&
           got->snapshot_count <= own->snapshots.room && got->byte_count <= own->bytes.room &&
           got->label_count <= own->labels.room && got->place_count <= own->places.room &&
           got->place_count >= own->place_count && got->string_count <= own->strings.room &&
           got->string_count >= own->string_count && got->input_size <= own->inputs.room &&
           got->goal_count == own->goal_count && got->task_count == own->task_count;
}

static void take_counts(const struct wire_header *got, struct wire_header *own)
{
    own->notes = got->notes;
    own->record_count = got->record_count;
    own->vector_count = got->vector_count;
    own->hit_count = got->hit_count;
    own->use_count = got->use_count;
    own->node_count = got->node_count;
    own->snapshot_count = got->snapshot_count;
    own->byte_count = got->byte_count;
    own->label_count = got->label_count;
    own->place_count = got->place_count;
    own->string_count = got->string_count;
    own->input_size = got->input_size;
}

static bool lies_within(uint32_t first, uint32_t count, uint32_t room)
{
    return first <= room && count <= room - first;
}

static bool run_fits(const struct wire_header *own, const struct wire_run *run)
{
    if (run->status > WIRE_REJECTED || run->fault >= WIRE_FAULT_COUNT ||
        run->soft_count > WIRE_MAX_SOFT || run->fault_place >= own->place_count ||
        run->input_used > own->inputs.room ||
        !lies_within(run->first_record, run->record_count, own->record_count) ||
        !lies_within(run->first_hit, run->hit_count, own->hit_count) ||
        !lies_within(run->first_vector, run->vector_count, own->vector_count) ||
        !lies_within(run->first_use, run->use_count, own->use_count))
        return false;
    for (uint32_t i = 0; i < run->soft_count; i++)
        if (run->soft[i].fault >= WIRE_FAULT_COUNT)
            return false;
    return true;
}

// The inputs of a run are the engine's; its answer is what the target wrote.
static bool take_runs(const struct wire_header *shared, struct wire_header *own, uint32_t count)
{
    struct wire_run *runs = (struct wire_run *)((char *)own + own->runs.offset);
    const struct wire_run *theirs = area(shared, &own->runs);
    for (uint32_t i = 0; i < count; i++) {
        struct wire_run given = runs[i];
        runs[i] = theirs[i];
        runs[i].input_offset = given.input_offset;
        runs[i].input_size = given.input_size;
        if (!run_fits(own, &runs[i])) {
            runs[i] = given;
            return false;
        }
        own->runs_done = i + 1;
    }
    return true;
}

static bool places_fit(const struct wire_header *own, uint32_t first)
{
    const struct wire_place *places = area(own, &own->places);
    const char *strings = area(own, &own->strings);
    if (strings[own->string_count - 1] != '\0')
        return false;
    for (uint32_t i = first ? first : 1; i < own->place_count; i++) { // 0 is none
        const struct wire_place *p = &places[i];
        uint64_t bytes = (p->bits + 7u) / 8,
                 elements = p->type == WIRE_T_CHOICE || !p->count ? 1 : p->count;
        if (p->parent >= i || p->name >= own->string_count || p->type_name >= own->string_count ||
            p->link > WIRE_L_PART || p->type > WIRE_T_CHOICE || bytes > 16 ||
            p->offset > own->inputs.room || elements * bytes > own->inputs.room - p->offset)
            return false;
    }
    return true;
}

// A leaf owns its bytes of the input vector as long as the target lives, and no place becomes
// another one: whoever has kept an input relies on it.
static bool places_stay(const struct wire_header *shared, const struct wire_header *own,
                        uint32_t known)
{
    const struct wire_place *was = area(own, &own->places), *is = area(shared, &own->places);
    for (uint32_t i = 1; i < known; i++) {
        if (was[i].parent != is[i].parent || was[i].name != is[i].name ||
            was[i].index != is[i].index || was[i].link != is[i].link)
            return false;
        bool moved = was[i].offset != is[i].offset || was[i].bits != is[i].bits;
        if (was[i].type != WIRE_T_NONE && moved)
            return false;
    }
    return true;
}

// Returns the first one that is to be checked. A known place may have become a leaf meanwhile.
static uint32_t take_places(const struct wire_header *shared, struct wire_header *own,
                            uint32_t known)
{
    bool same = memcmp(area(own, &own->places), area(shared, &own->places),
                       known * sizeof(struct wire_place)) == 0;
    uint32_t first = same ? known : 0;
    copy(shared, own, &own->places, sizeof(struct wire_place), first, own->place_count);
    return first;
}

static bool uses_fit(const struct wire_header *own)
{
    const uint32_t *uses = area(own, &own->uses);
    for (uint32_t i = 0; i < own->use_count; i++)
        if (uses[i] >= own->place_count)
            return false;
    return true;
}

// Expressions, which grow from batch to batch if they are kept; src/trace checks each node.
static void take_nodes(const struct wire_header *shared, struct wire_header *own,
                       const struct wire_header *before)
{
    bool grow = own->flags & WIRE_KEEP_NODES;
    copy(shared, own, &own->nodes, sizeof(struct wire_node), grow ? before->node_count : 0,
         own->node_count);
    copy(shared, own, &own->snapshots, sizeof(struct wire_snapshot),
         grow ? before->snapshot_count : 0, own->snapshot_count);
    copy(shared, own, &own->bytes, 1, grow ? before->byte_count : 0, own->byte_count);
    copy(shared, own, &own->labels, sizeof(wire_label), grow ? before->label_count : 0,
         own->label_count);
}

static bool take_items(const struct wire_header *shared, struct wire_header *own,
                       const struct wire_header *before)
{
    copy(shared, own, &own->records, sizeof(struct wire_record), 0, own->record_count);
    copy(shared, own, &own->vectors, sizeof(struct wire_vector), 0, own->vector_count);
    copy(shared, own, &own->hits, sizeof(uint32_t), 0, own->hit_count);
    copy(shared, own, &own->uses, sizeof(uint32_t), 0, own->use_count);
    copy(shared, own, &own->strings, 1, before->string_count, own->string_count);
    take_nodes(shared, own, before);
    return places_stay(shared, own, before->place_count) &&
           places_fit(own, take_places(shared, own, before->place_count)) && uses_fit(own);
}

static bool take(const struct wire_header *shared, struct wire_header *own, bool all)
{
    struct wire_header got = *(const volatile struct wire_header *)shared, before = *own;
    if (!is_ours(&got, own) || !counts_fit(&got, own) || (all && got.runs_done != own->run_count))
        return false;
    take_counts(&got, own);
    if (take_items(shared, own, &before) && take_runs(shared, own, got.runs_done))
        return true;
    *own = before;
    return false;
}

bool answer_take(const struct wire_header *shared, struct wire_header *own)
{
    return take(shared, own, true);
}

void answer_take_done(const struct wire_header *shared, struct wire_header *own)
{
    take(shared, own, false);
}
