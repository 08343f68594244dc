// SPDX-License-Identifier: Apache-2.0
// Descriptors: open, read, write, lseek, close, stat and the like on the files of
// world.c. The first three are the standard streams.
#define _GNU_SOURCE 1
#include "world.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define DESCRIPTORS 64

int czrt_real_open(const char *path, int flags, unsigned mode);
ssize_t czrt_real_read(int fd, void *to, size_t n);
ssize_t czrt_real_write(int fd, const void *from, size_t n);
off_t czrt_real_lseek(int fd, off_t offset, int from);
int czrt_real_close(int fd);
int czrt_real_dup(int fd);
int czrt_real_mkstemp(char *template);
int czrt_real_dup2(int fd, int to);
int czrt_real_isatty(int fd);
int czrt_real_fstat(int fd, struct stat *info);
int czrt_real_stat(const char *path, struct stat *info);
int czrt_real_lstat(const char *path, struct stat *info);
int czrt_real_access(const char *path, int mode);
int czrt_real_unlink(const char *path);
int czrt_real_ftruncate(int fd, off_t length);
void *czrt_real_mmap(void *address, size_t size, int protection, int flags, int fd, off_t offset);
int czrt_real_munmap(void *address, size_t size);
void *czrt_map_new(size_t size);
int czrt_map_drop(void *address);

static struct czm_open *table[DESCRIPTORS];
static struct czm_open *unknown;
static int closed[3]; // standard ones that are closed or replaced

struct czm_open *czm_open_new(struct czm_file *file, int readable, int writable, int append)
{
    struct czm_open *open = cz_new(0, sizeof *open, 0);
    open->file = file;
    open->readable = readable;
    open->writable = writable;
    open->append = append;
    return open;
}

static struct czm_open *standard(int fd)
{
    if (table[fd] || closed[fd])
        return table[fd];
    struct czm_file *file;
    if (fd == 0) {
        file = czm_standard_input();
    } else {
        file = czm_file_new();
        file->is_sink = 1;
    }
    table[fd] = czm_open_new(file, 1, fd != 0, 0);
    table[fd]->users = 1;
    if (fd == 0 && !czm_is_program())
        table[fd]->from = cz_root("stdin");
    return table[fd];
}

// A descriptor may be symbolic: it is compared with those that exist.
struct czm_open *czm_open_of(int fd)
{
    for (int i = 0; i < DESCRIPTORS; i++) {
        struct czm_open *open = i < 3 && !closed[i] ? (struct czm_open *)1 : table[i];
        if (open && fd == i)
            return i < 3 ? standard(i) : open;
    }
    if (fd < 3 || czm_is_program()) {
        errno = EBADF;
        return NULL;
    }
    if (!unknown) {
        unknown = czm_open_new(czm_unknown_file(), 1, 1, 0);
        unknown->from = cz_root("descriptor");
    }
    return unknown;
}

int czm_descriptor_new(struct czm_open *open, int from)
{
    for (int i = from; i < DESCRIPTORS; i++)
        if (!table[i] && (i >= 3 || closed[i])) {
            table[i] = open;
            open->users++;
            if (i == 1 || i == 2) // printf() does not write to it
                czrt_loss(WIRE_LOSS_EXTERNAL);
            return i;
        }
    czrt_loss(WIRE_LOSS_EXTERNAL); // the real limit is higher
    errno = EMFILE;
    return -1;
}

void czm_descriptor_drop(int fd)
{
    for (int i = 0; i < DESCRIPTORS; i++) {
        if (!(table[i] || i < 3) || fd != i)
            continue;
        if (table[i])
            table[i]->users--;
        if (i < 3)
            closed[i] = 1;
        table[i] = NULL;
    }
}

// ---- Opening ----

static ssize_t refuse(int number)
{
    errno = number;
    return -1;
}

static int open_file(const char *function, const char *path, int flags)
{
    int mode = flags & O_ACCMODE;
    int truncate = (flags & O_TRUNC) && mode != O_RDONLY;
    if (czm_fails(function, ENOENT))
        return -1;
    int exclusive = (flags & O_CREAT) && (flags & O_EXCL);
    struct czm_file *file = czm_file_named(path, flags & O_CREAT, truncate, exclusive);
    if (!file)
        return -1;
    if (flags & O_DIRECTORY) { // there are only files
        czrt_loss(WIRE_LOSS_STATE);
        return (int)refuse(ENOTDIR);
    }
    return czm_descriptor_new(
        czm_open_new(file, mode != O_WRONLY, mode != O_RDONLY, (flags & O_APPEND) != 0), 0);
}

int czm_open_path(const char *path, int flags, unsigned mode)
{
    return czrt_in_run() ? open_file("open", path, flags) : czrt_real_open(path, flags, mode);
}

int czm_open(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    unsigned mode = flags & O_CREAT ? va_arg(arguments, unsigned) : 0;
    va_end(arguments);
    return czm_open_path(path, flags, mode);
}

int czm_open64(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    unsigned mode = flags & O_CREAT ? va_arg(arguments, unsigned) : 0;
    va_end(arguments);
    return czm_open_path(path, flags, mode);
}

int czm_creat(const char *path, mode_t mode)
{
    return czm_open_path(path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}

int czm_creat64(const char *path, mode_t mode)
{
    return czm_open_path(path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}

// The name that is made up is always the same.
int czm_mkstemp(char *template)
{
    size_t n = czm_strlen(template);
    if (!czrt_in_run())
        return czrt_real_mkstemp(template);
    if (n < 6 || czm_strcmp(template + n - 6, "XXXXXX") != 0)
        return (int)refuse(EINVAL);
    __builtin_memcpy(template + n - 6, "cadenz", 6);
    czrt_presume_text(template + n - 6, WIRE_LOSS_STATE);
    return open_file("mkstemp", template, O_RDWR | O_CREAT | O_TRUNC);
}

int czm_mkstemp64(char *template)
{
    return czm_mkstemp(template);
}

int czm_close(int fd)
{
    if (!czrt_in_run())
        return czrt_real_close(fd);
    struct czm_open *open = czm_open_of(fd);
    if (!open)
        return -1;
    if (open != unknown)
        czm_descriptor_drop(fd);
    return 0;
}

int czm_dup(int fd)
{
    if (!czrt_in_run())
        return czrt_real_dup(fd);
    struct czm_open *open = czm_open_of(fd);
    return open ? czm_descriptor_new(open, 0) : -1;
}

int czm_dup2(int fd, int to)
{
    if (!czrt_in_run())
        return czrt_real_dup2(fd, to);
    struct czm_open *open = czm_open_of(fd);
    if (!open)
        return -1;
    if (to < 0 || to >= DESCRIPTORS) {
        czrt_loss(WIRE_LOSS_EXTERNAL);
        errno = EBADF;
        return -1;
    }
    if (fd == to)
        return to;
    czm_descriptor_drop(to);
    return czm_descriptor_new(open, to);
}

// ---- Data ----

ssize_t czm_read(int fd, void *to, size_t n)
{
    if (!czrt_in_run())
        return czrt_real_read(fd, to, n);
    struct czm_open *open = czm_open_of(fd);
    if (!open)
        return -1;
    if (!open->readable)
        return refuse(EBADF);
    if (czm_fails("read", EIO))
        return -1;
    struct czm_file *file = open->file;
    size_t got = czm_file_some(file, file->length, open->offset, n);
    if (got > 0)
        __builtin_memcpy(to, file->data + open->offset, got);
    else if (n > 0)
        czm_file_note_end(file, open->offset);
    open->offset += got;
    return (ssize_t)got;
}

ssize_t czm_pread(int fd, void *to, size_t n, off_t offset)
{
    struct czm_open *open = czrt_in_run() ? czm_open_of(fd) : NULL;
    off_t before = czrt_in_run() ? 0 : czrt_real_lseek(fd, 0, SEEK_CUR);
    if (!czrt_in_run()) {
        czrt_real_lseek(fd, offset, SEEK_SET);
        ssize_t got = czrt_real_read(fd, to, n);
        czrt_real_lseek(fd, before, SEEK_SET);
        return got;
    }
    if (!open)
        return -1;
    if (offset < 0)
        return refuse(EINVAL);
    size_t kept = open->offset;
    open->offset = (size_t)offset;
    ssize_t got = czm_read(fd, to, n);
    open->offset = kept;
    return got;
}

ssize_t czm_write(int fd, const void *from, size_t n)
{
    if (!czrt_in_run())
        return czrt_real_write(fd, from, n);
    struct czm_open *open = czm_open_of(fd);
    if (!open)
        return -1;
    if (!open->writable)
        return refuse(EBADF);
    if (open->file->is_sink)
        return (ssize_t)n;
    if (czm_fails("write", EIO))
        return -1;
    if (open == unknown || n == 0) // somebody else reads it
        return (ssize_t)n;
    if (open->append) {
        open->offset = open->file->length;
        czm_file_note_end(open->file, open->offset);
    }
    open->offset += czm_file_put(open->file, open->offset, from, n);
    return (ssize_t)n;
}

size_t czm_base(struct czm_open *open)
{
    if (open->from && !open->has_base) {
        open->has_base = 1;
        open->base = (size_t)cz_ubits(cz_part(open->from, "position"), 31);
    }
    return open->base;
}

int czm_cannot_seek(struct czm_open *open, const char *function)
{
    return open->from && czm_fails(function, ESPIPE);
}

// What lies in front of the position that somebody else left is not known: a file that is read
// there shows its content anew.
int czm_move(struct czm_open *open, long position, long offset, int from)
{
    if (from == SEEK_SET) {
        size_t base = czm_base(open);
        if (offset >= 0 && (size_t)offset < base) {
            czrt_loss(WIRE_LOSS_STATE);
            open->base = 0;
        } else {
            offset -= (long)base;
        }
    } else if (from == SEEK_CUR) {
        offset += position;
    } else if (from == SEEK_END) {
        if (open->file->is_bounded) // a longer file ends elsewhere
            czrt_loss(WIRE_LOSS_ELEMENTS);
        offset += (long)open->file->length;
    } else {
        offset = -1;
    }
    if (offset < 0) {
        if (from != SEEK_SET && czm_base(open))
            czrt_loss(WIRE_LOSS_STATE);
        errno = EINVAL;
        return 0;
    }
    open->offset = (size_t)offset;
    return 1;
}

off_t czm_lseek(int fd, off_t offset, int from)
{
    if (!czrt_in_run())
        return czrt_real_lseek(fd, offset, from);
    struct czm_open *open = czm_open_of(fd);
    if (!open)
        return -1;
    if (open->file->is_sink) {
        czrt_loss(WIRE_LOSS_STATE);
        return 0;
    }
    if (czm_cannot_seek(open, "lseek"))
        return -1;
    if (from == SEEK_DATA || from == SEEK_HOLE) { // no file has holes
        czrt_loss(WIRE_LOSS_STATE);
        if (offset < 0 || offset >= (off_t)open->file->length)
            return refuse(ENXIO);
        open->offset = from == SEEK_DATA ? (size_t)offset : open->file->length;
        return (off_t)open->offset;
    }
    if (!czm_move(open, (long)open->offset, (long)offset, from))
        return -1;
    return (off_t)(czm_base(open) + open->offset);
}

// Where an off_t has 32 bits: far behind the end of any file here there is nothing to read.
off64_t czm_lseek64(int fd, off64_t offset, int from)
{
    if (sizeof(off_t) == sizeof(off64_t) || (off_t)offset == offset)
        return czm_lseek(fd, (off_t)offset, from);
    if (offset < 0)
        return refuse(EINVAL);
    czrt_loss(WIRE_LOSS_EXTERNAL);
    return czm_lseek(fd, LONG_MAX, SEEK_SET) < 0 ? -1 : offset;
}

int czm_ftruncate(int fd, off_t length)
{
    if (!czrt_in_run())
        return czrt_real_ftruncate(fd, length);
    struct czm_open *open = czm_open_of(fd);
    if (!open)
        return -1;
    struct czm_file *file = open->file;
    if (length < 0 || !open->writable || file->is_sink)
        return (int)refuse(EINVAL);
    if ((size_t)length < file->length)
        file->length = (size_t)length;
    else if ((size_t)length > file->length) // fills the hole
        czm_file_put(file, (size_t)length - 1, "", 1);
    return 0;
}

int czm_isatty(int fd)
{
    if (!czrt_in_run())
        return czrt_real_isatty(fd);
    czrt_loss(WIRE_LOSS_EXTERNAL); // it might be one
    if (czm_open_of(fd))
        errno = ENOTTY;
    return 0;
}

// ---- What is known of a file ----

// Owner, times and numbers are made up: zero.
static int describe(const struct czm_file *file, struct stat *info)
{
    __builtin_memset(info, 0, sizeof *info);
    info->st_mode = file->is_sink ? S_IFCHR | 0666 : S_IFREG | 0644;
    info->st_nlink = 1;
    info->st_size = (off_t)file->length;
    info->st_blksize = 4096;
    czrt_loss(WIRE_LOSS_EXTERNAL);
    return 0;
}

int czm_fstat(int fd, struct stat *info)
{
    if (!czrt_in_run())
        return czrt_real_fstat(fd, info);
    struct czm_open *open = czm_open_of(fd);
    return open ? describe(open->file, info) : -1;
}

// With 32-bit pointers, what tells of large files has a layout of its own.
static int describe_large(int result, const struct stat *from, struct stat64 *to)
{
    if (result != 0)
        return result;
    __builtin_memset(to, 0, sizeof *to);
    to->st_mode = from->st_mode;
    to->st_nlink = from->st_nlink;
    to->st_size = from->st_size;
    to->st_blksize = from->st_blksize;
    return 0;
}

int czm_fstat64(int fd, struct stat64 *info)
{
    struct stat plain;
    if (sizeof plain == sizeof *info)
        return czm_fstat(fd, (struct stat *)info);
    return describe_large(czm_fstat(fd, &plain), &plain, info);
}

static int describe_path(const char *function, const char *path, struct stat *info)
{
    if (czm_fails(function, ENOENT))
        return -1;
    struct czm_file *file = czm_file_named(path, 0, 0, 0);
    return file ? describe(file, info) : -1;
}

int czm_stat(const char *path, struct stat *info)
{
    return czrt_in_run() ? describe_path("stat", path, info) : czrt_real_stat(path, info);
}

int czm_stat64(const char *path, struct stat64 *info)
{
    struct stat plain;
    if (sizeof plain == sizeof *info)
        return czm_stat(path, (struct stat *)info);
    return describe_large(czm_stat(path, &plain), &plain, info);
}

int czm_lstat(const char *path, struct stat *info)
{
    return czrt_in_run() ? describe_path("lstat", path, info) : czrt_real_lstat(path, info);
}

int czm_lstat64(const char *path, struct stat64 *info)
{
    struct stat plain;
    if (sizeof plain == sizeof *info)
        return czm_lstat(path, (struct stat *)info);
    return describe_large(czm_lstat(path, &plain), &plain, info);
}

int czm_access(const char *path, int mode)
{
    if (!czrt_in_run())
        return czrt_real_access(path, mode);
    if (czm_fails("access", ENOENT))
        return -1;
    if (czm_is_program() && !czm_file_find(path))
        return (int)refuse(ENOENT);
    if (!czm_is_program() || !(mode & X_OK))
        return 0;
    czrt_loss(WIRE_LOSS_STATE); // a declared file may be a program
    return (int)refuse(EACCES);
}

static int forget(const char *function, const char *path)
{
    if (!czrt_in_run())
        return czrt_real_unlink(path);
    if (czm_fails(function, ENOENT))
        return -1;
    struct czm_file *file = czm_file_find(path);
    if (file)
        czm_file_forget(file);
    return file || !czm_is_program() ? 0 : (int)refuse(ENOENT);
}

int czm_unlink(const char *path)
{
    return forget("unlink", path);
}

int czm_remove(const char *path)
{
    return forget("remove", path);
}

// ---- Memory ----

// A private mapping is a copy; so is a shared one that is only read.
void *czm_mmap(void *address, size_t size, int protection, int flags, int fd, off_t offset)
{
    int is_shared_write = (flags & MAP_SHARED) && (protection & PROT_WRITE);
    int is_plain = !(flags & MAP_FIXED) && !(protection & PROT_EXEC);
    if (!czrt_in_run() || !is_plain || (is_shared_write && !(flags & MAP_ANONYMOUS)))
        return czrt_real_mmap(address, size, protection, flags, fd, offset);
    if (size == 0 || offset < 0 || offset % 4096 != 0)
        return (void *)refuse(EINVAL);
    if (flags & MAP_ANONYMOUS)
        return czrt_map_new(size);
    struct czm_open *open = czm_open_of(fd);
    if (!open)
        return MAP_FAILED;
    if (!open->readable || open->file->is_sink)
        return (void *)refuse(open->readable ? ENODEV : EACCES);
    struct czm_file *file = open->file;
    size_t n = czm_file_some(file, file->length, (size_t)offset, size);
    if (n < size)
        czm_file_note_end(file, (size_t)offset + n);
    // Whole pages can be read; beyond the last one of the file there is nothing.
    size_t pages = (n + 4095) / 4096 * 4096;
    char *copy = czrt_map_new(size < pages ? size : pages);
    __builtin_memcpy(copy, file->data + offset, n);
    return copy;
}

void *czm_mmap64(void *address, size_t size, int protection, int flags, int fd, off64_t offset)
{
    return czm_mmap(address, size, protection, flags, fd, (off_t)offset);
}

int czm_munmap(void *address, size_t size)
{
    if (czrt_in_run() && czrt_map_drop(address))
        return 0;
    return czrt_real_munmap(address, size);
}
