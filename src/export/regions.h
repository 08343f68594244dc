// SPDX-License-Identifier: Apache-2.0
// What users have written into exported files, which the next export keeps:
//
//     /* requirement [KEY]: REQ-12 */
//     /* own code [KEY] */
//     ...
//     /* end of own code */
//
// A key belongs to the inputs of a test, so it stays when tests get other numbers.
#ifndef CZ_EXPORT_REGIONS_H
#define CZ_EXPORT_REGIONS_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/vec.h"
#include <stdbool.h>

struct region_text {
    const char *key, *text;
    bool is_requirement, is_used;
};

struct regions {
    VEC(struct region_text) items;
};

// From the text of an earlier export. Texts live in the arena.
void regions_read(struct regions *regions, const char *text, struct arena *arena);
void regions_release(struct regions *regions);

void regions_put_requirement(struct regions *regions, const char *key, struct buf *out);
void regions_put_code(struct regions *regions, const char *key, const char *indent,
                      struct buf *out);
// What belonged to tests that are gone, as a comment for the compiler.
void regions_put_lost(struct regions *regions, struct buf *out);

#endif
