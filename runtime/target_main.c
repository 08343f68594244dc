// SPDX-License-Identifier: Apache-2.0
// The target process of the engine: `target SHM_FD REQUEST_FD ANSWER_FD SCRATCH_DIR`.
// Says when it is ready and answers each request with a batch (wire/wire.h). cadenza-jail has
// started it and keeps it from doing harm. The whole loop runs on the unit's stack at a fixed
// address, so that a run needs no switch of stacks. Not linked into programs that have a main of
// their own.
#define _GNU_SOURCE 1
#include "../include/cz/driver.h"
#include "target_process.h"
#include "own_signals.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#define PIPE_FLOOR 900 // descriptors of the protocol: where code under test hardly closes them

const bool czrt_is_target = true;

static int request_fd, answer_fd;

static int move_up(const char *text)
{
    int fd = atoi(text), high = fcntl(fd, F_DUPFD_CLOEXEC, PIPE_FLOOR);
    if (high < 0)
        return fd;
    close(fd);
    return high;
}

// What the code under test prints is of no interest, and its input is empty.
static void silence(void)
{
    int null = open("/dev/null", O_RDWR);
    if (null < 0)
        return;
    dup2(null, STDIN_FILENO);
    dup2(null, STDOUT_FILENO);
    czrt_diagnostics = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, PIPE_FLOOR);
    dup2(null, STDERR_FILENO);
    if (null > STDERR_FILENO)
        close(null);
}

static void settle(const char *scratch)
{
    signal(SIGXFSZ, SIG_IGN); // a write beyond the limit fails instead
    signal(SIGPIPE, SIG_IGN);
    if (chdir(scratch) != 0)
        dprintf(czrt_diagnostics, "target: scratch directory: %s\n", strerror(errno));
}

static bool answer(uint64_t word)
{
    ssize_t n;
    while ((n = write(answer_fd, &word, sizeof word)) < 0 && errno == EINTR)
        ;
    return n == sizeof word;
}

static void serve(void)
{
    uint64_t request;
    ssize_t n;
    bool confined = czrt_signals_are_scoped();
    if (!answer(WIRE_READY))
        _exit(0);
    while ((n = read(request_fd, &request, sizeof request)) == sizeof request ||
           (n < 0 && errno == EINTR)) {
        if (n < 0)
            continue;
        if (!confined && !(czrt_wire->flags & WIRE_FORK))
            confined = czrt_signals_only_to_self(); // not for a fork server: see own_signals.h
        if (czrt_wire->task >= cz_task_count)
            _exit(3);
        czrt_batch();
        if (!answer(request))
            break;
    }
    _exit(0); // without exit handlers: they may belong to the code under test
}

int main(int argc, char **argv)
{
    static ucontext_t context, back;
    if (argc != 5) {
        fprintf(stderr, "usage: %s SHM_FD REQUEST_FD ANSWER_FD SCRATCH_DIR\n", argv[0]);
        return 2;
    }
    request_fd = move_up(argv[2]);
    answer_fd = move_up(argv[3]);
    silence();
    settle(argv[4]);
    czrt_reset_init(); // now that the constructors of the code under test have run
    czrt_wire->goal_count = &czrt_goal_count ? czrt_goal_count : 0;
    czrt_wire->task_count = cz_task_count;
    getcontext(&context);
    context.uc_stack.ss_sp = (void *)(CZRT_STACK_BASE + CZRT_STACK_GUARD);
    context.uc_stack.ss_size = CZRT_STACK_SIZE - CZRT_STACK_GUARD;
    context.uc_link = NULL;
    makecontext(&context, serve, 0);
    swapcontext(&back, &context);
    return 3;
}
