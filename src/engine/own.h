// SPDX-License-Identifier: Apache-2.0
// Names of the C library that a project has given to functions and variables of its own:
// an embedded project's send(), log() or time(), in a header of its own, of its own type.
#ifndef CZ_ENGINE_OWN_H
#define CZ_ENGINE_OWN_H

#include "engine/unit.h"

// Marks what is the project's (function.is_own, variable.is_own) in all texts and in the
// unit. After everything is parsed, before anything is taken from other files.
void own_find(const struct unit_request *request, struct unit *unit);

// Sets own_flags of all texts; which functions are linked as they are must be known.
void own_set_flags(const struct unit_request *request, struct unit *unit);

// May a function of this name be another one than the C library's, because the project
// defines one?
bool own_replaces(const struct facts *facts, const char *name);

#endif
