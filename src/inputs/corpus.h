// SPDX-License-Identifier: Apache-2.0
// The inputs worth remembering: those that opened new paths, from which others are made, and those
// that showed something new. An entry keeps its number, by which the execution tree knows it.
#ifndef CZ_INPUTS_CORPUS_H
#define CZ_INPUTS_CORPUS_H

#include "base/arena.h"
#include "base/vec.h"
#include <stdint.h>

#define CORPUS_NONE UINT32_MAX

// What an input showed when it ran.
struct corpus_reach {
    const uint32_t *places; // that it asked for, in order
    size_t place_count;
    const uint32_t *goals; // sorted
    size_t goal_count;
    const uint32_t *vectors; // indices in coverage.vectors
    size_t vector_count;
};

struct corpus_entry {
    const uint8_t *bytes;
    size_t size;
    const struct corpus_reach *reach; // NULL: it opened paths, but showed nothing new
    uint32_t origin;                  // the generator that proposed it (enum generator_id);
                                      // GENERATOR_COUNT: an alarm's test was made simpler
    uint32_t parent;                  // the entry that it was made from, or CORPUS_NONE
    uint64_t work;                    // to propose and to execute it
};

struct corpus {
    struct arena *arena; // holds bytes and reach, not the list
    VEC(struct corpus_entry) entries;
    size_t bytes; // memory in use
};

void corpus_init(struct corpus *corpus, struct arena *arena);
void corpus_release(struct corpus *corpus);

// Copies the input. Returns its number.
uint32_t corpus_add(struct corpus *corpus, const struct corpus_entry *entry);
const struct corpus_entry *corpus_get(const struct corpus *corpus, uint32_t number);
// Say what an entry showed; the arrays are copied.
void corpus_set_reach(struct corpus *corpus, uint32_t number, const struct corpus_reach *reach);

#endif
