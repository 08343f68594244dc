// SPDX-License-Identifier: Apache-2.0
#include "unit/source_hashes.h"

#include "base/fs.h"
#include "base/map.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t hash_of(const char *path)
{
    struct error ignored = {0};
    uint64_t hash;
    fs_hash(path, &hash, &ignored);
    return hash;
}

void source_hashes_each(const struct unit *unit,
                        void (*each)(void *context, const char *path, const char *hash),
                        void *context)
{
    for (size_t k = 0; k < unit->text_count; k++) {
        const struct program *program = &unit->texts[k]->program;
        for (size_t i = 0; i < program->input_count; i++) {
            char *absolute = fs_absolute(program->inputs[i]);
            char hash[17];
            if (absolute) {
                snprintf(hash, sizeof hash, "%016llx", (unsigned long long)hash_of(absolute));
                each(context, absolute, hash);
            }
            free(absolute);
        }
    }
}

static void add_line(void *context, const char *path, const char *hash)
{
    if (!strchr(path, '\n'))
        buf_printf(context, "%s %s\n", hash, path);
}

bool source_hashes_write(const struct unit *unit, const char *directory, struct error *err)
{
    struct buf list = BUF_INIT, path = BUF_INIT;
    source_hashes_each(unit, add_line, &list);
    buf_printf(&path, "%s/sources.txt", directory);
    bool good = fs_write(path.data, buf_text(&list), list.length, err);
    buf_release(&list);
    buf_release(&path);
    return good;
}

const char *source_hashes_changed(const char *directory, struct arena *arena, bool *known)
{
    struct buf text = BUF_INIT;
    struct error ignored = {0};
    const char *changed = NULL;
    *known = fs_read(arena_printf(arena, "%s/sources.txt", directory), &text, &ignored);
    for (const char *line = buf_text(&text); *known && !changed && *line;) {
        char *space;
        uint64_t hash = strtoull(line, &space, 16);
        size_t length = strcspn(space, "\n");
        const char *path = length ? arena_strndup(arena, space + 1, length - 1) : "";
        if (hash_of(path) != hash)
            changed = path;
        line = space + length + (space[length] == '\n');
    }
    buf_release(&text);
    return changed;
}
