// SPDX-License-Identifier: Apache-2.0
// Runs a crashing test on the ASan/UBSan build and reads the sanitizers' reports: what
// happened and where in unit.i. UBSan's reports say that themselves, unless it was in the
// driver; else addresses are symbolized here, as the test runs in a sandbox that forbids
// exec, and the sanitizer would look up every frame of every report, which takes ten times
// as long as the test.
#include "replay/replay.h"

#include "base/buf.h"
#include "base/fs.h"
#include "base/proc.h"
#include "program/merge.h"
#include "replay/replay_internal.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_FRAMES = 16, SECONDS = 4 * REPLAY_SECONDS }; // sanitizers are slow

// The first "unit.i:LINE:COLUMN" or "unit_3.i:LINE:COLUMN" in the text.
static bool find_place(const char *text, struct sanitizer_report *out)
{
    static const char name[] = "/unit";
    for (const char *at = text; (at = strstr(at, name)); at++) {
        const char *dot = at + sizeof name - 1;
        dot += strspn(dot, "_0123456789");
        if (strncmp(dot, ".i:", 3) != 0)
            continue;
        char *end, path[64];
        unsigned long number = strtoul(dot + 3, &end, 10);
        if (!number || (size_t)(dot - at) + 3 > sizeof path)
            continue;
        memcpy(path, at, (size_t)(dot - at) + 2);
        path[dot - at + 2] = '\0';
        out->text_number = program_text_number(path);
        out->line = (uint32_t)number;
        out->column = *end == ':' ? (uint32_t)strtoul(end + 1, NULL, 10) : 0;
        return true;
    }
    return false;
}

// Frames look like "(EXECUTABLE+0x1234)".
static void symbolize(const struct clean_build *build, const char *report, struct arena *arena,
                      struct buf *out)
{
    const char *argv[MAX_FRAMES + 3] = {build->llvm_symbolizer,
                                        arena_printf(arena, "--obj=%s", build->sanitized)};
    const char *mark = arena_printf(arena, "(%s+", build->sanitized);
    size_t count = 0;
    for (const char *at = report; count < MAX_FRAMES && (at = strstr(at, mark));) {
        at += strlen(mark);
        argv[2 + count++] = arena_strndup(arena, at, strcspn(at, ")"));
    }
    struct proc_options options = {.out = out, .timeout_seconds = 60};
    struct proc_result result;
    if (count && build->llvm_symbolizer)
        proc_run(argv, &options, &result, NULL);
}

// Sanitizers have no codes, only words.
static enum sanitizer_class class_of(const char *text)
{
    static const struct {
        const char *words;
        enum sanitizer_class class;
    } classes[] = {
        {"stack-overflow", SANITIZER_STACK},
        {"out of bounds for type", SANITIZER_INDEX},
        {"division", SANITIZER_DIVISION},
        {"FPE", SANITIZER_DIVISION},
        {"shift exponent", SANITIZER_SHIFT},
        {"signed integer overflow", SANITIZER_OVERFLOW},
        {"negation of", SANITIZER_OVERFLOW},
        {"is outside the range of representable values", SANITIZER_CONVERSION},
        {"unreachable program point", SANITIZER_UNREACHABLE},
        {"ABRT", SANITIZER_ABORT},
        {"ILL", SANITIZER_ILLEGAL},
        {"TRAP", SANITIZER_ILLEGAL},
        {"null pointer", SANITIZER_MEMORY},
        {"insufficient space", SANITIZER_MEMORY},
        {"misaligned address", SANITIZER_MEMORY}, // a wild pointer, told before it is followed
        {"overflow", SANITIZER_MEMORY}, // heap-buffer-, stack-buffer-, global-buffer-
        {"underflow", SANITIZER_MEMORY},
        {"use-after", SANITIZER_MEMORY},
        {"free", SANITIZER_MEMORY}, // double, bad, of what was not allocated
        {"SEGV", SANITIZER_MEMORY},
        {"BUS", SANITIZER_MEMORY},
        {"-param", SANITIZER_MEMORY},
        {"wild-", SANITIZER_MEMORY},
        {"unknown-crash", SANITIZER_MEMORY},
    };
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (strstr(text, classes[i].words))
            return classes[i].class;
    return SANITIZER_OTHER;
}

// The function that a line of a text belongs to: the last one that begins before it.
static const char *function_at(const struct program *file, uint32_t line)
{
    const struct function *best = NULL;
    for (size_t i = 0; i < file->function_count; i++) {
        const struct function *candidate = &file->functions[i];
        if (candidate->defined && candidate->at.line && candidate->at.line <= line &&
            (!best || candidate->at.line > best->at.line))
            best = candidate;
    }
    return best ? best->source_name : "";
}

// The beginning of the line that holds `at`.
static const char *line_of(const char *report, const char *at)
{
    while (at > report && at[-1] != '\n')
        at--;
    return at;
}

// "SEGV on unknown address ...": what happened, without addresses.
static size_t words_length(const char *text)
{
    size_t length = strcspn(text, "\n");
    const char *on = strstr(text, " on ");
    return on && (size_t)(on - text) < length ? (size_t)(on - text) : length;
}

static void add_report(const struct clean_build *build, struct sanitizer_report *report,
                       const char *text, size_t length, const char *place, const char *frames,
                       struct arena *arena)
{
    *report = (struct sanitizer_report){.text = arena_strndup(arena, text, length),
                                        .function = ""};
    report->class = class_of(report->text);
    if (!find_place(place, report)) {
        struct buf places = BUF_INIT;
        symbolize(build, frames, arena, &places);
        find_place(buf_text(&places), report);
        buf_release(&places);
    }
    if (report->line)
        report->function =
            function_at(program_file(build->program, report->text_number), report->line);
}

static size_t count_of(const char *text, const char *mark)
{
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, mark)); at++)
        count++;
    return count;
}

// The frames of a UBSan report, which an empty line ends.
static const char *frames_behind(const char *words, struct arena *arena)
{
    const char *end = strstr(words, "\n\n");
    return end ? arena_strndup(arena, words, (size_t)(end - words)) : words;
}

// UBSan's reports begin with their place, ASan's (the last) has it in its frames.
static void read_reports(const struct clean_build *build, const char *report, struct arena *arena,
                         struct replay_crash *out)
{
    static const char undefined[] = "runtime error: ", address[] = "ERROR: AddressSanitizer: ";
    size_t room = count_of(report, undefined) + 1;
    out->reports = arena_array(arena, struct sanitizer_report, room);
    for (const char *at = report; (at = strstr(at, undefined)); at++) {
        const char *line = line_of(report, at);
        const char *words = at + sizeof undefined - 1;
        add_report(build, &out->reports[out->count++], words, strcspn(words, "\n"),
                   arena_strndup(arena, line, (size_t)(at - line)), frames_behind(words, arena),
                   arena);
    }
    const char *at = strstr(report, address);
    if (at && out->count < room) {
        const char *words = at + sizeof address - 1;
        add_report(build, &out->reports[out->count++], words, words_length(words), at, at, arena);
    }
}

static bool run_one(const struct clean_build *build, const char *test, struct buf *out,
                    struct buf *report, struct proc_result *result, struct arena *arena,
                    struct error *err)
{
    const char *scratch = arena_printf(arena, "%s/scratch", build->directory);
    const char *env[] = {arena_printf(arena, "TMPDIR=%s", scratch),
                         "ASAN_OPTIONS=detect_leaks=0:abort_on_error=0:color=never:symbolize=0"
                         ":handle_abort=1:handle_sigill=1:detect_stack_use_after_return=0",
                         "UBSAN_OPTIONS=print_stacktrace=1:color=never:symbolize=0", NULL};
    const char *argv[] = {build->sanitized, "-t", arena_printf(arena, "%u", SECONDS), test, NULL};
    struct proc_options options = {
        .directory = scratch, .env = env, .out = out, .errors = report, .timeout_seconds = 120};
    return fs_make_dirs(scratch, err) && proc_run(argv, &options, result, err);
}

// A sanitizer ends the process, so there may be no line for the test: the exit says enough.
static void read_answer(const char *answer, const char *test, const struct proc_result *result,
                        struct arena *arena, struct replay_crash *out)
{
    if (!replay_find_outcome(&answer, test, arena, &out->outcome)) {
        out->outcome.status = result->timed_out ? REPLAY_TIMEOUT : REPLAY_LOST;
        out->outcome.text = result->timed_out ? "timeout" : "lost";
    }
    if (out->count)
        out->outcome.status = REPLAY_SANITIZER;
}

bool replay_sanitized(const struct clean_build *build, const char *test, struct arena *arena,
                      struct replay_crash *out, struct error *err)
{
    struct buf answer = BUF_INIT, report = BUF_INIT;
    struct proc_result result;
    char *path = fs_absolute(test);
    *out = (struct replay_crash){.outcome = {REPLAY_ERROR, 0, "error", ""}};
    bool good = path ? run_one(build, path, &answer, &report, &result, arena, err)
                     : error_errno(err, "cannot find %s", test);
    if (good) {
        read_reports(build, buf_text(&report), arena, out);
        read_answer(buf_text(&answer), path, &result, arena, out);
    } else {
        error_context(err, "replaying %s under sanitizers", test);
    }
    free(path);
    buf_release(&answer);
    buf_release(&report);
    return good;
}
