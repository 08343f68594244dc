// SPDX-License-Identifier: Apache-2.0
// Which file of a project defines a symbol. Every file is read once, when the first
// question comes. A file that does not compile defines nothing.
#ifndef CZ_UNIT_SYMBOL_INDEX_H
#define CZ_UNIT_SYMBOL_INDEX_H

#include "base/map.h"
#include "unit/unit.h"
#include "project/project.h"

struct symbol_place {
    const struct project_file *file;
    size_t next; // another file with the same symbol: index plus one, or 0
};

struct symbol_index {
    const struct project *project;
    struct arena arena;
    struct map by_name; // -> index in places, plus one
    VEC(struct symbol_place) places;
    bool is_read;
};

void symbol_index_init(struct symbol_index *symbols, const struct project *project);
void symbol_index_release(struct symbol_index *symbols);

// For unit_request.find, with the struct symbol_index as context. Of several files that define
// it, one in the directory of `from` comes first, then the project's order.
bool symbol_index_find(void *symbols, const char *symbol, const char *from, struct unit_file *out);

// The files that define a symbol, in the project's order; the list is in the arena.
size_t symbol_index_files(struct symbol_index *symbols, const char *symbol,
                          const struct project_file ***files);

#endif
