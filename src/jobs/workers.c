// SPDX-License-Identifier: Apache-2.0
// Messages of a worker: 'P' and a struct worker_state, any number of them, then 'F' and
// the saved campaign until the end of the stream.
#include "jobs/workers.h"

#include "base/clock.h"
#include "base/fs.h"
#include "base/interrupt.h"
#include "base/proc.h"
#include "campaign/campaign_io.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

struct worker {
    size_t task;
    pid_t pid; // 0: free
    bool has_token;
    int fd;
    struct buf received;
    size_t consumed;           // progress messages taken out so far
    struct worker_state state; // the last one
};

struct finished {
    bool there;
    struct campaign campaign;
};

struct workers {
    const struct workers_request *request;
    struct worker *slots;
    struct finished *results; // per task
    size_t next_start, next_done, task_count, ended;
    unsigned running;
};

// ---- in the worker ----

struct child {
    const struct workers_request *request;
    struct target *target;
    size_t task;
    int fd;
    double last;
};

static void send_bytes(int fd, const void *bytes, size_t length)
{
    const char *at = bytes;
    while (length) {
        ssize_t done = write(fd, at, length);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            _exit(1); // the parent is gone
        at += done;
        length -= (size_t)done;
    }
}

static void report_progress(const struct campaign *c, void *context)
{
    struct child *child = context;
    if (clock_now() - child->last < 0.1)
        return;
    child->last = clock_now();
    struct worker_state state = {.task = child->task,
                                 .covered = c->coverage.covered_count,
                                 .goals = c->coverage.goal_count,
                                 .iterations = c->iterations};
    char message[1 + sizeof state] = {'P'};
    memcpy(message + 1, &state, sizeof state);
    send_bytes(child->fd, message, sizeof message);
}

static void report_first(const struct kept_test *test, void *context)
{
    struct child *child = context;
    if (child->request->first_kept)
        child->request->first_kept(child->target, child->task, test, child->request->context);
}

static void render_tests(struct child *child, struct campaign *c)
{
    for (size_t i = 0; child->request->render && i < c->kept.count; i++) {
        struct buf text = BUF_INIT;
        child->request->render(child->target, child->task, &c->kept.items[i], &text,
                               child->request->context);
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

static _Noreturn void work(const struct workers_request *request, size_t task, int fd)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    struct child child = {.request = request, .task = task, .fd = fd};
    struct campaign campaign = {.end = CAMPAIGN_FAILED};
    struct error err = {0};
    double start = clock_now();
    child.target = start_target(request, task, start, &err);
    if (child.target) {
        struct campaign_request search = {.unit = request->unit,
                                          .task = task,
                                          .target = child.target,
                                          .options = request->options,
                                          .start = start,
                                          .seconds = seconds_of(request, task),
                                          .seeds = request->seeds,
                                          .progress = report_progress,
                                          .first_kept = report_first,
                                          .context = &child};
        campaign_run(&search, &campaign);
        render_tests(&child, &campaign);
    } else {
        make_failed(&campaign, &request->unit->program, task);
        campaign.failure = err;
        campaign.seconds = clock_now() - start;
    }
    struct buf out = BUF_INIT;
    buf_putc(&out, 'F');
    campaign_save(&campaign, &out);
    send_bytes(fd, out.data, out.length);
    target_stop(child.target);
    _exit(0); // nothing of the parent's is to be flushed or freed here
}

// ---- in the parent ----

static void tell(struct workers *w, struct worker *slot, bool ended)
{
    slot->state.worker = (unsigned)(slot - w->slots);
    slot->state.ended = ended;
    slot->state.tasks = w->task_count;
    slot->state.tasks_ended = w->ended;
    if (w->request->progress)
        w->request->progress(&slot->state, w->request->context);
}

// One worker may always run.
static bool may_start(const struct workers *w, bool *has_token)
{
    *has_token = w->request->tokens && w->running && tokens_take(w->request->tokens);
    return !w->request->tokens || !w->running || *has_token;
}

static bool start_worker(struct workers *w, struct worker *slot, bool has_token, struct error *err)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return error_errno(err, "cannot make a pipe for a worker");
    size_t task = w->next_start++;
    pid_t pid = fork();
    if (pid < 0)
        return error_errno(err, "cannot start a worker");
    if (pid == 0) {
        close(ends[0]);
        work(w->request, task, ends[1]);
    }
    close(ends[1]);
    *slot = (struct worker){.task = task,
                            .pid = pid,
                            .has_token = has_token,
                            .fd = ends[0],
                            .received = slot->received};
    w->running++;
    buf_clear(&slot->received);
    slot->state.task = task;
    tell(w, slot, false);
    return true;
}

static void take_progress(struct workers *w, struct worker *slot)
{
    const size_t size = sizeof slot->state;
    while (slot->received.length - slot->consumed >= 1 + size &&
           slot->received.data[slot->consumed] == 'P') {
        struct worker_state said;
        memcpy(&said, slot->received.data + slot->consumed + 1, size);
        slot->consumed += 1 + size;
        slot->state.covered = said.covered; // the rest the parent knows better
        slot->state.goals = said.goals;
        slot->state.iterations = said.iterations;
        tell(w, slot, false);
    }
}

// The worker has ended: its campaign, or one that says that it failed.
static void collect(struct workers *w, struct worker *slot)
{
    int status = 0;
    while (waitpid(slot->pid, &status, 0) < 0 && errno == EINTR)
        ;
    close(slot->fd);
    struct finished *result = &w->results[slot->task];
    const struct program *program = &w->request->unit->program;
    const char *at = buf_text(&slot->received) + slot->consumed;
    size_t left = slot->received.length - slot->consumed;
    struct error err = {0};
    result->there = true;
    if (!left || *at != 'F' ||
        !campaign_load(program, slot->task, at + 1, left - 1, &result->campaign, &err)) {
        make_failed(&result->campaign, program, slot->task);
        error_set(&result->campaign.failure,
                  proc_may_work_later(status) ? ERROR_RETRY : ERROR_INTERNAL,
                  "the worker ended early (%s %d)", WIFSIGNALED(status) ? "signal" : "exit code",
                  WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    }
    slot->pid = 0;
    if (slot->has_token)
        tokens_give(w->request->tokens);
    w->running--;
    w->ended++;
    tell(w, slot, true);
}

static void read_from(struct workers *w, struct worker *slot)
{
    char chunk[65536];
    ssize_t got = read(slot->fd, chunk, sizeof chunk);
    if (got > 0) {
        buf_add(&slot->received, chunk, (size_t)got);
        take_progress(w, slot);
    } else if (got == 0 || errno != EINTR) {
        collect(w, slot);
    }
}

// Wait until some worker has said something, or until there is a token for one more.
static void listen(struct workers *w)
{
    const struct tokens *tokens = w->request->tokens;
    bool wants = tokens && w->next_start < w->task_count && w->running < w->request->jobs;
    struct pollfd *polled = xcalloc(w->request->jobs + 1, sizeof *polled);
    for (unsigned i = 0; i < w->request->jobs; i++)
        polled[i] = (struct pollfd){.fd = w->slots[i].pid ? w->slots[i].fd : -1, .events = POLLIN};
    polled[w->request->jobs] =
        (struct pollfd){.fd = wants ? tokens->ends[0] : -1, .events = POLLIN};
    poll(polled, w->request->jobs + 1, INTERRUPT_MS);
    for (unsigned i = 0; i < w->request->jobs; i++)
        if (w->slots[i].pid && polled[i].revents)
            read_from(w, &w->slots[i]);
    free(polled);
}

static bool hand_over(struct workers *w, struct error *err)
{
    struct finished *result = &w->results[w->next_done];
    bool good = w->request->done(w->next_done, &result->campaign, w->request->context, err);
    campaign_release(&result->campaign);
    result->there = false;
    w->next_done++;
    return good;
}

// Workers end by themselves with what they have, if they are told to; workers_run kills those that
// do not within this time.
#define LAST_WORDS 0.6

static bool end_early(struct workers *w, struct error *err)
{
    double end = clock_now() + LAST_WORDS;
    for (unsigned i = 0; i < w->request->jobs; i++)
        if (w->slots[i].pid)
            kill(w->slots[i].pid, SIGTERM);
    while (w->running && clock_now() < end)
        listen(w);
    for (size_t i = w->next_done; w->request->cut_short && i < w->task_count; i++)
        if (w->results[i].there)
            w->request->cut_short(i, &w->results[i].campaign, w->request->context);
    return interrupt_error(err);
}

// What the parent does with a result (replays, mostly) takes a processor as a search does. So a
// result that is there is handed over before the next search starts: more processes than `jobs`
// would take time from searches that a clock ends.
static bool loop(struct workers *w, struct error *err)
{
    while (w->next_done < w->task_count) {
        if (interrupt_pending())
            return end_early(w, err);
        if (w->results[w->next_done].there) {
            if (!hand_over(w, err))
                return false;
            continue;
        }
        bool has_token;
        for (unsigned i = 0; i < w->request->jobs && w->next_start < w->task_count; i++)
            if (!w->slots[i].pid && may_start(w, &has_token) &&
                !start_worker(w, &w->slots[i], has_token, err))
                return false;
        listen(w);
    }
    return true;
}

bool workers_run(const struct workers_request *request, struct error *err)
{
    struct workers w = {.request = request, .task_count = request->unit->program.task_count};
    w.slots = xcalloc(request->jobs, sizeof *w.slots);
    w.results = xcalloc(w.task_count + 1, sizeof *w.results);
    bool good = loop(&w, err);
    for (unsigned i = 0; i < request->jobs; i++) {
        if (w.slots[i].pid) {
            kill(w.slots[i].pid, SIGKILL);
            waitpid(w.slots[i].pid, NULL, 0);
            close(w.slots[i].fd);
            if (w.slots[i].has_token)
                tokens_give(request->tokens);
        }
        buf_release(&w.slots[i].received);
    }
    for (size_t i = 0; i < w.task_count; i++)
        if (w.results[i].there)
            campaign_release(&w.results[i].campaign);
    free(w.slots);
    free(w.results);
    return good;
}
