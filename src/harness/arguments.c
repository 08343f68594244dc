// SPDX-License-Identifier: Apache-2.0
// A va_list as an input. On x86-64 it is a struct that first walks over saved
// registers and then over memory; one that says that the registers are used up and
// whose memory holds inputs makes va_arg() deliver those, eight bytes at a time. On i386 it
// is a plain pointer to the arguments, which take four bytes or eight.
#include "harness/emit.h"

#include <string.h>

static bool is_x86_64(const struct type *tag)
{
    return tag->field_count == 4 && strcmp(tag->fields[0].name, "gp_offset") == 0;
}

bool arguments_is_pointer(const struct type *type)
{
    static const char *const names[] = {"va_list", "__gnuc_va_list", "__builtin_va_list"};
    if (type->kind != TYPE_POINTER || !type->target->is_char || !type->spelling)
        return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(type->spelling, names[i]) == 0)
            return true;
    return false;
}

static struct count argument_count(struct scope *s)
{
    struct count count = plan_plain_count(s->emitter);
    if (count_start(count) < 2)
        count = count_bounded(2, count_most(count));
    emit_note(s, true, "variable arguments are %s plain values, none of them a pointer",
              count_spoken(s->emitter->arena, count));
    return count;
}

void fill_argument_pointer(struct scope *s, struct spot spot, const struct type *type)
{
    struct arena *arena = s->emitter->arena;
    struct count count = argument_count(s);
    bool block = emit_open(s, spot.path);
    const char *path = emit_hoist(s, spot.path);
    pointer_assign(
        s, spot, type,
        arena_printf(arena, "cz_new(%s, %s, 1)", path, count_text(arena, count_times(count, 4))));
    emit_line(s, "cz_array(%s, (void *)%s, CZ_U32, %s);", path, spot.access,
              count_text(arena, count));
    emit_close(s, block);
}

void fill_arguments(struct scope *s, const char *prefix, const char *path, const struct type *tag)
{
    if (!is_x86_64(tag)) {
        emit_note(s, true, "%s: a va_list is not an input", emit_spoken(s, prefix));
        return;
    }
    struct arena *arena = s->emitter->arena;
    struct count count = argument_count(s);
    bool block = emit_open(s, path);
    path = emit_hoist(s, path);
    emit_line(s, "/* no arguments in registers, all in memory */");
    emit_line(s, "%sgp_offset = 48;", prefix);
    emit_line(s, "%sfp_offset = 304;", prefix);
    emit_line(s, "%sreg_save_area = 0;", prefix);
    emit_line(s, "%soverflow_arg_area = cz_new(%s, %s, 1);", prefix, path,
              count_text(arena, count_times(count, 8)));
    emit_line(s, "cz_array(%s, %soverflow_arg_area, CZ_U64, %s);", path, prefix,
              count_text(arena, count));
    emit_close(s, block);
}
