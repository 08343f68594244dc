// SPDX-License-Identifier: Apache-2.0
// The table of wire/libc.def as seen by the driver generator. No header of the C
// library that may turn a listed name into a macro is included before the table.
#include "harness/libc.h"

struct libc_entry {
    const char *name;
    enum libc_class class;
    enum libc_state state;
};

static const struct libc_entry libc_entries[] = {
#define FN(name, class, state) {#name, LIBC_##class, LIBC_STATE_##state},
#include "wire/libc.def"
#undef FN
    {0, LIBC_UNKNOWN, LIBC_STATE_NONE},
};

#include <dlfcn.h>
#include <link.h>
#include <string.h>

static const struct libc_entry *find_entry(const char *name)
{
    const struct libc_entry *entry = libc_entries;
    while (entry->name && strcmp(entry->name, name) != 0)
        entry++;
    return entry;
}

enum libc_class libc_class_of(const char *name)
{
    return find_entry(name)->class;
}

enum libc_state libc_state_of(const char *name)
{
    return find_entry(name)->state;
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
    static const char *const others[] = {
        "atexit", "at_quick_exit", "pthread_atfork", "alloca", "setjmp", "sigsetjmp", 0};
    for (const char *const *other = others; *other; other++) {
        if (strcmp(*other, name) == 0)
            return true;
    }
    return libc_class_of(name) != LIBC_UNKNOWN || library_defines("libc.so.6", name) ||
           library_defines("libm.so.6", name);
}

static bool library_has_variable(const char *library, const char *name)
{
    void *handle = dlopen(library, RTLD_LAZY | RTLD_LOCAL);
    void *at = handle ? dlsym(handle, name) : NULL;
    Dl_info info;
    const ElfW(Sym) *symbol = NULL;
    bool found = at && dladdr1(at, &info, (void **)&symbol, RTLD_DL_SYMENT) && symbol &&
                 (symbol->st_info & 15) == STT_OBJECT;
    if (handle)
        dlclose(handle);
    return found;
}

bool libc_has_variable(const char *name)
{
    return library_has_variable("libc.so.6", name) || library_has_variable("libm.so.6", name);
}
