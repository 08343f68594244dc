// SPDX-License-Identifier: Apache-2.0
// frontend_parse: the passes of frontend_internal.h in their order, and the copy
// of the growing arrays into the program.
#include "frontend/frontend_internal.h"

#include "base/check.h"
#include "program/program_check.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void frontend_note(struct frontend *fe, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    *VEC_PUSH(&fe->notes) = arena_strdup(&fe->program->arena, text);
}

static void *store(struct frontend *fe, const void *items, size_t count, size_t size)
{
    void *copy = arena_alloc(&fe->program->arena, count ? count * size : 1);
    if (count)
        memcpy(copy, items, count * size);
    return copy;
}

#define STORE(fe, field, counter)                                                                  \
    ((fe)->program->field =                                                                        \
         store((fe), (fe)->field.items, (fe)->field.count, sizeof *(fe)->field.items),             \
     (fe)->program->counter = (fe)->field.count)

static void store_results(struct frontend *fe)
{
    STORE(fe, types, type_count);
    STORE(fe, functions, function_count);
    STORE(fe, variables, variable_count);
    STORE(fe, branches, branch_count);
    STORE(fe, decisions, decision_count);
    STORE(fe, switches, switch_count);
    branches_sort_unevaluated(fe);
    STORE(fe, unevaluated, unevaluated_count);
    STORE(fe, pointers, pointer_count);
    STORE(fe, notes, note_count);
}

static void init(struct frontend *fe, const struct frontend_request *request,
                 struct program *program)
{
    memset(fe, 0, sizeof *fe);
    fe->request = request;
    fe->program = program;
    arena_init(&fe->scratch);
    map_init(&fe->function_ids);
    map_init(&fe->variable_ids);
    map_init(&fe->type_ids);
    map_init(&fe->parameter_type_ids);
    map_init(&fe->unnamed_ids);
    map_init(&fe->holder_ids);
    map_init(&fe->parameter_ids);
    map_init(&fe->held);
    map_init(&fe->selected);
    program->compile_flags = flags_for_text(&program->arena, request->flags);
    program->compile_flag_count = flags_count(program->compile_flags);
    program->interleave = request->interleave;
    fe->gnu89_inline = flags_gnu89_inline(request->flags);
    frontend_numbers_init(&fe->own_numbers);
    fe->numbers = request->numbers ? request->numbers : &fe->own_numbers;
}

static void release(struct frontend *fe)
{
    source_release(fe);
    map_release(&fe->function_ids);
    map_release(&fe->variable_ids);
    map_release(&fe->type_ids);
    map_release(&fe->parameter_type_ids);
    map_release(&fe->unnamed_ids);
    VEC_RELEASE(&fe->unnamed_names);
    VEC_RELEASE(&fe->functions);
    VEC_RELEASE(&fe->variables);
    VEC_RELEASE(&fe->types);
    VEC_RELEASE(&fe->branches);
    VEC_RELEASE(&fe->decisions);
    VEC_RELEASE(&fe->switches);
    VEC_RELEASE(&fe->unevaluated);
    map_release(&fe->selected);
    VEC_RELEASE(&fe->tasks);
    VEC_RELEASE(&fe->notes);
    VEC_RELEASE(&fe->looked_at);
    VEC_RELEASE(&fe->edits);
    VEC_RELEASE(&fe->definitions);
    VEC_RELEASE(&fe->handler_lines);
    VEC_RELEASE(&fe->exact);
    VEC_RELEASE(&fe->exact_members);
    VEC_RELEASE(&fe->exact_calls);
    VEC_RELEASE(&fe->members);
    VEC_RELEASE(&fe->tags);
    VEC_RELEASE(&fe->wholes);
    VEC_RELEASE(&fe->groups);
    holders_release(fe);
    frontend_numbers_release(&fe->own_numbers);
    arena_release(&fe->scratch);
}

bool frontend_text(const struct frontend_request *request, struct arena *arena, const char **text,
                   const char *const **flags, struct error *err)
{
    struct frontend fe;
    struct program program;
    program_init(&program);
    init(&fe, request, &program);
    bool ok = preprocess(&fe, err) && dialect_parse(&fe, err);
    if (ok) {
        const char **copy = arena_array(arena, const char *, program.compile_flag_count + 1);
        for (size_t i = 0; i < program.compile_flag_count; i++)
            copy[i] = arena_strdup(arena, program.compile_flags[i]);
        *flags = copy;
        *text = arena_strdup(arena, program.unit_text);
    }
    release(&fe);
    program_release(&program);
    return ok;
}

bool frontend_parse(const struct frontend_request *request, struct program *program,
                    struct error *err)
{
    struct frontend fe;
    init(&fe, request, program);
    bool ok = preprocess(&fe, err) && dialect_parse(&fe, err) && own_parse(&fe, err) &&
              rename_main(&fe, err) && alone_rename(&fe, err);
    if (ok) {
        program->narrow = source_pointer_width(&fe) == 32;
        linkage_collect(&fe);
        functions_collect(&fe);
        linkage_finish(&fe);
        generics_collect(&fe);
        functions_analyse(&fe);
        fixed_finish(&fe);
        lengths_finish(&fe);
        holders_finish(&fe);
        lengths_by_name(&fe);
        exact_lengths_finish(&fe);
        exact_members_finish(&fe);
        types_finish(&fe);
        bytes_finish(&fe);
        members_finish(&fe);
        tags_finish(&fe);
        wholes_finish(&fe);
        wrap_finish(&fe);
        registers_collect(&fe);
        store_results(&fe);
        ok = tasks_collect(&fe, err);
        STORE(&fe, tasks, task_count);
    }
    release(&fe);
    if (ok)
        MUST_HOLD(program_check(program));
    return ok;
}
