// SPDX-License-Identifier: Apache-2.0
// scanf on text and on streams. The characters of a conversion are collected as the
// C library does it, one at a time with one character pushed back at most, and given
// to the models of strtol and strtod, so that what is stored depends on them
// symbolically. Wide characters and numbered arguments go to the real function.
#define _GNU_SOURCE 1
#include "world.h"
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>

#define NUMBER_ROOM 512 // longer ones are cut, which is noted

int czrt_vsscanf(const char *text, const char *format, va_list arguments);
float czm_strtof(const char *text, char **end);

struct source {
    const char *text; // or
    FILE *stream;
    size_t taken;
    int at_end;
};

static int get(struct source *source)
{
    int c = EOF;
    if (source->stream)
        c = czm_get(source->stream);
    else if (*source->text)
        c = (unsigned char)*source->text++;
    source->taken += c != EOF;
    source->at_end |= c == EOF;
    return c;
}

static void unget(struct source *source, int c)
{
    if (c == EOF)
        return;
    source->taken--;
    if (source->stream)
        czm_unget(c, source->stream);
    else
        source->text--;
}

// Without && and ||: one decision per character.
static int is_space(int c)
{
    return (c == ' ') | ((unsigned)(c - '\t') < 5u);
}

static void skip_space(struct source *source)
{
    int c;
    do
        c = get(source);
    while (is_space(c));
    unget(source, c);
}

// ---- One conversion ----

struct conversion {
    char kind, length; // length: h, H (hh), l, L (ll, q, L), j/z/t as l, 0
    int discards, allocates;
    size_t width;    // 0: none
    const char *set; // of %[
};

static int lower(int c) // of letters; nothing else becomes one
{
    return c | 32;
}

static int is_digit(int c, unsigned base)
{
    if (base <= 10)
        return (unsigned)(c - '0') < base;
    return ((unsigned)(c - '0') < 10u) | ((unsigned)(lower(c) - 'a') < 6u);
}

struct number {
    char text[NUMBER_ROOM];
    size_t n, left; // left: of the width
};

// Take the next character if it is the wanted kind.
static int accept(struct source *source, struct number *number, int c)
{
    if (number->n < NUMBER_ROOM - 1)
        number->text[number->n++] = (char)c;
    else
        czrt_loss(WIRE_LOSS_CONCRETISED);
    if (--number->left == 0)
        return EOF;
    return get(source);
}

static void store_integer(char length, void *to, unsigned long long value)
{
    switch (length) {
    case 'H': *(char *)to = (char)value; break;
    case 'h': *(short *)to = (short)value; break;
    case 'l': *(long *)to = (long)value; break;
    case 'L': *(long long *)to = (long long)value; break;
    default: *(int *)to = (int)value;
    }
}

// The value of digits, as strtol (or strtoul) gives it, for L strtoll. So many digits always
// fit.
static unsigned long long value_of(const char *at, unsigned base, int is_signed, char length)
{
    const int wide = length == 'L' || LONG_MAX == LLONG_MAX;
    const unsigned long long greatest = wide ? ULLONG_MAX : ULONG_MAX, half = greatest / 2;
    unsigned long long value = 0;
    int negative = *at == '-', overflow = 0;
    unsigned safe = base == 16 ? 15 : base == 8 ? 20 : 18, n = 0;
    if (!wide)
        safe = base == 16 ? 7 : base == 8 ? 10 : 9;
    at += *at == '-' || *at == '+';
    if (base == 16 && at[0] == '0' && lower(at[1]) == 'x')
        at += 2;
    for (; *at; at++) {
        unsigned digit = (unsigned)(*at <= '9' ? *at - '0' : lower(*at) - 'a' + 10);
        if (++n > safe && (value > greatest / base || value * base > greatest - digit))
            overflow = 1;
        value = value * base + digit;
    }
    if (is_signed && n > safe && (overflow || value > half + (negative != 0))) {
        errno = ERANGE;
        return negative ? -half - 1 : half;
    }
    if (overflow) {
        errno = ERANGE;
        return greatest;
    }
    return negative ? -value : value;
}

static unsigned base_of(char kind)
{
    switch (kind) {
    case 'x':
    case 'X':
    case 'p': return 16;
    case 'o': return 8;
    case 'i': return 0;
    default: return 10;
    }
}

// Returns 0 when nothing matches.
static int scan_integer(struct source *source, const struct conversion *how, void *to)
{
    struct number number = {.left = how->width ? how->width : (size_t)-1};
    unsigned base = base_of(how->kind);
    int c = get(source), digits = 0;
    if (how->kind == 'p' && c == '(') // "(nil)" is not followed
        czrt_loss(WIRE_LOSS_EXTERNAL);
    if (c == '-' || c == '+')
        c = accept(source, &number, c);
    if (number.left > 0 && (base == 0 || base == 16) && c == '0') {
        c = accept(source, &number, c);
        digits = 1;
        if (number.left > 0 && lower(c) == 'x') {
            c = accept(source, &number, c); // "0x" alone is zero
            base = 16;
        } else if (base == 0) {
            base = 8;
        }
    }
    if (base == 0)
        base = 10;
    while (number.left > 0 && is_digit(c, base)) {
        c = accept(source, &number, c);
        digits = 1;
    }
    if (number.left > 0)
        unget(source, c);
    if (!digits)
        return 0;
    number.text[number.n] = 0;
    if (!how->discards)
        store_integer(
            how->kind == 'p' ? 'l' : how->length, to,
            value_of(number.text, base, how->kind == 'd' || how->kind == 'i', how->length));
    return 1;
}

// inf, infinity, nan
static int scan_word(struct source *source, struct number *number, int c)
{
    static const char infinity[] = "infinity", not[] = "nan";
    const char *word = lower(c) == 'i' ? infinity : not;
    size_t matched = 0;
    while (number->left > 0 && word[matched] && lower(c) == word[matched]) {
        c = accept(source, number, c);
        matched++;
    }
    if (number->left > 0)
        unget(source, c);
    return matched == 3 || (word == infinity && matched == 8);
}

static int scan_float_text(struct source *source, struct number *number)
{
    int c = get(source), digits = 0;
    unsigned base = 10;
    if (c == '-' || c == '+')
        c = accept(source, number, c);
    if (number->left > 0 && (lower(c) == 'i' || lower(c) == 'n'))
        return scan_word(source, number, c);
    if (number->left > 0 && c == '0') {
        c = accept(source, number, c);
        digits = 1;
        if (number->left > 0 && lower(c) == 'x') {
            c = accept(source, number, c);
            base = 16;
            digits = 0;
        }
    }
    int point = 0, exponent = 0, after = 0; // after: just behind the exponent's letter
    int zero = 0;                           // "0x." reads as the zero in front
    while (number->left > 0) {
        if (is_digit(c, exponent ? 10 : base)) {
            digits = 1;
            after = 0;
        } else if (after && (c == '-' || c == '+')) {
            after = 0;
        } else if (digits && !exponent && lower(c) == (base == 16 ? 'p' : 'e')) {
            exponent = after = 1;
            point = 1;
        } else if (!point && c == '.') {
            point = 1;
            zero = base == 16;
        } else {
            break;
        }
        c = accept(source, number, c);
    }
    if (number->left > 0)
        unget(source, c);
    return digits || zero;
}

static int scan_float(struct source *source, const struct conversion *how, void *to)
{
    struct number number = {.left = how->width ? how->width : (size_t)-1};
    if (!scan_float_text(source, &number))
        return 0;
    number.text[number.n] = 0;
    czrt_presume_locale();
    if (how->discards)
        return 1;
    if (how->length == 'L')
        *(long double *)to = strtold(number.text, NULL);
    else if (how->length == 'l')
        *(double *)to = czm_strtod(number.text, NULL);
    else
        *(float *)to = czm_strtof(number.text, NULL);
    return 1;
}

// Is c in the set that begins behind '['?
static int in_set(const char *set, int c)
{
    int negated = *set == '^', found = 0;
    set += negated;
    for (const char *at = set; *at && (*at != ']' || at == set); at++) {
        if (at[1] == '-' && at[2] && at[2] != ']') {
            found |= c >= (unsigned char)at[0] && c <= (unsigned char)at[2];
            at += 2;
        } else {
            found |= c == (unsigned char)*at;
        }
    }
    return found != negated;
}

static const char *end_of_set(const char *set)
{
    set += *set == '^';
    set += *set == ']';
    while (*set && *set != ']')
        set++;
    return set;
}

static int wanted(const struct conversion *how, int c)
{
    if (c == EOF)
        return 0;
    if (how->kind == 'c')
        return 1;
    return how->kind == 's' ? !is_space(c) : in_set(how->set, c);
}

// %s, %[, %c. With 'm' the text is allocated and `to` is where its address goes.
static int scan_text(struct source *source, const struct conversion *how, void *to)
{
    size_t width = how->width ? how->width : how->kind == 'c' ? 1 : (size_t)-1;
    size_t room = how->allocates ? 100 : 0, n = 0;
    char *text = how->allocates && !how->discards ? czrt_allocate(room) : to;
    int c = EOF;
    if (how->allocates)
        czrt_loss(WIRE_LOSS_STATE); // no memory left is not tried
    while (n < width && wanted(how, c = get(source))) {
        if (how->allocates && !how->discards && n + 1 >= room) {
            char *larger = czrt_allocate(2 * room);
            __builtin_memcpy(larger, text, n);
            free(text);
            text = larger;
            room *= 2;
        }
        if (!how->discards)
            text[n] = (char)c;
        n++;
    }
    if (n < width)
        unget(source, c);
    int good = n > 0;
    if (how->discards)
        return good;
    if (how->kind != 'c' && good)
        text[n] = 0;
    if (how->allocates && good)
        *(char **)to = text;
    else if (how->allocates)
        free(text);
    return good;
}

// ---- The format ----

static const char *parse(const char *at, struct conversion *how)
{
    *how = (struct conversion){0};
    how->discards = *at == '*';
    at += how->discards;
    for (; *at >= '0' && *at <= '9'; at++)
        how->width = how->width * 10 + (size_t)(*at - '0');
    how->allocates = *at == 'm';
    at += how->allocates;
    switch (*at) {
    case 'h': how->length = at[1] == 'h' ? 'H' : 'h'; break;
    case 'l': how->length = at[1] == 'l' ? 'L' : 'l'; break;
    case 'z':
    case 't': how->length = 'l'; break;
    case 'j': how->length = LONG_MAX == LLONG_MAX ? 'l' : 'L'; break;
    case 'L':
    case 'q': how->length = 'L'; break;
    }
    at += how->length ? 1 + (at[0] == at[1] && (*at == 'h' || *at == 'l')) : 0;
    how->kind = *at;
    if (*at == '[') {
        how->set = at + 1;
        at = end_of_set(at + 1);
    }
    return *at ? at + 1 : at;
}

// Does the format use what is not modelled?
static int is_foreign(const char *format)
{
    struct conversion how;
    while (*format) {
        if (*format++ != '%')
            continue;
        const char *at = format;
        while (*at >= '0' && *at <= '9')
            at++;
        if (*at == '$')
            return 1;
        format = parse(format, &how);
        int is_text = how.kind == 'c' || how.kind == 's' || how.kind == '[';
        if (how.kind && (!czm_strchr("diuxXopaAeEfFgGcs[n%", how.kind) || (is_text && how.length)))
            return 1;
    }
    return 0;
}

static int convert(struct source *source, const struct conversion *how, void *to)
{
    switch (how->kind) {
    case 'd':
    case 'i':
    case 'u':
    case 'x':
    case 'X':
    case 'o':
    case 'p': return scan_integer(source, how, to);
    case 'a':
    case 'A':
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G': return scan_float(source, how, to);
    case 'c':
    case 's':
    case '[': return scan_text(source, how, to);
    }
    return 0;
}

static int literal(struct source *source, char want)
{
    int c = get(source);
    if (c == (unsigned char)want)
        return 1;
    unget(source, c);
    return 0;
}

static int scan(struct source *source, const char *format, va_list arguments)
{
    int stored = 0;
    while (*format) {
        struct conversion how;
        if (is_space((unsigned char)*format)) {
            skip_space(source);
            source->at_end = 0;
            format++;
            continue;
        }
        source->at_end = 0;
        if (*format != '%') {
            if (!literal(source, *format++))
                break;
            continue;
        }
        format = parse(format + 1, &how);
        if (how.kind == 'n') {
            if (!how.discards)
                store_integer(how.length, va_arg(arguments, void *), source->taken);
            continue;
        }
        if (how.kind != 'c' && how.kind != '[')
            skip_space(source);
        if (how.kind == '%') {
            if (!literal(source, '%'))
                break;
            continue;
        }
        size_t before = source->taken;
        if (source->at_end) // while skipping
            break;
        if (!convert(source, &how, how.discards ? NULL : va_arg(arguments, void *))) {
            source->at_end &= source->taken == before;
            break;
        }
        source->at_end = 0;
        stored += !how.discards;
    }
    return source->at_end && !stored ? EOF : stored;
}

// ---- The family ----

int czm_vsscanf(const char *text, const char *format, va_list arguments)
{
    struct source source = {.text = text};
    return is_foreign(format) ? czrt_vsscanf(text, format, arguments)
                              : scan(&source, format, arguments);
}

int czm_vfscanf(FILE *stream, const char *format, va_list arguments)
{
    struct source source = {.stream = stream};
    if (is_foreign(format))
        czrt_loss(WIRE_LOSS_EXTERNAL); // stops at the first that is not known
    return scan(&source, format, arguments);
}

int czm_vscanf(const char *format, va_list arguments)
{
    return czm_vfscanf(stdin, format, arguments);
}

#define VARIADIC(name, parameters, call)                                                           \
    int name parameters                                                                            \
    {                                                                                              \
        va_list arguments;                                                                         \
        va_start(arguments, format);                                                               \
        int stored = call;                                                                         \
        va_end(arguments);                                                                         \
        return stored;                                                                             \
    }
VARIADIC(czm_sscanf, (const char *text, const char *format, ...),
         czm_vsscanf(text, format, arguments))
VARIADIC(czm_fscanf, (FILE * stream, const char *format, ...),
         czm_vfscanf(stream, format, arguments))
VARIADIC(czm_scanf, (const char *format, ...), czm_vfscanf(stdin, format, arguments))
VARIADIC(czm___isoc99_sscanf, (const char *text, const char *format, ...),
         czm_vsscanf(text, format, arguments))
VARIADIC(czm___isoc99_fscanf, (FILE * stream, const char *format, ...),
         czm_vfscanf(stream, format, arguments))
VARIADIC(czm___isoc99_scanf, (const char *format, ...), czm_vfscanf(stdin, format, arguments))

int czm___isoc99_vsscanf(const char *text, const char *format, va_list arguments)
{
    return czm_vsscanf(text, format, arguments);
}

int czm___isoc99_vfscanf(FILE *stream, const char *format, va_list arguments)
{
    return czm_vfscanf(stream, format, arguments);
}

int czm___isoc99_vscanf(const char *format, va_list arguments)
{
    return czm_vfscanf(stdin, format, arguments);
}
