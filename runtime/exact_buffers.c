// SPDX-License-Identifier: Apache-2.0
// Buffers that come with a length. The object is as large as --elements allows, in all runs,
// because its content is inputs; the code may use as much of it as the length says, which is an
// input, too. Using more is a soft fault: the bytes are there, and the run goes on.
//
// The shadow of such an object is WIRE_POISON, its labels are kept here. So the first use of
// each byte comes here, at no cost for other memory: the predicate "the length reaches so far" is
// recorded, and the bytes up to there get their labels back. What an address that depends
// on inputs reaches is a predicate over both, and shows nothing to accesses that follow.
#include "../include/cz/driver.h"
#include "target_process.h"

#define MAX_EXTENTS 64 // the code may use all of further buffers: alarms are missed, nothing else
#define MAX_HIDDEN  65536 // labels of all of them

static struct extent {
    uintptr_t base;
    uint64_t size;        // of the object
    uint64_t count, unit; // the code may use count * unit bytes of it
    wire_label label;     // of the count, 64 bits
    uint64_t shown;       // bytes from the base that the path has found to be inside
    wire_label *hidden;   // labels of all its bytes; those that are shown are out of date
} extents[MAX_EXTENTS];
static unsigned extent_count;
static wire_label pool[MAX_HIDDEN];
static uint32_t pool_used;

static struct extent *find(const void *p)
{
    for (unsigned i = 0; i < extent_count; i++)
        if ((uintptr_t)p - extents[i].base < extents[i].size)
            return &extents[i];
    return NULL;
}

// Without the check of bounds a store does not look for poison: what it left is newer.
static void show(const struct extent *x, uint64_t to)
{
    wire_label *shadow = CZRT_SHADOW(x->base);
    for (uint64_t i = x->shown; i < to; i++)
        if (shadow[i] == WIRE_POISON)
            shadow[i] = x->hidden[i];
}

static void hide(const struct extent *x)
{
    wire_label *shadow = CZRT_SHADOW(x->base);
    for (uint64_t i = x->shown; i < x->size; i++) {
        x->hidden[i] = shadow[i];
        shadow[i] = WIRE_POISON;
    }
}

static void forget(struct extent *x)
{
    show(x, x->size);
    *x = extents[--extent_count];
}

void czrt_extents_reset(void)
{
    while (extent_count)
        forget(&extents[0]);
    pool_used = 0;
}

void cz_extent(const void *buffer, unsigned long long count, unsigned long unit)
{
    wire_label label = czrt_concolic ? czrt_args[1] : 0;
    czrt_args[0] = czrt_args[1] = czrt_args[2] = 0;
    czrt_ret = 0;
    const struct czrt_object *object =
        czrt_heap_owns(buffer) ? czrt_heap_find((uintptr_t)buffer) : NULL;
    if (!object || object->base != (uintptr_t)buffer || !object->size || !unit)
        return;
    if (find(buffer))
        forget(find(buffer)); // it has another length now
    if (extent_count == MAX_EXTENTS || object->size > MAX_HIDDEN - pool_used)
        return;
    struct extent *x = &extents[extent_count++];
    *x = (struct extent){object->base, object->size, count, unit, label, 0, pool + pool_used};
    pool_used += (uint32_t)object->size;
    hide(x);
}

// ---- Uses ----

static bool is_inside(const struct extent *x, uint64_t end)
{
    return end / x->unit + (end % x->unit != 0) <= x->count;
}

// The predicate that the length reaches to `end`, a number or the value of a label.
static wire_label inside_label(const struct extent *x, wire_label end_label, uint64_t end)
{
    if (!end_label && !x->label)
        return 0;
    if (!end_label)
        return czrt_binary(WIRE_ULE, 64, 0, x->label, end / x->unit + (end % x->unit != 0), 0);
    uint64_t most = x->size / x->unit;
    if (!x->label)
        return czrt_binary(WIRE_ULE, 64, end_label, 0, 0,
                           (x->count < most ? x->count : most + 1) * x->unit);
    if (x->unit == 1)
        return czrt_binary(WIRE_ULE, 64, end_label, x->label, 0, 0);
    wire_label bytes = czrt_binary(WIRE_MUL, 64, x->label, 0, 0, x->unit);
    wire_label fits = czrt_binary(WIRE_ULE, 64, end_label, bytes, 0, 0);
    wire_label large =
        czrt_binary(WIRE_ULT, 64, 0, x->label, most, 0); // where the product may wrap
    return fits && large ? czrt_binary(WIRE_OR, 1, fits, large, 0, 0) : 0;
}

static bool check(struct extent *x, uint64_t end, wire_label label, uint32_t site)
{
    bool inside = is_inside(x, end);
    czrt_check_soft(WIRE_FAULT_LENGTH, site, inside, label);
    if (!inside)
        forget(x);
    return inside;
}

bool czrt_extent_use(const void *p, uint64_t n, uint32_t site)
{
    struct extent *x = find(p);
    if (!x)
        return false;
    uint64_t end = (uintptr_t)p - x->base + n;
    bool is_there = n <= x->size && end <= x->size;
    if (end <= x->shown)
        return true;
    if (check(x, end, inside_label(x, 0, end), site)) {
        uint64_t to = is_there ? end : x->size;
        show(x, to);
        x->shown = to;
    }
    return is_there;
}

void czrt_extent_use_symbolic(const struct czrt_object *object, const void *p, wire_label label,
                              uint32_t n, uint32_t site)
{
    struct extent *x = extent_count ? find((const void *)object->base) : NULL;
    if (!x)
        return;
    wire_label distance = czrt_binary(WIRE_ADD, CZRT_POINTER_BITS, label, 0, 0, -object->base);
    wire_label end = czrt_binary(WIRE_ADD, 64, czrt_extend(distance, 64, false), 0, 0, n);
    check(x, (uintptr_t)p - x->base + n, inside_label(x, end, 0), site);
}

void czrt_extent_use_range(const void *p, uint64_t n, wire_label n_label, uint32_t site)
{
    struct extent *x = extent_count ? find(p) : NULL;
    if (!x)
        return;
    uint64_t from = (uintptr_t)p - x->base;
    wire_label length = czrt_extend(n_label, 64, false);
    wire_label end = czrt_binary(WIRE_ADD, 64, length, 0, 0, from);
    if (n < CZRT_MOST_BYTES)
        check(x, from + n, inside_label(x, end, 0), site);
}

// ---- Code that reads labels itself ----

void czrt_extent_open(const void *p)
{
    const struct extent *x = extent_count ? find(p) : NULL;
    if (x)
        show(x, x->size);
}

void czrt_extent_close(const void *p)
{
    const struct extent *x = extent_count ? find(p) : NULL;
    if (x)
        hide(x);
}

void czrt_extent_forget(const void *p)
{
    struct extent *x = extent_count ? find(p) : NULL;
    if (x)
        forget(x);
}
