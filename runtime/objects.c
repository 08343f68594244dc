// SPDX-License-Identifier: Apache-2.0
// Which object does an address belong to? The address itself tells the kind: the
// heap and the unit's stack have ranges of their own, everything else is a global.
// Each kind is an array sorted by address and searched by bisection.
//
// Locals are pushed as frames are entered. The stack grows down, so the array is
// in falling order and a push lands at its end or, among the locals of one frame,
// a few places before. Frames that longjmp has left behind are recognised by lying
// below the frame that pushes next.
#define _GNU_SOURCE 1
#include "target_process.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define MAX_LOCALS     (1u << 20)
#define MAX_EXTRA      16
#define MAX_LOCAL_ZONE 32 // bytes behind a local, see the instrumenter's frame.c

static struct czrt_object *globals;
static uint32_t global_count;
static struct czrt_object *locals; // falling addresses
static uint32_t local_count, local_id;
static uintptr_t lowest_local;

static int by_address(const void *left, const void *right)
{
    const struct czrt_object *a = left, *b = right;
    return a->base < b->base ? -1 : a->base > b->base;
}

static void *reserve(size_t size)
{
    void *got = mmap(NULL, size, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (got == MAP_FAILED)
        abort();
    return got;
}

void czrt_objects_init(void)
{
    uint32_t count = (uint32_t)(__stop_cz_globals - __start_cz_globals);
    globals = reserve((count + MAX_EXTRA) * sizeof *globals);
    locals = reserve(MAX_LOCALS * sizeof *locals);
    for (uint32_t i = 0; i < count; i++) {
        const struct czrt_global *from = &__start_cz_globals[i];
        globals[i] =
            (struct czrt_object){(uintptr_t)from->address, from->size,         0,
                                 from->is_const != 0,      from->is_open != 0, from->is_open != 0};
        if (from->padded_size > from->size)
            czrt_shadow_fill((char *)from->address + from->size, WIRE_POISON,
                             from->padded_size - from->size);
    }
    global_count = count;
    qsort(globals, global_count, sizeof *globals, by_address);
    for (uint32_t i = 0; i < count; i++)
        globals[i].id = i + 1;
    czrt_objects_reset();
}

void czrt_object_add_const(const void *address, uint64_t size)
{
    uint32_t at = global_count++;
    struct czrt_object object = {(uintptr_t)address, size, global_count, true, false, false};
    while (at > 0 && globals[at - 1].base > object.base) {
        globals[at] = globals[at - 1];
        at--;
    }
    globals[at] = object;
}

void czrt_objects_reset(void)
{
    local_count = 0;
    local_id = 0;
    czrt_addresses_reset();
    lowest_local = CZRT_STACK_BASE + CZRT_STACK_SIZE;
}

uintptr_t czrt_objects_lowest(void)
{
    return lowest_local;
}

void czrt_object_push(const void *address, uint64_t size)
{
    uintptr_t base = (uintptr_t)address, frame = (uintptr_t)__builtin_frame_address(0);
    // Below the pusher's frame on the same stack: left by longjmp. (A coroutine's stack is far.)
    while (local_count > 0 && frame - locals[local_count - 1].base - 1 < CZRT_STACK_SIZE)
        local_count--;
    if (base < lowest_local)
        lowest_local = base;
    if (local_count == MAX_LOCALS) {
        czrt_loss(WIRE_LOSS_ROOM);
        return;
    }
    uint32_t at = local_count++;
    while (at > 0 && locals[at - 1].base < base) {
        locals[at] = locals[at - 1];
        at--;
    }
    locals[at] = (struct czrt_object){base, size, 0x40000000u + local_id++, false, false, false};
}

// Scopes that a longjmp leaves, or enters again.
static void unmark(uintptr_t from)
{
    const uintptr_t top = CZRT_STACK_BASE + CZRT_STACK_SIZE;
    if (from - CZRT_STACK_BASE >= CZRT_STACK_SIZE) // a coroutine's
        from = lowest_local;
    for (uintptr_t at = from; at < top; at++)
        if (*CZRT_SHADOW(at) == WIRE_ENDED)
            *CZRT_SHADOW(at) = 0;
}

// Frames that a longjmp leaves cannot take their red zones away. Which ones those are
// is in the jump buffer, which nobody may read: all locals lose theirs.
// ... and everything its marks.
void czrt_objects_unguard(void)
{
    unmark((uintptr_t)__builtin_frame_address(0));
    for (uint32_t i = 0; i < local_count; i++) {
        wire_label *shadow = CZRT_SHADOW(locals[i].base + locals[i].size);
        for (unsigned k = 0; k < MAX_LOCAL_ZONE && shadow[k] == WIRE_POISON; k++)
            shadow[k] = 0;
        wire_label *front = CZRT_SHADOW(locals[i].base - CZRT_FRONT_ZONE);
        for (unsigned k = 0; k < CZRT_FRONT_ZONE; k++)
            front[k] = front[k] == WIRE_POISON ? 0 : front[k];
    }
}

uint32_t czrt_object_mark(void)
{
    return local_count;
}

void czrt_object_pop(uint32_t mark)
{
    if (mark < local_count)
        local_count = mark;
    czrt_addresses_reset();
}

static bool contains(const struct czrt_object *object, uintptr_t address)
{
    return address - object->base <= object->size;
}

// The end of one object may be the start of the next: prefer the one that holds it.
static const struct czrt_object *find_global(uintptr_t address)
{
    uint32_t low = 0, high = global_count; // first entry with base > address
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (globals[middle].base <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 && contains(&globals[low - 1], address) ? &globals[low - 1] : NULL;
}

static const struct czrt_object *find_local(uintptr_t address)
{
    uint32_t low = 0, high = local_count; // first entry with base <= address
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (locals[middle].base > address)
            low = middle + 1;
        else
            high = middle;
    }
    return low < local_count && contains(&locals[low], address) ? &locals[low] : NULL;
}

// The global that lies before the address, not further than a red zone away (globals.c of the
// instrumenter).
static const struct czrt_object *global_before(uintptr_t address)
{
    const struct czrt_object *found = NULL;
    for (uint32_t i = 0; i < global_count && globals[i].base <= address; i++)
        found = &globals[i];
    return found && address - found->base - found->size < (found->open ? CZRT_OPEN_ZONE : 256)
               ? found
               : NULL;
}

void czrt_end_if_open(const struct czrt_object *object, const void *address)
{
    if (!object && (uintptr_t)address - CZRT_HEAP_BASE >= CZRT_HEAP_ROOM)
        object = global_before((uintptr_t)address);
    if (!object || !object->open)
        return;
    czrt_loss(WIRE_LOSS_ELEMENTS);
    if (!czrt_running)
        return;
    czrt_end_at_bound();
}

const struct czrt_object *czrt_object_find(const void *address)
{
    uintptr_t at = (uintptr_t)address;
    if (at - CZRT_HEAP_BASE < CZRT_HEAP_ROOM)
        return czrt_heap_find(at);
    const struct czrt_object *local = find_local(at);
    return local ? local : find_global(at);
}
