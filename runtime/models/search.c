// SPDX-License-Identifier: Apache-2.0
// Looking for characters and words in strings, and cutting strings into words.
#include "models.h"

char *czm_strchrnul(const char *text, int c)
{
    while (*text && *text != (char)c)
        text++;
    return (char *)text;
}

char *czm_strchr(const char *text, int c)
{
    const char *at = czm_strchrnul(text, c);
    return *at == (char)c ? (char *)at : NULL;
}

char *czm_strrchr(const char *text, int c)
{
    const char *last = NULL;
    for (;; text++) {
        if (*text == (char)c)
            last = text;
        if (!*text)
            return (char *)last;
    }
}

char *czm_index(const char *text, int c)
{
    return czm_strchr(text, c);
}

char *czm_rindex(const char *text, int c)
{
    return czm_strrchr(text, c);
}

static int starts_with(const char *text, const char *what, int ignore_case)
{
    for (; *what; text++, what++) {
        int a = (unsigned char)*text, b = (unsigned char)*what;
        if (ignore_case) {
            a = czm_tolower(a);
            b = czm_tolower(b);
        }
        if (a != b)
            return 0;
    }
    return 1;
}

static char *find(const char *text, const char *what, int ignore_case)
{
    for (;; text++) {
        if (starts_with(text, what, ignore_case))
            return (char *)text;
        if (!*text)
            return NULL;
    }
}

char *czm_strstr(const char *text, const char *what)
{
    return find(text, what, 0);
}

char *czm_strcasestr(const char *text, const char *what)
{
    return find(text, what, 1);
}

static int is_one_of(char c, const char *set)
{
    for (; *set; set++)
        if (*set == c)
            return 1;
    return 0;
}

size_t czm_strspn(const char *text, const char *accept)
{
    size_t n = 0;
    while (text[n] && is_one_of(text[n], accept))
        n++;
    return n;
}

size_t czm_strcspn(const char *text, const char *reject)
{
    size_t n = 0;
    while (text[n] && !is_one_of(text[n], reject))
        n++;
    return n;
}

char *czm_strpbrk(const char *text, const char *accept)
{
    text += czm_strcspn(text, accept);
    return *text ? (char *)text : NULL;
}

char *czm_strtok_r(char *text, const char *separators, char **state)
{
    if (!text)
        text = *state;
    text += czm_strspn(text, separators);
    if (!*text) {
        *state = text;
        return NULL;
    }
    char *end = text + czm_strcspn(text, separators);
    if (*end)
        *end++ = 0;
    *state = end;
    return text;
}

char *czm_strsep(char **state, const char *separators)
{
    char *text = *state;
    if (!text)
        return NULL;
    char *end = text + czm_strcspn(text, separators);
    *state = *end ? end + 1 : NULL;
    *end = 0;
    return text;
}

char *czm_basename(const char *path) // GNU's, of <string.h>
{
    const char *last = path;
    for (; *path; path++)
        if (*path == '/')
            last = path + 1;
    return (char *)last;
}
