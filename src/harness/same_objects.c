// SPDX-License-Identifier: Apache-2.0
// Pointers to the same object. Two pointers of one type can only be told from two
// objects if the code compares them, or writes through one and reads through the other;
// so only then is a pointer also offered the objects that were made before it:
//   - a parameter or variable: earlier ones of its type, and what their fields point to;
//   - a field that the file compares: the object itself, the one that it hangs from, the
//     one that all hang from (back links, cycles), or what an earlier field of the same
//     object points to;
//   - an element of an array of pointers: what the first elements point to.
// Builders of records that such fields point to say in a variable what they build. A
// field whose value is only compared elsewhere (a loop around a ring) counts if the record
// has at most one other link: every pointer that may be one of several objects makes all
// that is read through it harder to solve.
#include "harness/emit.h"

#include "base/tunables.h"

static const struct type *identity(const struct type *type)
{
    return type->canonical ? type->canonical : type;
}

bool aliases_same_target(const struct type *a, const struct type *b)
{
    return a->kind == TYPE_POINTER && b->kind == TYPE_POINTER &&
           identity(a->target) == identity(b->target);
}

// Does a function of this task compare it, or what comes of it?
bool aliases_compares(const struct scope *s, uint64_t slot)
{
    const struct pointer_candidates *facts = pointer_facts(s->emitter, slot);
    for (size_t i = 0; facts && s->task && i < facts->comparer_count; i++)
        for (size_t f = 0; f < s->task->function_count; f++)
            if (s->task->functions[f] == facts->comparers[i])
                return true;
    return false;
}

bool aliases_writes(const struct emitter *e, uint64_t slot)
{
    const struct pointer_candidates *facts = pointer_facts(e, slot);
    return facts && facts->written;
}

static unsigned links_of(const struct type *record)
{
    unsigned count = 0;
    for (size_t i = 0; i < record->field_count; i++) {
        const struct type *type = record->fields[i].type;
        count += type->kind == TYPE_POINTER && identity(type->target) == record;
    }
    return count;
}

// What a length counts, or a pointer of a record inside points into, has the elements that
// these were promised.
static bool is_counted(const struct type *record, size_t index)
{
    for (size_t i = 0; i < record->length_count; i++)
        if (record->lengths[i].pointer == index && !record->lengths[i].is_suggested)
            return true;
    for (size_t i = 0; i < record->inner_count; i++)
        if (record->inner[i].array == index)
            return true;
    return false;
}

static bool is_shared_field(const struct emitter *e, const struct type *record, size_t index)
{
    struct slot slot = {.kind = SLOT_FIELD, .record = record, .index = index};
    const struct pointer_candidates *facts = pointer_facts(e, program_slot_key(&slot));
    const struct type *type = record->fields[index].type;
    if (!facts || type->kind != TYPE_POINTER || !plan_is_record(type->target) ||
        is_counted(record, index))
        return false;
    return facts->compared || (facts->comparer_count && links_of(record) <= 2);
}

// The record that the elements behind a pointer, or in an array, point to, or NULL.
static const struct type *row_record(const struct type *row)
{
    if (row->kind != TYPE_ARRAY && row->kind != TYPE_POINTER)
        return NULL;
    const struct type *element = row->target;
    while (element->kind == TYPE_ARRAY)
        element = element->target;
    return element->kind == TYPE_POINTER && plan_is_record(element->target)
               ? identity(element->target)
               : NULL;
}

static void offer(struct aliases *out, const char *access)
{
    if (out->count < HARNESS_ALIASES)
        out->access[out->count++] = access;
}

// ---- Roots ----

// Text is left alone unless it is compared: every copying function writes through one of
// two strings.
static bool tells_apart(const struct scope *s, uint64_t slot, const struct root *earlier,
                        const struct type *target)
{
    const struct emitter *e = s->emitter;
    if (aliases_compares(s, slot) && aliases_compares(s, earlier->slot))
        return true;
    if (target->is_char || target->kind == TYPE_VOID)
        return false;
    return aliases_writes(e, slot) || aliases_writes(e, earlier->slot);
}

bool aliases_offers(const struct scope *s, const struct place *a, const struct place *b)
{
    struct root root = {b->access, b->type, b->slot};
    return a->is_root && b->is_root && !a->is_fixed && !b->is_fixed &&
           aliases_same_target(a->type, b->type) && tells_apart(s, a->slot, &root, a->type->target);
}

static void offer_fields(struct scope *s, const struct root *root, const struct type *type,
                         struct aliases *out)
{
    struct emitter *e = s->emitter;
    const struct type *record = identity(root->type->target);
    if (!plan_is_record(record))
        return;
    for (size_t i = 0; i < record->field_count; i++) {
        if (*record->fields[i].name && aliases_same_target(record->fields[i].type, type) &&
            is_shared_field(e, record, i))
            offer(out, arena_printf(e->arena, "(%s ? %s->%s : 0)", root->access, root->access,
                                    record->fields[i].name));
    }
}

static void find_for_root(struct scope *s, uint64_t slot, const struct type *type,
                          struct aliases *out)
{
    for (size_t i = 0; i < s->roots->list.count; i++) {
        const struct root *earlier = &s->roots->list.items[i];
        if (aliases_same_target(earlier->type, type) && tells_apart(s, slot, earlier, type->target))
            offer(out, earlier->access);
    }
    for (size_t i = s->roots->list.count; i-- > 0 && aliases_compares(s, slot);)
        offer_fields(s, &s->roots->list.items[i], type, out);
}

void aliases_add_root(struct scope *s, struct spot spot, const struct type *type)
{
    if (s->roots && type->kind == TYPE_POINTER && type->target->kind != TYPE_FUNCTION)
        *VEC_PUSH(&s->roots->list) = (struct root){spot.access, type, spot.slot};
}

// ---- Fields ----

static const char *earlier_sibling(struct scope *s, const struct type *record, size_t field)
{
    struct emitter *e = s->emitter;
    for (size_t i = field; i-- > 0;) {
        const struct field *earlier = &record->fields[i];
        if (*earlier->name && aliases_same_target(earlier->type, record->fields[field].type))
            return arena_printf(e->arena, "%s->%s", e->it, earlier->name);
    }
    return NULL;
}

// There must not be many: the first object of a type may point to itself or share a
// neighbour, the next ones may point back, the third also to the first, and that is all.
static void find_for_link(struct scope *s, const struct slot *slot, struct aliases *out)
{
    struct emitter *e = s->emitter;
    const char *sibling = earlier_sibling(s, slot->record, slot->index);
    const struct tracker *tracker = aliases_tracker(e, s->record);
    const char *near = plan_near_root(e, identity(s->record));
    offer(out, arena_printf(e->arena, "(%s ? %s : %s)", s->above, s->above, e->it));
    offer(out, arena_printf(e->arena, "(%s ? %s : %s)", s->above, tracker->first,
                            sibling ? sibling : "0"));
    out->alternatives =
        arena_printf(e->arena, "!%s ? 1 : !%s ? %u : %s >= %s ? 2 : %s + 1 == %s ? 3 : 1",
                     tracker->shares, s->above, sibling ? 3 : 2, e->depth, near, e->depth, near);
}

// What an earlier field points to, or an object of another type that this one hangs from.
static void find_for_owner(struct scope *s, const struct slot *slot, const struct tracker *tracker,
                           struct aliases *out)
{
    const char *sibling = earlier_sibling(s, slot->record, slot->index);
    if (sibling)
        offer(out, sibling);
    offer(out, tracker->above);
    out->alternatives = arena_printf(s->emitter->arena, "!%s ? 1 : %s ? %u : %u", tracker->shares,
                                     tracker->above, 1 + out->count, out->count);
}

static void find_for_field(struct scope *s, const struct slot *slot, const struct type *type,
                           struct aliases *out)
{
    const struct type *target = identity(type->target);
    const struct tracker *tracker = aliases_tracker(s->emitter, target);
    if (target == identity(s->record) && s->above)
        find_for_link(s, slot, out);
    else if (tracker)
        find_for_owner(s, slot, tracker, out);
}

// ---- Elements of an array of pointers ----

bool aliases_begin_row(struct scope *s, uint64_t slot, const struct type *element, uint64_t count,
                       struct row *row)
{
    struct emitter *e = s->emitter;
    const struct pointer_candidates *facts = pointer_facts(e, slot);
    *row = (struct row){.table = NULL};
    if (!facts || element->kind != TYPE_POINTER || element->target->kind == TYPE_FUNCTION ||
        count < 2)
        return false;
    const struct tracker *tracker = s->counting ? aliases_tracker(e, element->target) : NULL;
    if (s->counting ? !tracker || !facts->comparer_count : !aliases_compares(s, slot))
        return false;
    row->table = names_local(e, arena_printf(e->arena, "earlier%u", s->level));
    row->shares = tracker ? tracker->shares : NULL;
    emit_line(s, "void *%s[%u] = {0};", row->table, HARNESS_ALIASES + 1);
    if (!s->counting) // of what builders do, aliases_begin_task() speaks
        emit_note(s, NOTE_OBJECTS,
                  "the elements of an array of %s may share what one of the first %u"
                  " points to",
                  element->spelling, HARNESS_ALIASES);
    return true;
}

void aliases_add_element(struct scope *s, const struct row *row, const char *element)
{
    emit_line(s, "if (%s < %u)", row->index, HARNESS_ALIASES);
    emit_line(s, "    %s[%s + 1] = (void *)%s;", row->table, row->index, element);
}

static void find_for_element(struct scope *s, struct aliases *out)
{
    const struct row *row = &s->row;
    const char *earlier = arena_printf(s->emitter->arena, "%s < %u ? %s + 1 : %u", row->index,
                                       HARNESS_ALIASES, row->index, HARNESS_ALIASES + 1);
    out->table = row->table;
    out->alternatives = row->shares
                            ? arena_printf(s->emitter->arena, "!%s ? 1 : %s", row->shares, earlier)
                            : earlier;
}

void aliases_find(struct scope *s, struct spot spot, const struct type *type, struct aliases *out)
{
    const struct pointer_candidates *facts = pointer_facts(s->emitter, spot.slot);
    if (s->given)
        *out = *s->given;
    if (s->row.table)
        find_for_element(s, out);
    if (!facts || count_start(s->fixed) || s->pointers || s->row.table)
        return;
    bool is_root = facts->slot.kind == SLOT_VARIABLE || facts->slot.kind == SLOT_PARAMETER;
    if (s->roots && is_root)
        find_for_root(s, spot.slot, type, out);
    else if (s->counting && facts->slot.kind == SLOT_FIELD && s->record &&
             identity(s->record) == facts->slot.record &&
             is_shared_field(s->emitter, facts->slot.record, facts->slot.index))
        find_for_field(s, &facts->slot, type, out);
}

// ---- Records that are shared ----

static void track(struct emitter *e, const struct type *record)
{
    const char *plain = names_plain(e, record), *name = names_identifier(e, plain);
    struct tracker tracker = {record, names_pick(e, arena_printf(e->arena, "above_%s", name)), NULL,
                              names_pick(e, arena_printf(e->arena, "share_%s", name))};
    if (links_of(record))
        tracker.first = names_pick(e, arena_printf(e->arena, "first_%s", name));
    *VEC_PUSH(&e->trackers) = tracker;
    map_put(&e->tracked, (uintptr_t)record, e->trackers.count);
    buf_printf(&e->prototypes,
               "static %s *%s; /* the one that is being built */\n"
               "static _Bool %s; /* the task compares pointers to these */\n",
               plain, tracker.above, tracker.shares);
    if (tracker.first)
        buf_printf(&e->prototypes, "static %s *%s; /* the one that it all hangs from */\n", plain,
                   tracker.first);
}

// What a field that may share points to, or NULL.
static const struct type *shared_record(const struct emitter *e,
                                        const struct pointer_candidates *facts)
{
    const struct slot *slot = &facts->slot;
    if (slot->kind != SLOT_FIELD)
        return NULL;
    const struct type *type = slot->record->fields[slot->index].type;
    if (is_shared_field(e, slot->record, slot->index))
        return identity(type->target);
    return facts->comparer_count ? row_record(type) : NULL;
}

void aliases_track(struct emitter *e)
{
    for (size_t i = 0; i < e->program->pointer_count; i++) {
        const struct type *record = shared_record(e, &e->program->pointers[i]);
        if (record && record->complete && names_sayable(record) && !aliases_tracker(e, record))
            track(e, record);
    }
}

void aliases_begin_task(struct scope *s)
{
    const struct program *program = s->emitter->program;
    for (size_t t = 0; t < s->emitter->trackers.count; t++) {
        const struct tracker *tracker = &s->emitter->trackers.items[t];
        bool shares = false;
        for (size_t i = 0; i < program->pointer_count && !shares; i++)
            shares = shared_record(s->emitter, &program->pointers[i]) == tracker->record &&
                     aliases_compares(s, program_slot_key(&program->pointers[i].slot));
        if (!shares)
            continue;
        emit_line(s, "%s = 1;", tracker->shares);
        emit_note(s, NOTE_OBJECTS, "%s: cycles, back links and shared objects near the root only",
                  names_plain(s->emitter, tracker->record));
    }
}

void aliases_begin_builder(struct scope *s, const struct type *record)
{
    const struct emitter *e = s->emitter;
    const struct tracker *tracker = aliases_tracker(e, record);
    if (!tracker)
        return;
    s->above = names_local(s->emitter, "above");
    emit_line(s, "%s *%s = %s;", names_plain(s->emitter, tracker->record), s->above,
              tracker->above);
    emit_line(s, "%s = %s;", tracker->above, e->it);
    if (tracker->first) {
        emit_line(s, "if (!%s)", s->above);
        emit_line(s, "    %s = %s;", tracker->first, e->it);
    }
}

void aliases_end_builder(struct scope *s, const struct type *record)
{
    const struct tracker *tracker = aliases_tracker(s->emitter, record);
    if (tracker)
        emit_line(s, "%s = %s;", tracker->above, s->above);
}

const struct tracker *aliases_tracker(const struct emitter *e, const struct type *record)
{
    uint64_t index;
    return map_get(&e->tracked, (uintptr_t)identity(record), &index) ? &e->trackers.items[index - 1]
                                                                     : NULL;
}
