// SPDX-License-Identifier: Apache-2.0
#include "search/ranked.h"

void ranked_offer(void *self, const struct candidate *candidate)
{
    (void)self, (void)candidate; // the pool has it
}

static bool better(double score, const struct bucket *b, double best, const struct bucket *than)
{
    if (!than || score != best)
        return !than || score > best;
    return b->items.items[0].depth < than->items.items[0].depth;
}

struct bucket *ranked_best(struct pool *pool, ranked_score *score, void *self)
{
    struct bucket *best = NULL;
    double top = 0;
    for (size_t i = 0; i < pool->buckets.count; i++) {
        struct bucket *b = &pool->buckets.items[i];
        if (!b->items.count || !pool_peek(pool, b))
            continue;
        pool_refresh(pool, b);
        double value = score(self, b);
        if (value >= 0 && better(value, b, top, best)) {
            best = b;
            top = value;
        }
    }
    return best;
}

bool ranked_take_best(struct pool *pool, ranked_score *score, void *self, struct candidate *out)
{
    struct bucket *best = ranked_best(pool, score, self);
    return best && pool_take(pool, best, out);
}

struct bucket *ranked_draw(struct pool *pool, ranked_score *score, void *self)
{
    struct bucket *picked = NULL;
    double total = 0;
    for (size_t i = 0; i < pool->buckets.count; i++) {
        struct bucket *b = &pool->buckets.items[i];
        if (!b->items.count || !pool_peek(pool, b))
            continue;
        pool_refresh(pool, b);
        double weight = score(self, b) * (double)b->items.count;
        if (weight <= 0)
            continue;
        total += weight;
        // Chance in steps of 2^-53, as exact as a double is.
        double chance = (double)(rng_next(pool->view.rng) >> 11) * 0x1p-53;
        if (chance * total < weight)
            picked = b;
    }
    return picked;
}

bool ranked_take_weighted(struct pool *pool, ranked_score *score, void *self, struct candidate *out)
{
    struct bucket *picked = ranked_draw(pool, score, self);
    return picked && pool_take_random(pool, picked, out);
}
