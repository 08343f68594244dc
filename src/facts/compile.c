// SPDX-License-Identifier: Apache-2.0
// Bitcode of every file, several compilers at a time. A process per job runs its share of
// the compilers; which process has which file does not matter, because each leaves its
// result in a file of its own.
#include "facts/facts_internal.h"

#include "base/proc.h"
#include <sys/wait.h>
#include <unistd.h>

// Names of parameters are kept; positions in the source are not needed.
static const char *const own_flags[] = {
    "-w", "-Qunused-arguments", "-O0", "-Xclang", "-disable-O0-optnone",
    "-fno-discard-value-names", "-U_FORTIFY_SOURCE", "-fno-sanitize=all", "-g0", "-emit-llvm",
    "-c", NULL};

static void compile_one(const struct facts_request *request, const struct facts_file *file,
                        size_t number)
{
    struct buf output = BUF_INIT;
    VEC(const char *) argv = {0};
    buf_printf(&output, "%s/%zu.bc", request->directory, number);
    *VEC_PUSH(&argv) = request->clang;
    for (const char *const *flag = file->flags; *flag; flag++)
        *VEC_PUSH(&argv) = *flag;
    for (const char *const *flag = own_flags; *flag; flag++)
        *VEC_PUSH(&argv) = *flag;
    const char *const rest[] = {"-x", "c", file->path, "-o", output.data, NULL};
    for (const char *const *word = rest; *word; word++)
        *VEC_PUSH(&argv) = *word;
    *VEC_PUSH(&argv) = NULL;
    struct proc_result result;
    proc_run(argv.items, NULL, &result, NULL);
    VEC_RELEASE(&argv);
    buf_release(&output);
}

void compile_all(const struct facts_request *request, struct facts *facts)
{
    unsigned jobs = request->jobs ? request->jobs : 1;
    VEC(pid_t) children = {0};
    for (unsigned job = 0; job + 1 < jobs && job + 1 < facts->file_count; job++) {
        pid_t child = fork();
        if (child < 0)
            break;
        if (child == 0) {
            for (size_t i = job + 1; i < facts->file_count; i += jobs)
                compile_one(request, &facts->files[i], i);
            _exit(0);
        }
        *VEC_PUSH(&children) = child;
    }
    for (size_t i = 0; i < facts->file_count; i++)
        if (i % jobs == 0 || i % jobs > children.count)
            compile_one(request, &facts->files[i], i);
    for (size_t i = 0; i < children.count; i++)
        waitpid(children.items[i], NULL, 0);
    VEC_RELEASE(&children);
}
