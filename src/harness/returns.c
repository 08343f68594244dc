// SPDX-License-Identifier: Apache-2.0
// What a stub may return besides something new: what the real function returns that the
// unit knows already. A parameter, a pointer behind one, a global, a part of those.
#include "harness/effects_internal.h"

#include "base/tunables.h"

static const char *moved(struct writer *w, const char *pointer, int64_t offset)
{
    if (!offset || offset == FACTS_VARYING) // somewhere inside: its start is one of the places
        return pointer;
    return arena_printf(effects_arena(w), "((char *)%s + %lld)", pointer, (long long)offset);
}

static bool is_inside(const struct type *object, int64_t offset)
{
    return !offset || offset == FACTS_VARYING ||
           (object->complete && offset > 0 && (uint64_t)offset < object->size);
}

static const char *from_pointer(struct writer *w, const struct object *pointer, const char *guard,
                                int64_t offset)
{
    if (pointer->type->kind != TYPE_POINTER || !is_inside(pointer->type->target, offset))
        return NULL;
    return arena_printf(effects_arena(w), "(%s ? (void *)%s : 0)", guard,
                        moved(w, pointer->lvalue, offset));
}

// C; NULL: the unit has no words for it.
static const char *known_value(struct writer *w, const struct facts_return *returned)
{
    const struct facts_way *way = &returned->way;
    struct buf guard = BUF_INIT;
    struct object start, pointer;
    const char *value = NULL;
    if (!way->global) {
        if (way->parameter < w->function->type->param_count &&
            effects_follow_parameter(w, way, &pointer, &guard))
            value = from_pointer(w, &pointer, buf_text(&guard), returned->offset);
    } else if (effects_global(w, way, &start)) {
        if (way->step_count &&
            effects_follow(w, start, way->steps, way->step_count, &pointer, &guard))
            value = from_pointer(w, &pointer, buf_text(&guard), returned->offset);
        else if (!way->step_count && is_inside(start.type, returned->offset))
            value = moved(w, arena_printf(effects_arena(w), "&%s", start.lvalue), returned->offset);
    }
    buf_release(&guard);
    return value;
}

void returns_find(struct scope *s, const struct function *function,
                  const struct facts_function *facts, const char *call, struct aliases *out)
{
    struct writer w = {.s = s, .function = function, .facts = facts, .call = call};
    const struct type *result = function->type->target;
    if (!facts || result->kind != TYPE_POINTER || result->target->kind == TYPE_FUNCTION ||
        !names_sayable(function->type))
        return;
    for (size_t i = 0; i < facts->return_count && out->count < HARNESS_ALIASES; i++) {
        const char *value = known_value(&w, &facts->returns[i]);
        if (value)
            out->access[out->count++] = value;
    }
}
