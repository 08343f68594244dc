// SPDX-License-Identifier: Apache-2.0
#include "jobs/process_pool.h"

#include "base/child.h"
#include "base/clock.h"
#include "base/interrupt.h"
#include "base/proc.h"
#include "base/tunables.h"
#include <assert.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>

struct slot {
    struct child child;
    size_t piece;
    bool has_token, garbled;
};

struct pool {
    const struct pool_request *request;
    struct slot *slots;
    bool *ended; // per piece
    size_t next_start, next_done;
    unsigned running;
};

static void pool_check(const struct pool *pool)
{
    unsigned running = 0;
    for (unsigned i = 0; i < pool->request->jobs; i++)
        running += pool->slots[i].child.pid != 0;
    assert(running == pool->running);
    assert(pool->next_done <= pool->next_start && pool->next_start <= pool->request->count);
    (void)running;
}

// ---- starting ----

struct piece_of_work {
    const struct pool_request *request;
    size_t piece;
};

static void do_piece(void *context, int fd)
{
    const struct piece_of_work *work = context;
    work->request->work(work->request->context, work->piece, fd);
}

// One process may always run.
static bool may_start(const struct pool *pool, bool *has_token)
{
    const struct tokens *takes = pool->request->takes;
    *has_token = takes && pool->running && tokens_take(takes);
    return !takes || !pool->running || *has_token;
}

static bool start_piece(struct pool *pool, unsigned number, bool has_token, struct error *err)
{
    const struct pool_request *r = pool->request;
    struct slot *slot = &pool->slots[number];
    struct piece_of_work work = {r, pool->next_start};
    slot->piece = pool->next_start++;
    slot->has_token = has_token;
    slot->garbled = false;
    if (!r->begins(r->context, slot->piece, number, err) ||
        !child_start(&slot->child, do_piece, &work, err)) {
        if (has_token)
            tokens_give(r->takes);
        return false;
    }
    pool->running++;
    return true;
}

static void skip_done(struct pool *pool)
{
    const struct pool_request *r = pool->request;
    while (r->is_done && pool->next_start < r->count && r->is_done(r->context, pool->next_start))
        pool->ended[pool->next_start++] = true;
}

static bool start_more(struct pool *pool, struct error *err)
{
    const struct pool_request *r = pool->request;
    bool has_token;
    for (unsigned i = 0; i < r->jobs; i++) {
        skip_done(pool);
        if (pool->next_start == r->count)
            break;
        if (!pool->slots[i].child.pid && may_start(pool, &has_token) &&
            !start_piece(pool, i, has_token, err))
            return false;
    }
    pool_check(pool);
    return true;
}

// ---- listening ----

static void collect(struct pool *pool, unsigned number)
{
    const struct pool_request *r = pool->request;
    struct slot *slot = &pool->slots[number];
    int status = child_end(&slot->child);
    struct pool_end end = {.garbled = slot->garbled,
                           .may_work = !slot->garbled && proc_may_work_later(status)};
    child_describe(status, end.how, sizeof end.how);
    pool->ended[slot->piece] = true;
    pool->running--;
    if (slot->has_token)
        tokens_give(r->takes);
    if (r->gives && pool->next_start >= r->count)
        tokens_give(r->gives);
    r->ended(r->context, slot->piece, number, &end);
}

static void take_records(struct pool *pool, unsigned number)
{
    const struct pool_request *r = pool->request;
    struct slot *slot = &pool->slots[number];
    struct record_frame frame;
    enum record_found found = RECORD_WHOLE;
    while (!slot->garbled && found == RECORD_WHOLE) {
        found = child_next(&slot->child, &frame, NULL);
        slot->garbled =
            found == RECORD_BROKEN ||
            (found == RECORD_WHOLE && !r->hears(r->context, slot->piece, number, &frame));
    }
    if (slot->garbled) { // nothing that follows can be understood
        kill(slot->child.pid, SIGKILL);
        slot->child.taken = slot->child.received.length;
    }
}

static void listen_to(struct pool *pool, unsigned number)
{
    if (child_hear(&pool->slots[number].child))
        take_records(pool, number);
    else
        collect(pool, number);
}

// Wait until some process has said something, or until there is a token for one more.
static void listen_to_all(struct pool *pool)
{
    const struct pool_request *r = pool->request;
    bool wants = r->takes && pool->next_start < r->count && pool->running < r->jobs;
    struct pollfd *polled = xcalloc(r->jobs + 1, sizeof *polled);
    for (unsigned i = 0; i < r->jobs; i++) {
        const struct child *child = &pool->slots[i].child;
        polled[i] = (struct pollfd){.fd = child->pid ? child->fd : -1, .events = POLLIN};
    }
    polled[r->jobs] = (struct pollfd){.fd = wants ? r->takes->ends[0] : -1, .events = POLLIN};
    poll(polled, r->jobs + 1, BASE_INTERRUPT_MS);
    for (unsigned i = 0; i < r->jobs; i++)
        if (pool->slots[i].child.pid && polled[i].revents)
            listen_to(pool, i);
    free(polled);
    pool_check(pool);
}

// ---- ends ----

static bool end_early(struct pool *pool, struct error *err)
{
    const struct pool_request *r = pool->request;
    double end = clock_now() + r->last_words;
    for (unsigned i = 0; i < r->jobs; i++)
        if (pool->slots[i].child.pid)
            kill(pool->slots[i].child.pid, SIGTERM);
    while (pool->running && clock_now() < end)
        listen_to_all(pool);
    for (size_t i = pool->next_done; r->left_over && i < r->count; i++)
        if (pool->ended[i])
            r->left_over(r->context, i);
    return interrupt_error(err);
}

// What the parent does with an end (replays, mostly) takes a processor as a process does. So what
// has ended is handed over before the next piece starts: more processes than `jobs` would take time
// from searches that a clock ends.
static bool work_off(struct pool *pool, struct error *err)
{
    const struct pool_request *r = pool->request;
    for (size_t i = r->count; r->gives && i < r->jobs; i++)
        tokens_give(r->gives); // fewer pieces than processes
    while (pool->next_done < r->count) {
        if (interrupt_pending())
            return end_early(pool, err);
        if (pool->ended[pool->next_done]) {
            if (!r->done(r->context, pool->next_done++, err))
                return false;
            continue;
        }
        if (!start_more(pool, err))
            return false;
        if (!pool->ended[pool->next_done])
            listen_to_all(pool);
    }
    return true;
}

bool pool_run(const struct pool_request *request, struct error *err)
{
    assert(request->jobs && request->work && request->begins && request->hears && request->ended);
    struct pool pool = {.request = request};
    pool.slots = xcalloc(request->jobs, sizeof *pool.slots);
    pool.ended = xcalloc(request->count + 1, sizeof *pool.ended);
    bool good = work_off(&pool, err);
    for (unsigned i = 0; i < request->jobs; i++) {
        if (pool.slots[i].child.pid && pool.slots[i].has_token)
            tokens_give(request->takes);
        child_release(&pool.slots[i].child);
    }
    free(pool.slots);
    free(pool.ended);
    return good;
}
