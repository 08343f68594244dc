// SPDX-License-Identifier: Apache-2.0
// Where objects lie is up to the compiler, the linker and the allocator: another build, or the
// next run, has them elsewhere. So a comparison of pointers into different objects, and whatever
// is decided by an address as a number, is a WIRE_LOSS_ADDRESS, but for what always holds: objects
// that live at the same time have different addresses, and none is at NULL.
#include "target_process.h"
#include <string.h>

static uintptr_t last_base = 1, last_size; // of the object of an earlier comparison

extern char __executable_start[] __attribute__((weak)), _end[] __attribute__((weak));

// Memory of the program, its code too, as opposed to registers of a device and numbers that mark
// something.
static bool is_memory(uintptr_t at, const struct czrt_object *object)
{
    return object || at - CZRT_HEAP_BASE < CZRT_HEAP_ROOM ||
           at - CZRT_STACK_BASE < CZRT_STACK_SIZE ||
           at - (uintptr_t)__executable_start < (uintptr_t)(_end - __executable_start);
}

static bool is_end(uintptr_t at, const struct czrt_object *object)
{
    return object && at == object->base + object->size;
}

// Constants with the same contents may be one.
static bool may_be_shared(uintptr_t a, uintptr_t b, const struct czrt_object *of_a,
                          const struct czrt_object *of_b)
{
    if (!of_a || !of_b || !of_a->is_const || !of_b->is_const)
        return false;
    uint64_t left_a = of_a->base + of_a->size - a, left_b = of_b->base + of_b->size - b;
    return left_a == left_b && memcmp((const void *)a, (const void *)b, left_a) == 0;
}

static bool is_freed(uintptr_t at)
{
    return at - CZRT_HEAP_BASE < CZRT_HEAP_ROOM && czrt_heap_is_freed(at);
}

// May two addresses that differ here be equal elsewhere?
static bool may_be_equal(uintptr_t a, uintptr_t b, const struct czrt_object *of_a,
                         const struct czrt_object *of_b)
{
    return (is_end(a, of_a) && of_b && b == of_b->base) ||
           (is_end(b, of_b) && of_a && a == of_a->base) || (is_freed(a) && is_memory(b, of_b)) ||
           (is_freed(b) && is_memory(a, of_a)) || may_be_shared(a, b, of_a, of_b);
}

static bool same_object(uintptr_t a, uintptr_t b, const struct czrt_object **of_a,
                        const struct czrt_object **of_b)
{
    if (a - last_base <= last_size && b - last_base <= last_size)
        return true;
    *of_a = czrt_object_find((const void *)a);
    *of_b = czrt_object_find((const void *)b);
    if (!*of_a || *of_a != *of_b)
        return false;
    last_base = (*of_a)->base;
    last_size = (*of_a)->size;
    return true;
}

void czrt_addresses_reset(void)
{
    last_base = 1;
    last_size = 0;
}

void czrt_compare_pointers(const void *first, const void *second, bool by_order)
{
    uintptr_t a = (uintptr_t)first, b = (uintptr_t)second;
    const struct czrt_object *of_a, *of_b;
    if (same_object(a, b, &of_a, &of_b))
        return;
    if (by_order ? is_memory(a, of_a) || is_memory(b, of_b) : may_be_equal(a, b, of_a, of_b))
        czrt_loss(WIRE_LOSS_ADDRESS);
}

wire_label czrt_pointer_number(const void *pointer)
{
    uintptr_t at = (uintptr_t)pointer;
    return is_memory(at, czrt_object_find(pointer)) ? czrt_address_label(at) : 0;
}

wire_label czrt_number_label(uint64_t address)
{
    return czrt_address_label(address);
}

wire_label czrt_pointer_distance(const void *first, const void *second)
{
    const struct czrt_object *of_a, *of_b;
    uintptr_t a = (uintptr_t)first, b = (uintptr_t)second;
    if (a == b || same_object(a, b, &of_a, &of_b) || !(is_memory(a, of_a) || is_memory(b, of_b)))
        return 0;
    return czrt_address_label(a - b);
}

wire_label czrt_number_pointer(wire_label label)
{
    return czrt_without_address(label);
}
