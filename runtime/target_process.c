// SPDX-License-Identifier: Apache-2.0
// The life of a target: its memory is set up by a constructor that runs before any
// instrumented code, and a batch of runs is executed one after the other in this
// process. A run costs no system call: it is left by siglongjmp from wherever it
// ends, and reset.c undoes what it did.
//
// When that is not enough (WIRE_FORK, or libc's own state may be broken after a
// fault inside it) every run gets a child of its own, which writes its answer into
// the shared mapping. Places that the child added are learned from there.
//
// A program that brings its own main (no target_main.c linked) works too: everything stays
// concrete, and the areas are anonymous memory.
#define _GNU_SOURCE 1
#include "library_state.h"
#include "target_process.h"
#include "../include/cz/driver.h"
#include "own_signals.h"
#include <errno.h>
#include <fenv.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define STACK_GAP 8192 // between our frames and the unit's, see call_unit()

struct wire_header *czrt_wire;
struct czrt_outcome czrt_outcome;
sigjmp_buf czrt_escape;
volatile bool czrt_running;
bool czrt_concolic;
bool czrt_distrust;
int czrt_diagnostics = STDERR_FILENO;
uint64_t czrt_heap_budget = UINT64_MAX;

extern const bool czrt_is_target __attribute__((weak));
extern const struct cz_task cz_tasks[] __attribute__((weak)); // a program has its own main instead

static _Noreturn void die(const char *what)
{
    dprintf(czrt_diagnostics, "target: %s: %s\n", what, strerror(errno));
    _exit(3);
}

static void *map_fixed(uint64_t address, uint64_t size, const char *what)
{
    void *got = mmap((void *)(uintptr_t)address, size, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (got == MAP_FAILED)
        die(what);
    // A huge page would make the first touch of a few bytes clear two megabytes.
    madvise(got, size, MADV_NOHUGEPAGE);
    return got;
}

static uint64_t place_area(struct wire_area *area, uint64_t at, uint64_t room, uint64_t item)
{
    area->offset = at;
    area->room = room;
    return (at + room * item + 63) & ~63ull;
}

// Areas for a program without an engine: enough for what it may note by itself.
static struct wire_header *map_anonymous(void)
{
    struct wire_header plan = {.magic = WIRE_MAGIC, .version = WIRE_VERSION};
    uint64_t end = sizeof plan;
    end = place_area(&plan.runs, end, 1, sizeof(struct wire_run));
    end = place_area(&plan.inputs, end, 64, 1);
    end = place_area(&plan.records, end, 1 << 20, sizeof(struct wire_record));
    end = place_area(&plan.vectors, end, 1 << 16, sizeof(struct wire_vector));
    end = place_area(&plan.hits, end, 1 << 16, sizeof(uint32_t));
    end = place_area(&plan.uses, end, 1 << 16, sizeof(uint32_t));
    end = place_area(&plan.nodes, end, 1 << 22, sizeof(struct wire_node));
    end = place_area(&plan.snapshots, end, 1 << 12, sizeof(struct wire_snapshot));
    end = place_area(&plan.bytes, end, 1 << 24, 1);
    end = place_area(&plan.labels, end, 1 << 22, sizeof(wire_label));
    end = place_area(&plan.places, end, 1 << 12, sizeof(struct wire_place));
    end = place_area(&plan.strings, end, 1 << 16, 1);
    plan.size = end;
    struct wire_header *header = mmap(CZRT_WIRE_ADDRESS, end, PROT_READ | PROT_WRITE,
                                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (header == MAP_FAILED)
        die("mapping the areas");
    *header = plan;
    return header;
}

// What the code under test forks must not write into its parent's answers: it has no shared
// memory, and dies at the first thing that it would note there. Our own children get it.
static void inherit_answers(bool yes)
{
    madvise(czrt_wire, czrt_wire->size, yes ? MADV_DOFORK : MADV_DONTFORK);
}

static struct wire_header *map_shared(const char *descriptor)
{
    int fd = atoi(descriptor);
    struct stat info;
    if (fstat(fd, &info) != 0)
        die("shared memory");
    void *got =
        mmap(CZRT_WIRE_ADDRESS, (size_t)info.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (got == MAP_FAILED)
        die("mapping shared memory");
    close(fd);
    struct wire_header *header = got;
    if ((size_t)info.st_size < sizeof *header || header->magic != WIRE_MAGIC ||
        header->version != WIRE_VERSION || header->size > (uint64_t)info.st_size) {
        fprintf(stderr, "target: the shared memory is not of this version\n");
        _exit(3);
    }
    return header;
}

static void print_statistics(void)
{
    fprintf(stderr, "czrt: %u nodes, %u records, %u places\n", czrt_wire->node_count,
            czrt_wire->record_count, czrt_wire->place_count);
}

__attribute__((constructor(101))) static void init(int argc, char **argv)
{
    bool is_target = &czrt_is_target && argc == 5;
    czrt_shadow_init();
    czrt_wire = is_target ? map_shared(argv[1]) : map_anonymous();
    if (is_target)
        inherit_answers(false);
    czrt_wire->notes |= sizeof(long) == 4 ? WIRE_NOTE_NARROW : 0;
    czrt_core_init();
    czrt_inputs_init();
    czrt_heap_init();
    czrt_objects_init();
    czrt_ctype_init();
    czrt_registers_init();
    czrt_steps_left = INT64_MAX;
    if (is_target) {
        map_fixed(CZRT_STACK_BASE, CZRT_STACK_SIZE, "mapping the stack");
        mprotect((void *)CZRT_STACK_BASE, CZRT_STACK_GUARD, PROT_NONE);
        czrt_faults_init();
    } else if (getenv("CZRT_SYMBOLIC_STATS")) {
        atexit(print_statistics);
    }
}

_Noreturn void czrt_leave(void)
{
    czrt_running = false;
    siglongjmp(czrt_escape, 1);
}

// Everything that the unit's frames touch lies below the gap, and everything that
// the reset afterwards calls lies within it: the reset can clear the unit's part
// without sawing off its own branch.
static __attribute__((noinline)) void call_unit(void (*run)(void))
{
    char gap[STACK_GAP];
    __asm__ volatile("" : : "r"(gap) : "memory"); // or the compiler leaves it out
    run();
    __asm__ volatile("" : : "r"(gap) : "memory");
}

static void default_environment(void)
{
    czrt_library_state_begin_run();
    czrt_set_errno(0);
    if (fegetround() != FE_TONEAREST)
        fesetround(FE_TONEAREST);
    if (fetestexcept(FE_ALL_EXCEPT))
        feclearexcept(FE_ALL_EXCEPT);
}

static __attribute__((noinline)) void run_once(struct wire_run *run)
{
    const uint8_t *inputs = (const uint8_t *)czrt_wire + czrt_wire->inputs.offset;
    czrt_outcome = (struct czrt_outcome){.status = WIRE_OK};
    default_environment();
    czrt_record_begin_run(run);
    czrt_checks_begin_run();
    czrt_endless_begin_run();
    czrt_inputs_begin_run(run, inputs + run->input_offset);
    czrt_assume_begin_run();
    czrt_steps_left = (int64_t)(czrt_wire->step_budget ? czrt_wire->step_budget : INT64_MAX);
    czrt_heap_budget = czrt_wire->heap_budget ? czrt_wire->heap_budget : CZRT_HEAP_ROOM / 2;
    if (sigsetjmp(czrt_escape, 0) == 0) {
        czrt_running = true;
        call_unit(cz_tasks[czrt_wire->task].run);
        czrt_running = false;
    }
    bool ended = czrt_outcome.status == WIRE_OK || czrt_outcome.status == WIRE_EXIT;
    if (ended && czrt_endless_watched()) // beyond its budget, and without records
        czrt_outcome = (struct czrt_outcome){.status = WIRE_STEPS};
    int64_t left = czrt_steps_left > 0 ? czrt_steps_left : 0;
    run->status = czrt_outcome.status;
    run->fault = czrt_outcome.fault;
    run->fault_site = czrt_outcome.fault_site;
    run->fault_address = czrt_outcome.fault_address;
    run->fault_shape = czrt_outcome.fault_shape;
    run->fault_place = czrt_outcome.fault_place;
    run->exit_code = czrt_outcome.exit_code;
    run->steps = czrt_wire->step_budget ? czrt_wire->step_budget - (uint64_t)left : 0;
    czrt_assume_end_run(run);
    czrt_inputs_end_run(run);
    czrt_record_end_run(run);
    czrt_checks_end_run(run);
}

static uint32_t fault_of_signal(int number)
{
    switch (number) {
    case SIGSEGV:
    case SIGBUS: return WIRE_FAULT_SEGV;
    case SIGFPE: return WIRE_FAULT_FPE;
    case SIGILL:
    case SIGTRAP: return WIRE_FAULT_ILLEGAL;
    default: return WIRE_FAULT_ABORT;
    }
}

// In the parent: wait, and say what killed the child if it left no answer.
static void await_child(struct wire_run *run, pid_t child)
{
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    czrt_inputs_adopt();
    if (run->status != WIRE_NOT_RUN)
        return; // it finished; what happened to the process afterwards is no matter
    czrt_inputs_end_dead_run(run);
    run->status = WIRE_FAULT;
    run->fault = WIFSIGNALED(status) ? fault_of_signal(WTERMSIG(status)) : WIRE_FAULT_ABORT;
    if (WIFEXITED(status)) { // left behind our back, e.g. by a library
        run->status = WIRE_EXIT;
        run->fault = WIRE_FAULT_NONE;
        run->exit_code = (uint32_t)WEXITSTATUS(status);
    }
}

// Both ways call run_once from the same depth, so that the unit sees the same
// addresses. The end of its stack is a little below this frame, in call_unit's gap.
static __attribute__((noinline)) void run_somewhere(struct wire_run *run, bool in_child)
{
    static bool clean;
    const uintptr_t top = (uintptr_t)__builtin_frame_address(0) - STACK_GAP / 2;
    pid_t child = 0;
    if (!clean) // what our own start has left on the stack
        czrt_reset(top);
    clean = true;
    *run = (struct wire_run){.input_offset = run->input_offset, .input_size = run->input_size};
    if (in_child) {
        inherit_answers(true);
        child = fork();
        inherit_answers(false);
        if (child < 0)
            die("fork");
        if (child > 0) {
            await_child(run, child);
            return;
        }
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        czrt_signals_only_to_self();
    }
    run_once(run);
    if (in_child)
        _exit(0);
    czrt_reset(top);
}

void czrt_batch(void)
{
    struct wire_header *wire = czrt_wire;
    struct wire_run *runs = (struct wire_run *)((char *)wire + wire->runs.offset);
    wire->runs_done = 0;
    wire->record_count = wire->vector_count = wire->hit_count = wire->use_count = 0;
    czrt_concolic = wire->flags & WIRE_CONCOLIC;
    czrt_uninit_mask = czrt_concolic ? ~(wire_label)0 : 0;
    if (!(wire->flags & WIRE_KEEP_NODES))
        czrt_expr_reset();
    for (uint32_t i = 0; i < wire->run_count && i < wire->runs.room; i++) {
        if (czrt_distrust)
            wire->notes |= WIRE_NOTE_FORKS;
        run_somewhere(&runs[i], wire->flags & WIRE_FORK || czrt_distrust);
        wire->runs_done = i + 1;
    }
}
