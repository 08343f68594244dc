// SPDX-License-Identifier: Apache-2.0
// Builds with one clang call each. The driver was written for unit.i, where no
// macro exists any more; behind the original file the user's macros would rewrite
// it, so all of them are undefined in between.
#include "replay/clean_build.h"

#include "base/buf.h"
#include "base/fs.h"
#include "base/proc.h"
#include "base/vec.h"
#include "replay/flags.h"
#include <stdlib.h>
#include <string.h>

// The functions that runtime/replay_profile.c uses if they are there.
static const char *const coverage_flags[] = {"-fprofile-instr-generate",
                                             "-fcoverage-mapping",
                                             "-fcoverage-mcdc",
                                             "-Wl,-u,__llvm_profile_get_size_for_buffer",
                                             "-Wl,-u,__llvm_profile_write_buffer",
                                             "-Wl,-u,__llvm_profile_merge_from_buffer",
                                             "-Wl,-u,__llvm_profile_reset_counters",
                                             NULL};
static const char *const sanitizer_flags[] = {"-fsanitize=address,undefined",
                                              "-fno-sanitize-recover=all",
                                              "-fno-omit-frame-pointer", "-g", NULL};

// clang's messages without the notes on MC/DC that -w does not silence: from the first
// error on, at most a few lines.
static const char *first_error(const struct buf *messages)
{
    const char *text = buf_text(messages);
    const char *error = strstr(text, "error: ");
    if (!error)
        error = strstr(text, "undefined reference");
    if (!error)
        return text;
    while (error > text && error[-1] != '\n')
        error--;
    return error;
}

static bool run_clang(struct flags *command, const char *what, struct buf *out, struct error *err)
{
    struct buf messages = BUF_INIT;
    struct proc_options options = {.out = out, .errors = &messages, .timeout_seconds = 600};
    struct proc_result result;
    *VEC_PUSH(command) = NULL;
    bool good = proc_run(command->items, &options, &result, err);
    if (!good)
        error_context(err, "%s", what);
    else if (result.timed_out)
        good = error_set(err, ERROR_INTERNAL, "%s: clang took more than ten minutes", what);
    else if (!result.exited || result.exit_code != 0)
        good = error_set(err, ERROR_INTERNAL, "%s: %.3000s", what, first_error(&messages));
    buf_release(&messages);
    return good;
}

static void add_all(struct flags *command, const char *const *more)
{
    for (; *more; more++)
        *VEC_PUSH(command) = *more;
}

static const char *const link_flags[] = {
    "-fuse-ld=lld",
#define WRAPPED(name) "-Wl,--wrap=" #name,
#include "wire/wrapped.def"
#undef WRAPPED
    NULL,
};

static bool compile(const struct clean_build *build, const char *source, const char *executable,
                    bool original, const char *const *extra, struct error *err)
{
    struct flags command = {0};
    struct buf include = BUF_INIT, archive = BUF_INIT;
    buf_printf(&include, "-I%s/include", build->library);
    buf_printf(&archive, "%s/libczreplay.a", build->library);
    *VEC_PUSH(&command) = build->clang;
    if (original) {
        flags_select(build->flags, &command);
        *VEC_PUSH(&command) = "-Dmain=cz_user_main";
    } else if (build->program->compile_flags) {
        add_all(&command, build->program->compile_flags);
    }
    add_all(&command, extra);
    // Variables that the code does not initialise would be different in each replay.
    add_all(&command, (const char *const[]){"-O0", "-w", "-Qunused-arguments",
                                            "-ftrivial-auto-var-init=zero", "-fno-color-diagnostics", include.data, source,
                                            archive.data, "-lm", "-o", executable, NULL});
    add_all(&command, link_flags);
    bool good = run_clang(&command, "building the clean executable", NULL, err);
    buf_release(&include);
    buf_release(&archive);
    VEC_RELEASE(&command);
    return good;
}

// "#define name..." lines of `clang -dM -E` to "#undef name".
static void write_undefines(const char *definitions, struct buf *out)
{
    static const char define[] = "#define ";
    for (const char *line = definitions; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, define, sizeof define - 1) != 0)
            continue;
        const char *name = line + sizeof define - 1;
        int length = (int)strcspn(name, " (\n");
        bool keep = !strncmp(name, "__STDC", 6) || !strncmp(name, "CZ_DRIVER_H", 11);
        if (!keep)
            buf_printf(out, "#undef %.*s\n", length, name);
    }
}

static bool list_macros(const struct clean_build *build, const char *source, struct buf *out,
                        struct error *err)
{
    struct flags command = {0};
    *VEC_PUSH(&command) = build->clang;
    flags_select(build->flags, &command);
    add_all(&command, (const char *const[]){"-Dmain=cz_user_main", "-w", "-Qunused-arguments",
                                            "-dM", "-E", source, NULL});
    bool good = run_clang(&command, "listing the macros of the source", out, err);
    VEC_RELEASE(&command);
    return good;
}

static bool write_unit(const struct clean_build *build, const char *driver, const char *source,
                       struct error *err)
{
    // What a compiler in GNU mode predefines outside the reserved names: the text may
    // use these as identifiers after an #undef.
    static const char head[] = "#include \"cz/driver.h\"\n#undef linux\n#undef unix\n"
                               "#undef i386\n#include \"unit.i\"\n";
    struct buf text = BUF_INIT;
    buf_puts(&text, build->before);
    buf_puts(&text, head);
    buf_puts(&text, driver);
    const char *unit = build->program->unit_text;
    bool good = fs_write(build->unit_path, unit, strlen(unit), err) &&
                fs_write(source, text.data, text.length, err);
    buf_release(&text);
    return good;
}

static bool write_lines_unit(const struct clean_build *build, const char *driver,
                             const char *source, struct error *err)
{
    struct buf text = BUF_INIT, macros = BUF_INIT;
    buf_printf(&text, "%s#include \"cz/driver.h\"\n#include \"%s\"\n", build->before,
               build->program->source);
    bool good = list_macros(build, build->program->source, &macros, err);
    if (good) {
        write_undefines(buf_text(&macros), &text);
        buf_puts(&text, driver);
        good = fs_write(source, text.data, text.length, err);
    }
    buf_release(&text);
    buf_release(&macros);
    return good;
}

static const char *keep(struct arena *arena, char *found)
{
    const char *copy = found ? arena_strdup(arena, found) : NULL;
    free(found);
    return copy;
}

static bool find_tools(struct clean_build *build, struct arena *arena, struct error *err)
{
    build->clang = keep(arena, proc_find_tool("clang", err));
    if (build->clang)
        build->llvm_cov = keep(arena, proc_find_tool("llvm-cov", err));
    if (build->llvm_cov)
        build->llvm_profdata = keep(arena, proc_find_tool("llvm-profdata", err));
    build->llvm_symbolizer = keep(arena, proc_find_tool("llvm-symbolizer", NULL));
    return build->llvm_profdata != NULL;
}

static bool make_directory(const struct clean_build_request *request, struct arena *arena,
                           struct clean_build *build, struct error *err)
{
    if (strchr(request->directory, '%')) // means something in LLVM_PROFILE_FILE
        return error_set(err, ERROR_USAGE, "the name of the output directory contains a %%: %s",
                         request->directory);
    if (!fs_make_dirs(request->directory, err))
        return false;
    build->directory = keep(arena, fs_absolute(request->directory));
    if (!build->directory)
        return error_errno(err, "cannot find %s", request->directory);
    build->unit_path = arena_printf(arena, "%s/unit.i", build->directory);
    return true;
}

// The lines build is a convenience: without it the lines of unit.i are mapped back.
static void build_lines(struct clean_build *build, const char *driver, struct arena *arena)
{
    struct error err = {0};
    const char *source = arena_printf(arena, "%s/lines_unit.c", build->directory);
    const char *executable = arena_printf(arena, "%s/replay-lines", build->directory);
    if (write_lines_unit(build, driver, source, &err) &&
        compile(build, source, executable, true, coverage_flags, &err)) {
        build->lines = executable;
        return;
    }
    err.text[strcspn(err.text, "\n")] = '\0';
    build->lines_note = arena_printf(arena,
                                     "lines are those of the preprocessed text, because the "
                                     "original file did not build with its driver: %s",
                                     err.text);
}

bool clean_build(const struct clean_build_request *request, struct arena *arena,
                 struct clean_build *out, struct error *err)
{
    *out = (struct clean_build){.arena = arena, .program = request->program,
                                .flags = request->flags};
    out->before = request->before ? request->before : "";
    out->library =
        request->library ? arena_strdup(arena, request->library) : keep(arena, fs_library_dir());
    if (!find_tools(out, arena, err) || !make_directory(request, arena, out, err))
        return false;
    const char *source = arena_printf(arena, "%s/replay_unit.c", out->directory);
    out->unit = arena_printf(arena, "%s/replay", out->directory);
    if (!write_unit(out, request->driver, source, err) ||
        !compile(out, source, out->unit, false, coverage_flags, err))
        return false;
    build_lines(out, request->driver, arena);
    return true;
}

bool clean_build_sanitized(struct clean_build *build, struct error *err)
{
    struct arena *arena = build->arena;
    if (build->sanitized)
        return true;
    const char *source = arena_printf(arena, "%s/replay_unit.c", build->directory);
    const char *executable = arena_printf(arena, "%s/replay-sanitized", build->directory);
    if (!compile(build, source, executable, false, sanitizer_flags, err))
        return error_context(err, "with sanitizers");
    build->sanitized = executable;
    return true;
}
