// SPDX-License-Identifier: Apache-2.0
// Constants of other files (calibrations, tables) that are linked with a unit: nobody may
// write them, so their values are known, and a driver that left them zero would test
// another program. Functions that a table names are those of the unit, which has stubs for
// what it may call; the rest of the file stays away.
#ifndef CZ_FACTS_CONSTANTS_H
#define CZ_FACTS_CONSTANTS_H

#include "base/error.h"
#include <stdbool.h>
#include <stddef.h>

struct constants_request {
    const char *bitcode; // defines them
    const char *const *names;
    size_t count;
    // The symbol of a function in the unit; NULL: it has none.
    const char *(*function)(void *context, const char *name, bool is_static);
    // Does the unit have this external variable?
    bool (*variable)(void *context, const char *name);
    void *context;
    const char *out; // a module with the constants and what they lead to
};

// taken[i]: names[i] is there; lacks[i]: it leads to variables, or to functions that the
// unit does not have and that are NULL in it. False: the bitcode could not be read or written.
bool constants_extract(const struct constants_request *request, bool *taken, bool *lacks,
                       struct error *err);

#endif
