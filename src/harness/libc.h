// SPDX-License-Identifier: Apache-2.0
// How a function of the C library is treated when the code under test calls it:
// the classes of wire/libc.def, by name.
#ifndef CZ_HARNESS_LIBC_H
#define CZ_HARNESS_LIBC_H

#include <stdbool.h>

enum libc_class {
    LIBC_UNKNOWN = 0, // not in the table
    LIBC_MODEL,
    LIBC_RUNTIME,
    LIBC_PURE,
    LIBC_OUTPUT,
    LIBC_INPUT, // becomes a stub in the driver
};

enum libc_state {
    LIBC_STATE_NONE,
    LIBC_STATE_INPUTS,
    LIBC_STATE_START, // becomes a stub, too, but not in a whole program
    LIBC_STATE_HIDDEN,
    LIBC_STATE_LOCALE,
    LIBC_STATE_SYSTEM,
    LIBC_STATE_WORLD,
};

enum libc_class libc_class_of(const char *name);
enum libc_state libc_state_of(const char *name);

// Is there a function or variable of this name in what every target is linked with? Being
// declared in a system header is no sign of it: those of other libraries are, too.
bool libc_defines(const char *name);
bool libc_has_variable(const char *name); // is it a variable there?

#endif
