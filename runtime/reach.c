// SPDX-License-Identifier: Apache-2.0
// Accesses far from the start of their address computation. A red zone stops what runs over the
// end of an object, but s[200] lies behind it, where another object may be, or nothing. Where the
// distance may be larger than a red zone is wide (the instrumenter knows), the address must belong
// to the object that its base is in. That object is found once: a small table of bases, which the
// fast path looks at, remembers it.
//
// Only the heap is looked at: the driver's objects are there, whose size is a bound.
#include "target_process.h"
#include <string.h>

struct czrt_reach czrt_reached[CZRT_REACHED];

void czrt_reach_forget(void)
{
    memset(czrt_reached, 0, sizeof czrt_reached);
}

// The object that the base is in, or whose end it is; NULL: none, or the address is near.
static const struct czrt_object *object_of_base(const void *base, const void *address)
{
    bool near = (uintptr_t)address - (uintptr_t)base + CZRT_REACH <= 2 * CZRT_REACH;
    return near || !czrt_heap_owns(base) ? NULL : czrt_heap_find((uintptr_t)base);
}

static bool is_behind(const struct czrt_object *object, const void *address)
{
    return (uintptr_t)address > object->base && (uintptr_t)address - object->base >= object->size;
}

// In front of an object is what container_of() finds if the driver has made the member alone.
// What lies there is left to chance, but no reason to stop.
void czrt_reach_check(const void *base, const void *address, uint32_t site)
{
    const struct czrt_object *object = object_of_base(base, address);
    if (!object)
        return;
    if (is_behind(object, address))
        czrt_fault_beyond(object, site, address);
    if ((uintptr_t)address < object->base)
        czrt_loss(WIRE_LOSS_ADDRESS);
    else
        *CZRT_REACH_OF(base) = (struct czrt_reach){(uintptr_t)base, object->base, object->size};
}

void czrt_form(const void *base, const void *pointer)
{
    const struct czrt_object *object = object_of_base(base, pointer);
    if (object && object->bounded && is_behind(object, pointer) &&
        (uintptr_t)pointer != object->base + object->size)
        czrt_loss(WIRE_LOSS_ELEMENTS);
}
