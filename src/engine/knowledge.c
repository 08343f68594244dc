// SPDX-License-Identifier: Apache-2.0
#include "engine/knowledge.h"

#include "base/proc.h"
#include "replay/flags.h"
#include <unistd.h>

static const char *const *clean_flags(struct arena *arena, const char *const *flags)
{
    struct flags chosen = {0};
    flags_select(flags, &chosen);
    const char **out = arena_array(arena, const char *, chosen.count + 1);
    for (size_t i = 0; i < chosen.count; i++)
        out[i] = chosen.items[i];
    VEC_RELEASE(&chosen);
    return out;
}

bool knowledge_build(const struct project_file *const *files, size_t count, const char *directory,
                     unsigned jobs, struct facts **out, struct error *err)
{
    struct arena arena;
    arena_init(&arena);
    struct facts_file *list = arena_array(&arena, struct facts_file, count + 1);
    for (size_t i = 0; i < count; i++)
        list[i] = (struct facts_file){files[i]->path, clean_flags(&arena, files[i]->flags)};
    char *clang = proc_find_tool("clang", err);
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    struct facts_request request = {.files = list,
                                    .file_count = count,
                                    .clang = clang,
                                    .directory = directory,
                                    .jobs = jobs ? jobs : cores > 0 ? (unsigned)cores : 1};
    bool good = clang && facts_build(&request, out, err);
    free(clang);
    arena_release(&arena);
    return good;
}
