// SPDX-License-Identifier: Apache-2.0
#include "engine/knowledge.h"

#include "base/proc.h"
#include "replay/flags.h"
#include <stdlib.h>

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

bool knowledge_build(const struct project *project, const char *directory, unsigned jobs,
                     struct facts **out, struct error *err)
{
    size_t count = project->files.count;
    struct arena arena;
    arena_init(&arena);
    struct facts_file *list = arena_array(&arena, struct facts_file, count + 1);
    for (size_t i = 0; i < count; i++)
        list[i] = (struct facts_file){project->files.items[i].path,
                                      clean_flags(&arena, project->files.items[i].flags)};
    char *clang = proc_find_tool("clang", err);
    struct facts_request request = {.files = list,
                                    .file_count = count,
                                    .clang = clang,
                                    .directory = directory,
                                    .jobs = jobs};
    bool good = clang && facts_build(&request, out, err);
    free(clang);
    arena_release(&arena);
    return good;
}
