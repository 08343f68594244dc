// SPDX-License-Identifier: Apache-2.0
// Files that the user keeps beside the code, like cadenza.pre and cadenza.just.
#ifndef CZ_UNIT_NEAREST_FILE_H
#define CZ_UNIT_NEAREST_FILE_H

#include "base/arena.h"

// Where the file `name` of a source is: `given` by an option, unless that is ""; else in `home` (or
// NULL); else beside the source or in the next directory above it; else where one would be made.
// NULL: `given` is "none".
const char *nearest_file(const char *name, const char *given, const char *home, const char *source,
                         struct arena *arena);

#endif
