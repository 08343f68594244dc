// SPDX-License-Identifier: Apache-2.0
#include "search/pool.h"

#include "base/tunables.h"
#include <stdlib.h>
#include <string.h>

void pool_init(struct pool *p, const struct search_view *view)
{
    *p = (struct pool){.view = *view};
    map_init(&p->index);
}

void pool_release(struct pool *p)
{
    for (size_t i = 0; i < p->buckets.count; i++)
        VEC_RELEASE(&p->buckets.items[i].items);
    VEC_RELEASE(&p->buckets);
    map_release(&p->index);
}

size_t pool_bytes(const struct pool *p)
{
    return p->count * sizeof(struct candidate) + p->buckets.count * sizeof(struct bucket);
}

// ---- heaps ----

static bool before(const struct candidate *a, const struct candidate *b)
{
    return a->depth != b->depth ? a->depth < b->depth : a->serial < b->serial;
}

static void sift_up(struct bucket *b, size_t at)
{
    struct candidate moved = b->items.items[at];
    while (at && before(&moved, &b->items.items[(at - 1) / 2])) {
        b->items.items[at] = b->items.items[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    b->items.items[at] = moved;
}

static void sift_down(struct bucket *b, size_t at)
{
    struct candidate moved = b->items.items[at];
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= b->items.count)
            break;
        if (child + 1 < b->items.count &&
            before(&b->items.items[child + 1], &b->items.items[child]))
            child++;
        if (!before(&b->items.items[child], &moved))
            break;
        b->items.items[at] = b->items.items[child];
        at = child;
    }
    b->items.items[at] = moved;
}

static void remove_at(struct pool *p, struct bucket *b, size_t at)
{
    p->count--;
    struct candidate last = b->items.items[--b->items.count];
    if (at == b->items.count)
        return;
    b->items.items[at] = last;
    sift_down(b, at);
    sift_up(b, at);
}

// ---- buckets ----

static struct bucket *bucket_for(struct pool *p, const struct candidate *c)
{
    struct wire_vector v = candidate_vector(&p->view, c);
    uint64_t where =
        (uint64_t)c->place << 32 | (c->goal != NO_GOAL ? c->goal : c->site ^ 0x80000000u);
    uint64_t key = hash_mix(hash_mix(hash_mix(where) ^ v.decision) ^ v.evaluated) ^
                   hash_mix(v.values + 0x51ED270B);
    uint64_t index;
    if (!map_get(&p->index, key, &index)) {
        index = p->buckets.count;
        map_put(&p->index, key, index);
        *VEC_PUSH(&p->buckets) =
            (struct bucket){.place = c->place, .goal = c->goal, .site = c->site, .vector = v};
    }
    return &p->buckets.items[index];
}

// Closed candidates go when they are more than the open ones.
static void compact(struct pool *p)
{
    for (size_t i = 0; i < p->buckets.count; i++) {
        struct bucket *b = &p->buckets.items[i];
        size_t kept = 0;
        for (size_t k = 0; k < b->items.count; k++)
            if (candidate_is_open(&p->view, &b->items.items[k]))
                b->items.items[kept++] = b->items.items[k];
        p->count -= b->items.count - kept;
        b->items.count = kept;
        for (size_t k = kept / 2; k-- > 0;)
            sift_down(b, k);
    }
}

void pool_add(struct pool *p, const struct candidate *c)
{
    struct bucket *b = bucket_for(p, c);
    *VEC_PUSH(&b->items) = *c;
    sift_up(b, b->items.count - 1);
    if (++p->count > 2 * p->view.tree->open + SEARCH_POOL_SLACK)
        compact(p);
}

void pool_refresh(struct pool *p, struct bucket *b)
{
    struct coverage *coverage = p->view.coverage;
    if (b->known == coverage->epoch)
        return;
    b->known = coverage->epoch;
    b->relevance = coverage_relevance(coverage, b->place, b->goal, &b->vector);
    b->distance = coverage_distance(coverage, b->place);
}

size_t pool_potential(struct pool *p, struct bucket *b, unsigned levels)
{
    struct coverage *coverage = p->view.coverage;
    if (b->potential_known != coverage->known) {
        b->potential = coverage_potential(coverage, b->place, levels);
        b->potential_known = coverage->known;
    }
    return b->potential;
}

bool pool_peek(struct pool *p, struct bucket *b)
{
    while (b->items.count && !candidate_is_open(&p->view, &b->items.items[0]))
        remove_at(p, b, 0);
    return b->items.count > 0;
}

bool pool_take(struct pool *p, struct bucket *b, struct candidate *out)
{
    if (!pool_peek(p, b))
        return false;
    *out = b->items.items[0];
    remove_at(p, b, 0);
    b->tries++;
    return true;
}

bool pool_take_random(struct pool *p, struct bucket *b, struct candidate *out)
{
    while (b->items.count) {
        size_t at = rng_below(p->view.rng, b->items.count);
        *out = b->items.items[at];
        remove_at(p, b, at);
        if (!candidate_is_open(&p->view, out))
            continue;
        b->tries++;
        return true;
    }
    return false;
}

static bool prefer(enum pool_taste taste, const struct candidate *a, const struct candidate *b)
{
    return taste == POOL_RECENT ? a->serial > b->serial : a->depth > b->depth;
}

bool pool_take_some(struct pool *p, struct bucket *b, enum pool_taste taste, struct candidate *out)
{
    while (b->items.count) {
        size_t best = rng_below(p->view.rng, b->items.count);
        for (int i = 1; i < SEARCH_POOL_DRAWS; i++) {
            size_t at = rng_below(p->view.rng, b->items.count);
            if (prefer(taste, &b->items.items[at], &b->items.items[best]))
                best = at;
        }
        *out = b->items.items[best];
        remove_at(p, b, best);
        if (!candidate_is_open(&p->view, out))
            continue;
        b->tries++;
        return true;
    }
    return false;
}

bool pool_take_any(struct pool *p, struct candidate *out)
{
    while (p->count) {
        uint64_t pick = rng_below(p->view.rng, p->count);
        size_t i = 0;
        while (pick >= p->buckets.items[i].items.count)
            pick -= p->buckets.items[i++].items.count;
        if (pool_take_random(p, &p->buckets.items[i], out))
            return true;
    }
    return false;
}

// ---- shedding ----

static int deepest_first(const void *a, const void *b)
{
    return before(a, b) ? 1 : -1;
}

static size_t shed_bucket(struct pool *p, struct bucket *b, size_t keep, pool_drop *drop,
                          void *context)
{
    size_t dropped = 0, count = b->items.count;
    if (count <= keep)
        return 0;
    qsort(b->items.items, count, sizeof *b->items.items, deepest_first);
    for (size_t i = 0; i < count - keep; i++) {
        if (!candidate_is_open(&p->view, &b->items.items[i]))
            continue;
        drop(&b->items.items[i], context);
        dropped++;
    }
    memmove(b->items.items, b->items.items + (count - keep), keep * sizeof *b->items.items);
    b->items.count = keep;
    for (size_t i = 0; i < keep / 2; i++) { // ascending order is a heap
        struct candidate swap = b->items.items[i];
        b->items.items[i] = b->items.items[keep - 1 - i];
        b->items.items[keep - 1 - i] = swap;
    }
    p->count -= count - keep;
    return dropped;
}

// The level that leaves the wanted number when every larger bucket is cut down to it.
static size_t fair_level(const struct pool *p, size_t wanted)
{
    size_t low = 0, high = p->count;
    while (low < high) {
        size_t level = (low + high + 1) / 2, left = 0;
        for (size_t i = 0; i < p->buckets.count; i++) {
            size_t count = p->buckets.items[i].items.count;
            left += count < level ? count : level;
        }
        if (left <= wanted)
            low = level;
        else
            high = level - 1;
    }
    return low;
}

size_t pool_shed(struct pool *p, double share, pool_drop *drop, void *context)
{
    size_t level = fair_level(p, (size_t)((double)p->count * (1 - share))), dropped = 0;
    for (size_t i = 0; i < p->buckets.count; i++)
        dropped += shed_bucket(p, &p->buckets.items[i], level, drop, context);
    return dropped;
}
