// SPDX-License-Identifier: Apache-2.0
// Files that were read, and how often tests execute their lines.
#include "store/load.h"

static void load_declarations(struct store_reader *r, struct result *result)
{
    struct store_rows rows = rows_open(r, STORE_DECLARATIONS);
    struct result_declaration declaration;
    size_t keys[STORE_KEYS];
    while (rows_next(&rows, keys, &declaration)) {
        declaration.part = keys[0];
        *VEC_PUSH(&result->declarations) = declaration;
    }
}

void load_sources(struct store_reader *r, struct result *result)
{
    load_declarations(r, result);
    struct store_rows rows = rows_open(r, STORE_SOURCES);
    struct result_source source;
    struct store_line line;
    size_t keys[STORE_KEYS];
    while (rows_next(&rows, keys, &source)) {
        source.part = keys[1];
        rows_number(r, STORE_SOURCES, keys[0], result->sources.count);
        *VEC_PUSH(&result->sources) = source;
    }
    rows = rows_open(r, STORE_SOURCE_LINES);
    while (rows_next(&rows, keys, &line)) {
        struct result_source *of = &result->sources.items[keys[0]];
        if (keys[1] > UINT32_MAX)
            reader_damaged(r, "a line that is none");
        of->lines = load_append(result, of->lines, of->line_count, sizeof *of->lines);
        of->lines[of->line_count++] =
            (struct result_line){(uint32_t)keys[1], line.in_totals, line.hits};
    }
}
