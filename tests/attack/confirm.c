// SPDX-License-Identifier: Apache-2.0
// Confirming what Cadenza says it covered, and its alarms: the marked unit with Cadenza's
// driver and replay library, compiled by gcc, runs each test; the generator's marks tell what
// the test reached. Alarms are run under gcc's ASan and UBSan.
#include "attacker.h"

#include "base/fs.h"
#include "base/proc.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH = 4096, WRAPPED = 256 };

// ---- The build ----

static const char *replace(struct buf *text, const char *old, const char *new)
{
    char *at = strstr(buf_text(text), old);
    if (!at)
        return NULL;
    struct buf changed = BUF_INIT;
    buf_add(&changed, text->data, (size_t)(at - text->data));
    buf_puts(&changed, new);
    buf_puts(&changed, at + strlen(old));
    buf_release(text);
    *text = changed;
    return text->data;
}

// What the clean build compiles, with the marked text in place of the unit's.
static bool write_source(const struct attack *attack, struct error *err)
{
    char marked[PATH], text[PATH], from[PATH], to[PATH];
    snprintf(marked, PATH, "%s/marked.c", attack->directory);
    snprintf(text, PATH, "%s/marked.i", attack->directory);
    snprintf(from, PATH, "%s/out/harness/unit.c/clean/replay_unit.c", attack->directory);
    snprintf(to, PATH, "%s/confirm.c", attack->directory);
    const char *argv[] = {"gcc", "-E", "-P", "-D__CADENZA__=1", marked, "-o", text, NULL};
    struct buf source = BUF_INIT;
    bool good = builds_command(argv, "preprocessing", err) && fs_read(from, &source, err);
    if (good && !replace(&source, "#include \"unit.i\"", "#include \"marked.i\""))
        good = error_set(err, ERROR_INTERNAL, "%s has another form than expected", from);
    good = good && fs_write(to, buf_text(&source), source.length, err);
    buf_release(&source);
    return good;
}

// The linker's options of the clean build, from wire/libc.def beside Cadenza's build.
static unsigned add_wrapped(const struct attack *attack, const char **argv, unsigned count)
{
    char path[PATH], name[64];
    snprintf(path, PATH, "%.*s/../wire/libc.def",
             (int)(strrchr(attack->cadenza, '/') - attack->cadenza), attack->cadenza);
    struct buf text = BUF_INIT;
    if (!fs_read(path, &text, NULL))
        return count;
    for (const char *at = buf_text(&text); (at = strstr(at, "\nFN(")) && count < WRAPPED; at++) {
        size_t length = strcspn(at + 1, "\n");
        bool wrapped = length > 9 && strncmp(at + 1 + length - 9, " WRAPPED)", 9) == 0;
        struct buf option = BUF_INIT;
        if (wrapped && sscanf(at, "\nFN(%63[^,]", name) == 1)
            buf_printf(&option, "-Wl,--wrap=%s", name);
        if (option.length)
            argv[count++] = option.data; // lives as long as the process
    }
    buf_release(&text);
    return count;
}

static bool make(const struct attack *attack, bool sanitized, struct error *err)
{
    char include[PATH], library[PATH], source[PATH], out[PATH], marks[PATH], tick[PATH];
    int folder = (int)(strrchr(attack->cadenza, '/') - attack->cadenza);
    snprintf(include, PATH, "-I%.*s/include", folder, attack->cadenza);
    snprintf(library, PATH, "%.*s/libczreplay.a", folder, attack->cadenza);
    snprintf(source, PATH, "%s/confirm.c", attack->directory);
    snprintf(out, PATH, "%s/%s", attack->directory, sanitized ? "confirm-address" : "confirm");
    snprintf(marks, PATH, "%s/%s/marks.o", attack->builds.objects, sanitized ? "address" : "gcc");
    snprintf(tick, PATH, "%s/gcc/still.o", attack->builds.objects);
    // Like the clean build, with zeros in what is not initialised.
    const char *argv[WRAPPED + 24] = {
        "gcc",   "-std=gnu17", "-O0", "-w", "-g",   "-ftrivial-auto-var-init=zero",
        include, source,       marks, tick, library};
    unsigned count = add_wrapped(attack, argv, 11);
    if (sanitized)
        argv[count++] = "-fsanitize=address,undefined,float-cast-overflow,float-divide-by-zero";
    argv[count++] = "-o";
    argv[count++] = out;
    argv[count++] = "-lm";
    argv[count++] = "-lpthread";
    return builds_command(argv, "building for confirmation", err);
}

// ---- Tests ----

static void test_path(const struct attack *attack, const char *task, int test, char *path)
{
    snprintf(path, PATH, "%s/out/tests/%s/%04d.test", attack->directory, task, test);
}

// Inputs that a build by gcc cannot be given: reads that Cadenza's own pass answers.
static bool is_comparable(const struct attack *attack, const char *task, int test)
{
    char path[PATH];
    struct buf text = BUF_INIT;
    test_path(attack, task, test, path);
    bool good = fs_read(path, &text, NULL);
    for (const char *at = buf_text(&text); good && (at = strstr(at, "\ninput ")); at++) {
        const char *name = at + 7, *end = strstr(name, " | "), *number = strchr(name, '#');
        if (strncmp(name, "stub:", 5) != 0 && strncmp(name, "choice:stub:", 12) != 0 && end &&
            number && number < end)
            good = false;
        if (strncmp(name, "uninitialised", 13) == 0 || strncmp(name, "choice:weak:", 12) == 0)
            good = false;
    }
    buf_release(&text);
    return good;
}

static bool run_test(const struct attack *attack, bool sanitized, const char *task, int test,
                     struct buf *out, struct buf *messages, struct error *err)
{
    char program[PATH], path[PATH], marks[PATH + 16];
    snprintf(program, PATH, "%s/%s", attack->directory, sanitized ? "confirm-address" : "confirm");
    snprintf(marks, sizeof marks, "ATTACK_MARKS=%s/marks", attack->directory);
    test_path(attack, task, test, path);
    const char *argv[] = {program, path, NULL};
    const char *env[] = {marks, "ASAN_OPTIONS=symbolize=0", "UBSAN_OPTIONS=symbolize=0", NULL};
    struct proc_options options = {
        .env = env, .out = out, .errors = messages, .timeout_seconds = 120};
    struct proc_result result;
    return proc_run(argv, &options, &result, err);
}

static bool confirm_claim(struct attack *attack, const struct claim *claim, struct error *err)
{
    if (!is_comparable(attack, claim->task, claim->test) ||
        (claim->other_test && !is_comparable(attack, claim->task, claim->other_test))) {
        attack->counts[COUNT_NOT_COMPARABLE]++;
        return true;
    }
    builds_clear(&attack->builds);
    if (!run_test(attack, false, claim->task, claim->test, NULL, NULL, err) ||
        (claim->other_test &&
         !run_test(attack, false, claim->task, claim->other_test, NULL, NULL, err)))
        return false;
    unsigned features;
    bool saw = attack_saw(attack, claim, 0, &features);
    bool varies = !saw && attack_varies(attack, claim->task);
    attack->counts[saw ? COUNT_CONFIRMED : varies ? COUNT_NOT_COMPARABLE : COUNT_UNCONFIRMED]++;
    if (!saw && !varies)
        buf_printf(&attack->findings,
                   "UNCONFIRMED covered goal: %s/unit.c:%u %s() %s%s: %s, test %s/%04d\n",
                   attack->directory, claim->line, claim->task, claim->vectors ? "condition " : "",
                   claim->text, claim->outcome ? "true" : "false", claim->task, claim->test);
    return true;
}

bool confirm_covered(struct attack *attack, struct error *err)
{
    if (!write_source(attack, err) || !make(attack, false, err))
        return false;
    for (size_t i = 0; i < attack->claims.claims.count; i++) {
        const struct claim *claim = &attack->claims.claims.items[i];
        if (claim->strength == CLAIM_COVERED && claim->goal >= 0 &&
            !confirm_claim(attack, claim, err))
            return false;
    }
    return true;
}

// ---- Alarms ----

// MSan needs all code instrumented, so Cadenza's replay library cannot take part: does the
// attacker's own call of the function make it report?
static bool memory_reports(struct attack *attack, const char *task, struct error *err)
{
    enum { SLICE = 10 }; // the first report will do
    struct run run = {.build = BUILD_MEMORY,
                      .seed = attack->seed,
                      .features = ~0u,
                      .count = SLICE,
                      .function = attack_task(task),
                      .goal = -1};
    builds_clear(&attack->builds);
    if (run.function < 0 || !builds_make(&attack->builds, BUILD_MEMORY, err))
        return false;
    for (; run.first < attack->iterations && !attack->builds.marks->reports; run.first += SLICE)
        if (!builds_run(&attack->builds, &run, err))
            return false;
    return attack->builds.marks->reports > 0;
}

static bool confirm_alarm(struct attack *attack, const struct alarm *alarm, struct error *err)
{
    struct buf out = BUF_INIT, messages = BUF_INIT;
    bool good = run_test(attack, true, alarm->task, alarm->test, &out, &messages, err);
    bool confirmed = strstr(buf_text(&messages), "runtime error:") ||
                     strstr(buf_text(&messages), "Sanitizer") ||
                     strstr(buf_text(&out), "\tsanitizer") || strstr(buf_text(&out), "\tsignal") ||
                     strstr(buf_text(&out), "\ttimeout");
    bool labelled = !*alarm->reproduced || strstr(alarm->reproduced, "nothing confirmed");
    bool is_uninitialised = strcmp(alarm->cause, "uninitialised") == 0;
    if (!confirmed && is_uninitialised && attack_task(alarm->task) < 0) { // nothing calls it alone
        attack->counts[COUNT_UNDRIVEN]++;
        buf_release(&out);
        buf_release(&messages);
        return good;
    }
    if (!confirmed && is_uninitialised)
        confirmed = memory_reports(attack, alarm->task, err);
    attack->counts[confirmed  ? COUNT_ALARMS_CONFIRMED
                   : labelled ? COUNT_ALARMS_LABELLED
                              : COUNT_ALARMS_UNCONFIRMED]++;
    if (good && !confirmed && !labelled)
        buf_printf(&attack->findings,
                   "UNCONFIRMED alarm: %s/unit.c:%u %s() %s, \"%s\", test %04d\n",
                   attack->directory, alarm->line, alarm->task, alarm->cause, alarm->reproduced,
                   alarm->test);
    buf_release(&out);
    buf_release(&messages);
    return good;
}

bool confirm_alarms(struct attack *attack, struct error *err)
{
    if (attack->claims.alarms.count == 0)
        return true;
    if (!make(attack, true, err))
        return false;
    for (size_t i = 0; i < attack->claims.alarms.count; i++)
        if (!confirm_alarm(attack, &attack->claims.alarms.items[i], err))
            return false;
    return true;
}
