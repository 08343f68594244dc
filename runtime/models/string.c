// SPDX-License-Identifier: Apache-2.0
// Strings: length, copying, comparing.
#include "models.h"
#include <stdlib.h>

size_t czm_strlen(const char *text)
{
    size_t n = 0;
    while (text[n])
        n++;
    return n;
}

size_t czm_strnlen(const char *text, size_t room)
{
    size_t n = 0;
    while (n < room && text[n])
        n++;
    return n;
}

char *czm_stpcpy(char *to, const char *from)
{
    while ((*to = *from)) {
        to++;
        from++;
    }
    return to;
}

char *czm_strcpy(char *to, const char *from)
{
    czm_stpcpy(to, from);
    return to;
}

char *czm_stpncpy(char *to, const char *from, size_t n)
{
    size_t i = 0;
    while (i < n && from[i]) {
        to[i] = from[i];
        i++;
    }
    for (size_t k = i; k < n; k++)
        to[k] = 0;
    return to + i;
}

char *czm_strncpy(char *to, const char *from, size_t n)
{
    czm_stpncpy(to, from, n);
    return to;
}

char *czm_strcat(char *to, const char *from)
{
    czm_stpcpy(to + czm_strlen(to), from);
    return to;
}

char *czm_strncat(char *to, const char *from, size_t n)
{
    char *end = to + czm_strlen(to);
    size_t i = 0;
    while (i < n && from[i]) {
        end[i] = from[i];
        i++;
    }
    end[i] = 0;
    return to;
}

size_t czm_strlcpy(char *to, const char *from, size_t room)
{
    size_t n = czm_strlen(from);
    if (room > 0) {
        size_t kept = n < room ? n : room - 1;
        __builtin_memcpy(to, from, kept);
        to[kept] = 0;
    }
    return n;
}

size_t czm_strlcat(char *to, const char *from, size_t room)
{
    size_t n = czm_strnlen(to, room);
    return n == room ? n + czm_strlen(from) : n + czm_strlcpy(to + n, from, room - n);
}

int czm_strcmp(const char *left, const char *right)
{
    const unsigned char *a = (const unsigned char *)left, *b = (const unsigned char *)right;
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return *a - *b;
}

int czm_strncmp(const char *left, const char *right, size_t n)
{
    const unsigned char *a = (const unsigned char *)left, *b = (const unsigned char *)right;
    for (size_t i = 0; i < n; i++) {
        if (a[i] != b[i])
            return a[i] - b[i];
        if (!a[i])
            break;
    }
    return 0;
}

int czm_strcoll(const char *left, const char *right) // the C locale has no other order
{
    return czm_strcmp(left, right);
}

size_t czm_strxfrm(char *to, const char *from, size_t room)
{
    size_t n = czm_strlen(from);
    if (room > 0)
        __builtin_memcpy(to, from, n < room ? n + 1 : room);
    return n;
}

int czm_strcasecmp(const char *left, const char *right)
{
    const unsigned char *a = (const unsigned char *)left, *b = (const unsigned char *)right;
    for (;; a++, b++) {
        int difference = czm_tolower(*a) - czm_tolower(*b);
        if (difference != 0 || *a == 0)
            return difference;
    }
}

int czm_strncasecmp(const char *left, const char *right, size_t n)
{
    const unsigned char *a = (const unsigned char *)left, *b = (const unsigned char *)right;
    for (size_t i = 0; i < n; i++) {
        int difference = czm_tolower(a[i]) - czm_tolower(b[i]);
        if (difference != 0 || a[i] == 0)
            return difference;
    }
    return 0;
}

static char *duplicate(const char *text, size_t n)
{
    char *copy = malloc(n + 1); // may fail as the user's own: see replay_heap.c
    if (copy) {
        __builtin_memcpy(copy, text, n);
        copy[n] = 0;
    }
    return copy;
}

char *czm_strdup(const char *text)
{
    return duplicate(text, czm_strlen(text));
}

char *czm_strndup(const char *text, size_t n)
{
    return duplicate(text, czm_strnlen(text, n));
}
