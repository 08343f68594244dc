// SPDX-License-Identifier: Apache-2.0
#include "unit/symbol_index.h"

#include "base/proc.h"
#include "base/tunables.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void symbol_index_init(struct symbol_index *symbols, const struct project *project)
{
    *symbols = (struct symbol_index){.project = project};
    arena_init(&symbols->arena);
    map_init(&symbols->by_name);
}

void symbol_index_release(struct symbol_index *symbols)
{
    map_release(&symbols->by_name);
    VEC_RELEASE(&symbols->places);
    arena_release(&symbols->arena);
}

// Behind those that are there, to keep the project's order.
static void add(struct symbol_index *symbols, const char *name, const struct project_file *file)
{
    uint64_t at;
    size_t fresh = symbols->places.count + 1;
    if (map_get_text(&symbols->by_name, name, &at)) {
        while (symbols->places.items[at - 1].next)
            at = symbols->places.items[at - 1].next;
        symbols->places.items[at - 1].next = fresh;
    } else {
        map_put_text(&symbols->by_name, name, fresh);
    }
    *VEC_PUSH(&symbols->places) = (struct symbol_place){file, 0};
}

// Files are read by several threads, each with its own memory, and entered in their order.
struct reading {
    const struct project *project;
    const char *clang;
    struct file_symbols {
        struct arena arena;
        const char **names;
        size_t count;
    } *files;
    atomic_size_t next;
};

static void *read_some(void *context)
{
    struct reading *reading = context;
    for (size_t i; (i = atomic_fetch_add(&reading->next, 1)) < reading->project->files.count;) {
        const struct project_file *file = &reading->project->files.items[i];
        struct file_symbols *of = &reading->files[i];
        struct frontend_request request = {
            .source = file->path, .flags = file->flags, .clang = reading->clang};
        struct error ignored = {0}; // a file that does not compile has nothing to offer
        arena_init(&of->arena);
        if (file->problem ||
            !frontend_symbols(&request, &of->arena, &of->names, &of->count, &ignored))
            of->count = 0;
    }
    return NULL;
}

static void read_all(struct symbol_index *symbols)
{
    pthread_t threads[UNIT_THREADS];
    long cores = sysconf(_SC_NPROCESSORS_ONLN), started = 0;
    size_t count = symbols->project->files.count;
    if (symbols->is_read)
        return;
    symbols->is_read = true;
    char *clang = proc_find_tool("clang", NULL);
    struct reading reading = {.project = symbols->project,
                              .clang = clang,
                              .files = xcalloc(count + 1, sizeof *reading.files)};
    while (clang && started + 1 < cores && started < UNIT_THREADS &&
           pthread_create(&threads[started], NULL, read_some, &reading) == 0)
        started++;
    if (clang)
        read_some(&reading);
    while (started > 0)
        pthread_join(threads[--started], NULL);
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < reading.files[i].count; k++)
            add(symbols, reading.files[i].names[k], &symbols->project->files.items[i]);
        arena_release(&reading.files[i].arena);
    }
    free(reading.files);
    free(clang);
}

static bool same_directory(const char *a, const char *b)
{
    const char *end = strrchr(a, '/'), *other = strrchr(b, '/');
    return end && other && end - a == other - b && strncmp(a, b, (size_t)(end - a)) == 0;
}

size_t symbol_index_files(struct symbol_index *symbols, const char *symbol,
                          const struct project_file ***files)
{
    uint64_t at = 0;
    size_t count = 0;
    read_all(symbols);
    *files = arena_array(&symbols->arena, const struct project_file *, symbols->places.count + 1);
    map_get_text(&symbols->by_name, symbol, &at);
    for (; at; at = symbols->places.items[at - 1].next)
        (*files)[count++] = symbols->places.items[at - 1].file;
    return count;
}

bool symbol_index_find(void *context, const char *symbol, const char *from, struct unit_file *out)
{
    const struct project_file **files, *best = NULL;
    size_t count = symbol_index_files(context, symbol, &files);
    for (size_t i = 0; i < count && !best; i++)
        if (same_directory(files[i]->path, from))
            best = files[i];
    if (!best && count)
        best = files[0];
    if (best)
        *out = (struct unit_file){best->path, best->flags};
    return best != NULL;
}
