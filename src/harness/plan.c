// SPDX-License-Identifier: Apache-2.0
// How much is built behind pointers. MAESTRO (section 3.3.2) gives every pointer n
// elements and follows recursive structs to depth k; taken literally, ten elements
// at each of five levels of a linked list are a hundred thousand nodes. So:
//   - a record that leads to a recursive record (a linked structure) gets one
//     element per pointer;
//   - other records get n, but one beyond the first level when a root would have
//     more than HARNESS_LEAVES inputs;
//   - if that is not enough, the root's own pointer gets one and less depth.
// All of it is decided for every root before any code is written, because builders
// are shared by the roots.
#include "harness/emit.h"

bool plan_is_record(const struct type *type)
{
    return type->kind == TYPE_STRUCT || type->kind == TYPE_UNION;
}

bool plan_has_pointer(const struct type *type)
{
    if (type->kind == TYPE_POINTER)
        return true;
    if (type->kind == TYPE_ARRAY)
        return plan_has_pointer(type->target);
    if (!plan_is_record(type))
        return false;
    for (size_t i = 0; i < type->field_count; i++) {
        if (plan_has_pointer(type->fields[i].type))
            return true;
    }
    return false;
}

// One number for all the names of a record.
static uintptr_t identity(const struct type *record)
{
    return (uintptr_t)(record->canonical ? record->canonical : record);
}

// The record that a member or pointer leads to, or NULL.
static const struct type *record_behind(const struct type *type)
{
    while (type && (type->kind == TYPE_POINTER || type->kind == TYPE_ARRAY))
        type = type->target;
    return type && plan_is_record(type) ? type : NULL;
}

enum { WALK_NEW = 0, WALK_OPEN, WALK_LINKED, WALK_FLAT };

// Depth-first over the graph of records: an edge to an open record closes a cycle.
bool plan_is_linked(struct emitter *e, const struct type *type)
{
    const struct type *record = record_behind(type);
    if (!record)
        return false;
    uint64_t state = WALK_NEW;
    map_get(&e->cycles, identity(record), &state);
    if (state != WALK_NEW)
        return state != WALK_FLAT;
    map_put(&e->cycles, identity(record), WALK_OPEN);
    bool linked = false;
    for (size_t i = 0; i < record->field_count; i++)
        linked |= plan_is_linked(e, record->fields[i].type);
    map_put(&e->cycles, identity(record), linked ? WALK_LINKED : WALK_FLAT);
    return linked;
}

const struct type *plan_flexible(const struct type *type)
{
    if (type->kind != TYPE_STRUCT || type->field_count == 0)
        return NULL;
    const struct type *last = type->fields[type->field_count - 1].type;
    return last->kind == TYPE_ARRAY && last->count == 0 ? last->target : NULL;
}

static unsigned full_count(struct emitter *e, const struct type *target)
{
    if (plan_is_record(target) && (plan_is_linked(e, target) || plan_flexible(target)))
        return 1;
    return e->options->elements ? e->options->elements : 1;
}

static uint64_t sat_mul(uint64_t a, uint64_t b)
{
    uint64_t result;
    return __builtin_mul_overflow(a, b, &result) || result > UINT32_MAX ? UINT32_MAX : result;
}

static uint64_t leaves(struct emitter *e, const struct type *type, unsigned depth, bool narrow);

unsigned plan_count(struct emitter *e, const struct type *target, bool nested)
{
    uint64_t narrow;
    unsigned count = full_count(e, target);
    if (!plan_is_record(target))
        return count;
    if (nested)
        return map_get(&e->narrow, identity(target), &narrow) ? 1 : count;
    uint64_t each = leaves(e, target, plan_depth(e, target), true);
    return sat_mul(count, each) > HARNESS_LEAVES ? 1 : count;
}

// An array of scalars is one place however long; its bytes still cost something.
static uint64_t leaves_of_array(struct emitter *e, const struct type *element, uint64_t count,
                                unsigned depth, bool narrow)
{
    if (scalar_vocabulary(element) || element->kind == TYPE_VOID)
        return 1 + count / 16;
    return sat_mul(count, leaves(e, element, depth, narrow));
}

static uint64_t leaves_of_record(struct emitter *e, const struct type *record, unsigned depth,
                                 bool narrow)
{
    uint64_t key = ((uint64_t)identity(record) << 16) | (depth & 0x7fff) << 1 | narrow, sum = 0;
    if (map_get(&e->leaves, key, &sum))
        return sum;
    sum = 0;
    for (size_t i = 0; i < record->field_count && sum < UINT32_MAX; i++)
        sum += leaves(e, record->fields[i].type, depth, narrow);
    map_put(&e->leaves, key, sum);
    return sum;
}

static uint64_t leaves(struct emitter *e, const struct type *type, unsigned depth, bool narrow)
{
    switch (type->kind) {
    case TYPE_ARRAY: return leaves_of_array(e, type->target, type->count, depth, narrow);
    case TYPE_STRUCT:
    case TYPE_UNION: return leaves_of_record(e, type, depth, narrow);
    case TYPE_POINTER:
        if (depth == 0 || type->target->kind == TYPE_FUNCTION)
            return 1;
        unsigned count = full_count(e, type->target);
        if (narrow && plan_is_record(type->target))
            count = 1;
        return 1 + leaves_of_array(e, type->target, count, depth - 1, narrow);
    default: return 1;
    }
}

uint64_t plan_array(struct emitter *e, const struct type *element, uint64_t count)
{
    uint64_t room = HARNESS_LEAVES;
    if (!scalar_vocabulary(element)) {
        uint64_t each = leaves(e, element, plan_depth(e, element), true);
        room = each >= room ? 1 : room / (each ? each : 1);
    }
    return count < room ? count : room;
}

static void make_narrow(struct emitter *e, const struct type *type)
{
    const struct type *record = record_behind(type);
    uint64_t done;
    if (!record || map_get(&e->narrow, identity(record), &done))
        return;
    map_put(&e->narrow, identity(record), 1);
    for (size_t i = 0; i < record->field_count; i++)
        make_narrow(e, record->fields[i].type);
}

void plan_root(struct emitter *e, const struct type *type)
{
    if (leaves(e, type, e->options->depth + 1, false) > HARNESS_LEAVES)
        make_narrow(e, type);
}

// The first pointer is not counted: depth 1 is head, head->next and then NULL.
unsigned plan_depth(struct emitter *e, const struct type *type)
{
    unsigned depth = e->options->depth + 1;
    if (leaves(e, type, 1, true) == leaves(e, type, depth, true))
        return depth;
    while (depth > 1 && leaves(e, type, depth, true) > HARNESS_LEAVES)
        depth--;
    return depth;
}
