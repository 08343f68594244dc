// SPDX-License-Identifier: Apache-2.0
// cadenza replay: runs the kept tests of a run directory on its clean build again
// and compares what happens with what the run recorded.
#include "cli.h"

#include "base/fs.h"
#include "replay/replay.h"
#include "report/report.h"
#include <stdio.h>
#include <string.h>

static const char help[] =
    "cadenza replay DIR [TEST...] [-q]\n\n"
    "Runs the tests of a run directory again, on the clean build that is kept there, and\n"
    "compares the outcomes with the recorded ones. TEST is a path below DIR, for example\n"
    "tests/update/0001.test; without it all tests are run.\n"
    "Exit codes: 0 all as recorded, 1 some differ, 2 usage, 3 the directory cannot be used.\n";

struct replay {
    const char *directory;
    const char *const *wanted;
    size_t wanted_count;
    bool quiet;
    struct arena arena;
    struct saved_run saved;
    size_t run, differ;
};

static bool is_wanted(const struct replay *r, const char *path)
{
    for (size_t i = 0; i < r->wanted_count; i++) {
        const char *name = r->wanted[i];
        size_t length = strlen(r->directory);
        if (!strncmp(name, r->directory, length) && name[length] == '/')
            name += length + 1;
        if (!strcmp(name, path))
            return true;
    }
    return !r->wanted_count;
}

static bool replay_tests_of(struct replay *r, const struct saved_task *task, const char *executable,
                            const char *scratch, struct error *err)
{
    const char **paths = arena_array(&r->arena, const char *, task->test_count + 1);
    const struct saved_test **tests =
        arena_array(&r->arena, const struct saved_test *, task->test_count + 1);
    size_t count = 0;
    for (size_t i = 0; i < task->test_count; i++) {
        if (!is_wanted(r, task->tests[i].path))
            continue;
        tests[count] = &task->tests[i];
        paths[count++] = arena_printf(&r->arena, "%s/%s", r->directory, task->tests[i].path);
    }
    struct replay_outcome *outcomes = arena_array(&r->arena, struct replay_outcome, count + 1);
    if (count && !replay_run(executable, scratch, paths, count, NULL, &r->arena, outcomes, err))
        return false;
    for (size_t i = 0; i < count; i++) {
        bool same = !strcmp(outcomes[i].text, tests[i]->outcome);
        r->run++;
        r->differ += !same;
        if (!same)
            printf("%s: recorded '%s', now '%s'%s%s\n", tests[i]->path, tests[i]->outcome,
                   outcomes[i].text, *outcomes[i].detail ? ": " : "", outcomes[i].detail);
        else if (!r->quiet)
            printf("%s: %s\n", tests[i]->path, outcomes[i].text);
    }
    return true;
}

static bool replay_all(struct replay *r, struct error *err)
{
    const char *database = arena_printf(&r->arena, "%s/cadenza.db", r->directory);
    if (!fs_is_dir(r->directory))
        return error_set(err, ERROR_IO, "there is no run directory '%s'", r->directory);
    if (!report_read_db(database, &r->arena, &r->saved, err))
        return false;
    const char *clean = arena_printf(&r->arena, "%s/harness/%s/clean", r->directory,
                                     fs_basename(r->saved.file));
    const char *executable = arena_printf(&r->arena, "%s/replay", clean);
    const char *scratch = arena_printf(&r->arena, "%s/scratch", clean);
    if (!fs_exists(executable))
        return error_set(err, ERROR_IO, "%s is gone; run cadenza run again to rebuild it",
                         executable);
    if (!fs_make_dirs(scratch, err))
        return false;
    for (size_t i = 0; i < r->saved.task_count; i++)
        if (!replay_tests_of(r, &r->saved.tasks[i], executable, scratch, err))
            return false;
    return r->run || !r->wanted_count ||
           error_set(err, ERROR_USAGE, "no such test in %s: %s", r->directory, r->wanted[0]);
}

int cli_replay(int argc, char **argv)
{
    const char *words[256];
    size_t count = 0;
    struct replay r = {0};
    for (int i = 0; i < argc; i++) {
        if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) {
            fputs(help, stdout);
            return EXIT_DONE;
        }
        if (!strcmp(argv[i], "-q") || !strcmp(argv[i], "--quiet"))
            r.quiet = true;
        else if (argv[i][0] == '-')
            return cli_usage("replay", "unknown option '%s'", argv[i]);
        else if (count < sizeof words / sizeof *words)
            words[count++] = argv[i];
    }
    if (!count)
        return cli_usage("replay", "which run directory?");
    r.directory = words[0];
    r.wanted = words + 1;
    r.wanted_count = count - 1;
    struct error err = {0};
    arena_init(&r.arena);
    int code;
    if (!replay_all(&r, &err)) {
        code = cli_fail(&err);
    } else {
        printf("%zu of %zu tests as recorded\n", r.run - r.differ, r.run);
        code = r.differ ? EXIT_BUGS : EXIT_DONE;
    }
    arena_release(&r.arena);
    return code;
}
