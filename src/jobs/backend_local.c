// SPDX-License-Identifier: Apache-2.0
// Files in processes of this machine, several at a time (process_pool.h). The process of a file has
// the right to one worker and takes tokens for more. It sends what its workers and stages are, and
// its outcome at the end.
#include "jobs/file_jobs.h"

#include "base/child.h"
#include "base/tunables.h"
#include "base/vec.h"
#include "jobs/process_pool.h"
#include <stdlib.h>

struct process { // one per slot of the pool
    bool runs;
    size_t tasks, tasks_ended;
    VEC(unsigned) lines; // worker of the process -> line of the observer, plus one
};

struct finished {
    bool there;
    struct outcome_message outcome;
};

struct files {
    const struct files_request *request;
    struct arena arena; // of outcomes
    struct tokens tokens;
    struct process *processes;
    struct finished *results; // per file
    VEC(bool) used;           // lines of the observer
};

// ---- in the process of a file ----

static void send_stage(void *context, const char *what)
{
    child_send(*(int *)context, &stage_record, &(struct stage_message){what});
}

static void send_state(void *context, const char *task, const struct worker_state *state)
{
    child_send(*(int *)context, &progress_record, &(struct progress_message){*state, task});
}

static void work_on_file(void *context, size_t file, int fd)
{
    const struct files *all = context;
    struct run_observer observer = {send_state, send_stage, &fd};
    struct outcome_message outcome = {0};
    struct buf text = BUF_INIT;
    all->request->work(all->request->context, file, &observer, &all->tokens, &outcome, &text);
    if (text.length)
        outcome.text = text.data;
    child_send(fd, &outcome_record, &outcome);
}

// ---- in the parent ----

static bool file_is_done(void *context, size_t file)
{
    struct files *all = context;
    struct finished *result = &all->results[file];
    result->there = all->request->is_done(all->request->context, file);
    result->outcome = (struct outcome_message){.taken_over = true, .text = ""};
    return result->there;
}

static bool file_begins(void *context, size_t file, unsigned slot, struct error *err)
{
    struct files *all = context;
    struct process *process = &all->processes[slot];
    process->runs = true;
    process->tasks = process->tasks_ended = 0;
    process->lines.count = 0;
    all->results[file] = (struct finished){0};
    return all->request->begins(all->request->context, file, err);
}

// The observer has one line per worker, whichever file it works for.
static unsigned line_of(struct files *all, struct process *process, unsigned worker, bool ended)
{
    while (process->lines.count <= worker)
        *VEC_PUSH(&process->lines) = 0;
    unsigned *line = &process->lines.items[worker];
    if (!*line) {
        size_t free_line = 0;
        while (free_line < all->used.count && all->used.items[free_line])
            free_line++;
        if (free_line == all->used.count)
            *VEC_PUSH(&all->used) = true;
        all->used.items[free_line] = true;
        *line = (unsigned)free_line + 1;
    }
    unsigned found = *line - 1;
    if (ended) {
        all->used.items[found] = false;
        *line = 0;
    }
    return found;
}

static void observe_state(struct files *all, struct process *process,
                          const struct progress_message *message)
{
    const struct run_observer *observer = &all->request->observer;
    struct worker_state state = message->state;
    if (!observer->searching)
        return;
    process->tasks = state.tasks;
    process->tasks_ended = state.tasks_ended;
    state.worker = line_of(all, process, state.worker, state.ended);
    state.tasks = state.tasks_ended = 0;
    for (unsigned i = 0; i < all->request->jobs; i++) {
        state.tasks += all->processes[i].runs ? all->processes[i].tasks : 0;
        state.tasks_ended += all->processes[i].runs ? all->processes[i].tasks_ended : 0;
    }
    observer->searching(observer->context, message->task, &state);
}

static bool hear_progress(struct files *all, unsigned slot, const struct record_frame *frame,
                          struct arena *arena)
{
    struct progress_message message;
    bool good = record_read(&progress_record, frame, NULL, arena, &message, NULL);
    if (good)
        observe_state(all, &all->processes[slot], &message);
    return good;
}

static bool hear_stage(const struct files *all, const struct record_frame *frame,
                       struct arena *arena)
{
    struct stage_message message;
    const struct run_observer *observer = &all->request->observer;
    bool good = record_read(&stage_record, frame, NULL, arena, &message, NULL);
    if (good && observer->stage)
        observer->stage(observer->context, message.text);
    return good;
}

static bool hear_file(void *context, size_t file, unsigned slot, const struct record_frame *frame)
{
    struct files *all = context;
    struct finished *result = &all->results[file];
    struct arena arena;
    if (result->there) // nothing comes behind an outcome
        return false;
    if (frame->tag == outcome_record.tag) {
        result->there =
            record_read(&outcome_record, frame, NULL, &all->arena, &result->outcome, NULL);
        return result->there;
    }
    arena_init(&arena);
    bool good = frame->tag == stage_record.tag ? hear_stage(all, frame, &arena)
                                               : hear_progress(all, slot, frame, &arena);
    arena_release(&arena);
    return good;
}

static void process_ended(void *context, size_t file, unsigned slot, const struct pool_end *end)
{
    struct files *all = context;
    struct process *process = &all->processes[slot];
    struct finished *result = &all->results[file];
    process->runs = false;
    for (size_t i = 0; i < process->lines.count; i++)
        if (process->lines.items[i])
            all->used.items[process->lines.items[i] - 1] = false;
    if (result->there && !end->garbled)
        return;
    result->there = true;
    result->outcome = (struct outcome_message){
        .kind = end->may_work ? ERROR_RETRY : ERROR_IO,
        .text = end->garbled ? "its process sent what is no message"
                             : arena_printf(&all->arena, "its process ended early (%s)", end->how)};
}

static bool hand_over(void *context, size_t file, struct error *err)
{
    const struct files *all = context;
    return all->request->done(all->request->context, file, &all->results[file].outcome, err);
}

static void leave_over(void *context, size_t file)
{
    struct error ignored = {0}; // the run is interrupted, which is worse
    hand_over(context, file, &ignored);
}

// The processes of files end by themselves when they are told to, within a second, and write what
// they have. On a busy machine that takes longer: what was found is worth waiting for.
bool backend_local_run(const struct files_request *request, struct error *err)
{
    struct files all = {.request = request};
    if (!tokens_open(&all.tokens, err))
        return false;
    struct pool_request pool = {.count = request->count,
                                .jobs = request->jobs,
                                .gives = &all.tokens,
                                .last_words = TUNABLE_SECONDS(JOBS_FILE_LAST_MS),
                                .is_done = file_is_done,
                                .begins = file_begins,
                                .work = work_on_file,
                                .hears = hear_file,
                                .ended = process_ended,
                                .done = hand_over,
                                .left_over = leave_over,
                                .context = &all};
    arena_init(&all.arena);
    all.processes = xcalloc(request->jobs, sizeof *all.processes);
    all.results = xcalloc(request->count + 1, sizeof *all.results);
    bool good = pool_run(&pool, err);
    for (unsigned i = 0; i < request->jobs; i++)
        VEC_RELEASE(&all.processes[i].lines);
    VEC_RELEASE(&all.used);
    tokens_close(&all.tokens);
    arena_release(&all.arena);
    free(all.processes);
    free(all.results);
    return good;
}
