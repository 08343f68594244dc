// SPDX-License-Identifier: Apache-2.0
// JSON both ways: a writer that keeps commas and nesting right, and a reader
// into a tree (used for llvm-cov's export and our own summaries).
#ifndef CZ_BASE_JSON_H
#define CZ_BASE_JSON_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include <stdint.h>

struct json_writer {
    struct buf *out;
    unsigned depth;
    bool first, pretty;
};

void json_begin(struct json_writer *w, struct buf *out, bool pretty);
void json_open(struct json_writer *w, const char *key, char bracket); // '{' or '['; key may be NULL
void json_close(struct json_writer *w, char bracket);                 // '}' or ']'
void json_text(struct json_writer *w, const char *key, const char *value); // NULL -> null
void json_int(struct json_writer *w, const char *key, int64_t value);
void json_real(struct json_writer *w, const char *key, double value);
void json_bool(struct json_writer *w, const char *key, bool value);

enum json_kind { JSON_NULL, JSON_BOOL, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT };

struct json {
    enum json_kind kind;
    bool boolean;
    double number;
    int64_t integer; // number, exact when it fits
    const char *text;
    size_t count;
    struct json **items; // array elements or object values
    const char **keys;   // object only
};

// Write a tree that was read.
void json_value(struct json_writer *w, const char *key, const struct json *value);

// Everything is allocated in the arena. NULL and err on malformed text.
struct json *json_parse(struct arena *arena, const char *text, size_t length, struct error *err);
const struct json *json_member(const struct json *object, const char *key); // NULL when absent
const struct json *json_item(const struct json *array, size_t index);       // NULL when absent

#endif
