// SPDX-License-Identifier: Apache-2.0
#include "base/alias.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/fs.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool alias_is_needed(const char *path)
{
    return fs_odd_byte(path) != NULL;
}

static bool make_link(struct alias *alias, const char *target, struct error *err)
{
    const char *parent = getenv("TMPDIR");
    struct buf name = BUF_INIT;
    buf_printf(&name, "%s/cadenza-XXXXXX", parent && *parent ? parent : "/tmp");
    if (alias_is_needed(buf_text(&name)) || !mkdtemp(name.data)) {
        error_errno(
            err,
            "the path of the output directory has a character that other programs misread (%%, a "
            "quote, a comma ...) and needs a link in %s, which cannot be made; choose another "
            "directory "
            "with -o, or set TMPDIR",
            parent && *parent ? parent : "/tmp");
        buf_release(&name);
        return false;
    }
    alias->directory = xstrdup(name.data);
    buf_puts(&name, "/run");
    alias->path = xstrdup(name.data);
    buf_release(&name);
    if (symlink(target, alias->path) == 0)
        return true;
    error_errno(err, "cannot make the link %s", alias->path);
    alias_remove(alias);
    return false;
}

bool alias_make(struct alias *alias, const char *directory, struct error *err)
{
    *alias = (struct alias){0};
    char *full = fs_absolute(directory);
    bool odd = alias_is_needed(full ? full : directory);
    if (!odd)
        alias->path = xstrdup(directory);
    bool good = !odd || (full ? make_link(alias, full, err)
                              : error_errno(err, "cannot find %s", directory));
    free(full);
    return good;
}

char *alias_absolute(const char *path)
{
    char *real = fs_absolute(path);
    if (!real || path[0] != '/' || alias_is_needed(path) || !alias_is_needed(real))
        return real;
    free(real);
    return xstrdup(path);
}

void alias_remove(struct alias *alias)
{
    if (alias->directory) {
        unlink(alias->path);
        rmdir(alias->directory);
    }
    free(alias->path);
    free(alias->directory);
    *alias = (struct alias){0};
}
