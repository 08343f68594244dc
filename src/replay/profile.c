// SPDX-License-Identifier: Apache-2.0
// From replayed tests to coverage: profiles are written by the executables, merged
// by llvm-profdata and turned into JSON by llvm-cov. Layout of a build's directory:
//
//     profiles/NNNN/unit/*.profraw, profiles/NNNN/lines/*.profraw   of task NNNN
//     scratch/                                                      for the tests
#include "replay/replay.h"

#include "base/buf.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/proc.h"
#include "base/tunables.h"
#include "base/vec.h"
#include "replay/replay_internal.h"
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

struct names {
    char **items;
    size_t count, room;
};

static void release_names(struct names *names)
{
    for (size_t i = 0; i < names->count; i++)
        free(names->items[i]);
    VEC_RELEASE(names);
}

static int compare_names(const void *left, const void *right)
{
    return strcmp(*(char *const *)left, *(char *const *)right);
}

// Entries of a directory that end in `suffix` as full paths, sorted; none when it is not there.
static void list_directory(const char *path, const char *suffix, struct names *out)
{
    DIR *directory = opendir(path);
    size_t first = out->count;
    for (struct dirent *entry; directory && (entry = readdir(directory));) {
        size_t length = strlen(entry->d_name), end = strlen(suffix);
        if (entry->d_name[0] == '.' || length < end ||
            strcmp(entry->d_name + length - end, suffix) != 0)
            continue;
        struct buf full = BUF_INIT;
        buf_printf(&full, "%s/%s", path, entry->d_name);
        *VEC_PUSH(out) = full.data;
    }
    if (directory)
        closedir(directory);
    if (out->count > first)
        qsort(out->items + first, out->count - first, sizeof *out->items, compare_names);
}

static bool run_tool(const char *const *argv, struct buf *out, const char **note,
                     struct arena *arena, struct error *err)
{
    struct buf messages = BUF_INIT;
    struct proc_options options = {
        .out = out, .errors = &messages, .timeout_seconds = REPLAY_COVERAGE_SECONDS};
    struct proc_result result;
    bool good = proc_run(argv, &options, &result, err);
    if (good && (!result.exited || result.exit_code != 0))
        good = error_set(err, ERROR_INTERNAL, "%s failed: %.1000s", fs_basename(argv[0]),
                         buf_text(&messages));
    else if (good && note && messages.length)
        *note = arena_printf(arena, "%.*s", (int)strcspn(messages.data, "\n"), messages.data);
    buf_release(&messages);
    return good;
}

// Merge raw profiles into `merged`. Without any, the result is an empty profile.
static bool merge_profiles(const struct clean_build *build, const struct names *raw,
                           const char *merged, const char **note, struct arena *arena,
                           struct error *err)
{
    struct buf list = BUF_INIT;
    const char *empty = arena_printf(arena, "%s.proftext", merged);
    const char *list_path = arena_printf(arena, "%s.list", merged);
    if (!raw->count)
        buf_printf(&list, "%s\n", empty);
    for (size_t i = 0; i < raw->count; i++)
        buf_printf(&list, "%s\n", raw->items[i]);
    const char *argv[] = {build->llvm_profdata,
                          "merge",
                          "--failure-mode=all",
                          "-o",
                          merged,
                          arena_printf(arena, "--input-files=%s", list_path),
                          NULL};
    bool good = fs_write(list_path, list.data, list.length, err) && fs_write(empty, "", 0, err) &&
                run_tool(argv, NULL, note, arena, err);
    buf_release(&list);
    return good;
}

static struct llvmcov *export_profile(const struct clean_build *build, const char *executable,
                                      const struct names *raw, const char *label, const char **note,
                                      struct arena *arena, struct error *err)
{
    struct llvmcov *coverage = NULL;
    struct buf json = BUF_INIT;
    const char *merged = arena_printf(arena, "%s/%s.profdata", build->directory, label);
    const char *argv[] = {build->llvm_cov,
                          "export",
                          "-format=text",
                          "-skip-expansions",
                          arena_printf(arena, "-instr-profile=%s", merged),
                          executable,
                          NULL};
    if (merge_profiles(build, raw, merged, note, arena, err) &&
        run_tool(argv, &json, NULL, arena, err))
        coverage = llvmcov_parse(arena, buf_text(&json), json.length, err);
    if (!coverage)
        error_context(err, "measuring coverage");
    buf_release(&json);
    return coverage;
}

// Coverage from the profiles in the folders (each with unit/ and lines/).
static bool read_coverage(const struct clean_build *build, const struct names *folders,
                          struct arena *arena, struct replay_coverage *out, struct error *err)
{
    struct names unit = {0}, lines = {0};
    *out = (struct replay_coverage){0};
    for (size_t i = 0; i < folders->count; i++) {
        struct buf path = BUF_INIT;
        buf_printf(&path, "%s/unit", folders->items[i]);
        list_directory(path.data, ".profraw", &unit);
        buf_clear(&path);
        buf_printf(&path, "%s/lines", folders->items[i]);
        list_directory(path.data, ".profraw", &lines);
        buf_release(&path);
    }
    out->unit = export_profile(build, build->unit, &unit, "unit", &out->note, arena, err);
    if (out->unit && build->lines)
        out->lines = export_profile(build, build->lines, &lines, "lines", &out->note, arena, err);
    if (out->unit)
        out->unmatched = llvmcov_match(out->unit, build->program, build->unit_paths);
    release_names(&unit);
    release_names(&lines);
    return out->unit && (out->lines || !build->lines);
}

static bool run_profiled(const struct clean_build *build, const char *executable,
                         const char *profiles, const char *const *tests, size_t count,
                         struct arena *arena, struct replay_outcome *outcomes, struct error *err)
{
    return fs_make_dirs(profiles, err) &&
           replay_run_for(REPLAY_SECONDS, build->deadline, executable,
                          arena_printf(arena, "%s/scratch", build->directory), tests, count,
                          profiles, executable == build->unit, arena, outcomes, err);
}

// The tests with this flag.
static bool run_some(const struct clean_build *build, const char *executable, const char *profiles,
                     const char *const *tests, size_t count, const bool *flags, bool flag,
                     struct arena *arena, struct replay_outcome *outcomes, struct error *err)
{
    struct replay_outcome *found = arena_array(arena, struct replay_outcome, count + 1);
    const char **some = arena_array(arena, const char *, count + 1);
    size_t chosen = 0;
    for (size_t i = 0; i < count; i++)
        if (flags[i] == flag)
            some[chosen++] = tests[i];
    if (chosen && !run_profiled(build, executable, profiles, some, chosen, arena, found, err))
        return false;
    for (size_t i = count; i-- > 0;)
        if (flags[i] == flag)
            outcomes[i] = found[--chosen];
    return true;
}

// Run the tests on both builds, with profiles in `folder`. Those that may not end come last, and
// get half of the time that is left: the sanitizers want some, too. The lines build runs the same
// code, so it is known which they are.
static bool run_both(const struct clean_build *build, const char *folder, const char *const *tests,
                     size_t count, const bool *may_not_end, struct arena *arena,
                     struct replay_outcome *outcomes, size_t *lines_skipped, struct error *err)
{
    const char *unit = arena_printf(arena, "%s/unit", folder);
    const char *lines = arena_printf(arena, "%s/lines", folder);
    struct replay_outcome *again = arena_array(arena, struct replay_outcome, count + 1);
    struct clean_build part = *build;
    bool *late = arena_array(arena, bool, count + 1);
    bool good = fs_remove_tree(folder, err);
    for (size_t i = 0; i < count; i++)
        late[i] = may_not_end && may_not_end[i];
    for (int last = 0; good && last < 2; last++) {
        if (last && part.deadline > 0)
            part.deadline = (part.deadline + clock_now()) / 2;
        good = run_some(&part, build->unit, unit, tests, count, late, last, arena, outcomes, err);
        for (size_t i = 0; good && i < count; i++)
            late[i] |= !last && outcomes[i].status == REPLAY_TIMEOUT;
        good = good && (!build->lines || run_some(&part, build->lines, lines, tests, count, late,
                                                  last, arena, again, err));
    }
    for (size_t i = 0; good && build->lines && i < count; i++)
        *lines_skipped += again[i].status == REPLAY_SKIPPED;
    return good;
}

static bool replay_folder(const struct clean_build *build, const char *folder,
                          const char *const *tests, size_t count, const bool *may_not_end,
                          struct arena *arena, struct replay_outcome *outcomes,
                          struct replay_coverage *out, struct error *err)
{
    struct names one = {0};
    size_t lines_skipped = 0;
    *VEC_PUSH(&one) = xstrdup(folder);
    bool good =
        run_both(build, folder, tests, count, may_not_end, arena, outcomes, &lines_skipped, err) &&
        read_coverage(build, &one, arena, out, err);
    if (good)
        out->lines_skipped = lines_skipped;
    release_names(&one);
    return good;
}

bool replay_task(const struct clean_build *build, size_t task, const char *const *tests,
                 size_t count, const bool *may_not_end, struct arena *arena,
                 struct replay_outcome *outcomes, struct replay_coverage *out, struct error *err)
{
    return replay_folder(build, arena_printf(arena, "%s/profiles/%04zu", build->directory, task),
                         tests, count, may_not_end, arena, outcomes, out, err);
}

bool replay_apart(const struct clean_build *build, const char *const *tests, size_t count,
                  struct arena *arena, struct replay_coverage *out, struct error *err)
{
    struct replay_outcome *ignored = arena_array(arena, struct replay_outcome, count);
    struct clean_build unit_only = *build;
    unit_only.lines = NULL;
    return replay_folder(&unit_only, arena_printf(arena, "%s/apart", build->directory), tests,
                         count, NULL, arena, ignored, out, err);
}

bool replay_total(const struct clean_build *build, struct arena *arena, struct replay_coverage *out,
                  struct error *err)
{
    struct names folders = {0};
    list_directory(arena_printf(arena, "%s/profiles", build->directory), "", &folders);
    bool good = read_coverage(build, &folders, arena, out, err);
    release_names(&folders);
    return good;
}
