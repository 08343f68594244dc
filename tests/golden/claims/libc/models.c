// SPDX-License-Identifier: Apache-2.0
// What models of the C library must not drop: text and places that depend on inputs, failures
// that nobody asked about, and what they share with the program.
#define _GNU_SOURCE 1
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

// ---- Printing ----

int format_is_input(const char *format)
{
    char text[64] = "";
    snprintf(text, sizeof text, format);
    if (text[0] == 'x')
        return 1;
    return 0;
}

static int print(char *to, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int n = vsprintf(to, format, arguments);
    va_end(arguments);
    return n;
}

int printed_somewhere(unsigned i)
{
    char text[16] = "abcdefgh";
    if (i > 4)
        return 0;
    print(text + i, "%s", "zz");
    if (text[3] == 'z')
        return 1;
    return 0;
}

static int print_new(char **to, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int n = vasprintf(to, format, arguments);
    va_end(arguments);
    return n;
}

int allocated_somewhere(unsigned i)
{
    char *texts[4] = {0};
    if (i > 3)
        return 0;
    print_new(&texts[i], "x");
    if (texts[2])
        return 1;
    return 0;
}

// ---- Numbers ----

int hexadecimal(char c)
{
    char text[4] = {'0', 'x', c, 0};
    if (strtod(text, 0) == 5.0)
        return 1;
    return 0;
}

int infinite(char c)
{
    char text[4] = {'i', 'n', c, 0};
    if (strtod(text, 0) > 1)
        return 1;
    return 0;
}

int end_somewhere(unsigned i)
{
    char *ends[4] = {0};
    if (i > 3)
        return 0;
    strtold("5", &ends[i]);
    if (ends[2])
        return 1;
    return 0;
}

int quotient_somewhere(unsigned i)
{
    int quotients[4] = {9, 9, 9, 9};
    if (i > 3)
        return 0;
    remquo(2.0, 1.0, &quotients[i]);
    if (quotients[2] == 2)
        return 1;
    return 0;
}

// ---- Scanning ----

int grouped_number(const char *text)
{
    int x;
    if (text && sscanf(text, "%'d", &x) == 1)
        return 1;
    return 0;
}

int null_in_words(char c)
{
    char text[8] = "(nil)";
    void *p;
    text[4] = c;
    if (sscanf(text, "%p", &p) == 1)
        return 1;
    return 0;
}

int wide_text(int c)
{
    wchar_t text[4] = {c, c, c, c};
    sscanf("abc", "%3ls", text);
    if (text[1] == 'b')
        return 1;
    return 0;
}

// ---- Streams ----

int more_behind_the_end(FILE *stream)
{
    if (!stream || getc(stream) != EOF)
        return 0;
    if (getc(stream) == 'x')
        return 1;
    return 0;
}

int more_after_clearerr(FILE *stream)
{
    if (!stream || getc(stream) != EOF)
        return 0;
    clearerr(stream);
    if (getc(stream) == 'x')
        return 1;
    return 0;
}

int read_error(void)
{
    errno = 0;
    if (getchar() != EOF)
        return 0;
    if (errno == 5)
        return 1;
    return 0;
}

int position_of_a_pipe(FILE *stream)
{
    fpos_t position;
    if (!stream)
        return 0;
    fgetpos(stream, &position);
    int c = getc(stream);
    fsetpos(stream, &position);
    int d = getc(stream);
    if (c != d)
        return 1;
    return 0;
}

int no_room_to_unget(FILE *stream)
{
    if (stream && ungetc('x', stream) == EOF)
        return 1;
    return 0;
}

int memory_of_a_stream(int c)
{
    static char memory[BUFSIZ];
    setbuf(stdout, memory);
    putchar(c);
    if (memory[0] == 'q')
        return 1;
    return 0;
}

int errno_changed_by_printing(void)
{
    int before = errno;
    printf("x");
    if (errno != before)
        return 1;
    return 0;
}

int errno_kept_by_printing(void)
{
    printf("x");
    if (errno == 4)
        return 1;
    return 0;
}

int errno_after_perror(void)
{
    errno = 2;
    perror("x");
    if (errno == 29)
        return 1;
    return 0;
}

// ---- The environment ----

int environment_is_full(void)
{
    setenv("A", "1", 1);
    if (!getenv("A"))
        return 1;
    return 0;
}

int set_user(void)
{
    if (!getenv("S"))
        return 0;
    if (!secure_getenv("S"))
        return 1;
    return 0;
}

int shared_with_the_program(char c)
{
    static char text[] = "A=1";
    putenv(text);
    text[2] = c;
    char *value = getenv("A");
    if (value && value[0] == 'q')
        return 1;
    return 0;
}
