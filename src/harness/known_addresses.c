// SPDX-License-Identifier: Apache-2.0
// What a pointer may be that is neither NULL nor a new object: a number that the code
// compares it with ((void *)-1), an address with a tag in its low bits, a variable of the
// file, one of its elements or members, a member of the record behind another pointer.
// Each is offered only where the code can tell it from a new object: it compares the two,
// or writes through one name and reads through the other. They stand in a table beside
// the NULL of a pointer that is not there, so a new object stays what it is.
#include "harness/emit.h"

#include "base/tunables.h"
#include <inttypes.h>
#include <string.h>

void known_add(struct known *known, const char *value, const char *name)
{
    if (known->count == HARNESS_KNOWN) {
        known->dropped++;
        return;
    }
    known->values[known->count] = value;
    known->names[known->count++] = name;
}

void known_release(struct known *known)
{
    VEC_RELEASE(&known->lines);
}

void known_write(struct scope *s, struct spot spot, const struct type *type, const char *part,
                 struct known *known)
{
    struct emitter *e = s->emitter;
    struct buf values = BUF_INIT, names = BUF_INIT;
    const char *table = names_local(e, "known");
    if (known->dropped)
        emit_note(s, NOTE_OBJECTS, "%s: %u more places that it may point to are not tried",
                  emit_spoken(s, spot.access), known->dropped);
    for (unsigned i = 0; i < known->count; i++) {
        buf_printf(&values, ", %s", known->values[i]);
        buf_printf(&names, "|%s", known->names[i]);
    }
    for (size_t i = 0; i < known->lines.count; i++)
        emit_line(s, "%s", known->lines.items[i]);
    emit_line(s, "void *const %s[] = {(void *)%s%s};", table, spot.access, buf_text(&values));
    pointer_assign(s, spot, type,
                   arena_printf(e->arena,
                                "%s[cz_choice(cz_typed(cz_part(%s, \"%s\"), \"as it is%s\"), %u)]",
                                table, spot.path, part, buf_text(&names), known->count + 1));
    buf_release(&values);
    buf_release(&names);
}

// A NULL that stands for another pointer's: whoever looks at it looks at that one, too, or
// nobody would try what is behind it.
const char *known_missing(struct emitter *e, const char *path)
{
    return arena_printf(e->arena, "cz_missing(%s) ? cz_absent(%s)", path, path);
}

// ---- Numbers ----

void known_numbers(struct scope *s, struct spot spot, const struct type *type, struct known *known)
{
    struct emitter *e = s->emitter;
    const struct pointer_candidates *facts = pointer_facts(e, spot.slot);
    bool narrow = e->program->narrow;
    for (size_t i = 0; facts && i < facts->number_count; i++) {
        int64_t number = narrow ? (int32_t)facts->numbers[i] : facts->numbers[i];
        bool is_small = number > -65536 && number < 65536;
        const char *value =
            is_small ? arena_printf(e->arena, "(void *)%" PRId64 "L", number)
                     : arena_printf(e->arena, "(void *)0x%" PRIx64 "ULL",
                                    narrow ? (uint64_t)(uint32_t)number : (uint64_t)number);
        if (narrow && !is_small)
            value = arena_printf(e->arena, "(void *)0x%" PRIx32 "UL", (uint32_t)number);
        known_add(known, value,
                  is_small ? arena_printf(e->arena, "(void *)%" PRId64, number)
                           : arena_printf(e->arena, "(void *)0x%" PRIx64, (uint64_t)number));
    }
    if (facts && facts->as_number && type->target->kind == TYPE_VOID && !facts->cast_count &&
        !facts->indexed)
        known_add(known,
                  arena_printf(e->arena, "(void *)(unsigned long)%s(cz_part(%s, \"number\"))",
                               narrow ? "cz_u32" : "cz_u64", spot.path),
                  "a number");
}

// ---- Tags ----

unsigned known_tag_bits(const struct emitter *e, uint64_t slot)
{
    const struct pointer_candidates *facts = pointer_facts(e, slot);
    return facts ? (unsigned)facts->tag_bits : 0;
}

// Objects begin at multiples of 16, so adding is setting bits. Of text it is another place
// in it: pointer.c makes it so much longer.
void known_tag(struct scope *s, struct spot spot, const struct type *type)
{
    struct arena *arena = s->emitter->arena;
    unsigned bits = known_tag_bits(s->emitter, spot.slot);
    if (!bits)
        return;
    const char *choice =
        arena_printf(arena, "cz_choice(cz_part(%s, \"tag\"), %u)", spot.path, bits + 1);
    if (bits & (bits + 1)) // not all below the highest one
        choice = arena_printf(arena, "(%s & %uu)", choice, bits);
    pointer_assign(s, spot, type,
                   arena_printf(arena, "(void *)((char *)%s + %s)", spot.access, choice));
    emit_note(s, NOTE_OBJECTS, "%s: an address with any of the tags %u in it, or NULL without one",
              emit_spoken(s, spot.access), bits);
}

// ---- Variables and members ----

static bool contains(const size_t *list, size_t count, size_t wanted)
{
    for (size_t i = 0; i < count; i++)
        if (list[i] == wanted)
            return true;
    return false;
}

struct search { // for places of one pointer's type inside objects
    struct scope *s;
    struct spot spot;
    const struct type *target;
    const struct place *place; // NULL: not a root
    struct known *known;
    const char *otherwise; // C: the object may be missing, and what it is then; NULL: it is there
    bool compares;         // the pointer is compared with such an object or its elements ...
    bool compares_members; // ... or may be with members that are
    bool plays;            // one is written where the other is read
    bool indexed;          // the task uses several elements
    uint64_t elements;     // that are promised to it with --elements as it is given
    unsigned indices;
};

static const struct type *plain(const struct type *type)
{
    return type->canonical ? type->canonical : type;
}

static bool is_byte(const struct type *type)
{
    return type->is_char || type->kind == TYPE_VOID;
}

static bool is_same(const struct type *a, const struct type *b)
{
    bool integers = (a->kind == TYPE_INT || a->kind == TYPE_ENUM) &&
                    (b->kind == TYPE_INT || b->kind == TYPE_ENUM);
    return plain(a) == plain(b) || (integers && a->size == b->size) ||
           (a->kind == TYPE_BOOL && b->kind == TYPE_BOOL) ||
           (a->kind == TYPE_POINTER && b->kind == TYPE_POINTER &&
            plain(a->target) == plain(b->target));
}

static void found(struct search *f, const char *value, const char *name)
{
    struct arena *arena = f->s->emitter->arena;
    value = arena_printf(arena, "(void *)%s", value);
    known_add(f->known, f->otherwise ? arena_printf(arena, "%s : %s", f->otherwise, value) : value,
              name);
}

// A number below `count` under a name of its own, in a variable.
static const char *new_index(struct search *f, const char *name, uint64_t count)
{
    struct emitter *e = f->s->emitter;
    const char *index = names_local(e, arena_printf(e->arena, "index%u", f->indices++));
    *VEC_PUSH(&f->known->lines) =
        arena_printf(e->arena, "unsigned long %s = cz_choice(cz_part(%s, \"in_%s\"), %llu);", index,
                     f->spot.path, names_identifier(e, name), (unsigned long long)count);
    return index;
}

// As many places as leave room for what the task uses.
static void find_in_row(struct search *f, const char *access, const char *name,
                        const struct type *array, uint64_t count, uint64_t step)
{
    struct arena *arena = f->s->emitter->arena;
    uint64_t used = f->indexed && !f->compares ? f->elements : 1, unit = step;
    if (count * array->target->size < used * unit || !unit)
        return;
    uint64_t all = count * array->target->size / unit, places = all - used + 1;
    const char *index = new_index(f, name, places);
    const char *value =
        arena_printf(arena, "((char *)%s + %llu * %s)", access, (unsigned long long)unit, index);
    if (f->place && f->place->count)
        value = arena_printf(arena, "(%s + (unsigned long)%s <= %llu ? (void *)%s : 0)", index,
                             f->place->count, (unsigned long long)all, value);
    found(f, value, arena_printf(arena, "&%s[...]", name));
}

static void find_inside(struct search *f, const char *access, const char *name,
                        const struct type *type, unsigned depth, bool compares);

static void find_in_array(struct search *f, const char *access, const char *name,
                          const struct type *type, unsigned depth, bool compares)
{
    struct arena *arena = f->s->emitter->arena;
    uint64_t count = type->count;
    if (!count || !type->target->size)
        return;
    bool same = is_same(f->target, type->target);
    if (same && (compares || (f->plays && !is_byte(f->target))))
        find_in_row(f, access, name, type, count, type->target->size);
    else if (compares && (is_byte(type->target) || is_byte(f->target)))
        find_in_row(f, access, name, type, count, f->target->size ? f->target->size : 1);
    if (!same && (plan_is_record(type->target) || type->target->kind == TYPE_ARRAY) &&
        depth < HARNESS_KNOWN_DEPTH) {
        const char *element =
            count == 1 ? "0" : new_index(f, arena_printf(arena, "%s_", name), count);
        find_inside(f, arena_printf(arena, "%s[%s]", access, element),
                    arena_printf(arena, "%s[...]", name), type->target, depth + 1, compares);
    }
}

static void find_in_record(struct search *f, const char *access, const char *name,
                           const struct type *type, unsigned depth)
{
    struct arena *arena = f->s->emitter->arena;
    const struct type *record = plain(type);
    for (size_t i = 0; i < record->field_count && depth < HARNESS_KNOWN_DEPTH; i++) {
        const struct field *field = &record->fields[i];
        bool compares = f->compares_members && field->compared;
        if (!known_is_used(f->s, field) || !*field->name || field->bits >= 0 ||
            (field->type->kind == TYPE_POINTER && !f->plays))
            continue;
        bool is_whole = plan_is_record(field->type) || field->type->kind == TYPE_ARRAY;
        if (compares || is_whole || f->plays)
            find_inside(f, arena_printf(arena, "%s.%s", access, field->name),
                        arena_printf(arena, "%s.%s", name, field->name), field->type, depth + 1,
                        compares);
    }
}

// By the task, or where there is none by anybody.
bool known_is_used(const struct scope *s, const struct field *field)
{
    for (size_t i = 0; s->task && i < field->user_count; i++)
        if (contains(s->task->functions, s->task->function_count, field->users[i]))
            return true;
    return !s->task && field->user_count;
}

// Does anything in it count at all? Saves the indices of arrays of records.
static bool can_hold(const struct search *f, const struct type *type, unsigned depth)
{
    while (type->kind == TYPE_ARRAY)
        type = type->target;
    if (is_same(f->target, type) || is_byte(f->target) || is_byte(type))
        return true;
    for (size_t i = 0;
         plan_is_record(type) && depth < HARNESS_KNOWN_DEPTH && i < plain(type)->field_count; i++)
        if (can_hold(f, plain(type)->fields[i].type, depth + 1))
            return true;
    return false;
}

static void find_inside(struct search *f, const char *access, const char *name,
                        const struct type *type, unsigned depth, bool compares)
{
    struct arena *arena = f->s->emitter->arena;
    if (!can_hold(f, type, depth))
        return;
    if (type->kind == TYPE_ARRAY) {
        find_in_array(f, access, name, type, depth, compares);
        return;
    }
    bool same = is_same(f->target, type);
    bool plays = f->plays && !f->indexed && (same || is_byte(f->target));
    if ((compares && (same || is_byte(f->target))) || plays)
        found(f, arena_printf(arena, "&%s", access), arena_printf(arena, "&%s", name));
    if (plan_is_record(type) && !same && !(is_byte(f->target) && plays))
        find_in_record(f, access, name, type, depth);
}

static bool is_usable(const struct variable *variable)
{
    return !variable->function && !variable->in_system_header && variable->type->size &&
           variable->type->complete;
}

// Does a function compare both, one of the task if there is a task?
static bool compares_both(const struct scope *s, const struct pointer_candidates *facts,
                          const struct variable *variable)
{
    for (size_t i = 0; facts && i < variable->comparer_count; i++) {
        size_t function = variable->comparers[i];
        if (s->task && !contains(s->task->functions, s->task->function_count, function))
            continue;
        if (contains(facts->comparers, facts->comparer_count, function))
            return true;
    }
    return false;
}

static struct search new_search(struct scope *s, struct spot spot, const struct type *type,
                                struct known *known)
{
    return (struct search){.s = s, .spot = spot, .target = type->target, .known = known};
}

void known_compared(struct scope *s, struct spot spot, const struct type *type, struct known *known)
{
    const struct program *program = s->emitter->program;
    const struct pointer_candidates *facts = pointer_facts(s->emitter, spot.slot);
    if (!facts || !facts->comparer_count || type->target->kind == TYPE_FUNCTION)
        return;
    for (size_t i = 0; i < program->variable_count; i++) {
        const struct variable *variable = &program->variables[i];
        struct search f = new_search(s, spot, type, known);
        f.compares = is_usable(variable) && compares_both(s, facts, variable);
        f.indices = known->lines.count;
        if (f.compares)
            find_inside(&f, variable->name, variable->name, variable->type, 0, true);
    }
}

// ---- Roots ----

static bool is_written_by_task(const struct scope *s, size_t variable)
{
    const struct program *program = s->emitter->program;
    for (size_t i = 0; i < s->task->function_count; i++) {
        const struct function *function = &program->functions[s->task->functions[i]];
        if (contains(function->writes, function->write_count, variable))
            return true;
    }
    return false;
}

static bool is_seen(const struct accesses *written, const struct accesses *read)
{
    for (size_t i = 0; i < written->count; i++)
        for (size_t k = 0; written->list[i].writes && k < read->count; k++)
            if (!read->list[k].writes && written->list[i].at < read->list[k].at &&
                read->list[k].at <= written->list[i].until)
                return true;
    return false;
}

// Is one of the two read behind a write of the other?
bool known_plays(const struct accesses *a, const struct accesses *b)
{
    return is_seen(a, b) || is_seen(b, a);
}

// The entry's own body tells the order if nobody else of the task uses the variable.
static bool can_play(const struct scope *s, const struct place *place, size_t variable)
{
    const struct program *program = s->emitter->program;
    const struct function *entry = &program->functions[s->task->entry];
    for (size_t i = 0; i < s->task->function_count; i++) {
        const struct function *function = &program->functions[s->task->functions[i]];
        if (function != entry && contains(function->globals, function->global_count, variable))
            return true;
    }
    for (size_t i = 0; place->accesses && entry->accesses && i < entry->global_count; i++)
        if (entry->globals[i] == variable)
            return known_plays(place->accesses, &entry->accesses[i]);
    return true;
}

static bool is_used_by_task(const struct scope *s, size_t variable)
{
    const struct program *program = s->emitter->program;
    for (size_t i = 0; i < s->task->function_count; i++) {
        const struct function *function = &program->functions[s->task->functions[i]];
        if (contains(function->globals, function->global_count, variable))
            return true;
    }
    return false;
}

static void set_use(struct search *f, const struct place *place)
{
    const struct pointer_candidates *facts = pointer_facts(f->s->emitter, place->slot);
    f->place = place;
    f->indexed = place->is_fixed || place->count || (facts && facts->indexed);
    f->elements = count_start(place->elements);
}

void known_variables(struct scope *s, const struct place *place, struct known *known)
{
    const struct program *program = s->emitter->program;
    const struct pointer_candidates *facts = pointer_facts(s->emitter, place->slot);
    struct spot spot = {place->access, place->path, false, place->slot};
    bool writes = aliases_writes(s->emitter, place->slot);
    for (size_t i = 0; i < program->variable_count; i++) {
        const struct variable *variable = &program->variables[i];
        if (!is_usable(variable) || !is_used_by_task(s, i))
            continue;
        struct search f = new_search(s, spot, place->type, known);
        set_use(&f, place);
        f.indices = known->lines.count;
        f.compares = compares_both(s, facts, variable);
        f.compares_members = aliases_compares(s, place->slot);
        f.plays = facts && !variable->is_const && !variable->is_volatile && !place->is_restrict &&
                  (writes || is_written_by_task(s, i)) && can_play(s, place, i);
        if (f.compares || f.compares_members || f.plays)
            find_inside(&f, variable->name, variable->name, variable->type, 0, f.compares);
    }
}

void known_members(struct scope *s, const struct place *place, const struct place *record,
                   struct known *known)
{
    struct emitter *e = s->emitter;
    struct spot spot = {place->access, place->path, false, place->slot};
    struct search f = new_search(s, spot, place->type, known);
    set_use(&f, place);
    f.indices = known->lines.count;
    f.otherwise = known_missing(e, record->path);
    f.compares_members = aliases_compares(s, place->slot);
    f.plays =
        pointer_facts(e, place->slot) && !place->is_restrict && !record->is_restrict &&
        (aliases_writes(e, place->slot) || aliases_writes(e, record->slot)) &&
        (!place->accesses || !record->accesses || known_plays(place->accesses, record->accesses));
    bool compares = aliases_compares(s, place->slot) && aliases_compares(s, record->slot);
    const char *name = record->access;
    if (record->is_parameter && strncmp(name, "arg_", 4) == 0)
        name += 4;
    find_inside(&f, arena_printf(e->arena, "(*%s)", record->access),
                arena_printf(e->arena, "(*%s)", name), record->type->target, 0, compares);
}
