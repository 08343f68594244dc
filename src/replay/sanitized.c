// SPDX-License-Identifier: Apache-2.0
// Runs tests on the ASan/UBSan build. One process runs many tests, each in a child of its own,
// and writes a line with the test's name to standard error in front of each; the reports
// behind it are that test's.
#include "replay/replay.h"

#include "base/alias.h"
#include "base/buf.h"
#include "base/fs.h"
#include "base/proc.h"
#include "base/tunables.h"
#include "replay/replay_internal.h"
#include "replay/sanitizer_report.h"
#include "wire/wire.h"
#include <stdlib.h>
#include <string.h>

static bool run_process(const struct clean_build *build, char *const *tests, size_t count,
                        unsigned seconds, const struct replay_time *time, struct buf *out,
                        struct buf *report, struct proc_result *result, struct arena *arena,
                        struct error *err)
{
    const char *scratch = arena_printf(arena, "%s/scratch", build->directory);
    const char *env[] = {"ASAN_OPTIONS=detect_leaks=0:abort_on_error=0:color=never:symbolize=0"
                         ":handle_abort=1:handle_sigill=1:detect_stack_use_after_return=1"
                         ":detect_odr_violation=0:print_legend=0",
                         "UBSAN_OPTIONS=print_stacktrace=1:color=never:symbolize=0"
                         ":halt_on_error=0",
                         NULL};
    const char *argv[REPLAY_SANITIZED_BATCH + 6] = {
        build->sanitized, "-t", arena_printf(arena, "%u", seconds), "-T", time->all};
    for (size_t i = 0; i < count; i++)
        argv[i + 5] = tests[i];
    struct proc_options options = {
        .env = env, .out = out, .errors = report, .timeout_seconds = time->timeout};
    return replay_process(argv, scratch, NULL, &options, result, err);
}

// What was written while the test ran. A process of a single test need not say whose it is.
static const char *reports_of(const char *report, const char *test, size_t count,
                              struct arena *arena)
{
    const char *mark = arena_printf(arena, WIRE_TEST_MARK "%s\n", test);
    const char *at = strstr(report, mark);
    if (!at)
        return count == 1 ? report : "";
    at += strlen(mark);
    const char *end = strstr(at, WIRE_TEST_MARK);
    return end ? arena_strndup(arena, at, (size_t)(end - at)) : at;
}

// Run up to REPLAY_SANITIZED_BATCH tests; *done of them have an outcome (at least one). A process
// that dies takes the test with it that it was at.
static bool run_batch(const struct clean_build *build, char *const *tests, size_t count,
                      unsigned seconds, struct arena *arena, struct replay_crash *out, size_t *done,
                      struct error *err)
{
    struct replay_time time =
        replay_time(build->deadline, seconds,
                    count < REPLAY_SANITIZED_BATCH ? count : REPLAY_SANITIZED_BATCH, arena);
    if (!time.all) {
        for (*done = 0; *done < count; ++*done)
            out[*done] = (struct replay_crash){.outcome = replay_skipped()};
        return true;
    }
    struct buf answer = BUF_INIT, report = BUF_INIT;
    struct proc_result result;
    count = count < REPLAY_SANITIZED_BATCH ? count : REPLAY_SANITIZED_BATCH;
    bool good =
        run_process(build, tests, count, seconds, &time, &answer, &report, &result, arena, err);
    const char *at = buf_text(&answer);
    bool alive = good;
    for (*done = 0; alive && *done < count; ++*done) {
        struct replay_crash *crash = &out[*done];
        *crash =
            (struct replay_crash){.outcome = {.status = REPLAY_LOST, .text = "lost", .detail = ""}};
        sanitizer_read(build, reports_of(buf_text(&report), tests[*done], count, arena), arena,
                       crash);
        alive = replay_find_outcome(&at, tests[*done], arena, &crash->outcome);
        if (!alive && result.timed_out)
            crash->outcome =
                (struct replay_outcome){.status = REPLAY_TIMEOUT, .text = "timeout", .detail = ""};
        if (crash->count)
            crash->outcome.status = REPLAY_SANITIZER;
    }
    buf_release(&answer);
    buf_release(&report);
    return good;
}

bool replay_sanitized(const struct clean_build *build, const char *const *tests, size_t count,
                      unsigned seconds, struct arena *arena, struct replay_crash *out,
                      struct error *err)
{
    char **paths = xcalloc(count + 1, sizeof *paths);
    bool good = true;
    for (size_t i = 0; good && i < count; i++) {
        paths[i] = alias_absolute(tests[i]);
        good = paths[i] || error_errno(err, "cannot find %s", tests[i]);
    }
    for (size_t i = 0, done = 0; good && i < count; i += done)
        good = run_batch(build, paths + i, count - i, seconds, arena, out + i, &done, err);
    if (good)
        sanitizer_locate(build, arena, out, count);
    else
        error_context(err, "replaying tests under sanitizers");
    for (size_t i = 0; i < count; i++)
        free(paths[i]);
    free(paths);
    return good;
}
