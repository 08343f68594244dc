// SPDX-License-Identifier: Apache-2.0
// Who declares a function decides whose it is. From a system header, it is the C library's:
// what a project defines in its place (a malloc over a static pool, a memcpy in assembly)
// implements the standard's function, and the library's model does what the standard says.
// From the project, it is the project's if a file of the project defines it. Of memcpy and
// the three others that compilers call on their own account, also in freestanding code, a
// definition with the standard's parameters has no choice but to do what the standard says,
// whoever declares it.
#include "unit/libc_shadowing.h"

#include "program/libc.h"
#include <string.h>

static bool own_defines(const struct facts *facts, const char *name)
{
    const struct facts_function *known = facts ? facts_find(facts, name, NULL) : NULL;
    return known && !known->is_static;
}

static bool is_size(const struct type *type)
{
    const struct type *plain = type->canonical ? type->canonical : type;
    return plain->kind == TYPE_INT && !plain->is_signed && plain->size >= 4;
}

static bool is_text_or_number(const struct type *type)
{
    const struct type *target = type->kind == TYPE_POINTER ? type->target : NULL;
    return target ? target->is_char || target->kind == TYPE_VOID : type->kind == TYPE_INT;
}

bool libc_shadowing_replaces(const struct facts *facts, const char *name)
{
    return own_defines(facts, name) && !libc_find(name)->compilers;
}

bool libc_shadowing_is_own(const void *facts, const char *name, bool defined)
{
    return (defined || libc_shadowing_replaces(facts, name)) && libc_defines(name);
}

// On characters and text, with the kinds of parameters that the standard gives it. Such a
// function is small and called everywhere; a stub of it would be wrong in most calls.
bool libc_shadowing_is_text(const struct function *function)
{
    const struct type *type = function->type;
    bool named = libc_find(function->source_name)->text;
    for (size_t i = 0; i < type->param_count; i++)
        named = named && is_text_or_number(type->params[i]);
    return named && type->param_count && !type->variadic && is_text_or_number(type->target);
}

// With the parameters that the standard gives it.
static bool is_compilers(const struct function *function)
{
    const struct type *type = function->type;
    const struct libc_function *known = libc_find(function->name);
    return known->compilers && type->param_count == 3 && type->params[0]->kind == TYPE_POINTER &&
           is_size(type->params[2]) && (type->params[1]->kind == TYPE_POINTER) == !known->fills;
}

static bool is_own(const struct facts *facts, const struct function *function)
{
    return !function->defined && !function->is_static && !function->in_library &&
           own_defines(facts, function->source_name) && libc_defines(function->name) &&
           !is_compilers(function);
}

static void mark(const struct facts *facts, struct program *program)
{
    for (size_t i = 0; i < program->function_count; i++)
        program->functions[i].is_own = is_own(facts, &program->functions[i]);
    for (size_t i = 0; facts && i < program->variable_count; i++) {
        struct variable *variable = &program->variables[i];
        variable->is_own = variable->is_extern_only && !variable->in_system_header &&
                           facts_variable_size(facts, variable->name) &&
                           libc_defines(variable->name);
    }
}

// ---- aliases ----

static bool ends_with(const char *text, const char *end, const char *word)
{
    size_t length = strlen(word);
    return (size_t)(end - text) >= length && strncmp(end - length, word, length) == 0;
}

// __attribute__((alias("memcpy"))) means the symbol.
static bool is_aliased(const char *text, const char *name, struct arena *arena)
{
    const char *quoted = arena_printf(arena, "\"%s\"", name);
    for (const char *at = text; (at = strstr(at, quoted)); at++) {
        const char *before = at;
        while (before > text && strchr(" \t\n(", before[-1]))
            before--;
        if (before < at && (ends_with(text, before, "alias") ||
                            ends_with(text, before, "alias__") || ends_with(text, before, "ifunc")))
            return true;
    }
    return false;
}

static void keep(struct unit *unit, const char *name)
{
    for (size_t k = 0; k < unit->text_count; k++) {
        struct program *program = &unit->texts[k]->program;
        for (size_t i = 0; i < program->function_count; i++)
            if (strcmp(program->functions[i].name, name) == 0)
                program->functions[i].keeps_symbol = true;
    }
}

static void find_aliases(struct unit *unit, const struct program *program)
{
    bool any = strstr(program->unit_text, "alias") || strstr(program->unit_text, "ifunc");
    for (size_t i = 0; any && i < program->function_count; i++) {
        const struct function *function = &program->functions[i];
        if (function->defined && !function->is_static && libc_defines(function->name) &&
            is_aliased(program->unit_text, function->name, &unit->arena))
            keep(unit, function->name);
    }
}

void libc_shadowing_find(const struct unit_request *request, struct unit *unit)
{
    for (size_t k = 0; k < unit->text_count; k++)
        mark(request->facts, &unit->texts[k]->program);
    mark(request->facts, &unit->program);
    for (size_t k = 0; k < unit->text_count; k++)
        find_aliases(unit, &unit->texts[k]->program);
}
