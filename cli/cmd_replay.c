// SPDX-License-Identifier: Apache-2.0
// cadenza replay: runs the kept tests of a run directory on its clean build again
// and compares what happens with what the run recorded.
#include "cli.h"

#include "base/alias.h"
#include "base/fs.h"
#include "unit/source_hashes.h"
#include "replay/replay.h"
#include "store/store.h"
#include <stdio.h>
#include <string.h>

static const char help[] =
    "cadenza replay DIR [TEST...] [-q] [--no-sandbox]\n\n"
    "Runs the tests of a run directory again, on the clean build that is kept there, and\n"
    "compares the outcomes with the recorded ones. TEST is a path below DIR, for example\n"
    "tests/update/0001.test; without it all tests are run. Of a project's directory the\n"
    "tests of all files are run.\n"
    "  -q, --quiet   print only tests that differ, and the totals\n"
    "  --no-sandbox  let the code under test write files, reach the network and so on\n"
    "Exit codes: 0 all as recorded, 1 some differ, 2 usage, 3 the directory cannot be used, 6 that "
    "of\n"
    "a file of the project cannot be used; others as of cadenza run.\n";

struct replay {
    const char *directory; // as the user calls it
    struct alias place;    // ... by a name that all programs understand
    const char *const *wanted;
    size_t wanted_count;
    bool quiet;
    struct arena arena;
    struct result result; // of the directory
    size_t run, differ, unrecorded, unusable;
};

// One file: its run directory, and what of its tests' names the project's adds in front.
struct replayed_file {
    const char *directory, *prefix;
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

static bool replay_tests_of(struct replay *r, const struct replayed_file *file,
                            const struct result_task *task, const char *executable,
                            const char *scratch, struct error *err)
{
    const char **names = arena_array(&r->arena, const char *, task->tests.count + 1);
    const char **paths = arena_array(&r->arena, const char *, task->tests.count + 1);
    const struct result_test **tests =
        arena_array(&r->arena, const struct result_test *, task->tests.count + 1);
    size_t count = 0;
    for (size_t i = 0; i < task->tests.count; i++) {
        names[count] = arena_printf(&r->arena, "%s%s", file->prefix, task->tests.items[i]->path);
        if (!is_wanted(r, names[count]))
            continue;
        tests[count] = task->tests.items[i];
        paths[count++] =
            arena_printf(&r->arena, "%s/%s", file->directory, task->tests.items[i]->path);
    }
    struct replay_outcome *outcomes = arena_array(&r->arena, struct replay_outcome, count + 1);
    if (count && !replay_run(executable, scratch, paths, count, &r->arena, outcomes, err))
        return false;
    for (size_t i = 0; i < count; i++) {
        bool same = !strcmp(outcomes[i].text, tests[i]->outcome);
        bool is_new = !strcmp(tests[i]->outcome, replay_skipped().text);
        r->run++;
        r->differ += !same && !is_new;
        r->unrecorded += is_new;
        if (is_new)
            printf("%s: %s (the run had no time to replay it)\n", names[i], outcomes[i].text);
        else if (!same)
            printf("%s: recorded '%s', now '%s'%s%s\n", names[i], tests[i]->outcome,
                   outcomes[i].text, *outcomes[i].detail ? ": " : "", outcomes[i].detail);
        else if (!r->quiet)
            printf("%s: %s\n", names[i], outcomes[i].text);
    }
    return true;
}

static bool replay_file(struct replay *r, const struct replayed_file *file,
                        const struct result *result, struct error *err)
{
    const char *clean = arena_printf(&r->arena, "%s/harness/%s/clean", file->directory,
                                     fs_plain_name(result->file, &r->arena));
    const char *executable = arena_printf(&r->arena, "%s/replay", clean);
    const char *scratch = arena_printf(&r->arena, "%s/scratch", clean);
    bool known;
    const char *changed = source_hashes_changed(file->directory, &r->arena, &known);
    if (changed)
        fprintf(stderr,
                "cadenza: note: %s has changed since the run; its tests run on the build of "
                "then (cadenza run makes a new one)\n",
                changed);
    if (!fs_exists(executable))
        return error_set(err, ERROR_IO, "%s is gone; run cadenza run again to rebuild it",
                         executable);
    if (!fs_make_dirs(scratch, err))
        return false;
    for (size_t i = 0; i < result->tasks.count; i++)
        if (!replay_tests_of(r, file, result->tasks.items[i], executable, scratch, err))
            return false;
    return true;
}

// One file of a project, by its own store; one that cannot be replayed does not stop the others.
static void replay_part(struct replay *r, const struct result_part *part)
{
    struct replayed_file file = {arena_printf(&r->arena, "%s/%s", r->place.path, part->directory),
                                 arena_printf(&r->arena, "%s/", part->directory)};
    struct error err = {0};
    struct result result;
    size_t run = r->run, differ = r->differ + r->unrecorded;
    if (!store_load(arena_printf(&r->arena, "%s/cadenza.db", file.directory), &result, &err) ||
        !replay_file(r, &file, &result, &err)) {
        r->unusable++;
        cli_fail(&err);
    } else if (r->run > run || !r->wanted_count) {
        printf("%s: %zu of %zu tests as recorded\n", part->directory,
               r->run - run - (r->differ + r->unrecorded - differ), r->run - run);
    }
    result_release(&result);
}

static bool replay_all(struct replay *r, struct error *err)
{
    if (!fs_is_dir(r->directory))
        return error_set(err, ERROR_IO, "there is no run directory '%s'", r->directory);
    if (!alias_make(&r->place, r->directory, err) ||
        !store_load(arena_printf(&r->arena, "%s/cadenza.db", r->place.path), &r->result, err))
        return false;
    struct replayed_file only = {r->place.path, ""};
    size_t parts = r->result.parts.count;
    if (!r->result.is_project && !replay_file(r, &only, &r->result, err))
        return false;
    for (size_t i = 0; r->result.is_project && i < parts; i++)
        replay_part(r, r->result.parts.items[i]);
    if (!parts || r->unusable == parts)
        return error_set(err, ERROR_IO, "%s holds no tests that can be run", r->directory);
    return r->run || !r->wanted_count ||
           error_set(err, ERROR_USAGE, "no such test in %s: %s", r->directory, r->wanted[0]);
}

static void print_total(const struct replay *r)
{
    size_t parts = r->result.parts.count;
    if (parts > 1 || r->unusable)
        printf("total of %zu files: ", parts - r->unusable);
    printf("%zu of %zu tests as recorded", r->run - r->differ - r->unrecorded, r->run);
    if (r->unrecorded)
        printf(", %zu not replayed by the run", r->unrecorded);
    printf("\n");
    if (r->unusable)
        printf("%zu files could not be replayed\n", r->unusable);
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
        else if (!strcmp(argv[i], "--no-sandbox"))
            cli_leave_sandbox();
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
    result_init(&r.result, "");
    int code;
    if (!replay_all(&r, &err)) {
        code = cli_fail(&err);
    } else {
        print_total(&r);
        code = exit_first((r.differ ? exit_bit(EXIT_BUGS) : 0) |
                          (r.unusable ? exit_bit(EXIT_INCOMPLETE) : 0));
    }
    alias_remove(&r.place);
    result_release(&r.result);
    arena_release(&r.arena);
    return code;
}
