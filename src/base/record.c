// SPDX-License-Identifier: Apache-2.0
// Writing and reading go through the table in the same order; see record.h.
#include "base/record.h"

#include "base/fs.h"
#include "base/map.h"
#include "base/vec.h"
#include <assert.h>
#include <string.h>

enum { FORMAT = 1 };
#define LONGEST ((uint64_t)1 << 32) // longer than any result of ours
static const char magic[4] = {'C', 'Z', 'R', '\n'};

// The header, byte by byte: magic 0, format 4, version 6, tag 8, table 12, length 16, checksum 24.
enum { AT_FORMAT = 4, AT_VERSION = 6, AT_TAG = 8, AT_TABLE = 12, AT_LENGTH = 16, AT_SUM = 24 };
enum { HEADER = 32 };

struct any_vector { // of VEC()
    void *items;
    size_t count, room;
};

static void put_number(struct buf *out, uint64_t number, size_t size)
{
    char bytes[8];
    for (size_t i = 0; i < size; i++)
        bytes[i] = (char)(number >> 8 * i);
    buf_add(out, bytes, size);
}

static uint64_t get_number(const char *bytes, size_t size)
{
    uint64_t number = 0;
    for (size_t i = 0; i < size; i++)
        number |= (uint64_t)(unsigned char)bytes[i] << 8 * i;
    return number;
}

// Members of 1, 2, 4 or 8 bytes.
static uint64_t load_number(const void *at, size_t size)
{
    uint64_t number = 0;
    assert(size <= sizeof number);
    memcpy(&number, at, size); // little-endian, as everything that runs here
    return number;
}

static void store_number(void *at, uint64_t number, size_t size)
{
    assert(size <= sizeof number);
    memcpy(at, &number, size);
}

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "load_number takes the first bytes");

// ---- tables ----

static bool is_plain(enum record_kind kind)
{
    return kind == RECORD_KIND_NUMBER || kind == RECORD_KIND_SIGNED || kind == RECORD_KIND_REAL ||
           kind == RECORD_KIND_BOOL || kind == RECORD_KIND_ENUM;
}

// Two tables with the same digest write the same bytes for the same members.
static uint32_t table_digest(const struct record_type *type)
{
    uint64_t hash = 0;
    for (const struct record_field *f = type->fields; f->kind != RECORD_KIND_NONE; f++) {
        if (f->kind == RECORD_KIND_LOCAL)
            continue;
        uint64_t form[] = {f->kind,   f->shape, is_plain(f->kind) ? f->size : 0,
                           f->repeat, f->limit, f->type ? table_digest(f->type) : 0};
        hash = hash_bytes(f->name, strlen(f->name), hash);
        hash = hash_bytes(form, sizeof form, hash);
    }
    return (uint32_t)(hash >> 32);
}

// The fewest bytes that a struct takes, so that no count promises more than there is.
static size_t least_of_type(const struct record_type *type);

static size_t least_of_value(const struct record_field *f)
{
    switch (f->kind) {
    case RECORD_KIND_TEXT:
    case RECORD_KIND_CHARS: return sizeof(uint64_t);
    case RECORD_KIND_STRUCT: return least_of_type(f->type);
    default: return f->size;
    }
}

static size_t least_of_type(const struct record_type *type)
{
    size_t sum = 0;
    for (const struct record_field *f = type->fields; f->kind != RECORD_KIND_NONE; f++)
        if (f->kind != RECORD_KIND_LOCAL)
            sum += f->shape == RECORD_ONE ? f->repeat * least_of_value(f) : sizeof(uint64_t);
    return sum;
}

// ---- writing ----

static void write_members(const struct record_type *type, const void *object, struct buf *out);

static void write_text(const char *text, size_t length, struct buf *out)
{
    put_number(out, length, 8);
    buf_add(out, text, length);
}

static void write_value(const struct record_field *f, const char *at, struct buf *out)
{
    const char *text;
    switch (f->kind) {
    case RECORD_KIND_TEXT:
        memcpy(&text, at, sizeof text);
        write_text(text ? text : "", text ? strlen(text) : 0, out);
        break;
    case RECORD_KIND_CHARS: write_text(at, strnlen(at, f->size - 1), out); break;
    case RECORD_KIND_STRUCT: write_members(f->type, at, out); break;
    default: put_number(out, load_number(at, f->size), f->size);
    }
}

static void write_values(const struct record_field *f, const char *at, size_t count,
                         struct buf *out)
{
    if (is_plain(f->kind)) // as they lie in memory
        buf_add(out, at, count * f->size);
    else
        for (size_t i = 0; i < count; i++)
            write_value(f, at + i * f->size, out);
}

static void write_members(const struct record_type *type, const void *object, struct buf *out)
{
    const char *base = object;
    for (const struct record_field *f = type->fields; f->kind != RECORD_KIND_NONE; f++) {
        const char *items;
        struct any_vector vector;
        if (f->kind == RECORD_KIND_LOCAL)
            continue;
        if (f->shape == RECORD_ONE) {
            write_values(f, base + f->offset, f->repeat, out);
        } else if (f->shape == RECORD_LIST) {
            size_t count = (size_t)load_number(base + f->count_at, sizeof count);
            memcpy(&items, base + f->offset, sizeof items);
            put_number(out, count, 8);
            write_values(f, items, count, out);
        } else {
            memcpy(&vector, base + f->offset, sizeof vector);
            put_number(out, vector.count, 8);
            write_values(f, vector.items, vector.count, out);
        }
    }
}

static uint64_t checksum(const char *record, size_t length)
{
    uint64_t sum = hash_bytes(record, AT_SUM, FORMAT);
    return hash_bytes(record + HEADER, length - HEADER, sum);
}

void record_seal(char *bytes, size_t length)
{
    assert(length >= HEADER);
    uint64_t sum = checksum(bytes, length);
    for (int i = 0; i < 8; i++)
        bytes[AT_SUM + i] = (char)(sum >> 8 * i);
}

void record_write(const struct record_type *type, const void *object, struct buf *out)
{
    size_t start = out->length;
    struct buf members = BUF_INIT;
    write_members(type, object, &members);
    buf_add(out, magic, sizeof magic);
    put_number(out, FORMAT, 2);
    put_number(out, type->version, 2);
    put_number(out, type->tag, 4);
    put_number(out, table_digest(type), 4);
    put_number(out, members.length, 8);
    put_number(out, 0, 8); // the checksum
    assert(out->length - start == HEADER);
    buf_add(out, members.data, members.length);
    buf_release(&members);
    record_seal(out->data + start, out->length - start);
}

// ---- reading ----

// What can be told from the part of a header that is there.
static bool begins_well(const char *at, size_t left, struct error *err)
{
    if (memcmp(at, magic, left < sizeof magic ? left : sizeof magic) != 0)
        return error_set(err, ERROR_IO, "this is not a record of cadenza's");
    if (left >= AT_VERSION && get_number(at + AT_FORMAT, 2) != FORMAT)
        return error_set(err, ERROR_IO,
                         "written by another version of cadenza: records of format %u, this one "
                         "reads format %d",
                         (unsigned)get_number(at + AT_FORMAT, 2), FORMAT);
    if (left >= AT_SUM && get_number(at + AT_LENGTH, 8) > LONGEST)
        return error_set(err, ERROR_IO, "a record that is longer than any");
    return true;
}

enum record_found record_take(const char *bytes, size_t length, size_t *at,
                              struct record_frame *out, struct error *err)
{
    assert(*at <= length);
    const char *head = bytes + *at;
    size_t left = length - *at;
    if (!left)
        return RECORD_NONE;
    if (!begins_well(head, left, err))
        return RECORD_BROKEN;
    if (left < HEADER || left - HEADER < get_number(head + AT_LENGTH, 8))
        return RECORD_NONE;
    size_t members = (size_t)get_number(head + AT_LENGTH, 8);
    if (get_number(head + AT_SUM, 8) != checksum(head, HEADER + members)) {
        error_set(err, ERROR_IO, "a record was damaged: its checksum is wrong");
        return RECORD_BROKEN;
    }
    *out = (struct record_frame){.tag = (uint32_t)get_number(head + AT_TAG, 4),
                                 .table = (uint32_t)get_number(head + AT_TABLE, 4),
                                 .version = (uint16_t)get_number(head + AT_VERSION, 2),
                                 .bytes = head + HEADER,
                                 .length = members};
    *at += HEADER + members;
    return RECORD_WHOLE;
}

struct reader {
    const char *at, *end;
    struct arena *arena;
    const void *context;
    const char *wrong; // what is, or NULL
};

static bool fail(struct reader *r, const char *what)
{
    if (!r->wrong)
        r->wrong = what;
    return false;
}

static bool read_members(struct reader *r, const struct record_type *type, void *object);

static const char *take_bytes(struct reader *r, size_t length)
{
    if (length > (size_t)(r->end - r->at)) {
        fail(r, "is cut short");
        return NULL;
    }
    r->at += length;
    return r->at - length;
}

// Of things that take at least this many bytes each.
static bool take_count(struct reader *r, size_t least, size_t *count)
{
    const char *bytes = take_bytes(r, 8);
    uint64_t number = bytes ? get_number(bytes, 8) : 0;
    assert(least);
    if (number > (size_t)(r->end - r->at) / least)
        return fail(r, "promises more than there is");
    *count = (size_t)number;
    return bytes != NULL;
}

static bool read_text(struct reader *r, char **out)
{
    size_t length;
    if (!take_count(r, 1, &length))
        return false;
    const char *bytes = take_bytes(r, length);
    if (memchr(bytes, '\0', length))
        return fail(r, "has a text that ends too early");
    *out = arena_strndup(r->arena, bytes, length);
    return true;
}

static bool read_chars(struct reader *r, char *at, size_t size)
{
    char *text;
    if (!read_text(r, &text))
        return false;
    if (strlen(text) >= size)
        return fail(r, "has a text that is too long");
    memcpy(at, text, strlen(text));
    return true;
}

// A bool or an enum, which must not even be looked at before.
static bool read_checked(struct reader *r, const struct record_field *f, char *at)
{
    const char *bytes = take_bytes(r, f->size);
    if (!bytes)
        return false;
    uint64_t number = get_number(bytes, f->size);
    if (number >= (f->kind == RECORD_KIND_BOOL ? 2 : f->limit))
        return fail(r, "has a value that there is not");
    store_number(at, number, f->size);
    return true;
}

static bool read_value(struct reader *r, const struct record_field *f, char *at)
{
    char *text;
    switch (f->kind) {
    case RECORD_KIND_TEXT:
        if (!read_text(r, &text))
            return false;
        memcpy(at, &text, sizeof text);
        return true;
    case RECORD_KIND_CHARS: return read_chars(r, at, f->size);
    case RECORD_KIND_STRUCT: return read_members(r, f->type, at);
    default: return read_checked(r, f, at);
    }
}

static bool any_will_do(enum record_kind kind)
{
    return kind == RECORD_KIND_NUMBER || kind == RECORD_KIND_SIGNED || kind == RECORD_KIND_REAL;
}

static bool read_values(struct reader *r, const struct record_field *f, char *at, size_t count)
{
    if (any_will_do(f->kind)) { // as they lie in memory
        const char *bytes = take_bytes(r, count * f->size);
        if (bytes && count)
            memcpy(at, bytes, count * f->size);
        return bytes != NULL;
    }
    for (size_t i = 0; i < count; i++)
        if (!read_value(r, f, at + i * f->size))
            return false;
    return true;
}

static bool read_list(struct reader *r, const struct record_field *f, char *base)
{
    size_t count;
    if (!take_count(r, least_of_value(f), &count))
        return false;
    char *items = arena_alloc(r->arena, (count + 1) * f->size); // a zero behind the last
    memcpy(base + f->offset, &items, sizeof items);
    store_number(base + f->count_at, count, sizeof count);
    return read_values(r, f, items, count);
}

// The object owns its vectors from their first moment, so that it can be released at any.
static bool read_vector(struct reader *r, const struct record_field *f, char *base)
{
    struct any_vector vector = {0};
    size_t count;
    if (!take_count(r, least_of_value(f), &count))
        return false;
    if (count)
        vec_reserve(&vector.items, &vector.room, count, f->size);
    vector.count = count;
    memcpy(base + f->offset, &vector, sizeof vector);
    return read_values(r, f, vector.items, count);
}

static bool read_members(struct reader *r, const struct record_type *type, void *object)
{
    char *base = object;
    for (const struct record_field *f = type->fields; f->kind != RECORD_KIND_NONE; f++) {
        bool good = f->kind == RECORD_KIND_LOCAL ? true
                    : f->shape == RECORD_ONE     ? read_values(r, f, base + f->offset, f->repeat)
                    : f->shape == RECORD_LIST    ? read_list(r, f, base)
                                                 : read_vector(r, f, base);
        if (!good)
            return false;
    }
    return !type->check || type->check(object, r->context) ||
           fail(r, "has a number that does not fit");
}

static bool is_of_type(const struct record_type *type, const struct record_frame *frame,
                       struct error *err)
{
    if (frame->tag != type->tag)
        return error_set(err, ERROR_IO, "this is not a %s but another record", type->name);
    if (frame->version != type->version || frame->table != table_digest(type))
        return error_set(err, ERROR_IO,
                         "this %s was written by another version of cadenza (version %u, this one "
                         "reads %u)%s",
                         type->name, frame->version, type->version,
                         frame->version == type->version ? ": its members differ" : "");
    return true;
}

bool record_read(const struct record_type *type, const struct record_frame *frame,
                 const void *context, struct arena *arena, void *object, struct error *err)
{
    struct reader r = {frame->bytes, frame->bytes + frame->length, arena, context, NULL};
    memset(object, 0, type->size);
    if (!is_of_type(type, frame, err))
        return false;
    bool good = read_members(&r, type, object) &&
                (r.at == r.end || fail(&r, "has bytes that belong to nothing"));
    if (good)
        return true;
    record_release(type, object);
    memset(object, 0, type->size);
    return error_set(err, ERROR_IO, "a %s that was received %s", type->name, r.wrong);
}

// ---- lifetimes ----

static void release_values(const struct record_field *f, char *at, size_t count)
{
    for (size_t i = 0; f->kind == RECORD_KIND_STRUCT && i < count; i++)
        record_release(f->type, at + i * f->size);
}

void record_release(const struct record_type *type, void *object)
{
    char *base = object;
    for (const struct record_field *f = type->fields; f->kind != RECORD_KIND_NONE; f++) {
        struct any_vector vector;
        char *items;
        if (f->kind == RECORD_KIND_LOCAL)
            continue;
        if (f->shape == RECORD_ONE) {
            release_values(f, base + f->offset, f->repeat);
        } else if (f->shape == RECORD_LIST) {
            memcpy(&items, base + f->offset, sizeof items);
            release_values(f, items, (size_t)load_number(base + f->count_at, sizeof(size_t)));
        } else {
            memcpy(&vector, base + f->offset, sizeof vector);
            release_values(f, vector.items, vector.count);
            free(vector.items);
            memset(base + f->offset, 0, sizeof vector);
        }
    }
}

// ---- files ----

bool record_save(const struct record_type *type, const void *object, const char *path,
                 struct error *err)
{
    struct buf bytes = BUF_INIT;
    record_write(type, object, &bytes);
    bool good = fs_write(path, bytes.data, bytes.length, err);
    buf_release(&bytes);
    return good;
}

bool record_load(const struct record_type *type, const char *path, const void *context,
                 struct arena *arena, void *object, struct error *err)
{
    struct buf bytes = BUF_INIT;
    struct record_frame frame;
    size_t at = 0;
    memset(object, 0, type->size);
    bool good = fs_read(path, &bytes, err);
    if (good) {
        enum record_found found = record_take(buf_text(&bytes), bytes.length, &at, &frame, err);
        if (found == RECORD_NONE || (found == RECORD_WHOLE && at != bytes.length))
            error_set(err, ERROR_IO, "the %s is %s", type->name,
                      found == RECORD_NONE ? "cut short" : "followed by other bytes");
        good = found == RECORD_WHOLE && at == bytes.length &&
               record_read(type, &frame, context, arena, object, err);
    }
    buf_release(&bytes);
    return good || error_context(err, "reading %s", path);
}

// ---- checking tables ----

static size_t alignment(const struct record_field *f)
{
    bool is_small = f->shape == RECORD_ONE && (is_plain(f->kind) || f->kind == RECORD_KIND_CHARS);
    return !is_small ? sizeof(void *) : f->kind == RECORD_KIND_CHARS ? 1 : f->size;
}

static size_t extent(const struct record_field *f)
{
    return f->shape == RECORD_VECTOR ? sizeof(struct any_vector)
           : f->shape == RECORD_LIST ? sizeof(void *)
                                     : f->size * f->repeat;
}

// Up to `end` only what a compiler pads, or the count of a list.
static bool is_padding(const struct record_type *type, size_t from, size_t end, size_t align)
{
    for (const struct record_field *f = type->fields; f->kind != RECORD_KIND_NONE; f++)
        if (f->shape == RECORD_LIST && f->count_at >= from && f->count_at + 8 <= end &&
            f->count_at - from < 8)
            return is_padding(type, f->count_at + 8, end, align);
    return end >= from && end - from < align;
}

const char *record_gap(const struct record_type *type)
{
    size_t at = 0;
    const char *last = "its begin";
    for (const struct record_field *f = type->fields; f->kind != RECORD_KIND_NONE; f++) {
        if (!is_padding(type, at, f->offset, alignment(f)))
            return last;
        if (f->kind == RECORD_KIND_STRUCT && (f->type->size != f->size || record_gap(f->type)))
            return f->name;
        last = f->name;
        at = f->offset + extent(f);
    }
    return is_padding(type, at, type->size, sizeof(void *)) ? NULL : last;
}

static const struct record_field error_fields[] = {RECORD_ENUM(struct error, kind, ERROR_RETRY + 1),
                                                   RECORD_CHARS(struct error, text), RECORD_END};
const struct record_type error_record = RECORD_TYPE("error", 'E', 1, struct error, error_fields);
