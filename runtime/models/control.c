// SPDX-License-Identifier: Apache-2.0
// The rarer calls on descriptors and streams: fcntl, openat, advice. In a unit task what
// fcntl returns is an input; runtime/replay_control.c is the same for clean builds.
#define _GNU_SOURCE 1
#include "world.h"
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>

int czrt_real_fcntl(int fd, int command, long argument);
int czrt_real_openat(int directory, const char *path, int flags, unsigned mode);

static int refuse(int number)
{
    errno = number;
    return -1;
}

static int flags_of(const struct czm_open *open)
{
    int mode = open->readable && open->writable ? O_RDWR : open->writable ? O_WRONLY : O_RDONLY;
    return mode | (open->append ? O_APPEND : 0);
}

static int control(int fd, int command, long argument)
{
    if (!czrt_in_run())
        return czrt_real_fcntl(fd, command, argument);
    if (!czm_is_program())
        return cz_i32(cz_part(cz_call("fcntl"), "return"));
    struct czm_open *open = czm_open_of(fd);
    if (!open)
        return -1;
    switch (command) {
    case F_DUPFD:
    case F_DUPFD_CLOEXEC:
        return argument < 0 ? refuse(EINVAL) : czm_descriptor_new(open, (int)argument);
    case F_GETFL: return flags_of(open);
    case F_GETFD:
    case F_SETFD:
    case F_SETFL: return 0;
    default: czrt_loss(WIRE_LOSS_EXTERNAL); return refuse(EINVAL);
    }
}

static int has_argument(int command)
{
    return command == F_DUPFD || command == F_DUPFD_CLOEXEC || command == F_SETFD ||
           command == F_SETFL;
}

int czm_fcntl(int fd, int command, ...)
{
    va_list arguments;
    va_start(arguments, command);
    long argument = has_argument(command) ? va_arg(arguments, int) : 0;
    va_end(arguments);
    return control(fd, command, argument);
}

int czm_fcntl64(int fd, int command, ...)
{
    va_list arguments;
    va_start(arguments, command);
    long argument = has_argument(command) ? va_arg(arguments, int) : 0;
    va_end(arguments);
    return control(fd, command, argument);
}

// There are no directories but the working one.
static int open_at(int directory, const char *path, int flags, unsigned mode)
{
    if (!czrt_in_run())
        return czrt_real_openat(directory, path, flags, mode);
    if (czm_is_program() && directory != AT_FDCWD && path[0] != '/')
        return refuse(czm_open_of(directory) ? ENOTDIR : EBADF);
    return czm_open_path(path, flags, mode);
}

int czm_openat(int directory, const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    unsigned mode = flags & O_CREAT ? va_arg(arguments, unsigned) : 0;
    va_end(arguments);
    return open_at(directory, path, flags, mode);
}

int czm_openat64(int directory, const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    unsigned mode = flags & O_CREAT ? va_arg(arguments, unsigned) : 0;
    va_end(arguments);
    return open_at(directory, path, flags, mode);
}

int czm_posix_fadvise(int fd, off_t offset, off_t length, int advice)
{
    (void)fd;
    (void)offset;
    (void)length;
    (void)advice;
    return 0;
}

int czm_posix_fadvise64(int fd, off64_t offset, off64_t length, int advice)
{
    return czm_posix_fadvise(fd, (off_t)offset, (off_t)length, advice);
}

// What is written is never waiting.
size_t czm___fpending(FILE *stream)
{
    (void)stream;
    return 0;
}
