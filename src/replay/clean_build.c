// SPDX-License-Identifier: Apache-2.0
// Builds with one clang call per file, several at a time, and one that links. The driver
// was written for unit.i, where no macro exists any more; behind the original file the
// user's macros would rewrite it, so all of them are undefined in between.
#include "replay/clean_build.h"

#include "base/alias.h"
#include "base/clock.h"
#include "base/buf.h"
#include "base/fs.h"
#include "base/utf8.h"
#include "base/proc.h"
#include "base/tunables.h"
#include "base/vec.h"
#include "flags/flags.h"
#include "program/libc.h"
#include "program/merge.h"
#include "program/data_model.h"
#include <stdlib.h>
#include <string.h>

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

static bool judge(const struct proc_job *job, const char *what, struct error *err)
{
    const struct proc_result *result = &job->result;
    if (job->error.kind != ERROR_NONE)
        return error_set(err, job->error.kind, "%s: %s", what, job->error.text);
    if (result->timed_out)
        return error_set(err, ERROR_INTERNAL, "%s: clang took more than %d seconds", what,
                         REPLAY_BUILD_SECONDS);
    return (result->exited && result->exit_code == 0) ||
           error_set(err, ERROR_INTERNAL, "%s: %.3000s", what, first_error(job->options.errors));
}

// Run clang once per command, all to their end. Command i is of group i / size; the first
// failure of each is told in errs.
static void run_clang_groups(struct flag_list *commands, size_t count, size_t size,
                             const char *what, struct buf *out, struct error *errs)
{
    struct proc_job *jobs = xcalloc(count + 1, sizeof *jobs);
    struct buf *messages = xcalloc(count + 1, sizeof *messages);
    for (size_t i = 0; i < count; i++) {
        *VEC_PUSH(&commands[i]) = NULL;
        jobs[i].argv = commands[i].items;
        jobs[i].options = (struct proc_options){.out = out ? &out[i] : NULL,
                                                .errors = &messages[i],
                                                .timeout_seconds = REPLAY_BUILD_SECONDS,
                                                .deep_stack = true};
    }
    proc_run_all(jobs, count, 0);
    for (size_t i = 0; i < count; i++) {
        if (errs[i / size].kind == ERROR_NONE)
            judge(&jobs[i], what, &errs[i / size]);
        buf_release(&messages[i]);
    }
    free(jobs);
    free(messages);
}

static bool run_clang(struct flag_list *commands, size_t count, const char *what, struct buf *out,
                      struct error *err)
{
    struct error first = {0};
    run_clang_groups(commands, count, count, what, out, &first);
    return first.kind == ERROR_NONE || error_set(err, first.kind, "%s", first.text);
}

static void add_all(struct flag_list *command, const char *const *more)
{
    for (; *more; more++)
        *VEC_PUSH(command) = *more;
}

// Calls of these go to the replay library.
static void add_wrapped(const struct clean_build *build, struct flag_list *command)
{
    for (size_t i = 0; i < libc_count(); i++)
        if (libc_at(i)->wrapped)
            *VEC_PUSH(command) = arena_printf(build->arena, "-Wl,--wrap=%s", libc_at(i)->name);
}

// A kind of build: what its files are called, and the flags that make it what it is.
struct variant {
    const char *stem, *executable;
    bool original; // of the user's own files, not of unit.i
    enum flags_build flags;
};

enum { VARIANTS = 3 };
static const struct variant unit_variant = {"replay_unit", "replay", false, FLAGS_COVERAGE};
static const struct variant lines_variant = {"lines_unit", "replay-lines", true, FLAGS_COVERAGE};
static const struct variant sanitized_variant = {"replay_unit", "replay-sanitized", false,
                                                 FLAGS_SANITIZED};
static const struct variant memory_variant = {"replay_unit", "replay-memory", false, FLAGS_MEMORY};

static const char *source_path(const struct clean_build *build, const struct variant *variant,
                               size_t k)
{
    return program_text_path(build->arena, build->directory, variant->stem, k, "c");
}

static const char *object_path(const struct clean_build *build, const struct variant *variant,
                               size_t k)
{
    return program_text_path(build->arena, build->directory, variant->executable, k, "o");
}

static const char *bitcode_path(const struct clean_build *build, const struct variant *variant,
                                size_t k)
{
    return program_text_path(build->arena, build->directory, variant->executable, k, "bc");
}

// With a rewriting in between, the first command only translates to bitcode: what adds
// counters and checks comes after it (assemble_command).
static void compile_command(const struct clean_build *build, const struct variant *variant,
                            size_t k, struct flag_list *command)
{
    const struct program *file = program_file(build->program, k);
    *VEC_PUSH(command) = build->clang;
    if (variant->original) {
        flags_of_source(build->texts[k].flags, command);
        if (file->own_flags)
            add_all(command, file->own_flags);
        *VEC_PUSH(command) = FLAGS_CADENZA;
    } else if (file->compile_flags) {
        add_all(command, file->compile_flags);
    }
    flags_ours(variant->flags, command);
    flags_ours(FLAGS_CLEAN, command);
    add_all(command,
            (const char *const[]){arena_printf(build->arena, "-I%s/include", build->library),
                                  source_path(build, variant, k), "-o",
                                  build->rewrite ? bitcode_path(build, variant, k)
                                                 : object_path(build, variant, k),
                                  NULL});
    if (build->rewrite)
        add_all(command,
                (const char *const[]){"-emit-llvm", "-Xclang", "-disable-llvm-passes", NULL});
}

static void assemble_command(const struct clean_build *build, const struct variant *variant,
                             size_t k, struct flag_list *command)
{
    *VEC_PUSH(command) = build->clang;
    flags_ours(variant->flags, command);
    if (build->program->narrow)
        *VEC_PUSH(command) = "-m32";
    add_all(command, (const char *const[]){"-O0", "-w", "-Qunused-arguments", "-fPIE", "-c", "-x",
                                           "ir", bitcode_path(build, variant, k), "-o",
                                           object_path(build, variant, k), NULL});
}

static bool rewrite(const struct clean_build *build, const struct variant *variant,
                    struct error *err)
{
    struct flag_list *commands = xcalloc(build->text_count, sizeof *commands);
    bool good = true;
    for (size_t k = 0; k < build->text_count; k++) {
        good = good && build->rewrite(build->context, bitcode_path(build, variant, k), err);
        assemble_command(build, variant, k, &commands[k]);
    }
    good =
        good && run_clang(commands, build->text_count, "building the clean executable", NULL, err);
    for (size_t k = 0; k < build->text_count; k++)
        VEC_RELEASE(&commands[k]);
    free(commands);
    return good;
}

static void link_command(const struct clean_build *build, const struct variant *variant,
                         struct flag_list *command)
{
    *VEC_PUSH(command) = build->clang;
    if (program_file(build->program, 0)->compile_flags)
        add_all(command, program_file(build->program, 0)->compile_flags); // -m, --target
    flags_ours(variant->flags, command);
    for (size_t k = 0; k < build->text_count; k++)
        *VEC_PUSH(command) = object_path(build, variant, k);
    for (size_t k = 0; k < build->support_count; k++)
        *VEC_PUSH(command) = build->support[k];
    add_all(command,
            (const char *const[]){
                arena_printf(build->arena, "%s/libczreplay.a",
                             model_parts(build->program, build->library, build->arena)),
                "-o", arena_printf(build->arena, "%s/%s", build->directory, variant->executable),
                NULL});
    flags_ours(FLAGS_LINK, command);
    add_wrapped(build, command);
    add_all(command, model_link_flags(build->program));
}

static const char building[] = "building the clean executable";

// Compile every text of every variant at once, then link every variant. errs has room for one
// per variant; what fails does not stop the others.
static void compile_all(const struct clean_build *build, const struct variant *const *variants,
                        size_t count, struct error *errs)
{
    size_t texts = build->text_count;
    struct flag_list *commands = xcalloc(texts * count + 1, sizeof *commands);
    struct flag_list *links = xcalloc(count + 1, sizeof *links);
    for (size_t i = 0; i < texts * count; i++)
        compile_command(build, variants[i / texts], i % texts, &commands[i]);
    run_clang_groups(commands, texts * count, texts, building, NULL, errs);
    size_t good[VARIANTS], good_count = 0;
    struct error failed[VARIANTS] = {0};
    for (size_t v = 0; v < count; v++) {
        if (errs[v].kind != ERROR_NONE ||
            (build->rewrite && !rewrite(build, variants[v], &errs[v])))
            continue;
        link_command(build, variants[v], &links[good_count]);
        good[good_count++] = v;
    }
    run_clang_groups(links, good_count, 1, building, NULL, failed);
    for (size_t i = 0; i < good_count; i++)
        errs[good[i]] = failed[i];
    for (size_t i = 0; i < texts * count; i++)
        VEC_RELEASE(&commands[i]);
    for (size_t i = 0; i < count; i++)
        VEC_RELEASE(&links[i]);
    free(commands);
    free(links);
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

// The macros of every file, as `#define` lines.
static bool list_macros(const struct clean_build *build, struct buf *out, struct error *err)
{
    struct flag_list *commands = xcalloc(build->text_count, sizeof *commands);
    for (size_t k = 0; k < build->text_count; k++) {
        *VEC_PUSH(&commands[k]) = build->clang;
        flags_of_source(build->texts[k].flags, &commands[k]);
        add_all(&commands[k],
                (const char *const[]){"-Dmain=cz_user_main", FLAGS_CADENZA, "-w",
                                      "-Qunused-arguments", "-idirafter",
                                      arena_printf(build->arena, "%s/include", build->library),
                                      "-dM", "-E", program_file(build->program, k)->source, NULL});
    }
    bool good =
        run_clang(commands, build->text_count, "listing the macros of the source", out, err);
    for (size_t k = 0; k < build->text_count; k++)
        VEC_RELEASE(&commands[k]);
    free(commands);
    return good;
}

static bool write_unit(const struct clean_build *build, size_t k, struct error *err)
{
    // What a compiler in GNU mode predefines outside the reserved names: the text may
    // use these as identifiers after an #undef.
    static const char head[] =
        "#include \"cz/driver.h\"\n#define CZ_OBSERVE 1\n#undef linux\n#undef unix\n"
        "#undef i386\n";
    const struct clean_text *of = &build->texts[k];
    struct buf text = BUF_INIT;
    buf_printf(&text, "%s%s#include \"%s\"\n%s", of->before ? of->before : "", head,
               fs_basename(build->unit_paths[k]), of->driver);
    const char *unit = program_file(build->program, k)->unit_text;
    bool good = fs_write(build->unit_paths[k], unit, strlen(unit), err) &&
                fs_write(source_path(build, &unit_variant, k), text.data, text.length, err);
    buf_release(&text);
    return good;
}

static bool declares_main(const struct program *program)
{
    for (size_t i = 0; i < program->function_count; i++)
        if (program->functions[i].is_main)
            return true;
    return false;
}

static bool write_lines_unit(const struct clean_build *build, size_t k, const char *macros,
                             struct error *err)
{
    const struct clean_text *of = &build->texts[k];
    struct buf text = BUF_INIT;
    // Another symbol for main, which keeps its name: __func__ tells it.
    bool has_main = declares_main(program_file(build->program, k));
    buf_printf(&text, "%s%s#include \"cz/driver.h\"\n",
               has_main ? "#pragma redefine_extname main cz_user_main\n" : "",
               of->before ? of->before : "");
    const char *source = program_file(build->program, k)->source;
    bool named = program_include(source, &text);
    if (!named || !utf8_is_valid(source)) {
        buf_release(&text);
        return error_set(err, ERROR_SOURCE, "no %s can name %s",
                         named ? "export of llvm-cov" : "#include", source);
    }
    write_undefines(macros, &text);
    if (has_main)
        buf_puts(&text, "#define cz_user_main main\n");
    buf_puts(&text, of->driver);
    bool good = fs_write(source_path(build, &lines_variant, k), text.data, text.length, err);
    buf_release(&text);
    return good;
}

static bool write_lines_units(const struct clean_build *build, struct error *err)
{
    struct buf *macros = xcalloc(build->text_count, sizeof *macros);
    bool good = list_macros(build, macros, err);
    for (size_t k = 0; k < build->text_count; k++) {
        good = good && write_lines_unit(build, k, buf_text(&macros[k]), err);
        buf_release(&macros[k]);
    }
    free(macros);
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
    if (!fs_make_dirs(request->directory, err))
        return false;
    build->directory = keep(arena, alias_absolute(request->directory));
    if (!build->directory)
        return error_errno(err, "cannot find %s", request->directory);
    build->unit_paths = arena_array(arena, const char *, build->text_count + 1);
    for (size_t k = 0; k < build->text_count; k++)
        build->unit_paths[k] = program_text_path(arena, build->directory, "unit", k, "i");
    return true;
}

// Bitcode that is linked with the unit; rewritten like the unit's own, in a copy.
static bool support_bitcode(const struct clean_build *build, const char *from, size_t k,
                            const char **path, struct error *err)
{
    *path = from;
    if (!build->rewrite)
        return true;
    struct buf bytes = BUF_INIT;
    *path = arena_printf(build->arena, "%s/support_%zu.bc", build->directory, k);
    bool good = fs_read(from, &bytes, err) && fs_write(*path, bytes.data, bytes.length, err) &&
                build->rewrite(build->context, *path, err);
    buf_release(&bytes);
    return good;
}

static bool build_support(const struct clean_build_request *request, struct arena *arena,
                          struct clean_build *build, struct error *err)
{
    bool good = true;
    build->support = arena_array(arena, const char *, request->support_count + 1);
    for (size_t k = 0; good && k < request->support_count; k++) {
        struct flag_list command = {0};
        const char *bitcode;
        if (!support_bitcode(build, request->support[k], k, &bitcode, err))
            return false;
        build->support[k] = arena_printf(arena, "%s/support_%zu.o", build->directory, k);
        add_all(&command, (const char *const[]){build->clang, "-w", "-O0", "-fPIE", "-c", "-x",
                                                "ir", bitcode, "-o", build->support[k],
                                                build->program->narrow ? "-m32" : NULL, NULL});
        good = run_clang(&command, 1, "building the clean executable", NULL, err);
        VEC_RELEASE(&command);
    }
    build->support_count = request->support_count;
    return good;
}

// The lines build is a convenience: without it the lines of unit.i are mapped back.
static void note_lines(struct clean_build *build, struct error *err)
{
    err->text[strcspn(err->text, "\n")] = '\0';
    build->lines_note = arena_printf(build->arena,
                                     "lines are those of the preprocessed text, because the "
                                     "original file did not build with its driver: %s",
                                     err->text);
}

static bool wants_lines(struct clean_build *build)
{
    struct error err = {0};
    if (build->program->alone)
        build->lines_note = "lines are those of the preprocessed text, because functions are "
                            "tested alone";
    else if (build->rewrite)
        build->lines_note =
            "lines are those of the preprocessed text, because the code is "
            "rewritten: what hardware, other threads or the linker decide are inputs";
    else if (!write_lines_units(build, &err))
        note_lines(build, &err);
    return !build->lines_note;
}

static const char *executable_path(const struct clean_build *build, const struct variant *variant)
{
    return arena_printf(build->arena, "%s/%s", build->directory, variant->executable);
}

static bool take_sanitized(struct clean_build *build, struct error *err)
{
    if (err->kind == ERROR_NONE) {
        build->sanitized = executable_path(build, &sanitized_variant);
        return true;
    }
    build->sanitized_note = arena_printf(build->arena, "with sanitizers: %.*s",
                                         (int)strcspn(err->text, "\n"), err->text);
    return error_context(err, "with sanitizers");
}

static bool build_variants(struct clean_build *build, bool sanitize, struct error *err)
{
    const struct variant *variants[VARIANTS] = {&unit_variant};
    struct error errs[VARIANTS] = {0};
    size_t count = 1, lines = wants_lines(build) ? count++ : 0, sanitized = sanitize ? count++ : 0;
    if (lines)
        variants[lines] = &lines_variant;
    if (sanitized)
        variants[sanitized] = &sanitized_variant;
    compile_all(build, variants, count, errs);
    if (errs[0].kind != ERROR_NONE)
        return error_set(err, errs[0].kind, "%s", errs[0].text);
    build->unit = executable_path(build, &unit_variant);
    if (lines && errs[lines].kind == ERROR_NONE)
        build->lines = executable_path(build, &lines_variant);
    else if (lines)
        note_lines(build, &errs[lines]);
    if (sanitized)
        take_sanitized(build, &errs[sanitized]);
    return true;
}

bool clean_build(const struct clean_build_request *request, struct arena *arena,
                 struct clean_build *out, struct error *err)
{
    *out = (struct clean_build){.arena = arena,
                                .program = request->program,
                                .rewrite = request->rewrite,
                                .context = request->context};
    out->text_count = program_file_count(request->program);
    out->texts = arena_array(arena, struct clean_text, out->text_count);
    memcpy(out->texts, request->texts, out->text_count * sizeof *out->texts);
    out->library =
        request->library ? arena_strdup(arena, request->library) : keep(arena, fs_library_dir());
    if (!find_tools(out, arena, err) || !make_directory(request, arena, out, err))
        return false;
    for (size_t k = 0; k < out->text_count; k++)
        if (!write_unit(out, k, err))
            return false;
    return build_support(request, arena, out, err) && build_variants(out, request->sanitize, err);
}

// On demand, in the middle of a task's replays: a build is no part of their time.
static void compile_late(struct clean_build *build, const struct variant *variant,
                         struct error *err)
{
    double begin = clock_now();
    compile_all(build, &variant, 1, err);
    if (build->deadline > 0)
        build->deadline += clock_now() - begin;
}

bool clean_build_sanitized(struct clean_build *build, struct error *err)
{
    if (build->sanitized)
        return true;
    if (build->sanitized_note)
        return error_set(err, ERROR_INTERNAL, "%s", build->sanitized_note);
    struct error failed = {0};
    compile_late(build, &sanitized_variant, &failed);
    return take_sanitized(build, &failed) || error_set(err, failed.kind, "%s", failed.text);
}

bool clean_build_memory(struct clean_build *build)
{
    struct error failed = {0};
    if (build->memory || build->no_memory)
        return build->memory != NULL;
    if (!build->program->narrow)
        compile_late(build, &memory_variant, &failed);
    build->no_memory = build->program->narrow || failed.kind != ERROR_NONE;
    if (!build->no_memory)
        build->memory = executable_path(build, &memory_variant);
    return !build->no_memory;
}
