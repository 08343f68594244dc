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
#define BOUND(name, place, loss, start, most, step, patience, words) BOUND_##name,
#include "inputs/bounds.def"
#undef BOUND
    BOUND_COUNT
};

enum { BOUND_NO_LOSS = -1 };

struct bound {
    unsigned start, now, most; // start == most: it does not grow
    unsigned raised;           // how often
    bool touched;              // by an execution of the search that is under way
    bool matters;              // ... or of one before it: a larger one may show more
};

struct bound_growth {
    struct bound bounds[BOUND_COUNT];
    uint64_t since;   // iteration of the last growth, or of the last path that got longer after it
    uint64_t begun;   // iteration of the last growth
    uint32_t longest; // decisions of the longest path since then
    bool over;        // back to the first search, for good
};

int bound_loss(enum bound_id id);          // that counts executions that touch it, or BOUND_NO_LOSS
const char *bound_words(enum bound_id id); // "more calls might reach it (--most-calls)"

void bound_growth_init(struct bound_growth *growth, const struct options *options);
// An execution has ended: which bounds did it touch? Only those count that the driver asks for.
// `always`: a bit (1u << enum bound_id) for each bound that every execution of the task touches.
void bound_growth_learn(struct bound_growth *growth, const struct wire_run *run, uint32_t always,
                        const struct places_index *index);
// Did it meet a bound that can grow, on its way (always aside)?
bool bound_growth_meets(const struct bound_growth *growth, const struct wire_run *run);
// Is there anything to learn from it?
bool bound_growth_is_news(const struct bound_growth *growth, const struct wire_run *run,
                          uint32_t always);
bool bound_is_asked_for(enum bound_id id, const struct places_index *index); // by the driver

// The search with these bounds has followed every path: what it did not touch does not matter.
// True: it touched no bound that could still grow.
bool bound_growth_explored(struct bound_growth *growth);

// Can a bound that was touched still grow?
bool bound_growth_is_possible(const struct bound_growth *growth);
bool bound_growth_has_grown(const struct bound_growth *growth); // since the first search
// Iterations since anything was gained, or a bound grew.
uint64_t bound_growth_idle(const struct bound_growth *growth, uint64_t iteration,
                           uint64_t last_gain);
// Time for it, or for going back, though there are candidates?
bool bound_growth_is_due(const struct bound_growth *growth, uint64_t idle);
// An execution with so many decisions, at this iteration. Where each leads a little further than
// those before, a loop is on its way to the bound: the search has not come to a stop.
void bound_growth_note_path(struct bound_growth *growth, uint32_t decisions, uint64_t iteration);
// Raise a bound, one that was raised least often. False: none can grow; back to the first search.
#define BOUND_STUCK UINT64_MAX // idle: there is nothing else to try
bool bound_growth_next(struct bound_growth *growth, uint64_t idle);

// Write the bounds as they are now into an input, as far as the driver asks for them.
void bound_growth_apply(const struct bound_growth *growth, const struct places *places,
                        const struct places_index *index, struct buf *input);

// With larger bounds arrays are longer and choices have more alternatives, which are places of
// their own. Give them what the shorter ones had. `before` and `now`: the places that a run asked
// for before and with the new bounds. False: there is nothing to give.
struct bound_uses {
    const uint32_t *items;
    size_t count;
};
bool bound_growth_carry(const struct places *places, struct bound_uses before,
                        struct bound_uses now, struct buf *input);

#endif
