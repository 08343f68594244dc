// SPDX-License-Identifier: Apache-2.0
// Bitcode of every file, several compilers at a time. Code is linked with units (support.h), so it
// is compiled as the engine compiles those.
#include "facts/facts_internal.h"

#include "base/fs.h"
#include "base/proc.h"
#include "flags/flags.h"

static const char *const *command(const struct facts_request *request, struct facts *facts,
                                  const struct facts_file *file, size_t number)
{
    const char *output = arena_printf(&facts->arena, "%s/%zu.bc", request->directory, number);
    char *library = fs_library_dir(); // cz/cadenza.h is there
    const char *include = arena_printf(&facts->arena, "%s/include", library);
    const char *const last[] = {"-idirafter", include, "-x", "c", file->path, "-o", output};
    free(library);
    struct flag_list argv = {0};
    *VEC_PUSH(&argv) = request->clang;
    for (const char *const *word = file->flags; *word; word++)
        *VEC_PUSH(&argv) = *word;
    flags_ours(FLAGS_FACTS, &argv);
    for (size_t i = 0; i < sizeof last / sizeof *last; i++)
        *VEC_PUSH(&argv) = last[i];
    return flags_finish(&argv, &facts->arena);
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
