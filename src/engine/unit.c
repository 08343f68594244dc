// SPDX-License-Identifier: Apache-2.0
// From the user's file to a target executable.
#include "engine/unit.h"

#include "base/fs.h"
#include "base/proc.h"
#include "base/vec.h"
#include <stdio.h>
#include <string.h>

// -O0 without optnone: we optimise after instrumenting. The other flags keep the
// optimiser from exploiting what the user's -O0 build would compute. Variables that
// nobody initialises are zero, as in the clean builds: what an earlier call left on the
// stack would differ.
static const char *const engine_flags[] = {
    "-O0", "-Xclang", "-disable-O0-optnone", "-fwrapv", "-fno-strict-aliasing",
    "-fno-delete-null-pointer-checks", "-gline-tables-only", "-fPIE", "-fno-stack-protector", "-w",
    "-ftrivial-auto-var-init=zero", "-U_FORTIFY_SOURCE", "-fno-builtin-printf", "-emit-llvm", "-c", NULL,
};

static void push_all(void *vec, const char *const *words)
{
    VEC(const char *) *list = vec;
    for (; words && *words; words++)
        *VEC_PUSH(list) = *words;
}

static bool run_tool(const char *const *argv, const char *what, struct error *err)
{
    struct buf errors = BUF_INIT;
    struct proc_result result;
    struct proc_options options = {.errors = &errors};
    bool good = proc_run(argv, &options, &result, err);
    if (good && (!result.exited || result.exit_code != 0))
        good = error_set(err, ERROR_INTERNAL, "%s failed:\n%.3000s", what, buf_text(&errors));
    buf_release(&errors);
    return good;
}

static bool write_text(const char *path, const struct buf *text, struct error *err)
{
    return fs_write(path, buf_text(text), text->length, err);
}

// The driver as people read it, and the translation unit that the engine compiles:
// the wrapped unit first, so that its line numbers are those of unit.i.
static bool write_sources(struct unit *unit, const char *engine_source, struct error *err)
{
    struct buf text = BUF_INIT;
    buf_puts(&text, unit->program.wrapped_text);
    buf_putc(&text, '\n'); // lines beyond the unit's are the driver's
    buf_add(&text, unit->harness.text.data, unit->harness.text.length);
    const char *before = unit->harness.before ? unit->harness.before : "";
    bool good = write_text(engine_source, &text, err) &&
                fs_write(unit->before, before, strlen(before), err) &&
                write_text(unit->driver, &unit->harness.text, err);
    buf_release(&text);
    return good;
}

static bool compile(struct unit *unit, const char *source, struct error *err)
{
    VEC(const char *) argv = {0};
    *VEC_PUSH(&argv) = unit->clang;
    push_all(&argv, unit->program.compile_flags);
    push_all(&argv, engine_flags);
    const char *include = arena_printf(&unit->arena, "-I%s/include", unit->library);
    push_all(&argv, (const char *const[]){include, "-include", unit->before, "-x", "c", source,
                                          "-o", unit->bitcode, NULL});
    *VEC_PUSH(&argv) = NULL;
    bool good = run_tool(argv.items, "compiling the unit with its driver", err);
    VEC_RELEASE(&argv);
    return good;
}

static bool instrument(struct unit *unit, const char *object, bool keep_ir, struct error *err)
{
    struct instrument_request request = {
        .bitcode = unit->bitcode,
        .object = object,
        .shim = arena_printf(&unit->arena, "%s/shim.bc", unit->library),
        .program = &unit->program,
        .keep_ir = keep_ir,
    };
    return instrument_module(&request, &unit->arena, &unit->instrumented, err) ||
           error_context(err, "instrumenting %s", fs_basename(unit->program.source));
}

static bool link_target(struct unit *unit, const char *object, struct error *err)
{
    const char *models = arena_printf(&unit->arena, "%s/libczmodels.a", unit->library);
    const char *runtime = arena_printf(&unit->arena, "%s/libczrt.a", unit->library);
    const char *const argv[] = {unit->clang, "-fuse-ld=lld", "-pie", object, models, runtime, "-lm",
                                "-Wl,-z,noexecstack,-z,now", "-o", unit->target, NULL};
    return run_tool(argv, "linking the target", err);
}

static bool prepare(const struct unit_request *request, struct unit *unit, struct error *err)
{
    program_init(&unit->program);
    arena_init(&unit->arena);
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
    unit->directory = arena_printf(&unit->arena, "%s/harness/%s", request->out_directory,
                                   fs_basename(request->source));
    unit->queries = arena_printf(&unit->arena, "%s/queries", request->out_directory);
    unit->driver = arena_printf(&unit->arena, "%s/driver.c", unit->directory);
    unit->before = arena_printf(&unit->arena, "%s/before.h", unit->directory);
    unit->bitcode = arena_printf(&unit->arena, "%s/unit.bc", unit->directory);
    unit->target = arena_printf(&unit->arena, "%s/target", unit->directory);
    return true;
}

bool unit_build(const struct unit_request *request, struct unit *unit, struct error *err)
{
    *unit = (struct unit){0};
    if (!prepare(request, unit, err))
        return false;
    struct frontend_request parse = {
        .source = request->source,
        .flags = request->flags,
        .clang = unit->clang,
        .task_names = request->task_names,
        .static_tasks = request->options->static_tasks,
    };
    if (!frontend_parse(&parse, &unit->program, err))
        return false;
    bool precise = strcmp(request->options->stubs, "baseline") != 0;
    struct harness_options shape = {.elements = (unsigned)request->options->elements,
                                    .depth = (unsigned)request->options->depth,
                                    .facts = precise ? request->facts : NULL};
    if (request->facts)
        facts_add_candidates(request->facts, &unit->program);
    if (request->driver)
        buf_puts(&unit->harness.text, request->driver);
    else
        harness_write(&unit->program, &shape, &unit->arena, &unit->harness);
    const char *source = arena_printf(&unit->arena, "%s/engine.c", unit->directory);
    const char *object = arena_printf(&unit->arena, "%s/unit.o", unit->directory);
    return fs_make_dirs(unit->directory, err) && write_sources(unit, source, err) &&
           compile(unit, source, err) &&
           instrument(unit, object, request->options->keep_ir, err) &&
           link_target(unit, object, err);
}

void unit_release(struct unit *unit)
{
    buf_release(&unit->harness.text);
    program_release(&unit->program);
    arena_release(&unit->arena);
    *unit = (struct unit){0};
}

const char *unit_site_text(struct unit *unit, uint32_t site)
{
    if (!site || site >= unit->instrumented.site_count)
        return "an unknown place";
    const struct instrument_site *s = &unit->instrumented.sites[site];
    if (!s->line || s->line > unit->program.line_count)
        return arena_printf(&unit->arena, "%s()", s->function ? s->function : "driver");
    const struct line_origin *origin = &unit->program.lines[s->line - 1];
    return arena_printf(&unit->arena, "%s:%u", fs_basename(origin->file), origin->line);
}
