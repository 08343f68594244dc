// SPDX-License-Identifier: Apache-2.0
#include "unit/project_facts.h"

#include "base/fs.h"
#include "base/proc.h"
#include "flags/flags.h"
#include "frontend/frontend.h"
#include <stdlib.h>
#include <string.h>

static const char *const *clean_flags(struct arena *arena, const char *const *flags)
{
    struct flag_list chosen = {0};
    flags_of_source(flags, &chosen);
    return flags_finish(&chosen, arena);
}

// Code for other compilers, as the front end makes it one for ours.
static bool adapt(const struct facts_request *request, const struct facts_file *file, size_t number,
                  struct arena *arena, struct facts_file *out)
{
    struct frontend_request parse = {
        .source = file->path, .flags = file->flags, .clang = request->clang};
    struct error ignored = {0}; // the file is reported on its own
    const char *text;
    out->path = arena_printf(arena, "%s/%zu.i", request->directory, number);
    return frontend_text(&parse, arena, &text, &out->flags, &ignored) &&
           fs_write(out->path, text, strlen(text), &ignored);
}

bool project_facts_build(const struct project *project, const char *directory, unsigned jobs,
                         struct facts **out, struct error *err)
{
    size_t count = 0;
    struct arena arena;
    arena_init(&arena);
    struct facts_file *list = arena_array(&arena, struct facts_file, project->files.count + 1);
    for (size_t i = 0; i < project->files.count; i++) {
        const struct project_file *file = &project->files.items[i];
        if (!file->problem)
            list[count++] = (struct facts_file){file->path, clean_flags(&arena, file->flags)};
    }
    char *clang = proc_find_tool("clang", err);
    struct facts_request request = {.files = list,
                                    .file_count = count,
                                    .clang = clang,
                                    .directory = directory,
                                    .jobs = jobs,
                                    .adapt = adapt};
    bool good = clang && facts_build(&request, out, err);
    free(clang);
    arena_release(&arena);
    return good;
}
