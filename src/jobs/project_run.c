// SPDX-License-Identifier: Apache-2.0
#include "jobs/project_run.h"

#include "base/alias.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/interrupt.h"
#include "base/map.h"
#include "base/tunables.h"
#include "unit/assumptions.h"
#include "jobs/file_jobs.h"
#include "jobs/gate_options.h"
#include "just/justify.h"
#include "jobs/manifest.h"
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
    struct error begin_failure; // of the file that begins
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
    for (char *at = plain; (at = fs_odd_byte(at));)
        *at = '_';
    return plain;
}

static const char *path_in(struct project_job *job, const char *name)
{
    return arena_printf(&job->arena, "%s/%s", job->request->directory, name);
}

// Where the results of files.items[index] are made; renamed to place_of() when all is there. A file
// that is named twice is tested twice, perhaps at the same time.
static const char *part_of(struct project_job *job, size_t index)
{
    const char *place = place_of(job, job->files.items[index]), *name = fs_basename(place);
    size_t before = 0;
    for (size_t i = 0; i < index; i++)
        before += strcmp(job->files.items[i]->path, job->files.items[index]->path) == 0;
    const char *again = before ? arena_printf(&job->arena, ".%zu", before + 1) : "";
    return arena_printf(&job->arena, "%.*s.%s%s.part", (int)(name - place), place, name, again);
}

static uint64_t hash_of_preconditions(struct project_job *job, const struct project_file *file)
{
    struct buf text = BUF_INIT;
    const char *path = assumptions_file(job->request->options, job->request->project->root,
                                        file->path, &job->arena);
    uint64_t hash = path && fs_exists(path) && fs_read(path, &text, NULL)
                        ? hash_bytes(buf_text(&text), text.length, 1)
                        : 0;
    buf_release(&text);
    return hash;
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

static size_t count_texts(const char *const *texts)
{
    size_t count = 0;
    while (texts && texts[count])
        count++;
    return count;
}

static struct manifest order_of(struct project_job *job, const struct project_file *file)
{
    const char *note = project_flags_note(&file->how, &job->arena);
    const char *const *tasks = names_in(job, file);
    struct manifest order = {.name = file->name,
                             .source = file->path,
                             .home = job->request->project->root,
                             .problem = file->problem ? file->problem : "",
                             .flags_note = note ? note : "",
                             .flags = file->flags,
                             .flag_count = count_texts(file->flags),
                             .all_tasks = !tasks,
                             .tasks = tasks,
                             .task_count = count_texts(tasks),
                             .options = *job->request->options,
                             .knowledge = {.project = job->facts ? job->facts_hash : 0,
                                           .preconditions = hash_of_preconditions(job, file)}};
    manifest_complete(&order);
    return order;
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

// Nothing has changed since, so nobody need look closer.
static bool is_untouched(struct project_job *job, const struct project_file *file)
{
    const char *directory = path_in(job, place_of(job, file));
    struct manifest old, now = order_of(job, file);
    struct error ignored = {0};
    bool known = false;
    return manifest_load(&old, directory, &job->arena, &ignored) &&
           manifest_is_untouched(&old, &now) &&
           !source_hashes_changed(directory, &job->arena, &known) && known &&
           is_readable(job, directory);
}

// ---- the store of the project ----

static bool sum_up(struct project_job *job, bool last, struct error *err);

// Nothing of an earlier run is left in the texts of the project either.
static bool begin_sum(struct project_job *job, struct error *err)
{
    job->store = path_in(job, "cadenza.db");
    return store_begin_project(job->store, err) && fs_remove_tree(path_in(job, "report"), err) &&
           sum_up(job, false, err);
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

static void choose_files(struct project_job *job)
{
    for (const struct project_file *const *file = job->request->files; *file; file++) {
        const char *const *names = names_in(job, *file);
        if (!names || *names)
            *VEC_PUSH(&job->files) = *file;
    }
}

// ---- one file, in a process of its own ----

static uint64_t digest_of_calls(const struct project_job *job, const struct manifest *order)
{
    return job->facts ? facts_calls_digest(job->facts, order->source) : 0;
}

// Would the work give what an earlier run left there?
static bool is_same_work(struct project_job *job, const struct run_request *request,
                         const char *directory, struct manifest *now)
{
    struct manifest old;
    struct error ignored = {0}; // then it is done again, and tells
    if (!job->request->resume || !manifest_load(&old, directory, &job->arena, &ignored) ||
        !old.knowledge.known || !manifest_same_order(&old, now) || !run_digest(request, &ignored))
        return false;
    now->knowledge.known = true;
    now->knowledge.judged_calls = old.knowledge.judged_calls;
    if (old.knowledge.judged_calls)
        now->knowledge.calls = digest_of_calls(job, now);
    return manifest_is_same_work(&old, now) && is_readable(job, directory);
}

// What has changed and does not matter need not be looked at again next time.
static bool keep_results(struct project_job *job, const struct manifest *now, const char *part,
                         const char *directory, struct error *err)
{
    const char *fresh = arena_printf(&job->arena, "%s/sources.txt", part);
    const char *old = arena_printf(&job->arena, "%s/sources.txt", directory);
    return (rename(fresh, old) == 0 || error_errno(err, "cannot write %s", old)) &&
           manifest_save(now, directory, err) && fs_remove_tree(part, err);
}

// What was found before a failure is worth having, unless there is an earlier result and nothing
// in its place.
static void save_failure(const struct error *err, const char *part, const char *directory,
                         struct arena *arena)
{
    struct error ignored = {0};
    if (err->kind == ERROR_RETRY && !fs_exists(arena_printf(arena, "%s/cadenza.db", part)))
        fs_remove_tree(part, &ignored);
    else
        fs_replace_tree(part, directory, &ignored);
}

static bool finish_results(struct project_job *job, struct manifest *now,
                           const struct result *result, const char *part, const char *directory,
                           struct error *err)
{
    now->knowledge.known = true;
    now->knowledge.judged_calls = result->preconditions.count > 0;
    if (now->knowledge.judged_calls)
        now->knowledge.calls = digest_of_calls(job, now);
    return manifest_save(now, part, err) && fs_replace_tree(part, directory, err);
}

static void test_file(void *context, size_t index, const struct run_observer *observer,
                      const struct tokens *tokens, struct outcome_message *outcome,
                      struct buf *text)
{
    struct project_job *job = context;
    const struct project_run_request *r = job->request;
    const struct project_file *file = job->files.items[index];
    const char *directory = path_in(job, place_of(job, file));
    const char *part = path_in(job, part_of(job, index));
    struct error err = job->begin_failure;
    struct manifest order = {0};
    bool good = err.kind == ERROR_NONE && manifest_load(&order, part, &job->arena, &err) &&
                (!*order.problem || error_set(&err, ERROR_IO, "%s", order.problem));
    struct unit_file only = {order.source, order.flags};
    struct run_request request = {.unit = {.files = &only,
                                           .file_count = 1,
                                           .out_directory = part,
                                           .task_names = order.all_tasks ? NULL : order.tasks,
                                           .options = &order.options,
                                           .facts = job->facts,
                                           .home = order.home,
                                           .find = job->extended ? symbol_index_find : NULL,
                                           .context = &job->symbols,
                                           .extend = (unsigned)order.options.extend},
                                  .shown_directory = directory,
                                  .observer = *observer,
                                  .tokens = tokens,
                                  .is_part = true,
                                  .digest = &order.knowledge.unit};
    struct result result;
    result_init(&result, file->path);
    if (good && *order.flags_note)
        result_add_note(&result, "%s", order.flags_note);
    if (good && is_same_work(job, &request, directory, &order)) {
        outcome->taken_over = true;
        good = keep_results(job, &order, part, directory, &err);
    } else if (good) {
        good = run_unit(&request, &result, &err) &&
               finish_results(job, &order, &result, part, directory, &err);
    }
    outcome->kind = good ? ERROR_NONE : err.kind;
    outcome->counts = result.totals;
    outcome->seconds = result.seconds;
    if (!good) {
        save_failure(&err, part, directory, &job->arena);
        buf_puts(text, err.text);
    } else if (r->tables && !outcome->taken_over) {
        report_table_text(&result, r->colour, text);
    }
    result_release(&result);
}

// ---- the files ----

static bool is_done(void *context, size_t index)
{
    struct project_job *job = context;
    const struct project_file *file = job->files.items[index];
    struct error ignored = {0};
    if (!job->request->resume || !is_untouched(job, file))
        return false;
    fs_remove_tree(path_in(job, part_of(job, index)), &ignored); // of a run that was killed
    return true;
}

// A failure is the file's: its process, which is forked next, reports it.
static bool begins(void *context, size_t index, struct error *err)
{
    struct project_job *job = context;
    const struct project_file *file = job->files.items[index];
    const char *part = path_in(job, part_of(job, index));
    struct manifest order = order_of(job, file);
    (void)err;
    job->request->file_begins(job->request->context, file->name, index, job->files.count);
    job->begin_failure = (struct error){0};
    if (fs_remove_tree(part, &job->begin_failure) && run_claim_directory(part, &job->begin_failure))
        manifest_save(&order, part, &job->begin_failure);
    return true;
}

// Justifications may have changed since; that needs no search. The project checks them at its end.
static bool refresh_justifications(struct project_job *job, const struct project_file *file,
                                   struct error *err)
{
    const char *directory = path_in(job, place_of(job, file));
    const char *store = arena_printf(&job->arena, "%s/cadenza.db", directory);
    const char *path = run_justifications_file(job->request->options, job->request->project->root,
                                               file->path, &job->arena);
    struct result result;
    struct just_problems problems;
    struct buf before = BUF_INIT, after = BUF_INIT;
    just_problems_init(&problems);
    bool good = store_load(store, &result, err);
    if (good) {
        report_goals(&result, &before);
        justify_keep_in(&result, path);
        good = justify_result(&result, true, &problems, err);
        report_goals(&result, &after);
    }
    if (good && strcmp(buf_text(&before), buf_text(&after)) != 0)
        good = report_write_all(&result, directory, err) && store_write(&result, store, err);
    result_release(&result);
    just_problems_release(&problems);
    buf_release(&before);
    buf_release(&after);
    return good;
}

static bool take_over(struct project_job *job, const struct project_file *file, struct error *err)
{
    struct error none = {0};
    if (!refresh_justifications(job, file, err))
        return false;
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

static bool record_outcome(struct project_job *job, size_t index,
                           const struct outcome_message *outcome, struct error *err)
{
    const struct project_file *file = job->files.items[index];
    struct file_outcome told = {outcome->counts, outcome->seconds, outcome->text};
    struct error ignored = {0};
    if (outcome->kind != ERROR_NONE) {
        fs_remove_tree(path_in(job, part_of(job, index)), &ignored); // of a process that died
        return fail(job, file, outcome->kind, outcome->text, err);
    }
    if (outcome->taken_over)
        return take_over(job, file, err);
    job->request->file_done(job->request->context, file->name, &told, NULL);
    return add_file(job, file, err);
}

static bool add_up(struct project_job *job, bool last, struct error *err);

// False: the sum cannot be written.
static bool file_done(void *context, size_t index, const struct outcome_message *outcome,
                      struct error *err)
{
    struct project_job *job = context;
    return record_outcome(job, index, outcome, err) &&
           add_up(job, index + 1 == job->files.count, err);
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
    return files_run(&request, o->on, err);
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

// Justifications that do not hold are errors of the project, whose files may share goals.
static bool check_justifications(struct project_job *job, struct result *result,
                                 struct store_project *project, struct error *err)
{
    struct just_problems problems;
    just_problems_init(&problems);
    bool good = justify_result(result, false, &problems, err);
    for (size_t i = 0; good && i < problems.items.count; i++) {
        good = store_add_failure(job->store, problems.items.items[i], err);
        project->exits |= exit_bit(EXIT_GATE);
    }
    just_problems_release(&problems);
    return good;
}

// The texts of the project, from its store.
static bool sum_up(struct project_job *job, bool last, struct error *err)
{
    struct store_project project = describe(job, last);
    struct result result;
    if (!store_describe_project(job->store, &project, err))
        return false;
    bool good = store_load(job->store, &result, err);
    if (good && last) {
        project.exits |= gate_exits(job->request->options, &result.totals);
        good = check_justifications(job, &result, &project, err);
    }
    if (good && last && project.exits & exit_bit(EXIT_GATE)) {
        result_release(&result);
        good = store_describe_project(job->store, &project, err);
        good = store_load(job->store, &result, err) && good;
    }
    good = good && report_write_all(&result, job->request->directory, err);
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
    if (!last && files - job->added_up < files / JOBS_SUM_PART)
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
    job->facts_hash = facts_digest(job->facts);
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
