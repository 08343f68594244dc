// SPDX-License-Identifier: Apache-2.0
#include "inputs/corpus.h"

#include <assert.h>
#include <string.h>

void corpus_init(struct corpus *corpus, struct arena *arena)
{
    *corpus = (struct corpus){.arena = arena};
}

void corpus_release(struct corpus *corpus)
{
    VEC_RELEASE(&corpus->entries);
}

static const void *copy_into(struct corpus *corpus, const void *from, size_t size)
{
    void *to = arena_alloc(corpus->arena, size);
    if (size)
        memcpy(to, from, size);
    corpus->bytes += size;
    return to;
}

uint32_t corpus_add(struct corpus *corpus, const struct corpus_entry *entry)
{
    uint32_t number = (uint32_t)corpus->entries.count;
    assert(number < CORPUS_NONE);
    assert(entry->parent == CORPUS_NONE || entry->parent < number);
    struct corpus_entry *added = VEC_PUSH(&corpus->entries);
    *added = *entry;
    added->bytes = copy_into(corpus, entry->bytes, entry->size);
    corpus->bytes += sizeof *added;
    return number;
}

const struct corpus_entry *corpus_get(const struct corpus *corpus, uint32_t number)
{
    assert(number < corpus->entries.count);
    return &corpus->entries.items[number];
}

void corpus_set_reach(struct corpus *corpus, uint32_t number, const struct corpus_reach *reach)
{
    assert(number < corpus->entries.count);
    struct corpus_reach copy = *reach;
    copy.places = copy_into(corpus, reach->places, reach->place_count * sizeof *reach->places);
    copy.goals = copy_into(corpus, reach->goals, reach->goal_count * sizeof *reach->goals);
    copy.vectors = copy_into(corpus, reach->vectors, reach->vector_count * sizeof *reach->vectors);
    corpus->entries.items[number].reach = copy_into(corpus, &copy, sizeof copy);
}
