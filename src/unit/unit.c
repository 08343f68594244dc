// SPDX-License-Identifier: Apache-2.0
// From the user's files to a target executable.
#include "unit/unit.h"

#include "base/fs.h"
#include "base/proc.h"
#include "base/vec.h"
#include "flags/flags.h"
#include "unit/assumptions.h"
#include "unit/foreign_constants.h"
#include "unit/extern_bounds.h"
#include "program/faults.h"
#include "unit/libc_shadowing.h"
#include "unit/linked_support.h"
#include "unit/unit_digest.h"
#include "unit/hardware_rewrite.h"
#include "program/closure.h"
#include "program/data_model.h"
#include "program/reserved.h"
#include "program/share.h"
#include <assert.h>
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool run_tool(const char *const *argv, const char *what, struct error *err)
{
    struct buf errors = BUF_INIT;
    struct proc_result result;
    struct proc_options options = {.errors = &errors, .deep_stack = true};
    bool good = proc_run(argv, &options, &result, err);
    if (good && (!result.exited || result.exit_code != 0))
        good = error_set(err, ERROR_INTERNAL, "%s failed:\n%.3000s", what, buf_text(&errors));
    buf_release(&errors);
    return good;
}

// ---- files ----

static struct unit_text *new_text(struct unit *unit)
{
    struct unit_text **larger = arena_array(&unit->arena, struct unit_text *, unit->text_count + 1);
    if (unit->text_count)
        memcpy(larger, unit->texts, unit->text_count * sizeof *larger);
    unit->texts = larger;
    struct unit_text *text = arena_new(&unit->arena, struct unit_text);
    program_init(&text->program);
    unit->texts[unit->text_count++] = text;
    return text;
}

// Code for 32-bit machines needs a C library and parts of ours that may not be there.
static bool check_model(struct unit *unit, const struct unit_file *file, struct error *err)
{
    bool narrow = model_is_narrow(file->flags);
    if (unit->text_count && model_is_narrow(unit->texts[0]->file.flags) != narrow)
        return error_set(err, ERROR_SOURCE, "%s and %s have different data models",
                         unit->texts[0]->file.source, file->source);
    if (!narrow || unit->text_count)
        return true;
    struct buf found = BUF_INIT;
    struct proc_result result;
    struct proc_options options = {.out = &found};
    const char *const argv[] = {unit->clang, "-m32", "-print-file-name=crt1.o", NULL};
    bool good = proc_run(argv, &options, &result, err);
    bool there = good && strchr(buf_text(&found), '/');
    buf_release(&found);
    if (good && !there)
        return error_set(err, ERROR_MISSING,
                         "%s: code for a 32-bit machine needs the 32-bit C "
                         "library: install the package " MODEL_PACKAGE ", or test it with 64-bit "
                         "pointers (--data-model lp64)",
                         file->source);
    if (good && !fs_exists(arena_printf(&unit->arena, "%s/ilp32/libczrt.a", unit->library)))
        return error_set(err, ERROR_MISSING,
                         "%s: this cadenza was built without its parts for "
                         "32-bit code: install the package " MODEL_PACKAGE
                         " and build it again, or "
                         "test it with 64-bit pointers (--data-model lp64)",
                         file->source);
    return good;
}

// A function or variable that would take the place of one of ours, or ours that of one of
// another file. Declared is what cz/cadenza.h declares.
static const char *find_reserved(const struct program *program)
{
    for (size_t i = 0; i < program->function_count; i++) {
        const struct function *f = &program->functions[i];
        const char *name = f->defined ? f->source_name : f->name;
        bool ours = !f->defined && (!strncmp(name, "__cz_", 5) || !strcmp(name, "cz_assume_"));
        if (reserved_name(name) && !f->is_main && !ours)
            return f->source_name;
    }
    for (size_t i = 0; i < program->variable_count; i++) {
        const struct variable *v = &program->variables[i];
        if (!v->function && reserved_name(v->name))
            return v->name;
    }
    return NULL;
}

// A library would have to define it; asked only about implicit declarations.
static bool has_builtin(struct unit *unit, const char *name)
{
    const char *directory = getenv("TMPDIR");
    char *path = arena_printf(&unit->arena, "%s/cadenza-XXXXXX", directory ? directory : "/tmp");
    int file = mkstemp(path);
    if (file < 0)
        return true; // the linker will tell
    close(file);
    const char *text =
        arena_printf(&unit->arena, "#if !__has_builtin(%s)\n#error unknown\n#endif\n", name);
    const char *const argv[] = {unit->clang, "-E", "-x", "c", path, NULL};
    struct proc_options options = {0};
    struct proc_result result;
    struct error ignored = {0};
    bool known = !fs_write(path, text, strlen(text), &ignored) ||
                 !proc_run(argv, &options, &result, &ignored) ||
                 (result.exited && result.exit_code == 0);
    remove(path);
    return known;
}

// Builtins that clang has come with a prototype; what it does not know is declared implicitly
// where the code first uses it.
static const struct function *find_unknown_builtin(struct unit *unit, const struct program *program)
{
    for (size_t i = 0; i < program->function_count; i++) {
        const struct function *f = &program->functions[i];
        if (!f->defined && f->is_implicit && strncmp(f->name, "__builtin_", 10) == 0 &&
            !has_builtin(unit, f->name))
            return f;
    }
    return NULL;
}

static bool check_builtins(struct unit *unit, const struct unit_text *text, struct error *err)
{
    const struct function *f = find_unknown_builtin(unit, &text->program);
    return !f ||
           error_set(err, ERROR_SOURCE,
                     "%s:%u: clang does not have %s(), a builtin of another compiler; give clang "
                     "another way to compute it (#ifdef __clang__ or __has_builtin), or define it "
                     "as a macro: -- '-D%s(...)=...'",
                     f->at.file, f->at.source_line, f->name, f->name);
}

static bool check_names(const struct unit_text *text, struct error *err)
{
    const char *name = find_reserved(&text->program);
    return !name || error_set(err, ERROR_SOURCE,
                              "%s: generated drivers use the name %s themselves; have the compiler "
                              "rename yours in all files: -D%s=my_%s",
                              text->file.source, name, name, name);
}

static bool parse(const struct unit_request *request, struct unit *unit,
                  const struct unit_file *file, struct error *err)
{
    if (!check_model(unit, file, err))
        return false;
    static const char *const no_tasks[] = {NULL};
    bool has_tasks = unit->text_count == 0 && !request->program;
    bool alone = request->options->unit == OPTION_UNIT_FUNCTION;
    struct unit_text *text = new_text(unit);
    text->file = *file;
    struct frontend_request parse = {
        .source = file->source,
        .flags = file->flags,
        .clang = unit->clang,
        .task_names = has_tasks ? request->task_names : no_tasks,
        .static_tasks = request->options->static_tasks || alone,
        .alone = alone,
        .interleave = request->options->interleave && !request->program,
        .numbers = &unit->numbers,
        .is_own = libc_shadowing_is_own,
        .own_context = request->facts,
    };
    return frontend_parse(&parse, &text->program, err) && check_names(text, err) &&
           check_builtins(unit, text, err);
}

// What the project puts into pointers to functions. The files of a unit tell each other
// first who calls and tests what.
static void add_candidates(const struct unit_request *request, struct unit *unit)
{
    struct program **files = arena_array(&unit->arena, struct program *, unit->text_count);
    for (size_t k = 0; k < unit->text_count; k++)
        files[k] = &unit->texts[k]->program;
    if (unit->text_count > 1)
        program_share_pointers(files, unit->text_count);
    for (size_t k = 0; k < unit->text_count; k++)
        facts_add_candidates(request->facts, files[k]);
    program_share_statics(files, unit->text_count);
}

static void merge(struct unit *unit, bool is_whole)
{
    struct program **files = arena_array(&unit->arena, struct program *, unit->text_count);
    for (size_t k = 0; k < unit->text_count; k++)
        files[k] = &unit->texts[k]->program;
    program_release(&unit->program);
    program_init(&unit->program);
    program_merge(files, unit->text_count, unit->numbers.branches, unit->numbers.switches,
                  &unit->program);
    unit->program.is_whole = is_whole;
}

static bool has_file(const struct unit *unit, const char *source)
{
    for (size_t k = 0; k < unit->text_count; k++)
        if (strcmp(unit->texts[k]->file.source, source) == 0)
            return true;
    return false;
}

// ---- files of the project that the unit needs ----

struct wanted {
    const struct unit_request *request;
    struct unit *unit;
    VEC(struct unit_file) files;
};

static void want(struct wanted *wanted, const char *symbol, size_t text)
{
    const struct unit_request *request = wanted->request;
    struct unit_file file;
    if (request->find(request->context, symbol, wanted->unit->texts[text]->file.source, &file))
        *VEC_PUSH(&wanted->files) = file;
}

// A whole program also needs the variables that it refers to.
static void want_variables(struct wanted *wanted, const struct task *task)
{
    const struct program *program = &wanted->unit->program;
    for (size_t f = 0; f < task->function_count; f++) {
        const struct function *function = &program->functions[task->functions[f]];
        for (size_t i = 0; i < function->global_count; i++) {
            const struct variable *variable = &program->variables[function->globals[i]];
            if (variable->is_extern_only && !variable->in_system_header)
                want(wanted, variable->name, variable->at.text);
        }
    }
}

// Add the files that define what the tasks call and the unit does not have.
static bool extend_once(const struct unit_request *request, struct unit *unit, struct error *err)
{
    const struct program *program = &unit->program;
    struct wanted wanted = {.request = request, .unit = unit};
    bool good = true;
    for (size_t t = 0; t < program->task_count; t++) {
        const struct task *task = &program->tasks[t];
        for (size_t i = 0; i < task->external_count; i++)
            want(&wanted, program->functions[task->externals[i]].name,
                 program->functions[task->externals[i]].at.text);
        if (request->program)
            want_variables(&wanted, task);
    }
    for (size_t i = 0; good && i < wanted.files.count; i++)
        if (!has_file(unit, wanted.files.items[i].source))
            good = parse(request, unit, &wanted.files.items[i], err);
    VEC_RELEASE(&wanted.files);
    merge(unit, request->program != NULL);
    return good;
}

static bool extend(const struct unit_request *request, struct unit *unit, struct error *err)
{
    for (unsigned step = 0; request->find && step < request->extend; step++) {
        size_t before = unit->text_count;
        if (!extend_once(request, unit, err))
            return false;
        if (unit->text_count == before)
            break;
    }
    return true;
}

// ---- whole programs ----

static size_t find_main(const struct program *program)
{
    for (size_t i = 0; i < program->function_count; i++)
        if (program->functions[i].is_main && program->functions[i].defined)
            return i;
    return SIZE_MAX;
}

static bool complain_of_mains(const struct unit *unit, size_t count, struct error *err)
{
    struct buf names = BUF_INIT;
    for (size_t k = 0; k < unit->text_count; k++)
        if (find_main(&unit->texts[k]->program) != SIZE_MAX)
            buf_printf(&names, "%s%s", names.length ? ", " : "", unit->texts[k]->file.source);
    if (count)
        error_set(err, ERROR_USAGE,
                  "%zu files define main: %s; name the files of one program, or with -p only the "
                  "one with its main",
                  count, buf_text(&names));
    else
        error_set(err, ERROR_USAGE, "none of the files defines main, which --program starts with");
    buf_release(&names);
    return false;
}

// The file with main comes first, and main is its task.
static bool start_with_main(struct unit *unit, struct error *err)
{
    size_t home = 0, count = 0;
    for (size_t k = 0; k < unit->text_count; k++)
        if (find_main(&unit->texts[k]->program) != SIZE_MAX && ++count == 1)
            home = k;
    if (count != 1)
        return complain_of_mains(unit, count, err);
    struct unit_text *text = unit->texts[home];
    memmove(unit->texts + 1, unit->texts, home * sizeof *unit->texts);
    unit->texts[0] = text;
    struct program *program = &text->program;
    struct closure *closure = closure_new(program);
    program->tasks = arena_new(&program->arena, struct task);
    program->task_count = 1;
    closure_task(closure, find_main(program), program->tasks);
    closure_free(closure);
    return true;
}

static bool read_files(const struct unit_request *request, struct unit *unit, struct error *err)
{
    for (size_t i = 0; i < request->file_count; i++)
        if (!parse(request, unit, &request->files[i], err))
            return false;
    if (request->program && !start_with_main(unit, err))
        return false;
    merge(unit, request->program != NULL);
    if (!extend(request, unit, err))
        return false;
    if (request->facts && !request->program) {
        add_candidates(request, unit);
        merge(unit, false);
    }
    return true;
}

// ---- drivers ----

static void collect_notes(struct unit *unit)
{
    for (size_t k = 0; k < unit->text_count; k++)
        unit->note_count += unit->texts[k]->harness.note_count;
    unit->notes = arena_array(&unit->arena, struct harness_note, unit->note_count);
    size_t at = 0;
    for (size_t k = 0; k < unit->text_count; k++)
        for (size_t i = 0; i < unit->texts[k]->harness.note_count; i++)
            unit->notes[at++] = unit->texts[k]->harness.notes[i];
}

static void join_schemas(struct unit *unit)
{
    size_t tasks = unit->program.task_count;
    const struct schema **parts =
        arena_array(&unit->arena, const struct schema *, unit->text_count);
    unit->schemas = arena_array(&unit->arena, struct schema, tasks + 1);
    for (size_t t = 0; t < tasks; t++) {
        size_t count = 0;
        for (size_t k = 0; k < unit->text_count; k++)
            if (t < unit->texts[k]->harness.schema_count)
                parts[count++] = &unit->texts[k]->harness.schemas[t];
        if (count)
            schema_join(parts, count, &unit->program, &unit->arena, &unit->schemas[t]);
        else
            unit->schemas[t].program = &unit->program;
    }
}

const struct schema *unit_schema(const struct unit *unit, size_t task)
{
    assert(task < unit->program.task_count);
    return &unit->schemas[task];
}

static void write_drivers(const struct unit_request *request, struct unit *unit)
{
    struct map provided;
    unsigned without = request->options->without;
    bool precise = request->options->stubs == OPTION_STUBS_PRECISE;
    map_init(&provided);
    for (size_t k = 0; k < unit->text_count; k++) {
        struct unit_text *text = unit->texts[k];
        struct harness_options shape = {
            .elements = (unsigned)request->options->elements,
            .most_elements = (unsigned)request->options->most_elements,
            .depth = (unsigned)request->options->depth,
            .most_depth = (unsigned)request->options->most_depth,
            .no_bit_fields = options_chose(without, OPTION_WITHOUT_BIT_FIELDS),
            .no_function_pointers = options_chose(without, OPTION_WITHOUT_FUNCTION_POINTERS),
            .calls = (unsigned)request->options->calls,
            .most_calls = (unsigned)request->options->most_calls,
            .free_lengths = request->options->free_lengths,
            .full_buffers = !(unit->checks >> WIRE_FAULT_LENGTH & 1),
            .facts = precise ? request->facts : NULL,
            .unit = &unit->program,
            .file = k,
            .provided = &provided,
            .program = request->program,
            .assumptions = unit->assumptions,
            .assumption_count = unit->assumption_count};
        if (request->options->no_growth)
            shape.most_calls = 0;
        if (request->driver)
            buf_puts(&text->harness.text, request->driver);
        else
            harness_write(&text->program, &shape, &unit->arena, &text->harness);
    }
    map_release(&provided);
    collect_notes(unit);
    join_schemas(unit);
}

// Two files of a project may use a name for different things; the second gets a symbol of
// its own. In a whole program they cannot, and the linker says so.
static void separate_clashes(const struct unit_request *request, struct unit *unit)
{
    for (size_t i = 0; !request->program && i < unit->program.clash_count; i++) {
        const struct clash *clash = &unit->program.clashes[i];
        struct harness *harness = &unit->texts[clash->second]->harness;
        // In front: of two pragmas for one name the first counts.
        harness->before =
            arena_printf(&unit->arena, "#pragma redefine_extname %s %s__%zu\n%s", clash->name,
                         clash->name, clash->second, harness->before ? harness->before : "");
    }
}

// The driver as people read it, and the translation unit that the engine compiles:
// the wrapped unit first, so that its line numbers are those of unit.i.
static bool write_sources(struct unit *unit, size_t k, struct error *err)
{
    struct unit_text *text = unit->texts[k];
    struct harness *harness = &text->harness;
    text->engine = program_text_path(&unit->arena, unit->directory, "engine", k, "c");
    text->driver = program_text_path(&unit->arena, unit->directory, "driver", k, "c");
    text->before = program_text_path(&unit->arena, unit->directory, "before", k, "h");
    struct buf all = BUF_INIT;
    buf_puts(&all, text->program.wrapped_text);
    buf_putc(&all, '\n'); // lines beyond the unit's are the driver's
    buf_add(&all, harness->text.data, harness->text.length);
    const char *before = harness->before ? harness->before : "";
    bool good = fs_write(text->engine, buf_text(&all), all.length, err) &&
                fs_write(text->before, before, strlen(before), err) &&
                fs_write(text->driver, buf_text(&harness->text), harness->text.length, err);
    buf_release(&all);
    return good;
}

// ---- building ----

static const char *const *compile_command(struct unit *unit, size_t k, bool only_check)
{
    assert(k < unit->text_count && unit->texts[k]->engine);
    struct unit_text *text = unit->texts[k];
    const char *include = arena_printf(&unit->arena, "-I%s/include", unit->library);
    const char *const last[] = {include,
                                "-include",
                                text->before,
                                "-x",
                                "c",
                                text->engine,
                                only_check ? "-fsyntax-only" : "-o",
                                only_check ? NULL : text->bitcode,
                                NULL};
    struct flag_list argv = {0};
    *VEC_PUSH(&argv) = unit->clang;
    for (const char *const *word = text->program.compile_flags; word && *word; word++)
        *VEC_PUSH(&argv) = *word;
    flags_ours(FLAGS_ENGINE, &argv);
    // Without -fwrapv clang says which operations are signed. The instrumenter takes the
    // promise away that they do not overflow.
    if (!(unit->checks >> WIRE_FAULT_OVERFLOW & 1))
        *VEC_PUSH(&argv) = FLAGS_WRAP;
    for (const char *const *word = last; *word; word++)
        *VEC_PUSH(&argv) = *word;
    return flags_finish(&argv, &unit->arena);
}

// Types and enumerators of the user's that collide with ours have no symbols; the compiler
// finds them.
static bool fail_to_compile(struct unit *unit, size_t k, const char *messages, struct error *err)
{
    const struct unit_text *text = unit->texts[k];
    bool collision = strstr(messages, "cz/driver.h:") != NULL;
    unit->driver_failed = !collision;
    return error_set(
        err, collision ? ERROR_SOURCE : ERROR_INTERNAL,
        "compiling %s with its driver failed:\n%.3000s%s", fs_basename(text->file.source), messages,
        collision ? "\n(a name of the file collides with those of generated drivers, see "
                    "cz/driver.h; have the compiler rename it: -DNAME=my_NAME)"
                  : "");
}

static bool compile(struct unit *unit, bool only_check, struct error *err)
{
    size_t count = unit->text_count;
    struct proc_job *jobs = arena_array(&unit->arena, struct proc_job, count);
    struct buf *errors = arena_array(&unit->arena, struct buf, count);
    bool good = true;
    for (size_t k = 0; k < count; k++) {
        unit->texts[k]->bitcode =
            count == 1 && !unit->support_count
                ? unit->bitcode
                : program_text_path(&unit->arena, unit->directory, "text", k, "bc");
        jobs[k] = (struct proc_job){.argv = compile_command(unit, k, only_check),
                                    .options = {.errors = &errors[k], .deep_stack = true}};
    }
    proc_run_all(jobs, count, 0);
    for (size_t k = 0; k < count; k++) {
        if (good && jobs[k].error.kind != ERROR_NONE)
            good = error_set(err, jobs[k].error.kind, "%s", jobs[k].error.text);
        else if (good && (!jobs[k].result.exited || jobs[k].result.exit_code != 0))
            good = !assumptions_explain(unit, k, buf_text(&errors[k]), err) &&
                   fail_to_compile(unit, k, buf_text(&errors[k]), err);
        buf_release(&errors[k]);
    }
    return good;
}

static bool link_bitcode(struct unit *unit, struct error *err)
{
    size_t count = unit->text_count + unit->support_count;
    const char **paths = arena_array(&unit->arena, const char *, count);
    for (size_t k = 0; k < count; k++)
        paths[k] =
            k < unit->text_count ? unit->texts[k]->bitcode : unit->support[k - unit->text_count];
    return count == 1 || instrument_link(paths, count, unit->text_count, unit->bitcode, err);
}

static bool instrument(struct unit *unit, const char *object, bool keep_ir, struct error *err)
{
    struct instrument_request request = {
        .bitcode = unit->bitcode,
        .object = object,
        .cold_object = arena_printf(&unit->arena, "%s/cold.o", unit->directory),
        .shim = arena_printf(&unit->arena, "%s/shim.bc", unit->parts),
        .program = &unit->program,
        .checks = unit->checks,
        .keep_ir = keep_ir,
    };
    return instrument_module(&request, &unit->arena, &unit->instrumented, err) ||
           error_context(err, "instrumenting %s", fs_basename(unit->program.source));
}

static bool link_target(struct unit *unit, const char *object, struct error *err)
{
    const char *models = arena_printf(&unit->arena, "%s/libczmodels.a", unit->parts);
    const char *runtime = arena_printf(&unit->arena, "%s/libczrt.a", unit->parts);
    const char *const command[] = {unit->clang,
                                   "-fuse-ld=lld",
                                   "-pie",
                                   object,
                                   models,
                                   runtime,
                                   "-lm",
                                   "-Wl,-z,noexecstack,-z,now",
                                   "-Wl,--no-mmap-output-file",
                                   "-o",
                                   unit->target,
                                   NULL};
    VEC(const char *) argv = {0};
    for (const char *const *word = command; *word; word++)
        *VEC_PUSH(&argv) = *word;
    for (const char *const *word = model_link_flags(&unit->program); *word; word++)
        *VEC_PUSH(&argv) = *word;
    if (unit->instrumented.has_cold)
        *VEC_PUSH(&argv) = arena_printf(&unit->arena, "%s/cold.o", unit->directory);
    *VEC_PUSH(&argv) = NULL;
    bool good = run_tool(argv.items, "linking the target", err);
    VEC_RELEASE(&argv);
    return good;
}

static bool prepare(const struct unit_request *request, struct unit *unit, struct error *err)
{
    program_init(&unit->program);
    arena_init(&unit->arena);
    frontend_numbers_init(&unit->numbers);
    char *clang = proc_find_tool("clang", err);
    if (!clang)
        return false;
    unit->clang = arena_strdup(&unit->arena, clang);
    free(clang);
    char *library = fs_library_dir();
    unit->library = arena_strdup(&unit->arena, library);
    free(library);
    const char *archive = arena_printf(&unit->arena, "%s/libczrt.a", unit->library);
    if (!fs_exists(archive))
        return error_set(err, ERROR_MISSING,
                         "the runtime is not at %s; reinstall, or set CADENZA_LIB to the directory "
                         "that holds libczrt.a",
                         unit->library);
    unit->queries = arena_printf(&unit->arena, "%s/queries", request->out_directory);
    return faults_choose(request->options->check, request->options->no_check, &unit->checks, err);
}

// The directory is named after the file with the tasks.
static bool name_outputs(const struct unit_request *request, struct unit *unit, struct error *err)
{
    struct arena *arena = &unit->arena;
    unit->directory = arena_printf(arena, "%s/harness/%s", request->out_directory,
                                   fs_plain_name(unit->texts[0]->file.source, arena));
    unit->parts = model_parts(&unit->program, unit->library, arena);
    unit->bitcode = arena_printf(arena, "%s/unit.bc", unit->directory);
    unit->target = arena_printf(arena, "%s/target", unit->directory);
    return fs_make_dirs(unit->directory, err);
}

bool unit_build(const struct unit_request *request, struct unit *unit, struct error *err)
{
    *unit = (struct unit){0};
    if (!prepare(request, unit, err) || !read_files(request, unit, err) ||
        !name_outputs(request, unit, err) || !assumptions_collect(request, unit, err))
        return false;
    libc_shadowing_find(request, unit);
    linked_support_find(request, unit);
    foreign_constants_find(request, unit);
    extern_bounds_find(request, unit);
    write_drivers(request, unit);
    separate_clashes(request, unit);
    unit->digest = unit_digest(request, unit);
    if (request->only_digest)
        return true;
    for (size_t k = 0; k < unit->text_count; k++)
        if (!write_sources(unit, k, err))
            return false;
    const char *object = arena_printf(&unit->arena, "%s/unit.o", unit->directory);
    if (!compile(unit, request->only_check, err))
        return false;
    return request->only_check ||
           (link_bitcode(unit, err) &&
            unit_take_hardware(request->options, request->driver != NULL, unit, err) &&
            instrument(unit, object, request->options->keep_ir, err) &&
            link_target(unit, object, err));
}

void unit_release(struct unit *unit)
{
    for (size_t k = 0; k < unit->text_count; k++) {
        buf_release(&unit->texts[k]->harness.text);
        program_release(&unit->texts[k]->program);
    }
    frontend_numbers_release(&unit->numbers);
    program_release(&unit->program);
    arena_release(&unit->arena);
    *unit = (struct unit){0};
}

const char *unit_site_function(struct unit *unit, const struct instrument_site *site)
{
    if (!site || !site->function)
        return "";
    const struct program *file = program_file(&unit->program, site->text);
    size_t length = strcspn(site->function, ".");
    for (size_t i = 0; i < file->function_count; i++)
        if (strlen(file->functions[i].name) == length &&
            strncmp(file->functions[i].name, site->function, length) == 0)
            return file->functions[i].source_name;
    return arena_strndup(&unit->arena, site->function, length);
}

const char *unit_site_text(struct unit *unit, uint32_t site)
{
    if (!site || site >= unit->instrumented.site_count)
        return "an unknown place";
    const struct instrument_site *s = &unit->instrumented.sites[site];
    const struct line_origin *origin = program_line(&unit->program, s->text, s->line);
    if (!origin)
        return arena_printf(&unit->arena, "%s()",
                            s->function ? unit_site_function(unit, s) : "driver");
    return arena_printf(&unit->arena, "%s:%u", fs_basename(origin->file), origin->line);
}
