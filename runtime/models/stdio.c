// SPDX-License-Identifier: Apache-2.0
// Reading and writing of streams in all the ways of <stdio.h>, made of czm_get,
// czm_take and czm_put. What goes to a sink (standard output) is only measured, so
// that text which is thrown away makes no decisions.
#define _GNU_SOURCE 1
#include "world.h"
#include <errno.h>
#include <limits.h>
#include <stdlib.h>

// ---- In ----

int czm_fgetc(FILE *stream)
{
    return czm_get(stream);
}

int czm_getc(FILE *stream)
{
    return czm_get(stream);
}

int czm_fgetc_unlocked(FILE *stream)
{
    return czm_get(stream);
}

int czm_getc_unlocked(FILE *stream)
{
    return czm_get(stream);
}

int czm__IO_getc(FILE *stream)
{
    return czm_get(stream);
}

int czm_getchar(void)
{
    return czm_get(stdin);
}

int czm_getchar_unlocked(void)
{
    return czm_get(stdin);
}

int czm_ungetc(int c, FILE *stream)
{
    return czm_unget(c, stream);
}

char *czm_fgets(char *to, int room, FILE *stream)
{
    int n = 0, c = 0;
    if (room <= 0)
        return NULL;
    while (n < room - 1 && c != '\n' && (c = czm_get(stream)) != EOF)
        to[n++] = (char)c;
    if (n == 0 && room > 1)
        return NULL;
    to[n] = 0;
    return to;
}

char *czm_fgets_unlocked(char *to, int room, FILE *stream)
{
    return czm_fgets(to, room, stream);
}

size_t czm_fread(void *to, size_t size, size_t count, FILE *stream)
{
    size_t bytes = size * count;
    if (bytes == 0)
        return 0;
    size_t got = czm_take(stream, to, bytes);
    return got == bytes ? count : got / size;
}

size_t czm_fread_unlocked(void *to, size_t size, size_t count, FILE *stream)
{
    return czm_fread(to, size, count, stream);
}

int czm_getw(FILE *stream)
{
    int word;
    return czm_take(stream, &word, sizeof word) == sizeof word ? word : EOF;
}

#define FIRST_LINE 120 // what the C library begins with; visible in *room

static char *longer(char *line, size_t old, size_t room)
{
    char *larger = czrt_allocate(room);
    if (line && old)
        __builtin_memcpy(larger, line, old);
    free(line);
    return larger;
}

ssize_t czm_getdelim(char **line, size_t *room, int end, FILE *stream)
{
    size_t n = 0;
    int c = EOF;
    if (!line || !room) {
        errno = EINVAL;
        return -1;
    }
    if (!*line || *room == 0) {
        *line = longer(*line, 0, FIRST_LINE);
        *room = FIRST_LINE;
    }
    while ((n == 0 || c != end) && (c = czm_get(stream)) != EOF) {
        if (n + 2 > *room) {
            *line = longer(*line, n, 2 * *room);
            *room *= 2;
        }
        (*line)[n++] = (char)c;
    }
    if (n == 0)
        return -1;
    (*line)[n] = 0;
    return (ssize_t)n;
}

ssize_t czm___getdelim(char **line, size_t *room, int end, FILE *stream)
{
    return czm_getdelim(line, room, end, stream);
}

ssize_t czm_getline(char **line, size_t *room, FILE *stream)
{
    return czm_getdelim(line, room, '\n', stream);
}

// ---- Out ----

int czm_fputc(int c, FILE *stream)
{
    unsigned char byte = (unsigned char)c;
    return czm_put(stream, &byte, 1) ? byte : EOF;
}

int czm_putc(int c, FILE *stream)
{
    return czm_fputc(c, stream);
}

int czm_fputc_unlocked(int c, FILE *stream)
{
    return czm_fputc(c, stream);
}

int czm_putc_unlocked(int c, FILE *stream)
{
    return czm_fputc(c, stream);
}

int czm__IO_putc(int c, FILE *stream)
{
    return czm_fputc(c, stream);
}

int czm_fputs(const char *text, FILE *stream)
{
    struct czm_stream *s = czm_stream_of(stream);
    size_t n = s && s->open->file->is_sink ? czrt_text_length(text) : czm_strlen(text);
    return czm_put(stream, text, n) == n ? 1 : EOF;
}

int czm_fputs_unlocked(const char *text, FILE *stream)
{
    return czm_fputs(text, stream);
}

size_t czm_fwrite(const void *from, size_t size, size_t count, FILE *stream)
{
    size_t bytes = size * count;
    if (bytes == 0)
        return 0;
    size_t put = czm_put(stream, from, bytes);
    return put == bytes ? count : put / size;
}

size_t czm_fwrite_unlocked(const void *from, size_t size, size_t count, FILE *stream)
{
    return czm_fwrite(from, size, count, stream);
}

int czm_putw(int word, FILE *stream)
{
    return czm_put(stream, &word, sizeof word) == sizeof word ? 0 : EOF;
}

// ---- Other names ----

int czm_feof(FILE *stream);
int czm_ferror(FILE *stream);
void czm_clearerr(FILE *stream);
int czm_fileno(FILE *stream);
int czm_fflush(FILE *stream);

int czm_feof_unlocked(FILE *stream)
{
    return czm_feof(stream);
}

int czm_ferror_unlocked(FILE *stream)
{
    return czm_ferror(stream);
}

void czm_clearerr_unlocked(FILE *stream)
{
    czm_clearerr(stream);
}

int czm_fileno_unlocked(FILE *stream)
{
    return czm_fileno(stream);
}

int czm_fflush_unlocked(FILE *stream)
{
    return czm_fflush(stream);
}

void czm_setbuffer(FILE *stream, char *memory, size_t size)
{
    (void)stream;
    (void)size;
    czm_lend(memory);
}

void czm_setlinebuf(FILE *stream)
{
    (void)stream;
}

void czm_flockfile(FILE *stream)
{
    (void)stream;
}

int czm_ftrylockfile(FILE *stream)
{
    (void)stream;
    return 0;
}

void czm_funlockfile(FILE *stream)
{
    (void)stream;
}
