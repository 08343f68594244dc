// SPDX-License-Identifier: Apache-2.0
#include "unit/linked_support.h"

#include "base/fs.h"
#include "base/vec.h"
#include "facts/facts.h"
#include "facts/support.h"
#include "harness/symbols.h"
#include "program/libc.h"
#include "unit/libc_shadowing.h"
#include <stdlib.h>
#include <string.h>

struct source { // a file of the project that defines functions which the unit calls
    const char *file;
    VEC(const char *) names, symbols;
    VEC(bool) plain; // text functions of the project's own
};

typedef VEC(struct source) source_list;

static struct source *source_of(source_list *sources, const char *file)
{
    for (size_t i = 0; i < sources->count; i++)
        if (strcmp(sources->items[i].file, file) == 0)
            return &sources->items[i];
    struct source *added = VEC_PUSH(sources);
    *added = (struct source){.file = file};
    return added;
}

// What a system header declares is the C library's (own.c), whoever defines it, too.
static void enter(source_list *sources, const struct facts *facts, const struct function *function,
                  struct arena *arena)
{
    const struct facts_function *known = facts_find(facts, function->name, NULL);
    if (!known || known->is_static || !known->file ||
        (!function->is_own && libc_defines(function->name)))
        return;
    struct source *source = source_of(sources, known->file);
    for (size_t i = 0; i < source->names.count; i++)
        if (strcmp(source->names.items[i], function->name) == 0)
            return;
    struct function linked = *function;
    linked.supported = true;
    *VEC_PUSH(&source->names) = function->name;
    *VEC_PUSH(&source->symbols) = symbols_of_function(&linked, false, arena);
    *VEC_PUSH(&source->plain) = function->is_own && libc_shadowing_is_text(function);
}

static void mark(struct unit *unit, const char *name)
{
    for (size_t k = 0; k < unit->text_count; k++) {
        struct program *program = &unit->texts[k]->program;
        for (size_t i = 0; i < program->function_count; i++)
            if (!program->functions[i].defined && strcmp(program->functions[i].name, name) == 0)
                program->functions[i].supported = true;
    }
    for (size_t i = 0; i < unit->program.function_count; i++)
        if (strcmp(unit->program.functions[i].name, name) == 0)
            unit->program.functions[i].supported = true;
}

static void note(struct unit *unit, const struct source *source, const bool *taken, bool plain,
                 const char *what)
{
    struct buf names = BUF_INIT;
    for (size_t i = 0; i < source->names.count; i++)
        if (taken[i] && source->plain.items[i] == plain)
            buf_printf(&names, "%s%s()", names.length ? ", " : "", source->names.items[i]);
    if (!names.length)
        return;
    struct program *program = &unit->program;
    const char **notes = arena_array(&program->arena, const char *, program->note_count + 1);
    if (program->note_count)
        memcpy(notes, program->notes, program->note_count * sizeof *notes);
    notes[program->note_count++] = arena_printf(&program->arena, "%s of %s %s and run as they are",
                                                buf_text(&names), fs_basename(source->file), what);
    program->notes = notes;
    buf_release(&names);
}

static bool is_projects(const void *facts, const char *name)
{
    return libc_shadowing_replaces(facts, name);
}

static void take(struct unit *unit, const struct facts *facts, const struct source *source)
{
    struct support_request request = {
        .bitcode = facts_bitcode(facts, source->file),
        .names = source->names.items,
        .symbols = source->symbols.items,
        .plain = source->plain.items,
        .count = source->names.count,
        .is_own = is_projects,
        .context = facts,
        .out =
            arena_printf(&unit->arena, "%s/support_%zu.bc", unit->directory, unit->support_count),
    };
    bool *taken = arena_array(&unit->arena, bool, source->names.count);
    struct error ignored = {0};
    bool any = false;
    if (!request.bitcode || !support_extract(&request, taken, &ignored))
        return;
    for (size_t i = 0; i < source->names.count; i++) {
        if (taken[i])
            mark(unit, source->names.items[i]);
        any |= taken[i];
    }
    if (!any)
        return;
    note(unit, source, taken, false, "manage memory");
    note(unit, source, taken, true, "are the project's own");
    unit->support[unit->support_count++] = request.out;
}

void linked_support_find(const struct unit_request *request, struct unit *unit)
{
    const struct program *program = &unit->program;
    source_list sources = {0};
    if (!request->facts || request->program || request->options->stubs == OPTION_STUBS_BASELINE)
        return;
    for (size_t t = 0; t < program->task_count; t++)
        for (size_t i = 0; i < program->tasks[t].external_count; i++)
            enter(&sources, request->facts, &program->functions[program->tasks[t].externals[i]],
                  &unit->arena);
    unit->support = arena_array(&unit->arena, const char *, sources.count + 1);
    for (size_t i = 0; i < sources.count; i++) {
        take(unit, request->facts, &sources.items[i]);
        VEC_RELEASE(&sources.items[i].names);
        VEC_RELEASE(&sources.items[i].symbols);
        VEC_RELEASE(&sources.items[i].plain);
    }
    VEC_RELEASE(&sources);
}
