// SPDX-License-Identifier: Apache-2.0
// Pointers: NULL or a fresh object, as a shape input says (MAESTRO section 3.3.2).
// The object has as many elements as plan.c allows; --depth ends nested ones.
#include "harness/emit.h"

#include <string.h>

// Which function a pointer may hold is chosen here. For now it keeps what it has:
// the initialiser of a global, NULL everywhere else.
void pointer_to_function(struct scope *s, struct spot spot)
{
    emit_line(s, "/* %s: function pointer, left as it is */", spot.access);
    emit_note(s, true, "%s: function pointer left as initialised, NULL if it is not",
              emit_spoken(s, spot.access));
}

static void assign(struct scope *s, struct spot spot, const struct type *type, const char *value)
{
    if (spot.is_const || type->is_const)
        emit_line(s, "*(void **)&%s = %s;", spot.access, value);
    else
        emit_line(s, "%s = %s;", spot.access, value);
}

// A stream cannot be made of inputs: the C library would follow its pointers.
static bool is_stream(const struct type *target)
{
    return target->spelling && (strcmp(target->spelling, "FILE") == 0 ||
                                strcmp(target->spelling, "struct _IO_FILE") == 0);
}

static bool is_opaque(const struct type *target)
{
    return plan_is_record(target) && !target->complete;
}

static const char *size_of(struct scope *s, struct spot spot, const struct type *target,
                           unsigned count)
{
    struct arena *arena = s->emitter->arena;
    const struct type *tail = plan_is_record(target) ? plan_flexible(target) : NULL;
    if (target->kind == TYPE_VOID)
        return arena_printf(arena, "%u", count);
    if (tail)
        return arena_printf(arena, "sizeof *%s + %llu", spot.access,
                            (unsigned long long)tail->size * s->emitter->options->elements);
    if (count == 1)
        return arena_printf(arena, "sizeof *%s", spot.access);
    return arena_printf(arena, "%u * sizeof *%s", count, spot.access);
}

void fill_pointee(struct scope *s, struct spot spot, const struct type *target, unsigned count)
{
    spot.is_const = target->is_const;
    if (target->kind == TYPE_VOID)
        fill_bytes(s, spot.access, spot.path, count);
    else if (plan_is_record(target) && count == 1)
        fill_record_behind(s, spot, target);
    else
        fill_elements(s, spot, target, count);
}

static void fill_present(struct scope *s, struct spot spot, const struct type *type)
{
    struct arena *arena = s->emitter->arena;
    const struct type *target = type->target;
    if (is_opaque(target)) {
        emit_note(s, true, "%s: %s is incomplete here, so the object has no content",
                  emit_spoken(s, spot.access), target->spelling);
        assign(s, spot, type, arena_printf(arena, "cz_new(%s, 1, 0)", spot.path));
        return;
    }
    bool nested = s->counting || s->pointers > 1;
    unsigned count = s->fixed && !nested ? s->fixed : plan_count(s->emitter, target, nested);
    if (count == 1 && !s->fixed && s->emitter->options->elements > 1 &&
        !plan_is_linked(s->emitter, target) && !plan_flexible(target))
        emit_note(s, false, "%s: one element, because %u would be too many inputs",
                  emit_spoken(s, spot.access), s->emitter->options->elements);
    assign(s, spot, type,
           target->is_char ? arena_printf(arena, "cz_text(%s, %u)", spot.path, count)
                           : arena_printf(arena, "cz_new(%s, %s, 1)", spot.path,
                                          size_of(s, spot, target, count)));
    fill_pointee(s, spot, target, count);
}

static void fill_stream(struct scope *s, struct spot spot, const struct type *type)
{
    bool known = names_count(s->emitter, "stdout") > 0;
    emit_note(s, true, "%s: a stream is NULL%s", emit_spoken(s, spot.access),
              known ? " or stdout" : "");
    assign(s, spot, type,
           known ? arena_printf(s->emitter->arena, "cz_present(%s) ? (void *)stdout : 0", spot.path)
                 : "0");
}

void fill_pointer(struct scope *s, struct spot spot, const struct type *type)
{
    struct arena *arena = s->emitter->arena;
    if (type->target->kind == TYPE_FUNCTION) {
        pointer_to_function(s, spot);
        return;
    }
    if (is_stream(type->target)) {
        fill_stream(s, spot, type);
        return;
    }
    if (!s->counting && s->depth == 0) {
        assign(s, spot, type, arena_printf(arena, "cz_deep_null(%s)", spot.path));
        return;
    }
    bool block = emit_open(s, spot.path);
    spot.path = emit_hoist(s, spot.path);
    if (s->counting) {
        emit_line(s, "if (%s == %u) {", s->emitter->depth, s->used);
        s->level++;
        assign(s, spot, type, arena_printf(arena, "cz_deep_null(%s)", spot.path));
        s->level--;
    }
    emit_line(s, s->counting ? "} else if (cz_present(%s)) {" : "if (cz_present(%s)) {", spot.path);
    struct scope inner = *s;
    inner.level++;
    inner.pointers++;
    inner.counting ? inner.used++ : inner.depth--;
    fill_present(&inner, spot, type);
    emit_line(s, "} else {");
    s->level++;
    assign(s, spot, type, "0");
    s->level--;
    emit_line(s, "}");
    emit_close(s, block);
}
