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
    LIBC_MODEL_OUT,
    LIBC_RUNTIME_OUT,
    LIBC_PURE,
    LIBC_OUTPUT,
    LIBC_INPUT, // becomes a stub in the driver
};

enum libc_class libc_class_of(const char *name);

// Is there a function or variable of this name in what every target is linked with? Being
// declared in a system header is no sign of it: those of other libraries are, too.
bool libc_defines(const char *name);
bool libc_has_variable(const char *name); // is it a variable there?

#endif
