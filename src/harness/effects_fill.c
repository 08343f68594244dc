// SPDX-License-Identifier: Apache-2.0
// Code that fills what a stub changes: the members that ranges of bits stand for, and
// buffers.
#include "harness/effects_internal.h"

#include "base/tunables.h"
#include <string.h>

static bool overlaps(const struct ranges *r, int64_t base, uint64_t bits)
{
    for (size_t i = 0; i < r->count; i++)
        if (r->items[i].all || (r->items[i].from < base + (int64_t)bits && r->items[i].to > base))
            return true;
    return false;
}

// Ranges are sorted by where they begin.
bool effects_cover(const struct ranges *r, int64_t base, uint64_t bits)
{
    int64_t reached = base;
    for (size_t i = 0; i < r->count; i++) {
        if (r->items[i].all)
            return true;
        if (r->items[i].from <= reached && r->items[i].to > reached)
            reached = r->items[i].to;
    }
    return reached >= base + (int64_t)bits;
}

static bool has_setter(const struct type *type)
{
    return type->kind == TYPE_POINTER && type->target->kind != TYPE_FUNCTION && !type->is_const &&
           !type->is_volatile && names_sayable(type);
}

// A pointer may also stay what it was; of other values the old one is among the inputs.
static void fill_whole(struct writer *w, const struct object *o)
{
    struct spot spot = {o->lvalue, o->whole, false, o->slot};
    bool keeps = o->type->kind == TYPE_POINTER || plan_has_pointer(o->type);
    if (keeps) {
        emit_line(w->s, "if (cz_choice(cz_part(%s, \"written\"), 2)) {", o->whole);
        w->s->level++;
    }
    if (has_setter(o->type))
        fill_by_setter(w->s, spot, o->type);
    else if (plan_is_record(o->type) && o->pointer)
        fill_record_behind(w->s, (struct spot){o->pointer, o->path, false, 0}, o->type);
    else
        fill(w->s, spot, o->type);
    if (keeps) {
        w->s->level--;
        emit_line(w->s, "}");
    }
}

static void fill_bits(struct writer *w, const struct object *o, const struct type *record,
                      size_t index)
{
    struct arena *arena = effects_arena(w);
    bool block = emit_open(w->s, o->path);
    struct inside in = {
        o->prefix, o->link, emit_hoist(w->s, o->path), arena_printf(arena, "(&%s)", o->lvalue), 0,
        false,     false};
    fill_member(w->s, &in, record, index);
    emit_close(w->s, block);
}

static void fill_members(struct writer *w, const struct object *o, const struct ranges *r,
                         int64_t base)
{
    const struct type *record = o->type;
    for (size_t i = 0; i < record->field_count; i++) {
        const struct field *field = &record->fields[i];
        int64_t at = base + (int64_t)field->offset_bits;
        uint64_t bits = field->bits >= 0 ? (uint64_t)field->bits : field->type->size * 8;
        if (!overlaps(r, at, bits) || (field->bits >= 0 && !*field->name))
            continue;
        struct object member = effects_member(w, o, record, i);
        bool is_union = field->anonymous_record && field->type->kind == TYPE_UNION;
        if (field->bits >= 0 || is_union)
            fill_bits(w, o, record, i);
        else
            effects_fill(w, &member, r, at);
        members_extent(w->s, o->prefix, record, i);
    }
}

static void fill_some_elements(struct writer *w, const struct object *o, const struct ranges *r,
                               int64_t base)
{
    uint64_t size = o->type->target->size * 8, touched = 0;
    for (uint64_t i = 0; i < o->type->count; i++)
        touched += overlaps(r, base + (int64_t)(i * size), size);
    if (touched > HARNESS_EFFECT_ELEMENTS || !size) {
        fill_whole(w, o);
        return;
    }
    for (uint64_t i = 0; i < o->type->count; i++) {
        struct object element = effects_element(w, o, i);
        if (overlaps(r, base + (int64_t)(i * size), size))
            effects_fill(w, &element, r, base + (int64_t)(i * size));
    }
}

void effects_fill(struct writer *w, const struct object *o, const struct ranges *r, int64_t base)
{
    const struct type *type = o->type;
    if (type->is_const || !overlaps(r, base, type->size * 8))
        return;
    if (effects_cover(r, base, type->size * 8) && !(plan_is_record(type) && plan_flexible(type)))
        fill_whole(w, o);
    else if (type->kind == TYPE_STRUCT && type->complete)
        fill_members(w, o, r, base);
    else if (type->kind == TYPE_ARRAY && type->count)
        fill_some_elements(w, o, r, base);
    else
        fill_whole(w, o);
}

// ---- buffers ----

static const char *element_bytes(struct writer *w, const char *pointer, const struct type *target)
{
    if (target->kind == TYPE_VOID)
        return "1";
    return arena_printf(effects_arena(w), "(long)sizeof *%s", pointer);
}

// The parameter that the length is in: by the code of the function, else perhaps by its name,
// which says nothing of a record in front of it (`lua_State *L, size_t size`).
static size_t length_parameter(const struct writer *w, const struct facts_write *write)
{
    const struct type *type = w->function->type;
    size_t next = write->way.parameter + 1;
    if (write->length != FACTS_NO_PARAMETER)
        return write->length < type->param_count ? write->length : FACTS_NO_PARAMETER;
    bool named = write->way.parameter != FACTS_NO_PARAMETER && !write->way.step_count &&
                 next < type->param_count && type->params[next]->kind == TYPE_INT &&
                 !plan_is_record(type->params[next - 1]->target) &&
                 program_says_length(effects_parameter(w, next));
    return named ? next : FACTS_NO_PARAMETER;
}

// Elements of the smallest object that the file hands to this parameter; 1: nobody knows.
static struct count elements_handed(const struct writer *w, const struct facts_write *write,
                                    const struct type *target)
{
    size_t index = write->way.parameter, size = target->kind == TYPE_VOID ? 1 : target->size;
    const struct function *f = w->function;
    if (write->way.step_count || index >= f->param_count || !size || !f->params[index].room ||
        f->params[index].room == PARAMETER_ROOM_UNKNOWN)
        return count_fixed(1);
    uint64_t room = f->params[index].room / size;
    struct count usual = plan_plain_count(w->s->emitter);
    return room <= count_start(usual) ? count_fixed(room) : count_limit(usual, room);
}

struct loop { // over the elements of a buffer
    const char *i, *limit;
    const char *declares; // C: a variable beside i that the limit needs, or ""
};

// A length that only its name makes one: as many elements as it says, or as are there.
static void limit_by_name(struct writer *w, const char *path, size_t length, struct count count,
                          struct loop *loop)
{
    struct arena *arena = effects_arena(w);
    const char *far = names_local(w->s->emitter, arena_printf(arena, "far_%s", loop->i));
    loop->declares =
        arena_printf(arena, ", %s = cz_choice(cz_part(%s, \"other\"), 2) ? %s : (long)%s", far,
                     path, count_text(arena, count), effects_argument(w, length));
    loop->limit = arena_printf(arena, "%s && %s < %s",
                               count_text(arena, plan_plain_count(w->s->emitter)), loop->i, far);
}

// How far the loop over the elements of a buffer runs: as many as the length says that the
// stub is given, up to --elements; else as many as are there.
static void limit_loop(struct writer *w, const char *pointer, const char *path, const char *name,
                       const struct type *type, const struct facts_write *write, struct loop *loop)
{
    struct arena *arena = effects_arena(w);
    const struct type *target = type->target;
    size_t length = length_parameter(w, write);
    struct count count = type->count ? count_fixed(type->count) : elements_handed(w, write, target);
    struct count most = plan_plain_count(w->s->emitter);
    loop->limit = count_text(arena, count);
    if (length != FACTS_NO_PARAMETER) {
        emit_note(w->s, true, "%s() writes to %s: up to %llu elements, as %s %s",
                  w->function->source_name, name, (unsigned long long)count_start(most),
                  effects_parameter(w, length), write->length == length ? "says" : "may say");
        if (write->length != length)
            limit_by_name(w, path, length, count, loop);
        else
            loop->limit =
                arena_printf(arena, "%s && %s < (long)%s * %lld / %s", count_text(arena, most),
                             loop->i, effects_argument(w, length), (long long)write->scale,
                             element_bytes(w, pointer, target));
    } else if (!type->count)
        emit_note(w->s, true, "%s() writes to %s at offsets that vary: %llu element%s",
                  w->function->source_name, name, (unsigned long long)count_start(count),
                  count_start(count) == 1 ? " is an input" : "s are inputs");
}

static void fill_buffer(struct writer *w, const char *pointer, const char *path, const char *name,
                        const struct type *type, const struct facts_write *write)
{
    struct scope *s = w->s;
    struct arena *arena = effects_arena(w);
    const struct type *target = type->target;
    bool bytes = target->kind == TYPE_VOID;
    const char *i = names_local(s->emitter, arena_printf(arena, "i%u", s->level));
    struct loop loop = {.i = i, .declares = ""};
    limit_loop(w, pointer, path, name, type, write, &loop);
    // Of a record somewhere something is written, of which little is known: all its pointers
    // anew in every call would leave nothing of what the caller relies on.
    bool optional = plan_is_record(target) && plan_has_pointer(target);
    if (optional) {
        emit_line(s, "if (cz_choice(cz_part(%s, \"written\"), 2)) {", path);
        s->level++;
    }
    bool single = strcmp(loop.limit, "1") == 0;
    if (single) {
        i = "0";
    } else {
        emit_line(s, "for (long %s = 0%s; %s < %s; %s++) {", i, loop.declares, i, loop.limit, i);
        s->level++;
    }
    fill(s,
         (struct spot){bytes ? arena_printf(arena, "((unsigned char *)%s)[%s]", pointer, i)
                             : arena_printf(arena, "%s[%s]", pointer, i),
                       arena_printf(arena, "cz_index(%s, %s)", path, i), false, 0},
         bytes ? effects_byte(s->emitter) : target);
    if (!single) {
        s->level--;
        emit_line(s, "}");
    }
    if (optional) {
        s->level--;
        emit_line(s, "}");
    }
}

static void fill_untyped(struct writer *w, const char *pointer, const char *path,
                         const struct ranges *r)
{
    for (size_t i = 0; i < r->count; i++) {
        int64_t from = r->items[i].from / 8, to = (r->items[i].to + 7) / 8;
        fill_bytes(
            w->s, arena_printf(effects_arena(w), "((char *)%s + %lld)", pointer, (long long)from),
            from ? arena_printf(effects_arena(w), "cz_index(%s, %lld)", path, (long long)from)
                 : path,
            count_fixed((uint64_t)(to - from)));
    }
}

// ---- behind a pointer ----

// `void pair(int out[2])` may write out[1]: an element is written if it is certainly there.
static int64_t fill_at(struct writer *w, const struct object *pointer, const char *first,
                       const struct ranges *r)
{
    const struct type *type = pointer->type;
    uint64_t size = type->target->size * 8;
    uint64_t count =
        type->count ? type->count : count_start(elements_handed(w, r->items, type->target));
    struct object object = effects_behind(w, pointer->lvalue, pointer->path, type);
    if (count > HARNESS_EFFECT_ELEMENTS)
        count = HARNESS_EFFECT_ELEMENTS;
    if (first)
        object.whole = first;
    effects_fill(w, &object, r, 0);
    for (uint64_t i = 1; i < count; i++) {
        struct object element = {.lvalue = arena_printf(effects_arena(w), "%s[%llu]",
                                                        pointer->lvalue, (unsigned long long)i),
                                 .link = "cz_field",
                                 .path = arena_printf(effects_arena(w), "cz_index(%s, %llu)",
                                                      pointer->path, (unsigned long long)i),
                                 .type = type->target};
        element.prefix = arena_printf(effects_arena(w), "%s.", element.lvalue);
        element.whole = element.path;
        effects_fill(w, &element, r, (int64_t)(i * size));
    }
    return (int64_t)(count ? count * size : size);
}

void effects_fill_behind(struct writer *w, const struct object *pointer, const char *name,
                         const struct ranges *r, bool direct)
{
    const struct type *type = pointer->type;
    const struct facts_write *all = NULL;
    for (size_t i = 0; i < r->count; i++)
        if (r->items[i].all && !r->items[i].deep)
            all = &r->items[i];
    if (all) {
        fill_buffer(w, pointer->lvalue, pointer->path, name, type, all);
    } else if (type->target->kind == TYPE_VOID) {
        fill_untyped(w, pointer->lvalue, pointer->path, r);
    } else {
        const char *first = // the test says *out
            direct ? root_stub_part(w->s, w->function, w->call,
                                    arena_printf(effects_arena(w), "*%s", name), type->target,
                                    (struct slot){0})
                   : NULL;
        int64_t end = fill_at(w, pointer, first, r);
        for (size_t i = 0; i < r->count; i++)
            if (r->items[i].from < 0 || r->items[i].to > end) {
                emit_note(w->s, true, "%s() is a stub: the real one writes outside of *%s",
                          w->function->source_name, name);
                break;
            }
    }
}
