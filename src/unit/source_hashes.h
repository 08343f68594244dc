// SPDX-License-Identifier: Apache-2.0
// Which files a run read, headers too, and what was in them: DIR/sources.txt, a line "HASH PATH"
// each.
// --resume and replay ask whether they are still the same.
#ifndef CZ_UNIT_SOURCE_HASHES_H
#define CZ_UNIT_SOURCE_HASHES_H

#include "unit/unit.h"

// All of them, one after the other.
void source_hashes_each(const struct unit *unit,
                        void (*each)(void *context, const char *path, const char *hash),
                        void *context);

bool source_hashes_write(const struct unit *unit, const char *directory, struct error *err);

// The first file that has changed or is gone since, in the arena; NULL: none, or nothing is known.
// *known: the list is there.
const char *source_hashes_changed(const char *directory, struct arena *arena, bool *known);

#endif
