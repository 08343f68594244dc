// SPDX-License-Identifier: Apache-2.0
// Other names that glibc's headers give to the functions of this folder: C99 and
// C23 redirections, internal names, and the checking variants of _FORTIFY_SOURCE,
// which stop a program that would write more than the object holds.
#include "models.h"

_Noreturn void czrt___chk_fail(void);
char *czm_strcpy(char *to, const char *from);
char *czm_strncpy(char *to, const char *from, size_t n);
char *czm_stpncpy(char *to, const char *from, size_t n);
char *czm_strcat(char *to, const char *from);
char *czm_strncat(char *to, const char *from, size_t n);
char *czm_strdup(const char *text);
char *czm_strndup(const char *text, size_t n);
long long czm_strtoll(const char *text, char **end, int base);
unsigned long long czm_strtoull(const char *text, char **end, int base);
char *czm_strtok_r(char *text, const char *separators, char **state);

static void check(size_t n, size_t room)
{
    if (n > room)
        czrt___chk_fail();
}

void *czm___memcpy_chk(void *to, const void *from, size_t n, size_t room)
{
    check(n, room);
    return czm_memcpy(to, from, n);
}

void *czm___memmove_chk(void *to, const void *from, size_t n, size_t room)
{
    check(n, room);
    return czm_memmove(to, from, n);
}

void *czm___mempcpy_chk(void *to, const void *from, size_t n, size_t room)
{
    check(n, room);
    return (char *)czm_memcpy(to, from, n) + n;
}

void *czm___memset_chk(void *to, int value, size_t n, size_t room)
{
    check(n, room);
    return czm_memset(to, value, n);
}

char *czm___strcpy_chk(char *to, const char *from, size_t room)
{
    check(czm_strlen(from) + 1, room);
    return czm_strcpy(to, from);
}

char *czm___stpcpy_chk(char *to, const char *from, size_t room)
{
    check(czm_strlen(from) + 1, room);
    return czm_stpcpy(to, from);
}

char *czm___strncpy_chk(char *to, const char *from, size_t n, size_t room)
{
    check(n, room);
    return czm_strncpy(to, from, n);
}

char *czm___stpncpy_chk(char *to, const char *from, size_t n, size_t room)
{
    check(n, room);
    return czm_stpncpy(to, from, n);
}

char *czm___strcat_chk(char *to, const char *from, size_t room)
{
    check(czm_strlen(to) + czm_strlen(from) + 1, room);
    return czm_strcat(to, from);
}

char *czm___strncat_chk(char *to, const char *from, size_t n, size_t room)
{
    check(czm_strlen(to) + czm_strnlen(from, n) + 1, room);
    return czm_strncat(to, from, n);
}

char *czm___strdup(const char *text)
{
    return czm_strdup(text);
}

char *czm___strndup(const char *text, size_t n)
{
    return czm_strndup(text, n);
}

char *czm___strtok_r(char *text, const char *separators, char **state)
{
    return czm_strtok_r(text, separators, state);
}

char *czm___stpcpy(char *to, const char *from)
{
    return czm_stpcpy(to, from);
}

char *czm___strchrnul(const char *text, int c)
{
    return czm_strchrnul(text, c);
}

long czm___isoc23_strtol(const char *text, char **end, int base)
{
    return czm_strtol(text, end, base);
}

unsigned long czm___isoc23_strtoul(const char *text, char **end, int base)
{
    return czm_strtoul(text, end, base);
}

long long czm___isoc23_strtoll(const char *text, char **end, int base)
{
    return czm_strtoll(text, end, base);
}

unsigned long long czm___isoc23_strtoull(const char *text, char **end, int base)
{
    return czm_strtoull(text, end, base);
}
