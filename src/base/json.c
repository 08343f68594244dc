// SPDX-License-Identifier: Apache-2.0
// JSON writer: commas and indentation follow from two facts, the depth and
// whether a value is the first in its bracket.
#include "base/json.h"

#include "base/utf8.h"
#include <math.h>
#include <string.h>

void json_begin(struct json_writer *w, struct buf *out, bool pretty)
{
    *w = (struct json_writer){.out = out, .first = true, .pretty = pretty};
}

static void new_line(struct json_writer *w)
{
    if (!w->pretty)
        return;
    buf_putc(w->out, '\n');
    for (unsigned i = 0; i < w->depth; i++)
        buf_puts(w->out, "  ");
}

// JSON is UTF-8; a byte that is not becomes U+FFFD.
static void quoted(struct buf *out, const char *text)
{
    buf_putc(out, '"');
    while (*text) {
        uint32_t code = 0;
        size_t length = utf8_decode(text, &code);
        if (!length)
            buf_puts(out, UTF8_REPLACEMENT);
        else if (code == '"' || code == '\\')
            buf_printf(out, "\\%c", *text);
        else if (code == '\n')
            buf_puts(out, "\\n");
        else if (code == '\t')
            buf_puts(out, "\\t");
        else if (code < 0x20 || code == 0x7f)
            buf_printf(out, "\\u%04x", (unsigned)code);
        else
            buf_add(out, text, length);
        text += length ? length : 1;
    }
    buf_putc(out, '"');
}

static void before_value(struct json_writer *w, const char *key)
{
    if (!w->first)
        buf_putc(w->out, ',');
    if (w->depth)
        new_line(w);
    w->first = false;
    if (key) {
        quoted(w->out, key);
        buf_puts(w->out, w->pretty ? ": " : ":");
    }
}

void json_open(struct json_writer *w, const char *key, char bracket)
{
    before_value(w, key);
    buf_putc(w->out, bracket);
    w->depth++;
    w->first = true;
}

void json_close(struct json_writer *w, char bracket)
{
    w->depth--;
    if (!w->first)
        new_line(w);
    buf_putc(w->out, bracket);
    w->first = false;
}

void json_text(struct json_writer *w, const char *key, const char *value)
{
    before_value(w, key);
    if (value)
        quoted(w->out, value);
    else
        buf_puts(w->out, "null");
}

void json_int(struct json_writer *w, const char *key, int64_t value)
{
    before_value(w, key);
    buf_printf(w->out, "%lld", (long long)value);
}

void json_real(struct json_writer *w, const char *key, double value)
{
    before_value(w, key);
    if (isfinite(value))
        buf_printf(w->out, "%.6g", value);
    else
        buf_puts(w->out, "null");
}

void json_bool(struct json_writer *w, const char *key, bool value)
{
    before_value(w, key);
    buf_puts(w->out, value ? "true" : "false");
}

void json_value(struct json_writer *w, const char *key, const struct json *value)
{
    bool object = value->kind == JSON_OBJECT;
    switch (value->kind) {
    case JSON_NULL: json_text(w, key, NULL); break;
    case JSON_BOOL: json_bool(w, key, value->boolean); break;
    case JSON_NUMBER:
        if ((double)value->integer == value->number)
            json_int(w, key, value->integer);
        else
            json_real(w, key, value->number);
        break;
    case JSON_STRING: json_text(w, key, value->text); break;
    case JSON_ARRAY:
    case JSON_OBJECT:
        json_open(w, key, object ? '{' : '[');
        for (size_t i = 0; i < value->count; i++)
            json_value(w, object ? value->keys[i] : NULL, value->items[i]);
        json_close(w, object ? '}' : ']');
        break;
    }
}
