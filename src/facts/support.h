// SPDX-License-Identifier: Apache-2.0
// Functions of other files that are linked with a unit instead of being stubbed: small
// ones that hand out, grow or give back memory and do nothing else (xmalloc, buffer_grow,
// free_token). A stub cannot stand in for an allocator: what it returns has the size that
// the driver likes, not the one that was asked for. And those that the caller names: a
// project's own strlen().
#ifndef CZ_FACTS_SUPPORT_H
#define CZ_FACTS_SUPPORT_H

#include "base/error.h"
#include <stdbool.h>
#include <stddef.h>

struct support_request {
    const char *bitcode;
    const char *const *names;   // functions that it defines ...
    const char *const *symbols; // ... and the symbols that they get
    const bool *plain;          // those that need not manage memory
    size_t count;
    // A function of the project has this name, so it is not the C library's.
    bool (*is_own)(const void *context, const char *name);
    const void *context;
    const char *out;
};

// Which of the names are such functions (taken[i])? When any is, they and what they need are
// written to `out` as a module of their own. False: the bitcode could not be read or written.
bool support_extract(const struct support_request *request, bool *taken, struct error *err);

#endif
