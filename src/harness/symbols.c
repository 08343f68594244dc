// SPDX-License-Identifier: Apache-2.0
// Symbols of what has a name of the C library and is not the C library's: a stub of rand(),
// a function of the project that is called send(), a variable `time` of the file under test.
// In one executable with the runtime, which calls the C library like any program, such a
// definition would capture the runtime's calls. So it gets another symbol, by a pragma in
// front of the text that every build of the text sees; names in the source stay.
#include "harness/symbols.h"

#include "program/libc.h"
#include "program/reserved.h"

#include <string.h>

static bool is_builtin(const char *name)
{
    return strncmp(name, "__builtin_", 10) == 0 || strncmp(name, "__sync_", 7) == 0 ||
           strncmp(name, "__atomic_", 9) == 0 || strncmp(name, "__c11_", 6) == 0 ||
           reserved_name(name);
}

bool symbols_of_libc(bool whole, bool in_system_header, const char *name)
{
    return (in_system_header || whole) && libc_defines(name);
}

bool symbols_stubbed(const struct function *function, bool whole)
{
    if (function->defined || function->is_alias || function->elsewhere || function->supported ||
        is_builtin(function->name) || (whole && function->is_weak))
        return false;
    if (function->is_own)
        return true;
    enum libc_class class = libc_class_of(function->name);
    if (class == LIBC_INPUT || (!whole && libc_state_of(function->name) == LIBC_STATE_START))
        return true;
    return class == LIBC_OTHER &&
           !symbols_of_libc(whole, function->in_system_header, function->name);
}

static const char *own_symbol(struct arena *arena, const char *name)
{
    return arena_printf(arena, PROGRAM_OWN_PREFIX "%s", name);
}

// What a header of the system defines inline is the C library's.
static bool is_units_function(const struct function *function, bool whole)
{
    if (function->defined)
        return !function->in_system_header;
    return function->elsewhere || function->supported || symbols_stubbed(function, whole);
}

const char *symbols_of_function(const struct function *function, bool whole, struct arena *arena)
{
    bool renamed = !function->is_static && !function->keeps_symbol &&
                   is_units_function(function, whole) && libc_defines(function->name);
    return renamed ? own_symbol(arena, function->name) : function->name;
}

// Variables of the C library itself are often declared by hand (optarg, optind): then the
// driver's definition takes the library's place, and getopt() and the file mean one thing.
// But not environ: getenv() means __environ, and sanitizers walk through the one they find.
static bool is_units_variable(const struct variable *variable, bool whole)
{
    if (!variable->is_extern_only)
        return !variable->in_system_header;
    if (variable->elsewhere || variable->is_own)
        return true;
    return !symbols_of_libc(whole, variable->in_system_header, variable->name) &&
           (!libc_has_variable(variable->name) ||
            libc_variable_kind(variable->name) == LIBC_VARIABLE_ENVIRONMENT);
}

bool symbols_renames(const struct variable *variable, bool whole)
{
    return !variable->is_static && (!variable->function || variable->is_extern_only) &&
           libc_defines(variable->name) && is_units_variable(variable, whole);
}

static void redefine(struct buf *out, const char *name, const char *symbol)
{
    buf_printf(out, "#pragma redefine_extname %s %s\n", name, symbol);
}

void symbols_write(const struct program *program, bool whole, struct arena *arena, struct buf *out)
{
    for (size_t i = 0; i < program->function_count; i++) {
        const struct function *function = &program->functions[i];
        const char *symbol = symbols_of_function(function, whole, arena);
        if (symbol != function->name)
            redefine(out, function->name, symbol);
    }
    for (size_t i = 0; i < program->variable_count; i++) {
        const struct variable *variable = &program->variables[i];
        if (symbols_renames(variable, whole))
            redefine(out, variable->name, own_symbol(arena, variable->name));
    }
}
