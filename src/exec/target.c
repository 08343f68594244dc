// SPDX-License-Identifier: Apache-2.0
// Starting, feeding and restarting the target process. The target has no ASLR and
// a fixed environment, so that addresses, and with them expressions, are the same
// in every run of the tool.
#include "exec/target.h"

#include "base/arena.h"
#include "base/clock.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

// Room for items in each area. The file is sparse: only what is touched costs.
static const struct {
    size_t header_offset;
    uint64_t items, item_size;
} area_sizes[] = {
    {offsetof(struct wire_header, runs), 4096, sizeof(struct wire_run)},
    {offsetof(struct wire_header, inputs), 64u << 20, 1},
    {offsetof(struct wire_header, records), 4u << 20, sizeof(struct wire_record)},
    {offsetof(struct wire_header, vectors), 1u << 20, sizeof(struct wire_vector)},
    {offsetof(struct wire_header, hits), 4u << 20, sizeof(uint32_t)},
    {offsetof(struct wire_header, uses), 4u << 20, sizeof(uint32_t)},
    {offsetof(struct wire_header, nodes), 16u << 20, sizeof(struct wire_node)},
    {offsetof(struct wire_header, snapshots), 1u << 18, sizeof(struct wire_snapshot)},
    {offsetof(struct wire_header, bytes), 64u << 20, 1},
    {offsetof(struct wire_header, labels), 32u << 20, sizeof(wire_label)},
    {offsetof(struct wire_header, places), 1u << 20, sizeof(struct wire_place)},
    {offsetof(struct wire_header, strings), 16u << 20, 1},
};

// A unit that kills its process this often gets a child per run from then on.
enum { RESTARTS_BEFORE_FORKING = 3, NOT_EXECUTED = 127 };

enum { SLICE_MS = 200 };             // between two looks at whether the target is stopped
static const double GRACE = 0.5;     // seconds of a run beyond the deadline
static const double WATCHDOG_LEAST = 1; // seconds that a batch gets in any case

struct target {
    struct target_options options;
    int memory_fd;
    struct wire_header *wire;
    uint64_t wire_size;
    pid_t pid; // 0: not running
    int request_fd, answer_fd;
    unsigned restarts;
    bool late;             // the last answer did not come in time
    double watchdog;       // seconds; halved whenever it strikes
    double deadline;       // of the clock, 0: none
    bool hit_clock, forks; // some answer did not
    // the batch being put together
    uint32_t task, flags, run_count;
    uint64_t input_bytes;
};

// A 32-bit process has half of it mapped where runtime/process.h has left room.
static uint64_t lay_out(const struct target *t, struct wire_header *wire)
{
    uint64_t offset = (sizeof *wire + 4095) & ~4095ull;
    for (size_t i = 0; i < sizeof area_sizes / sizeof *area_sizes; i++) {
        uint64_t items = area_sizes[i].items >> t->options.narrow;
        if (wire) {
            struct wire_area *area = (void *)((char *)wire + area_sizes[i].header_offset);
            *area = (struct wire_area){offset, items};
        }
        offset += (items * area_sizes[i].item_size + 4095) & ~4095ull;
    }
    return offset;
}

static void write_header(struct target *t)
{
    *t->wire = (struct wire_header){.magic = WIRE_MAGIC, .version = WIRE_VERSION,
                                    .size = t->wire_size};
    lay_out(t, t->wire);
    t->wire->node_count = t->wire->place_count = 1; // item 0 means "none"
    t->wire->string_count = 1;                      // offset 0 is ""
}

static bool make_memory(struct target *t, struct error *err)
{
    t->wire_size = lay_out(t, NULL);
    t->memory_fd = memfd_create("cadenza", MFD_CLOEXEC);
    if (t->memory_fd < 0 || ftruncate(t->memory_fd, (off_t)t->wire_size) != 0)
        return error_errno(err, "cannot make shared memory");
    t->wire = mmap(NULL, t->wire_size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE,
                   t->memory_fd, 0);
    if (t->wire == MAP_FAILED) {
        t->wire = NULL;
        return error_errno(err, "cannot map shared memory");
    }
    write_header(t);
    return true;
}

static _Noreturn void become_target(const struct target *t, int request, int answer)
{
    char numbers[3][16];
    // Fixed numbers, because argv's length moves the stack.
    int memory = fcntl(t->memory_fd, F_DUPFD, 200);
    int in = fcntl(request, F_DUPFD, 201), out = fcntl(answer, F_DUPFD, 202);
    snprintf(numbers[0], sizeof numbers[0], "%d", memory);
    snprintf(numbers[1], sizeof numbers[1], "%d", in);
    snprintf(numbers[2], sizeof numbers[2], "%d", out);
    int null = open("/dev/null", O_RDWR);
    for (int fd = 0; fd < 3; fd++)
        dup2(null, fd);
    personality(ADDR_NO_RANDOMIZE);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    char *argv[] = {(char *)"target", numbers[0], numbers[1], numbers[2],
                    (char *)t->options.scratch, NULL};
    char *environment[] = {(char *)"PATH=/usr/bin:/bin", (char *)"LC_ALL=C", NULL};
    execve(t->options.executable, argv, environment);
    _exit(NOT_EXECUTED);
}

static void end_process(struct target *t)
{
    if (!t->pid)
        return;
    kill(t->pid, SIGKILL);
    while (waitpid(t->pid, NULL, 0) < 0 && errno == EINTR)
        ;
    close(t->request_fd);
    close(t->answer_fd);
    t->pid = 0;
}

// A target that stopped itself (SIGSTOP) would never answer.
static bool is_stopped(const struct target *t)
{
    siginfo_t info = {0};
    return waitid(P_PID, (id_t)t->pid, &info, WSTOPPED | WNOHANG | WNOWAIT) == 0 &&
           info.si_pid == t->pid;
}

static bool is_over(const struct target *t)
{
    return t->deadline > 0 && clock_now() >= t->deadline;
}

// Poll in slices until there is an answer, the target is stopped or the time is over.
static bool await_answer(const struct target *t)
{
    struct pollfd polled = {.fd = t->answer_fd, .events = POLLIN};
    double end = clock_now() + t->watchdog;
    if (t->deadline > 0 && end > t->deadline + GRACE)
        end = t->deadline + GRACE;
    for (;;) {
        double left = (end - clock_now()) * 1000;
        int ready = poll(&polled, 1, left > SLICE_MS ? SLICE_MS : left > 0 ? (int)left + 1 : 0);
        if (ready > 0)
            return true;
        if ((ready < 0 && errno != EINTR) || clock_now() >= end || is_stopped(t))
            return false;
    }
}

// Wait for the target's next byte. False: it died, or the watchdog killed it.
static bool wait_for(struct target *t, char expected)
{
    t->late = !await_answer(t);
    if (t->late) {
        t->hit_clock = true;
        t->watchdog = t->watchdog > 2 * WATCHDOG_LEAST ? t->watchdog / 2 : WATCHDOG_LEAST;
    }
    char got = 0;
    return !t->late && read(t->answer_fd, &got, 1) == 1 && got == expected;
}

static bool start_process(struct target *t, struct error *err)
{
    int request[2], answer[2];
    if (pipe2(request, O_CLOEXEC) != 0 || pipe2(answer, O_CLOEXEC) != 0)
        return error_errno(err, "cannot make pipes for the target");
    t->pid = fork();
    if (t->pid < 0)
        return error_errno(err, "cannot start the target");
    if (t->pid == 0)
        become_target(t, request[0], answer[1]);
    close(request[0]);
    close(answer[1]);
    t->request_fd = request[1];
    t->answer_fd = answer[0];
    if (wait_for(t, 'R'))
        return true;
    int status = 0;
    kill(t->pid, SIGKILL);
    waitpid(t->pid, &status, 0);
    close(t->request_fd);
    close(t->answer_fd);
    t->pid = 0;
    if (t->late)
        return error_set(err, ERROR_INTERNAL,
                         "the target %s did not start in time: a constructor of the code under "
                         "test does not end",
                         t->options.executable);
    bool refused = WIFEXITED(status) && WEXITSTATUS(status) == NOT_EXECUTED;
    return error_set(err, ERROR_INTERNAL, "the target %s did not start (%s %d)%s",
                     t->options.executable, WIFEXITED(status) ? "exit code" : "signal",
                     WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status),
                     refused && t->options.narrow
                         ? ": it is a 32-bit program, which this system may not run (package "
                           "libc6-i386; the kernel's IA32 emulation)"
                         : "");
}

struct target *target_start(const struct target_options *options, struct error *err)
{
    struct target *t = xcalloc(1, sizeof *t);
    t->options = *options;
    t->watchdog = options->watchdog_seconds;
    t->deadline = options->deadline;
    t->memory_fd = -1;
    t->forks = options->always_fork;
    if (make_memory(t, err) && start_process(t, err))
        return t;
    target_stop(t);
    return NULL;
}

void target_stop(struct target *t)
{
    if (!t)
        return;
    end_process(t);
    if (t->wire)
        munmap(t->wire, t->wire_size);
    if (t->memory_fd >= 0)
        close(t->memory_fd);
    free(t);
}

const struct wire_header *target_wire(const struct target *t)
{
    return t->wire;
}

const void *target_area(const struct target *t, const struct wire_area *area)
{
    return (const char *)t->wire + area->offset;
}

static struct wire_run *run_at(const struct target *t, size_t index)
{
    return (struct wire_run *)((char *)t->wire + t->wire->runs.offset) + index;
}

void target_begin(struct target *t, uint32_t task, uint32_t flags)
{
    t->task = task;
    t->flags = flags;
    t->run_count = 0;
    t->input_bytes = 0;
}

bool target_add(struct target *t, const void *input, size_t size)
{
    if (t->run_count == t->wire->runs.room || t->input_bytes + size > t->wire->inputs.room)
        return false;
    struct wire_run *run = run_at(t, t->run_count++);
    memset(run, 0, sizeof *run);
    run->input_offset = (uint32_t)t->input_bytes;
    run->input_size = (uint32_t)size;
    if (size)
        memcpy((char *)t->wire + t->wire->inputs.offset + t->input_bytes, input, size);
    t->input_bytes += (size + 15) & ~15ull;
    return true;
}

void target_set_deadline(struct target *t, double deadline)
{
    t->deadline = deadline;
}

void target_set_steps(struct target *t, uint64_t budget)
{
    t->options.step_budget = budget;
}

static bool request_batch(struct target *t, uint32_t flags)
{
    struct wire_header *wire = t->wire;
    wire->task = t->task;
    wire->run_count = t->run_count;
    wire->runs_done = 0;
    wire->flags = flags;
    wire->step_budget = t->options.step_budget;
    wire->heap_budget = t->options.heap_budget;
    wire->record_budget = t->options.record_budget;
    wire->assumed = t->options.assumed;
    return write(t->request_fd, "G", 1) == 1 && wait_for(t, 'D');
}

// Not even a child of its own saved the target: say so in the answers that are missing. One
// that takes too long where steps are not counted (a library's loop) is cut off, no crash.
static void blame_rest(struct target *t)
{
    for (uint32_t i = t->wire->runs_done; i < t->run_count; i++) {
        struct wire_run *run = run_at(t, i);
        *run = (struct wire_run){.input_offset = run->input_offset, .input_size = run->input_size,
                                 .status = t->late ? WIRE_STEPS : WIRE_FAULT,
                                 .fault = t->late ? WIRE_FAULT_NONE : WIRE_FAULT_SEGV};
        run->losses[WIRE_LOSS_EXTERNAL] = 1;
    }
}

static bool restart(struct target *t, struct error *err)
{
    end_process(t);
    t->restarts++;
    return start_process(t, err);
}

bool target_renew(struct target *t, struct error *err)
{
    end_process(t);
    t->hit_clock = false;
    t->watchdog = t->options.watchdog_seconds;
    write_header(t);
    return start_process(t, err);
}

// The batch, or what is left of it, did not run for want of time.
static bool cut_off(struct target *t, struct error *err)
{
    t->late = t->hit_clock = true;
    blame_rest(t);
    end_process(t);
    return is_over(t) || restart(t, err) || is_over(t);
}

bool target_run(struct target *t, struct error *err)
{
    t->wire->runs_done = 0;
    if (is_over(t))
        return cut_off(t, err);
    if (!t->pid && !start_process(t, err))
        return is_over(t) && cut_off(t, err);
    if (t->restarts >= RESTARTS_BEFORE_FORKING)
        t->forks = true;
    if (request_batch(t, t->flags | (t->forks ? (uint32_t)WIRE_FORK : 0)))
        return true;
    // One that does not end in time does not do so in a child of its own either.
    if (t->late && (t->run_count - t->wire->runs_done == 1 || is_over(t)))
        return cut_off(t, err);
    uint32_t flags = (t->flags & ~(uint32_t)WIRE_KEEP_NODES) | WIRE_FORK;
    if (!restart(t, err))
        return is_over(t) && cut_off(t, err);
    if (request_batch(t, flags))
        return true;
    if (t->late)
        return cut_off(t, err);
    blame_rest(t);
    return restart(t, err);
}

const struct wire_run *target_result(const struct target *t, size_t index)
{
    return run_at(t, index);
}

unsigned target_restarts(const struct target *t)
{
    return t->restarts;
}

bool target_hit_clock(const struct target *t)
{
    return t->hit_clock;
}

bool target_forks(const struct target *t)
{
    return t->forks;
}
