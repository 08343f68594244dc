// SPDX-License-Identifier: Apache-2.0
// The table of wire/libc.def as seen by the driver generator. No header of the C
// library that may turn a listed name into a macro is included before the table.
#include "harness/libc.h"

struct libc_entry {
    const char *name;
    enum libc_class class;
};

static const struct libc_entry libc_entries[] = {
#define FN(name, class) {#name, LIBC_##class},
#include "wire/libc.def"
#undef FN
    {0, LIBC_UNKNOWN},
};

#include <string.h>

enum libc_class libc_class_of(const char *name)
{
    for (const struct libc_entry *entry = libc_entries; entry->name; entry++) {
        if (strcmp(entry->name, name) == 0)
            return entry->class;
    }
    return LIBC_UNKNOWN;
}
