// SPDX-License-Identifier: Apache-2.0
// Pointers to the same object. Two pointers of one type can only be told from two
// objects if the code compares them, or writes through one and reads through the other;
// so only then is a pointer also offered the objects that were made before it:
//   - a parameter or variable: earlier ones of its type, and what their fields point to;
//   - a field that the file compares: the object itself, the one that it hangs from
//     (back links, cycles), or what an earlier field of the same object points to.
// Builders of records that such fields point to say in a variable what they build.
#include "harness/emit.h"

static const struct type *identity(const struct type *type)
{
    return type->canonical ? type->canonical : type;
}

static bool same_target(const struct type *a, const struct type *b)
{
    return a->kind == TYPE_POINTER && b->kind == TYPE_POINTER &&
           identity(a->target) == identity(b->target);
}

static bool is_compared(const struct emitter *e, uint64_t slot)
{
    const struct pointer_candidates *facts = pointer_facts(e, slot);
    return facts && facts->compared;
}

static bool is_written(const struct emitter *e, uint64_t slot)
{
    const struct pointer_candidates *facts = pointer_facts(e, slot);
    return facts && facts->written;
}

static void offer(struct aliases *out, const char *access)
{
    if (out->count < ALIASES_MOST)
        out->access[out->count++] = access;
}

// ---- Roots ----

// Text is left alone unless it is compared: every copying function writes through one of
// two strings.
static bool tells_apart(const struct emitter *e, uint64_t slot, const struct root *earlier,
                        const struct type *target)
{
    if (is_compared(e, slot) && is_compared(e, earlier->slot))
        return true;
    if (target->is_char || target->kind == TYPE_VOID)
        return false;
    return is_written(e, slot) || is_written(e, earlier->slot);
}

static void offer_fields(struct scope *s, const struct root *root, const struct type *type,
                         struct aliases *out)
{
    struct emitter *e = s->emitter;
    const struct type *record = identity(root->type->target);
    if (!plan_is_record(record))
        return;
    for (size_t i = 0; i < record->field_count; i++) {
        struct slot slot = {.kind = SLOT_FIELD, .record = record, .index = i};
        if (*record->fields[i].name && same_target(record->fields[i].type, type) &&
            is_compared(e, program_slot_key(&slot)))
            offer(out, arena_printf(e->arena, "(%s ? %s->%s : 0)", root->access, root->access,
                                    record->fields[i].name));
    }
}

static void find_for_root(struct scope *s, uint64_t slot, const struct type *type,
                          struct aliases *out)
{
    for (size_t i = 0; i < s->roots->list.count; i++) {
        const struct root *earlier = &s->roots->list.items[i];
        if (same_target(earlier->type, type) &&
            tells_apart(s->emitter, slot, earlier, type->target))
            offer(out, earlier->access);
    }
    for (size_t i = s->roots->list.count; i-- > 0 && is_compared(s->emitter, slot);)
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
        if (*earlier->name && same_target(earlier->type, record->fields[field].type))
            return arena_printf(e->arena, "%s->%s", e->it, earlier->name);
    }
    return NULL;
}

// Shapes are tried one by one, so there must not be many: the first object of a type may
// point to itself or share a neighbour, the next ones may point back, and that is all.
static void find_for_link(struct scope *s, const struct slot *slot, struct aliases *out)
{
    struct emitter *e = s->emitter;
    const char *sibling = earlier_sibling(s, slot->record, slot->index);
    unsigned near = e->options->depth ? e->options->depth - 1 : 0;
    offer(out, arena_printf(e->arena, "(%s ? %s : %s)", s->above, s->above, e->it));
    if (sibling)
        offer(out, sibling);
    out->alternatives = arena_printf(e->arena, "!%s ? %u : %s < %u ? 2 : 3", s->above,
                                     2 + out->count, e->depth, near);
}

// An object of another type that this one hangs from.
static void find_for_owner(struct scope *s, const char *tracker, struct aliases *out)
{
    offer(out, tracker);
    out->alternatives = arena_printf(s->emitter->arena, "%s ? 3 : 2", tracker);
}

static void find_for_field(struct scope *s, const struct slot *slot, const struct type *type,
                           struct aliases *out)
{
    const struct type *target = identity(type->target);
    const char *tracker = aliases_tracker(s->emitter, target);
    if (target == identity(s->record) && s->above)
        find_for_link(s, slot, out);
    else if (tracker)
        find_for_owner(s, tracker, out);
}

void aliases_find(struct scope *s, struct spot spot, const struct type *type, struct aliases *out)
{
    const struct pointer_candidates *facts = pointer_facts(s->emitter, spot.slot);
    if (!facts || s->fixed || s->pointers)
        return;
    bool is_root = facts->slot.kind == SLOT_VARIABLE || facts->slot.kind == SLOT_PARAMETER;
    if (s->roots && is_root)
        find_for_root(s, spot.slot, type, out);
    else if (s->counting && facts->slot.kind == SLOT_FIELD && facts->compared && s->record &&
             identity(s->record) == facts->slot.record)
        find_for_field(s, &facts->slot, type, out);
}

void aliases_track(struct emitter *e)
{
    const struct program *program = e->program;
    for (size_t i = 0; i < program->pointer_count; i++) {
        const struct pointer_candidates *facts = &program->pointers[i];
        if (facts->slot.kind != SLOT_FIELD || !facts->compared)
            continue;
        const struct type *type = facts->slot.record->fields[facts->slot.index].type;
        const struct type *target = type->kind == TYPE_POINTER ? identity(type->target) : NULL;
        uint64_t known;
        if (!target || !plan_is_record(target) || !target->complete || !names_sayable(target) ||
            map_get(&e->tracked, (uintptr_t)target, &known))
            continue;
        const char *plain = names_plain(e, target);
        const char *name =
            names_pick(e, arena_printf(e->arena, "above_%s", names_identifier(e, plain)));
        map_put(&e->tracked, (uintptr_t)target, (uintptr_t)name);
        buf_printf(&e->prototypes, "static %s *%s; /* the one that is being built */\n", plain,
                   name);
    }
}

const char *aliases_tracker(const struct emitter *e, const struct type *record)
{
    uint64_t name;
    return map_get(&e->tracked, (uintptr_t)identity(record), &name) ? (const char *)(uintptr_t)name
                                                                    : NULL;
}
