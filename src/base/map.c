// SPDX-License-Identifier: Apache-2.0
// Open addressing with linear probing, at most two thirds full, no deletion.
#include "base/map.h"

#include "base/arena.h"
#include <stdlib.h>
#include <string.h>

struct map_entry {
    uint64_t key, value; // key of a text entry: hash of the text
    char *text;
    bool used;
};

uint64_t hash_mix(uint64_t value)
{
    value ^= value >> 33;
    value *= 0xff51afd7ed558ccdu;
    value ^= value >> 33;
    value *= 0xc4ceb9fe1a85ec53u;
    return value ^ (value >> 33);
}

uint64_t hash_bytes(const void *data, size_t length, uint64_t seed)
{
    const unsigned char *bytes = data;
    uint64_t hash = seed ^ (length * 0x9E3779B97F4A7C15u);
    for (; length >= 8; length -= 8, bytes += 8) {
        uint64_t word;
        memcpy(&word, bytes, 8);
        hash = hash_mix(hash ^ word) + 0x9E3779B97F4A7C15u;
    }
    uint64_t rest = 0;
    memcpy(&rest, bytes, length);
    return hash_mix(hash ^ rest);
}

void map_init(struct map *map)
{
    *map = (struct map){0};
}

void map_release(struct map *map)
{
    for (size_t i = 0; i < map->room; i++)
        free(map->entries[i].text);
    free(map->entries);
    map_init(map);
}

void map_clear(struct map *map)
{
    for (size_t i = 0; i < map->room; i++)
        free(map->entries[i].text);
    if (map->room)
        memset(map->entries, 0, map->room * sizeof *map->entries);
    map->count = 0;
}

static struct map_entry *find(const struct map *map, uint64_t key, const char *text)
{
    size_t mask = map->room - 1;
    for (size_t i = hash_mix(key) & mask;; i = (i + 1) & mask) {
        struct map_entry *entry = &map->entries[i];
        if (!entry->used)
            return entry;
        if (entry->key == key && (!text || strcmp(entry->text, text) == 0))
            return entry;
    }
}

static void grow(struct map *map)
{
    struct map old = *map;
    map->room = old.room ? old.room * 2 : 64;
    map->entries = xcalloc(map->room, sizeof *map->entries);
    for (size_t i = 0; i < old.room; i++)
        if (old.entries[i].used)
            *find(map, old.entries[i].key, old.entries[i].text) = old.entries[i];
    free(old.entries);
}

static bool get(const struct map *map, uint64_t key, const char *text, uint64_t *value)
{
    if (!map->room)
        return false;
    const struct map_entry *entry = find(map, key, text);
    if (entry->used && value)
        *value = entry->value;
    return entry->used;
}

static void put(struct map *map, uint64_t key, const char *text, uint64_t value)
{
    if ((map->count + 1) * 3 > map->room * 2)
        grow(map);
    struct map_entry *entry = find(map, key, text);
    if (!entry->used) {
        *entry = (struct map_entry){.key = key, .used = true, .text = text ? xstrdup(text) : NULL};
        map->count++;
    }
    entry->value = value;
}

bool map_get(const struct map *map, uint64_t key, uint64_t *value)
{
    return get(map, key, NULL, value);
}

void map_put(struct map *map, uint64_t key, uint64_t value)
{
    put(map, key, NULL, value);
}

bool map_get_text(const struct map *map, const char *key, uint64_t *value)
{
    return get(map, hash_bytes(key, strlen(key), 0), key, value);
}

void map_put_text(struct map *map, const char *key, uint64_t value)
{
    put(map, hash_bytes(key, strlen(key), 0), key, value);
}
