// SPDX-License-Identifier: Apache-2.0
// Running tests and reading their answers. A process runs many tests; when it dies,
// the first test without an answer runs again in a process of its own (an answer
// may have died unwritten with the process), and a new one goes on with the next.
#include "replay/replay.h"

#include "base/alias.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/jail_command.h"
#include "base/proc.h"
#include "base/tunables.h"
#include "base/vec.h"
#include "replay/replay_internal.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OPTIONS = 7 };

struct replay_outcome replay_skipped(void)
{
    return (struct replay_outcome){
        .status = REPLAY_SKIPPED, .text = "not replayed: --time", .detail = ""};
}

// The program keeps the limits itself, that of a test by CPU time and by a slower clock.
struct replay_time replay_time(double deadline, unsigned seconds, size_t count, struct arena *arena)
{
    double all = REPLAY_SECONDS_EXTRA + (double)REPLAY_CLOCK_FACTOR * seconds * (double)count;
    double left = deadline > 0 ? deadline - clock_now() : all;
    if (left <= 0)
        return (struct replay_time){NULL, 0};
    all = left < all ? left : all;
    return (struct replay_time){arena_printf(arena, "%.3f", all),
                                (unsigned)all + REPLAY_SECONDS_LATE};
}

bool replay_crashed(const struct replay_outcome *outcome)
{
    return outcome->status == REPLAY_SIGNAL || outcome->status == REPLAY_SANITIZER ||
           outcome->status == REPLAY_LOST;
}

static enum replay_status status_of(const char *text)
{
    static const struct {
        const char *word;
        enum replay_status status;
    } words[] = {{"ok", REPLAY_OK},
                 {"exit", REPLAY_EXIT},
                 {"signal", REPLAY_SIGNAL},
                 {"timeout", REPLAY_TIMEOUT},
                 {"error", REPLAY_ERROR},
                 {"sanitizer", REPLAY_SANITIZER},
                 {"rejected", REPLAY_REJECTED},
                 {"skipped", REPLAY_SKIPPED}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t length = strlen(words[i].word);
        if (strncmp(text, words[i].word, length) == 0 &&
            (text[length] == '\0' || text[length] == ' '))
            return words[i].status;
    }
    return REPLAY_ERROR;
}

static void read_outcome(const char *text, size_t length, struct arena *arena,
                         struct replay_outcome *out)
{
    const char *tab = memchr(text, '\t', length);
    size_t first = tab ? (size_t)(tab - text) : length;
    out->text = arena_strndup(arena, text, first);
    out->detail = tab ? arena_strndup(arena, tab + 1, length - first - 1) : "";
    out->status = status_of(out->text);
    if (out->status == REPLAY_SKIPPED)
        *out = replay_skipped();
    if (out->status == REPLAY_EXIT && strlen(out->text) > 5)
        out->exit_code = atoi(out->text + 5);
}

// Lines that follow an outcome. What does not look like one is none: the code under test may have
// been at work.
static void read_outputs(const char **at, struct arena *arena, struct replay_outcome *out)
{
    VEC(struct replay_output) list = {0};
    while (**at == '+') {
        const char *path = *at + 1, *end = path + strcspn(path, "\n");
        const char *type = memchr(path, '\t', (size_t)(end - path));
        const char *value = type ? memchr(type + 1, '\t', (size_t)(end - type - 1)) : NULL;
        if (!value || list.count == REPLAY_OUTPUTS)
            out->outputs_cut = true;
        else
            *VEC_PUSH(&list) =
                (struct replay_output){arena_strndup(arena, path, (size_t)(type - path)),
                                       arena_strndup(arena, type + 1, (size_t)(value - type - 1)),
                                       arena_strndup(arena, value + 1, (size_t)(end - value - 1))};
        *at = end + (*end == '\n');
    }
    out->output_count = list.count;
    out->outputs = arena_array(arena, struct replay_output, list.count + 1);
    if (list.count)
        memcpy(out->outputs, list.items, list.count * sizeof *list.items);
    VEC_RELEASE(&list);
}

// Takes the text up to the next tab of the line; NULL: there is none.
static const char *next_column(const char **at, const char *end, struct arena *arena)
{
    const char *tab = *at && *at <= end ? memchr(*at, '\t', (size_t)(end - *at)) : NULL;
    const char *text = tab ? arena_strndup(arena, *at, (size_t)(tab - *at)) : NULL;
    *at = tab ? tab + 1 : NULL;
    return text;
}

static void read_found(const char **at, struct arena *arena, struct replay_outcome *out)
{
    VEC(struct replay_found) list = {0};
    while (**at == '=') {
        const char *column = *at + 1, *end = column + strcspn(column, "\n");
        struct replay_found row = {0};
        row.path = next_column(&column, end, arena);
        row.member = next_column(&column, end, arena);
        row.type = next_column(&column, end, arena);
        if (!column || list.count == REPLAY_FOUND) {
            out->found_cut = true;
        } else {
            row.value = arena_strndup(arena, column, (size_t)(end - column));
            *VEC_PUSH(&list) = row;
        }
        *at = end + (*end == '\n');
    }
    out->found_count = list.count;
    out->found = arena_array(arena, struct replay_found, list.count + 1);
    if (list.count)
        memcpy(out->found, list.items, list.count * sizeof *list.items);
    VEC_RELEASE(&list);
}

bool replay_find_outcome(const char **at, const char *test, struct arena *arena,
                         struct replay_outcome *out)
{
    size_t length = strlen(test);
    const char *found = *at;
    while ((found = strstr(found, test)) && found[length] != '\t')
        found += length;
    if (!found)
        return false;
    const char *text = found + length + 1;
    size_t rest = strcspn(text, "\n");
    *out = (struct replay_outcome){0};
    read_outcome(text, rest, arena, out);
    *at = text + rest + (text[rest] == '\n');
    read_outputs(at, arena, out);
    read_found(at, arena, out);
    return true;
}

static struct replay_outcome death(const struct proc_result *result, struct arena *arena)
{
    struct replay_outcome lost = {
        .status = REPLAY_LOST, .text = "lost: the replay process did not end", .detail = ""};
    if (result->exited && jail_hit_limit(result->exit_code))
        return (struct replay_outcome){
            .status = REPLAY_TIMEOUT, .text = "timeout", .detail = "it held too much memory"};
    if (result->exited)
        lost.text =
            arena_printf(arena, "lost: the replay process left with code %d", result->exit_code);
    else if (!result->timed_out)
        lost.text =
            arena_printf(arena, "lost: the replay process was killed by signal %d", result->signal);
    return lost;
}

struct process {
    const char *executable, *scratch;
    unsigned seconds; // per test
    double deadline;
    const char *profiles; // a directory, or NULL
    bool observe;
};

// Several processes run the tests of a directory, at a time or one after the other.
static const char *profile_of(const struct process *process, struct arena *arena)
{
    static atomic_uint next;
    return process->profiles ? arena_printf(arena, "%s/%d-%u.profraw", process->profiles,
                                            (int)getpid(), atomic_fetch_add(&next, 1))
                             : NULL;
}

// Run up to REPLAY_BATCH tests; returns in *done how many have an outcome (at least one).
static bool run_batch(const struct process *process, char *const *tests, size_t count,
                      struct arena *arena, struct replay_outcome *outcomes, size_t *done,
                      struct error *err)
{
    struct replay_time time = replay_time(process->deadline, process->seconds,
                                          count < REPLAY_BATCH ? count : REPLAY_BATCH, arena);
    if (!time.all) {
        for (*done = 0; *done < count; ++*done)
            outcomes[*done] = replay_skipped();
        return true;
    }
    const char *argv[REPLAY_BATCH + OPTIONS + 1] = {process->executable,
                                                    "-t",
                                                    arena_printf(arena, "%u", process->seconds),
                                                    "-T",
                                                    time.all,
                                                    "-o",
                                                    process->observe ? "1" : "0"};
    struct buf out = BUF_INIT;
    struct proc_options options = {.out = &out};
    struct proc_result result;
    if (count > REPLAY_BATCH)
        count = REPLAY_BATCH;
    for (size_t i = 0; i < count; i++)
        argv[i + OPTIONS] = tests[i];
    options.timeout_seconds = time.timeout;
    if (!replay_process(argv, process->scratch, profile_of(process, arena), &options, &result,
                        err)) {
        buf_release(&out);
        return error_context(err, "replaying tests");
    }
    const char *at = buf_text(&out);
    for (*done = 0; *done < count; ++*done)
        if (!replay_find_outcome(&at, tests[*done], arena, &outcomes[*done]))
            break;
    if (*done < count) {
        outcomes[*done] = death(&result, arena);
        ++*done;
    }
    buf_release(&out);
    return true;
}

// Paths of the caller, made absolute because the process runs elsewhere. A file that is
// not there is the process's business.
static char *absolute(const char *path)
{
    char *full = alias_absolute(path);
    return full ? full : xstrdup(path);
}

static bool run_batches(const struct process *process, char *const *paths, size_t count,
                        struct arena *arena, struct replay_outcome *outcomes, struct error *err)
{
    bool good = true;
    for (size_t i = 0, done = 0; good && i < count; i += done) {
        good = run_batch(process, paths + i, count - i, arena, outcomes + i, &done, err);
        size_t last = i + done - 1, one;
        if (good && count - i > 1 && outcomes[last].status == REPLAY_LOST)
            good = run_batch(process, paths + last, 1, arena, outcomes + last, &one, err);
    }
    return good;
}

bool replay_run_for(unsigned seconds, double deadline, const char *executable, const char *scratch,
                    const char *const *tests, size_t count, const char *profiles, bool observe,
                    struct arena *arena, struct replay_outcome *outcomes, struct error *err)
{
    char *program = absolute(executable);
    char **paths = xcalloc(count + 1, sizeof *paths);
    for (size_t i = 0; i < count; i++)
        paths[i] = absolute(tests[i]);
    struct process process = {program, scratch, seconds, deadline, profiles, observe};
    bool good = run_batches(&process, paths, count, arena, outcomes, err);
    for (size_t i = 0; i < count; i++)
        free(paths[i]);
    free(paths);
    free(program);
    return good;
}

bool replay_run(const char *executable, const char *scratch, const char *const *tests, size_t count,
                struct arena *arena, struct replay_outcome *outcomes, struct error *err)
{
    return replay_run_for(REPLAY_SECONDS, 0, executable, scratch, tests, count, NULL, false, arena,
                          outcomes, err);
}
