// SPDX-License-Identifier: Apache-2.0
// Bitcode of every file, several compilers at a time.
#include "facts/facts_internal.h"

#include "base/fs.h"
#include "base/proc.h"

// Names of parameters are kept, and lines for the list of calls. Code is linked
// with units (support.h), so it is compiled as the engine compiles those. What clang knows of
// the C library's functions need not be true of the project's that have their names.
static const char *const own_flags[] = {"-w",
                                        "-Qunused-arguments",
                                        "-fbracket-depth=16384",
                                        "-fno-builtin",
                                        "-O0",
                                        "-Xclang",
                                        "-disable-O0-optnone",
                                        "-fno-discard-value-names",
                                        "-U_FORTIFY_SOURCE",
                                        "-fno-sanitize=all",
                                        "-fwrapv",
                                        "-fno-strict-aliasing",
                                        "-fno-delete-null-pointer-checks",
                                        "-fPIE",
                                        "-fno-stack-protector",
                                        "-ftrivial-auto-var-init=zero",
                                        "-g0",
                                        "-gline-tables-only",
                                        "-emit-llvm",
                                        "-c",
                                        "-x",
                                        "c",
                                        NULL};

static const char *const *command(const struct facts_request *request, struct facts *facts,
                                  const struct facts_file *file, size_t number)
{
    const char *output = arena_printf(&facts->arena, "%s/%zu.bc", request->directory, number);
    const char *const start[] = {request->clang, NULL}, *const end[] = {file->path, "-o", output,
                                                                        NULL};
    char *library = fs_library_dir(); // cz/cadenza.h is there
    const char *const include[] = {"-idirafter", arena_printf(&facts->arena, "%s/include", library),
                                   NULL};
    free(library);
    const char *const *lists[] = {start, file->flags, include, own_flags, end};
    VEC(const char *) argv = {0};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        for (const char *const *word = lists[i]; *word; word++)
            *VEC_PUSH(&argv) = *word;
    const char **copy = arena_array(&facts->arena, const char *, argv.count + 1);
    for (size_t i = 0; i < argv.count; i++)
        copy[i] = argv.items[i];
    VEC_RELEASE(&argv);
    return copy;
}

void compile_all(const struct facts_request *request, struct facts *facts)
{
    struct proc_job *jobs = arena_array(&facts->arena, struct proc_job, facts->file_count + 1);
    for (size_t i = 0; i < facts->file_count; i++)
        jobs[i] = (struct proc_job){.argv = command(request, facts, &facts->files[i], i),
                                    .options = {.deep_stack = true}};
    proc_run_all(jobs, facts->file_count, request->jobs);
    for (size_t i = 0; request->adapt && i < facts->file_count; i++) {
        struct facts_file other;
        bool failed = !jobs[i].result.exited || jobs[i].result.exit_code != 0;
        if (failed && request->adapt(request, &facts->files[i], i, &facts->arena, &other)) {
            jobs[i] = (struct proc_job){.argv = command(request, facts, &other, i),
                                        .options = {.deep_stack = true}};
            proc_run_all(&jobs[i], 1, 1);
        }
    }
}
