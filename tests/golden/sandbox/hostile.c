// SPDX-License-Identifier: Apache-2.0
// Code that destroys what it shares with the engine, if its input says so.
#define _GNU_SOURCE 1
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

static char maps[1 << 16];

static unsigned long number(const char **at)
{
    unsigned long value = 0;
    for (; (**at >= '0' && **at <= '9') || (**at >= 'a' && **at <= 'f'); ++*at)
        value = value * 16 + (unsigned long)(**at <= '9' ? **at - '0' : **at - 'a' + 10);
    return value;
}

// Everything that is shared and can be written, by system calls, which nothing checks.
static void overwrite(void)
{
    long fd = syscall(SYS_open, "/proc/self/maps", O_RDONLY, 0), got;
    long noise = syscall(SYS_open, "/dev/urandom", O_RDONLY, 0);
    for (long have = 0; (got = syscall(SYS_read, fd, maps + have, sizeof maps - 1 - (unsigned long)have)) > 0;)
        have += got;
    for (const char *at = maps; *at;) {
        unsigned long from = number(&at), to = (at++, number(&at));
        if (at[2] == 'w' && at[4] == 's')
            syscall(SYS_read, noise, from, to - from < 4ul << 20 ? to - from : 4ul << 20);
        while (*at && *at++ != '\n')
            ;
    }
}

int scribbles(int x)
{
    if (x == 77)
        overwrite();
    if (x == 78)
        return 1;
    return 0;
}

int closes(int x)
{
    if (x == 77)
        for (int fd = 0; fd < 1024; fd++)
            syscall(SYS_close, fd);
    if (x == 78)
        return 1;
    return 0;
}

int babbles(int x)
{
    if (x == 77)
        for (int fd = 0; fd < 1024; fd++)
            syscall(SYS_write, fd, "DDDDDDDDDDDDDDDDGGRR", 20);
    if (x == 78)
        return 1;
    return 0;
}

int shrinks(int x)
{
    if (x == 77)
        for (int fd = 3; fd < 1024; fd++)
            syscall(SYS_ftruncate, fd, 0);
    if (x == 78)
        return 1;
    return 0;
}
