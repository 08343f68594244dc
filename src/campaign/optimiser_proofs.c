// SPDX-License-Identifier: Apache-2.0
// The process leaves its answers in memory that is shared with the worker, and a byte in a
// pipe after each step. It is niced: the search comes first.
#include "campaign/optimiser_proofs.h"

#include "base/clock.h"
#include "instrument/instrument.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NICENESS = 19 };

enum answer { ANSWER_NONE, ANSWER_GOOD };

struct proofs {
    pid_t pid;
    int fd;
    unsigned over; // steps
    double begin;
    size_t goals, size;
    unsigned char *answers; // per step; shared with the process
    bool *dead;             // per step and goal; behind the answers
};

static _Noreturn void ask(const struct proofs *p, const struct campaign_request *request,
                          const bool *wanted, int fd)
{
    static const enum proof_root roots[PROOFS_STEPS] = {PROOF_ROOT_FUNCTION, PROOF_ROOT_DRIVER,
                                                        PROOF_ROOT_DRIVER_ALONE};
    struct unit *unit = request->unit;
    struct buf shim = BUF_INIT;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    target_leave(request->target);
    if (nice(NICENESS) < 0)
        errno = 0; // then at the usual priority
    buf_printf(&shim, "%s/proof_shim.bc", unit->parts);
    for (int step = 0; step < PROOFS_STEPS; step++) {
        struct error err = {0};
        if (wanted[step] &&
            instrument_prove_dead(unit->bitcode, &unit->program, request->task, shim.data,
                                  roots[step], p->dead + (size_t)step * p->goals, &err))
            p->answers[step] = ANSWER_GOOD;
        if (write(fd, "S", 1) != 1)
            break;
    }
    _exit(0);
}

static bool start_process(struct proofs *p, const struct campaign_request *request,
                          const bool *wanted)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    p->fd = ends[0];
    p->pid = fork();
    if (p->pid == 0) {
        close(ends[0]);
        ask(p, request, wanted, ends[1]);
    }
    close(ends[1]);
    return p->pid > 0;
}

struct proofs *proofs_start(const struct campaign_request *request, const bool wanted[PROOFS_STEPS])
{
    struct proofs *p = xcalloc(1, sizeof *p);
    p->fd = -1;
    p->begin = clock_now();
    p->goals = 2 * request->unit->program.branch_count;
    p->size = PROOFS_STEPS * (1 + p->goals * sizeof(bool));
    p->answers = mmap(NULL, p->size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (p->answers == MAP_FAILED) {
        free(p);
        return NULL;
    }
    p->dead = (bool *)(p->answers + PROOFS_STEPS);
    if (start_process(p, request, wanted))
        return p;
    proofs_stop(p);
    return NULL;
}

// A byte more, or the end of the process.
static bool listen_until(struct proofs *p, double end)
{
    struct pollfd polled = {.fd = p->fd, .events = POLLIN};
    for (;;) {
        double left = (end - clock_now()) * 1000;
        int ready = poll(&polled, 1, left > 1e6 ? 1000000 : left > 0 ? (int)left + 1 : 0);
        char byte;
        if (ready > 0) {
            p->over = read(p->fd, &byte, 1) == 1 ? p->over + 1 : PROOFS_STEPS;
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
    bool good = p->over > (unsigned)step && p->answers[step] == ANSWER_GOOD;
    return good ? p->dead + (size_t)step * p->goals : NULL;
}

double proofs_begin(const struct proofs *p)
{
    return p->begin;
}

void proofs_stop(struct proofs *p)
{
    if (!p)
        return;
    if (p->pid > 0) {
        kill(p->pid, SIGKILL);
        while (waitpid(p->pid, NULL, 0) < 0 && errno == EINTR)
            ;
    }
    if (p->fd >= 0)
        close(p->fd);
    munmap(p->answers, p->size);
    free(p);
}
