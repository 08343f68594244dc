// SPDX-License-Identifier: Apache-2.0
// Members of a record that belong together (see struct member_group). Pointers into one
// array are made at once, with one input that says how much of the array is in use:
// nothing, one element, all of it, some in the middle, or each of them is anywhere. The last is
// mostly a state that no program is in, but which of them comes first only names tell. A length
// is a number of elements that are there; what only the name makes a length may be any number.
#include "harness/emit.h"

#include "base/tunables.h"

static const struct type *facts_of(const struct type *record)
{
    return record->canonical ? record->canonical : record;
}

const struct member_group *members_group(const struct type *record, size_t field)
{
    const struct type *facts = facts_of(record);
    for (size_t i = 0; i < facts->group_count; i++)
        for (size_t j = 0; j < facts->groups[i].count; j++)
            if (facts->groups[i].fields[j] == field)
                return &facts->groups[i];
    return NULL;
}

static const struct member_length *length_of(const struct type *record, size_t field)
{
    const struct type *facts = facts_of(record);
    for (size_t i = 0; i < facts->length_count; i++)
        if (facts->lengths[i].length == field)
            return &facts->lengths[i];
    return NULL;
}

// ---- Lengths ----

bool members_is_length(struct scope *s, const struct type *record, size_t field)
{
    const struct member_length *length = length_of(record, field);
    if (!length || s->emitter->options->free_lengths)
        return false;
    const struct type *pointer = record->fields[length->pointer].type;
    const struct member_group *group = members_group(record, length->pointer);
    return !group && pointer->kind == TYPE_POINTER && pointer->target->complete;
}

static struct count elements_behind(struct scope *s, const struct type *record, size_t field)
{
    const struct type *target = record->fields[field].type->target;
    struct slot slot = {.kind = SLOT_FIELD, .record = facts_of(record), .index = field};
    bool nested = s->counting || s->pointers > 0;
    if (!members_group(record, field) &&
        pointer_is_single(s->emitter, program_slot_key(&slot), target))
        return count_fixed(1);
    return plan_count(s->emitter, target, nested);
}

static void assign_length(struct scope *s, const struct inside *in, const struct field *length,
                          const char *value)
{
    const char *access = arena_printf(s->emitter->arena, "%s%s", in->prefix, length->name);
    if (in->is_const || length->type->is_const)
        emit_line(s, "*(%s *)&%s = %s;", scalar_vocabulary(length->type)->c_type, access, value);
    else
        emit_line(s, "%s = %s;", access, value);
}

static const char *path_of_length(const struct scope *s, const struct inside *in,
                                  const struct field *length)
{
    return arena_printf(s->emitter->arena, "%s(%s, \"%s\")", in->link, in->path, length->name);
}

// A number of elements that are there, or what the C text `else_value` says.
static void choose_length_or(struct scope *s, const struct inside *in, const struct field *length,
                             const struct field *pointer, struct count most, const char *words,
                             const char *else_value)
{
    struct arena *arena = s->emitter->arena;
    const char *far = names_local(s->emitter, arena_printf(arena, "far_%s", length->name));
    emit_line(s, "{ /* the length of %s, or %s */", pointer->name, words);
    s->level++;
    emit_line(s, "unsigned long %s = cz_choice(%s, %s);", far, path_of_length(s, in, length),
              count_text(arena, count_plus(most, 2)));
    assign_length(s, in, length,
                  arena_printf(arena, "%s > %s ? %s : %s%s ? %s : 0", far, count_text(arena, most),
                               else_value, in->prefix, pointer->name, far));
    s->level--;
    emit_line(s, "}");
}

static void choose_length(struct scope *s, const struct inside *in, const struct field *length,
                          const struct field *pointer, struct count most)
{
    struct arena *arena = s->emitter->arena;
    assign_length(s, in, length,
                  arena_printf(arena, "%s%s ? cz_choice(%s, %s) : 0", in->prefix, pointer->name,
                               path_of_length(s, in, length),
                               count_text(arena, count_plus(most, 1))));
}

// May the code use no more than the length says? As for parameters (lengths.c), not if a
// precondition promises more. No other pointer leads to what a length of the code counts. What
// another file of the unit does with the members is not known here.
static bool has_extent(struct scope *s, const struct type *record, size_t field)
{
    const struct harness_options *options = s->emitter->options;
    const struct member_length *length = length_of(record, field);
    if (!length || !length->is_exact || !members_is_length(s, record, field))
        return false;
    const struct field *pointer = &record->fields[length->pointer];
    bool is_one_file = !options->unit || program_file_count(options->unit) == 1;
    return !options->full_buffers && !options->program && is_one_file &&
           scalar_vocabulary(pointer->type->target) && names_sayable(pointer->type) &&
           !assume_mentions(s->emitter, pointer->name);
}

void members_extent(struct scope *s, const char *prefix, const struct type *record, size_t field)
{
    if (!has_extent(s, record, field))
        return;
    const struct field *pointer = &record->fields[length_of(record, field)->pointer];
    const struct field *length = &record->fields[field];
    emit_line(s, "if (%s%s) /* it ends where %s says */", prefix, pointer->name, length->name);
    emit_line(s, "    cz_extent((void *)%s%s, %s%s, sizeof *%s%s);", prefix, pointer->name, prefix,
              length->name, prefix, pointer->name);
}

void fill_length(struct scope *s, const struct inside *in, const struct type *record, size_t field)
{
    struct arena *arena = s->emitter->arena;
    const struct field *length = &record->fields[field];
    const struct field *pointer = &record->fields[length_of(record, field)->pointer];
    struct count most = plan_length(elements_behind(s, record, length_of(record, field)->pointer),
                                    length->type, length->bits);
    if (length_of(record, field)->is_suggested) {
        choose_length_or(s, in, length, pointer, most, "any number",
                         scalar_value(s, length->type, path_of_length(s, in, length)));
        return;
    }
    bool is_signed = length_of(record, field)->is_signed;
    if (is_signed) // the code looks for negative ones
        choose_length_or(s, in, length, pointer, most, "-1", "-1");
    else
        choose_length(s, in, length, pointer, most);
    members_extent(s, in->prefix, record, field);
    emit_note(s, NOTE_LENGTHS, "%s: the length of %s, %s0 to %s, and 0 if there is none",
              emit_spoken(s, arena_printf(arena, "%s%s", in->prefix, length->name)), pointer->name,
              is_signed ? "-1 or " : "", count_spoken(arena, most));
}

// ---- Groups ----

struct array { // that a group points into
    const struct member_group *group;
    const struct inside *in;
    const struct type *record;
    struct spot start;
    const struct type *pointer;
    struct count elements;
};

static const char *access_of(struct scope *s, const struct array *a, size_t member)
{
    return arena_printf(s->emitter->arena, "%s%s", a->in->prefix,
                        a->record->fields[a->group->fields[member]].name);
}

static void assign(struct scope *s, const struct array *a, size_t member, const char *value)
{
    const struct type *type = a->record->fields[a->group->fields[member]].type;
    pointer_assign(s, (struct spot){access_of(s, a, member), NULL, a->in->is_const, 0}, type,
                   value);
}

static void assign_all(struct scope *s, const struct array *a, const char *first)
{
    for (size_t i = 0; i < a->group->count; i++)
        assign(s, a, i, first);
}

// How far the members in the middle are, for each way to use the array. The first of
// several is where reading goes on, the others where what was written ends.
static struct count position(const struct array *a, size_t member, bool several, unsigned use)
{
    const uint64_t first[] = {0, 0, 0, 1}, later[] = {0, 1, 0, 2};
    bool is_first = several && member == 1, is_all = use == 2 && !is_first;
    return is_all ? a->elements : count_fixed(is_first ? first[use] : later[use]);
}

static void assign_position(struct scope *s, const struct array *a, size_t member, struct count at)
{
    struct arena *arena = s->emitter->arena;
    assign(s, a, member,
           count_most(at) ? arena_printf(arena, "%s + %s", a->start.access, count_text(arena, at))
                          : a->start.access);
}

static bool has_inner(const struct array *a)
{
    const struct type *facts = facts_of(a->record);
    for (size_t i = 0; i < facts->inner_count; i++)
        if (facts->inner[i].array == a->group->fields[0])
            return true;
    return false;
}

// How far the member is from the start of the array.
static const char *far_of(struct scope *s, const struct array *a, size_t member)
{
    const char *name = a->record->fields[a->group->fields[member]].name;
    return names_local(s->emitter, arena_printf(s->emitter->arena, "far_%s", name));
}

// Each of them anywhere, in the order that the code tells. The start comes last: the others are
// told by it. Pointers of records inside are when all are filled.
static void assign_anywhere(struct scope *s, const struct array *a)
{
    struct arena *arena = s->emitter->arena;
    size_t first = has_inner(a);
    for (size_t i = 0; i < a->group->count; i++) {
        const char *name = a->record->fields[a->group->fields[i]].name;
        const char *path = arena_printf(arena, "cz_part(%s(%s, \"%s\"), \"into\")", a->in->link,
                                        a->in->path, name);
        emit_line(s, "unsigned %s = %s;", far_of(s, a, i),
                  i < first ? "0"
                            : arena_printf(arena, "cz_choice(%s, %s)", path,
                                           count_text(arena, count_plus(a->elements, 1))));
    }
    for (size_t i = 0; i < a->group->order_count; i++) {
        const char *before = far_of(s, a, a->group->orders[i].first);
        const char *behind = far_of(s, a, a->group->orders[i].second);
        emit_line(s, "if (%s > %s)", before, behind);
        emit_line(s, "    %s = %s;", behind, before);
    }
    for (size_t i = a->group->count; i-- > first;)
        assign(s, a, i, arena_printf(arena, "%s + %s", a->start.access, far_of(s, a, i)));
}

#define USES 4 // of the array, with the members in their order

// Of a start and an end alone, the end says how much is in use.
static void write_uses(struct scope *s, const struct array *a)
{
    bool is_limit = a->group->has_end && a->group->count > 2;
    size_t after = a->group->count - is_limit;
    emit_line(s, "switch (cz_choice(cz_part(%s, \"used\"), %u)) {", a->start.path, USES + 1);
    for (unsigned use = 0; use <= USES; use++) {
        emit_line(s, use < USES ? "case %u:" : "default: {", use);
        s->level++;
        for (size_t i = 1; use < USES && i < after; i++)
            assign_position(s, a, i, position(a, i, after > 2, use));
        if (use < USES && is_limit)
            assign_position(s, a, a->group->count - 1, a->elements);
        if (use == USES)
            assign_anywhere(s, a);
        emit_line(s, use < USES ? "break;" : "}");
        s->level--;
    }
    emit_line(s, "}");
}

static void write_array(struct scope *s, const struct array *a)
{
    struct scope inner = *s;
    inner.level++;
    inner.pointers++;
    inner.counting ? inner.used++ : inner.depth--;
    pointer_assign(&inner, a->start, a->pointer,
                   arena_printf(s->emitter->arena, "cz_new(%s, %s * sizeof *%s, 1)", a->start.path,
                                count_text(s->emitter->arena, a->elements), a->start.access));
    struct spot content = a->start;
    content.is_const = a->pointer->target->is_const;
    fill_elements(&inner, content, a->pointer->target, a->elements);
    write_uses(&inner, a);
}

bool members_can_fill(const struct type *record, const struct member_group *group)
{
    for (size_t i = 0; i < group->count; i++)
        if (!*record->fields[group->fields[i]].name)
            return false;
    const struct type *target = record->fields[group->fields[0]].type->target;
    return target->complete && target->size;
}

static struct count group_elements(struct scope *s, const struct type *record, size_t first)
{
    struct count elements = elements_behind(s, record, first);
    if (record->fields[first].type->target->is_char && !s->emitter->options->free_lengths)
        elements = count_limit(count_times(elements, HARNESS_GROUP_TEXT), HARNESS_LEAVES);
    return count_start(elements) < HARNESS_GROUP_LEAST
               ? count_bounded(HARNESS_GROUP_LEAST, count_most(elements))
               : elements;
}

void fill_group(struct scope *s, const struct inside *in, const struct type *record,
                const struct member_group *group)
{
    struct arena *arena = s->emitter->arena;
    const struct field *first = &record->fields[group->fields[0]];
    struct slot slot = {.kind = SLOT_FIELD, .record = facts_of(record), .index = group->fields[0]};
    struct array a = {.group = group, .in = in, .record = record, .pointer = first->type};
    a.start = (struct spot){arena_printf(arena, "%s%s", in->prefix, first->name),
                            arena_printf(arena, "%s(%s, \"%s\")", in->link, in->path, first->name),
                            in->is_const, program_slot_key(&slot)};
    a.elements = group_elements(s, record, group->fields[0]);
    if (!s->counting && s->depth == 0) {
        assign_all(s, &a, arena_printf(arena, "cz_deep_null(%s)", a.start.path));
        return;
    }
    bool block = emit_open(s, a.start.path);
    a.start.path = emit_hoist(s, a.start.path);
    if (s->counting) {
        emit_line(s, "if (%s == %u) {", s->emitter->depth, s->used);
        s->level++;
        assign_all(s, &a, arena_printf(arena, "cz_deep_null(%s)", a.start.path));
        s->level--;
    }
    emit_line(s, s->counting ? "} else if (cz_present(%s)) {" : "if (cz_present(%s)) {",
              a.start.path);
    write_array(s, &a);
    emit_line(s, "} else {");
    s->level++;
    assign_all(s, &a, arena_printf(arena, "cz_absent(%s)", a.start.path));
    s->level--;
    emit_line(s, "}");
    emit_close(s, block);
    emit_note(s, NOTE_LENGTHS, "%s and %zu more: anywhere in one array of %s elements",
              emit_spoken(s, a.start.access), group->count - 1, count_spoken(arena, a.elements));
}

// ---- Pointers of records inside ----

static bool can_move(const struct type *record, const struct member_inner *inner)
{
    const struct field *array = &record->fields[inner->array];
    return *array->name && array->type->kind == TYPE_POINTER && array->type->target->complete &&
           *record->fields[inner->record].type->fields[inner->pointer].name;
}

static void move_into(struct scope *s, const struct inside *in, const struct type *record,
                      const struct member_inner *inner)
{
    struct arena *arena = s->emitter->arena;
    const struct field *outer = &record->fields[inner->record];
    const struct field *pointer = &outer->type->fields[inner->pointer];
    const char *start = arena_printf(arena, "%s%s", in->prefix, record->fields[inner->array].name);
    struct count elements = members_group(record, inner->array)
                                ? group_elements(s, record, inner->array)
                                : elements_behind(s, record, inner->array);
    struct spot spot = {arena_printf(arena, "%s%s.%s", in->prefix, outer->name, pointer->name),
                        arena_printf(arena, "cz_part(cz_field(%s(%s, \"%s\"), \"%s\"), \"into\")",
                                     in->link, in->path, outer->name, pointer->name),
                        in->is_const || outer->type->is_const, 0};
    emit_line(s, "if (%s)", start);
    s->level++;
    pointer_assign(s, spot, pointer->type,
                   arena_printf(arena, "%s + cz_choice(%s, %s)", start, spot.path,
                                count_text(arena, count_plus(elements, 1))));
    s->level--;
    emit_note(s, NOTE_LENGTHS, "%s: points into %s", emit_spoken(s, spot.access),
              emit_spoken(s, start));
}

void fill_inner(struct scope *s, const struct inside *in, const struct type *record)
{
    const struct type *facts = facts_of(record);
    for (size_t i = 0; i < facts->inner_count; i++)
        if (can_move(record, &facts->inner[i]))
            move_into(s, in, record, &facts->inner[i]);
}
