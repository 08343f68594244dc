// SPDX-License-Identifier: Apache-2.0
#include "inputs/bound_growth.h"

#include "base/tunables.h"
#include <assert.h>
#include <string.h>

static const struct {
    const char *place, *words;
    int loss;
    unsigned patience;
} table[BOUND_COUNT] = {
#define BOUND(name, place, loss, start, most, step, patience, words) {place, words, loss, patience},
#include "inputs/bounds.def"
#undef BOUND
};

const char *bound_words(enum bound_id id)
{
    assert(id < BOUND_COUNT);
    return table[id].words;
}

int bound_loss(enum bound_id id)
{
    assert(id < BOUND_COUNT);
    return table[id].loss;
}

static struct bound bound_from(int64_t start, int64_t most, bool grows)
{
    return (struct bound){.start = (unsigned)start,
                          .now = (unsigned)start,
                          .most = (unsigned)(grows && most > start ? most : start)};
}

void bound_growth_init(struct bound_growth *growth, const struct options *o)
{
    *growth = (struct bound_growth){0};
#define BOUND(name, place, loss, start, most, step, patience, words)                               \
    growth->bounds[BOUND_##name] = bound_from(o->start, o->most, !o->no_growth);
#include "inputs/bounds.def"
#undef BOUND
}

bool bound_is_asked_for(enum bound_id id, const struct places_index *index)
{
    return places_find(index, table[id].place) != 0;
}

static bool touches(const struct wire_run *run, uint32_t always, int id)
{
    return always >> id & 1 || (table[id].loss != BOUND_NO_LOSS && run->losses[table[id].loss] > 0);
}

bool bound_growth_meets(const struct bound_growth *growth, const struct wire_run *run)
{
    for (int i = 0; i < BOUND_COUNT; i++)
        if (growth->bounds[i].now < growth->bounds[i].most && touches(run, 0, i))
            return true;
    return false;
}

bool bound_growth_is_news(const struct bound_growth *growth, const struct wire_run *run,
                          uint32_t always)
{
    for (int i = 0; i < BOUND_COUNT; i++)
        if (!growth->bounds[i].touched && touches(run, always, i))
            return true;
    return false;
}

void bound_growth_learn(struct bound_growth *growth, const struct wire_run *run, uint32_t always,
                        const struct places_index *index)
{
    for (int i = 0; i < BOUND_COUNT; i++) {
        struct bound *bound = &growth->bounds[i];
        bool touched = touches(run, always, i) && bound_is_asked_for(i, index);
        bound->touched |= touched;
        bound->matters |= touched;
    }
}

bool bound_growth_explored(struct bound_growth *growth)
{
    for (int i = 0; i < BOUND_COUNT; i++)
        growth->bounds[i].matters = growth->bounds[i].touched;
    return !growth->over && !bound_growth_is_possible(growth);
}

static bool can_grow(const struct bound_growth *growth, int id)
{
    const struct bound *bound = &growth->bounds[id];
    return !growth->over && bound->matters && bound->now < bound->most;
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

uint64_t bound_growth_idle(const struct bound_growth *growth, uint64_t iteration,
                           uint64_t last_gain)
{
    return iteration - (growth->since > last_gain ? growth->since : last_gain);
}

// Once a bound has grown, the others may follow at once.
static bool may_grow(const struct bound_growth *growth, int id, uint64_t idle)
{
    return can_grow(growth, id) && (bound_growth_has_grown(growth) || idle >= table[id].patience);
}

bool bound_growth_is_due(const struct bound_growth *growth, uint64_t idle)
{
    if (bound_growth_has_grown(growth)) // if only for the first search
        return idle >= INPUTS_STALE;
    bool due = false;
    for (int i = 0; i < BOUND_COUNT; i++)
        due |= may_grow(growth, i, idle);
    return due;
}

void bound_growth_note_path(struct bound_growth *growth, uint32_t decisions, uint64_t iteration)
{
    if (decisions <= growth->longest)
        return;
    growth->longest = decisions;
    if (bound_growth_has_grown(growth) && iteration - growth->begun < INPUTS_LONGER)
        growth->since = iteration;
}

static unsigned raised_value(int id, unsigned now)
{
    switch (id) {
#define BOUND(name, place, loss, start, most, step, patience, words)                               \
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

bool bound_growth_next(struct bound_growth *growth, uint64_t idle)
{
    int best = BOUND_COUNT;
    for (int i = 0; i < BOUND_COUNT; i++)
        if (may_grow(growth, i, idle) &&
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

static void make_room(struct buf *input, const struct wire_place *place)
{
    while (input->length < place->offset + (size_t)places_size(place))
        buf_putc(input, 0);
}

void bound_growth_apply(const struct bound_growth *growth, const struct places *places,
                        const struct places_index *index, struct buf *input)
{
    for (int i = 0; i < BOUND_COUNT; i++) {
        uint32_t id = places_find(index, table[i].place);
        if (!id)
            continue;
        const struct wire_place *place = &places->table[id];
        unsigned value = carried_value(&growth->bounds[i], i); // the wire is little-endian
        size_t size = places_size(place);
        make_room(input, place);
        memset(input->data + place->offset, 0, size);
        memcpy(input->data + place->offset, &value, size < sizeof value ? size : sizeof value);
    }
}

static bool is_grown(const struct wire_place *from, const struct wire_place *to)
{
    return from->parent == to->parent && from->link == to->link && from->name == to->name &&
           from->index == to->index && from->type == to->type && from->count < to->count;
}

static bool carry_place(const struct wire_place *from, const struct wire_place *to,
                        struct buf *input)
{
    if (places_element_size(from) != places_element_size(to) ||
        from->offset + (size_t)places_size(from) > input->length)
        return false;
    make_room(input, to);
    memcpy(input->data + to->offset, input->data + from->offset, places_size(from));
    return true;
}

bool bound_growth_carry(const struct places *places, struct bound_uses before,
                        struct bound_uses now, struct buf *input)
{
    bool any = false;
    for (size_t i = 0; i < now.count; i++) {
        const struct wire_place *to = &places->table[now.items[i]];
        for (size_t k = 0; to->count > 1 && k < before.count; k++) {
            const struct wire_place *from = &places->table[before.items[k]];
            if (is_grown(from, to))
                any |= carry_place(from, to, input);
        }
    }
    return any;
}
