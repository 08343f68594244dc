// SPDX-License-Identifier: Apache-2.0
// For strategies that rank candidates by where they lead: they rank the buckets of the
// pool and have no store of their own.
#ifndef CZ_SEARCH_RANKED_H
#define CZ_SEARCH_RANKED_H

#include "search/pool.h"

// Higher is better; negative: not at all. Candidates of the best bucket are taken
// shallowest first. Among equal buckets the one with the shallowest candidate wins, then
// the older one.
typedef double ranked_score(void *self, struct bucket *bucket);
bool ranked_take_best(struct pool *pool, ranked_score *score, void *self, struct candidate *out);
struct bucket *ranked_best(struct pool *pool, ranked_score *score, void *self); // or NULL

// By chance, in proportion to the score times the bucket's number of candidates.
bool ranked_take_weighted(struct pool *pool, ranked_score *score, void *self,
                          struct candidate *out);
struct bucket *ranked_draw(struct pool *pool, ranked_score *score, void *self); // or NULL

void ranked_offer(void *self, const struct candidate *candidate); // nothing to do

#endif
