// SPDX-License-Identifier: Apache-2.0
// Escaping, in one place. Text is decoded as UTF-8 byte by byte, so that what is not UTF-8 cannot
// hide the character after it.
#include "html/html_text.h"

#include "base/error.h"
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

// The length of the UTF-8 sequence at `at`, its code point in *point; 0: there is none. Sequences
// that are too long, surrogates and what is beyond Unicode are none.
static size_t decode(const unsigned char *at, size_t left, uint32_t *point)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t length = at[0] < 0x80 ? 1 : at[0] >> 5 == 6 ? 2 : at[0] >> 4 == 14 ? 3 : 4;
    if (length == 4 && at[0] >> 3 != 30)
        return 0;
    if (length > left)
        return 0;
    *point = length == 1 ? at[0] : at[0] & (0xffu >> (length + 1));
    for (size_t i = 1; i < length; i++) {
        if (at[i] >> 6 != 2)
            return 0;
        *point = *point << 6 | (at[i] & 0x3f);
    }
    bool surrogate = *point >= 0xd800 && *point < 0xe000;
    return *point < least[length] || *point > 0x10ffff || surrogate ? 0 : length;
}

// Separators of lines, and marks that change the direction of what follows.
static bool misleads(uint32_t point)
{
    return point == 0x85 || point == 0x61c || point == 0xfeff ||
           (point >= 0x200b && point <= 0x200f) || (point >= 0x2028 && point <= 0x202e) ||
           (point >= 0x2060 && point <= 0x2069);
}

static void put_point(struct buf *out, uint32_t point, const char *at, size_t length)
{
    static const struct {
        char character;
        const char *entity;
    } special[] = {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"}};
    for (size_t i = 0; i < sizeof special / sizeof *special; i++)
        if (point == (uint32_t)special[i].character) {
            buf_puts(out, special[i].entity);
            return;
        }
    if (point == '\t' || point == '\n')
        buf_putc(out, (char)point);
    else if (point < 0x20 || point == 0x7f) // U+2400 is the picture of NUL
        buf_printf(out, "\xe2\x90%c", point == 0x7f ? 0xa1 : (int)(0x80 + point));
    else if ((point >= 0x80 && point < 0xa0) || misleads(point))
        buf_printf(out, "\\u%04x", point);
    else
        buf_add(out, at, length);
}

void html_text_part(struct buf *out, const char *text, size_t length)
{
    for (size_t i = 0; i < length;) {
        uint32_t point = 0;
        size_t used = decode((const unsigned char *)text + i, length - i, &point);
        if (used)
            put_point(out, point, text + i, used);
        else
            buf_printf(out, "\\x%02x", (unsigned char)text[i]);
        i += used ? used : 1;
    }
}

void html_text(struct buf *out, const char *text)
{
    html_text_part(out, text, strlen(text));
}

// One number: `format` is its conversion alone.
static void put_number(struct buf *out, const char *format, va_list *args)
{
    char last = format[strlen(format) - 1];
    if (strchr("fg", last))
        buf_printf(out, format, va_arg(*args, double));
    else if (strstr(format, "ll"))
        buf_printf(out, format, va_arg(*args, unsigned long long));
    else if (strchr(format, 'z'))
        buf_printf(out, format, va_arg(*args, size_t));
    else
        buf_printf(out, format, va_arg(*args, int));
}

void html_printf(struct buf *out, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    while (*format) {
        size_t plain = strcspn(format, "%");
        buf_add(out, format, plain);
        format += plain;
        if (!*format)
            break;
        char conversion[16] = "%";
        size_t length = strspn(format + 1, "0123456789.+-lz") + 2;
        if (length >= sizeof conversion)
            BUG("the conversion %s is too long", format);
        memcpy(conversion, format, length);
        format += length;
        if (!strcmp(conversion, "%%"))
            buf_putc(out, '%');
        else if (!strcmp(conversion, "%s"))
            html_text(out, va_arg(args, const char *));
        else
            put_number(out, conversion, &args);
    }
    va_end(args);
}

void html_count(struct buf *out, size_t count, const char *word)
{
    html_printf(out, "%zu %s%s", count, word, count == 1 ? "" : "s");
}
