// SPDX-License-Identifier: Apache-2.0
// The table, and questions about it. No header of the C library that may turn a listed name into
// a macro is included before the tables.
#include "program/libc.h"

#define NO              LIBC_NO_ARGUMENT
#define ANY             0
#define WRITES(a, s, n) .writes[0] = {true, a, s, n},
// clang-format off
#define WRITES_2(a, s, n) .writes[1] = {true, a, s, n},
#define WRITES_3(a, s, n) .writes[2] = {true, a, s, n},
#define WRITES_4(a, s, n) .writes[3] = {true, a, s, n},
#define WRITES_FROM(a) .writes_from = (a) + 1,
#define RETURNS(a) .returns = (a) + 1,
#define FREES(a) .frees = (a) + 1,
#define CALLS(a) .calls = (a) + 1,
#define BYTES(a, b, n) .bytes = {true, a, b, n, true},
#define BYTES_BEHIND(a, b, n) .bytes = {true, a, b, n, false},
#define INDIRECT .indirect = true,
#define ALLOCATES .allocates = true,
#define RELEASES .releases = true,
#define CALLS_BACK .calls_back = true,
#define SUPPORT .support = true,
#define COPIES .copies = true,
#define FILLS .fills = true,
#define COMPILERS .compilers = true,
#define TEXT .text = true,
#define ROUNDING .rounding = true,
#define WRAPPED .wrapped = true,
// clang-format on

// In the order of strcmp(), like the symbols.
static const struct libc_function functions[] = {
#define FN(n, c, s, ...) {.name = #n, .class = LIBC_##c, .state = LIBC_STATE_##s, __VA_ARGS__},
#include "wire/libc.def"
#undef FN
};

static const struct glibc_symbol {
    const char *name;
    bool is_variable;
} symbols[] = {
#define FUNCTION(name) {#name, false},
#define VARIABLE(name) {#name, true},
#include "program/glibc_symbols.def"
};

#include <assert.h>
#include <stdlib.h>
#include <string.h>

size_t libc_count(void)
{
    return sizeof functions / sizeof *functions;
}

const struct libc_function *libc_at(size_t index)
{
    assert(index < libc_count());
    return &functions[index];
}

static int compare_function(const void *name, const void *function)
{
    return strcmp(name, ((const struct libc_function *)function)->name);
}

const struct libc_function *libc_find(const char *name)
{
    static const struct libc_function none;
    assert(name);
    const struct libc_function *found =
        bsearch(name, functions, libc_count(), sizeof *functions, compare_function);
    return found ? found : &none;
}

enum libc_class libc_class_of(const char *name)
{
    return libc_find(name)->class;
}

enum libc_state libc_state_of(const char *name)
{
    return libc_find(name)->state;
}

static int compare_symbol(const void *name, const void *symbol)
{
    return strcmp(name, ((const struct glibc_symbol *)symbol)->name);
}

static const struct glibc_symbol *find_symbol(const char *name)
{
    return bsearch(name, symbols, sizeof symbols / sizeof *symbols, sizeof *symbols,
                   compare_symbol);
}

bool libc_defines(const char *name)
{
    return libc_class_of(name) != LIBC_OTHER || find_symbol(name);
}

bool libc_has_variable(const char *name)
{
    const struct glibc_symbol *symbol = find_symbol(name);
    return symbol && symbol->is_variable;
}

enum libc_variable libc_variable_kind(const char *name)
{
    static const struct {
        const char *name;
        enum libc_variable kind;
    } kinds[] = {
        {"optind", LIBC_VARIABLE_NUMBER},        {"opterr", LIBC_VARIABLE_NUMBER},
        {"optopt", LIBC_VARIABLE_NUMBER},        {"optarg", LIBC_VARIABLE_TEXT},
        {"stdin", LIBC_VARIABLE_STREAM},         {"stdout", LIBC_VARIABLE_STREAM},
        {"stderr", LIBC_VARIABLE_STREAM},        {"environ", LIBC_VARIABLE_ENVIRONMENT},
        {"_environ", LIBC_VARIABLE_ENVIRONMENT}, {"__environ", LIBC_VARIABLE_ENVIRONMENT},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].name, name) == 0)
            return kinds[i].kind;
    return LIBC_VARIABLE_OTHER;
}

// ---- effects ----

bool libc_tells_effects(const char *name)
{
    const struct libc_function *function = libc_find(name);
    return function->name && !function->indirect;
}

static unsigned argument(uint8_t plus_one)
{
    return plus_one ? plus_one - 1u : LIBC_NO_ARGUMENT;
}

unsigned libc_returns(const char *name)
{
    return argument(libc_find(name)->returns);
}

unsigned libc_writes_from(const char *name)
{
    return argument(libc_find(name)->writes_from);
}

unsigned libc_frees(const char *name)
{
    return argument(libc_find(name)->frees);
}

unsigned libc_calls(const char *name)
{
    return argument(libc_find(name)->calls);
}

bool libc_calls_back(const char *name)
{
    const struct libc_function *function = libc_find(name);
    return function->class == LIBC_OTHER || function->calls_back;
}

// ---- control ----

bool libc_is_setjmp(const char *name)
{
    return strstr(name, "setjmp") != NULL;
}

bool libc_is_longjmp(const char *name)
{
    return strstr(name, "longjmp") != NULL;
}

bool libc_is_failure(const char *name)
{
    return strncmp(name, "__assert", 8) == 0 || strncmp(name, "abort", 5) == 0;
}

bool libc_is_errno(const char *name)
{
    return strcmp(name, LIBC_ERRNO_LOCATION) == 0;
}

bool libc_is_ctype_table(const char *name)
{
    return strcmp(name, "__ctype_b_loc") == 0;
}
