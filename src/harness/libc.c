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

#include <dlfcn.h>
#include <link.h>
#include <string.h>

enum libc_class libc_class_of(const char *name)
{
    for (const struct libc_entry *entry = libc_entries; entry->name; entry++) {
        if (strcmp(entry->name, name) == 0)
            return entry->class;
    }
    return LIBC_UNKNOWN;
}

// Cadenza itself has other libraries loaded, so the right ones are asked by name.
static bool library_defines(const char *library, const char *name)
{
    void *handle = dlopen(library, RTLD_LAZY | RTLD_LOCAL);
    bool found = handle && dlsym(handle, name);
    if (handle)
        dlclose(handle);
    return found;
}

bool libc_defines(const char *name)
{
    // What only the static part of the library has, and what the compiler expands itself.
    static const char *const others[] = {"atexit", "at_quick_exit", "pthread_atfork", "alloca",
                                         "setjmp", "sigsetjmp", 0};
    for (const char *const *other = others; *other; other++) {
        if (strcmp(*other, name) == 0)
            return true;
    }
    return libc_class_of(name) != LIBC_UNKNOWN || library_defines("libc.so.6", name) ||
           library_defines("libm.so.6", name);
}

bool libc_has_variable(const char *name)
{
    void *handle = dlopen("libc.so.6", RTLD_LAZY | RTLD_LOCAL);
    void *at = handle ? dlsym(handle, name) : NULL;
    Dl_info info;
    const ElfW(Sym) *symbol = NULL;
    bool found = at && dladdr1(at, &info, (void **)&symbol, RTLD_DL_SYMENT) && symbol &&
                 (symbol->st_info & 15) == STT_OBJECT;
    if (handle)
        dlclose(handle);
    return found;
}
