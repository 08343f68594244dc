// SPDX-License-Identifier: Apache-2.0
// Blocks of memory.
#include "models.h"
#include <sys/types.h>

void *czm_memcpy(void *to, const void *from, size_t n)
{
    __builtin_memcpy(to, from, n);
    return to;
}

void *czm_memmove(void *to, const void *from, size_t n)
{
    __builtin_memmove(to, from, n);
    return to;
}

void *czm_mempcpy(void *to, const void *from, size_t n)
{
    __builtin_memcpy(to, from, n);
    return (char *)to + n;
}

void *czm_memset(void *to, int value, size_t n)
{
    __builtin_memset(to, value, n);
    return to;
}

void czm_bzero(void *to, size_t n)
{
    __builtin_memset(to, 0, n);
}

void czm_explicit_bzero(void *to, size_t n)
{
    __builtin_memset(to, 0, n);
}

void czm_bcopy(const void *from, void *to, size_t n)
{
    __builtin_memmove(to, from, n);
}

int czm_memcmp(const void *left, const void *right, size_t n)
{
    const unsigned char *a = left, *b = right;
    for (size_t i = 0; i < n; i++)
        if (a[i] != b[i])
            return a[i] - b[i];
    return 0;
}

int czm_bcmp(const void *left, const void *right, size_t n)
{
    return czm_memcmp(left, right, n);
}

void *czm_memchr(const void *in, int value, size_t n)
{
    const unsigned char *at = in;
    for (size_t i = 0; i < n; i++)
        if (at[i] == (unsigned char)value)
            return (void *)(at + i);
    return NULL;
}

void *czm_memrchr(const void *in, int value, size_t n)
{
    const unsigned char *at = in;
    while (n > 0)
        if (at[--n] == (unsigned char)value)
            return (void *)(at + n);
    return NULL;
}

void *czm_rawmemchr(const void *in, int value)
{
    const unsigned char *at = in;
    while (*at != (unsigned char)value)
        at++;
    return (void *)at;
}

void *czm_memccpy(void *to, const void *from, int value, size_t n)
{
    unsigned char *out = to;
    const unsigned char *in = from;
    for (size_t i = 0; i < n; i++) {
        out[i] = in[i];
        if (in[i] == (unsigned char)value)
            return out + i + 1;
    }
    return NULL;
}

void *czm_memmem(const void *in, size_t n, const void *what, size_t m)
{
    const unsigned char *at = in;
    if (m == 0)
        return (void *)in;
    for (; n >= m; at++, n--)
        if (czm_memcmp(at, what, m) == 0)
            return (void *)at;
    return NULL;
}

void czm_swab(const void *from, void *to, ssize_t n)
{
    const char *in = from;
    char *out = to;
    for (; n > 1; n -= 2, in += 2, out += 2) {
        char first = in[0];
        out[0] = in[1];
        out[1] = first;
    }
}
