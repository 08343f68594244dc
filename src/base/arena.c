// SPDX-License-Identifier: Apache-2.0
// A bump allocator over blocks of growing size. Blocks are zeroed when made, and
// memory is never reused before arena_release, so allocations come zeroed.
#include "base/arena.h"

#include "base/exit_codes.h"
#include "base/tunables.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct arena_block {
    struct arena_block *next;
    size_t used, size;
    _Alignas(16) unsigned char data[];
};

static _Noreturn void out_of_memory(size_t size)
{
    fprintf(stderr, "cadenza: out of memory (asked for %zu bytes)\n", size);
    exit(EXIT_RETRY);
}

void *xmalloc(size_t size)
{
    void *memory = malloc(size ? size : 1);
    if (!memory)
        out_of_memory(size);
    return memory;
}

void *xcalloc(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size ? size : 1);
    if (!memory)
        out_of_memory(count * size);
    return memory;
}

void *xrealloc(void *old, size_t size)
{
    void *memory = realloc(old, size ? size : 1);
    if (!memory)
        out_of_memory(size);
    return memory;
}

char *xstrdup(const char *text)
{
    size_t length = strlen(text) + 1;
    return memcpy(xmalloc(length), text, length);
}

void arena_init(struct arena *arena)
{
    arena->blocks = NULL;
}

void arena_release(struct arena *arena)
{
    while (arena->blocks) {
        struct arena_block *block = arena->blocks;
        arena->blocks = block->next;
        free(block);
    }
}

static struct arena_block *add_block(struct arena *arena, size_t needed)
{
    size_t size = arena->blocks ? arena->blocks->size * 2 : BASE_ARENA_FIRST_BLOCK;
    if (size > BASE_ARENA_LARGEST_BLOCK)
        size = BASE_ARENA_LARGEST_BLOCK;
    if (size < needed)
        size = needed;
    struct arena_block *block = xcalloc(1, sizeof *block + size);
    block->size = size;
    block->next = arena->blocks;
    return arena->blocks = block;
}

void *arena_alloc(struct arena *arena, size_t size)
{
    if (size > SIZE_MAX / 2)
        out_of_memory(size);
    size = (size + 15) & ~(size_t)15;
    struct arena_block *block = arena->blocks;
    if (!block || block->size - block->used < size)
        block = add_block(arena, size);
    void *memory = block->data + block->used;
    block->used += size;
    return memory;
}

char *arena_strndup(struct arena *arena, const char *text, size_t length)
{
    char *copy = arena_alloc(arena, length + 1);
    memcpy(copy, text, length);
    return copy;
}

char *arena_strdup(struct arena *arena, const char *text)
{
    return arena_strndup(arena, text, strlen(text));
}

char *arena_printf(struct arena *arena, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    char *text = arena_alloc(arena, (size_t)length + 1);
    vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}
