// SPDX-License-Identifier: Apache-2.0
// Reads a .test file: the inputs of one run as text.
//
//     # comment
//     task NAME
//     file NAME
//     outcome TEXT
//     input PATH | TYPE | VALUE          # remark
//
// VALUE is one number, or as many as a path with [0..n-1] has elements, separated by
// spaces. Numbers are decimal or 0x..., floats as strtod reads them (hexadecimal
// floats are exact) or nan:0xBITS, shapes `present` or `NULL`, bools also true/false.
// Plain C without the base library, because it is linked into replay executables.
#ifndef CZ_TESTFILE_READ_H
#define CZ_TESTFILE_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __SIZEOF_INT128__
typedef unsigned __int128 testfile_wide;
#else
typedef unsigned _BitInt(128) testfile_wide;
#endif

struct testfile_input {
    const char *path, *type, *value;
    unsigned line;
    bool used; // for the reader's client
};

struct testfile {
    char *text;                        // owns all strings
    const char *task, *file, *outcome; // "" when missing
    struct testfile_input *inputs;     // sorted by path
    size_t input_count;
};

// On failure `error` says which line and why, and nothing needs to be released.
bool testfile_read(const char *path, struct testfile *test, char *error, size_t error_size);
void testfile_release(struct testfile *test);

struct testfile_input *testfile_find(const struct testfile *test, const char *path);

// One value of an input; `at` moves on. False: there is none, or it is malformed or
// does not fit.
bool testfile_integer(const char **at, unsigned bits, bool is_signed, testfile_wide *value);
bool testfile_float(const char **at, unsigned bits, uint64_t *raw);
bool testfile_at_end(const char *at);

#endif
