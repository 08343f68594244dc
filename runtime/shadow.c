// SPDX-License-Identifier: Apache-2.0
// Labels in memory: the slow paths of loads and stores at concrete addresses, and
// block moves and fills. One label per byte at CZRT_SHADOW(address); a value of n
// bytes with label L is stored as L, L + 1, ... Also the variables through which
// labels of arguments and results travel.
#include "target_process.h"
#include <string.h>

wire_label czrt_args[CZRT_MAX_ARGS];
const void *czrt_arg_memory[CZRT_MAX_ARGS];
const uint32_t *czrt_arg_classes;
uint32_t czrt_arg_slots;
const void *czrt_callee;
const void *czrt_returned;
wire_label czrt_ret;
wire_label czrt_ret_parts[CZRT_MAX_PARTS];
uint32_t czrt_ret_count;

// The stack pointer of the code that called the function in which this stands.
#define CALLERS_STACK ((uintptr_t)__builtin_frame_address(0) + 2 * sizeof(void *))

// Instrumented code clears the shadow of its frame, but code without instrumentation may hand out
// pointers into its own, where a frame that has returned left its marks. What is above the stack
// pointer of whoever looks is in use. Models get no such pointers.
static bool is_reused(uintptr_t address, uint32_t site, uintptr_t stack)
{
    return site < CZRT_MODEL_SITES &&
           (stack - CZRT_STACK_BASE >= CZRT_STACK_SIZE || address >= stack);
}

static bool is_bad_byte(uintptr_t address, uint32_t site, uintptr_t stack)
{
    wire_label *shadow = CZRT_SHADOW(address);
    if (!WIRE_IS_POISON(*shadow))
        return false;
    if (*shadow != WIRE_RETURNED || !is_reused(address, site, stack))
        return true;
    *shadow = 0;
    return false;
}

// In blocks: the length may be one that wrapped around, gigabytes beyond the red zone.
static bool is_poisoned(const void *address, uint64_t n, uint32_t site, uintptr_t stack)
{
    enum { BLOCK = 1024 };
    const wire_label *shadow = CZRT_SHADOW(address);
    for (uintptr_t at = (uintptr_t)address; n; shadow += BLOCK, at += BLOCK) {
        uint64_t count = n < BLOCK ? n : BLOCK;
        uint32_t found = 0;
        for (uint64_t i = 0; i < count; i++)
            found |= WIRE_IS_POISON(shadow[i]);
        for (uint64_t i = 0; found && i < count; i++)
            if (is_bad_byte(at + i, site, stack))
                return true;
        n -= count;
    }
    return false;
}

// base: the root of the address computation.
static _Noreturn void poison_fault(const void *base, const void *address, uint32_t site)
{
    czrt_end_if_open(czrt_object_find(base), base);
    wire_label mark = *CZRT_SHADOW(address);
    czrt_fault(mark == WIRE_ENDED      ? WIRE_FAULT_SCOPE
               : mark == WIRE_RETURNED ? WIRE_FAULT_RETURNED
                                       : WIRE_FAULT_BOUNDS,
               site, address);
}

void czrt_check_poison(const void *address, uint32_t site)
{
    if (is_bad_byte((uintptr_t)address, site, CALLERS_STACK))
        poison_fault(address, address, site);
}

// A dead local is marked up to here; ASan looks at all of it.
#define MOST_MARKED 4096

void czrt_local_dead(void *local, uint64_t size, uint32_t mark)
{
    if ((uintptr_t)local - CZRT_STACK_BASE < CZRT_STACK_SIZE) // else a coroutine's
        czrt_shadow_fill(local, mark, size < MOST_MARKED ? size : MOST_MARKED);
}

void czrt_local_alive(void *local, uint64_t size, bool is_filled)
{
    if (*CZRT_SHADOW(local) != WIRE_ENDED)
        return; // for the first time
    if (is_filled) {
        czrt_shadow_fill(local, 0, size < MOST_MARKED ? size : MOST_MARKED);
        return;
    }
    memset(local, 0, size);
    czrt_uninit_fill(local, size);
}

static bool is_uninitialised(const wire_label *shadow, uint32_t n)
{
    uint32_t i = 0;
    while (i < n && shadow[i] == CZRT_UNINIT_BYTE)
        i++;
    return i == n;
}

// Beyond its object, or in a buffer that comes with a length.
static wire_label load_poisoned(const void *base, const void *address, uint32_t n, uint32_t site)
{
    const wire_label *shadow = CZRT_SHADOW(address);
    wire_label any = 0;
    if (!czrt_extent_use(address, n, site))
        poison_fault(base, address, site);
    for (uint32_t i = 0; i < n; i++)
        any |= shadow[i];
    return any ? czrt_load(address, n, site) : 0;
}

static inline wire_label load_label(const void *base, const void *address, uint32_t n,
                                    uint32_t site, uintptr_t stack)
{
    const wire_label *shadow = CZRT_SHADOW(address);
    wire_label first = shadow[0];
    uint32_t same = 1;
    if (first == CZRT_UNINIT_BYTE && is_uninitialised(shadow, n))
        return czrt_uninit_label(8 * n);
    while (same < n && shadow[same] == first + same)
        same++;
    if (same == n && first && !WIRE_IS_POISON(first) && WIRE_BYTE(first) == 0 &&
        czrt_width(first) == 8 * n)
        return first;
    if (is_poisoned(address, n, site, stack))
        return load_poisoned(base, address, n, site);
    return czrt_join_bytes(shadow, address, n);
}

wire_label czrt_load(const void *address, uint32_t n, uint32_t site)
{
    return load_label(address, address, n, site, CALLERS_STACK);
}

static inline void store_label(const void *base, void *address, uint32_t n, wire_label label,
                               uint32_t site, uintptr_t stack)
{
    wire_label *shadow = CZRT_SHADOW(address);
    if (is_poisoned(address, n, site, stack) && !czrt_extent_use(address, n, site))
        poison_fault(base, address, site);
    bool uninitialised = label && label == czrt_uninit_reserved(8 * n);
    for (uint32_t i = 0; i < n; i++)
        shadow[i] = uninitialised ? CZRT_UNINIT_BYTE : label ? label + i : 0;
}

void czrt_store(void *address, uint32_t n, wire_label label, uint32_t site)
{
    store_label(address, address, n, label, site, CALLERS_STACK);
}

// Fault when the concrete address is bad.
static void check_address(const void *base, const void *address, const struct czrt_access *access)
{
    if (access->checks & CZRT_CHECK_NULL && CZRT_IS_WILD(address))
        czrt_fault(WIRE_FAULT_NULL, access->site, address);
    if (access->checks & CZRT_CHECK_SIZE &&
        (uintptr_t)address - (uintptr_t)base > access->size - access->bytes) {
        czrt_end_if_open(czrt_object_find(base), base);
        czrt_fault(WIRE_FAULT_BOUNDS, access->site, address);
    }
    if (access->checks & CZRT_CHECK_REACH)
        czrt_reach_check(base, address, access->site);
}

// Fields of what a symbolic pointer points to have a constant distance from it.
static wire_label full_label(wire_label label, const struct czrt_access *access)
{
    return access->offset
               ? czrt_binary(WIRE_ADD, CZRT_POINTER_BITS, label, 0, 0, (uintptr_t)access->offset)
               : label;
}

wire_label czrt_load_slow(const void *base, const void *address, wire_label address_label,
                          const struct czrt_access *access)
{
    address_label = czrt_decided(address_label);
    if (address_label &&
        !czrt_pin_pointer(full_label(address_label, access), address, access->site))
        return czrt_load_symbolic(base, address, full_label(address_label, access), access->bytes,
                                  access->site);
    check_address(base, address, access);
    return load_label(base, address, access->bytes, access->site, CALLERS_STACK);
}

void czrt_store_slow(const void *base, void *address, wire_label address_label, wire_label label,
                     const struct czrt_access *access)
{
    address_label = czrt_decided(address_label);
    if (address_label &&
        !czrt_pin_pointer(full_label(address_label, access), address, access->site)) {
        czrt_store_symbolic(base, address, full_label(address_label, access), access->bytes, label,
                            access->site);
        return;
    }
    check_address(base, address, access);
    store_label(base, address, access->bytes, label, access->site, CALLERS_STACK);
}

// The shadow of memory that is no object of ours may be in pieces (zones.c).
void czrt_shadow_move(void *to, const void *from, uint64_t n)
{
    if (CZRT_PIECE(to, n) == n && CZRT_PIECE(from, n) == n) {
        memmove(CZRT_SHADOW(to), CZRT_SHADOW(from), n * sizeof(wire_label));
        return;
    }
    bool backward = (uintptr_t)to > (uintptr_t)from;
    for (uint64_t i = 0; i < n; i++) {
        uintptr_t at = (uintptr_t)(backward ? n - 1 - i : i);
        *CZRT_SHADOW((uintptr_t)to + at) = *CZRT_SHADOW((uintptr_t)from + at);
    }
}

static void fill_piece(wire_label *shadow, wire_label byte_label, uint64_t n)
{
    if (byte_label == 0)
        memset(shadow, 0, n * sizeof(wire_label));
    else
        for (uint64_t i = 0; i < n; i++)
            shadow[i] = byte_label;
}

void czrt_shadow_fill(void *to, wire_label byte_label, uint64_t n)
{
    uint64_t piece = CZRT_PIECE(to, n);
    fill_piece(CZRT_SHADOW(to), byte_label, piece);
    for (uint64_t done = piece; done < n; done += piece) {
        char *rest = (char *)to + done;
        piece = CZRT_PIECE(rest, n - done);
        fill_piece(CZRT_SHADOW(rest), byte_label, piece);
    }
}

// Symbolic pointers and lengths of block operations: the engine may ask for a
// length beyond the object (the check) or for another value (the pin).
static void range_symbolic(const struct czrt_object *object, const void *p, wire_label p_label,
                           uint64_t n, wire_label n_label, uint32_t site)
{
    if (p_label) // first: which object it is decides what the check says
        czrt_pin(site, p_label, (uintptr_t)p);
    if (object && n_label) {
        uint64_t left = object->base + object->size - (uintptr_t)p;
        if ((uintptr_t)p < object->base)
            left = 0;
        wire_label length = czrt_extend(n_label, 64, false);
        wire_label safe = czrt_binary(WIRE_ULE, 64, length, 0, 0, left);
        czrt_check(site, WIRE_FAULT_BOUNDS, n <= left, safe);
    }
    if (n_label)
        czrt_pin(site, n_label, n);
}

// A length or an index that wrapped around: looking at every byte for a red zone would take
// seconds. Blocks of that size lie in an object, or nowhere.
#define SCANNED_BYTES (1ull << 24)

static bool is_address(uintptr_t p)
{
    return sizeof p < 8 || p >> 46 >> 1 == 0; // of a process
}

static bool is_inside(const struct czrt_object *object, const void *p, uint64_t n)
{
    return object && (uintptr_t)p >= object->base &&
           n <= object->base + object->size - (uintptr_t)p;
}

void czrt_range(const void *base, const void *p, wire_label p_label, uint64_t n, wire_label n_label,
                uint32_t site)
{
    if (n_label && !p_label)
        czrt_extent_use_range(p, n, n_label, site);
    if (p_label | n_label)
        range_symbolic(czrt_object_find(base), p, p_label, n, n_label, site);
    if (n == 0)
        return;
    if (CZRT_IS_WILD(p))
        czrt_fault(WIRE_FAULT_NULL, site, p);
    czrt_reach_check(base, p, site);
    if (n >= CZRT_MOST_BYTES) // a negative length: no object is that large
        czrt_fault(WIRE_FAULT_BOUNDS, site, p);
    if (!is_address((uintptr_t)p) || (n > SCANNED_BYTES && !is_inside(czrt_object_find(p), p, n)))
        czrt_fault(WIRE_FAULT_BOUNDS, site, p);
    if ((is_bad_byte((uintptr_t)p + n - 1, site, CALLERS_STACK) ||
         is_poisoned(p, n, site, CALLERS_STACK)) &&
        !czrt_extent_use(p, n, site))
        poison_fault(base, p, site);
}
