// SPDX-License-Identifier: Apache-2.0
// A task that keeps state is called as often as the input "more_calls" says
// (harness/call_sequence.c). When the number of calls grows (bound_growth.h), an input gets values
// for the new calls: zeros, or what the last call had, or that for all calls, since code that
// counts wants to see the same again.
#ifndef CZ_INPUTS_CALL_GROWTH_H
#define CZ_INPUTS_CALL_GROWTH_H

#include "base/buf.h"
#include "program/places.h"

// How many calls an input asks for; 0: the driver does not ask for their number.
unsigned call_growth_count(unsigned least, const struct places *places,
                           const struct places_index *index, const struct buf *input);

struct call_growth_run { // of the input with more calls
    unsigned last;       // the last call that it had before
    const struct places *places;
    const struct places_index *index;
    const uint32_t *uses; // places that it asked for
    size_t use_count;
};

// Give the calls after that one up to number `calls`, or all of them, what it had. False: it had
// nothing.
bool call_growth_repeat(const struct call_growth_run *run, unsigned calls, bool all,
                        struct buf *input);

#endif
