// SPDX-License-Identifier: Apache-2.0
// The order of things in a run; each step is elsewhere.
#include "jobs/run.h"

#include "base/alias.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/interrupt.h"
#include "base/jail_command.h"
#include "base/tunables.h"
#include "just/justify.h"
#include "unit/assumptions.h"
#include "unit/nearest_file.h"
#include "jobs/gate_options.h"
#include "jobs/tolerant_build.h"
#include "jobs/inference.h"
#include "judge/measured.h"
#include "unit/source_hashes.h"
#include "judge/suite.h"
#include "judge/verdicts.h"
#include "program/data_model.h"
#include "program/testfile.h"
#include "replay/replay.h"
#include "report/report.h"
#include "store/store.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct run {
    const struct run_request *request;
    struct result *result;
    struct unit unit;
    unsigned restarts; // of targets
    uint64_t spoilt;
    struct clean_build clean;
    double build_seconds; // of the clock, for the instrumented executable
    struct seeds seeds;
    struct pre_list preconditions; // of the project
    struct justifications justifications;
    struct unit_request build;
    struct target_options target;
    unsigned jobs;
    double *left;               // per task: seconds that --time leaves for preconditions
    struct questions questions; // alarms that a precondition may rule out
    bool have_clean;
    struct arena arena;      // lives as long as the run
    struct arena task_arena; // released after each task
    const char *scratch;
    double start;
    double reported, report_cost; // when reports were last written, and how long it took
};

static const char *directory_of(const struct run *run)
{
    return run->request->unit.out_directory;
}

static void stage(const struct run *run, const char *what)
{
    if (run->request->observer.stage)
        run->request->observer.stage(run->request->observer.context, what);
}

// A directory of ours, an empty one, or none yet; never somebody else's files.
bool run_claim_directory(const char *directory, struct error *err)
{
    struct buf marker = BUF_INIT;
    buf_printf(&marker, "%s/.cadenza", directory);
    bool ours = fs_exists(marker.data);
    if (!ours && fs_is_dir(directory) && rmdir(directory) != 0) {
        buf_release(&marker);
        if (errno == ENOTEMPTY || errno == EEXIST)
            return error_set(err, ERROR_IO,
                             "%s exists and was not made by cadenza; choose another directory with "
                             "-o, or remove it",
                             directory);
        return error_errno(err, "cannot use %s as output directory", directory);
    }
    static const char text[] = "This directory was made by cadenza and is overwritten by it.\n";
    bool good = fs_make_dirs(directory, err) && fs_write(marker.data, text, sizeof text - 1, err);
    buf_release(&marker);
    return good || error_context(err, "the output directory %s cannot be used", directory);
}

const char *run_justifications_file(const struct options *options, const char *home,
                                    const char *source, struct arena *arena)
{
    const char *path = nearest_file("cadenza.just", options->just, home, source, arena);
    char *absolute = path ? fs_absolute(path) : NULL;
    const char *found = absolute ? arena_strdup(arena, absolute) : path;
    free(absolute);
    return found;
}

// Results of an earlier run go only when there is something to put in their place.
static bool clear_old_results(const char *directory, struct error *err)
{
    static const char *const names[] = {"tests",     "summary.json", "cadenza.db",
                                        "goals.txt", "queries",      "report"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct buf path = BUF_INIT;
        buf_printf(&path, "%s/%s", directory, names[i]);
        bool good = fs_remove_tree(path.data, err);
        buf_release(&path);
        if (!good)
            return false;
    }
    return true;
}

static bool make_scratch(struct run *run, struct error *err)
{
    const char *scratch = arena_printf(&run->arena, "%s/scratch", run->unit.directory);
    if (!fs_make_dirs(scratch, err))
        return false;
    char *absolute = alias_absolute(scratch); // targets change their directory
    run->scratch = arena_strdup(&run->arena, absolute ? absolute : scratch);
    free(absolute);
    return true;
}

static bool build_clean(struct run *run, struct error *err)
{
    if (run->have_clean)
        return true;
    stage(run, "building the clean executables");
    struct clean_text *texts = arena_array(&run->arena, struct clean_text, run->unit.text_count);
    for (size_t k = 0; k < run->unit.text_count; k++) {
        const struct unit_text *text = run->unit.texts[k];
        texts[k] = (struct clean_text){buf_text(&text->harness.text), text->harness.before,
                                       text->file.flags};
    }
    struct clean_build_request request = {
        .program = &run->unit.program,
        .texts = texts,
        .support = run->unit.support,
        .support_count = run->unit.support_count,
        .sanitize = !run->request->unit.options->no_sanitize,
        .directory = arena_printf(&run->arena, "%s/clean", run->unit.directory),
        .library = run->unit.library,
        .rewrite = run->unit.hardware.changed ? unit_rewrite : NULL,
        .context = &run->unit,
    };
    struct replay_coverage nothing;
    // Profiles of an earlier run must not count.
    if (!fs_remove_tree(request.directory, err) ||
        !clean_build(&request, &run->arena, &run->clean, err) ||
        !replay_total(&run->clean, &run->arena, &nothing, err))
        return false;
    run->have_clean = true;
    measured_set_goals(run->result, &run->unit.program, nothing.unit);
    result_aggregate(run->result);
    justify_apply(&run->justifications, run->result);
    if (nothing.unmatched)
        result_add_note(run->result,
                        "%zu branches that llvm-cov counts were not recognised by the front end",
                        nothing.unmatched);
    size_t left_out = 0;
    for (size_t i = 0; i < run->unit.hardware.use_count; i++)
        left_out += !run->unit.hardware.uses[i].partial;
    if (left_out)
        result_add_note(run->result,
                        "assembly or code at fixed addresses is left out in %zu %s "
                        "(goals.txt lists them)",
                        left_out, left_out == 1 ? "place" : "places");
    if (run->clean.lines_note)
        result_add_note(run->result, "%s", run->clean.lines_note);
    return true;
}

static const char *test_path(const struct run *run, struct arena *arena, size_t task, size_t number)
{
    return arena_printf(arena, "%s/tests/%s/%04zu.test", directory_of(run),
                        run->unit.program.tasks[task].name, number);
}

static bool write_tests(struct run *run, const struct campaign *campaign, const size_t *chosen,
                        size_t count, size_t task, const char **paths, struct error *err)
{
    bool good = true;
    for (size_t i = 0; good && i < count; i++) {
        const char *text = campaign->kept.items[chosen[i]].text;
        paths[i] = test_path(run, &run->task_arena, task, i + 1);
        good = fs_write(paths[i], text, strlen(text), err);
    }
    return good;
}

static const char *relative(const struct run *run, const char *path)
{
    size_t length = strlen(directory_of(run));
    return strncmp(path, directory_of(run), length) == 0 ? path + length + 1 : path;
}

static bool write_reports(struct run *run, struct error *err)
{
    double begin = clock_now();
    run->result->seconds = begin - run->start;
    result_aggregate(run->result);
    // The store comes last: when it is there, so are the texts.
    const char *store = arena_printf(&run->arena, "%s/cadenza.db", directory_of(run));
    bool good = report_write_all(run->result, directory_of(run), err) &&
                (store_write(run->result, store, err) || error_context(err, "writing the results"));
    run->reported = clock_now();
    run->report_cost = run->reported - begin;
    return good;
}

// Reports are written whole, so after every task would cost the square of the tasks. A
// killed run misses the last second or tenth of its time.
static bool write_interim_reports(struct run *run, struct error *err)
{
    double age = clock_now() - run->reported;
    return (run->reported > 0 &&
            (age < JOBS_REPORT_SECONDS || age < JOBS_REPORT_COST * run->report_cost)) ||
           write_reports(run, err);
}

static bool replay_and_judge(struct run *run, size_t task_number, const struct campaign *campaign,
                             const size_t *chosen, size_t count, const char **paths,
                             struct result_task *task, struct error *err)
{
    struct arena *arena = &run->task_arena;
    struct replay_outcome *outcomes = arena_array(arena, struct replay_outcome, count + 1);
    struct replay_coverage coverage;
    bool *late = arena_array(arena, bool, count + 1);
    for (size_t i = 0; i < count; i++) {
        uint32_t status = campaign->kept.items[chosen[i]].status;
        late[i] = status != WIRE_OK && status != WIRE_EXIT;
    }
    if (!replay_task(&run->clean, task_number, paths, count, late, arena, outcomes, &coverage, err))
        return false;
    struct verdicts_request judge = {
        .unit = &run->unit,
        .clean = &run->clean,
        .campaign = campaign,
        .options = run->request->unit.options,
        .chosen = chosen,
        .count = count,
        .paths = paths,
        .outcomes = outcomes,
        .coverage = &coverage,
        .arena = arena,
        .result = run->result,
        .task = task,
    };
    return verdicts_give(&judge, err);
}

static void searching(const struct worker_state *state, void *context)
{
    const struct run *run = context;
    const struct run_observer *observer = &run->request->observer;
    if (observer->searching)
        observer->searching(observer->context, run->unit.program.tasks[state->task].name, state);
}

static void render(const struct target *target, size_t task, const struct kept_test *test,
                   struct buf *out, void *context)
{
    struct run *run = context;
    verdicts_test_text(&run->unit, target, run->unit.program.tasks[task].name, test, out);
}

// A first test is on disk as soon as there is one; the chosen suite replaces it.
static void first_kept(const struct target *target, size_t task, const struct kept_test *test,
                       void *context)
{
    struct run *run = context;
    struct error ignored = {0}; // the same failure is reported when the suite is written
    struct buf text = BUF_INIT;
    render(target, task, test, &text, context);
    fs_write(test_path(run, &run->arena, task, 1), buf_text(&text), text.length, &ignored);
    buf_release(&text);
}

static void record_search(struct run *run, struct result_task *task,
                          const struct campaign *campaign)
{
    task->iterations = campaign->iterations;
    task->runs = campaign->runs;
    task->queries = campaign->queries;
    task->queries_unknown = campaign->unknown;
    task->concretised = campaign->losses[WIRE_LOSS_CONCRETISED] + campaign->losses[WIRE_LOSS_WIDE];
    for (int i = 0; i < WIRE_LOSS_COUNT; i++)
        task->losses += campaign->losses[i];
    for (int i = 0; i < SOLVER_LAYER_COUNT; i++) {
        const struct solver_counts *counts = &campaign->layers[i];
        result_add_layer(run->result, &(struct result_layer){
                                          solver_layer_name((enum solver_layer)i), counts->queries,
                                          counts->sat, counts->unsat, counts->seconds});
    }
    run->result->slow_queries += campaign->slow_queries;
    task->seconds = campaign->seconds;
    task->solver_seconds = campaign->solver_seconds;
    task->choosing_seconds = campaign->choosing_seconds;
    task->filtered = campaign->filtered;
    task->dropped = campaign->dropped;
    task->vector_queries = campaign->vector_queries;
    for (size_t i = 0; i < campaign->samples.count; i++) {
        const struct campaign_sample *s = &campaign->samples.items[i];
        *VEC_PUSH(&task->samples) = (struct result_sample){
            s->iteration, s->queries, s->seconds, s->branches, s->conditions, s->statements};
    }
    if (campaign->rejected && campaign->rejected == campaign->runs)
        result_add_note(
            run->result,
            "task %s: none of %llu executions satisfied its preconditions (%s); do they "
            "contradict each other?",
            task->function, (unsigned long long)campaign->runs,
            assumptions_text(&run->unit, task->program_task));
    task->exhausted = campaign->exhausted;
    run->result->reproducible &= campaign->reproducible;
    run->restarts += campaign->restarts;
    run->spoilt += campaign->spoilt;
    for (size_t i = 0; i < run->unit.note_count; i++)
        if (run->unit.notes[i].task == task->program_task)
            result_add_assumption(run->result, task, run->unit.notes[i].text);
    for (size_t i = 0; i < run->unit.hardware.use_count; i++) {
        const char *text = unit_left_out(&run->unit, &run->unit.program.tasks[task->program_task],
                                         &run->unit.hardware.uses[i]);
        if (text)
            result_add_assumption(run->result, task, text);
    }
}

static bool replay_suite(struct run *run, size_t number, const struct campaign *campaign,
                         struct result_task *entry, struct error *err)
{
    size_t *chosen;
    size_t count = suite_choose(campaign, &run->task_arena, &chosen);
    const char **paths = arena_array(&run->task_arena, const char *, count + 1);
    const char **names = arena_array(&run->task_arena, const char *, count + 1);
    stage(run, "replaying");
    if (!write_tests(run, campaign, chosen, count, number, paths, err))
        return false;
    for (size_t i = 0; i < count; i++)
        names[i] = relative(run, paths[i]);
    verdicts_add_tests(run->result, entry, &run->unit, campaign, chosen, count, names);
    questions_add(&run->questions, &run->unit, number, campaign, chosen, count, paths);
    return replay_and_judge(run, number, campaign, chosen, count, paths, entry, err);
}

// A task of which the run says less than was asked for.
static void record_missing(struct run *run, const struct task *task,
                           const struct campaign *campaign)
{
    const struct error *failure = &campaign->failure;
    if (campaign->end == CAMPAIGN_FAILED) {
        result_add_error(run->result, "task %s: %s", task->name, failure->text);
        run->result->exits |= exit_for_part(failure->kind == ERROR_RETRY ? ERROR_RETRY : ERROR_IO);
    } else if (!campaign->kept.count) {
        result_add_error(run->result, "task %s got no test", task->name);
        run->result->exits |= exit_bit(EXIT_INCOMPLETE);
    }
}

// The search of a task is over: write its tests, replay them, judge, report.
static bool task_done(size_t number, const struct campaign *campaign, void *context,
                      struct error *err)
{
    struct run *run = context;
    const struct task *task = &run->unit.program.tasks[number];
    if (!build_clean(run, err))
        return false;
    struct result_task *entry = result_add_task(run->result, &run->unit.program, number);
    record_search(run, entry, campaign);
    record_missing(run, task, campaign);
    double begin = clock_now(), limit = (double)run->request->unit.options->seconds;
    double left = limit + OPTIONS_TIME_REPLAY - campaign->seconds;
    run->clean.deadline = limit > 0 ? begin + (left > 0 ? left : 0) : 0;
    bool good = replay_suite(run, number, campaign, entry, err) && write_interim_reports(run, err);
    if (good && entry->tests.count && entry->counts.lines && !entry->counts.lines_covered &&
        !entry->lines_unknown) {
        result_add_error(run->result,
                         "task %s: no test got into it on the clean build; does a "
                         "constructor end the process before?",
                         task->name);
        run->result->exits |= exit_bit(EXIT_INCOMPLETE);
    }
    run->left[number] = limit + OPTIONS_TIME_INFERENCE - campaign->seconds - (clock_now() - begin);
    arena_release(&run->task_arena);
    return good;
}

// The run is interrupted in the middle of this task: its tests are kept, there is no time to judge.
static void task_cut_short(size_t number, const struct campaign *campaign, void *context)
{
    struct run *run = context;
    const struct task *task = &run->unit.program.tasks[number];
    struct error ignored = {0};
    size_t *chosen;
    if (campaign->end == CAMPAIGN_FAILED || !campaign->kept.count)
        return;
    size_t count = suite_choose(campaign, &run->task_arena, &chosen);
    const char **paths = arena_array(&run->task_arena, const char *, count + 1);
    if (write_tests(run, campaign, chosen, count, number, paths, &ignored))
        result_add_error(
            run->result,
            "task %s: interrupted after %llu executions; its %zu tests are written, and "
            "not replayed",
            task->name, (unsigned long long)campaign->runs, count);
}

static bool search_tasks(struct run *run, struct error *err)
{
    const struct options *o = run->request->unit.options;
    for (size_t i = 0; i < run->unit.program.task_count; i++)
        if (!fs_make_dirs(arena_printf(&run->arena, "%s/tests/%s", directory_of(run),
                                       run->unit.program.tasks[i].name),
                          err))
            return false;
    run->left = arena_array(&run->arena, double, run->unit.program.task_count + 1);
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    run->target = (struct target_options){.executable = run->unit.target,
                                          .narrow = run->unit.program.narrow,
                                          .scratch = run->scratch,
                                          .step_budget = (uint64_t)o->steps,
                                          .heap_budget = (uint64_t)JOBS_HEAP_MB << 20,
                                          .memory = (uint64_t)o->memory << 20,
                                          .record_budget = (uint64_t)o->path,
                                          .watchdog_seconds = JOBS_WATCHDOG_SECONDS,
                                          .always_fork = o->fork_runs};
    run->jobs = o->jobs ? (unsigned)o->jobs : cores > 0 ? (unsigned)cores : 1;
    struct workers_request request = {
        .unit = &run->unit,
        .options = o,
        .seeds = &run->seeds,
        .target = run->target,
        .jobs = run->jobs,
        .tokens = run->request->tokens,
        .first_kept = first_kept,
        .render = render,
        .progress = searching,
        .done = task_done,
        .cut_short = task_cut_short,
        .context = run,
    };
    return workers_run(&request, err);
}

static void infer(struct run *run)
{
    const struct options *o = run->request->unit.options;
    struct inference_request request = {.build = &run->build,
                                        .questions = &run->questions,
                                        .target = &run->target,
                                        .jobs = run->jobs,
                                        .tokens = run->request->tokens,
                                        .left = o->seconds ? run->left : NULL,
                                        .build_seconds = run->build_seconds,
                                        .result = run->result,
                                        .stage = run->request->observer.stage,
                                        .context = run->request->observer.context};
    if (!o->no_inference)
        inference_run(&request);
}

static void note_sandbox(struct run *run)
{
    char *missing = jail_missing();
    if (!jail_is_on())
        result_add_note(run->result, "the code under test ran without a sandbox (--no-sandbox)");
    else if (*missing)
        result_add_note(run->result, "the sandbox is incomplete on this system: %s", missing);
    free(missing);
    if (run->spoilt)
        result_add_note(
            run->result,
            "%llu execution%s destroyed what the engine shares with the code under test "
            "(memory, pipes); nothing is known of them",
            (unsigned long long)run->spoilt, run->spoilt == 1 ? "" : "s");
}

static void check_justifications(struct run *run)
{
    struct just_problems problems;
    just_problems_init(&problems);
    justify_check(&run->justifications, run->result, &problems);
    for (size_t i = 0; i < problems.items.count; i++) {
        result_add_error(run->result, "%s", problems.items.items[i]);
        run->result->exits |= exit_bit(EXIT_GATE);
    }
    just_problems_release(&problems);
}

static bool finish(struct run *run, struct error *err)
{
    struct replay_coverage total;
    if (!replay_total(&run->clean, &run->arena, &total, err))
        return false;
    measured_cover_total(run->result, total.unit);
    measured_set_total_lines(run->result, &run->unit.program, total.lines, total.unit);
    note_sandbox(run);
    if (run->result->phantoms)
        result_add_note(
            run->result,
            "llvm-cov also counts %zu goals behind what did not return (exit, a crash); "
            "they are not reported as covered",
            run->result->phantoms);
    if (run->clean.sanitized_note)
        result_add_note(run->result, "tests were not run under ASan and UBSan: the build failed %s",
                        run->clean.sanitized_note);
    else if (run->request->unit.options->no_sanitize)
        result_add_note(run->result, "only tests in which the search saw something go wrong were "
                                     "run under ASan and UBSan (--no-sanitize)");
    infer(run);
    run->result->unfinished = false;
    if (run->restarts)
        result_add_note(run->result, "a target had to be restarted %u times", run->restarts);
    result_aggregate(run->result);
    if (!run->request->is_part) {
        check_justifications(run);
        run->result->exits |= gate_exits(run->request->unit.options, &run->result->totals);
    }
    return write_reports(run, err);
}

static bool load_seeds(struct run *run, struct error *err)
{
    const char *directory = run->request->unit.options->seed_input;
    const struct harness_program *program = run->request->unit.program;
    if (!*directory || !program)
        return true;
    if (!seeds_load(&run->seeds, directory, program, &run->arena, err))
        return false;
    for (size_t i = 0; i < run->seeds.notes.count; i++)
        result_add_note(run->result, "%s", run->seeds.notes.items[i]);
    return true;
}

// A test that cannot be read is told of before anything is built.
static bool check_seed_test(struct run *run, struct error *err)
{
    const char *path = run->request->unit.options->seed_test;
    struct buf text = BUF_INIT;
    struct testfile test;
    bool good =
        !*path || (fs_read(path, &text, err) &&
                   testfile_read(&test, path, buf_text(&text), text.length, &run->arena, err));
    buf_release(&text);
    return good || error_context(err, "--seed-test");
}

static bool load_preconditions(struct run *run, struct error *err)
{
    run->build = run->request->unit;
    const char *path = assumptions_file(run->build.options, run->build.home,
                                        run->build.files[0].source, &run->arena);
    run->build.preconditions = &run->preconditions;
    if (path)
        run->result->project_file = arena_strdup(&run->result->arena, path);
    if (path && *run->build.options->pre && !fs_exists(path))
        return error_set(err, ERROR_IO, "--pre %s: No such file or directory", path);
    return !path || pre_load(&run->preconditions, path, err);
}

static bool load_justifications(struct run *run, struct error *err)
{
    const struct options *o = run->request->unit.options;
    const char *path =
        run_justifications_file(o, run->build.home, run->build.files[0].source, &run->arena);
    if (path && *o->just && !fs_exists(path))
        return error_set(err, ERROR_IO, "--just %s: No such file or directory", path);
    if (path)
        run->result->just_file = arena_strdup(&run->result->arena, path);
    return !path || justifications_load(&run->justifications, path, err);
}

static void add_source(void *context, const char *path, const char *hash)
{
    result_add_source(context, path, hash);
}

static void add_declarations(struct run *run)
{
    struct result *result = run->result;
    const struct harness *harness = &run->unit.texts[0]->harness;
    for (size_t i = 0; i < harness->declaration_count; i++) {
        const struct harness_declaration *of = &harness->declarations[i];
        result_add_declaration(result, &(struct result_declaration){.kind = of->kind,
                                                                    .owner = of->owner,
                                                                    .name = of->name,
                                                                    .type = of->type,
                                                                    .text = of->text});
    }
    for (size_t i = 1; i < run->unit.text_count; i++)
        result_add_declaration(result,
                               &(struct result_declaration){.kind = DECLARED_FILE,
                                                            .owner = "",
                                                            .name = run->unit.texts[i]->file.source,
                                                            .type = "",
                                                            .text = ""});
}

static bool run_all(struct run *run, struct error *err)
{
    if (!run_claim_directory(directory_of(run), err))
        return false;
    if (!load_seeds(run, err) || !check_seed_test(run, err))
        return false;
    if (!load_preconditions(run, err) || !load_justifications(run, err))
        return false;
    double begin = clock_cpu(), begin_real = clock_now();
    stage(run, "building");
    if (!tolerant_build(&run->build, &run->unit, run->result, &run->arena, err))
        return false;
    if (run->request->digest)
        *run->request->digest = run->unit.digest;
    run->result->setup_seconds = clock_cpu() - begin;
    run->build_seconds = clock_now() - begin_real;
    run->result->file = arena_strdup(&run->result->arena, run->unit.program.source);
    run->result->data_model = model_name(&run->unit.program);
    if (run->unit.program.narrow)
        result_add_note(run->result, "data model ilp32: long and pointers have 32 bits; built and "
                                     "replayed as i386 code");
    for (size_t i = 0; i < run->unit.program.note_count; i++)
        result_add_note(run->result, "%s", run->unit.program.notes[i]);
    if (!run->unit.program.task_count)
        return error_set(err, ERROR_NO_TASKS,
                         "%s has no function to test: it defines no non-static function besides "
                         "main (--static takes the static ones, --task main takes main)",
                         run->unit.program.source);
    if (!make_scratch(run, err) || !clear_old_results(directory_of(run), err))
        return false;
    source_hashes_each(&run->unit, add_source, run->result);
    add_declarations(run);
    return source_hashes_write(&run->unit, directory_of(run), err) && search_tasks(run, err) &&
           finish(run, err);
}

bool run_digest(const struct run_request *request, struct error *err)
{
    struct result nothing;
    struct run run = {.request = request, .result = &nothing};
    result_init(&nothing, request->unit.files[0].source);
    arena_init(&run.arena);
    pre_init(&run.preconditions);
    bool good = load_preconditions(&run, err);
    if (good) {
        run.build.only_digest = true;
        good = unit_build(&run.build, &run.unit, err) &&
               source_hashes_write(&run.unit, directory_of(&run), err);
        *request->digest = run.unit.digest;
        unit_release(&run.unit);
    }
    pre_release(&run.preconditions);
    arena_release(&run.arena);
    result_release(&nothing);
    return good;
}

bool run_unit(const struct run_request *request, struct result *result, struct error *err)
{
    struct run run = {.request = request, .result = result, .start = clock_now()};
    arena_init(&run.arena);
    arena_init(&run.task_arena);
    pre_init(&run.preconditions);
    justifications_init(&run.justifications);
    questions_init(&run.questions);
    result->reproducible = true;
    result->unfinished = true;
    result->version = CADENZA_VERSION;
    result->seed = (uint64_t)request->unit.options->seed;
    result->directory = arena_strdup(
        &result->arena, request->shown_directory ? request->shown_directory : directory_of(&run));
    result->flags = request->unit.files[0].flags;
    char here[4096];
    result->working_directory = arena_strdup(&result->arena, getcwd(here, sizeof here) ? here : "");
    struct buf text = BUF_INIT;
    options_text(request->unit.options, &text);
    result->options = arena_strdup(&result->arena, buf_text(&text));
    buf_release(&text);

    bool good = run_all(&run, err);
    if (!good && interrupt_pending() && run.scratch) {
        struct error ignored = {0};
        write_reports(&run, &ignored);
        interrupt_error(&ignored);
        error_set(err, ERROR_RETRY, "%s; what was found so far is in %s", ignored.text,
                  result->directory);
    }
    unit_release(&run.unit);
    seeds_release(&run.seeds);
    pre_release(&run.preconditions);
    justifications_release(&run.justifications);
    questions_release(&run.questions);
    arena_release(&run.task_arena);
    arena_release(&run.arena);
    return good;
}
