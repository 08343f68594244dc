// SPDX-License-Identifier: Apache-2.0
#include "unit/program_inputs.h"

#include "base/tunables.h"
#include <stdlib.h>
#include <string.h>

static bool read_number(const char *text, char end, unsigned least, unsigned most, unsigned *out,
                        const char **rest)
{
    char *stop;
    unsigned long value = strtoul(text, &stop, 10);
    if (stop == text || *text == '-' || (*stop && *stop != end) || value < least || value > most)
        return false;
    *out = (unsigned)value;
    *rest = stop + (*stop == end && end);
    return true;
}

static bool read_arguments(const char *text, struct harness_program *out, struct error *err)
{
    const char *rest;
    out->arg_length = UNIT_ARGUMENT_LENGTH;
    if (read_number(text, ':', 1, UNIT_ARGUMENTS_MOST, &out->arg_count, &rest) &&
        (!*rest || read_number(rest, '\0', 1, UNIT_BYTES_MOST, &out->arg_length, &rest)))
        return true;
    return error_set(err, ERROR_USAGE,
                     "--arg takes N or N:LEN, a number of arguments (at most %d) and of characters "
                     "of each, not '%s'",
                     UNIT_ARGUMENTS_MOST, text);
}

static bool read_file(const char *text, struct arena *arena, struct harness_file *out,
                      struct error *err)
{
    const char *colon = strrchr(text, ':'), *rest;
    if (!colon || colon == text ||
        !read_number(colon + 1, '\0', 1, UNIT_BYTES_MOST, &out->bytes, &rest))
        return error_set(err, ERROR_USAGE,
                         "--file takes NAME:N, a name and a number of bytes, not '%s'", text);
    out->name = arena_strndup(arena, text, (size_t)(colon - text));
    return true;
}

bool program_inputs_inputs(const struct options *options, struct arena *arena,
                           struct harness_program *out, bool *by_default, struct error *err)
{
    *out = (struct harness_program){0};
    struct harness_file *files = arena_array(arena, struct harness_file, options->files.count + 1);
    for (size_t i = 0; i < options->files.count; i++)
        if (!read_file(options->files.items[i], arena, &files[i], err))
            return false;
    out->files = files;
    out->file_count = options->files.count;
    if (*options->args && !read_arguments(options->args, out, err))
        return false;
    out->has_stdin = options->stdin_bytes > 0;
    out->stdin_bytes = (unsigned)options->stdin_bytes;
    *by_default = !out->has_stdin && !out->arg_count && !out->file_count;
    if (*by_default) {
        out->has_stdin = true;
        out->stdin_bytes = UNIT_STDIN_BYTES;
        out->arg_count = UNIT_ARGUMENTS;
        out->arg_length = UNIT_ARGUMENT_LENGTH;
    }
    return true;
}

void program_inputs_describe(const struct harness_program *program, struct buf *out)
{
    const char *comma = "";
    if (program->has_stdin) {
        buf_printf(out, "up to %u bytes of standard input (--stdin %u)", program->stdin_bytes,
                   program->stdin_bytes);
        comma = ", ";
    }
    if (program->arg_count) {
        buf_printf(out, "%sup to %u arguments of up to %u characters (--arg %u:%u)", comma,
                   program->arg_count, program->arg_length, program->arg_count,
                   program->arg_length);
        comma = ", ";
    }
    for (size_t i = 0; i < program->file_count; i++, comma = ", ")
        buf_printf(out, "%s%s with up to %u bytes", comma, program->files[i].name,
                   program->files[i].bytes);
}

bool program_inputs_check(const struct options *o, struct error *err)
{
    const char *needs = o->stdin_bytes   ? "--stdin"
                        : *o->args       ? "--arg"
                        : o->files.count ? "--file"
                        : *o->seed_input ? "--seed-input"
                                         : NULL;
    if (needs && !o->program)
        return error_set(err, ERROR_USAGE, "%s says what a whole program gets: it needs --program",
                         needs);
    if (o->program && o->unit != OPTION_UNIT_TASK)
        return error_set(err, ERROR_USAGE, "--program links everything; it goes without --unit %s",
                         o->unit == OPTION_UNIT_FUNCTION ? "function" : "extended");
    return true;
}
