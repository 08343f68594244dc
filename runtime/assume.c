// SPDX-License-Identifier: Apache-2.0
// Assumptions: a run in which one does not hold ends as WIRE_REJECTED and counts for
// nothing. The engine is told which decision of the run is to blame, so that it can turn
// just that one: the assumption's own predicate when it depends on inputs; else the last
// branch (of an &&), and the shape of the pointer that was looked at last (p != NULL, where
// the NULL itself is concrete).
//
// Also the sizes of the objects that the driver has made, by which preconditions and the
// search for them speak of buffers.
#include "../include/cz/driver.h"
#include "target_process.h"
#include <string.h>

#define SITE_ASSUME 0x3fffffe0u
#define MAX_PROBES  64u
#define MAX_MADE    4096u // objects of a run whose size is known; those beyond have none

static struct {
    uintptr_t base;
    uint64_t size;
    uint32_t place;
} made[MAX_MADE];
static uint32_t made_count;
static uint64_t probed, held;
static bool assuming; // a condition is being evaluated

void czrt_assume_begin_run(void)
{
    made_count = 0;
    probed = held = 0;
    assuming = false;
}

void czrt_assume_end_run(struct wire_run *run)
{
    run->probed = probed;
    run->held = held;
}

void czrt_made(const void *object, uint64_t size, uint32_t place)
{
    if (made_count < MAX_MADE && object && place) {
        made[made_count].base = (uintptr_t)object;
        made[made_count].size = size;
        made[made_count++].place = place;
    }
}

uint32_t czrt_place_of(uintptr_t base)
{
    for (uint32_t i = 0; i < made_count; i++)
        if (made[i].base == base)
            return made[i].place;
    return 0;
}

unsigned long cz_room(const void *from)
{
    uintptr_t at = (uintptr_t)from;
    czrt_args[0] = 0;
    czrt_ret = 0;
    for (uint32_t i = 0; i < made_count; i++)
        if (at - made[i].base < made[i].size)
            return made[i].base + made[i].size - at;
    return 0;
}

static wire_label take_label(unsigned argument)
{
    wire_label label = czrt_concolic ? czrt_args[argument] : 0;
    czrt_args[argument] = 0;
    czrt_ret = 0;
    return label;
}

// The label is that of an int made from a truth value.
static void require(int holds, wire_label label)
{
    assuming = false;
    if (label) {
        wire_label safe = czrt_binary(WIRE_NE, czrt_width(label), label, 0, 0, 0);
        czrt_record_assumption(SITE_ASSUME, holds != 0, safe);
    }
    if (holds)
        return;
    if (!label)
        czrt_blame_last();
    czrt_outcome = (struct czrt_outcome){.status = WIRE_REJECTED};
    czrt_leave();
}

void cz_assuming(void)
{
    assuming = true;
    czrt_ret = 0;
}

bool czrt_is_assuming(void)
{
    return assuming;
}

void cz_assume_(int holds)
{
    require(holds, take_label(0));
}

void cz_probe(unsigned number, int holds)
{
    wire_label label = take_label(1);
    czrt_args[0] = 0;
    assuming = false;
    if (number >= MAX_PROBES)
        return;
    uint64_t bit = 1ull << number;
    // A task that is called several times: it has to hold each time.
    if (holds && (!(probed & bit) || held & bit))
        held |= bit;
    else
        held &= ~bit;
    probed |= bit;
    if (czrt_wire->assumed & bit)
        require(holds, label);
}
