// SPDX-License-Identifier: Apache-2.0
#include "unit/nearest_file.h"

#include "base/fs.h"
#include <stdlib.h>
#include <string.h>

// The file in this directory or the next above it that has one, or NULL. The directory's name is
// shortened on the way.
static const char *search_upwards(const char *name, char *directory, struct arena *arena)
{
    for (char *slash; *directory; *slash = '\0') {
        const char *path = arena_printf(arena, "%s/%s", directory, name);
        if (fs_exists(path))
            return path;
        slash = strrchr(directory, '/');
        if (!slash)
            break;
    }
    return NULL;
}

const char *nearest_file(const char *name, const char *given, const char *home, const char *source,
                         struct arena *arena)
{
    if (*given)
        return strcmp(given, "none") ? given : NULL;
    char *absolute = fs_absolute(source);
    char *directory = arena_strdup(arena, absolute ? absolute : source);
    free(absolute);
    char *slash = strrchr(directory, '/');
    if (slash)
        *slash = '\0';
    const char *fresh = arena_printf(arena, "%s/%s", home ? home : slash ? directory : ".", name);
    const char *found = fs_exists(fresh) || !slash ? fresh : search_upwards(name, directory, arena);
    return found ? found : fresh;
}
