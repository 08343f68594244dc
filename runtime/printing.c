// SPDX-License-Identifier: Apache-2.0
// printf on streams. Standard output and error of a run are thrown away: their text
// is measured and not written, which costs no system call. For a modelled file the
// real function makes the text, which is concrete (see format.c).
#define _GNU_SOURCE 1
#include "target_process.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>

struct czm_stream;
struct czm_stream *czm_stream_of(FILE *stream);
size_t czm_put(FILE *stream, const void *from, size_t n);
int czrt_vasprintf(char **to, const char *format, va_list arguments);
int czrt_fprintf(FILE *stream, const char *format, ...);
int czrt_vfprintf(FILE *stream, const char *format, va_list arguments);
int czrt___fprintf_chk(FILE *stream, int flag, const char *format, ...);
int czrt___vfprintf_chk(FILE *stream, int flag, const char *format, va_list arguments);
int czrt_dprintf(int fd, const char *format, ...);
int czrt_vdprintf(int fd, const char *format, va_list arguments);
ssize_t czm_write(int fd, const void *from, size_t n);
void czrt_free(void *pointer);

static bool is_thrown_away(FILE *stream)
{
    return czrt_running && (stream == stdout || stream == stderr);
}

// The model is instrumented code: no labels of ours may be taken for its arguments.
static int put(FILE *stream, const char *text, int length)
{
    czrt_callee = NULL;
    int done = length < 0 ? -1 : (int)czm_put(stream, text, (size_t)length);
    czrt_ret = 0;
    return done == length ? length : -1;
}

static int print(FILE *stream, const char *format, va_list arguments, bool from_list)
{
    char *text = NULL;
    if (is_thrown_away(stream)) { // only its length may depend on inputs
        bool labels = czrt_output_has_labels(format, arguments, from_list);
        int length = vsnprintf(NULL, 0, format, arguments);
        czrt_ret =
            labels ? czrt_node(WIRE_BOUND, 32, 0, 0, WIRE_LOSS_CONCRETISED, (uint32_t)length) : 0;
        return length;
    }
    czrt_callee = NULL;
    if (!czm_stream_of(stream)) {
        int length = vfprintf(stream, format, arguments);
        czrt_ret = 0;
        return length;
    }
    czrt_note_output(format, arguments, from_list);
    int length = czrt_print_new(&text, format, arguments);
    length = put(stream, text, length);
    czrt_args[0] = 0;
    czrt_free(text);
    czrt_ret = 0;
    return length;
}

int czrt_vfprintf(FILE *stream, const char *format, va_list arguments)
{
    czrt_pin_argument(0, (uintptr_t)stream);
    return print(stream, format, arguments, true);
}

int czrt___vfprintf_chk(FILE *stream, int flag, const char *format, va_list arguments)
{
    (void)flag;
    czrt_pin_argument(0, (uintptr_t)stream);
    return print(stream, format, arguments, true);
}

int czrt_fprintf(FILE *stream, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = print(stream, format, arguments, false);
    va_end(arguments);
    return length;
}

int czrt___fprintf_chk(FILE *stream, int flag, const char *format, ...)
{
    (void)flag;
    va_list arguments;
    va_start(arguments, format);
    int length = print(stream, format, arguments, false);
    va_end(arguments);
    return length;
}

static int print_to_descriptor(int fd, const char *format, va_list arguments, bool from_list)
{
    char *text = NULL;
    if (!czrt_running)
        return vdprintf(fd, format, arguments);
    czrt_pin_argument(0, (uint64_t)fd);
    czrt_note_output(format, arguments, from_list);
    int length = czrt_print_new(&text, format, arguments);
    czrt_callee = NULL;
    if (length > 0)
        length = (int)czm_write(fd, text, (size_t)length);
    czrt_args[0] = 0;
    czrt_free(text);
    czrt_ret = 0;
    return length;
}

int czrt_vdprintf(int fd, const char *format, va_list arguments)
{
    return print_to_descriptor(fd, format, arguments, true);
}

int czrt_dprintf(int fd, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = print_to_descriptor(fd, format, arguments, false);
    va_end(arguments);
    return length;
}
