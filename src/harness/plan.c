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
//
// n and k are where a task starts: inputs may raise both. What is decided here is decided for
// the start; how far a pointer's elements and a root's depth may grow from there follows from
// the same limit of inputs. Arrays of records inside records grow only where the record that a
// root leads to has room for all of them at their largest.
#include "harness/emit.h"

#include "base/tunables.h"

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
    const struct field *last = type_flexible_member(type);
    return last ? last->type->target : NULL;
}

static uint64_t sat_mul(uint64_t a, uint64_t b)
{
    uint64_t result;
    return __builtin_mul_overflow(a, b, &result) || result > UINT32_MAX ? UINT32_MAX : result;
}

// What inputs are counted for: how many records, and how many other things, are behind each
// pointer below the root's own.
enum policy {
    POLICY_START,      // n of all
    POLICY_ONE_RECORD, // n, but one record
    POLICY_MOST,       // as many as the bound can grow to
    POLICY_MOST_PLAIN, // the same, but n records ...
    POLICY_MOST_ONE,   // ... or one
};

static uint64_t start_elements(const struct emitter *e)
{
    return e->options->elements ? e->options->elements : 1;
}

static uint64_t most_elements(const struct emitter *e)
{
    uint64_t start = start_elements(e);
    return e->options->most_elements > start ? e->options->most_elements : start;
}

static bool is_always_one(struct emitter *e, const struct type *target)
{
    return plan_is_record(target) && (plan_is_linked(e, target) || plan_flexible(target));
}

static uint64_t counted_elements(struct emitter *e, const struct type *target, enum policy policy)
{
    bool record = plan_is_record(target);
    if (is_always_one(e, target) ||
        (record && (policy == POLICY_ONE_RECORD || policy == POLICY_MOST_ONE)))
        return 1;
    if (policy == POLICY_MOST || (!record && policy >= POLICY_MOST))
        return most_elements(e);
    return start_elements(e);
}

static uint64_t leaves(struct emitter *e, const struct type *type, unsigned depth,
                       enum policy policy);

// How far the elements behind a pointer may grow.
static uint64_t most_behind(struct emitter *e, const struct type *target)
{
    uint64_t each = 1, unused;
    const struct type *inner = target;
    for (; inner->kind == TYPE_ARRAY && inner->count; inner = inner->target)
        each = sat_mul(each, inner->count);
    if (!scalar_vocabulary(inner) && inner->kind != TYPE_VOID) {
        bool grows = plan_is_record(inner) && !map_get(&e->still, identity(inner), &unused);
        bool narrow = plan_is_record(inner) && map_get(&e->narrow, identity(inner), &unused);
        each = sat_mul(each, leaves(e, inner, plan_depth(e, inner),
                                    grows    ? POLICY_MOST
                                    : narrow ? POLICY_MOST_ONE
                                             : POLICY_MOST_PLAIN));
    }
    uint64_t room = HARNESS_LEAVES / (each ? each : 1), most = most_elements(e);
    return room < most ? room : most;
}

struct count plan_count(struct emitter *e, const struct type *target, bool nested)
{
    uint64_t unused, start = start_elements(e);
    if (is_always_one(e, target))
        return count_fixed(1);
    if (!plan_is_record(target))
        return count_bounded(start, most_behind(e, target));
    if (nested && map_get(&e->narrow, identity(target), &unused))
        return count_fixed(1);
    if (nested && map_get(&e->still, identity(target), &unused))
        return count_fixed(start);
    uint64_t each = leaves(e, target, plan_depth(e, target), POLICY_ONE_RECORD);
    if (!nested && sat_mul(start, each) > HARNESS_LEAVES)
        return count_fixed(1);
    return count_bounded(start, most_behind(e, target));
}

struct count plan_flexible_count(struct emitter *e, const struct type *element)
{
    return count_bounded(start_elements(e), most_behind(e, element));
}

// As many as a number of that type can say.
struct count plan_length(struct count most, const struct type *type, int bits)
{
    unsigned width = bits > 0 ? (unsigned)bits : (unsigned)type->size * 8;
    width -= type->is_signed && width;
    return width < 32 ? count_smaller(most, count_fixed((1ull << width) - 1)) : most;
}

struct count plan_plain_count(struct emitter *e)
{
    uint64_t most = most_elements(e);
    return count_bounded(start_elements(e), most < HARNESS_LEAVES ? most : HARNESS_LEAVES);
}

// An array of scalars is one place however long; its bytes still cost something.
static uint64_t leaves_of_array(struct emitter *e, const struct type *element, uint64_t count,
                                unsigned depth, enum policy policy)
{
    if (scalar_vocabulary(element) || element->kind == TYPE_VOID)
        return 1 + count / HARNESS_ELEMENTS_PER_LEAF;
    return sat_mul(count, leaves(e, element, depth, policy));
}

static uint64_t leaves_of_record(struct emitter *e, const struct type *record, unsigned depth,
                                 enum policy policy)
{
    uint64_t key = ((uint64_t)identity(record) << 16) | (depth & 0x1fff) << 3 | policy, sum = 0;
    if (map_get(&e->leaves, key, &sum))
        return sum;
    sum = 0;
    for (size_t i = 0; i < record->field_count && sum < UINT32_MAX; i++)
        sum += leaves(e, record->fields[i].type, depth, policy);
    map_put(&e->leaves, key, sum);
    return sum;
}

static uint64_t leaves(struct emitter *e, const struct type *type, unsigned depth,
                       enum policy policy)
{
    switch (type->kind) {
    case TYPE_ARRAY: return leaves_of_array(e, type->target, type->count, depth, policy);
    case TYPE_STRUCT:
    case TYPE_UNION: return leaves_of_record(e, type, depth, policy);
    case TYPE_POINTER:
        if (depth == 0 || type->target->kind == TYPE_FUNCTION)
            return 1;
        return 1 + leaves_of_array(e, type->target, counted_elements(e, type->target, policy),
                                   depth - 1, policy);
    default: return 1;
    }
}

uint64_t plan_array(struct emitter *e, const struct type *element, uint64_t count)
{
    uint64_t room = HARNESS_LEAVES;
    if (!scalar_vocabulary(element)) {
        uint64_t each = leaves(e, element, plan_depth(e, element), POLICY_ONE_RECORD);
        room = each >= room ? 1 : room / (each ? each : 1);
    }
    return count < room ? count : room;
}

// The record and all that it leads to.
static void add_records(struct map *set, const struct type *type)
{
    const struct type *record = record_behind(type);
    uint64_t done;
    if (!record || map_get(set, identity(record), &done))
        return;
    map_put(set, identity(record), 1);
    for (size_t i = 0; i < record->field_count; i++)
        add_records(set, record->fields[i].type);
}

void plan_root(struct emitter *e, const struct type *type)
{
    unsigned depth = e->options->depth + 1;
    if (leaves(e, type, depth, POLICY_START) > HARNESS_LEAVES)
        add_records(&e->narrow, type);
    // Behind a root there is mostly one record: it is what must have room.
    bool leads = type->kind == TYPE_POINTER && plan_is_record(type->target);
    if (leaves(e, leads ? type->target : type, depth, POLICY_MOST) > HARNESS_LEAVES)
        add_records(&e->still, type);
}

// The first pointer is not counted: depth 1 is head, head->next and then NULL.
unsigned plan_depth(struct emitter *e, const struct type *type)
{
    unsigned depth = e->options->depth + 1;
    if (leaves(e, type, 1, POLICY_ONE_RECORD) == leaves(e, type, depth, POLICY_ONE_RECORD))
        return depth;
    while (depth > 1 && leaves(e, type, depth, POLICY_ONE_RECORD) > HARNESS_LEAVES)
        depth--;
    return depth;
}

// How far it may grow: not at all where no pointer is left behind the last one.
static unsigned most_depth(struct emitter *e, const struct type *type)
{
    unsigned start = plan_depth(e, type), most = e->options->most_depth + 1;
    if (start <= e->options->depth ||
        leaves(e, type, start, POLICY_ONE_RECORD) == leaves(e, type, start + 1, POLICY_ONE_RECORD))
        return start;
    while (most > start && leaves(e, type, most, POLICY_ONE_RECORD) > HARNESS_LEAVES)
        most--;
    return most > start ? most : start;
}

bool plan_is_cut(struct emitter *e, const struct type *type)
{
    unsigned most = most_depth(e, type);
    unsigned wanted =
        e->options->most_depth > e->options->depth ? e->options->most_depth : e->options->depth;
    return most <= wanted &&
           leaves(e, type, most, POLICY_ONE_RECORD) != leaves(e, type, most + 1, POLICY_ONE_RECORD);
}

void plan_scope_depth(struct scope *s, const struct type *type)
{
    s->depth = s->root_depth = plan_depth(s->emitter, type);
    s->most_depth = most_depth(s->emitter, type);
}

const char *plan_depth_text(struct emitter *e, unsigned start, unsigned most, unsigned used)
{
    const char *minus = used > 1 ? arena_printf(e->arena, " - %u", used - 1) : "";
    if (most <= start)
        return arena_printf(e->arena, "%u", start - used);
    return arena_printf(e->arena, "cz_depth(%u, %u)%s", start - 1, most - 1, used ? minus : " + 1");
}

const char *plan_near_root(struct emitter *e, const struct type *record)
{
    struct type pointer = {.kind = TYPE_POINTER, .target = (struct type *)record};
    unsigned start = e->options->depth + 1;
    if (!e->options->depth)
        return "0";
    return plan_depth_text(e, start, most_depth(e, &pointer), 2);
}
