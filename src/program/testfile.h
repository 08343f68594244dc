// SPDX-License-Identifier: Apache-2.0
// Tests as text files that people read, edit and commit. One line per input:
//
//     # cadenza test, format 1; inputs that are not listed are zero
//     task add_last
//     file fig5.c
//     outcome ok
//     # note: found by solving fig5.c:27
//     input shape:head | shape | present
//     input head->c | char | 65 # 'A'
//     input arg:buf[0..3] | unsigned char | 1 2 3 0
//
// Lines that begin with # and empty lines are comments; so is the rest of an input
// line from " # " on. Paths, types and values are those of program/places.h. Equal
// tests are equal bytes. runtime/testfile_read.c reads the same format in replays.
#ifndef CZ_TESTFILE_H
#define CZ_TESTFILE_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include "program/places.h"

struct testfile_input {
    const char *path, *type, *values;
    const char *meaning; // for the reader's eye, or NULL; not read back
};

struct testfile {
    const char *task;    // required
    const char *file;    // the user's source, or NULL
    const char *outcome; // "ok", "null dereference at ...", or NULL
    const char *note;    // one line, or NULL; a comment to other readers
    struct testfile_input *inputs;
    size_t input_count;
};

void testfile_write(const struct testfile *test, struct buf *out);

// Everything lives in the arena. `name` is for messages: "t1.test:7: ...".
bool testfile_read(struct testfile *test, const char *name, const char *text, size_t length,
                   struct arena *arena, struct error *err);

// Take the inputs from the leaves that a run used, in the order of their first use.
// Array elements beyond the first that are zero throughout are left out: ten structs
// behind a pointer of which the task reads one would hide that one.
void testfile_from_run(struct testfile *test, const struct places *places, const uint32_t *uses,
                       size_t use_count, const uint8_t *input, size_t size,
                       const struct program *program, struct arena *arena);

// Write the inputs into a zeroed input vector. Paths that the target does not know
// (yet) are counted in *unknown and left out.
bool testfile_to_input(const struct testfile *test, const struct places *places,
                       const struct places_index *index, uint8_t *input, size_t size,
                       size_t *unknown, struct error *err);

#endif
