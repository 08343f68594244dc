// SPDX-License-Identifier: Apache-2.0
// What is known of the C library: the table of wire/libc.def, which says what the words mean, and
// the names that glibc has besides. All questions are about names; whether a function of that
// name is the C library's is another one (harness/symbols.h, unit/libc_shadowing.h). The machine's
// own C library is not asked, so the answers are the same everywhere.
#ifndef CZ_PROGRAM_LIBC_H
#define CZ_PROGRAM_LIBC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum libc_class {
    LIBC_OTHER = 0, // not in the table, or nothing is called in its place
    LIBC_MODEL,
    LIBC_RUNTIME,
    LIBC_PURE,
    LIBC_OUTPUT,
    LIBC_INPUT, // becomes a stub in the driver
};

// In the order of enum czrt_state.
enum libc_state {
    LIBC_STATE_NONE,
    LIBC_STATE_INPUTS,
    LIBC_STATE_START, // becomes a stub, too, but not in a whole program
    LIBC_STATE_HIDDEN,
    LIBC_STATE_LOCALE,
    LIBC_STATE_SYSTEM,
    LIBC_STATE_WORLD,
};

#define LIBC_NO_ARGUMENT ~0u

enum { LIBC_MOST_WRITES = 4 };

struct libc_write {
    bool used;
    unsigned argument; // written is what it points to
    int64_t size;      // bytes, 0: varies
    unsigned length;   // argument that bounds it, or LIBC_NO_ARGUMENT
};

// Arguments that say how many bytes are behind which others.
struct libc_bytes {
    bool used;
    unsigned first, second; // the same one, if there is only one
    unsigned length;
    bool exact; // all of them from the start, not behind what is there
};

// A line of the table. Arguments plus one, 0: none.
struct libc_function {
    const char *name; // NULL: no function of the table
    enum libc_class class;
    enum libc_state state;
    struct libc_write writes[LIBC_MOST_WRITES]; // the used ones first
    struct libc_bytes bytes;
    uint8_t writes_from, returns, frees, calls;
    bool indirect, allocates, releases, calls_back, support;
    bool copies, fills, compilers, text, rounding, wrapped;
};

// Never NULL: what is not in the table has no name and no traits.
const struct libc_function *libc_find(const char *name);

// The lines of the table, one after the other.
size_t libc_count(void);
const struct libc_function *libc_at(size_t index);

enum libc_class libc_class_of(const char *name);
enum libc_state libc_state_of(const char *name);

// Is there a function or variable of this name in what every target is linked with? Being
// declared in a system header is no sign of it: those of other libraries are, too.
bool libc_defines(const char *name);
bool libc_has_variable(const char *name); // is it a variable there?

// Variables of the C library that code under test may use.
enum libc_variable {
    LIBC_VARIABLE_OTHER,
    LIBC_VARIABLE_NUMBER, // an int of getopt()
    LIBC_VARIABLE_TEXT,   // optarg
    LIBC_VARIABLE_STREAM,
    LIBC_VARIABLE_ENVIRONMENT, // under one of its names
};
enum libc_variable libc_variable_kind(const char *name);

// ---- effects ----

// Does the table tell all that the function writes, returns, frees and calls?
bool libc_tells_effects(const char *name);
// An argument, or LIBC_NO_ARGUMENT.
unsigned libc_returns(const char *name);
unsigned libc_writes_from(const char *name); // through this one and all behind it
unsigned libc_frees(const char *name);
unsigned libc_calls(const char *name);
// May the function call others of the program, which it was given now or earlier? Yes, if nothing
// is known of it.
bool libc_calls_back(const char *name);

// ---- control, by parts of names: others have functions like these, too ----

bool libc_is_setjmp(const char *name);  // where longjmp() may land
bool libc_is_longjmp(const char *name); // goes to where any setjmp() was
bool libc_is_failure(const char *name); // called when an assertion does not hold

// ---- functions behind macros ----

#define LIBC_ERRNO_LOCATION "__errno_location"
bool libc_is_errno(const char *name);       // tells where errno is
bool libc_is_ctype_table(const char *name); // tells where the bits of <ctype.h> are

#endif
