// SPDX-License-Identifier: Apache-2.0
// The heap of the code under test: malloc and its relatives for instrumented code
// only (libc keeps its own). It lies at a fixed address and is forgotten after each
// run, so that every run gets the same addresses.
//
// New blocks are cut off the end of the used part, with a red zone behind each that
// is poisoned in the shadow; the table of blocks is therefore sorted by address and
// kept out of reach of stray writes. A freed block is poisoned and waits in a
// quarantine before its size class may have it again. Fresh memory is zero and, in
// a concolic run, labelled as uninitialised (uninit.c).
#define _GNU_SOURCE 1
#include "library_state.h"
#include "target_process.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define QUARANTINE_BYTES (256u << 10)
#define SMALL_STEP       16
#define SMALL_CLASSES    64 // up to 1024 bytes by steps of 16, then powers of two
#define CLASSES          (SMALL_CLASSES + 40)
#define MAX_ASKED        64
#define LEAST_ZONE       (CZRT_REACH + 16) // from the end of an object on
#define BIG_RESET        (1u << 20)
// Of larger blocks only so much is marked, as uninitialised and as freed, and they are not
// used again: a size that is an input may be anything, and all of its shadow in every run
// would take seconds.
#define LARGE_BLOCK (1u << 20)

enum block_state { LIVE, QUARANTINED, REUSABLE };

struct block {
    struct czrt_object object;
    uint64_t capacity; // bytes from base that belong to the block's class
    uint32_t next;     // in the quarantine or a free list: index + 1
    enum block_state state;
};

static struct block *blocks;
static uint32_t block_count;
static uintptr_t top = CZRT_HEAP_BASE; // end of the used part
static uint64_t live_bytes, quarantined_bytes;
static uint32_t free_lists[CLASSES]; // index + 1 of the first block
static uint32_t quarantine_first, quarantine_last;
static bool lists_used;
static uint32_t asked;     // allocations of this run that could have failed
static bool never_refused; // allocations of this run always succeed

static void *map(void *at, uint64_t size, int flags)
{
    void *got = mmap(at, size, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | flags, -1, 0);
    if (got == MAP_FAILED)
        abort();
    madvise(got, size, MADV_NOHUGEPAGE);
    return got;
}

void czrt_heap_init(void)
{
    map((void *)CZRT_HEAP_BASE, CZRT_HEAP_ROOM, MAP_FIXED_NOREPLACE);
    blocks = map(NULL, CZRT_MAX_BLOCKS * sizeof *blocks, 0);
}

bool czrt_heap_owns(const void *address)
{
    return (uintptr_t)address - CZRT_HEAP_BASE < CZRT_HEAP_ROOM;
}

// ---- Size classes ----

static unsigned class_of(uint64_t size)
{
    if (size <= SMALL_STEP)
        return 0;
    if (size <= SMALL_STEP * SMALL_CLASSES)
        return (unsigned)((size - 1) / SMALL_STEP);
    return SMALL_CLASSES + (64 - 11) - (unsigned)__builtin_clzll(size - 1);
}

static uint64_t class_capacity(unsigned class)
{
    if (class < SMALL_CLASSES)
        return (class + 1) * SMALL_STEP;
    return 2048ull << (class - SMALL_CLASSES);
}

// Wider behind larger blocks, so that an index that is off by a row still lands in it.
static uint64_t red_zone(uint64_t size)
{
    uint64_t zone = size / 8;
    zone = zone < LEAST_ZONE ? LEAST_ZONE : zone > 4096 ? 4096 : zone;
    return (zone + 15) & ~15ull;
}

// ---- Lookup ----

// The last block that starts at or before the address: index + 1, or 0.
static uint32_t find_index(uintptr_t address)
{
    uint32_t low = 0, high = block_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (blocks[middle].object.base <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const struct czrt_object *czrt_heap_find(uintptr_t address)
{
    uint32_t index = find_index(address);
    if (index == 0)
        return NULL;
    const struct block *block = &blocks[index - 1];
    bool inside = block->state == LIVE && address - block->object.base <= block->object.size;
    return inside ? &block->object : NULL;
}

bool czrt_heap_is_freed(uintptr_t address)
{
    uint32_t index = find_index(address);
    return index && blocks[index - 1].state != LIVE &&
           address - blocks[index - 1].object.base < blocks[index - 1].capacity;
}

const struct czrt_object *czrt_heap_nearest(uintptr_t address)
{
    uint32_t index = find_index(address);
    if (index < block_count && blocks[index].object.base - address <= 16)
        return &blocks[index].object; // just before the next one
    return index ? &blocks[index - 1].object : NULL;
}

// ---- Allocation ----

static struct block *reuse(unsigned class)
{
    uint32_t index = free_lists[class];
    if (!index)
        return NULL;
    struct block *block = &blocks[index - 1];
    free_lists[class] = block->next;
    memset((void *)block->object.base, 0, block->capacity);
    return block;
}

static struct block *cut(uint64_t capacity, uint64_t alignment)
{
    uintptr_t lead = block_count == 0 ? 64 : 0; // a red zone in front of the first block
    uintptr_t base = (top + lead + alignment - 1) & ~(alignment - 1);
    uint64_t zone = red_zone(capacity);
    if (block_count == CZRT_MAX_BLOCKS || base + capacity + zone > CZRT_HEAP_BASE + CZRT_HEAP_ROOM)
        czrt_fault(WIRE_FAULT_MEMORY, 0, NULL);
    if (base > top)
        czrt_shadow_fill((void *)top, WIRE_POISON, base - top);
    top = base + capacity + zone;
    struct block *block = &blocks[block_count++];
    *block = (struct block){.capacity = capacity};
    block->object.base = base;
    czrt_shadow_fill((void *)(base + capacity), WIRE_POISON, zone);
    return block;
}

static struct block *allocate(uint64_t size, uint64_t alignment, bool bounded)
{
    if (size > PTRDIFF_MAX) { // as glibc: this one always fails
        czrt_set_errno(ENOMEM);
        return NULL;
    }
    if (size > czrt_heap_budget || live_bytes + size > czrt_heap_budget)
        czrt_fault(WIRE_FAULT_MEMORY, 0, NULL);
    unsigned class = class_of(size);
    bool large = size > LARGE_BLOCK;
    struct block *block = alignment <= 16 && !large ? reuse(class) : NULL;
    if (!block)
        block = cut(large ? (size + 4095) & ~4095ull : class_capacity(class),
                    alignment < 16 ? 16 : alignment);
    block->object.size = size;
    block->object.id = 0x80000000u + (uint32_t)(block - blocks);
    block->object.bounded = bounded;
    block->state = LIVE;
    live_bytes += size;
    czrt_shadow_fill((void *)(block->object.base + size), WIRE_POISON, block->capacity - size);
    return block;
}

static uint64_t marked(uint64_t size)
{
    return size < LARGE_BLOCK ? size : LARGE_BLOCK;
}

static void *label_fresh(struct block *block, bool initialised)
{
    if (!block)
        return NULL;
    wire_label label = initialised ? 0 : CZRT_UNINIT_BYTE & czrt_uninit_mask;
    if (label && block->object.size > LARGE_BLOCK)
        czrt_loss(WIRE_LOSS_ROOM); // the rest of it counts as initialised
    if (label || lists_used)       // never-used memory has clear shadow already
        czrt_shadow_fill((void *)block->object.base, label, marked(block->object.size));
    return (void *)block->object.base;
}

void *czrt_heap_new(uint64_t size, bool bounded)
{
    return label_fresh(allocate(size, 16, bounded), true);
}

// A whole program allocates at every turn: its inputs are elsewhere.
void czrt_never_refuse(void)
{
    never_refused = true;
}

bool czrt_is_program(void)
{
    return never_refused;
}

// Whether an allocation of the code under test fails is an input, for the first ones
// of a run: a loop that allocates must not fill the table of places.
static bool refused(const char *function)
{
    if (!czrt_running)
        return false;
    if (never_refused) {
        czrt_loss(WIRE_LOSS_SUCCESS);
        return false;
    }
    if (asked >= MAX_ASKED) {
        czrt_loss(WIRE_LOSS_CALLS);
        return false;
    }
    asked++;
    if (!czrt_allocation_fails(function))
        return false;
    czrt_set_errno(ENOMEM);
    return true;
}

// For the models and replacements of libc functions that allocate: in a clean build
// those do so inside libc, where no allocation is made to fail.
void *czrt_allocate(size_t size)
{
    czrt_pin_argument(0, size);
    void *got = label_fresh(allocate(size, 16, false), false);
    czrt_ret = 0;
    return got;
}

void *czrt_malloc(size_t size)
{
    czrt_pin_argument(0, size);
    if (refused("malloc"))
        return NULL;
    void *got = label_fresh(allocate(size, 16, false), false);
    czrt_ret = 0;
    return got;
}

void *czrt_calloc(size_t count, size_t size)
{
    uint64_t bytes;
    czrt_pin_argument(0, count);
    czrt_pin_argument(1, size);
    if (refused("calloc"))
        return NULL;
    if (__builtin_mul_overflow(count, size, &bytes))
        bytes = UINT64_MAX;
    void *got = label_fresh(allocate(bytes, 16, false), true);
    czrt_ret = 0;
    return got;
}

static void *allocate_aligned(const char *function, size_t alignment, size_t size)
{
    czrt_ret = 0;
    czrt_pin_argument(0, alignment);
    czrt_pin_argument(1, size);
    if (alignment == 0 || alignment & (alignment - 1)) {
        czrt_set_errno(EINVAL);
        return NULL;
    }
    if (refused(function))
        return NULL;
    void *got = label_fresh(allocate(size, alignment, false), false);
    czrt_ret = 0;
    return got;
}

void *czrt_aligned_alloc(size_t alignment, size_t size)
{
    return allocate_aligned("aligned_alloc", alignment, size);
}

void *czrt_memalign(size_t alignment, size_t size)
{
    return allocate_aligned("memalign", alignment, size);
}

void *czrt_valloc(size_t size)
{
    czrt_pin_argument(0, size);
    return allocate_aligned("valloc", 4096, size);
}

int czrt_posix_memalign(void **to, size_t alignment, size_t size)
{
    czrt_ret = 0;
    czrt_pin_argument(1, alignment);
    czrt_pin_argument(2, size);
    if (alignment < sizeof(void *) || alignment & (alignment - 1))
        return EINVAL;
    if (refused("posix_memalign"))
        return ENOMEM;
    struct block *block = allocate(size, alignment, false);
    if (!block)
        return ENOMEM;
    *to = label_fresh(block, false);
    czrt_shadow_fill(to, 0, sizeof *to);
    czrt_ret = 0;
    return 0;
}

// ---- Release ----

static void leave_quarantine(void)
{
    while (quarantined_bytes > QUARANTINE_BYTES) {
        struct block *block = &blocks[quarantine_first - 1];
        quarantine_first = block->next;
        if (!quarantine_first)
            quarantine_last = 0;
        quarantined_bytes -= block->capacity;
        unsigned class = class_of(block->capacity);
        block->state = REUSABLE;
        block->next = free_lists[class];
        free_lists[class] = (uint32_t)(block - blocks) + 1;
        lists_used = true;
    }
}

static void release(struct block *block)
{
    live_bytes -= block->object.size;
    czrt_extent_forget((void *)block->object.base);
    czrt_shadow_fill((void *)block->object.base, WIRE_POISON, marked(block->capacity));
    block->state = QUARANTINED;
    czrt_addresses_reset();
    czrt_reach_forget();
    block->next = 0;
    uint32_t index = (uint32_t)(block - blocks) + 1;
    if (quarantine_last)
        blocks[quarantine_last - 1].next = index;
    else
        quarantine_first = index;
    quarantine_last = index;
    quarantined_bytes += block->capacity;
    leave_quarantine();
}

// The live block that starts here; anything else of ours is an invalid free. NULL:
// memory that libc handed out (getline, asprintf), which goes back to libc.
static struct block *block_to_free(void *pointer)
{
    if (!czrt_heap_owns(pointer)) {
        uintptr_t at = (uintptr_t)pointer;
        if (CZRT_IS_WILD(at) || at & 15 || czrt_object_find(pointer) ||
            at - CZRT_STACK_BASE < CZRT_STACK_SIZE || czrt_is_program_data(pointer))
            czrt_fault(WIRE_FAULT_FREE, 0, pointer);
        return NULL;
    }
    uint32_t index = find_index((uintptr_t)pointer);
    struct block *block = index ? &blocks[index - 1] : NULL;
    if (!block || block->object.base != (uintptr_t)pointer || block->state != LIVE)
        czrt_fault(WIRE_FAULT_FREE, 0, pointer);
    return block;
}

void czrt_free(void *pointer)
{
    czrt_ret = 0;
    czrt_pin_argument(0, (uintptr_t)pointer);
    if (!pointer)
        return;
    struct block *block = block_to_free(pointer);
    if (block)
        release(block);
    else
        free(pointer);
}

void czrt_cfree(void *pointer)
{
    czrt_free(pointer);
}

static void *regrow(struct block *old, size_t size)
{
    struct block *block = allocate(size, 16, false);
    if (!block)
        return NULL;
    void *to = label_fresh(block, false), *from = (void *)old->object.base;
    size_t kept = old->object.size < size ? old->object.size : size;
    czrt_extent_forget(from);
    memcpy(to, from, kept);
    czrt_shadow_move(to, from, kept);
    release(old);
    return to;
}

void *czrt_realloc(void *pointer, size_t size)
{
    czrt_pin_argument(0, (uintptr_t)pointer);
    czrt_pin_argument(1, size);
    if (!pointer)
        return czrt_malloc(size);
    if (size && refused("realloc"))
        return NULL;
    struct block *old = block_to_free(pointer);
    void *got = NULL;
    if (!old)
        got = realloc(pointer, size);
    else if (size == 0)
        release(old); // as glibc
    else
        got = regrow(old, size);
    czrt_ret = 0;
    return got;
}

void *czrt_reallocarray(void *pointer, size_t count, size_t size)
{
    uint64_t bytes;
    czrt_pin_argument(0, (uintptr_t)pointer);
    czrt_pin_argument(1, count);
    czrt_pin_argument(2, size);
    if (__builtin_mul_overflow(count, size, &bytes))
        bytes = UINT64_MAX;
    if (bytes == 0 && !pointer)
        return czrt_malloc(0);
    if (bytes > PTRDIFF_MAX) {
        czrt_set_errno(ENOMEM);
        czrt_ret = 0;
        return NULL;
    }
    return czrt_realloc(pointer, bytes);
}

size_t czrt_malloc_usable_size(void *pointer)
{
    const struct czrt_object *object = pointer ? czrt_object_find(pointer) : NULL;
    czrt_ret = 0;
    return object ? object->size : 0;
}

// ---- Reset ----

static void clear_poison(void)
{
    czrt_shadow_fill((void *)CZRT_HEAP_BASE, 0,
                     block_count ? blocks[0].object.base - CZRT_HEAP_BASE : 0);
    for (uint32_t i = 0; i < block_count; i++) {
        const struct czrt_object *object = &blocks[i].object;
        uintptr_t end = i + 1 < block_count ? blocks[i + 1].object.base : top;
        uintptr_t from = blocks[i].state == LIVE ? object->base + object->size : object->base;
        czrt_shadow_fill((void *)from, 0, end - from);
    }
}

uintptr_t czrt_heap_top(void)
{
    return top;
}

void czrt_heap_reset(void)
{
    asked = 0;
    never_refused = false;
    if (block_count == 0)
        return;
    czrt_extents_reset();
    czrt_reach_forget();
    bool whole_shadow = czrt_concolic || top - CZRT_HEAP_BASE > BIG_RESET;
    czrt_zero(CZRT_HEAP_BASE, top, whole_shadow);
    if (!whole_shadow)
        clear_poison(); // nothing else was ever stored there
    if (quarantine_first || lists_used)
        memset(free_lists, 0, sizeof free_lists);
    block_count = 0;
    top = CZRT_HEAP_BASE;
    live_bytes = quarantined_bytes = 0;
    quarantine_first = quarantine_last = 0;
    lists_used = false;
}
