// SPDX-License-Identifier: Apache-2.0
// The driver of a whole program: its standard input, arguments and files are inputs, its
// variables begin as the program text says. What main gets is declared to the world of
// runtime/models/world.h (and runtime/replay_world.c in clean builds).
#include "harness/emit.h"

#include "base/fs.h"
#include <string.h>

// A file's name as a C string.
static const char *quoted(struct emitter *e, const char *text)
{
    struct buf out = BUF_INIT;
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            buf_printf(&out, "\\%c", *text);
        else if (*text < ' ' || *text == '?') // no trigraphs
            buf_printf(&out, "\\%03o", (unsigned char)*text);
        else
            buf_putc(&out, *text);
    }
    const char *copy = arena_strdup(e->arena, buf_text(&out));
    buf_release(&out);
    return copy;
}

// argv[0]: the main file's name without its ending.
static const char *program_name(struct emitter *e)
{
    const char *name = fs_basename(e->program->source);
    const char *dot = strrchr(name, '.');
    return quoted(e, arena_strndup(e->arena, name, dot ? (size_t)(dot - name) : strlen(name)));
}

static void declare_world(struct scope *s, const struct harness_program *program)
{
    struct arena *arena = s->emitter->arena;
    emit_line(s, "cz_program_stdin(%u);", program->has_stdin ? program->stdin_bytes : 0);
    if (program->has_stdin)
        root_declare(s, input_root_word(INPUT_STDIN), program->stdin_bytes, "standard input");
    for (size_t i = 0; i < program->file_count; i++) {
        const struct harness_file *file = &program->files[i];
        emit_line(s, "cz_program_file(\"%s\", %u);", quoted(s->emitter, file->name), file->bytes);
        root_declare(s, input_root_of(INPUT_FILE, file->name), file->bytes,
                     arena_printf(arena, "file %s", file->name));
    }
}

// main gets argc, argv and an empty environment as far as it has parameters, and what it
// returns is the exit status, so that what atexit() has registered runs.
void program_main(struct scope *s, const struct function *function)
{
    struct emitter *e = s->emitter;
    const struct harness_program *program = e->options->program;
    declare_world(s, program);
    const char *count = names_local(e, "argc"), *words = names_local(e, "argv");
    emit_line(s, "int %s;", count);
    emit_line(s, "char **%s = cz_program_args(\"%s\", %u, %u, &%s);", words, program_name(e),
              program->arg_count, program->arg_length, count);
    if (program->arg_count) {
        root_declare(s, input_root_word(INPUT_ARGC), 0, "number of arguments and the name");
        root_declare(s, input_root_word(INPUT_ARGV), program->arg_length, "arguments");
    }
    const char *arguments[] = {
        "", count, arena_printf(e->arena, "%s, %s", count, words),
        arena_printf(e->arena, "%s, %s, %s + %s", count, words, words, count)};
    size_t given = function->param_count < 3 ? function->param_count : 3;
    const char *call = arena_printf(e->arena, "%s(%s)", function->name, arguments[given]);
    if (given == 3)
        emit_note(s, true, "main() gets an empty environment");
    library_state(s, function);
    bool is_void = function->type->target->kind == TYPE_VOID;
    // Another name, because the user's own declaration of exit may be an old one.
    emit_line(s, "extern void cz_leave(int) __asm__(\"exit\");");
    emit_line(s, is_void ? "%s;" : "cz_leave(%s);", call);
    if (is_void)
        emit_line(s, "cz_leave(0);");
}
