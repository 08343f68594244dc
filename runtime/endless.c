// SPDX-License-Identifier: Apache-2.0
// A run that has used up its steps: does it ever end? It is watched for some more steps.
// First, which loop is it: of the loop headers that come round, the one in the outermost
// frame, there the first in the code. Then the whole state is compared at each of its
// turns with one of an earlier turn, after Brent: when it is the same, and no input was
// asked for in between, the loop never ends. Otherwise the run just was too long.
//
// The state is what lies on the stack above this function (saved registers first), the
// variables and the heap of the code under test. Labels are not part of it, but those in
// registers would differ from turn to turn, so no expressions are built any more.
#include "target_process.h"
#include <string.h>

enum {
    LOOK_STEPS = 2000,    // in which a loop has to come round
    WATCH_STEPS = 200000, // in which it has to repeat itself
    DEEP_STEPS = 1 << 20, // in which a recursion has to overflow the stack
    LOOPS = 64,           // (site, frame) remembered while looking
    ATTEMPTS = 4,         // failures at a loop before it is no longer watched
    FAILED = 64,
};
#define MAX_BYTES (64ull << 20) // of states looked at

static struct {
    uint64_t steps, bytes;
    bool found;
    uint32_t site;
    uintptr_t frame;
    uint32_t count;
    struct loop {
        uint32_t site, turns;
        uintptr_t frame;
    } loops[LOOPS];
    uint64_t turn, next; // Brent: the remembered turn moves at powers of two
    uint64_t state[2];
} watch;
static struct {
    uint32_t site, times;
} failed[FAILED]; // for the life of the target

void czrt_endless_begin_run(void)
{
    watch.steps = watch.bytes = watch.count = watch.turn = 0;
    watch.found = false;
}

bool czrt_endless_watched(void)
{
    return watch.steps > 0;
}

static void note_turn(uint32_t site, uintptr_t frame)
{
    for (uint32_t i = 0; i < watch.count; i++)
        if (watch.loops[i].site == site && watch.loops[i].frame == frame) {
            watch.loops[i].turns++;
            return;
        }
    if (watch.count < LOOPS)
        watch.loops[watch.count++] = (struct loop){site, 1, frame};
}

static bool choose_loop(void)
{
    const struct loop *best = NULL;
    for (uint32_t i = 0; i < watch.count; i++) {
        const struct loop *loop = &watch.loops[i];
        if (loop->turns < 2)
            continue;
        if (!best || loop->frame > best->frame ||
            (loop->frame == best->frame && loop->site < best->site))
            best = loop;
    }
    if (best) {
        watch.site = best->site;
        watch.frame = best->frame;
        watch.next = 1;
    }
    return best != NULL;
}

static void mix(uint64_t state[2], const void *from, size_t size)
{
    const unsigned char *bytes = from;
    uint64_t word;
    for (; size; size -= size < 8 ? size : 8, bytes += 8) {
        word = 0;
        memcpy(&word, bytes, size < 8 ? size : 8);
        state[0] = (state[0] ^ word) * 0x9E3779B97F4A7C15ull;
        state[0] ^= state[0] >> 29;
        state[1] = (state[1] + word) * 0xC2B2AE3D27D4EB4Full;
        state[1] ^= state[1] >> 31;
    }
}

// What is outside (other code's memory, the world) is told by counters that only grow.
static void take_state(const uint64_t *registers, uint64_t state[2])
{
    const uintptr_t top = CZRT_STACK_BASE + CZRT_STACK_SIZE;
    const char *data;
    size_t size, stack = top - (uintptr_t)registers, heap = czrt_heap_top() - CZRT_HEAP_BASE;
    czrt_data_range(&data, &size);
    state[0] = state[1] = 1;
    uint64_t asked[] = {czrt_inputs_asked(), czrt_losses[WIRE_LOSS_EXTERNAL], heap};
    mix(state, asked, sizeof asked);
    mix(state, registers, stack);
    mix(state, data, size);
    mix(state, (const void *)CZRT_HEAP_BASE, heap);
    watch.bytes += stack + size + heap;
}

static bool has_failed_often(uint32_t site)
{
    for (uint32_t i = 0; i < FAILED; i++)
        if (failed[i].site == site)
            return failed[i].times >= ATTEMPTS;
    return false;
}

static _Noreturn void give_up(uint32_t site)
{
    for (uint32_t i = 0; watch.found && i < FAILED; i++)
        if (failed[i].site == site || failed[i].times == 0) {
            failed[i].site = site;
            failed[i].times++;
            break;
        }
    czrt_end_by_steps(site);
}

// A turn of the watched loop.
static void compare(const uint64_t *registers)
{
    uint64_t state[2];
    take_state(registers, state);
    if (watch.turn && state[0] == watch.state[0] && state[1] == watch.state[1])
        czrt_fault(WIRE_FAULT_ENDLESS, watch.site, NULL);
    if (++watch.turn >= watch.next) {
        watch.next *= 2;
        memcpy(watch.state, state, sizeof state);
    }
}

// Called by czrt_out_of_steps; `registers` are the callee-saved ones, below the return address.
__attribute__((used)) void czrt_watch(uint32_t site, const uint64_t *registers)
{
    uintptr_t frame = (uintptr_t)registers;
    bool on_stack = frame - CZRT_STACK_BASE < CZRT_STACK_SIZE;
    if (!czrt_running || !on_stack)
        czrt_end_by_steps(site);
    if (watch.steps == 0)
        czrt_record_stop();
    czrt_steps_left = 0;
    watch.steps++;
    if (watch.steps <= LOOK_STEPS) {
        note_turn(site, frame);
        return;
    }
    if (!watch.found && !choose_loop()) {
        if (watch.steps > DEEP_STEPS) // nothing comes round: a recursion, which fills the stack
            czrt_end_by_steps(site);
        return;
    }
    if (!watch.found && has_failed_often(watch.site))
        czrt_end_by_steps(watch.site);
    watch.found = true;
    if (watch.steps > WATCH_STEPS || watch.bytes > MAX_BYTES)
        give_up(watch.site);
    if (site == watch.site && frame == watch.frame)
        compare(registers);
}

#ifdef __x86_64__
// Everything that the caller will still read is in memory or in one of these registers.
__attribute__((naked)) void czrt_out_of_steps(__attribute__((unused)) uint32_t site)
{
    __asm__("push %rbx\n push %rbp\n push %r12\n push %r13\n push %r14\n push %r15\n"
            "mov %rsp, %rsi\n sub $8, %rsp\n"
            "call czrt_watch\n"
            "add $56, %rsp\n ret\n");
}
#elif defined __i386__
__attribute__((naked)) void czrt_out_of_steps(__attribute__((unused)) uint32_t site)
{
    __asm__("push %ebx\n push %ebp\n push %esi\n push %edi\n"
            "mov %esp, %eax\n sub $4, %esp\n" // and two arguments: aligned to 16 again
            "push %eax\n push 28(%esp)\n"
            "call czrt_watch\n"
            "add $12, %esp\n pop %edi\n pop %esi\n pop %ebp\n pop %ebx\n ret\n");
}
#else
void czrt_out_of_steps(uint32_t site)
{
    czrt_end_by_steps(site);
}
#endif
