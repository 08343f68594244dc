// SPDX-License-Identifier: Apache-2.0
// A hash map from strings or 64-bit keys to 64-bit values. Iteration order is
// never exposed, so results cannot depend on it.
#ifndef CZ_BASE_MAP_H
#define CZ_BASE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct map_entry;
struct map {
    struct map_entry *entries;
    size_t count, room;
};

void map_init(struct map *map);
void map_release(struct map *map);
void map_clear(struct map *map);

bool map_get(const struct map *map, uint64_t key, uint64_t *value);
void map_put(struct map *map, uint64_t key, uint64_t value);

// String keys are copied. Do not mix both kinds in one map.
bool map_get_text(const struct map *map, const char *key, uint64_t *value);
void map_put_text(struct map *map, const char *key, uint64_t value);

uint64_t hash_bytes(const void *data, size_t length, uint64_t seed);
uint64_t hash_mix(uint64_t value);

#endif
