// SPDX-License-Identifier: Apache-2.0
// The process (base/child.h) sends an answer per step: which goals are dead. It is niced: the
// search comes first.
#include "campaign/optimiser_proofs.h"

#include "base/child.h"
#include "base/clock.h"
#include "base/tunables.h"
#include "instrument/instrument.h"
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

// ---- the answer of a step ----

static bool are_goals(const void *object, const void *context)
{
    const struct proofs_answer *answer = object;
    const size_t *goals = context;
    for (size_t i = 0; goals && i < answer->dead_count; i++)
        if (answer->dead[i] >= *goals)
            return false;
    return true;
}

static const struct record_field answer_fields[] = {
    RECORD_ENUM(struct proofs_answer, step, PROOFS_STEPS),
    RECORD_BOOL(struct proofs_answer, good),
    RECORD_LIST_OF_NUMBERS(struct proofs_answer, dead, dead_count),
    RECORD_END,
};
const struct record_type proofs_answer_record = RECORD_TYPE_WITH_CHECK(
    "list of dead goals", 'D', 1, struct proofs_answer, answer_fields, are_goals);

struct proofs {
    struct child child;
    unsigned over; // steps
    double begin;
    size_t goals;
    struct arena arena;
    bool *dead[PROOFS_STEPS]; // per goal; NULL: no answer
};

// ---- in the process ----

struct asking {
    const struct campaign_request *request;
    const bool *wanted;
    size_t goals;
};

static void send_answer(int fd, enum proofs_step step, const bool *dead, size_t goals)
{
    struct proofs_answer answer = {.step = step, .good = dead != NULL};
    uint32_t *list = xcalloc(goals + 1, sizeof *list);
    for (size_t i = 0; dead && i < goals; i++)
        if (dead[i])
            list[answer.dead_count++] = (uint32_t)i;
    answer.dead = list;
    child_send(fd, &proofs_answer_record, &answer);
    free(list);
}

static void ask(void *context, int fd)
{
    static const enum proof_root roots[PROOFS_STEPS] = {PROOF_ROOT_FUNCTION, PROOF_ROOT_DRIVER,
                                                        PROOF_ROOT_DRIVER_ALONE};
    const struct asking *a = context;
    struct unit *unit = a->request->unit;
    struct buf shim = BUF_INIT;
    target_leave(a->request->target);
    if (nice(CAMPAIGN_PROOFS_NICENESS) < 0)
        errno = 0; // then at the usual priority
    buf_printf(&shim, "%s/proof_shim.bc", unit->parts);
    for (int step = 0; step < PROOFS_STEPS; step++) {
        struct error err = {0};
        bool *dead = xcalloc(a->goals + 1, sizeof *dead);
        bool good = a->wanted[step] &&
                    instrument_prove_dead(unit->bitcode, &unit->program, a->request->task,
                                          shim.data, roots[step], dead, &err);
        send_answer(fd, (enum proofs_step)step, good ? dead : NULL, a->goals);
        free(dead);
    }
}

// ---- in the worker ----

struct proofs *proofs_start(const struct campaign_request *request, const bool wanted[PROOFS_STEPS])
{
    struct proofs *p = xcalloc(1, sizeof *p);
    struct error ignored = {0}; // without proofs, then
    p->begin = clock_now();
    p->goals = 2 * request->unit->program.branch_count;
    arena_init(&p->arena);
    struct asking asking = {request, wanted, p->goals};
    if (child_start(&p->child, ask, &asking, &ignored))
        return p;
    proofs_stop(p);
    return NULL;
}

static void take_answer(struct proofs *p, const struct record_frame *frame)
{
    struct proofs_answer answer;
    // An answer out of order, or none: nothing that follows is believed.
    if (!record_read(&proofs_answer_record, frame, &p->goals, &p->arena, &answer, NULL) ||
        answer.step != p->over) {
        p->over = PROOFS_STEPS;
        return;
    }
    p->over++;
    if (!answer.good)
        return;
    bool *dead = arena_array(&p->arena, bool, p->goals + 1);
    for (size_t i = 0; i < answer.dead_count; i++)
        dead[answer.dead[i]] = true;
    p->dead[answer.step] = dead;
}

// More of what it sends, or its end.
static void hear(struct proofs *p)
{
    struct record_frame frame;
    enum record_found found;
    bool goes_on = child_hear(&p->child);
    while (p->over < PROOFS_STEPS && (found = child_next(&p->child, &frame, NULL)) != RECORD_NONE) {
        if (found == RECORD_WHOLE)
            take_answer(p, &frame);
        else
            p->over = PROOFS_STEPS;
    }
    if (!goes_on)
        p->over = PROOFS_STEPS;
}

static bool listen_until(struct proofs *p, double end)
{
    struct pollfd polled = {.fd = p->child.fd, .events = POLLIN};
    for (;;) {
        double left = (end - clock_now()) * 1000;
        int ready = poll(&polled, 1, left > 1e6 ? 1000000 : left > 0 ? (int)left + 1 : 0);
        if (ready > 0) {
            hear(p);
            return true;
        }
        if (ready == 0 ? clock_now() >= end : errno != EINTR)
            return false;
    }
}

bool proofs_wait(struct proofs *p, enum proofs_step step, double end)
{
    while (p->over <= (unsigned)step)
        if (!listen_until(p, end))
            return false;
    return true;
}

const bool *proofs_dead(const struct proofs *p, enum proofs_step step)
{
    assert(step < PROOFS_STEPS);
    return p->over > (unsigned)step ? p->dead[step] : NULL;
}

double proofs_begin(const struct proofs *p)
{
    return p->begin;
}

void proofs_stop(struct proofs *p)
{
    if (!p)
        return;
    child_release(&p->child);
    arena_release(&p->arena);
    free(p);
}
