// SPDX-License-Identifier: Apache-2.0
// Which of the user's compiler flags go into a clean build of the original file.
// Everything that changes the meaning of the code is kept; what names outputs, asks
// for other stages, optimises, instruments or links is not (the driver defines or
// stubs everything that the file does not).
#ifndef CZ_PROJECT_CLEAN_FLAGS_H
#define CZ_PROJECT_CLEAN_FLAGS_H

#include <stdbool.h>
#include <stddef.h>

struct clean_flags {
    const char **items; // point to the user's strings
    size_t count, room;
};

// Append to `out` what remains of the user's flags (NULL-terminated, or NULL).
void clean_flags_select(const char *const *user, struct clean_flags *out);

#endif
