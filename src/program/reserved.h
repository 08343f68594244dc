// SPDX-License-Identifier: Apache-2.0
// Names that generated code and the runtime have for themselves. A driver is compiled in one
// translation unit with the user's code and linked with the runtime, so code that defines one
// of them would silently take its place. Other names that begin with cz_ are the user's.
#ifndef CZ_PROGRAM_RESERVED_H
#define CZ_PROGRAM_RESERVED_H

#include <stdbool.h>

// A word of cz/driver.h, or of what is written in it, or a name of the runtime's.
bool reserved_name(const char *name);

#endif
