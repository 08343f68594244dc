// SPDX-License-Identifier: Apache-2.0
// Which file of a project defines a symbol. Every file is read once, when the first
// question comes. A file that does not compile defines nothing.
#ifndef CZ_ENGINE_SYMBOLS_H
#define CZ_ENGINE_SYMBOLS_H

#include "base/map.h"
#include "engine/unit.h"
#include "project/project.h"

struct symbol_place {
    const struct project_file *file;
    size_t next; // another file with the same symbol: index plus one, or 0
};

struct symbols {
    const struct project *project;
    struct arena arena;
    struct map by_name; // -> index in places, plus one
    VEC(struct symbol_place) places;
    bool is_read;
};

void symbols_init(struct symbols *symbols, const struct project *project);
void symbols_release(struct symbols *symbols);

// For unit_request.find, with the struct symbols as context. Of several files that define
// it, one in the directory of `from` comes first, then the project's order.
bool symbols_find(void *symbols, const char *symbol, const char *from, struct unit_file *out);

// The files that define a symbol, in the project's order; the list is in the arena.
size_t symbols_files(struct symbols *symbols, const char *symbol,
                     const struct project_file ***files);

#endif
