// SPDX-License-Identifier: Apache-2.0
// A task that keeps state is called as often as the input "more_calls" says
// (harness/call_sequence.c). When a search with N calls has nothing left to try, or has not got
// anywhere for a while, another one begins with N + 1: with the tests that it kept, once with zeros
// for the new call, once with what the last one had, once with that for all calls: code that counts
// wants to see the same again. After the last number of calls the first search goes on.
#ifndef CZ_CAMPAIGN_CALL_GROWTH_H
#define CZ_CAMPAIGN_CALL_GROWTH_H

#include "base/buf.h"
#include "program/places.h"

struct call_growth {
    unsigned least, calls, most; // at first, now, at most; 0: the task does not keep state
    uint64_t since;              // iteration of the last growth
};

// `keeps_state`: of the task; least and most are --calls and --most-calls.
bool call_growth_is_most(const struct call_growth *growth); // no more calls are allowed
void call_growth_init(struct call_growth *growth, bool keeps_state, unsigned least, unsigned most);

// Time for one more call? `open`: there are still candidates.
bool call_growth_is_due(const struct call_growth *growth, bool open, uint64_t iteration,
                        uint64_t last_gain);

// One call more, or false: that was the last number; back to the first search, for good.
bool call_growth_next(struct call_growth *growth);

// As many calls in this input as there are now. Returns how many there were; 0: the driver
// does not ask for them.
unsigned call_growth_apply(const struct call_growth *growth, const struct places *places,
                           const struct places_index *index, struct buf *input);

struct call_growth_run { // of the input with more calls
    unsigned last;       // the last call that it had before
    const struct places *places;
    const struct places_index *index;
    const uint32_t *uses; // places that it asked for
    size_t use_count;
};

// Give the calls after that one, or all of them, what it had. False: it had nothing.
bool call_growth_repeat(const struct call_growth *growth, const struct call_growth_run *run,
                        bool all, struct buf *input);

#endif
