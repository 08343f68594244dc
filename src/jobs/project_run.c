// SPDX-License-Identifier: Apache-2.0
#include "jobs/project_run.h"

#include "base/alias.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/interrupt.h"
#include "base/json.h"
#include "base/map.h"
#include "unit/assumptions.h"
#include "jobs/file_jobs.h"
#include "unit/project_facts.h"
#include "unit/source_hashes.h"
#include "unit/symbol_index.h"
#include "report/report.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct project_job {
    const struct project_run_request *request;
    struct arena arena;
    VEC(struct json *) summaries; // of the files that are done
    size_t added_up;              // of these are in the summary.json of the project
    const char *database;
    VEC(const char *) failures;
    exit_set failure_exits;
    struct project_totals *totals;
    size_t assuming[ASSUMPTION_KINDS];      // goals that presume something, by kind
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
    return arena_printf(&job->arena, "%s/%d %016llx\n", CADENZA_VERSION, REPORT_DB_VERSION,
                        (unsigned long long)hash);
}

// Can the results still be read? Somebody may have been there.
static bool is_readable(struct project_job *job, const char *directory)
{
    struct arena arena;
    struct saved_run saved;
    struct buf text = BUF_INIT;
    struct error ignored = {0};
    arena_init(&arena);
    bool good = fs_read(arena_printf(&job->arena, "%s/summary.json", directory), &text, NULL) &&
                json_parse(&arena, buf_text(&text), text.length, &ignored) &&
                report_read_db(arena_printf(&job->arena, "%s/cadenza.db", directory), &arena,
                               &saved, &ignored);
    buf_release(&text);
    arena_release(&arena);
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

// ---- what all files add to: cadenza.db, goals.txt ----

static bool begin_sum(struct project_job *job, struct error *err)
{
    job->database = path_in(job, "cadenza.db");
    return report_begin_project(job->database, err) &&
           fs_write(path_in(job, "goals.txt"), "", 0, err) &&
           fs_write(path_in(job, "preconditions.txt"), "", 0, err);
}

static bool append_text(const char *path, const struct buf *text, struct error *err)
{
    if (!text->length)
        return true;
    FILE *out = fopen(path, "a");
    bool good =
        out && fwrite(text->data, 1, text->length, out) == text->length && fputc('\n', out) != EOF;
    if (out)
        good &= fclose(out) == 0;
    return good || error_errno(err, "cannot write %s", path);
}

// Add a text of a file's run directory to the project's text of the same name.
static bool add_text(struct project_job *job, const char *directory, const char *name,
                     const char *heading, struct error *err)
{
    const char *path = path_in(job, name);
    struct buf text = BUF_INIT;
    buf_puts(&text, heading);
    bool good = fs_read(arena_printf(&job->arena, "%s/%s", directory, name), &text, err);
    good = good && append_text(path, &text, err);
    buf_release(&text);
    return good;
}

// A file is done, now or in an earlier run.
static bool add_file(struct project_job *job, const struct project_file *file, struct error *err)
{
    const char *place = place_of(job, file);
    const char *directory = path_in(job, place);
    const char *summary = arena_printf(&job->arena, "%s/summary.json", directory);
    struct buf text = BUF_INIT;
    struct json *parsed = NULL;
    if (fs_read(summary, &text, err))
        parsed = json_parse(&job->arena, buf_text(&text), text.length, err);
    buf_release(&text);
    if (!parsed)
        return error_context(err, "adding up %s", summary);
    *VEC_PUSH(&job->summaries) = parsed;
    return add_text(job, directory, "goals.txt",
                    arena_printf(&job->arena, "==== %s ====\n\n", file->name), err) &&
           add_text(job, directory, "preconditions.txt", "", err) &&
           report_add_to_project(job->database, place, err);
}

static bool add_failure(struct project_job *job, const struct project_file *file,
                        enum error_kind kind, const char *text, struct error *err)
{
    job->totals->failed++;
    job->failure_exits |= exit_for_part(kind);
    *VEC_PUSH(&job->failures) = arena_printf(&job->arena, "%s: %s", file->name, text);
    return report_add_failure(job->database, job->failures.items[job->failures.count - 1], err);
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

// The counts of a summary, in the order of struct result_counts.
#define NAME(name) #name,
static const char *const count_names[] = {RESULT_COUNTS(NAME)};
#undef NAME
enum { COUNTS = sizeof count_names / sizeof *count_names };
_Static_assert(sizeof(struct result_counts) == COUNTS * sizeof(size_t), "a count has no name");

static void add_counts(struct result_counts *sum, const struct json *totals)
{
    size_t *counts = (size_t *)sum;
    for (int i = 0; i < COUNTS; i++) {
        const struct json *count = json_member(totals, count_names[i]);
        counts[i] += count ? (size_t)count->integer : 0;
    }
}

static void copy_items(struct json_writer *w, const struct json *list)
{
    for (size_t i = 0; list && i < list->count; i++)
        json_value(w, NULL, list->items[i]);
}

static void write_list(struct json_writer *w, const char *key, const struct project_job *job)
{
    json_open(w, key, '[');
    for (size_t i = 0; i < job->summaries.count; i++)
        copy_items(w, json_member(job->summaries.items[i], key));
    json_close(w, ']');
}

static void write_totals(struct json_writer *w, const struct project_totals *totals)
{
    json_open(w, "totals", '{');
    for (int i = 0; i < COUNTS; i++)
        json_int(w, count_names[i], (int64_t)((const size_t *)&totals->counts)[i]);
    json_close(w, '}');
}

// Goals that are infeasible under assumptions, by kind.
static void write_assuming(struct json_writer *w, const struct project_job *job)
{
    json_open(w, "assuming", '{');
    for (unsigned kind = 0; kind < ASSUMPTION_KINDS; kind++)
        json_int(w, assumption_name(1u << kind), (int64_t)job->assuming[kind]);
    json_close(w, '}');
}

static double setup_seconds(const struct project_job *job)
{
    double sum = job->learn_seconds;
    for (size_t i = 0; i < job->summaries.count; i++) {
        const struct json *seconds = json_member(job->summaries.items[i], "setup_seconds");
        sum += seconds ? seconds->number : 0;
    }
    return sum;
}

// That of all files, or "mixed".
static const char *data_model(const struct project_job *job)
{
    const char *common = NULL;
    for (size_t i = 0; i < job->summaries.count; i++) {
        const struct json *model = json_member(job->summaries.items[i], "data_model");
        if (model && model->text && common && strcmp(common, model->text) != 0)
            return "mixed";
        common = model && model->text ? model->text : common;
    }
    return common ? common : "lp64";
}

static void write_sum(const struct project_job *job, struct buf *out)
{
    struct json_writer w;
    json_begin(&w, out, true);
    json_open(&w, NULL, '{');
    json_text(&w, "version", CADENZA_VERSION);
    json_text(&w, "data_model", data_model(job));
    json_bool(&w, "reproducible", job->totals->reproducible);
    json_real(&w, "setup_seconds", setup_seconds(job));
    report_exit_codes(&w, job->totals->exits);
    json_open(&w, "errors", '[');
    for (size_t i = 0; i < job->failures.count; i++)
        json_text(&w, NULL, job->failures.items[i]);
    for (size_t i = 0; i < job->summaries.count; i++)
        copy_items(&w, json_member(job->summaries.items[i], "errors"));
    json_close(&w, ']');
    write_list(&w, "disagreements", job);
    write_totals(&w, job->totals);
    write_assuming(&w, job);
    write_list(&w, "tasks", job);
    write_list(&w, "alarms", job);
    write_list(&w, "preconditions", job);
    json_close(&w, '}');
    buf_putc(out, '\n');
}

static exit_set exits_of(const struct json *summary)
{
    const struct json *codes = json_member(summary, "exit_codes");
    exit_set set = 0;
    for (size_t i = 0; codes && i < codes->count; i++) {
        int64_t code = codes->items[i]->integer;
        if (code > 0 && code < EXIT_CODE_COUNT)
            set |= exit_bit((enum exit_code)code);
    }
    return set;
}

// The whole text is written anew, so not after every file: that would cost the square of
// their number. The first sixteen are added one by one.
static bool sum_up(struct project_job *job, bool last, struct error *err);

static bool add_up(struct project_job *job, bool last, struct error *err)
{
    size_t files = job->summaries.count + job->failures.count;
    if (!last && files - job->added_up < files / 16)
        return true;
    job->added_up = files;
    return sum_up(job, last, err);
}

static bool sum_up(struct project_job *job, bool last, struct error *err)
{
    memset(&job->totals->counts, 0, sizeof job->totals->counts);
    job->totals->reproducible = true;
    job->totals->exits = job->failure_exits;
    if (last && !job->summaries.count && !(job->failure_exits & exit_bit(EXIT_RETRY)))
        job->totals->exits |= exit_bit(EXIT_NOTHING);
    if (!last)
        job->totals->exits |= exit_bit(EXIT_INCOMPLETE) | exit_bit(EXIT_RETRY);
    for (size_t i = 0; i < job->summaries.count; i++) {
        job->totals->exits |= exits_of(job->summaries.items[i]);
        add_counts(&job->totals->counts, json_member(job->summaries.items[i], "totals"));
        const struct json *reproducible = json_member(job->summaries.items[i], "reproducible");
        job->totals->reproducible &= reproducible && reproducible->boolean;
    }
    struct buf out = BUF_INIT, shared = BUF_INIT;
    bool good = report_project_goals(job->database, &job->totals->counts, job->assuming,
                                     last ? &shared : NULL, err) &&
                append_text(path_in(job, "goals.txt"), &shared, err);
    buf_release(&shared);
    write_sum(job, &out);
    good = good && fs_write(path_in(job, "summary.json"), out.data, out.length, err);
    buf_release(&out);
    return good;
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
    job.extended = strcmp(request->options->unit, "extended") == 0;
    symbol_index_init(&job.symbols, request->project);
    arena_init(&job.arena);
    *totals = (struct project_totals){.reproducible = true};
    bool good = run_claim_directory(request->directory, err) && begin_sum(&job, err);
    if (good) {
        learn(&job);
        choose_files(&job);
    }
    totals->files = job.files.count;
    if (!job.files.count)
        totals->exits = exit_bit(EXIT_NOTHING);
    good = good && test_files(&job, err);
    if (!good && interrupt_pending() && sum_up(&job, false, err)) {
        interrupt_error(err);
        error_context(err, "results of %zu files are in %s", job.summaries.count,
                      request->shown_directory);
    }
    VEC_RELEASE(&job.files);
    VEC_RELEASE(&job.summaries);
    VEC_RELEASE(&job.failures);
    facts_free(job.facts);
    symbol_index_release(&job.symbols);
    arena_release(&job.arena);
    return good;
}
