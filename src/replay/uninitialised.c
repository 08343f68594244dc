// SPDX-License-Identifier: Apache-2.0
// Runs a test on the build under MemorySanitizer and reads where it used an uninitialised
// value. The test goes on after a report (runtime/replay_uninit.c), with whatever is in the
// memory: that build does not zero its variables, so a later decision may differ from the
// engine's. Reports of memory that the replay library wrote are false, since it is not
// instrumented; they matter only where the engine says the same.
#include "replay/replay.h"

#include "base/alias.h"
#include "base/buf.h"
#include "base/fs.h"
#include "base/proc.h"
#include "base/tunables.h"
#include "base/vec.h"
#include "replay/replay_internal.h"
#include "replay/sanitizer_report.h"
#include <stdlib.h>
#include <string.h>

enum { SECONDS = REPLAY_SANITIZED_FACTOR * REPLAY_SECONDS };

struct report {
    const char *frames[REPLAY_MEMORY_FRAMES]; // addresses in the executable, innermost first
    size_t count;
};
struct reports {
    struct report items[REPLAY_MEMORY_REPORTS];
    size_t count;
};

// The frames of a report end with an empty line, or where the value came from.
static void read_report(const char *text, const char *mark, struct arena *arena, struct report *out)
{
    const char *end = strstr(text, "\n\n");
    const char *origin = strstr(text, "\n  Uninitialized value");
    if (!end || (origin && origin < end))
        end = origin;
    out->count = 0;
    for (const char *at = text; out->count < REPLAY_MEMORY_FRAMES && (at = strstr(at, mark));) {
        if (end && at > end)
            break;
        at += strlen(mark);
        out->frames[out->count++] = arena_strndup(arena, at, strcspn(at, ")"));
    }
}

static void read_reports(const char *text, const char *mark, struct arena *arena,
                         struct reports *out)
{
    static const char head[] = "MemorySanitizer: use-of-uninitialized-value";
    out->count = 0;
    for (const char *at = text; out->count < REPLAY_MEMORY_REPORTS && (at = strstr(at, head));
         at++) {
        bool summary = at >= text + 9 && strncmp(at - 9, "SUMMARY: ", 9) == 0;
        if (!summary)
            read_report(at, mark, arena, &out->items[out->count++]);
    }
}

// One call for all addresses: a paragraph each.
static bool symbolize(const struct clean_build *build, const struct reports *reports,
                      struct arena *arena, struct buf *out, struct error *err)
{
    VEC(const char *) argv = {0};
    *VEC_PUSH(&argv) = build->llvm_symbolizer;
    *VEC_PUSH(&argv) = arena_printf(arena, "--obj=%s", build->memory);
    for (size_t i = 0; i < reports->count; i++)
        for (size_t k = 0; k < reports->items[i].count; k++)
            *VEC_PUSH(&argv) = reports->items[i].frames[k];
    size_t addresses = argv.count - 2;
    *VEC_PUSH(&argv) = NULL;
    struct proc_options options = {.out = out, .timeout_seconds = REPLAY_SYMBOLIZER_SECONDS};
    struct proc_result result;
    bool good =
        !addresses || !build->llvm_symbolizer || proc_run(argv.items, &options, &result, err);
    VEC_RELEASE(&argv);
    return good;
}

// The place of a report is its innermost frame in a text of the unit.
static void find_places(const struct clean_build *build, const struct reports *reports,
                        const char *places, struct arena *arena, struct replay_crash *out)
{
    out->reports = arena_array(arena, struct sanitizer_report, reports->count + 1);
    for (size_t i = 0; i < reports->count; i++) {
        struct sanitizer_report *report = &out->reports[out->count];
        *report = (struct sanitizer_report){.class = SANITIZER_UNINIT,
                                            .function = "",
                                            .functions = "",
                                            .undefined = true,
                                            .text = "use-of-uninitialized-value"};
        bool found = false;
        for (size_t k = 0; k < reports->items[i].count && places; k++) {
            const char *end = strstr(places, "\n\n");
            const char *frame = end ? arena_strndup(arena, places, (size_t)(end - places)) : places;
            const char *place = strchr(frame, '\n'); // below the function's name
            found = found || (place && sanitizer_user_frame(place + 1, &report->at));
            places = end ? end + 2 : NULL;
        }
        if (!found)
            continue;
        report->frame = report->at;
        report->function = sanitizer_function_at(build, &report->at);
        out->count++;
    }
}

static bool run_one(const struct clean_build *build, const char *test,
                    const struct replay_time *time, struct buf *out, struct buf *errors,
                    struct proc_result *result, struct arena *arena, struct error *err)
{
    const char *scratch = arena_printf(arena, "%s/scratch", build->directory);
    const char *env[] = {"MSAN_OPTIONS=halt_on_error=0:color=never:symbolize=0:report_umrs=1"
                         ":handle_abort=0:handle_segv=0:allocator_may_return_null=1",
                         NULL};
    const char *argv[] = {build->memory, "-t", arena_printf(arena, "%u", SECONDS), "-T", time->all,
                          test,          NULL};
    struct proc_options options = {
        .env = env, .out = out, .errors = errors, .timeout_seconds = time->timeout};
    return replay_process(argv, scratch, NULL, &options, result, err);
}

bool replay_uninitialised(const struct clean_build *build, const char *test, struct arena *arena,
                          struct replay_crash *out, struct error *err)
{
    struct replay_time time = replay_time(build->deadline, SECONDS, 1, arena);
    if (!time.all) {
        *out = (struct replay_crash){.outcome = replay_skipped()};
        return true;
    }
    struct buf answer = BUF_INIT, errors = BUF_INIT, places = BUF_INIT;
    struct proc_result result;
    struct reports *reports = xcalloc(1, sizeof *reports);
    char *path = alias_absolute(test);
    *out =
        (struct replay_crash){.outcome = {.status = REPLAY_ERROR, .text = "error", .detail = ""}};
    bool good = path ? run_one(build, path, &time, &answer, &errors, &result, arena, err)
                     : error_errno(err, "cannot find %s", test);
    if (good) {
        read_reports(buf_text(&errors), arena_printf(arena, "(%s+", build->memory), arena, reports);
        good = symbolize(build, reports, arena, &places, err);
    }
    if (good)
        find_places(build, reports, buf_text(&places), arena, out);
    else
        error_context(err, "replaying %s under MemorySanitizer", test);
    free(path);
    free(reports);
    buf_release(&answer);
    buf_release(&errors);
    buf_release(&places);
    return good;
}
