// SPDX-License-Identifier: Apache-2.0
// The order of things, symbols across files, and lifetimes.
#include "facts/facts_internal.h"

#include "base/fs.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *symbol_key(struct facts *facts, const char *name, uint32_t file, bool is_static)
{
    return is_static ? arena_printf(&facts->arena, "%u:%s", file, name) : name;
}

uint32_t symbol_get(struct facts *facts, const char *name, uint32_t file, bool is_static,
                    bool is_function)
{
    uint64_t known;
    const char *key = symbol_key(facts, name, file, is_static);
    if (map_get_text(&facts->by_key, key, &known))
        return (uint32_t)known;
    uint32_t index = (uint32_t)facts->symbols.count;
    struct symbol *symbol = VEC_PUSH(&facts->symbols);
    *symbol = (struct symbol){.name = arena_strdup(&facts->arena, name),
                              .key = arena_strdup(&facts->arena, key),
                              .file = is_static ? file : NONE,
                              .is_function = is_function,
                              .is_static = is_static,
                              .slot = NONE};
    map_init(&symbol->summary.writes.by_base);
    map_init(&symbol->summary.frees.by_base);
    map_put_text(&facts->by_key, key, index);
    return index;
}

static uint32_t file_of(const struct facts *facts, const char *path)
{
    for (uint32_t i = 0; path && i < facts->file_count; i++)
        if (strcmp(facts->files[i].path, path) == 0)
            return i;
    return NONE;
}

const struct symbol *symbol_find(const struct facts *facts, const char *name, const char *path)
{
    uint64_t index;
    uint32_t file = file_of(facts, path);
    struct buf key = BUF_INIT;
    buf_printf(&key, "%u:%s", file, name);
    bool found = (file != NONE && map_get_text(&facts->by_key, key.data, &index)) ||
                 map_get_text(&facts->by_key, name, &index);
    buf_release(&key);
    return found ? &facts->symbols.items[index] : NULL;
}

const struct facts_function *facts_find(const struct facts *facts, const char *name,
                                        const char *file)
{
    const struct symbol *symbol = symbol_find(facts, name, file);
    return symbol && symbol->is_function && symbol->defined ? &symbol->exported : NULL;
}

const char *facts_constant(const struct facts *facts, const char *name)
{
    const struct symbol *symbol = symbol_find(facts, name, NULL);
    return symbol && !symbol->is_function && symbol->defined && symbol->is_constant &&
                   symbol->file != NONE
               ? facts->files[symbol->file].path
               : NULL;
}

uint64_t facts_variable_size(const struct facts *facts, const char *name)
{
    const struct symbol *symbol = symbol_find(facts, name, NULL);
    return symbol && !symbol->is_function ? symbol->size : 0;
}

uint32_t phrase_get(struct facts *facts, const char *format, ...)
{
    struct buf text = BUF_INIT;
    va_list args;
    va_start(args, format);
    buf_vprintf(&text, format, args);
    va_end(args);
    uint64_t known = facts->phrase_texts.count;
    if (!map_get_text(&facts->phrases, buf_text(&text), &known)) {
        map_put_text(&facts->phrases, buf_text(&text), known);
        *VEC_PUSH(&facts->phrase_texts) = arena_strdup(&facts->arena, buf_text(&text));
    }
    buf_release(&text);
    return (uint32_t)known;
}

size_t facts_notes(const struct facts *facts, const char *const **notes)
{
    *notes = facts->notes.items;
    return facts->notes.count;
}

static void body_free(struct body *body)
{
    VEC_RELEASE(&body->defs);
    VEC_RELEASE(&body->writes);
    VEC_RELEASE(&body->stores);
    VEC_RELEASE(&body->copies);
    VEC_RELEASE(&body->calls);
    VEC_RELEASE(&body->arguments);
    VEC_RELEASE(&body->extents);
    VEC_RELEASE(&body->results);
    VEC_RELEASE(&body->blocks);
    VEC_RELEASE(&body->successors);
    VEC_RELEASE(&body->parameters);
    VEC_RELEASE(&body->unknown);
    free(body);
}

static void summary_release(struct summary *summary)
{
    VEC_RELEASE(&summary->writes.items);
    map_release(&summary->writes.by_base);
    VEC_RELEASE(&summary->frees.items);
    map_release(&summary->frees.by_base);
    VEC_RELEASE(&summary->results);
    VEC_RELEASE(&summary->stores);
    VEC_RELEASE(&summary->calls);
    for (size_t i = 0; i < summary->arguments.count; i++)
        VEC_RELEASE(&summary->arguments.items[i]);
    VEC_RELEASE(&summary->arguments);
    VEC_RELEASE(&summary->unknown);
}

void facts_free(struct facts *facts)
{
    if (!facts)
        return;
    for (size_t i = 0; i < facts->symbols.count; i++) {
        VEC_RELEASE(&facts->symbols.items[i].bodies);
        VEC_RELEASE(&facts->symbols.items[i].callees);
        VEC_RELEASE(&facts->symbols.items[i].callers);
        summary_release(&facts->symbols.items[i].summary);
    }
    for (size_t i = 0; i < facts->bodies.count; i++)
        body_free(facts->bodies.items[i]);
    for (size_t i = 0; i < facts->slots.count; i++) {
        VEC_RELEASE(&facts->slots.items[i].holds);
        VEC_RELEASE(&facts->slots.items[i].to);
    }
    VEC_RELEASE(&facts->symbols);
    VEC_RELEASE(&facts->bodies);
    VEC_RELEASE(&facts->slots);
    VEC_RELEASE(&facts->bases.items);
    VEC_RELEASE(&facts->field_names);
    VEC_RELEASE(&facts->field_slots);
    VEC_RELEASE(&facts->phrase_texts);
    VEC_RELEASE(&facts->notes);
    VEC_RELEASE(&facts->addresses);
    struct map *maps[] = {&facts->bases.by_hash, &facts->by_key, &facts->fields,
                          &facts->phrases,       &facts->held,   &facts->flows,
                          &facts->address_ids};
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++)
        map_release(maps[i]);
    fs_remove_tree(facts->directory, NULL);
    arena_release(&facts->arena);
    free(facts);
}

const char *facts_bitcode(const struct facts *facts, const char *file)
{
    uint32_t index = file_of(facts, file);
    return index != NONE && facts->readable[index] ? facts->bitcode[index] : NULL;
}

static const char *const *copy_flags(struct arena *arena, const char *const *flags)
{
    size_t count = 0;
    while (flags && flags[count])
        count++;
    const char **copy = arena_array(arena, const char *, count + 1);
    for (size_t i = 0; i < count; i++)
        copy[i] = arena_strdup(arena, flags[i]);
    return copy;
}

static struct facts *facts_new(const struct facts_request *request)
{
    struct facts *facts = xcalloc(1, sizeof *facts);
    arena_init(&facts->arena);
    struct map *maps[] = {&facts->bases.by_hash, &facts->by_key, &facts->fields,
                          &facts->phrases,       &facts->held,   &facts->flows,
                          &facts->address_ids};
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++)
        map_init(maps[i]);
    facts->directory = arena_strdup(&facts->arena, request->directory);
    facts->file_count = request->file_count;
    facts->bitcode = arena_array(&facts->arena, const char *, request->file_count + 1);
    facts->files = arena_array(&facts->arena, struct facts_file, request->file_count + 1);
    facts->readable = arena_array(&facts->arena, bool, request->file_count + 1);
    for (size_t i = 0; i < request->file_count; i++) {
        char *absolute = fs_absolute(request->files[i].path);
        facts->files[i].path =
            arena_strdup(&facts->arena, absolute ? absolute : request->files[i].path);
        facts->files[i].flags = copy_flags(&facts->arena, request->files[i].flags);
        free(absolute);
    }
    return facts;
}

static size_t read_all(struct facts *facts, const char *directory, struct error *err)
{
    size_t good = 0;
    for (uint32_t i = 0; i < facts->file_count; i++) {
        const char *path = arena_printf(&facts->arena, "%s/%u.bc", directory, i);
        facts->bitcode[i] = path;
        facts->readable[i] = fs_exists(path) && module_read(facts, i, path, err);
        good += facts->readable[i];
        if (!facts->readable[i])
            *VEC_PUSH(&facts->notes) = arena_printf(
                &facts->arena, "%s does not compile, so what its functions write is not known",
                facts->files[i].path);
    }
    return good;
}

bool facts_build(const struct facts_request *request, struct facts **out, struct error *err)
{
    *out = NULL;
    if (!fs_remove_tree(request->directory, err) || !fs_make_dirs(request->directory, err))
        return false;
    struct facts *facts = facts_new(request);
    compile_all(request, facts);
    size_t good = read_all(facts, request->directory, err);
    if (!good) {
        facts_free(facts);
        return error_set(err, ERROR_SOURCE, "no file of the project compiles");
    }
    slots_solve(facts);
    solve_all(facts);
    export_all(facts);
    *out = facts;
    return true;
}

uint64_t file_digest(const struct facts *facts, uint32_t file)
{
    struct buf bitcode = BUF_INIT;
    const char *path = facts->files[file].path;
    uint64_t hash = hash_bytes(path, strlen(path), facts->readable[file]);
    if (facts->readable[file] && fs_read(facts->bitcode[file], &bitcode, NULL))
        hash = hash_bytes(buf_text(&bitcode), bitcode.length, hash);
    buf_release(&bitcode);
    return hash;
}

uint64_t facts_digest(const struct facts *facts)
{
    uint64_t hash = 0;
    for (uint32_t i = 0; i < facts->file_count; i++)
        hash = hash_mix(hash ^ file_digest(facts, i));
    return hash;
}
