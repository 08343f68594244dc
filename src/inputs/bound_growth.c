// SPDX-License-Identifier: Apache-2.0
#include "inputs/bound_growth.h"

#include <assert.h>
#include <string.h>

// Iterations without gain after which a larger bound is worth trying, at first and later.
enum { STALE = 200, STALE_GROWN = 100 };

void bound_growth_init(struct bound_growth *growth, const struct options *o)
{
    *growth = (struct bound_growth){.bounds = {
#define BOUND(name, place, from, to, step, words)                                                  \
    [BOUND_##                                                                                      \
        name] = {.start = (unsigned)o->from, .now = (unsigned)o->from, .most = (unsigned)o->to},
#include "inputs/bounds.def"
#undef BOUND
                                    }};
}

void bound_growth_touch(struct bound_growth *growth, enum bound_id id)
{
    growth->bounds[id].touched = true;
}

static bool can_grow(const struct bound_growth *growth, int id)
{
    const struct bound *bound = &growth->bounds[id];
    return !growth->over && bound->touched && bound->now < bound->most;
}

bool bound_growth_is_possible(const struct bound_growth *growth)
{
    bool possible = false;
    for (int i = 0; i < BOUND_COUNT; i++)
        possible |= can_grow(growth, i);
    return possible;
}

bool bound_growth_has_grown(const struct bound_growth *growth)
{
    bool grown = false;
    for (int i = 0; i < BOUND_COUNT; i++)
        grown |= growth->bounds[i].now > growth->bounds[i].start;
    return grown;
}

bool bound_growth_is_due(const struct bound_growth *growth, uint64_t iteration, uint64_t last_gain)
{
    uint64_t from = growth->since > last_gain ? growth->since : last_gain;
    bool leaves = bound_growth_has_grown(growth); // if only for the first search
    return (leaves || bound_growth_is_possible(growth)) &&
           iteration - from >= (leaves ? STALE_GROWN : STALE);
}

static unsigned raised_value(int id, unsigned now)
{
    switch (id) {
#define BOUND(name, place, start, most, step, words)                                               \
    case BOUND_##name: return step;
#include "inputs/bounds.def"
#undef BOUND
    }
    return now;
}

static void raise_bound(struct bound_growth *growth, int id)
{
    struct bound *bound = &growth->bounds[id];
    unsigned next = raised_value(id, bound->now);
    assert(next > bound->now);
    bound->now = next < bound->most ? next : bound->most;
    bound->raised++;
    for (int i = 0; i < BOUND_COUNT; i++)
        growth->bounds[i].touched = false; // by the search that begins
}

bool bound_growth_next(struct bound_growth *growth)
{
    int best = BOUND_COUNT;
    for (int i = 0; i < BOUND_COUNT; i++)
        if (can_grow(growth, i) &&
            (best == BOUND_COUNT || growth->bounds[i].raised < growth->bounds[best].raised))
            best = i;
    if (best < BOUND_COUNT) {
        raise_bound(growth, best);
        return true;
    }
    for (int i = 0; i < BOUND_COUNT; i++)
        growth->bounds[i].now = growth->bounds[i].start;
    growth->over = true;
    return false;
}

// The number of calls is what there is beyond the first ones; others are the number itself, and 0
// stands for the one at the start.
static unsigned carried_value(const struct bound *bound, int id)
{
    if (id == BOUND_calls)
        return bound->now - bound->start;
    return bound->now > bound->start ? bound->now : 0;
}

void bound_growth_apply(const struct bound_growth *growth, const struct places *places,
                        const struct places_index *index, struct buf *input)
{
    static const char *const names[] = {
#define BOUND(name, place, start, most, step, words) place,
#include "inputs/bounds.def"
#undef BOUND
    };
    for (int i = 0; i < BOUND_COUNT; i++) {
        uint32_t id = places_find(index, names[i]);
        if (!id)
            continue;
        const struct wire_place *place = &places->table[id];
        unsigned value = carried_value(&growth->bounds[i], i); // the wire is little-endian
        size_t size = places_size(place);
        while (input->length < place->offset + size)
            buf_putc(input, 0);
        memset(input->data + place->offset, 0, size);
        memcpy(input->data + place->offset, &value, size < sizeof value ? size : sizeof value);
    }
}
