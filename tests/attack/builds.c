// SPDX-License-Identifier: Apache-2.0
// Compilers and executables.
#include "builds.h"

#include "base/fs.h"
#include "base/proc.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { FLAGS = 6, PATH = 4096 };

static const struct {
    const char *name, *compiler;
    const char *flags[FLAGS];
} variants[BUILD_COUNT] = {
    [BUILD_GCC] = {"gcc", "gcc", {NULL}},
    [BUILD_CLANG] = {"clang", "clang-19", {NULL}},
    [BUILD_ADDRESS] = {"address",
                       "gcc",
                       {"-fsanitize=address,undefined", "-fno-sanitize-recover=all", NULL}},
    [BUILD_MEMORY] = {"memory",
                      "clang-19",
                      {"-fsanitize=memory", "-fno-sanitize-recover=all", NULL}},
};

bool builds_command(const char *const *argv, const char *what, struct error *err)
{
    struct buf errors = BUF_INIT;
    struct proc_options options = {.errors = &errors, .timeout_seconds = 600};
    struct proc_result result;
    bool good = proc_run(argv, &options, &result, err);
    if (good && !(result.exited && result.exit_code == 0))
        good = error_set(err, ERROR_INTERNAL, "%s: %.3000s", what, buf_text(&errors));
    buf_release(&errors);
    return good;
}

bool builds_init(struct builds *builds, const char *directory, const char *runtime,
                 const char *objects, struct error *err)
{
    *builds = (struct builds){.directory = directory, .runtime = runtime, .objects = objects};
    char path[PATH];
    snprintf(path, sizeof path, "%s/strong.c", directory);
    builds->has_strong = fs_exists(path);
    snprintf(path, sizeof path, "%s/marks", directory);
    int file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0666);
    if (file < 0 || ftruncate(file, sizeof(struct marks)) != 0)
        return error_errno(err, "%s", path);
    void *at = mmap(NULL, sizeof(struct marks), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (at == MAP_FAILED)
        return error_errno(err, "%s", path);
    builds->marks = at;
    return true;
}

void builds_release(struct builds *builds)
{
    if (builds->marks)
        munmap(builds->marks, sizeof(struct marks));
}

void builds_clear(struct builds *builds)
{
    char path[PATH];
    snprintf(path, sizeof path, "%s/marks", builds->directory);
    if (truncate(path, 0) != 0 || truncate(path, sizeof(struct marks)) != 0)
        BUG("%s cannot be cleared", path);
}

static bool compile(const struct builds *builds, enum build build, const char *stem,
                    struct error *err)
{
    char source[PATH], object[PATH], include[PATH];
    snprintf(source, sizeof source, "%s/%s.c", builds->directory, stem);
    snprintf(object, sizeof object, "%s/%s-%s.o", builds->directory, stem, variants[build].name);
    snprintf(include, sizeof include, "-I%s", builds->runtime);
    const char *argv[16 + FLAGS] = {
        variants[build].compiler, "-std=gnu17", "-O0", "-w", "-c", include, source, "-o", object};
    unsigned count = 9;
    for (unsigned i = 0; variants[build].flags[i]; i++)
        argv[count++] = variants[build].flags[i];
    return builds_command(argv, source, err);
}

static bool link_program(const struct builds *builds, enum build build, bool strong,
                         struct error *err)
{
    static const char *const stems[] = {"marked", "caller", "strong"};
    static const char *const parts[] = {"marks", "values", "world", "run"};
    char paths[7][PATH], out[PATH];
    const char *argv[24 + FLAGS] = {variants[build].compiler};
    unsigned count = 1, at = 0;
    for (unsigned i = 0; i < (strong ? 3 : 2); i++, at++)
        snprintf(paths[at], PATH, "%s/%s-%s.o", builds->directory, stems[i], variants[build].name);
    for (unsigned i = 0; i < 4; i++, at++)
        snprintf(paths[at], PATH, "%s/%s/%s.o", builds->objects, variants[build].name, parts[i]);
    for (unsigned i = 0; i < at; i++)
        argv[count++] = paths[i];
    for (unsigned i = 0; variants[build].flags[i]; i++)
        argv[count++] = variants[build].flags[i];
    snprintf(out, sizeof out, "%s/attack-%s%s", builds->directory, variants[build].name,
             strong ? "-strong" : "");
    argv[count++] = "-o";
    argv[count++] = out;
    argv[count++] = "-lm";
    argv[count++] = "-lpthread";
    return builds_command(argv, "linking", err);
}

bool builds_make(struct builds *builds, enum build build, struct error *err)
{
    if (builds->made[build])
        return true;
    bool good = compile(builds, build, "marked", err) && compile(builds, build, "caller", err) &&
                link_program(builds, build, false, err);
    if (good && builds->has_strong)
        good = compile(builds, build, "strong", err) && link_program(builds, build, true, err);
    builds->made[build] = good;
    return good;
}

bool builds_run(struct builds *builds, const struct run *run, struct error *err)
{
    char program[PATH], marks[PATH + 16], words[7][32];
    snprintf(program, sizeof program, "%s/attack-%s%s", builds->directory,
             variants[run->build].name, run->strong ? "-strong" : "");
    snprintf(marks, sizeof marks, "ATTACK_MARKS=%s/marks", builds->directory);
    snprintf(words[0], 32, "%llu", run->seed);
    snprintf(words[1], 32, "%u", run->features);
    snprintf(words[2], 32, "%u", run->count);
    snprintf(words[3], 32, "%d", run->function);
    snprintf(words[4], 32, "%d", run->goal);
    snprintf(words[5], 32, "%d", run->outcome);
    snprintf(words[6], 32, "%u", run->first);
    const char *argv[] = {program,  words[0], words[1],
                          words[6], words[2], run->function >= 0 ? words[3] : NULL,
                          words[4], words[5], NULL};
    const char *env[] = {marks,
                         "ASAN_OPTIONS=detect_leaks=0:exitcode=99:symbolize=0",
                         "UBSAN_OPTIONS=exitcode=99:symbolize=0",
                         "MSAN_OPTIONS=exitcode=99:symbolize=0",
                         run->notes ? "ATTACK_VERBOSE=1" : NULL,
                         NULL};
    struct proc_options options = {.env = env, .errors = run->notes, .timeout_seconds = 300};
    struct proc_result result;
    return proc_run(argv, &options, &result, err);
}
