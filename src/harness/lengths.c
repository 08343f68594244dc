// SPDX-License-Identifier: Apache-2.0
// Buffers and their lengths. A function that is told a length trusts it: called with
// more than there is it runs over the buffer, which says nothing about the function. So
// the length is a number of elements that are there (and a negative one, or one beyond a
// limit, where the code looks for such), and an end pointer points into the buffer. Where
// the code says that the length is exact, it may use no more elements (cz_extent). What only the
// name makes a length is tried as one, and may be any number.
#include "harness/emit.h"

#include "base/tunables.h"
#include <string.h>

static const struct parameter_pair *pair_of_pointer(const struct function *function, size_t index)
{
    for (size_t i = 0; i < function->pair_count; i++)
        if (function->pairs[i].pointer == index)
            return &function->pairs[i];
    return NULL;
}

static const struct parameter_pair *pair_of_end(const struct function *function, size_t index)
{
    const struct parameter_pair *pair = NULL;
    for (size_t i = 0; i < function->pair_count; i++)
        if (function->pairs[i].other == index && function->pairs[i].kind == PAIR_END)
            pair = &function->pairs[i];
    return pair;
}

static bool is_plain(const struct type *element)
{
    return scalar_vocabulary(element) || element->kind == TYPE_VOID;
}

static uint64_t unit_of(const struct parameter_pair *pair, const struct type *pointer)
{
    return pair->kind == PAIR_BYTES && pointer->target->size ? pointer->target->size : 1;
}

// The largest number that the code compares the length with.
static uint64_t wanted(const struct parameter_pair *pair)
{
    return pair->kind != PAIR_END && pair->low <= pair->high && pair->high > 0
               ? (uint64_t)pair->high
               : 0;
}

// Elements that the buffer must have for the code's own limits, 0: as usual.
struct count lengths_elements(struct scope *s, const struct function *function, size_t index)
{
    const struct harness_options *options = s->emitter->options;
    const struct parameter_pair *pair = pair_of_pointer(function, index);
    const struct type *type = function->params[index].type;
    if (!pair || options->free_lengths || type->count || !is_plain(type->target))
        return count_fixed(0);
    uint64_t unit = unit_of(pair, type), elements = (wanted(pair) + unit - 1) / unit;
    if (elements <= options->elements || elements > HARNESS_LENGTH_ELEMENTS)
        return count_fixed(0);
    return count_bounded(elements, count_most(plan_plain_count(s->emitter)));
}

const char *lengths_count(struct scope *s, const struct function *function, size_t index)
{
    struct emitter *e = s->emitter;
    const struct parameter_pair *pair = pair_of_pointer(function, index);
    if (!pair || pair->kind == PAIR_END || pair->is_suggested)
        return NULL;
    const char *name = call_local(e, &function->params[pair->other], pair->other);
    uint64_t unit = unit_of(pair, function->params[index].type);
    return unit == 1 ? name
                     : arena_printf(e->arena, "(%s + %llu) / %llu", name,
                                    (unsigned long long)unit - 1, (unsigned long long)unit);
}

static const struct pointer_candidates *facts_of(const struct emitter *e,
                                                 const struct function *function, size_t index)
{
    struct slot slot = {.kind = SLOT_PARAMETER,
                        .owner = (size_t)(function - e->program->functions),
                        .index = index};
    return pointer_facts(e, program_slot_key(&slot));
}

// Characters that the code writes are a buffer, and the byte of the NUL is part of it:
// text[length] = 0 is behind its end. For a reader, the length of a text is without its NUL.
static bool has_room_for_nul(struct scope *s, const struct function *function, size_t index)
{
    const struct pointer_candidates *facts = facts_of(s->emitter, function, index);
    return function->params[index].type->target->is_char && facts && facts->written;
}

// Elements behind a pointer parameter, as fill_pointer() will build it.
static struct count elements_behind(struct scope *s, const struct function *function, size_t index)
{
    const struct type *type = function->params[index].type;
    struct count grown = lengths_elements(s, function, index);
    if (!count_start(grown) && type->count)
        return count_fixed(type->count);
    if (!count_start(grown))
        grown = plan_count(s->emitter, type->target, false);
    return count_plus(grown, has_room_for_nul(s, function, index));
}

// What the length may be at most with every pointer that it belongs to.
static bool find_limit(struct scope *s, const struct function *function, size_t index,
                       struct count *limit, const struct parameter_pair **first)
{
    *first = NULL;
    for (size_t i = 0; i < function->pair_count; i++) {
        const struct parameter_pair *pair = &function->pairs[i];
        if (pair->other != index || pair->kind == PAIR_END)
            continue;
        const struct type *type = function->params[pair->pointer].type;
        struct count room =
            count_times(elements_behind(s, function, pair->pointer), unit_of(pair, type));
        *limit = *first ? count_smaller(*limit, room) : room;
        if (!*first)
            *first = pair;
    }
    return *first != NULL;
}

// How far an end is from its start, in elements; what a length is if the name is right.
static const char *far_of(struct emitter *e, const char *end)
{
    return names_local(e, arena_printf(e->arena, "far_%s", end));
}

static void limit_length(struct scope *s, const struct function *function,
                         const struct parameter_pair *pair, struct count limit, const char *name,
                         const char *path)
{
    struct emitter *e = s->emitter;
    const struct type *type = function->params[pair->other].type;
    bool compared = pair->low <= pair->high;
    bool negative = compared && pair->low <= 0 && type->is_signed;
    if (compared && wanted(pair) == count_start(limit)) // one more than the code allows
        limit = plan_length(count_plus(limit, 1), type, 0);
    const char *of = function->params[pair->pointer].name;
    const char *declared = names_declare(e, type, name), *length = negative ? far_of(e, name) : "";
    emit_line(s, "%s = cz_choice(%s, %s); /* the length of %s%s */",
              negative ? arena_printf(e->arena, "unsigned long %s", length) : declared, path,
              count_text(e->arena, count_plus(limit, 1 + negative)), of, negative ? ", or -1" : "");
    if (negative)
        emit_line(s, "%s = %s <= %s ? %s : -1;", declared, length, count_text(e->arena, limit),
                  length);
    emit_note(s, NOTE_LENGTHS, "parameter %s: the length of %s, %s0 to %s",
              function->params[pair->other].name, function->params[pair->pointer].name,
              negative ? "-1 or " : "", count_spoken(e->arena, limit));
}

static void suggest_length(struct scope *s, const struct function *function,
                           const struct parameter_pair *pair, struct count limit, const char *name,
                           const char *path)
{
    struct emitter *e = s->emitter;
    const struct type *type = function->params[pair->other].type;
    const char *length = far_of(e, name), *of = function->params[pair->pointer].name;
    emit_line(s, "unsigned long %s = cz_choice(%s, %s); /* the length of %s, or any number */",
              length, path, count_text(e->arena, count_plus(limit, 2)), of);
    emit_line(s, "%s = %s <= %s ? %s : %s;", names_declare(e, type, name), length,
              count_text(e->arena, limit), length, scalar_value(s, type, path));
}

static bool is_tested(const struct emitter *e, const struct function *function, size_t index)
{
    const struct pointer_candidates *facts = facts_of(e, function, index);
    return facts && facts->tested;
}

// Was it put in front of its start?
static const char *turned_of(struct emitter *e, const char *end)
{
    return names_local(e, arena_printf(e->arena, "turned_%s", end));
}

// May the code use no more of the buffer than the length says? Not if it was promised more
// (int a[8], or by a precondition), nor if the next call may get the buffer again, perhaps with
// another length.
static bool has_extent(const struct scope *s, const struct function *function,
                       const struct parameter_pair *pair)
{
    const struct harness_options *options = s->emitter->options;
    const struct type *type = function->params[pair->pointer].type;
    return pair->is_exact && !options->free_lengths && !options->full_buffers &&
           type->kind == TYPE_POINTER && !type->count && is_plain(type->target) &&
           names_sayable(type) && !call_sequence_keep(s, type) &&
           !assume_counts(s->emitter, function, function->params[pair->pointer].name) &&
           (pair->kind == PAIR_BYTES || type->target->kind != TYPE_VOID) &&
           (pair->kind != PAIR_END ||
            (pair->pointer < pair->other && pair == pair_of_end(function, pair->other) &&
             names_sayable(function->params[pair->other].type)));
}

// Two places in one array, not always a start and its end.
static void write_turned(struct scope *s, const struct function *function,
                         const struct parameter_pair *pair, const char *name, const char *path)
{
    struct emitter *e = s->emitter;
    const struct parameter *pointer = &function->params[pair->pointer];
    const char *start = call_local(e, pointer, pair->pointer);
    const char *first = names_local(e, arena_printf(e->arena, "first_%s", name));
    const char *turned = turned_of(e, name);
    emit_line(s, "int %s = %s && cz_choice(cz_part(%s, \"first\"), 2);", turned, name, path);
    emit_line(s, "if (%s) { /* %s is behind it */", turned, pointer->name);
    emit_line(s, "    void *%s = (void *)%s;", first, start);
    s->level++;
    pointer_assign(s, (struct spot){.access = start}, pointer->type,
                   arena_printf(e->arena, "(void *)%s", name));
    pointer_assign(s, (struct spot){.access = name}, function->params[pair->other].type, first);
    s->level--;
    emit_line(s, "}");
}

// Into the buffer, or NULL where the code looks for that.
static bool limit_end(struct scope *s, const struct function *function, size_t index,
                      const char *name, const char *path)
{
    struct emitter *e = s->emitter;
    const struct parameter_pair *pair = pair_of_end(function, index);
    if (!pair || pair->pointer > index || !names_sayable(function->params[index].type) ||
        !names_sayable(function->params[pair->pointer].type))
        return false; // the pointer comes first
    const char *start = call_local(e, &function->params[pair->pointer], pair->pointer);
    const char *end = names_declare(e, function->params[index].type, name);
    struct count most = elements_behind(s, function, pair->pointer);
    const char *far = far_of(e, name);
    if (is_tested(e, function, index)) {
        emit_line(s, "unsigned long %s = cz_choice(%s, %s);", far, path,
                  count_text(e->arena, count_plus(most, 2)));
        emit_line(s, "%s = %s && %s <= %s ? (void *)(%s + %s) : 0;", end, start, far,
                  count_text(e->arena, most), start, far);
    } else if (has_extent(s, function, pair)) {
        emit_line(s, "unsigned long %s = cz_choice(%s, %s);", far, path,
                  count_text(e->arena, count_plus(most, 1)));
        emit_line(s, "%s = %s ? (void *)(%s + %s) : 0;", end, start, start, far);
    } else {
        emit_line(s, "%s = %s ? (void *)(%s + cz_choice(%s, %s)) : 0;", end, start, start, path,
                  count_text(e->arena, count_plus(most, 1)));
    }
    if (pair->by_order)
        write_turned(s, function, pair, name, path);
    emit_note(s, NOTE_LENGTHS, "parameter %s: points into %s", function->params[index].name,
              function->params[pair->pointer].name);
    return true;
}

bool lengths_limit(struct scope *s, const struct function *function, size_t index, const char *name,
                   const char *path)
{
    const struct parameter_pair *pair;
    struct count limit = count_fixed(0);
    if (s->emitter->options->free_lengths)
        return false;
    if (function->params[index].type->kind == TYPE_POINTER)
        return limit_end(s, function, index, name, path);
    if (!find_limit(s, function, index, &limit, &pair))
        return false;
    limit = plan_length(limit, function->params[index].type, 0);
    bool compared = pair->low <= pair->high;
    if (compared && (pair->low < 0 || wanted(pair) > count_start(limit)))
        return false; // the code looks for lengths beyond any buffer of ours
    if (pair->is_suggested)
        suggest_length(s, function, pair, limit, name, path);
    else
        limit_length(s, function, pair, limit, name, path);
    return true;
}

// ---- Extents ----

static const struct place *place_of(const struct scope *s, const char *access)
{
    for (size_t i = 0; i < s->roots->places.count; i++)
        if (s->roots->places.items[i].is_parameter &&
            strcmp(s->roots->places.items[i].access, access) == 0)
            return &s->roots->places.items[i];
    return NULL;
}

// C: the buffer is one of its own, and no other pointer leads to it.
static const char *is_unshared(const struct scope *s, const struct place *place)
{
    struct arena *arena = s->emitter->arena;
    const char *text = arena_printf(arena, "!cz_missing(%s)", place->path);
    for (size_t i = 0; i < s->roots->sharers.count; i++) {
        const struct sharer *sharer = &s->roots->sharers.items[i];
        bool is_new = sharer->root == place->root;
        for (size_t k = 0; k < i && is_new; k++)
            is_new = s->roots->sharers.items[k].root != sharer->root ||
                     strcmp(s->roots->sharers.items[k].path, sharer->path) != 0;
        if (is_new)
            text = arena_printf(arena, "%s && !cz_missing(%s)", text, sharer->path);
    }
    return text;
}

void lengths_extents(struct scope *s, const struct function *function)
{
    struct emitter *e = s->emitter;
    if (!s->task || !s->roots || !part_is_first(e) || e->options->program)
        return;
    for (size_t i = 0; i < function->pair_count; i++) {
        const struct parameter_pair *pair = &function->pairs[i];
        const char *start = call_local(e, &function->params[pair->pointer], pair->pointer);
        const char *other = call_local(e, &function->params[pair->other], pair->other);
        const struct place *place = place_of(s, start);
        if (!has_extent(s, function, pair) || !place)
            continue;
        emit_line(s, "if (%s%s) /* %s ends where %s says */",
                  pair->by_order ? arena_printf(e->arena, "!%s && ", turned_of(e, other)) : "",
                  is_unshared(s, place), function->params[pair->pointer].name,
                  function->params[pair->other].name);
        emit_line(s, "    cz_extent((void *)%s, (unsigned long long)%s, %s);", start,
                  pair->kind == PAIR_END ? far_of(e, other) : other,
                  pair->kind == PAIR_BYTES ? "1" : arena_printf(e->arena, "sizeof *%s", start));
    }
}
