// SPDX-License-Identifier: Apache-2.0
// The C library's own files, for what runtime/models does not model: calls outside of
// a run, programs with a main of their own, streams that an unmodelled function has
// opened. What such a call writes is concrete, and in a run it is noted as external.
// Streams and descriptors that a run leaves open are closed by nobody: in a run
// nothing real is opened here.
#define _GNU_SOURCE 1
#include "target_process.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

// For the models.
bool czrt_in_run(void);
size_t czrt_text_length(const char *text);
void *czrt_map_new(size_t size);
int czrt_map_drop(void *address);
void czrt_free(void *pointer);

bool czrt_in_run(void)
{
    czrt_ret = 0;
    return czrt_running;
}

size_t czrt_text_length(const char *text)
{
    size_t n = 0;
    if (CZRT_IS_WILD(text))
        czrt_fault(WIRE_FAULT_NULL, 0, text);
    czrt_extent_forget(text);
    for (;; n++) {
        if (WIRE_IS_POISON(*CZRT_SHADOW(text + n)))
            czrt_check_poison(text + n, 0);
        if (text[n] == 0)
            break;
    }
    czrt_ret = 0;
    return n;
}

void *czrt_map_new(size_t size)
{
    void *got = czrt_heap_new(size, false);
    czrt_ret = 0;
    return got;
}

// A part of a mapping stays until the end of the run.
int czrt_map_drop(void *address)
{
    czrt_ret = 0;
    if (!czrt_heap_owns(address))
        return 0;
    const struct czrt_object *object = czrt_heap_find((uintptr_t)address);
    if (object && object->base == (uintptr_t)address)
        czrt_free(address);
    czrt_ret = 0;
    return 1;
}

// A real call: noted, its result concrete.
#define REAL(type, name, parameters, call)                                                         \
    type czrt_real_##name parameters;                                                              \
    type czrt_real_##name parameters                                                               \
    {                                                                                              \
        if (czrt_running)                                                                          \
            czrt_loss(WIRE_LOSS_EXTERNAL);                                                         \
        type result = call;                                                                        \
        czrt_ret = 0;                                                                              \
        return result;                                                                             \
    }

static size_t clean_read(void *to, size_t n, FILE *stream)
{
    size_t got = fread(to, 1, n, stream);
    czrt_shadow_fill(to, 0, got);
    return got;
}

static ssize_t clean_read_fd(int fd, void *to, size_t n)
{
    ssize_t got = read(fd, to, n);
    if (got > 0)
        czrt_shadow_fill(to, 0, (uint64_t)got);
    return got;
}

static int clean_stat(int result, struct stat *info)
{
    czrt_shadow_fill(info, 0, sizeof *info);
    return result;
}

REAL(int, getc, (FILE * stream), getc(stream))
REAL(int, ungetc, (int c, FILE *stream), ungetc(c, stream))
REAL(size_t, fread, (void *to, size_t n, FILE *stream), clean_read(to, n, stream))
REAL(size_t, fwrite, (const void *from, size_t n, FILE *stream), fwrite(from, 1, n, stream))
REAL(int, fseek, (FILE * stream, long offset, int from), fseek(stream, offset, from))
REAL(long, ftell, (FILE * stream), ftell(stream))
REAL(int, feof, (FILE * stream), feof(stream))
REAL(int, ferror, (FILE * stream), ferror(stream))
REAL(int, fileno, (FILE * stream), fileno(stream))
REAL(int, fclose, (FILE * stream), fclose(stream))
REAL(FILE *, fopen, (const char *path, const char *mode), fopen(path, mode))
REAL(FILE *, freopen, (const char *path, const char *mode, FILE *stream),
     freopen(path, mode, stream))
REAL(FILE *, fdopen, (int fd, const char *mode), fdopen(fd, mode))
REAL(FILE *, tmpfile, (void), tmpfile())
REAL(int, open, (const char *path, int flags, unsigned mode), open(path, flags, mode))
REAL(int, openat, (int directory, const char *path, int flags, unsigned mode),
     openat(directory, path, flags, mode))
REAL(int, fcntl, (int fd, int command, long argument), fcntl(fd, command, argument))
REAL(ssize_t, read, (int fd, void *to, size_t n), clean_read_fd(fd, to, n))
REAL(ssize_t, write, (int fd, const void *from, size_t n), write(fd, from, n))
REAL(off_t, lseek, (int fd, off_t offset, int from), lseek(fd, offset, from))
REAL(int, close, (int fd), close(fd))
REAL(int, dup, (int fd), dup(fd))
REAL(int, mkstemp, (char *template), mkstemp(template))
REAL(int, dup2, (int fd, int to), dup2(fd, to))
REAL(int, isatty, (int fd), isatty(fd))
REAL(int, ftruncate, (int fd, off_t length), ftruncate(fd, length))
REAL(int, fstat, (int fd, struct stat *info), clean_stat(fstat(fd, info), info))
REAL(int, stat, (const char *path, struct stat *info), clean_stat(stat(path, info), info))
REAL(int, lstat, (const char *path, struct stat *info), clean_stat(lstat(path, info), info))
REAL(int, access, (const char *path, int mode), access(path, mode))
REAL(int, unlink, (const char *path), remove(path))
REAL(void *, mmap, (void *address, size_t size, int protection, int flags, int fd, off_t offset),
     mmap(address, size, protection, flags, fd, offset))
REAL(int, munmap, (void *address, size_t size), munmap(address, size))
REAL(char *, getenv, (const char *name), getenv(name))
REAL(int, setenv, (const char *name, const char *value, int overwrite),
     setenv(name, value, overwrite))
REAL(int, unsetenv, (const char *name), unsetenv(name))
REAL(int, putenv, (char *text), putenv(text))

int czrt_real_fflush(FILE *stream);
int czrt_real_fflush(FILE *stream) // of everything: nobody sees it
{
    int result = fflush(stream);
    czrt_ret = 0;
    return result;
}

void czrt_real_clearerr(FILE *stream);
void czrt_real_clearerr(FILE *stream)
{
    clearerr(stream);
}
