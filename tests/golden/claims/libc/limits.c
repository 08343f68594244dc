// SPDX-License-Identifier: Apache-2.0
// What the models of the C library leave out.
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int behind_64_characters(const char *s)
{
    char big[100], out[128];
    memset(big, 'a', sizeof big);
    big[80] = 0;
    if (s)
        big[70] = s[0];
    sprintf(out, "%s", big);
    if (out[70] == 'x')
        return 1;
    return 0;
}

static int last_digit(const char *format, ...)
{
    char out[64];
    va_list list;
    va_start(list, format);
    vsnprintf(out, sizeof out, format, list);
    va_end(list);
    return out[strlen(out) - 1];
}

int behind_the_registers(long v)
{
    if (last_digit("%ld%ld%ld%ld%ld%ld%ld%ld%ld%ld%ld%ld%ld%ld%ld%ld%ld%ld", 1L, 1L, 1L, 1L, 1L, 1L,
                   1L, 1L, 1L, 1L, 1L, 1L, 1L, 1L, 1L, 1L, 1L, v & 7) == '7')
        return 1;
    return 0;
}

int no_memory_for_text(void)
{
    char *text;
    if (asprintf(&text, "%d", 5) < 0)
        return 1;
    free(text);
    return 0;
}

int no_aligned_memory(void)
{
    void *p = aligned_alloc(64, 64), *q;
    if (!p)
        return 1;
    free(p);
    if (posix_memalign(&q, 64, 64) != 0)
        return 2;
    free(q);
    return 0;
}

int time_zone(void)
{
    tzset();
    if (timezone == 3600)
        return 1;
    return 0;
}

int length_of_output(unsigned v)
{
    int n = fprintf(stderr, "%u", v);
    if (n == 4)
        return 1;
    return 0;
}

static int done;
static void set_done(void)
{
    done++;
}

pthread_once_t control;
int only_once(void)
{
    done = 0;
    pthread_once(&control, set_done);
    if (done == 0)
        return 1;
    return 0;
}
