// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE 1
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <wchar.h>

void name_file(char *path)
{
    (void)!mkstemp(path);
}

static void scan(const char *text, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsscanf(text, format, list);
    va_end(list);
}

void scan_numbers(int *numbers, const char *text)
{
    scan(text, "%d %d", &numbers[0], &numbers[1]);
}

void cut_wide(wchar_t *text)
{
    wchar_t *at = wcsrchr(text, L'.');
    if (at)
        *at = 0;
}

void fill_wide(wchar_t *text)
{
    wmemset(text, L'x', 3);
}

void cut_text(char *text)
{
    strsep(&text, ",");
}

void cut_on(char **rest)
{
    strtok_r(NULL, ",", rest);
}

void copy_behind(char *to, const char *from)
{
    char *end = memccpy(to, from, 'z', 3);
    if (end)
        *end = 'q';
}

void connect_pair(int *ends)
{
    socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
}
