// SPDX-License-Identifier: Apache-2.0
#include "jobs/project_run.h"

#include "base/alias.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/interrupt.h"
#include "base/map.h"
#include "unit/assumptions.h"
#include "jobs/file_jobs.h"
#include "unit/project_facts.h"
#include "unit/source_hashes.h"
#include "unit/symbol_index.h"
#include "report/report.h"
#include "store/store.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct project_job {
    const struct project_run_request *request;
    struct arena arena;
    size_t merged, failures; // files whose results are in the store, and those that have none
    size_t added_up;         // of these are in the texts of the project
    const char *store;
    exit_set failure_exits;
    struct project_totals *totals;
    VEC(const struct project_file *) files; // that have tasks which were asked for
    struct facts *facts;
    uint64_t facts_hash;
    double learn_seconds;
    bool extended;
    struct symbol_index symbols;
};

// Relative to the project's directory. A file outside of its root has an absolute name. What no
// compiler gets along with (base/alias.h) is replaced, and a number keeps names apart.
static const char *place_of(struct project_job *job, const struct project_file *file)
{
    const char *name = file->name + (file->name[0] == '/');
    if (!alias_is_needed(name))
        return arena_printf(&job->arena, "files/%s", name);
    char *plain = arena_printf(&job->arena, "files/%s-%08x", name,
                               (unsigned)hash_bytes(name, strlen(name), 1));
    for (char *at = plain; (at = strpbrk(at, "%\"\n"));)
        *at = '_';
    return plain;
}

static const char *path_in(struct project_job *job, const char *name)
{
    return arena_printf(&job->arena, "%s/%s", job->request->directory, name);
}

static void add_file_key(const struct project_file *file, struct buf *text)
{
    fs_read(file->path, text, NULL);
    for (const char *const *flag = file->flags; flag && *flag; flag++)
        buf_puts(text, *flag);
}

// What the results of a file depend on: its text, its flags, the options, what is known
// of the other files, preconditions; in an extended unit perhaps all files of the project.
static const char *key_of(struct project_job *job, const struct project_file *file)
{
    struct buf text = BUF_INIT;
    add_file_key(file, &text);
    options_text(job->request->options, &text);
    const char *pre = assumptions_file(job->request->options, job->request->project->root,
                                       file->path, &job->arena);
    if (pre && fs_exists(pre))
        fs_read(pre, &text, NULL);
    for (size_t i = 0; job->extended && i < job->request->project->files.count; i++)
        add_file_key(&job->request->project->files.items[i], &text);
    for (const char *const *task = job->request->task_names; task && *task; task++)
        buf_puts(&text, *task);
    uint64_t hash = hash_bytes(buf_text(&text), text.length, 1) ^ job->facts_hash;
    buf_release(&text);
    return arena_printf(&job->arena, "%s/%d %016llx\n", CADENZA_VERSION, STORE_VERSION,
                        (unsigned long long)hash);
}

// Can the results still be read? Somebody may have been there.
static bool is_readable(struct project_job *job, const char *directory)
{
    struct result result;
    struct error ignored = {0};
    bool good =
        store_load(arena_printf(&job->arena, "%s/cadenza.db", directory), &result, &ignored);
    result_release(&result);
    return good;
}

static bool is_complete(struct project_job *job, const char *directory, const char *key)
{
    struct buf old = BUF_INIT;
    bool same = fs_read(arena_printf(&job->arena, "%s/.done", directory), &old, NULL) &&
                strcmp(buf_text(&old), key) == 0;
    buf_release(&old);
    bool known = false;
    return same && !source_hashes_changed(directory, &job->arena, &known) && known &&
           is_readable(job, directory);
}

// ---- the store of the project ----

static bool sum_up(struct project_job *job, bool last, struct error *err);

// Nothing of an earlier run is left in the texts of the project either.
static bool begin_sum(struct project_job *job, struct error *err)
{
    job->store = path_in(job, "cadenza.db");
    return store_begin_project(job->store, err) && sum_up(job, false, err);
}

// A file is done, now or in an earlier run.
static bool add_file(struct project_job *job, const struct project_file *file, struct error *err)
{
    job->merged++;
    return store_merge(job->store, place_of(job, file), file->name, err);
}

static bool add_failure(struct project_job *job, const struct project_file *file,
                        enum error_kind kind, const char *text, struct error *err)
{
    job->totals->failed++;
    job->failures++;
    job->failure_exits |= exit_for_part(kind);
    return store_add_failure(job->store, arena_printf(&job->arena, "%s: %s", file->name, text),
                             err);
}

// Which of the tasks that were asked for a file has, as far as the project is known: all
// when nothing is known of the file, or when no file has them, so that it can say so.
static bool has_task(const struct project_job *job, const struct project_file *file,
                     const char *name)
{
    const struct facts_function *found = facts_find(job->facts, name, file->path);
    return found && strcmp(found->file, file->path) == 0;
}

static const char *const *names_in(struct project_job *job, const struct project_file *file)
{
    const char *const *names = job->request->task_names;
    if (!names || !job->facts || !facts_bitcode(job->facts, file->path))
        return names;
    size_t count = 0, kept = 0;
    while (names[count])
        count++;
    const char **list = arena_array(&job->arena, const char *, count + 1);
    for (size_t i = 0; i < count; i++) {
        bool here = has_task(job, file, names[i]), anywhere = here;
        for (size_t k = 0; !anywhere && job->request->files[k]; k++)
            anywhere = has_task(job, job->request->files[k], names[i]);
        if (here || !anywhere)
            list[kept++] = names[i];
    }
    list[kept] = NULL;
    return list;
}

static void choose_files(struct project_job *job)
{
    for (const struct project_file *const *file = job->request->files; *file; file++) {
        const char *const *names = names_in(job, *file);
        if (!names || *names)
            *VEC_PUSH(&job->files) = *file;
    }
}

// ---- one file, in a process of its own ----

struct report {           // how it went; the text of the error or the table follows
    enum error_kind kind; // ERROR_NONE: well
    struct result_counts counts;
    double seconds;
};

static void test_file(void *context, size_t index, const struct run_observer *observer,
                      const struct tokens *tokens, struct buf *outcome)
{
    struct project_job *job = context;
    const struct project_run_request *r = job->request;
    const struct project_file *file = job->files.items[index];
    const char *directory = path_in(job, place_of(job, file)), *key = key_of(job, file);
    const char *done = arena_printf(&job->arena, "%s/.done", directory);
    struct error err = {0};
    fs_remove_tree(done, NULL);
    struct unit_file only = {file->path, file->flags};
    struct run_request request = {.unit = {.files = &only,
                                           .file_count = 1,
                                           .out_directory = directory,
                                           .task_names = names_in(job, file),
                                           .options = r->options,
                                           .facts = job->facts,
                                           .home = r->project->root,
                                           .find = job->extended ? symbol_index_find : NULL,
                                           .context = &job->symbols,
                                           .extend = (unsigned)r->options->extend},
                                  .observer = *observer,
                                  .tokens = tokens};
    struct result result;
    result_init(&result, file->path);
    const char *note = project_flags_note(&file->how, &job->arena);
    if (note)
        result_add_note(&result, "%s", note);
    bool good = (!file->problem || error_set(&err, ERROR_IO, "%s", file->problem)) &&
                fs_make_dirs(directory, &err) && run_unit(&request, &result, &err) &&
                fs_write(done, key, strlen(key), &err);
    struct report message = {good ? ERROR_NONE : err.kind, result.totals, result.seconds};
    buf_add(outcome, (const char *)&message, sizeof message);
    if (!good)
        buf_puts(outcome, err.text);
    else if (r->tables)
        report_table_text(&result, r->colour, outcome);
    result_release(&result);
}

// ---- the files ----

static bool is_done(void *context, size_t index)
{
    struct project_job *job = context;
    const struct project_file *file = job->files.items[index];
    return job->request->resume &&
           is_complete(job, path_in(job, place_of(job, file)), key_of(job, file));
}

static void begins(void *context, size_t index)
{
    const struct project_job *job = context;
    job->request->file_begins(job->request->context, job->files.items[index]->name, index,
                              job->files.count);
}

static bool take_over(struct project_job *job, const struct project_file *file, struct error *err)
{
    struct error none = {0};
    job->totals->taken_over++;
    job->request->file_done(job->request->context, file->name, NULL, &none);
    return add_file(job, file, err);
}

static bool fail(struct project_job *job, const struct project_file *file, enum error_kind kind,
                 const char *text, struct error *err)
{
    struct error why = {0};
    error_set(&why, kind, "%s", text);
    job->request->file_done(job->request->context, file->name, NULL, &why);
    return kind == ERROR_NO_TASKS || add_failure(job, file, kind, text, err);
}

static bool record(struct project_job *job, const struct project_file *file,
                   const struct buf *outcome, struct error *err)
{
    struct report message;
    if (outcome->length < sizeof message)
        return fail(job, file, ERROR_INTERNAL, "its process sent an outcome that is cut short",
                    err);
    memcpy(&message, outcome->data, sizeof message);
    const char *text = arena_strndup(&job->arena, outcome->data + sizeof message,
                                     outcome->length - sizeof message);
    struct file_outcome told = {message.counts, message.seconds, text};
    if (message.kind != ERROR_NONE)
        return fail(job, file, message.kind, text, err);
    job->request->file_done(job->request->context, file->name, &told, NULL);
    return add_file(job, file, err);
}

static bool add_up(struct project_job *job, bool last, struct error *err);

// False: the sum cannot be written.
static bool file_done(void *context, size_t index, const struct buf *outcome, const char *reason,
                      bool retry, struct error *err)
{
    struct project_job *job = context;
    const struct project_file *file = job->files.items[index];
    bool good = outcome  ? record(job, file, outcome, err)
                : reason ? fail(job, file, retry ? ERROR_RETRY : ERROR_IO, reason, err)
                         : take_over(job, file, err);
    return good && add_up(job, index + 1 == job->files.count, err);
}

static bool test_files(struct project_job *job, struct error *err)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    const struct options *o = job->request->options;
    struct files_request request = {
        .count = job->files.count,
        .jobs = o->jobs     ? (unsigned)o->jobs
                : cores > 0 ? (unsigned)cores
                            : 1,
        .observer = job->request->observer,
        .is_done = is_done,
        .begins = begins,
        .work = test_file,
        .done = file_done,
        .context = job,
    };
    return files_run(&request, err);
}

// ---- the sum of all files ----

static struct store_project describe(const struct project_job *job, bool last)
{
    exit_set exits = job->failure_exits;
    if (last && !job->merged && !(exits & exit_bit(EXIT_RETRY)))
        exits |= exit_bit(EXIT_NOTHING);
    return (struct store_project){.version = CADENZA_VERSION,
                                  .directory = job->request->shown_directory,
                                  .exits = exits,
                                  .unfinished = !last,
                                  .setup_seconds = job->learn_seconds};
}

// The texts of the project, from its store.
static bool sum_up(struct project_job *job, bool last, struct error *err)
{
    struct store_project project = describe(job, last);
    struct result result;
    if (!store_describe_project(job->store, &project, err))
        return false;
    bool good = store_load(job->store, &result, err) &&
                report_write_all(&result, job->request->directory, err);
    if (good) {
        job->totals->counts = result.totals;
        job->totals->reproducible = result.reproducible;
        job->totals->exits = result_exits(&result);
    }
    result_release(&result);
    return good;
}

// The texts are written anew, so not after every file: that would cost the square of their number.
// The first sixteen are added one by one.
static bool add_up(struct project_job *job, bool last, struct error *err)
{
    size_t files = job->merged + job->failures;
    if (!last && files - job->added_up < files / 16)
        return true;
    job->added_up = files;
    return sum_up(job, last, err);
}

// Files to be tested are reported on their own.
static void tell_unreadable(const struct project_job *job)
{
    const struct project_run_request *r = job->request;
    const char *const *notes;
    size_t count = facts_notes(job->facts, &notes);
    for (size_t i = 0; i < count && r->note; i++) {
        bool tested = false;
        for (const struct project_file *const *f = r->files; *f; f++)
            tested |= strncmp(notes[i], (*f)->path, strlen((*f)->path)) == 0;
        if (!tested)
            r->note(r->context, notes[i]);
    }
}

// Without facts stubs only return, and pointers hold what their own file gives them.
static void learn(struct project_job *job)
{
    const struct project_run_request *r = job->request;
    struct error ignored = {0}; // a file that does not compile is reported on its own
    struct buf text = BUF_INIT;
    double begin = clock_cpu();
    if (r->observer.stage)
        r->observer.stage(r->observer.context, "reading the project");
    if (!project_facts_build(r->project, arena_printf(&job->arena, "%s/facts", r->directory),
                             (unsigned)r->options->jobs, &job->facts, &ignored))
        return;
    tell_unreadable(job);
    facts_dump(job->facts, &text);
    job->facts_hash = hash_bytes(buf_text(&text), text.length, 2);
    fs_write(arena_printf(&job->arena, "%s/facts.txt", r->directory), buf_text(&text), text.length,
             &ignored);
    buf_release(&text);
    job->learn_seconds = clock_cpu() - begin;
}

bool project_run(const struct project_run_request *request, struct project_totals *totals,
                 struct error *err)
{
    struct project_job job = {.request = request, .totals = totals};
    job.extended = request->options->unit == OPTION_UNIT_EXTENDED;
    symbol_index_init(&job.symbols, request->project);
    arena_init(&job.arena);
    *totals = (struct project_totals){.reproducible = true};
    bool good = run_claim_directory(request->directory, err) && begin_sum(&job, err);
    if (good) {
        learn(&job);
        choose_files(&job);
    }
    totals->files = job.files.count;
    good = good && (job.files.count ? test_files(&job, err) : sum_up(&job, true, err));
    if (!good && interrupt_pending() && sum_up(&job, false, err)) {
        interrupt_error(err);
        error_context(err, "results of %zu files are in %s", job.merged, request->shown_directory);
    }
    VEC_RELEASE(&job.files);
    facts_free(job.facts);
    symbol_index_release(&job.symbols);
    arena_release(&job.arena);
    return good;
}
