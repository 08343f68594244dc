// SPDX-License-Identifier: Apache-2.0
// runtime/models/control.c for clean builds: fcntl, openat, advice.
#define _GNU_SOURCE 1
#include "replay_runtime.h"

#include "../include/cz/driver.h"
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>

int __real_fcntl(int fd, int command, ...);
int __real_openat(int directory, const char *path, int flags, ...);
int __real_posix_fadvise(int fd, off_t offset, off_t length, int advice);
size_t __real___fpending(FILE *stream);

static int control(int fd, int command, void *argument)
{
    if (!replay_running)
        return __real_fcntl(fd, command, argument);
    replay_running = false;
    int result = replay_is_program() ? __real_fcntl(fd, command, argument)
                                     : cz_i32(cz_part(cz_call("fcntl"), "return"));
    replay_running = true;
    // The engine's files have no other flags.
    if (replay_is_program() && command == F_GETFL && result >= 0)
        result &= O_ACCMODE | O_APPEND;
    if (replay_is_program() && command == F_GETFD && result > 0)
        result = 0;
    return result;
}

int __wrap_fcntl(int fd, int command, ...)
{
    va_list arguments;
    va_start(arguments, command);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    return control(fd, command, argument);
}

int __wrap_fcntl64(int fd, int command, ...)
{
    va_list arguments;
    va_start(arguments, command);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    return control(fd, command, argument);
}

static int open_at(int directory, const char *path, int flags, unsigned mode)
{
    if (!replay_running)
        return __real_openat(directory, path, flags, mode);
    if (replay_is_program() && directory != AT_FDCWD && path[0] != '/') {
        errno = __real_fcntl(directory, F_GETFD) >= 0 ? ENOTDIR : EBADF;
        return -1;
    }
    return replay_open_path(path, flags, mode);
}

int __wrap_openat(int directory, const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    unsigned mode = flags & O_CREAT ? va_arg(arguments, unsigned) : 0;
    va_end(arguments);
    return open_at(directory, path, flags, mode);
}

int __wrap_openat64(int directory, const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    unsigned mode = flags & O_CREAT ? va_arg(arguments, unsigned) : 0;
    va_end(arguments);
    return open_at(directory, path, flags, mode);
}

int __wrap_posix_fadvise(int fd, off_t offset, off_t length, int advice)
{
    return replay_running ? 0 : __real_posix_fadvise(fd, offset, length, advice);
}

int __wrap_posix_fadvise64(int fd, off64_t offset, off64_t length, int advice)
{
    return __wrap_posix_fadvise(fd, (off_t)offset, (off_t)length, advice);
}

size_t __wrap___fpending(FILE *stream)
{
    return replay_running ? 0 : __real___fpending(stream);
}
