// SPDX-License-Identifier: Apache-2.0
#include "project/project.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void split(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    struct arena arena;
    const char **words;
    size_t count;
    memcpy(text, data, size);
    text[size] = '\0';
    arena_init(&arena);
    project_split(text, &arena, &words, &count);
    arena_release(&arena);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct project project;
    struct error err = {0};
    split(data, size);
    const struct project_request request = {.path = "/fuzz/compile_commands.json"};
    if (project_read(&request, (const char *)data, size, &project, &err)) {
        for (size_t i = 0; i < project.files.count; i++)
            if (!project.files.items[i].path || !project.files.items[i].name)
                abort();
    } else if (err.kind == ERROR_NONE) {
        abort();
    }
    project_release(&project);
    return 0;
}
