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

static unsigned argument_count(struct scope *s)
{
    unsigned count = s->emitter->options->elements > 1 ? s->emitter->options->elements : 2;
    emit_note(s, true, "variable arguments are %u plain values, none of them a pointer", count);
    return count;
}

void fill_argument_pointer(struct scope *s, struct spot spot, const struct type *type)
{
    unsigned count = argument_count(s);
    bool block = emit_open(s, spot.path);
    const char *path = emit_hoist(s, spot.path);
    pointer_assign(s, spot, type,
                   arena_printf(s->emitter->arena, "cz_new(%s, %u, 1)", path, 4 * count));
    emit_line(s, "cz_array(%s, (void *)%s, CZ_U32, %u);", path, spot.access, count);
    emit_close(s, block);
}

void fill_arguments(struct scope *s, const char *prefix, const char *path, const struct type *tag)
{
    if (!is_x86_64(tag)) {
        emit_note(s, true, "%s: a va_list is not an input", emit_spoken(s, prefix));
        return;
    }
    unsigned count = argument_count(s);
    bool block = emit_open(s, path);
    path = emit_hoist(s, path);
    emit_line(s, "/* no arguments in registers, %u in memory */", count);
    emit_line(s, "%sgp_offset = 48;", prefix);
    emit_line(s, "%sfp_offset = 304;", prefix);
    emit_line(s, "%sreg_save_area = 0;", prefix);
    emit_line(s, "%soverflow_arg_area = cz_new(%s, %u, 1);", prefix, path, 8 * count);
    emit_line(s, "cz_array(%s, %soverflow_arg_area, CZ_U64, %u);", path, prefix, count);
    emit_close(s, block);
}
