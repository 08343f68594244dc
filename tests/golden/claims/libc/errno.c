// SPDX-License-Identifier: Apache-2.0
// errno as the callers, functions of other files and the C library leave it.
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int driver_send(int byte);
void driver_reset(void);

int errno_at_entry(void)
{
    if (errno == EINTR)
        return 1;
    return 0;
}

int errno_after_stub(int byte)
{
    errno = 0;
    if (driver_send(byte) < 0) {
        if (errno == EAGAIN)
            return 2;
        return 1;
    }
    return 0;
}

int errno_after_void_stub(void)
{
    errno = 0;
    driver_reset();
    if (errno == ENODEV)
        return 1;
    return 0;
}

int errno_kept_by_code(int x)
{
    errno = 5;
    if (x > 3)
        x--;
    if (errno == 6) // infeasible: nothing was called
        return 1;
    return x;
}

int errno_after_open(const char *name)
{
    int fd = open(name, O_RDONLY);
    if (fd < 0)
        return errno == EACCES ? 2 : 1;
    close(fd);
    return 0;
}

int errno_after_read(int fd)
{
    char byte;
    if (read(fd, &byte, 1) < 0 && errno == EINTR)
        return 1;
    return 0;
}

int errno_after_fopen(void)
{
    FILE *f = fopen("state.txt", "r");
    if (!f && errno == EMFILE)
        return 1;
    return 0;
}

int errno_after_strtol(const char *text)
{
    errno = 0;
    long n = strtol(text, 0, 10);
    if (errno == ERANGE)
        return 2;
    if (errno == EPERM) // infeasible by the standard, open here
        return 3;
    if (n > 5)
        return 1;
    return 0;
}

int errno_after_time(void)
{
    if (chdir("/tmp") < 0 && errno == ENOTDIR)
        return 1;
    return 0;
}

int errno_after_malloc(unsigned n)
{
    errno = 0;
    char *p = malloc(n & 15);
    int no_memory = errno == ENOMEM;
    free(p);
    if (no_memory)
        return 1;
    return 0;
}

int errno_after_pointer(int (*send)(int))
{
    if (!send)
        return 0;
    errno = 0;
    send(1);
    if (errno == EIO)
        return 1;
    return 0;
}

int errno_in_second_call(int x)
{
    static int calls;
    if (calls++ && errno == EBADF)
        return x;
    errno = 0;
    return 0;
}

int errno_after_printing(void)
{
    errno = 0;
    printf("x");
    if (errno == ENOTTY)
        return 1;
    return 0;
}

int errno_after_log(void)
{
    volatile double minus = -1;
    double x = minus;
    log(x);
    if (errno == EDOM)
        return 1;
    if (errno == ERANGE)
        return 2;
    return 0;
}

int errno_after_power(double x)
{
    errno = 0;
    double square = pow(x, 2);
    if (errno == ERANGE)
        return 1;
    return square > 1;
}
