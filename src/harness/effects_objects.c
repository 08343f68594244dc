// SPDX-License-Identifier: Apache-2.0
// What stubs change, in C's words and the test's: names of parameters, objects that facts
// give as bytes, and the ways to them.
#include "harness/effects_internal.h"

struct arena *effects_arena(const struct writer *w)
{
    return w->s->emitter->arena;
}

const char *effects_argument(struct writer *w, size_t index)
{
    if (w->apart)
        return w->s->emitter->it;
    return names_local(w->s->emitter, arena_printf(effects_arena(w), "a%zu", index));
}

const char *effects_parameter(const struct writer *w, size_t index)
{
    const struct function *f = w->function;
    if (index < f->param_count && f->params[index].name && *f->params[index].name)
        return f->params[index].name;
    if (index < w->facts->param_count && w->facts->param_names[index] &&
        *w->facts->param_names[index])
        return w->facts->param_names[index];
    return arena_printf(effects_arena(w), "parameter%zu", index + 1);
}

const char *effects_path(struct writer *w, size_t index)
{
    if (w->apart)
        return w->s->emitter->at;
    return root_stub_part(w->s, w->function, w->call, effects_parameter(w, index),
                          w->function->type->params[index], (struct slot){0});
}

struct object effects_behind(struct writer *w, const char *pointer, const char *path,
                             const struct type *type)
{
    struct arena *arena = effects_arena(w);
    return (struct object){.lvalue = arena_printf(arena, "(*%s)", pointer),
                           .prefix = arena_printf(arena, "%s->", pointer),
                           .link = "cz_arrow",
                           .path = path,
                           .whole = arena_printf(arena, "cz_deref(%s)", path),
                           .pointer = pointer,
                           .type = type->target};
}

struct object effects_member(struct writer *w, const struct object *in, const struct type *record,
                             size_t index)
{
    struct arena *arena = effects_arena(w);
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

struct object effects_element(struct writer *w, const struct object *in, uint64_t index)
{
    struct arena *arena = effects_arena(w);
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
            in = effects_element(w, &in, index);
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
        in = effects_member(w, &in, type, i);
    }
    return false;
}

// ---- ways ----

// What is behind it can be named; constant or not, it may lead on to what is not.
static bool leads_on(const struct type *type)
{
    return type->kind == TYPE_POINTER && type->target->kind != TYPE_FUNCTION &&
           (type->target->complete || type->target->kind == TYPE_VOID ||
            !plan_is_record(type->target));
}

bool effects_is_target(const struct type *type)
{
    return leads_on(type) && !type->target->is_const;
}

bool effects_follow(struct writer *w, struct object start, const int64_t *steps, size_t count,
                    struct object *pointer, struct buf *guard)
{
    struct object at = start;
    for (size_t i = 0; i < count; i++) {
        if (steps[i] == FACTS_VARYING || !pointer_at(w, at, steps[i], pointer))
            return false;
        buf_printf(guard, "%s%s", guard->length ? " && " : "", pointer->lvalue);
        if (i + 1 < count) {
            if (!leads_on(pointer->type))
                return false;
            at = effects_behind(w, pointer->lvalue, pointer->path, pointer->type);
        }
    }
    return true;
}

static struct object parameter_object(struct writer *w, size_t index)
{
    const char *name = effects_argument(w, index), *path = effects_path(w, index);
    return (struct object){.lvalue = name,
                           .prefix = arena_printf(effects_arena(w), "%s.", name),
                           .link = "cz_field",
                           .path = path,
                           .whole = path,
                           .type = w->function->type->params[index]};
}

bool effects_follow_parameter(struct writer *w, const struct facts_way *way, struct object *pointer,
                              struct buf *guard)
{
    struct object root = parameter_object(w, way->parameter);
    if (plan_is_record(root.type)) // passed by value
        return way->step_count &&
               effects_follow(w, root, way->steps, way->step_count, pointer, guard);
    if (root.type->kind != TYPE_POINTER)
        return false;
    buf_puts(guard, root.lvalue);
    *pointer = root;
    if (!way->step_count)
        return true;
    return leads_on(root.type) &&
           effects_follow(w, effects_behind(w, root.lvalue, root.path, root.type), way->steps,
                          way->step_count, pointer, guard);
}
