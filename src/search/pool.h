// SPDX-License-Identifier: Apache-2.0
// All open candidates, in buckets by where they lead: the place in the control-flow
// graph and, inside a decision, the values of its conditions so far. Candidates of one
// bucket are equal for the coverage structure, so what it says is asked once per
// bucket and change of coverage, however many candidates there are.
//
// A bucket is a heap by depth. Candidates that others closed stay until they are met.
#ifndef CZ_SEARCH_POOL_H
#define CZ_SEARCH_POOL_H

#include "search/strategy.h"

struct bucket {
    uint32_t place, goal, site;
    struct wire_vector vector;
    VEC(struct candidate) items; // a heap: shallowest first, older first
    uint64_t tries;              // candidates taken out so far
    uint64_t known;              // epoch of what follows
    enum relevance relevance;
    uint32_t distance;
    size_t potential;
    uint64_t potential_known;
};

struct pool {
    struct search_view view;
    VEC(struct bucket) buckets; // in order of their first candidate
    struct map index;
    size_t count; // candidates, closed ones included
};

void pool_init(struct pool *pool, const struct search_view *view);
void pool_release(struct pool *pool);
size_t pool_bytes(const struct pool *pool);
void pool_add(struct pool *pool, const struct candidate *candidate);

// Relevance and distance of a bucket now; potential for `levels` levels.
void pool_refresh(struct pool *pool, struct bucket *bucket);
size_t pool_potential(struct pool *pool, struct bucket *bucket, unsigned levels);

// Is there an open candidate? The shallowest one then is at the top: items[0].
bool pool_peek(struct pool *pool, struct bucket *bucket);
// Take out the shallowest, or any with equal chance; false: none is open.
bool pool_take(struct pool *pool, struct bucket *bucket, struct candidate *out);
bool pool_take_random(struct pool *pool, struct bucket *bucket, struct candidate *out);
// The newest or deepest of a few that are drawn at random.
enum pool_taste { POOL_RECENT, POOL_DEEP };
bool pool_take_some(struct pool *pool, struct bucket *bucket, enum pool_taste taste,
                    struct candidate *out);
// From all buckets: any candidate with equal chance.
bool pool_take_any(struct pool *pool, struct candidate *out);

// Hand out about `share` of all open candidates, the least useful first: the deepest of
// the buckets that are crowded most. Returns how many.
typedef void pool_drop(const struct candidate *candidate, void *context);
size_t pool_shed(struct pool *pool, double share, pool_drop *drop, void *context);

#endif
