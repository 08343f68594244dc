// SPDX-License-Identifier: Apache-2.0
// Loops that nothing leaves: from no block of theirs a return, an exit or another loop can
// be reached; a failed assertion is no way out, nor is what a sanitizer adds. What an embedded
// program does forever ends here after a number of turns, in all builds at the same one. Turns are
// counted at the block through which the loop is entered; loops within it do not pass that and
// count nothing. A loop that waits before it is no such loop: the endless one comes after it.
//
// Strongly connected components after Tarjan, without recursion; a component is complete
// before those that lead to it, so one look at its successors tells what it leads to.
#include "instrument/hardware.h"

#include "instrument/pass.h"
#include "program/libc.h"
#include <string.h>

struct visit {
    size_t block;
    unsigned next; // successor to look at
};

struct flow {
    LLVMBasicBlockRef *blocks;
    size_t count;
    struct map numbers;  // block -> number
    size_t *index, *low; // Tarjan's; index 0: not seen
    size_t *component;   // 0: none yet
    bool *on_stack;
    size_t seen, components;
    VEC(size_t) stack;
    VEC(struct visit) visits;
    bool *goes_on; // per component: an end or a loop is in it or behind it
};

static size_t number_of(const struct flow *flow, LLVMBasicBlockRef block)
{
    uint64_t number = 0;
    map_get(&flow->numbers, (uintptr_t)block, &number);
    return (size_t)number;
}

static LLVMValueRef end_of(const struct flow *flow, size_t block)
{
    return LLVMGetBasicBlockTerminator(flow->blocks[block]);
}

static void init(struct flow *flow, LLVMValueRef function, struct arena *arena)
{
    *flow = (struct flow){.count = LLVMCountBasicBlocks(function)};
    flow->blocks = arena_array(arena, LLVMBasicBlockRef, flow->count);
    flow->index = arena_array(arena, size_t, flow->count);
    flow->low = arena_array(arena, size_t, flow->count);
    flow->component = arena_array(arena, size_t, flow->count);
    flow->on_stack = arena_array(arena, bool, flow->count);
    flow->goes_on = arena_array(arena, bool, flow->count + 1);
    LLVMGetBasicBlocks(function, flow->blocks);
    map_init(&flow->numbers);
    for (size_t k = 0; k < flow->count; k++)
        map_put(&flow->numbers, (uintptr_t)flow->blocks[k], k);
}

static void release(struct flow *flow)
{
    map_release(&flow->numbers);
    VEC_RELEASE(&flow->stack);
    VEC_RELEASE(&flow->visits);
}

static void count_turns(struct hardware *h, LLVMBasicBlockRef block)
{
    LLVMValueRef first = LLVMGetFirstInstruction(block);
    while (LLVMIsAPHINode(first))
        first = LLVMGetNextInstruction(first);
    hardware_before(h, first);
    LLVMValueRef most = LLVMConstInt(h->i32, h->request->turns, 0);
    hardware_call(h, "cz_hw_turn", h->nothing, &most, 1);
}

// Is this end of a function one that the code does not mean to reach?
static bool is_failure(LLVMBasicBlockRef block)
{
    static const char *const traps[] = {"__ubsan_", "llvm.trap", "llvm.ubsantrap", NULL};
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        if (!LLVMIsACallInst(i) || !LLVMIsAFunction(LLVMGetCalledValue(i)))
            continue;
        const char *name = pass_name(LLVMGetCalledValue(i));
        if (libc_is_failure(name))
            return true;
        for (size_t k = 0; traps[k]; k++)
            if (strncmp(name, traps[k], strlen(traps[k])) == 0)
                return true;
    }
    return false;
}

// What the blocks of the newest component do: come back to it, lead on, return.
struct nature {
    bool cycle, goes_on;
};

static struct nature look(const struct flow *flow, const size_t *members, size_t count)
{
    struct nature n = {0};
    for (size_t m = 0; m < count; m++) {
        LLVMValueRef end = end_of(flow, members[m]);
        n.goes_on |= LLVMIsAReturnInst(end) != NULL ||
                     (LLVMIsAUnreachableInst(end) && !is_failure(flow->blocks[members[m]]));
        for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++) {
            size_t to = flow->component[number_of(flow, LLVMGetSuccessor(end, s))];
            n.cycle |= to == flow->components;
            n.goes_on |= to != flow->components && flow->goes_on[to];
        }
    }
    return n;
}

// The block that other blocks enter the loop by: the first one in the text.
static size_t entrance(const size_t *members, size_t count)
{
    size_t first = members[0];
    for (size_t m = 1; m < count; m++)
        first = members[m] < first ? members[m] : first;
    return first;
}

static void complete(struct hardware *h, struct flow *flow, size_t root)
{
    size_t from = flow->stack.count;
    flow->components++;
    do {
        size_t block = flow->stack.items[--from];
        flow->component[block] = flow->components;
        flow->on_stack[block] = false;
    } while (flow->stack.items[from] != root);
    const size_t *members = flow->stack.items + from;
    size_t count = flow->stack.count - from;
    struct nature nature = look(flow, members, count);
    if (nature.cycle && !nature.goes_on)
        count_turns(h, flow->blocks[entrance(members, count)]);
    flow->goes_on[flow->components] = nature.cycle || nature.goes_on;
    flow->stack.count = from;
}

static void enter(struct flow *flow, size_t block)
{
    flow->index[block] = flow->low[block] = ++flow->seen;
    flow->on_stack[block] = true;
    *VEC_PUSH(&flow->stack) = block;
    *VEC_PUSH(&flow->visits) = (struct visit){block, 0};
}

static void leave(struct hardware *h, struct flow *flow)
{
    size_t block = flow->visits.items[--flow->visits.count].block;
    if (flow->low[block] == flow->index[block])
        complete(h, flow, block);
    if (flow->visits.count) {
        size_t parent = flow->visits.items[flow->visits.count - 1].block;
        if (flow->low[block] < flow->low[parent])
            flow->low[parent] = flow->low[block];
    }
}

void hardware_loops(struct hardware *h)
{
    struct arena arena;
    struct flow flow;
    arena_init(&arena);
    init(&flow, h->function, &arena);
    enter(&flow, 0);
    while (flow.visits.count) {
        struct visit *top = &flow.visits.items[flow.visits.count - 1];
        LLVMValueRef end = end_of(&flow, top->block);
        if (top->next == LLVMGetNumSuccessors(end)) {
            leave(h, &flow);
            continue;
        }
        size_t to = number_of(&flow, LLVMGetSuccessor(end, top->next++)), from = top->block;
        if (!flow.index[to])
            enter(&flow, to);
        else if (flow.on_stack[to] && flow.index[to] < flow.low[from])
            flow.low[from] = flow.index[to];
    }
    release(&flow);
    arena_release(&arena);
}
