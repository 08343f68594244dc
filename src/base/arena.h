// SPDX-License-Identifier: Apache-2.0
// One arena per lifetime (process, campaign, path, query): allocate freely,
// release everything at once. Allocation never returns NULL: running out of
// memory ends the process with a clear sentence.
#ifndef CZ_BASE_ARENA_H
#define CZ_BASE_ARENA_H

#include <stddef.h>

struct arena_block;
struct arena {
    struct arena_block *blocks; // newest first
};

void arena_init(struct arena *arena);
void arena_release(struct arena *arena); // frees everything; usable again after it

void *arena_alloc(struct arena *arena, size_t size); // zeroed, aligned to 16
char *arena_strdup(struct arena *arena, const char *text);
char *arena_strndup(struct arena *arena, const char *text, size_t length);
char *arena_printf(struct arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#define arena_new(arena, type)          ((type *)arena_alloc((arena), sizeof(type)))
#define arena_array(arena, type, count) ((type *)arena_alloc((arena), sizeof(type) * (count)))

// malloc family that cannot fail, for things that grow.
void *xmalloc(size_t size);
void *xcalloc(size_t count, size_t size);
void *xrealloc(void *old, size_t size);
char *xstrdup(const char *text);

#endif
