// SPDX-License-Identifier: Apache-2.0
// Bounds that grow (bounds.def). When a search has nothing left to try, or has not got anywhere for
// a while, and executions touched a bound, another search begins with a larger one; after the last,
// the first search goes on. This file says when and which; generate_bounds.c does it.
#ifndef CZ_INPUTS_BOUND_GROWTH_H
#define CZ_INPUTS_BOUND_GROWTH_H

#include "base/buf.h"
#include "options/options.h"
#include "program/places.h"

enum bound_id {
#define BOUND(name, place, start, most, step, words) BOUND_##name,
#include "inputs/bounds.def"
#undef BOUND
    BOUND_COUNT
};

struct bound {
    unsigned start, now, most;
    unsigned raised; // how often
    bool touched;    // by an execution of the search that is under way: a larger one may show more
};

struct bound_growth {
    struct bound bounds[BOUND_COUNT];
    uint64_t since; // iteration of the last growth
    bool over;      // back to the first search, for good
};

void bound_growth_init(struct bound_growth *growth, const struct options *options);
// An execution touched the bound.
void bound_growth_touch(struct bound_growth *growth, enum bound_id id);

// Can a bound that was touched still grow?
bool bound_growth_is_possible(const struct bound_growth *growth);
bool bound_growth_has_grown(const struct bound_growth *growth); // since the first search
// Time for it, or for going back, though there are candidates?
bool bound_growth_is_due(const struct bound_growth *growth, uint64_t iteration, uint64_t last_gain);
// Raise a bound, one that was raised least often. False: none can grow; back to the first search.
bool bound_growth_next(struct bound_growth *growth);

// Write the bounds as they are now into an input, as far as the driver asks for them.
void bound_growth_apply(const struct bound_growth *growth, const struct places *places,
                        const struct places_index *index, struct buf *input);

#endif
