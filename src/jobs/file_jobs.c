// SPDX-License-Identifier: Apache-2.0
// The processes of files: starting them, listening to them (messages.h), collecting them.
#include "jobs/file_jobs.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/interrupt.h"
#include "base/proc.h"
#include "base/vec.h"
#include "jobs/messages.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

struct process {
    size_t file;
    pid_t pid; // 0: free
    int fd;
    struct buf received;
    size_t tasks, tasks_ended;
    VEC(unsigned) lines; // worker of the process -> line of the observer, plus one
};

struct finished {
    bool there, died, garbled, retry;
    struct buf outcome;
    char reason[64];
};

struct files {
    const struct files_request *request;
    struct tokens tokens;
    struct process *slots;
    struct finished *results;
    size_t next_start, next_done;
    VEC(bool) used; // lines of the observer
};

// ---- in the process of a file ----

static void send_stage(void *context, const char *what)
{
    struct buf text = BUF_INIT;
    buf_puts(&text, what);
    message_send(*(int *)context, 'S', &text);
    buf_release(&text);
}

static void send_state(void *context, const char *task, const struct worker_state *state)
{
    struct buf text = BUF_INIT;
    buf_add(&text, (const char *)state, sizeof *state);
    buf_puts(&text, task);
    message_send(*(int *)context, 'P', &text);
    buf_release(&text);
}

static _Noreturn void work(struct files *all, size_t file, int fd)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    struct run_observer observer = {send_state, send_stage, &fd};
    struct buf outcome = BUF_INIT;
    all->request->work(all->request->context, file, &observer, &all->tokens, &outcome);
    message_send(fd, 'F', &outcome);
    _exit(0); // nothing of the parent's is to be flushed or freed here
}

// ---- in the parent ----

static bool start_process(struct files *all, struct process *slot, size_t file, struct error *err)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return error_errno(err, "cannot make a pipe for a file");
    all->request->begins(all->request->context, file);
    fflush(NULL);
    pid_t pid = fork();
    if (pid < 0)
        return error_errno(err, "cannot start a process for a file");
    if (pid == 0) {
        close(ends[0]);
        work(all, file, ends[1]);
    }
    close(ends[1]);
    slot->file = file;
    slot->pid = pid;
    slot->fd = ends[0];
    slot->tasks = slot->tasks_ended = 0;
    buf_clear(&slot->received);
    slot->lines.count = 0;
    return true;
}

// The observer has one line per worker, whichever file it works for.
static unsigned line_of(struct files *all, struct process *slot, unsigned worker, bool ended)
{
    while (slot->lines.count <= worker)
        *VEC_PUSH(&slot->lines) = 0;
    unsigned *line = &slot->lines.items[worker];
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

static void observe_state(struct files *all, struct process *slot, const struct message *message)
{
    const struct run_observer *observer = &all->request->observer;
    struct worker_state state;
    char task[128];
    if (!observer->searching || !message_state(message, &state, task, sizeof task))
        return;
    slot->tasks = state.tasks;
    slot->tasks_ended = state.tasks_ended;
    state.worker = line_of(all, slot, state.worker, state.ended);
    state.tasks = state.tasks_ended = 0;
    for (unsigned i = 0; i < all->request->jobs; i++) {
        state.tasks += all->slots[i].pid ? all->slots[i].tasks : 0;
        state.tasks_ended += all->slots[i].pid ? all->slots[i].tasks_ended : 0;
    }
    observer->searching(observer->context, task, &state);
}

static void observe_stage(const struct files *all, const struct message *message)
{
    char stage[64];
    snprintf(stage, sizeof stage, "%.*s", (int)message->length, message->text);
    if (all->request->observer.stage)
        all->request->observer.stage(all->request->observer.context, stage);
}

static void take_messages(struct files *all, struct process *slot)
{
    size_t at = 0;
    struct message message;
    enum message_found found;
    struct finished *result = &all->results[slot->file];
    while ((found = message_take(&slot->received, &at, &message)) == MESSAGE_WHOLE) {
        if (message.kind == 'S')
            observe_stage(all, &message);
        else if (message.kind == 'P')
            observe_state(all, slot, &message);
        else if (!result->there)
            buf_add(&result->outcome, message.text, message.length);
        result->there |= message.kind == 'F';
    }
    if (found == MESSAGE_BROKEN) { // nothing that follows can be understood
        result->garbled = true;
        kill(slot->pid, SIGKILL);
        at = slot->received.length;
    }
    size_t left = slot->received.length - at;
    if (at && left)
        memmove(slot->received.data, slot->received.data + at, left);
    slot->received.length = left;
}

// Its right to a worker goes to the next file, or to those that still run.
static void collect(struct files *all, struct process *slot)
{
    int status = 0;
    while (waitpid(slot->pid, &status, 0) < 0 && errno == EINTR)
        ;
    close(slot->fd);
    slot->pid = 0;
    for (size_t i = 0; i < slot->lines.count; i++)
        if (slot->lines.items[i])
            all->used.items[slot->lines.items[i] - 1] = false;
    struct finished *result = &all->results[slot->file];
    result->died = !result->there || result->garbled;
    result->there = true;
    result->retry = proc_may_work_later(status);
    if (result->garbled)
        snprintf(result->reason, sizeof result->reason, "its process sent what is no message");
    else if (result->died)
        snprintf(result->reason, sizeof result->reason, "its process ended early (%s %d)",
                 WIFSIGNALED(status) ? "signal" : "exit code",
                 WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    if (all->next_start >= all->request->count)
        tokens_give(&all->tokens);
}

static void read_from(struct files *all, struct process *slot)
{
    char chunk[65536];
    ssize_t got = read(slot->fd, chunk, sizeof chunk);
    if (got > 0) {
        buf_add(&slot->received, chunk, (size_t)got);
        take_messages(all, slot);
    } else if (got == 0 || errno != EINTR) {
        collect(all, slot);
    }
}

static void listen(struct files *all)
{
    unsigned jobs = all->request->jobs;
    struct pollfd *polled = xcalloc(jobs, sizeof *polled);
    for (unsigned i = 0; i < jobs; i++)
        polled[i] =
            (struct pollfd){.fd = all->slots[i].pid ? all->slots[i].fd : -1, .events = POLLIN};
    poll(polled, jobs, INTERRUPT_MS);
    for (unsigned i = 0; i < jobs; i++)
        if (all->slots[i].pid && polled[i].revents)
            read_from(all, &all->slots[i]);
    free(polled);
}

static bool start_more(struct files *all, struct error *err)
{
    const struct files_request *r = all->request;
    for (unsigned i = 0; i < r->jobs; i++) {
        while (all->next_start < r->count && r->is_done(r->context, all->next_start))
            all->results[all->next_start++].there = true;
        if (all->next_start == r->count)
            break;
        if (!all->slots[i].pid && !start_process(all, &all->slots[i], all->next_start++, err))
            return false;
    }
    return true;
}

static bool hand_over(struct files *all, struct error *err)
{
    const struct files_request *r = all->request;
    struct finished *result = &all->results[all->next_done];
    bool has_outcome = result->outcome.length && !result->died;
    bool good = r->done(r->context, all->next_done, has_outcome ? &result->outcome : NULL,
                        result->died ? result->reason : NULL, result->died && result->retry, err);
    buf_release(&result->outcome);
    all->next_done++;
    return good;
}

// The processes of files end by themselves when they are told to, within a second, and write what
// they have. On a busy machine that takes longer: what was found is worth waiting for.
#define LAST_WORDS 5.0

static bool end_early(struct files *all, struct error *err)
{
    double end = clock_now() + LAST_WORDS;
    bool running = true;
    for (unsigned i = 0; i < all->request->jobs; i++)
        if (all->slots[i].pid)
            kill(all->slots[i].pid, SIGTERM);
    while (running && clock_now() < end) {
        listen(all);
        running = false;
        for (unsigned i = 0; i < all->request->jobs; i++)
            running |= all->slots[i].pid != 0;
    }
    while (all->next_done < all->request->count && all->results[all->next_done].there &&
           hand_over(all, err))
        ;
    return interrupt_error(err);
}

static bool loop(struct files *all, struct error *err)
{
    for (unsigned i = 0; i + all->request->count < all->request->jobs; i++)
        tokens_give(&all->tokens); // fewer files than workers
    while (all->next_done < all->request->count) {
        if (interrupt_pending())
            return end_early(all, err);
        if (!start_more(all, err))
            return false;
        if (!all->results[all->next_done].there)
            listen(all);
        else if (!hand_over(all, err))
            return false;
    }
    return true;
}

bool files_run(const struct files_request *request, struct error *err)
{
    struct files all = {.request = request};
    if (!tokens_open(&all.tokens, err))
        return false;
    all.slots = xcalloc(request->jobs, sizeof *all.slots);
    all.results = xcalloc(request->count + 1, sizeof *all.results);
    bool good = loop(&all, err);
    for (unsigned i = 0; i < request->jobs; i++) {
        if (all.slots[i].pid) {
            kill(all.slots[i].pid, SIGKILL);
            waitpid(all.slots[i].pid, NULL, 0);
            close(all.slots[i].fd);
        }
        buf_release(&all.slots[i].received);
        VEC_RELEASE(&all.slots[i].lines);
    }
    for (size_t i = 0; i < request->count; i++)
        buf_release(&all.results[i].outcome);
    VEC_RELEASE(&all.used);
    tokens_close(&all.tokens);
    free(all.slots);
    free(all.results);
    return good;
}
