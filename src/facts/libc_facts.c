// SPDX-License-Identifier: Apache-2.0
// What functions of the C library write, as facts: from the table of wire/libc.def.
#include "facts/facts_internal.h"

#include "program/libc.h"

const struct facts_function *facts_library(const char *name, size_t param_count,
                                           struct arena *arena)
{
    const struct libc_function *known = libc_find(name);
    if (!known->writes[0].used)
        return NULL;
    size_t count = 0;
    struct facts_write *writes = arena_array(arena, struct facts_write, LIBC_MOST_WRITES);
    for (size_t i = 0; i < LIBC_MOST_WRITES; i++) {
        const struct libc_write *write = &known->writes[i];
        if (!write->used || write->argument >= param_count)
            continue;
        bool bounded = write->length < param_count;
        writes[count++] =
            (struct facts_write){.way = {.parameter = write->argument},
                                 .all = !write->size,
                                 .to = write->size * 8,
                                 .length = bounded ? write->length : FACTS_NO_PARAMETER,
                                 .scale = 1};
    }
    struct facts_function *out = arena_new(arena, struct facts_function);
    *out = (struct facts_function){.name = name, .writes = writes, .write_count = count};
    return out;
}
