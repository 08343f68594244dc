// SPDX-License-Identifier: Apache-2.0
#include "unit/foreign_constants.h"

#include "base/vec.h"
#include "facts/constants.h"
#include "facts/facts.h"
#include "harness/symbols.h"
#include "program/libc.h"
#include "unit/libc_shadowing.h"
#include <string.h>

struct source { // a file of the project with constants that the unit uses
    const char *file;
    VEC(const char *) names;
};

struct search {
    struct unit *unit;
    const struct facts *facts;
    const char *file; // that is being read
    VEC(struct source) sources;
};

static bool is_wanted(const struct variable *variable)
{
    return variable->is_extern_only && variable->is_const && !variable->elsewhere &&
           !variable->in_system_header && !variable->is_own; // its symbol would have to change
}

static void enter(struct search *s, const char *file, const char *name)
{
    struct source *source = NULL;
    for (size_t i = 0; i < s->sources.count && !source; i++)
        if (strcmp(s->sources.items[i].file, file) == 0)
            source = &s->sources.items[i];
    if (!source) {
        source = VEC_PUSH(&s->sources);
        *source = (struct source){.file = file};
    }
    for (size_t i = 0; i < source->names.count; i++)
        if (strcmp(source->names.items[i], name) == 0)
            return;
    *VEC_PUSH(&source->names) = name;
}

// ---- what the unit has ----

static const char *symbol_in(const struct search *s, struct program *program, const char *name,
                             bool is_static)
{
    for (size_t i = 0; i < program->function_count; i++) {
        struct function *f = &program->functions[i];
        if (strcmp(f->source_name, name) != 0)
            continue;
        if (f->symbol && f->defined_in && strcmp(f->defined_in, s->file) == 0)
            return f->symbol;
        if (is_static || f->is_static || (f->is_inline && !f->emitted))
            continue;
        f->referred = true;
        return symbols_of_function(f, false, &s->unit->arena);
    }
    return NULL;
}

static const char *function_symbol(void *context, const char *name, bool is_static)
{
    const struct search *s = context;
    for (size_t k = 0; k < s->unit->text_count; k++) {
        const char *symbol = symbol_in(s, &s->unit->texts[k]->program, name, is_static);
        if (symbol)
            return symbol;
    }
    return !is_static && libc_defines(name) && !libc_shadowing_replaces(s->facts, name) ? name
                                                                                        : NULL;
}

static bool refers_to(const struct program *program, size_t variable)
{
    for (size_t f = 0; f < program->function_count; f++)
        for (size_t i = 0; i < program->functions[f].global_count; i++)
            if (program->functions[f].globals[i] == variable)
                return true;
    return false;
}

static bool has_variable(void *context, const char *name)
{
    const struct search *s = context;
    for (size_t k = 0; k < s->unit->text_count; k++) {
        const struct program *program = &s->unit->texts[k]->program;
        for (size_t i = 0; i < program->variable_count; i++) {
            const struct variable *v = &program->variables[i];
            if (!v->is_static && !v->function && strcmp(v->name, name) == 0 &&
                (!v->is_extern_only || refers_to(program, i)) && !symbols_renames(v, false))
                return true;
        }
    }
    return false;
}

// ---- taking ----

static void mark(struct program *program, const char *name, bool lacks)
{
    for (size_t i = 0; i < program->variable_count; i++) {
        struct variable *variable = &program->variables[i];
        if (is_wanted(variable) && strcmp(variable->name, name) == 0) {
            variable->elsewhere = true;
            variable->lacks = lacks;
        }
    }
}

static void add_support(struct unit *unit, const char *bitcode)
{
    const char **list = arena_array(&unit->arena, const char *, unit->support_count + 1);
    if (unit->support_count)
        memcpy(list, unit->support, unit->support_count * sizeof *list);
    list[unit->support_count++] = bitcode;
    unit->support = list;
}

static void take(struct search *s, const struct facts *facts, const struct source *source)
{
    struct unit *unit = s->unit;
    size_t count = source->names.count;
    bool *taken = arena_array(&unit->arena, bool, count);
    bool *lacks = arena_array(&unit->arena, bool, count), any = false;
    struct constants_request request = {
        .bitcode = facts_bitcode(facts, source->file),
        .names = source->names.items,
        .count = count,
        .function = function_symbol,
        .variable = has_variable,
        .context = s,
        .out =
            arena_printf(&unit->arena, "%s/constants_%zu.bc", unit->directory, unit->support_count),
    };
    struct error ignored = {0};
    s->file = source->file;
    if (!request.bitcode || !constants_extract(&request, taken, lacks, &ignored))
        return;
    for (size_t i = 0; i < count; i++) {
        if (!taken[i])
            continue;
        for (size_t k = 0; k < unit->text_count; k++)
            mark(&unit->texts[k]->program, source->names.items[i], lacks[i]);
        mark(&unit->program, source->names.items[i], lacks[i]);
        any = true;
    }
    if (any)
        add_support(unit, request.out);
}

void foreign_constants_find(const struct unit_request *request, struct unit *unit)
{
    struct search s = {.unit = unit, .facts = request->facts};
    if (!request->facts || request->program)
        return;
    for (size_t k = 0; k < unit->text_count; k++) {
        const struct program *program = &unit->texts[k]->program;
        for (size_t i = 0; i < program->variable_count; i++) {
            const char *file = is_wanted(&program->variables[i])
                                   ? facts_constant(request->facts, program->variables[i].name)
                                   : NULL;
            if (file)
                enter(&s, file, program->variables[i].name);
        }
    }
    for (size_t i = 0; i < s.sources.count; i++) {
        take(&s, request->facts, &s.sources.items[i]);
        VEC_RELEASE(&s.sources.items[i].names);
    }
    VEC_RELEASE(&s.sources);
}
