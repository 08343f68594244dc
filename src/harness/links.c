// SPDX-License-Identifier: Apache-2.0
// When all parameters and variables of a task have been filled, pointers that are not there
// may lead to what is: to a variable, a member, what another pointer holds, or into the
// middle of another one's array. That comes last because then any of them can lead to any
// other, whatever their order; same_objects.c has offered earlier objects of the same type by
// then. Near the root only: parameters and variables themselves, the pointers in them, and
// those in the objects that they lead to.
#include "harness/emit.h"

#include "base/tunables.h"
#include <string.h>

static bool is_link(const struct type *type)
{
    return type->kind == TYPE_POINTER && type->target->kind != TYPE_FUNCTION;
}

void links_add(struct scope *s, struct place place)
{
    if (!s->roots)
        return;
    place.root = s->roots->places.count;
    place.is_root = true;
    *VEC_PUSH(&s->roots->places) = place;
}

typedef VEC(struct place) place_list;

// ---- Pointers inside ----

static bool is_free_field(const struct scope *s, const struct type *record, size_t index)
{
    if (!*record->fields[index].name || !is_link(record->fields[index].type) ||
        !known_is_used(s, &record->fields[index]) || members_group(record, index))
        return false;
    for (size_t i = 0; i < record->length_count; i++)
        if (record->lengths[i].pointer == index && !record->lengths[i].is_suggested)
            return false;
    for (size_t i = 0; i < record->inner_count; i++)
        if (record->inner[i].array == index)
            return false;
    return true;
}

static void add_fields(struct scope *s, const struct place *root, const struct type *type,
                       const char *prefix, const char *link, const char *within, place_list *out)
{
    struct arena *arena = s->emitter->arena;
    const struct type *record = type->canonical ? type->canonical : type;
    if (record->kind != TYPE_STRUCT || !record->complete || names_is_va_tag(record))
        return;
    for (size_t i = 0; i < record->field_count; i++) {
        struct slot slot = {.kind = SLOT_FIELD, .record = record, .index = i};
        struct place place = *root;
        if (!is_free_field(s, record, i))
            continue;
        place.is_root = place.is_fixed = false;
        place.count = NULL;
        place.accesses = NULL;
        place.access = arena_printf(arena, "%s%s", prefix, record->fields[i].name);
        place.path =
            arena_printf(arena, "%s(%s, \"%s\")", link, root->path, record->fields[i].name);
        place.type = record->fields[i].type;
        place.slot = program_slot_key(&slot);
        place.within = within;
        place.is_const |= type->is_const;
        place.elements = pointer_elements(s, place.slot, place.type->target);
        *VEC_PUSH(out) = place;
    }
}

static void add_elements(struct scope *s, const struct place *root, const struct type *element,
                         uint64_t count, const char *within, place_list *out)
{
    struct arena *arena = s->emitter->arena;
    for (unsigned i = 0; is_link(element) && i < count && i < HARNESS_LINK_ELEMENTS; i++) {
        struct place place = *root;
        place.is_root = place.is_fixed = false;
        place.count = NULL;
        place.accesses = NULL;
        place.access = arena_printf(arena, "%s[%u]", root->access, i);
        place.path = arena_printf(arena, "cz_index(%s, %u)", root->path, i);
        place.type = element;
        place.within = within;
        *VEC_PUSH(out) = place;
    }
}

static void add_inside(struct scope *s, const struct place *root, place_list *out)
{
    struct arena *arena = s->emitter->arena;
    const struct type *type = root->type;
    if (is_link(type)) {
        *VEC_PUSH(out) = *root;
        if (root->is_given)
            return;
        add_elements(s, root, type->target, count_start(root->elements), root->path, out);
        if (count_most(root->elements) == 1)
            add_fields(s, root, type->target, arena_printf(arena, "%s->", root->access), "cz_arrow",
                       root->path, out);
    } else if (type->kind == TYPE_ARRAY) {
        add_elements(s, root, type->target, type->count, NULL, out);
    } else {
        add_fields(s, root, type, arena_printf(arena, "%s.", root->access), "cz_field", NULL, out);
    }
}

// ---- What a pointer may lead to ----

static bool is_byte(const struct type *target)
{
    return target->is_char || target->kind == TYPE_VOID;
}

static const char *spoken(const struct place *place)
{
    return strncmp(place->access, "arg_", 4) == 0 ? place->access + 4 : place->access;
}

// Of a root and what is inside another one the root gets it, of two roots or two inside the
// later one, and of a root and what is inside it the latter. What same_objects.c relates is left
// to it: elements of one array, and records that lead to each other.
static bool gets_value(const struct place *place, const struct place *other, bool is_later)
{
    if (!place->is_root && place->within && plan_is_record(place->type->target))
        return false;
    if (place->root != other->root)
        return place->is_root == other->is_root ? is_later : place->is_root;
    bool is_linked =
        aliases_same_target(place->type, other->type) && plan_is_record(place->type->target);
    return !is_linked && place->slot != other->slot && !place->is_root &&
           (other->is_root || is_later);
}

// The pointers' own values.
static void find_value(struct scope *s, const struct place *place, const struct place *other,
                       bool is_later, struct known *known)
{
    struct arena *arena = s->emitter->arena;
    bool same = aliases_same_target(place->type, other->type);
    bool compares = aliases_compares(s, place->slot) && aliases_compares(s, other->slot);
    bool writes =
        aliases_writes(s->emitter, place->slot) || aliases_writes(s->emitter, other->slot);
    bool bytes = is_byte(place->type->target) || is_byte(other->type->target);
    bool plays =
        same && writes && !place->is_restrict && !other->is_restrict &&
        place->type->target->kind != TYPE_VOID && place->root != other->root &&
        (!place->accesses || !other->accesses || known_plays(place->accesses, other->accesses));
    if (!gets_value(place, other, is_later) || !((compares && (same || bytes)) || plays) ||
        aliases_offers(s, place, other) ||
        (!count_covers(other->elements, place->elements) && !compares))
        return;
    bool is_there = other->root == place->root || other->is_given;
    const char *value = arena_printf(arena, "(void *)%s", other->access);
    if (!is_there)
        value = arena_printf(arena, "%s : %s", known_missing(s->emitter, other->path), value);
    if (!is_there && other->within)
        value = arena_printf(arena, "%s : %s", known_missing(s->emitter, other->within), value);
    known_add(known, value, spoken(other));
}

static void find_members(struct scope *s, const struct place *place, const struct place *other,
                         struct known *known)
{
    if (!place->is_root || !other->is_root || !is_link(other->type) || place->root == other->root ||
        aliases_same_target(place->type, other->type) || other->type->target->kind == TYPE_VOID ||
        !other->type->target->complete)
        return;
    known_members(s, place, other, known);
}

static void add_sharer(struct scope *s, const struct place *place, const struct place *other)
{
    *VEC_PUSH(&s->roots->sharers) = (struct sharer){place->path, other->root};
}

static void write_links(struct scope *s, const place_list *list, size_t index)
{
    struct arena *arena = s->emitter->arena;
    const struct place *place = &list->items[index];
    struct known known = {.count = 0};
    if (place->is_root)
        known_variables(s, place, &known);
    for (size_t i = 0; i < list->count; i++)
        if (i != index) {
            size_t before = known.count;
            find_value(s, place, &list->items[i], i < index, &known);
            find_members(s, place, &list->items[i], &known);
            if (known.count != before || aliases_offers(s, place, &list->items[i]))
                add_sharer(s, place, &list->items[i]);
        }
    if (known.count) {
        const char *turn =
            s->turn && !place->is_parameter ? arena_printf(arena, "%s == 1 && ", s->turn) : "";
        const char *within =
            place->within ? arena_printf(arena, "!cz_missing(%s) && ", place->within) : "";
        emit_line(s, "if (%s%scz_missing(%s)) { /* or something that is there already */", turn,
                  within, place->path);
        s->level++;
        known_write(s, (struct spot){place->access, place->path, place->is_const, place->slot},
                    place->type, "is", &known);
        s->level--;
        emit_line(s, "}");
    }
    known_release(&known);
}

// ---- What functions of the file hand out ----

static bool is_returned(const struct scope *s, const struct place *place,
                        const struct function *function)
{
    return place->is_root && place->is_parameter && is_link(place->type) &&
           aliases_compares(s, place->slot) &&
           aliases_same_target(place->type, function->type->target);
}

// The address of a static local can only be had from the function that holds it.
static void write_handed_out(struct scope *s, const struct place *place)
{
    struct arena *arena = s->emitter->arena;
    const struct program *program = s->emitter->program;
    for (size_t i = 0; i < s->task->function_count; i++) {
        size_t index = s->task->functions[i];
        const struct function *function = &program->functions[index];
        struct slot result = {.kind = SLOT_RESULT, .owner = index};
        if (index == s->task->entry || !function->defined || function->param_count ||
            function->type->variadic || !function->has_static_locals ||
            !is_returned(s, place, function) || !aliases_compares(s, program_slot_key(&result)))
            continue;
        emit_line(s, "if (cz_missing(%s) && cz_choice(cz_part(%s, \"from_%s\"), 2))", place->path,
                  place->path, function->source_name);
        s->level++;
        pointer_assign(s, (struct spot){.access = place->access, .is_const = place->is_const},
                       place->type, arena_printf(arena, "(void *)%s()", function->name));
        s->level--;
    }
}

// A task that is called again may get back what it returned.
static void write_returned(struct scope *s, const struct place *place)
{
    struct emitter *e = s->emitter;
    const struct function *entry = &e->program->functions[s->task->entry];
    if (!s->turn || !is_returned(s, place, entry))
        return;
    if (!s->returned) {
        s->returned = names_local(e, "returned");
        emit_line(s, "static void *%s;", s->returned);
    }
    emit_line(s, "if (%s > 1 && cz_missing(%s) && cz_choice(cz_part(%s, \"returned\"), 2))",
              s->turn, place->path, place->path);
    s->level++;
    pointer_assign(s, (struct spot){.access = place->access, .is_const = place->is_const},
                   place->type, s->returned);
    s->level--;
}

// ---- Overlaps ----

static bool is_row(const struct scope *s, const struct place *place)
{
    const struct pointer_candidates *facts = pointer_facts(s->emitter, place->slot);
    return place->is_fixed || place->count || (facts && facts->indexed);
}

// May `place` begin inside the array, or the bytes of the object, that `other` leads to?
static bool overlaps(const struct scope *s, const struct place *place, const struct place *other)
{
    const struct emitter *e = s->emitter;
    if (!place->is_root || !other->is_root || !place->is_parameter || !other->is_parameter ||
        place->root == other->root || !is_link(place->type) || !is_link(other->type))
        return false;
    const struct type *target = place->type->target, *under = other->type->target;
    bool same = aliases_same_target(place->type, other->type);
    bool compares = aliases_compares(s, place->slot) && aliases_compares(s, other->slot);
    bool writes = (aliases_writes(e, place->slot) || aliases_writes(e, other->slot)) &&
                  !place->is_restrict && !other->is_restrict &&
                  known_plays(place->accesses, other->accesses);
    if (plan_has_pointer(under) || !under->complete || !is_row(s, place) ||
        (same ? !is_row(s, other) : !is_byte(target)) || plan_flexible(under))
        return false;
    bool is_text = is_byte(target) && same && !place->count && !other->count;
    return compares || (writes && !is_text);
}

static void write_overlap(struct scope *s, const struct place *place, const struct place *other)
{
    struct emitter *e = s->emitter;
    const struct type *target = place->type->target, *under = other->type->target;
    unsigned long long size = target->size ? target->size : 1;
    unsigned long long unit = under->size ? under->size : 1;
    struct count rest = count_limit(count_times(place->elements, size), HARNESS_LEAVES);
    struct count distance = count_fixed(count_start(other->elements) * unit / size);
    if (unit % size == 0)
        distance = count_times(other->elements, unit / size);
    const char *over = names_local(e, "over"), *room = names_local(e, "room");
    const char *both = names_local(e, "both");
    emit_line(s, "if (cz_missing(%s) && !cz_missing(%s)) { /* or inside %s */", place->path,
              other->path, spoken(other));
    s->level++;
    emit_line(s, "cz_path %s = cz_part(%s, \"over_%s\");", over, place->path,
              names_identifier(e, spoken(other)));
    emit_line(s, "unsigned long %s = cz_room(%s);", room, other->access);
    emit_line(s, "if (%s && cz_choice(%s, 2)) {", room, over);
    s->level++;
    emit_line(s, "char *%s = cz_new(%s, %s + %s, 1);", both, over, room,
              count_text(e->arena, count_plus(rest, target->is_char)));
    emit_line(s, "__builtin_memcpy(%s, (void *)%s, %s);", both, other->access, room);
    emit_line(s, "cz_array(cz_part(%s, \"rest\"), %s + %s, CZ_U8, %s);", over, both, room,
              count_text(e->arena, rest));
    pointer_assign(s, (struct spot){.access = other->access, .is_const = other->is_const},
                   other->type, arena_printf(e->arena, "(void *)%s", both));
    pointer_assign(
        s, (struct spot){.access = place->access, .is_const = place->is_const}, place->type,
        arena_printf(e->arena, "cz_chosen(%s + %llu * cz_choice(cz_part(%s, \"distance\"), %s))",
                     both, size, over, count_text(e->arena, distance)));
    s->level--;
    emit_line(s, "}");
    s->level--;
    emit_line(s, "} else if (cz_missing(%s)) { /* whoever looks at it looks at both */",
              place->path);
    s->level++;
    emit_line(s, "void *const %s[] = {(void *)%s, cz_absent(%s)};", both, place->access,
              other->path);
    pointer_assign(s, (struct spot){.access = place->access, .is_const = place->is_const},
                   place->type,
                   arena_printf(e->arena, "%s[cz_choice(cz_part(%s, \"over_%s\"), 2)]", both,
                                place->path, names_identifier(e, spoken(other))));
    s->level--;
    emit_line(s, "}");
}

static void write_overlaps(struct scope *s, const place_list *list)
{
    unsigned count = 0;
    for (size_t i = 0; i < list->count; i++)
        for (size_t k = 0; k < list->count; k++) {
            if (!overlaps(s, &list->items[i], &list->items[k]))
                continue;
            if (count++ < HARNESS_OVERLAPS) {
                write_overlap(s, &list->items[i], &list->items[k]);
                add_sharer(s, &list->items[i], &list->items[k]);
            } else
                emit_note(s, NOTE_OBJECTS, "parameter %s: not inside what %s points to",
                          spoken(&list->items[i]), spoken(&list->items[k]));
        }
}

void links_write(struct scope *s)
{
    place_list list = {0};
    if (!s->task || !s->roots || !part_is_first(s->emitter) || s->emitter->options->program)
        return;
    for (size_t i = 0; i < s->roots->places.count; i++)
        add_inside(s, &s->roots->places.items[i], &list);
    write_overlaps(s, &list);
    for (size_t i = 0; i < list.count; i++) {
        write_handed_out(s, &list.items[i]);
        write_returned(s, &list.items[i]);
    }
    for (size_t i = 0; i < list.count; i++)
        if (!list.items[i].is_given)
            write_links(s, &list, i);
    VEC_RELEASE(&list);
}
