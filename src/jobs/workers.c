// SPDX-License-Identifier: Apache-2.0
// A worker sends progress messages, and its campaign at the end.
#include "jobs/workers.h"

#include "base/child.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/tunables.h"
#include "jobs/campaign_record.h"
#include "jobs/process_pool.h"
#include <stdlib.h>

struct finished {
    bool there;
    struct campaign campaign;
};

struct workers {
    const struct workers_request *request;
    struct worker_state *states; // per slot of the pool: the last one
    struct finished *results;    // per task
    size_t task_count, ended;
};

// ---- in the worker ----

struct searcher {
    const struct workers_request *request;
    struct target *target;
    size_t task;
    int fd;
    double last;
};

static void report_progress(const struct campaign *c, void *context)
{
    struct searcher *searcher = context;
    if (clock_now() - searcher->last < TUNABLE_SECONDS(JOBS_PROGRESS_MS))
        return;
    searcher->last = clock_now();
    struct progress_message message = {.state = {.task = searcher->task,
                                                 .covered = c->coverage.covered_count,
                                                 .goals = c->coverage.goal_count,
                                                 .iterations = c->iterations}};
    child_send(searcher->fd, &progress_record, &message);
}

static void report_first(const struct kept_test *test, void *context)
{
    struct searcher *searcher = context;
    if (searcher->request->first_kept)
        searcher->request->first_kept(searcher->target, searcher->task, test,
                                      searcher->request->context);
}

static void render_tests(struct searcher *searcher, struct campaign *c)
{
    for (size_t i = 0; searcher->request->render && i < c->kept.count; i++) {
        struct buf text = BUF_INIT;
        searcher->request->render(searcher->target, searcher->task, &c->kept.items[i], &text,
                                  searcher->request->context);
        c->kept.items[i].text = arena_strdup(&c->arena, buf_text(&text));
        buf_release(&text);
    }
}

static double seconds_of(const struct workers_request *request, size_t task)
{
    return request->seconds ? request->seconds[task] : (double)request->options->seconds;
}

static struct target *start_target(const struct workers_request *request, size_t task, double start,
                                   struct error *err)
{
    struct target_options options = request->target;
    struct buf scratch = BUF_INIT;
    buf_printf(&scratch, "%s/%zu", options.scratch, task);
    if (seconds_of(request, task) > 0) // constructors of the code under test may not end
        options.deadline = start + seconds_of(request, task);
    options.assumed = request->assumed ? request->assumed[task] : 0;
    options.scratch = scratch.data; // lives as long as the process
    return fs_make_dirs(scratch.data, err) ? target_start(&options, err) : NULL;
}

// A campaign that says that there was none.
static void make_failed(struct campaign *c, const struct program *program, size_t task)
{
    *c = (struct campaign){.end = CAMPAIGN_FAILED};
    arena_init(&c->arena);
    coverage_init(&c->coverage, program, task);
    c->dead = arena_array(&c->arena, bool, 2 * program->branch_count);
    c->assumed = c->dead_always = c->behind_fault = c->dead;
}

static void search_task(void *context, size_t task, int fd)
{
    const struct workers *w = context;
    const struct workers_request *request = w->request;
    struct searcher searcher = {.request = request, .task = task, .fd = fd};
    struct campaign campaign = {.end = CAMPAIGN_FAILED};
    struct error err = {0};
    double start = clock_now();
    searcher.target = start_target(request, task, start, &err);
    if (searcher.target) {
        struct campaign_request search = {.unit = request->unit,
                                          .task = task,
                                          .target = searcher.target,
                                          .options = request->options,
                                          .start = start,
                                          .seconds = seconds_of(request, task),
                                          .seeds = request->seeds,
                                          .progress = report_progress,
                                          .first_kept = report_first,
                                          .context = &searcher};
        campaign_run(&search, &campaign);
        render_tests(&searcher, &campaign);
    } else {
        make_failed(&campaign, &request->unit->program, task);
        campaign.failure = err;
        campaign.seconds = clock_now() - start;
    }
    struct buf out = BUF_INIT;
    campaign_save(&campaign, &out);
    child_send_bytes(fd, &out);
    target_stop(searcher.target);
}

// ---- in the parent ----

static void tell(struct workers *w, unsigned slot, bool ended)
{
    struct worker_state *state = &w->states[slot];
    state->worker = slot;
    state->ended = ended;
    state->tasks = w->task_count;
    state->tasks_ended = w->ended;
    if (w->request->progress)
        w->request->progress(state, w->request->context);
}

static bool task_begins(void *context, size_t task, unsigned slot, struct error *err)
{
    struct workers *w = context;
    (void)err;
    w->states[slot] = (struct worker_state){.task = task};
    tell(w, slot, false);
    return true;
}

static bool hear_progress(struct workers *w, unsigned slot, const struct record_frame *frame)
{
    struct progress_message said;
    struct arena arena;
    arena_init(&arena);
    bool good = record_read(&progress_record, frame, NULL, &arena, &said, NULL);
    if (good) { // the rest the parent knows better
        w->states[slot].covered = said.state.covered;
        w->states[slot].goals = said.state.goals;
        w->states[slot].iterations = said.state.iterations;
        tell(w, slot, false);
    }
    arena_release(&arena);
    return good;
}

static bool hear_worker(void *context, size_t task, unsigned slot, const struct record_frame *frame)
{
    struct workers *w = context;
    struct finished *result = &w->results[task];
    if (frame->tag == progress_record.tag)
        return hear_progress(w, slot, frame);
    if (result->there) // nothing comes behind a campaign
        return false;
    result->there = campaign_load(&w->request->unit->program, task, frame, &result->campaign, NULL);
    return result->there;
}

// Its campaign is there, or becomes one that says that it failed.
static void worker_ended(void *context, size_t task, unsigned slot, const struct pool_end *end)
{
    struct workers *w = context;
    struct finished *result = &w->results[task];
    if (result->there && end->garbled)
        campaign_release(&result->campaign);
    if (!result->there || end->garbled) {
        make_failed(&result->campaign, &w->request->unit->program, task);
        error_set(&result->campaign.failure, end->may_work ? ERROR_RETRY : ERROR_INTERNAL,
                  "%s (%s)",
                  end->garbled ? "the worker sent what is no message" : "the worker ended early",
                  end->how);
    }
    result->there = true;
    w->ended++;
    tell(w, slot, true);
}

static bool hand_over(void *context, size_t task, struct error *err)
{
    struct workers *w = context;
    struct finished *result = &w->results[task];
    bool good = w->request->done(task, &result->campaign, w->request->context, err);
    campaign_release(&result->campaign);
    result->there = false;
    return good;
}

static void cut_short(void *context, size_t task)
{
    struct workers *w = context;
    if (w->request->cut_short)
        w->request->cut_short(task, &w->results[task].campaign, w->request->context);
}

// Workers end by themselves with what they have, if they are told to.
bool workers_run(const struct workers_request *request, struct error *err)
{
    struct workers w = {.request = request, .task_count = request->unit->program.task_count};
    struct pool_request pool = {.count = w.task_count,
                                .jobs = request->jobs,
                                .takes = request->tokens,
                                .last_words = TUNABLE_SECONDS(JOBS_WORKER_LAST_MS),
                                .begins = task_begins,
                                .work = search_task,
                                .hears = hear_worker,
                                .ended = worker_ended,
                                .done = hand_over,
                                .left_over = cut_short,
                                .context = &w};
    w.states = xcalloc(request->jobs, sizeof *w.states);
    w.results = xcalloc(w.task_count + 1, sizeof *w.results);
    bool good = pool_run(&pool, err);
    for (size_t i = 0; i < w.task_count; i++)
        if (w.results[i].there)
            campaign_release(&w.results[i].campaign);
    free(w.states);
    free(w.results);
    return good;
}
