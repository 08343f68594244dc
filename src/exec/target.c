// SPDX-License-Identifier: Apache-2.0
// Starting, feeding and restarting the target process. The target has no ASLR and
// a fixed environment, so that addresses, and with them expressions, are the same
// in every run of the tool.
//
// The code under test may write anything into the shared memory, by accident and at any time.
// So the engine never looks there: answers are copied to memory of its own, checked
// (answer.c) and read from that copy. What does not fit costs its executions.
#include "exec/target.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/interrupt.h"
#include "base/jail_command.h"
#include "base/map.h"
#include "base/tunables.h"
#include "exec/answer.h"
#include "exec/pairing.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/wait.h>
#include <unistd.h>

// Room for items in each area. The file is sparse: only what is touched costs.
static const struct {
    size_t header_offset;
    uint64_t items, item_size;
} area_sizes[] = {
    {offsetof(struct wire_header, runs), EXEC_ROOM_RUNS, sizeof(struct wire_run)},
    {offsetof(struct wire_header, inputs), EXEC_ROOM_INPUTS, 1},
    {offsetof(struct wire_header, records), EXEC_ROOM_RECORDS, sizeof(struct wire_record)},
    {offsetof(struct wire_header, vectors), EXEC_ROOM_VECTORS, sizeof(struct wire_vector)},
    {offsetof(struct wire_header, hits), EXEC_ROOM_HITS, sizeof(uint32_t)},
    {offsetof(struct wire_header, uses), EXEC_ROOM_USES, sizeof(uint32_t)},
    {offsetof(struct wire_header, nodes), EXEC_ROOM_NODES, sizeof(struct wire_node)},
    {offsetof(struct wire_header, snapshots), EXEC_ROOM_SNAPSHOTS, sizeof(struct wire_snapshot)},
    {offsetof(struct wire_header, bytes), EXEC_ROOM_BYTES, 1},
    {offsetof(struct wire_header, labels), EXEC_ROOM_LABELS, sizeof(wire_label)},
    {offsetof(struct wire_header, places), EXEC_ROOM_PLACES, sizeof(struct wire_place)},
    {offsetof(struct wire_header, strings), EXEC_ROOM_STRINGS, 1},
};

// Fixed numbers, because argv's length moves the stack.
enum { MEMORY_FD = 200, REQUEST_FD, ANSWER_FD };

static const uint64_t file_limit = (uint64_t)EXEC_FILE_MB << 20;

struct target {
    struct target_options options;
    int memory_fd, messages_fd;
    struct wire_header *shared; // the target writes here
    struct wire_header *wire;   // ... and this is our copy, of the same layout
    uint64_t wire_size;
    pid_t pid; // 0: not running
    struct pairing pairing;
    int request_fd, answer_fd;
    uint64_t token; // of the request under way
    unsigned restarts, spoilt;
    bool garbled;          // the last answer was none
    bool late;             // the last answer did not come in time
    double watchdog;       // seconds; halved whenever it strikes
    double deadline;       // of the clock, 0: none
    bool hit_clock, forks; // some answer did not
    // the batch being put together
    uint32_t task, flags, run_count;
    uint64_t input_bytes;
};

// A 32-bit process has half of it mapped where runtime/target_process.h has left room.
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

// A process starts with the places that are known.
static void share_header(struct target *t)
{
    *t->shared = *t->wire;
    answer_share(t->wire, t->shared);
}

static void write_header(struct target *t)
{
    *t->wire =
        (struct wire_header){.magic = WIRE_MAGIC, .version = WIRE_VERSION, .size = t->wire_size};
    lay_out(t, t->wire);
    t->wire->node_count = t->wire->place_count = 1; // item 0 means "none"
    t->wire->string_count = 1;                      // offset 0 is ""
}

static struct wire_header *map(uint64_t size, int flags, int fd)
{
    void *got = mmap(NULL, size, PROT_READ | PROT_WRITE, flags | MAP_NORESERVE, fd, 0);
    return got == MAP_FAILED ? NULL : got;
}

static bool make_memory(struct target *t, struct error *err)
{
    t->wire_size = lay_out(t, NULL);
    t->memory_fd = memfd_create("cadenza", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (t->memory_fd < 0 || ftruncate(t->memory_fd, (off_t)t->wire_size) != 0)
        return error_errno(err, "cannot make shared memory");
    // Cut short, it would be a bus error here.
    fcntl(t->memory_fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
    t->shared = map(t->wire_size, MAP_SHARED, t->memory_fd);
    t->wire = map(t->wire_size, MAP_PRIVATE | MAP_ANONYMOUS, -1);
    t->messages_fd = memfd_create("messages", MFD_CLOEXEC);
    if (!t->shared || !t->wire || t->messages_fd < 0)
        return error_errno(err, "cannot map shared memory");
    write_header(t);
    return true;
}

static int spawn(struct target *t, int request, int answer, struct error *err)
{
    const char *program[] = {t->options.executable, "200", "201", "202", t->options.scratch, NULL};
    char *environment[] = {(char *)"PATH=/usr/bin:/bin", (char *)"LC_ALL=C", NULL};
    struct jail jail = {.scratch = t->options.scratch,
                        .scratch_size = file_limit,
                        .file_size = file_limit,
                        .memory = t->options.memory,
                        .keep = {MEMORY_FD, REQUEST_FD, ANSWER_FD}};
    struct jail_command command;
    posix_spawn_file_actions_t actions;
    if (!jail_command(&jail, program, &command, err))
        return 0;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, t->memory_fd, MEMORY_FD);
    posix_spawn_file_actions_adddup2(&actions, request, REQUEST_FD);
    posix_spawn_file_actions_adddup2(&actions, answer, ANSWER_FD);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, t->messages_fd, 2);
    // The jail does this for a program in it.
    int usual = personality(0xffffffff);
    if (!jail_is_on())
        personality((unsigned long)usual | ADDR_NO_RANDOMIZE);
    int failed = posix_spawn(&t->pid, command.argv.items[0], &actions, NULL,
                             (char *const *)command.argv.items, environment);
    personality((unsigned long)usual);
    posix_spawn_file_actions_destroy(&actions);
    jail_command_release(&command);
    errno = failed;
    return !failed || error_errno(err, "cannot start the target");
}

// Returns its status as of waitpid.
static int end_process(struct target *t)
{
    int status = 0;
    if (!t->pid)
        return 0;
    pairing_stop(&t->pairing);
    jail_end(t->pid, &status);
    close(t->request_fd);
    close(t->answer_fd);
    t->pid = 0;
    return status;
}

static bool is_over(const struct target *t)
{
    return t->deadline > 0 && clock_now() >= t->deadline;
}

// Waits until there is something to read, or the time is over.
static bool await_answer(const struct target *t, double end)
{
    for (;;) {
        struct pollfd polled = {.fd = t->answer_fd, .events = POLLIN};
        double left = (end - clock_now()) * 1000;
        int ready = poll(&polled, 1,
                         left > BASE_INTERRUPT_MS ? BASE_INTERRUPT_MS
                         : left > 0               ? (int)left + 1
                                                  : 0);
        if (ready > 0 || (ready < 0 && errno != EINTR))
            return ready > 0;
        if (clock_now() >= end || interrupt_pending())
            return false;
    }
}

// Wait until the target has said `expected`. False: it died, said something else, or the
// watchdog's time is over.
static bool wait_for(struct target *t, uint64_t expected)
{
    uint64_t got = 0;
    double end = clock_now() + t->watchdog;
    if (t->deadline > 0 && end > t->deadline + TUNABLE_SECONDS(EXEC_GRACE_MS))
        end = t->deadline + TUNABLE_SECONDS(EXEC_GRACE_MS);
    for (size_t have = 0; have < sizeof got;) {
        t->late = !await_answer(t, end);
        if (t->late) {
            t->hit_clock = true;
            t->watchdog = t->watchdog > 2 * EXEC_WATCHDOG_LEAST_SECONDS
                              ? t->watchdog / 2
                              : EXEC_WATCHDOG_LEAST_SECONDS;
            return false;
        }
        ssize_t more = read(t->answer_fd, (char *)&got + have, sizeof got - have);
        if (more <= 0)
            return false;
        have += (size_t)more;
    }
    t->garbled = got != expected;
    return !t->garbled;
}

static const char *why_not(const struct target *t, int status, char *text, size_t room)
{
    ssize_t length = pread(t->messages_fd, text, room - 1, 0);
    text[length > 0 ? length : 0] = '\0';
    text[strcspn(text, "\n")] = '\0';
    if (*text)
        return text;
    if (t->late)
        snprintf(text, room,
                 "it was not ready in time: a constructor of the code under test does not end");
    else if (jail_hit_limit(WIFEXITED(status) ? WEXITSTATUS(status) : 0))
        snprintf(text, room, "it held too much memory");
    else if (WIFEXITED(status))
        snprintf(text, room, "it left with exit code %d: a constructor may have called exit()",
                 WEXITSTATUS(status));
    else
        snprintf(text, room, "signal %d: a constructor may have crashed", WTERMSIG(status));
    return text;
}

static bool start_process(struct target *t, struct error *err)
{
    int request[2], answer[2];
    if (pipe2(request, O_CLOEXEC) != 0 || pipe2(answer, O_CLOEXEC) != 0)
        return error_errno(err, "cannot make pipes for the target");
    share_header(t);
    if (ftruncate(t->messages_fd, 0) == 0)
        lseek(t->messages_fd, 0, SEEK_SET);
    bool started = spawn(t, request[0], answer[1], err);
    close(request[0]);
    close(answer[1]);
    t->request_fd = request[1];
    t->answer_fd = answer[0];
    if (!started) {
        t->pid = 0;
        close(t->request_fd);
        close(t->answer_fd);
        return false;
    }
    if (wait_for(t, WIRE_READY) && answer_ready(t->shared, t->wire)) {
        pairing_start(&t->pairing, t->pid);
        return true;
    }
    char text[300];
    int status = end_process(t);
    return error_set(err, ERROR_INTERNAL, "the target %s did not start: %s%s",
                     t->options.executable, why_not(t, status, text, sizeof text),
                     t->options.narrow
                         ? " (a 32-bit program, which this system may not run: package "
                           "libc6-i386, the kernel's IA32 emulation)"
                         : "");
}

struct target *target_start(const struct target_options *options, struct error *err)
{
    struct target *t = xcalloc(1, sizeof *t);
    t->options = *options;
    t->watchdog = options->watchdog_seconds;
    t->deadline = options->deadline;
    t->memory_fd = t->messages_fd = -1;
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
    if (t->shared)
        munmap(t->shared, t->wire_size);
    if (t->memory_fd >= 0)
        close(t->memory_fd);
    if (t->messages_fd >= 0)
        close(t->messages_fd);
    free(t);
}

void target_leave(const struct target *t)
{
    pairing_leave(&t->pairing);
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

// The request goes out with inputs and runs as they stand in our copy; the answer comes back there.
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
    answer_request(wire, t->shared, t->input_bytes);
    pairing_look(&t->pairing);
    t->token = hash_mix(t->token + 1);
    t->garbled = false;
    if (write(t->request_fd, &t->token, sizeof t->token) != sizeof t->token ||
        !wait_for(t, t->token))
        return false;
    t->garbled = !answer_take(t->shared, t->wire);
    return !t->garbled;
}

// Not even a child of its own saved the target: say so in the answers that are missing. One
// that takes too long where steps are not counted (a library's loop), that the jail has ended
// for what it held, or that has destroyed its answer, is cut off, no crash.
static void blame_rest(struct target *t, bool cut_off)
{
    for (uint32_t i = t->wire->runs_done; i < t->run_count; i++) {
        struct wire_run *run = run_at(t, i);
        *run = (struct wire_run){.input_offset = run->input_offset,
                                 .input_size = run->input_size,
                                 .status = cut_off ? WIRE_STEPS : WIRE_FAULT,
                                 .fault = cut_off ? WIRE_FAULT_NONE : WIRE_FAULT_SEGV};
        run->losses[WIRE_LOSS_EXTERNAL] = 1;
    }
}

static bool restart(struct target *t, struct error *err)
{
    end_process(t);
    t->restarts++;
    return start_process(t, err);
}

// Ends the process: did it run out of time, or the jail end it for what it held?
static bool hit_limit(struct target *t)
{
    bool late = t->late;
    int status = end_process(t);
    return late || (WIFEXITED(status) && jail_hit_limit(WEXITSTATUS(status)));
}

bool target_renew(struct target *t, struct error *err)
{
    end_process(t);
    t->hit_clock = false;
    t->watchdog = t->options.watchdog_seconds;
    write_header(t);
    return start_process(t, err);
}

// The batch, or what is left of it, has no answer, for want of time or memory as a rule.
static bool cut_off(struct target *t, struct error *err)
{
    end_process(t);
    t->hit_clock = true;
    blame_rest(t, true);
    return is_over(t) || restart(t, err) || is_over(t);
}

bool target_run(struct target *t, struct error *err)
{
    t->wire->runs_done = 0;
    if (is_over(t))
        return cut_off(t, err);
    if (!t->pid && !start_process(t, err))
        return is_over(t) && cut_off(t, err);
    if (t->restarts >= EXEC_RESTARTS)
        t->forks = true;
    if (request_batch(t, t->flags | (t->forks ? (uint32_t)WIRE_FORK : 0)))
        return true;
    // One that has run into a limit alone does so in a child of its own as well.
    bool garbled = t->garbled, limited = hit_limit(t);
    answer_take_done(t->shared, t->wire);
    if (limited && (t->run_count - t->wire->runs_done == 1 || is_over(t)))
        return cut_off(t, err);
    uint32_t flags = (t->flags & ~(uint32_t)WIRE_KEEP_NODES) | WIRE_FORK;
    if (!restart(t, err))
        return is_over(t) && cut_off(t, err);
    if (request_batch(t, flags))
        return true;
    garbled |= t->garbled;
    limited = hit_limit(t);
    answer_take_done(t->shared, t->wire);
    t->spoilt += garbled;
    if (limited || garbled)
        return cut_off(t, err);
    blame_rest(t, false);
    return restart(t, err);
}

const struct wire_run *target_result(const struct target *t, size_t index)
{
    return run_at(t, index);
}

unsigned target_spoilt(const struct target *t)
{
    return t->spoilt;
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
