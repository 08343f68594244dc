// SPDX-License-Identifier: Apache-2.0
// JSON reader: recursive descent with a depth limit, into arena-owned nodes.
#include "base/json.h"

#include "base/tunables.h"
#include "base/vec.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    struct arena *arena;
    const char *start, *at, *end;
    unsigned depth;
    bool failed;
    struct error *err;
};

static struct json *fail(struct reader *r, const char *what)
{
    size_t line = 1, column = 1;
    for (const char *at = r->start; at < r->at; at++) {
        line += *at == '\n';
        column = *at == '\n' ? 1 : column + 1;
    }
    if (!r->failed) // the innermost reason
        error_set(r->err, ERROR_IO, "malformed JSON at line %zu, column %zu: %s", line, column,
                  what);
    r->failed = true;
    return NULL;
}

static void skip_space(struct reader *r)
{
    while (r->at < r->end && isspace((unsigned char)*r->at))
        r->at++;
}

static bool take(struct reader *r, char c)
{
    skip_space(r);
    if (r->at >= r->end || *r->at != c)
        return false;
    r->at++;
    return true;
}

static void put_utf8(struct buf *out, unsigned code)
{
    if (code < 0x80) {
        buf_putc(out, (char)code);
    } else if (code < 0x800) {
        buf_putc(out, (char)(0xC0 | code >> 6));
        buf_putc(out, (char)(0x80 | (code & 63)));
    } else if (code < 0x10000) {
        buf_putc(out, (char)(0xE0 | code >> 12));
        buf_putc(out, (char)(0x80 | (code >> 6 & 63)));
        buf_putc(out, (char)(0x80 | (code & 63)));
    } else {
        buf_putc(out, (char)(0xF0 | code >> 18));
        buf_putc(out, (char)(0x80 | (code >> 12 & 63)));
        buf_putc(out, (char)(0x80 | (code >> 6 & 63)));
        buf_putc(out, (char)(0x80 | (code & 63)));
    }
}

static unsigned four_hex(struct reader *r)
{
    char digits[5] = {0};
    for (int i = 0; i < 4 && r->at < r->end; i++)
        digits[i] = *r->at++;
    return (unsigned)strtoul(digits, NULL, 16);
}

static void escape(struct reader *r, struct buf *out)
{
    char c = r->at < r->end ? *r->at++ : '\\';
    static const char from[] = "bfnrt", to[] = "\b\f\n\r\t";
    const char *known = c ? strchr(from, c) : NULL;
    if (c != 'u') {
        buf_putc(out, known ? to[known - from] : c);
        return;
    }
    unsigned code = four_hex(r);
    if (code >= 0xD800 && code < 0xDC00 && r->end - r->at >= 6 && r->at[0] == '\\' &&
        r->at[1] == 'u') {
        r->at += 2;
        code = 0x10000 + ((code & 0x3FF) << 10) + (four_hex(r) & 0x3FF);
    }
    put_utf8(out, code);
}

static const char *string(struct reader *r) // after the opening quote
{
    struct buf out = BUF_INIT;
    while (r->at < r->end && *r->at != '"') {
        char c = *r->at++;
        if (c == '\\')
            escape(r, &out);
        else
            buf_putc(&out, c);
    }
    bool closed = r->at < r->end;
    const char *copy = closed ? arena_strndup(r->arena, buf_text(&out), out.length) : NULL;
    r->at += closed;
    buf_release(&out);
    return copy;
}

static struct json *value(struct reader *r);

static struct json *container(struct reader *r, struct json *node, char close)
{
    VEC(struct json *) items = {0};
    VEC(const char *) keys = {0};
    bool good = true;
    if (!take(r, close)) {
        do {
            if (node->kind == JSON_OBJECT) {
                const char *key = take(r, '"') ? string(r) : NULL;
                good = key && take(r, ':');
                *VEC_PUSH(&keys) = key;
            }
            struct json *item = good ? value(r) : NULL;
            good = item != NULL;
            *VEC_PUSH(&items) = item;
        } while (good && take(r, ','));
        good = good && take(r, close);
    }
    node->count = items.count;
    node->items = arena_array(r->arena, struct json *, items.count);
    node->keys = arena_array(r->arena, const char *, items.count);
    if (items.count)
        memcpy(node->items, items.items, items.count * sizeof *items.items);
    if (keys.count)
        memcpy(node->keys, keys.items, keys.count * sizeof *keys.items);
    VEC_RELEASE(&items);
    VEC_RELEASE(&keys);
    return good ? node : fail(r, "bad list");
}

static bool word(struct reader *r, const char *text)
{
    size_t length = strlen(text);
    if ((size_t)(r->end - r->at) < length || strncmp(r->at, text, length) != 0)
        return false;
    r->at += length;
    return true;
}

// What does not fit is the nearest that does: 1e999 is larger than any integer.
static int64_t to_integer(double number)
{
    return number >= 0x1p63 ? INT64_MAX : number < -0x1p63 ? INT64_MIN : (int64_t)number;
}

static struct json *number(struct reader *r, struct json *node)
{
    char digits[64] = {0};
    size_t length = 0;
    while (r->at < r->end && length < sizeof digits - 1 && *r->at &&
           strchr("+-.eE0123456789", *r->at))
        digits[length++] = *r->at++;
    if (!length)
        return fail(r, "value expected");
    node->kind = JSON_NUMBER;
    node->number = strtod(digits, NULL);
    node->integer = strpbrk(digits, ".eE") ? to_integer(node->number) : strtoll(digits, NULL, 10);
    return node;
}

static struct json *value(struct reader *r)
{
    if (r->depth >= BASE_JSON_DEPTH)
        return fail(r, "nested too deeply");
    struct json *node = arena_new(r->arena, struct json), *result = node;
    r->depth++;
    skip_space(r);
    if (take(r, '{')) {
        node->kind = JSON_OBJECT;
        result = container(r, node, '}');
    } else if (take(r, '[')) {
        node->kind = JSON_ARRAY;
        result = container(r, node, ']');
    } else if (take(r, '"')) {
        node->kind = JSON_STRING;
        node->text = string(r);
        result = node->text ? node : fail(r, "string without end");
    } else if (word(r, "true")) {
        node->kind = JSON_BOOL;
        node->boolean = true;
    } else if (word(r, "false")) {
        node->kind = JSON_BOOL;
    } else if (!word(r, "null")) {
        result = number(r, node);
    }
    r->depth--;
    return result;
}

struct json *json_parse(struct arena *arena, const char *text, size_t length, struct error *err)
{
    struct reader r = {.arena = arena, .start = text, .at = text, .end = text + length, .err = err};
    struct json *root = value(&r);
    skip_space(&r);
    if (root && r.at != r.end)
        return fail(&r, "text after the value");
    return root;
}

const struct json *json_member(const struct json *object, const char *key)
{
    if (!object || object->kind != JSON_OBJECT)
        return NULL;
    for (size_t i = 0; i < object->count; i++)
        if (strcmp(object->keys[i], key) == 0)
            return object->items[i];
    return NULL;
}

const struct json *json_item(const struct json *array, size_t index)
{
    return array && array->kind == JSON_ARRAY && index < array->count ? array->items[index] : NULL;
}
