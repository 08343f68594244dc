// SPDX-License-Identifier: Apache-2.0
// Functions of other files that are linked with a unit instead of being stubbed: small
// ones that hand out, grow or give back memory and do nothing else (xmalloc, buffer_grow,
// free_token). A stub cannot stand in for an allocator: what it returns has the size that
// the driver likes, not the one that was asked for.
#ifndef CZ_FACTS_SUPPORT_H
#define CZ_FACTS_SUPPORT_H

#include "base/error.h"
#include <stdbool.h>
#include <stddef.h>

// Which of `names`, all defined in this bitcode, are such functions (taken[i])? When any
// is, they and what they need are written to `out` as a module of their own. False: the
// bitcode could not be read or written.
bool support_extract(const char *bitcode, const char *const *names, size_t count, bool *taken,
                     const char *out, struct error *err);

#endif
