// SPDX-License-Identifier: Apache-2.0
// Structs as bytes, between our processes and on disk. A struct is described once, by a table of
// its members (struct record_type); generic code writes it, and reads it back only if every byte
// makes sense. A record is a header (magic, version, type, digest of the table, length, checksum)
// and its members in the order of the table; numbers are little-endian.
//
// The writer may be a process beside hostile code that is about to crash, or another version of
// Cadenza. So the reader believes nothing: enums are below their limit, bools are 0 or 1, lengths
// are inside the record, and what only the caller can judge (an index) goes through `check`.
//
//     static const struct record_field fields[] = {
//         RECORD_NUMBER(struct sample, count),
//         RECORD_TEXT(struct sample, name),
//         RECORD_END};
//     const struct record_type sample_record = RECORD_TYPE("sample", 'S', 1, struct sample,
//     fields);
#ifndef CZ_BASE_RECORD_H
#define CZ_BASE_RECORD_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include <stdint.h>

struct record_type;

enum record_kind {
    RECORD_KIND_NONE, // ends a table
    RECORD_KIND_NUMBER,
    RECORD_KIND_SIGNED, // 8 bytes
    RECORD_KIND_REAL,   // double
    RECORD_KIND_BOOL,
    RECORD_KIND_ENUM,
    RECORD_KIND_TEXT,   // const char *; NULL is read as ""
    RECORD_KIND_CHARS,  // char[n], ends in 0
    RECORD_KIND_STRUCT, // with a table of its own
    RECORD_KIND_LOCAL,  // stays here: it is not written, and zero when read
};

// How often there is a value of the kind.
enum record_shape {
    RECORD_ONE,   // `repeat` of them: an array of C
    RECORD_LIST,  // behind a pointer; another member says how many
    RECORD_VECTOR // VEC()
};

struct record_field {
    const char *name;
    enum record_kind kind;
    enum record_shape shape;
    size_t offset, size; // of the member; of one value
    size_t repeat;
    uint64_t limit;  // ENUM: the first number that is none
    size_t count_at; // LIST: offset of a size_t
    const struct record_type *type;
};

struct record_type {
    const char *name; // for messages
    uint32_t tag;     // one per type
    uint16_t version; // raised when members keep their form and change their meaning
    size_t size;
    const struct record_field *fields;
    // May be NULL. False: numbers of this struct that was read do not fit what the caller knows.
    bool (*check)(const void *object, const void *context);
};

#define RECORD_SIZE_(type, member)    sizeof(((type *)0)->member)
#define RECORD_ELEMENT_(type, member) sizeof(*((type *)0)->member)
#define RECORD_REPEAT_(type, member)  (RECORD_SIZE_(type, member) / RECORD_ELEMENT_(type, member))
#define RECORD_ONE_(type, member, is, ...)                                                         \
    {.name = #member,                                                                              \
     .kind = is,                                                                                   \
     .offset = offsetof(type, member),                                                             \
     .size = RECORD_SIZE_(type, member),                                                           \
     .repeat = 1,                                                                                  \
     __VA_ARGS__}
#define RECORD_MANY_(type, member, is, ...)                                                        \
    {.name = #member,                                                                              \
     .kind = is,                                                                                   \
     .offset = offsetof(type, member),                                                             \
     .size = RECORD_ELEMENT_(type, member),                                                        \
     .repeat = RECORD_REPEAT_(type, member),                                                       \
     __VA_ARGS__}
#define RECORD_LIST_(type, member, count, is, ...)                                                 \
    {.name = #member,                                                                              \
     .kind = is,                                                                                   \
     .shape = RECORD_LIST,                                                                         \
     .offset = offsetof(type, member),                                                             \
     .size = RECORD_ELEMENT_(type, member),                                                        \
     .repeat = 1,                                                                                  \
     .count_at = offsetof(type, count),                                                            \
     __VA_ARGS__}
#define RECORD_VECTOR_(type, member, is, ...)                                                      \
    {.name = #member,                                                                              \
     .kind = is,                                                                                   \
     .shape = RECORD_VECTOR,                                                                       \
     .offset = offsetof(type, member),                                                             \
     .size = RECORD_ELEMENT_(type, member.items),                                                  \
     .repeat = 1,                                                                                  \
     __VA_ARGS__}

#define RECORD_NUMBER(type, member)      RECORD_ONE_(type, member, RECORD_KIND_NUMBER, )
#define RECORD_NUMBERS(type, member)     RECORD_MANY_(type, member, RECORD_KIND_NUMBER, )
#define RECORD_SIGNED(type, member)      RECORD_ONE_(type, member, RECORD_KIND_SIGNED, )
#define RECORD_REAL(type, member)        RECORD_ONE_(type, member, RECORD_KIND_REAL, )
#define RECORD_BOOL(type, member)        RECORD_ONE_(type, member, RECORD_KIND_BOOL, )
#define RECORD_TEXT(type, member)        RECORD_ONE_(type, member, RECORD_KIND_TEXT, )
#define RECORD_TEXTS(type, member)       RECORD_MANY_(type, member, RECORD_KIND_TEXT, )
#define RECORD_CHARS(type, member)       RECORD_ONE_(type, member, RECORD_KIND_CHARS, )
#define RECORD_LOCAL(type, member)       RECORD_ONE_(type, member, RECORD_KIND_LOCAL, )
#define RECORD_ENUM(type, member, below) RECORD_ONE_(type, member, RECORD_KIND_ENUM, .limit = below)
#define RECORD_STRUCT(kind_of, member, table)                                                      \
    RECORD_ONE_(kind_of, member, RECORD_KIND_STRUCT, .type = table)
#define RECORD_STRUCTS(kind_of, member, table)                                                     \
    RECORD_MANY_(kind_of, member, RECORD_KIND_STRUCT, .type = table)
// A pointer and the member that counts what is behind it, which gets no line of its own.
#define RECORD_LIST_OF_NUMBERS(type, member, count)                                                \
    RECORD_LIST_(type, member, count, RECORD_KIND_NUMBER, )
#define RECORD_LIST_OF_BOOLS(type, member, count)                                                  \
    RECORD_LIST_(type, member, count, RECORD_KIND_BOOL, )
#define RECORD_LIST_OF_TEXTS(type, member, count)                                                  \
    RECORD_LIST_(type, member, count, RECORD_KIND_TEXT, )
#define RECORD_LIST_OF(kind_of, member, count, table)                                              \
    RECORD_LIST_(kind_of, member, count, RECORD_KIND_STRUCT, .type = table)
#define RECORD_VECTOR_OF(kind_of, member, table)                                                   \
    RECORD_VECTOR_(kind_of, member, RECORD_KIND_STRUCT, .type = table)
#define RECORD_END       {.kind = RECORD_KIND_NONE}
#define RECORD_TYPE(...) RECORD_TYPE_WITH_CHECK(__VA_ARGS__, NULL)
#define RECORD_TYPE_WITH_CHECK(title, mark, number, kind_of, table, examine)                       \
    {.name = title,                                                                                \
     .tag = mark,                                                                                  \
     .version = number,                                                                            \
     .size = sizeof(kind_of),                                                                      \
     .fields = table,                                                                              \
     .check = examine}

// Appends it.
void record_write(const struct record_type *type, const void *object, struct buf *out);

struct record_frame {
    uint32_t tag, table;
    uint16_t version;
    const char *bytes; // of the members; inside of what was received
    size_t length;
};
enum record_found { RECORD_NONE, RECORD_WHOLE, RECORD_BROKEN };

// The record at *at of these bytes; *at moves behind it. NONE: the end of it is not there yet.
// BROKEN: this is no record, or not one that this version can read; nothing that follows can be
// understood, and err (which may be NULL) says why.
enum record_found record_take(const char *bytes, size_t length, size_t *at,
                              struct record_frame *out, struct error *err);

// Fill an object from a frame of its type. Lists and texts are in the arena, lists with a zero
// behind the last; vectors belong to the object, which is zero if this fails. `context` is for the
// checks.
bool record_read(const struct record_type *type, const struct record_frame *frame,
                 const void *context, struct arena *arena, void *object, struct error *err);

// Free the vectors of an object.
void record_release(const struct record_type *type, void *object);

// A file that holds one record. Written under another name and renamed.
bool record_save(const struct record_type *type, const void *object, const char *path,
                 struct error *err);
bool record_load(const struct record_type *type, const char *path, const void *context,
                 struct arena *arena, void *object, struct error *err);

// Does the table name every member of its struct (and of those in it), once and in order? What it
// forgets would be lost on the way. NULL, or the member before the gap.
const char *record_gap(const struct record_type *type);

// The checksum of a record again, after its bytes were changed: for tests.
void record_seal(char *bytes, size_t length);

extern const struct record_type error_record; // struct error

#endif
