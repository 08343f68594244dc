// SPDX-License-Identifier: Apache-2.0
// Whole-file input and output. A file that is being replaced keeps its old
// contents until the new ones are complete: a killed run leaves whole files. (No
// fsync: it would cost more than the tests it protects against a power cut.)
#include "base/fs.h"

#include "base/map.h"

#include "base/arena.h"
#include "base/utf8.h"
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool fs_read(const char *path, struct buf *out, struct error *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return error_errno(err, "cannot read %s", path);
    char chunk[65536];
    ssize_t got;
    while ((got = read(fd, chunk, sizeof chunk)) > 0)
        buf_add(out, chunk, (size_t)got);
    int saved = errno;
    close(fd);
    errno = saved;
    return got == 0 || error_errno(err, "cannot read %s", path);
}

bool fs_hash(const char *path, uint64_t *hash, struct error *err)
{
    struct buf text = BUF_INIT;
    bool good = fs_read(path, &text, err);
    *hash = good ? hash_bytes(buf_text(&text), text.length, 3) : 0;
    buf_release(&text);
    return good;
}

static bool write_all(int fd, const char *data, size_t length)
{
    while (length) {
        ssize_t done = write(fd, data, length);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return false;
        data += done;
        length -= (size_t)done;
    }
    return true;
}

bool fs_write(const char *path, const void *data, size_t length, struct error *err)
{
    struct buf temporary = BUF_INIT;
    buf_printf(&temporary, "%s.tmp.%ld", path, (long)getpid());
    int fd = open(temporary.data, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    bool good = fd >= 0 && write_all(fd, data, length);
    int saved = errno;
    if (fd >= 0 && close(fd) != 0 && good) {
        saved = errno;
        good = false;
    }
    errno = saved;
    if (good && rename(temporary.data, path) != 0)
        good = false;
    if (!good) {
        error_errno(err, "cannot write %s", path);
        unlink(temporary.data);
    }
    buf_release(&temporary);
    return good;
}

bool fs_make_dirs(const char *path, struct error *err)
{
    char *copy = xstrdup(path);
    bool good = true;
    for (char *at = copy + 1; good; at++) {
        if (*at != '/' && *at != '\0')
            continue;
        char kept = *at;
        *at = '\0';
        if (mkdir(copy, 0777) != 0 && (errno != EEXIST || !fs_is_dir(copy)))
            good = error_errno(err, "cannot make directory %s", copy);
        *at = kept;
        if (!kept)
            break;
    }
    free(copy);
    return good;
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *walk)
{
    (void)info, (void)kind, (void)walk;
    return remove(path);
}

bool fs_remove_tree(const char *path, struct error *err)
{
    if (nftw(path, remove_one, 32, FTW_DEPTH | FTW_PHYS) != 0 && errno != ENOENT)
        return error_errno(err, "cannot remove %s", path);
    return true;
}

bool fs_replace_tree(const char *from, const char *to, struct error *err)
{
    if (rename(from, to) == 0) // nothing was there
        return true;
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_EXCHANGE) == 0)
        return fs_remove_tree(from, err);
    return fs_remove_tree(to, err) &&
           (rename(from, to) == 0 || error_errno(err, "cannot rename %s to %s", from, to));
}

bool fs_exists(const char *path)
{
    return access(path, F_OK) == 0;
}

bool fs_is_dir(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

char *fs_absolute(const char *path)
{
    return realpath(path, NULL);
}

const char *fs_basename(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

char *fs_library_dir(void)
{
    const char *given = getenv("CADENZA_LIB");
    if (given && *given)
        return xstrdup(given);
    char self[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    self[length < 0 ? 0 : length] = '\0';
    char *slash = strrchr(self, '/');
    if (slash)
        *slash = '\0';
    struct buf path = BUF_INIT;
    buf_printf(&path, "%s/../lib/cadenza", self);
    if (!fs_is_dir(path.data)) {
        buf_clear(&path);
        buf_puts(&path, self);
    }
    return path.data;
}

char *fs_odd_byte(const char *path)
{
    for (size_t length; *path; path += length) {
        uint32_t code = 0;
        length = utf8_decode(path, &code);
        if (!length || strchr("%\"\n\r,", *path))
            return (char *)path;
    }
    return NULL;
}

const char *fs_plain_name(const char *path, struct arena *arena)
{
    char *name = arena_strdup(arena, fs_basename(path));
    for (char *at = name; (at = fs_odd_byte(at));)
        *at = '_';
    return name;
}
