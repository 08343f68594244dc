// SPDX-License-Identifier: Apache-2.0
// Names of the C library that a project has given to functions and variables of its own:
// an embedded project's send(), log() or time(), in a header of its own, of its own type.
#ifndef CZ_UNIT_LIBC_SHADOWING_H
#define CZ_UNIT_LIBC_SHADOWING_H

#include "unit/unit.h"

// Marks what is the project's (function.is_own, variable.is_own) in all texts and in the
// unit. After everything is parsed, before anything is taken from other files.
void libc_shadowing_find(const struct unit_request *request, struct unit *unit);

// For frontend_request.is_own, with the project's facts (or NULL) as context.
bool libc_shadowing_is_own(const void *facts, const char *name, bool defined);

// May a function of this name be another one than the C library's, because the project
// defines one?
bool libc_shadowing_replaces(const struct facts *facts, const char *name);

// One of <string.h>, <ctype.h>: better linked than stubbed.
bool libc_shadowing_is_text(const struct function *function);

#endif
