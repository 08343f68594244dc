// SPDX-License-Identifier: Apache-2.0
// What a stub does besides returning: every global of this unit and everything behind the
// parameters that the real function and its callees may write gets fresh inputs at each
// call (MAESTRO section 3.3.3, with the writes through pointers that it leaves out). What
// is written is told by bits from where an access path ends; the types of this unit say
// which members that is. A member that is written in part is an input as a whole.
#include "harness/effects.h"

#include "harness/libc.h"

#include <stdlib.h>
#include <string.h>

#define ELEMENTS_MOST 16 // of an array, written one by one; else the whole array is

// Something that is written: how C and the test name it, and how its members are reached.
struct object {
    const char *lvalue; // "g", "(*a0)"
    const char *prefix; // of members: "g.", "a0->"
    const char *link;   // cz_field or cz_arrow
    const char *path;   // of the object; of the pointer when link is cz_arrow
    const char *whole;  // path when it is filled as a whole and has no members
    const char *pointer; // the pointer that it is behind, or NULL
    const struct type *type;
    uint64_t slot;
};

struct ranges {
    const struct facts_write *items;
    size_t count;
};

struct writer {
    struct scope *s;
    const struct function *function;
    const struct facts_function *facts;
    const char *call; // the variable that holds the place of this call
    bool apart;       // code is written for a function of its own (changes.c)
    struct buf told;  // what the note says
    bool writes, partial;
};

static struct arena *arena_of(const struct writer *w)
{
    return w->s->emitter->arena;
}

// ---- names ----

static const char *argument_name(struct writer *w, size_t index)
{
    if (w->apart)
        return w->s->emitter->it;
    return names_local(w->s->emitter, arena_printf(arena_of(w), "a%zu", index));
}

static const char *parameter_name(const struct writer *w, size_t index)
{
    const struct function *f = w->function;
    if (index < f->param_count && f->params[index].name && *f->params[index].name)
        return f->params[index].name;
    if (index < w->facts->param_count && w->facts->param_names[index] &&
        *w->facts->param_names[index])
        return w->facts->param_names[index];
    return arena_printf(arena_of(w), "parameter%zu", index + 1);
}

static const char *parameter_path(struct writer *w, size_t index)
{
    if (w->apart)
        return w->s->emitter->at;
    return arena_printf(arena_of(w), "cz_part(%s, \"%s\")", w->call, parameter_name(w, index));
}

// "writes mode, *out, calls done at most once"
static void tell(struct writer *w, const char *what)
{
    buf_printf(&w->told, "%s%s", w->told.length ? ", " : "", what);
}

static void tell_write(struct writer *w, const char *name)
{
    tell(w, w->writes ? name : arena_printf(arena_of(w), "writes %s", name));
    w->writes = true;
}

// ---- objects ----

static struct object behind(struct writer *w, const char *pointer, const char *path,
                            const struct type *type)
{
    struct arena *arena = arena_of(w);
    return (struct object){.lvalue = arena_printf(arena, "(*%s)", pointer),
                           .prefix = arena_printf(arena, "%s->", pointer),
                           .link = "cz_arrow",
                           .path = path,
                           .whole = arena_printf(arena, "cz_deref(%s)", path),
                           .pointer = pointer,
                           .type = type->target};
}

static struct object member_of(struct writer *w, const struct object *in, const struct type *record,
                               size_t index)
{
    struct arena *arena = arena_of(w);
    const struct field *field = &record->fields[index];
    struct slot slot = {.kind = SLOT_FIELD,
                        .record = record->canonical ? record->canonical : record,
                        .index = index};
    struct object out = *in;
    out.type = field->type;
    out.slot = program_slot_key(&slot);
    if (field->anonymous_record)
        return out; // its members are reached as this one's
    out.lvalue = arena_printf(arena, "%s%s", in->prefix, field->name);
    out.prefix = arena_printf(arena, "%s.", out.lvalue);
    out.path = arena_printf(arena, "%s(%s, \"%s\")", in->link, in->path, field->name);
    out.link = "cz_field";
    out.whole = out.path;
    out.pointer = NULL;
    return out;
}

static struct object element_of(struct writer *w, const struct object *in, uint64_t index)
{
    struct arena *arena = arena_of(w);
    struct object out = *in;
    out.type = in->type->target;
    out.lvalue = arena_printf(arena, "%s[%llu]", in->lvalue, (unsigned long long)index);
    out.prefix = arena_printf(arena, "%s.", out.lvalue);
    out.path = arena_printf(arena, "cz_index(%s, %llu)", in->whole, (unsigned long long)index);
    out.link = "cz_field";
    out.whole = out.path;
    out.pointer = NULL;
    return out;
}

// The pointer at this byte of an object; false: there is none that C can name.
static bool pointer_at(struct writer *w, struct object in, int64_t offset, struct object *out)
{
    while (offset >= 0 && (uint64_t)offset < in.type->size) {
        const struct type *type = in.type;
        if (type->kind == TYPE_POINTER && offset == 0) {
            *out = in;
            return true;
        }
        if (type->kind == TYPE_ARRAY && type->target->size) {
            uint64_t index = (uint64_t)offset / type->target->size;
            offset -= (int64_t)(index * type->target->size);
            in = element_of(w, &in, index);
            continue;
        }
        if (type->kind != TYPE_STRUCT)
            return false;
        size_t i = 0;
        while (i < type->field_count &&
               (type->fields[i].bits >= 0 || (uint64_t)offset < type->fields[i].offset_bits / 8 ||
                (uint64_t)offset >= type->fields[i].offset_bits / 8 + type->fields[i].type->size))
            i++;
        if (i == type->field_count)
            return false;
        offset -= (int64_t)(type->fields[i].offset_bits / 8);
        in = member_of(w, &in, type, i);
    }
    return false;
}

// ---- filling ----

static bool overlaps(const struct ranges *r, int64_t base, uint64_t bits)
{
    for (size_t i = 0; i < r->count; i++)
        if (r->items[i].all ||
            (r->items[i].from < base + (int64_t)bits && r->items[i].to > base))
            return true;
    return false;
}

// Ranges are sorted by where they begin.
static bool covers(const struct ranges *r, int64_t base, uint64_t bits)
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

static void fill_ranges(struct writer *w, const struct object *o, const struct ranges *r,
                        int64_t base);

static void fill_bits(struct writer *w, const struct object *o, const struct type *record,
                      size_t index)
{
    struct arena *arena = arena_of(w);
    bool block = emit_open(w->s, o->path);
    struct inside in = {o->prefix, o->link, emit_hoist(w->s, o->path),
                        arena_printf(arena, "(&%s)", o->lvalue), 0, false, false};
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
        struct object member = member_of(w, o, record, i);
        bool is_union = field->anonymous_record && field->type->kind == TYPE_UNION;
        if (field->bits >= 0 || is_union)
            fill_bits(w, o, record, i);
        else
            fill_ranges(w, &member, r, at);
    }
}

static void fill_some_elements(struct writer *w, const struct object *o, const struct ranges *r,
                               int64_t base)
{
    uint64_t size = o->type->target->size * 8, touched = 0;
    for (uint64_t i = 0; i < o->type->count; i++)
        touched += overlaps(r, base + (int64_t)(i * size), size);
    if (touched > ELEMENTS_MOST || !size) {
        fill_whole(w, o);
        return;
    }
    for (uint64_t i = 0; i < o->type->count; i++) {
        struct object element = element_of(w, o, i);
        if (overlaps(r, base + (int64_t)(i * size), size))
            fill_ranges(w, &element, r, base + (int64_t)(i * size));
    }
}

static void fill_ranges(struct writer *w, const struct object *o, const struct ranges *r,
                        int64_t base)
{
    const struct type *type = o->type;
    if (type->is_const || !overlaps(r, base, type->size * 8))
        return;
    if (covers(r, base, type->size * 8) && !(plan_is_record(type) && plan_flexible(type)))
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
    return arena_printf(arena_of(w), "(long)sizeof *%s", pointer);
}

// The parameter that the length is in: by the code of the function, else by its name, which
// says nothing of a record in front of it (`lua_State *L, size_t size`).
static size_t length_parameter(const struct writer *w, const struct facts_write *write)
{
    const struct type *type = w->function->type;
    size_t next = write->way.parameter + 1;
    if (write->length != FACTS_NO_PARAMETER)
        return write->length < type->param_count ? write->length : FACTS_NO_PARAMETER;
    bool named = write->way.parameter != FACTS_NO_PARAMETER && !write->way.step_count &&
                 next < type->param_count && type->params[next]->kind == TYPE_INT &&
                 !plan_is_record(type->params[next - 1]->target) &&
                 program_says_length(parameter_name(w, next));
    return named ? next : FACTS_NO_PARAMETER;
}

// Elements of the smallest object that the file hands to this parameter; 1: nobody knows.
static uint64_t elements_handed(const struct writer *w, const struct facts_write *write,
                                const struct type *target)
{
    size_t index = write->way.parameter, size = target->kind == TYPE_VOID ? 1 : target->size;
    const struct function *f = w->function;
    if (write->way.step_count || index >= f->param_count || !size || !f->params[index].room ||
        f->params[index].room == PARAMETER_ROOM_UNKNOWN)
        return 1;
    uint64_t count = f->params[index].room / size, most = w->s->emitter->options->elements;
    return count < most ? count : most;
}

// How far the loop over the elements of a buffer runs: as many as the length says that the
// stub is given, up to --elements; else as many as are there.
static const char *buffer_limit(struct writer *w, const char *pointer, const char *name,
                                const struct type *type, const struct facts_write *write,
                                const char *i)
{
    struct arena *arena = arena_of(w);
    const struct type *target = type->target;
    unsigned most = w->s->emitter->options->elements;
    size_t length = length_parameter(w, write);
    if (length != FACTS_NO_PARAMETER) {
        bool known = write->length == length;
        emit_note(w->s, true, "%s() writes to %s: up to %u elements, as %s says",
                  w->function->source_name, name, most, parameter_name(w, length));
        return arena_printf(arena, "%u && %s < (long)%s * %s / %s", most, i,
                            argument_name(w, length),
                            known ? arena_printf(arena, "%lld", (long long)write->scale)
                                  : element_bytes(w, pointer, target),
                            element_bytes(w, pointer, target));
    }
    uint64_t count = type->count ? type->count : elements_handed(w, write, target);
    if (!type->count)
        emit_note(w->s, true, "%s() writes to %s at offsets that vary: %llu element%s",
                  w->function->source_name, name, (unsigned long long)count,
                  count == 1 ? " is an input" : "s are inputs");
    return arena_printf(arena, "%llu", (unsigned long long)count);
}

static void fill_buffer(struct writer *w, const char *pointer, const char *path, const char *name,
                        const struct type *type, const struct facts_write *write)
{
    struct scope *s = w->s;
    struct arena *arena = arena_of(w);
    const struct type *target = type->target;
    bool bytes = target->kind == TYPE_VOID;
    const char *i = names_local(s->emitter, arena_printf(arena, "i%u", s->level));
    const char *limit = buffer_limit(w, pointer, name, type, write, i);
    // Of a record somewhere something is written, of which little is known: all its pointers
    // anew in every call would leave nothing of what the caller relies on.
    bool optional = plan_is_record(target) && plan_has_pointer(target);
    if (optional) {
        emit_line(s, "if (cz_choice(cz_part(%s, \"written\"), 2)) {", path);
        s->level++;
    }
    bool single = strcmp(limit, "1") == 0;
    if (single) {
        i = "0";
    } else {
        emit_line(s, "for (long %s = 0; %s < %s; %s++) {", i, i, limit, i);
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
        fill_bytes(w->s,
                   arena_printf(arena_of(w), "((char *)%s + %lld)", pointer, (long long)from),
                   from ? arena_printf(arena_of(w), "cz_index(%s, %lld)", path, (long long)from)
                        : path,
                   (uint64_t)(to - from));
    }
}

// ---- ways ----

static bool is_target(const struct type *type)
{
    return type->kind == TYPE_POINTER && !type->target->is_const &&
           type->target->kind != TYPE_FUNCTION &&
           (type->target->complete || type->target->kind == TYPE_VOID || !plan_is_record(type->target));
}

// The pointer that the steps of a way lead to, and what must not be NULL for that.
static bool follow(struct writer *w, struct object start, const int64_t *steps, size_t count,
                   struct object *pointer, struct buf *guard)
{
    struct object at = start;
    for (size_t i = 0; i < count; i++) {
        if (steps[i] == FACTS_VARYING || !pointer_at(w, at, steps[i], pointer))
            return false;
        buf_printf(guard, "%s%s", guard->length ? " && " : "", pointer->lvalue);
        if (i + 1 < count) {
            if (!is_target(pointer->type))
                return false;
            at = behind(w, pointer->lvalue, pointer->path, pointer->type);
        }
    }
    return true;
}

static void leave_out(struct writer *w, const char *name)
{
    emit_note(w->s, true,
              "%s() is a stub: what the real one writes further behind %s is left out",
              w->function->source_name, name);
}

static void fill_behind(struct writer *w, const struct object *pointer, const char *name,
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
        struct object object = behind(w, pointer->lvalue, pointer->path, type);
        int64_t end = (int64_t)type->target->size * 8;
        if (direct) // the test says *out
            object.whole = arena_printf(arena_of(w), "cz_part(%s, \"*%s\")", w->call, name);
        fill_ranges(w, &object, r, 0);
        for (size_t i = 0; i < r->count; i++)
            if (r->items[i].from < 0 || r->items[i].to > end) {
                emit_note(w->s, true, "%s() is a stub: the real one writes outside of *%s",
                          w->function->source_name, name);
                break;
            }
    }
}

// The way to the object is gone once: a stub may write many of its members.
static struct object hoisted(struct writer *w, const struct object *pointer)
{
    struct scope *s = w->s;
    struct object near = *pointer;
    near.path = emit_hoist(s, pointer->path);
    if (!strchr(pointer->lvalue, '>'))
        return near;
    near.lvalue = names_local(s->emitter, arena_printf(arena_of(w), "p%u", s->level));
    emit_line(s, "__typeof__(%s) %s = %s;", pointer->lvalue, near.lvalue, pointer->lvalue);
    if (s->hidden && strncmp(pointer->lvalue, s->hidden, strlen(s->hidden)) == 0) {
        s->spoken = arena_printf(arena_of(w), "%s%s", s->spoken,
                                 pointer->lvalue + strlen(s->hidden));
        s->hidden = near.lvalue;
    }
    return near;
}

static void write_guarded(struct writer *w, const struct object *pointer, const char *guard,
                          const char *name, const struct ranges *r, bool direct)
{
    emit_line(w->s, "if (%s) {", guard);
    w->s->level++;
    struct object near = hoisted(w, pointer);
    fill_behind(w, &near, name, r, direct);
    w->s->level--;
    emit_line(w->s, "}");
}

static struct object parameter_object(struct writer *w, size_t index)
{
    const char *name = argument_name(w, index), *path = parameter_path(w, index);
    return (struct object){.lvalue = name,
                           .prefix = arena_printf(arena_of(w), "%s.", name),
                           .link = "cz_field",
                           .path = path,
                           .whole = path,
                           .type = w->function->type->params[index]};
}

// The pointer at the end of a way that begins at a parameter.
static bool follow_parameter(struct writer *w, const struct facts_way *way, struct object *pointer,
                             struct buf *guard)
{
    struct object root = parameter_object(w, way->parameter);
    if (plan_is_record(root.type)) // passed by value
        return way->step_count && follow(w, root, way->steps, way->step_count, pointer, guard);
    if (root.type->kind != TYPE_POINTER)
        return false;
    buf_puts(guard, root.lvalue);
    *pointer = root;
    if (!way->step_count)
        return true;
    return is_target(root.type) &&
           follow(w, behind(w, root.lvalue, root.path, root.type), way->steps, way->step_count,
                  pointer, guard);
}

// ---- code that stubs share ----

static bool can_share(const struct writer *w, size_t parameter)
{
    const struct type *type = w->function->type->params[parameter];
    return type->kind == TYPE_POINTER && plan_is_record(type->target) && names_sayable(type);
}

static struct buf *begin_apart(struct writer *w, struct buf *body)
{
    struct buf *out = w->s->out;
    w->s->out = body;
    w->apart = true;
    return out;
}

// Calls the function with the code that has been written since: "change_queue_head_next" is
// about it->head->next.
static void end_apart(struct writer *w, const char *verb, const struct facts_way *way,
                      struct buf *out)
{
    struct scope *s = w->s;
    struct emitter *e = s->emitter;
    struct buf *body = s->out, guard = BUF_INIT;
    const struct type *type = w->function->type->params[way->parameter];
    struct object pointer;
    bool there = follow_parameter(w, way, &pointer, &guard);
    const char *words = arena_printf(e->arena, "%s %s %s", verb, names_plain(e, type->target),
                                     there ? pointer.lvalue : "");
    s->out = out;
    w->apart = false;
    if (body->length)
        emit_line(s, "%s(%s, %s);",
                  changes_function(e, words, type, buf_text(body)),
                  argument_name(w, way->parameter), parameter_path(w, way->parameter));
    buf_release(&guard);
    buf_release(body);
}

// What is written in front of a length depends on another parameter, and the place of what
// a test calls "*out" on the call.
static bool writes_alike(const struct writer *w, const struct ranges *r)
{
    const struct facts_way *way = &r->items->way;
    const struct type *target = w->function->type->params[way->parameter]->target;
    bool all = false;
    for (size_t i = 0; i < r->count; i++) {
        if (r->items[i].length != FACTS_NO_PARAMETER)
            return false;
        all |= r->items[i].all;
    }
    return can_share(w, way->parameter) && !r->items->deep &&
           (way->step_count || all ||
            (target->kind == TYPE_STRUCT && !covers(r, 0, target->size * 8)));
}

static void write_behind(struct writer *w, const struct ranges *r)
{
    const struct facts_way *way = &r->items->way;
    const char *name = parameter_name(w, way->parameter);
    struct object pointer;
    struct buf guard = BUF_INIT;
    w->s->hidden = argument_name(w, way->parameter);
    w->s->spoken = arena_printf(arena_of(w), "what %s() writes to %s", w->function->source_name, name);
    if (r->items->deep || !follow_parameter(w, way, &pointer, &guard)) {
        leave_out(w, name);
    } else if (is_target(pointer.type)) {
        tell_write(w, arena_printf(arena_of(w), "%s%s", way->step_count ? "what is behind " : "*", name));
        write_guarded(w, &pointer, buf_text(&guard), name, r, !way->step_count);
    }
    buf_release(&guard);
}

static void write_parameter(struct writer *w, const struct ranges *r)
{
    size_t parameter = r->items->way.parameter;
    struct buf body = BUF_INIT;
    if (parameter >= w->function->type->param_count)
        return;
    if (!writes_alike(w, r)) {
        write_behind(w, r);
        return;
    }
    struct buf *out = begin_apart(w, &body);
    write_behind(w, r);
    end_apart(w, "change", &r->items->way, out);
}

// ---- globals ----

// The variable of this unit that the project means, if its functions refer to it.
static const struct variable *visible(const struct writer *w, const struct facts_way *way,
                                      size_t *index)
{
    const struct program *program = w->s->emitter->program;
    uint64_t used;
    for (size_t i = 0; i < program->variable_count; i++) {
        const struct variable *v = &program->variables[i];
        bool same = way->file ? v->is_static && strcmp(way->file, program->source) == 0
                              : !v->is_static;
        if (same && !v->function && !v->is_const && strcmp(v->name, way->global) == 0 &&
            map_get(&w->s->emitter->referred, i + 1, &used)) {
            *index = i;
            return v;
        }
    }
    return NULL;
}

static void write_global(struct writer *w, const struct ranges *r)
{
    const struct facts_way *way = &r->items->way;
    size_t index;
    const struct variable *variable = visible(w, way, &index);
    if (!variable || (plan_is_record(variable->type) && !variable->type->complete))
        return;
    struct slot slot = {.kind = SLOT_VARIABLE, .owner = index};
    const char *name = variable->name;
    const char *path = arena_printf(arena_of(w), "cz_part(%s, \"%s\")", w->call, name);
    struct object object = {.lvalue = name,
                            .prefix = arena_printf(arena_of(w), "%s.", name),
                            .link = "cz_field",
                            .path = path,
                            .whole = path,
                            .type = variable->type,
                            .slot = program_slot_key(&slot)};
    struct object pointer;
    struct buf guard = BUF_INIT;
    w->s->hidden = NULL;
    if (r->items->deep) {
        leave_out(w, name);
    } else if (!way->step_count) {
        tell_write(w, name);
        if (object.type->kind == TYPE_ARRAY && !object.type->count)
            fill_elements(w->s, (struct spot){name, path, false, object.slot}, object.type->target,
                          w->s->emitter->options->elements);
        else
            fill_ranges(w, &object, r, 0);
    } else if (!follow(w, object, way->steps, way->step_count, &pointer, &guard)) {
        leave_out(w, name);
    } else if (is_target(pointer.type)) {
        tell_write(w, arena_printf(arena_of(w), "what is behind %s", name));
        write_guarded(w, &pointer, buf_text(&guard), name, r, false);
    }
    buf_release(&guard);
}

// ---- calls of pointers that the stub is given ----

static void write_call_arguments(struct writer *w, const struct facts_call *call,
                                 const struct type *type, const char *path, struct buf *list)
{
    struct emitter *e = w->s->emitter;
    for (size_t i = 0; i < type->param_count; i++) {
        size_t from = i < call->argument_count ? call->forwards[i] : FACTS_NO_PARAMETER;
        const char *name = names_local(e, arena_printf(e->arena, "x%zu", i));
        if (from < w->function->type->param_count) {
            name = argument_name(w, from);
        } else {
            emit_declaration(w->s, type->params[i], name);
            fill(w->s,
                 (struct spot){name, arena_printf(e->arena, "cz_index(%s, %zu)", path, i), false, 0},
                 type->params[i]);
        }
        buf_printf(list, "%s%s", i ? ", " : "", name);
    }
}

static void call_pointer(struct writer *w, const struct facts_call *call,
                         const struct object *pointer, const char *guard)
{
    struct buf list = BUF_INIT;
    const char *path = parameter_path(w, call->way.parameter);
    emit_line(w->s, "if (%s && cz_choice(cz_part(%s, \"calls\"), 2)) {", guard, path);
    w->s->level++;
    write_call_arguments(w, call, pointer->type->target, path, &list);
    emit_line(w->s, "(void)%s(%s);", pointer->lvalue, buf_text(&list));
    w->s->level--;
    emit_line(w->s, "}");
    buf_release(&list);
}

static void write_call(struct writer *w, const struct facts_call *call)
{
    struct object pointer;
    struct buf guard = BUF_INIT;
    const char *name = parameter_name(w, call->way.parameter);
    if (follow_parameter(w, &call->way, &pointer, &guard) && pointer.type->kind == TYPE_POINTER &&
        pointer.type->target->kind == TYPE_FUNCTION && names_sayable(pointer.type->target)) {
        call_pointer(w, call, &pointer, buf_text(&guard));
        tell(w, arena_printf(arena_of(w), "calls %s at most once", name));
        w->partial = true;
    } else {
        emit_note(w->s, true, "%s() is a stub: calls of the real one through %s are left out",
                  w->function->source_name, name);
    }
    buf_release(&guard);
}

static bool calls_alike(const struct writer *w, const struct facts_call *call)
{
    for (size_t i = 0; i < call->argument_count; i++)
        if (call->forwards[i] != FACTS_NO_PARAMETER)
            return false;
    return call->way.step_count && can_share(w, call->way.parameter);
}

static void write_callback(struct writer *w, const struct facts_call *call)
{
    struct buf body = BUF_INIT;
    if (call->way.parameter >= w->function->type->param_count) {
        emit_note(w->s, true, "%s() is a stub: calls of the real one through %s are left out",
                  w->function->source_name, parameter_name(w, call->way.parameter));
    } else if (calls_alike(w, call)) {
        struct buf *out = begin_apart(w, &body);
        write_call(w, call);
        end_apart(w, "call", &call->way, out);
    } else {
        write_call(w, call);
    }
}

// ---- all of it ----

static bool same_way(const struct facts_write *a, const struct facts_write *b)
{
    const struct facts_way *x = &a->way, *y = &b->way;
    return a->deep == b->deep && x->parameter == y->parameter && x->global == y->global &&
           x->file == y->file && x->step_count == y->step_count &&
           (!x->step_count || memcmp(x->steps, y->steps, x->step_count * sizeof *x->steps) == 0);
}

static void note_unknown(struct writer *w)
{
    const struct facts_function *facts = w->facts;
    struct buf list = BUF_INIT;
    for (size_t i = 0; i < facts->unknown_count; i++)
        buf_printf(&list, "%s%s", !i ? "" : i + 1 < facts->unknown_count ? ", " : " and ",
                   facts->unknown[i]);
    if (list.length)
        emit_note(w->s, true, "%s() is a stub: the real one also %s; that part is missing",
                  w->function->source_name, buf_text(&list));
    for (size_t i = 0; i < facts->free_count; i++) {
        size_t index;
        const struct facts_way *way = &facts->frees[i];
        if (way->global ? visible(w, way, &index) != NULL : way->step_count == 0)
            emit_note(w->s, true, "%s() is a stub: the real one may free %s",
                      w->function->source_name,
                      way->global ? way->global : parameter_name(w, way->parameter));
    }
    buf_release(&list);
}

const char *effects_write(struct scope *s, const struct function *function,
                          const struct facts_function *facts, const char *call, bool *partial)
{
    struct writer w = {.s = s, .function = function, .facts = facts, .call = call};
    for (size_t i = 0, next; i < facts->write_count; i = next) {
        for (next = i + 1; next < facts->write_count &&
                           same_way(&facts->writes[i], &facts->writes[next]);)
            next++;
        struct ranges ranges = {&facts->writes[i], next - i};
        if (facts->writes[i].way.global)
            write_global(&w, &ranges);
        else
            write_parameter(&w, &ranges);
    }
    s->hidden = NULL;
    for (size_t i = 0; i < facts->call_count; i++)
        if (!facts->calls[i].way.global)
            write_callback(&w, &facts->calls[i]);
    note_unknown(&w);
    const char *told = arena_strdup(s->emitter->arena, buf_text(&w.told));
    buf_release(&w.told);
    *partial = w.partial;
    return told;
}

const struct type *effects_byte(struct emitter *e)
{
    struct type *byte = arena_new(e->arena, struct type);
    *byte = (struct type){.kind = TYPE_INT, .spelling = "unsigned char", .nameable = true,
                          .complete = true, .is_char = true, .size = 1, .align = 1};
    byte->canonical = byte;
    return byte;
}

void effects_init(struct emitter *e)
{
    const struct program *program = e->program;
    for (size_t f = 0; f < program->function_count; f++)
        for (size_t i = 0; program->functions[f].defined && i < program->functions[f].global_count;
             i++)
            map_put(&e->referred, program->functions[f].globals[i] + 1, 1);
}

const struct facts_function *effects_of(const struct emitter *e, const struct function *function)
{
    if (libc_class_of(function->name) == LIBC_INPUT)
        return facts_library(function->name, function->type->param_count, e->arena);
    if (!e->options->facts)
        return NULL;
    return facts_find(e->options->facts, function->source_name,
                      function->defined_in ? function->defined_in : e->program->source);
}

void effects_plan(struct emitter *e, const struct function *function)
{
    const struct facts_function *facts = effects_of(e, function);
    for (size_t i = 0; facts && i < facts->write_count; i++) {
        size_t parameter = facts->writes[i].way.parameter;
        if (parameter < function->type->param_count)
            plan_root(e, function->type->params[parameter]);
    }
}
