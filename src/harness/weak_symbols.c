// SPDX-License-Identifier: Apache-2.0
// Weak symbols. Whether another file defines a weak function or variable that this one only
// declares, or replaces a weak function that this one defines, is decided when a program is
// linked. So it is an input, "weak:NAME": code of the unit refers to such a symbol through a
// variable of the driver (instrument/weak.c rewrites it in every build), which each run sets.
// In a whole program the linker has decided.
#include "harness/emit.h"
#include "program/libc.h"

#include <string.h>

enum fate { FATE_NONE, FATE_ABSENT, FATE_REPLACED };

static bool contains(const size_t *list, size_t count, size_t wanted)
{
    for (size_t i = 0; i < count; i++)
        if (list[i] == wanted)
            return true;
    return false;
}

// A weak function that is only called, never looked for, must be there for the code to work.
static bool is_looked_for(const struct program *program, size_t index)
{
    for (size_t i = 0; i < program->function_count; i++)
        if (contains(program->functions[i].address_taken, program->functions[i].address_taken_count,
                     index))
            return true;
    for (size_t i = 0; i < program->variable_count; i++)
        if (contains(program->variables[i].functions, program->variables[i].function_count, index))
            return true;
    return false;
}

static enum fate fate_of_function(const struct emitter *e, size_t index)
{
    const struct function *function = &e->program->functions[index];
    if (!function->is_weak || function->is_static || function->in_system_header ||
        e->options->program || !names_sayable(function->type))
        return FATE_NONE;
    if (function->defined || function->alias_of)
        return FATE_REPLACED;
    bool is_there =
        map_get(&e->stubs, index + 1, NULL) || function->elsewhere || function->supported;
    return is_there && is_looked_for(e->program, index) ? FATE_ABSENT : FATE_NONE;
}

static enum fate fate_of_variable(const struct emitter *e, const struct variable *variable)
{
    bool wanted = variable->is_weak && variable->is_extern_only && !variable->is_alias &&
                  !variable->function && !e->options->program &&
                  !(variable->in_system_header && libc_defines(variable->name));
    return wanted ? FATE_ABSENT : FATE_NONE;
}

static const char *pointer_name(struct emitter *e, const char *of)
{
    uint64_t known;
    const char *key = arena_printf(e->arena, "weak %s", of);
    if (map_get_text(&e->weak, key, &known))
        return (const char *)(uintptr_t)known;
    const char *name = names_pick(e, arena_printf(e->arena, "weak_%s", of));
    map_put_text(&e->weak, key, (uintptr_t)name);
    return name;
}

static void declare(struct emitter *e, const char *name)
{
    buf_printf(&e->prototypes, "extern void *%s __asm__(\"cz_weak.%s\");\n", pointer_name(e, name),
               name);
}

void weak_declare(struct emitter *e)
{
    const struct program *program = e->program;
    if (!part_is_first(e))
        return;
    for (size_t i = 0; i < program->function_count; i++)
        if (fate_of_function(e, i) != FATE_NONE)
            declare(e, program->functions[i].name);
    for (size_t i = 0; i < program->variable_count; i++)
        if (fate_of_variable(e, &program->variables[i]) != FATE_NONE)
            declare(e, program->variables[i].name);
}

static void define(struct emitter *e, const char *name, const char *address, struct buf *out)
{
    buf_printf(out, "void *%s = (void *)%s%s;\n", pointer_name(e, name), address, name);
}

void weak_define(struct emitter *e, struct buf *out)
{
    const struct program *program = e->program;
    if (!part_is_first(e))
        return;
    for (size_t i = 0; i < program->function_count; i++)
        if (fate_of_function(e, i) != FATE_NONE)
            define(e, program->functions[i].name, "", out);
    for (size_t i = 0; i < program->variable_count; i++)
        if (fate_of_variable(e, &program->variables[i]) != FATE_NONE)
            define(e, program->variables[i].name, "&", out);
}

// ---- tasks ----

// Does code of the task refer to it? An alias is known as what it stands for.
static bool uses_function(const struct program *program, const struct task *task, size_t index)
{
    size_t known =
        program->functions[index].alias_of ? program->functions[index].alias_of - 1 : index;
    for (size_t i = 0; i < task->function_count; i++) {
        const struct function *f = &program->functions[task->functions[i]];
        if (contains(f->callees, f->callee_count, known) ||
            contains(f->address_taken, f->address_taken_count, known))
            return true;
    }
    return false;
}

static bool uses_variable(const struct program *program, const struct task *task, size_t index)
{
    for (size_t i = 0; i < task->function_count; i++) {
        const struct function *f = &program->functions[task->functions[i]];
        if (contains(f->globals, f->global_count, index))
            return true;
    }
    return false;
}

static void emit_choice_of_two(struct scope *s, const char *name, const char *first,
                               const char *second, const char *names)
{
    struct emitter *e = s->emitter;
    const char *table = names_local(e, "definitions");
    emit_line(s, "{");
    emit_line(s, "    static void *const %s[] = {%s, %s};", table, first, second);
    emit_line(s, "    %s = %s[cz_choice(cz_typed(%s, \"%s\"), 2)];", pointer_name(e, name), table,
              root_weak(s, name), names);
    emit_line(s, "}");
}

static void choose_function(struct scope *s, size_t index)
{
    struct emitter *e = s->emitter;
    const struct function *function = &e->program->functions[index];
    const char *name = function->name;
    const char *address = arena_printf(e->arena, "(void *)%s", name);
    if (fate_of_function(e, index) == FATE_ABSENT) {
        emit_choice_of_two(s, name, "0", address, arena_printf(e->arena, "absent|%s", name));
        emit_note(s, false, "%s(): a weak function, there or not", function->source_name);
        return;
    }
    const char *stub = stubs_for_weak(s, index);
    if (stub) {
        emit_choice_of_two(s, name, address, arena_printf(e->arena, "(void *)%s", stub),
                           arena_printf(e->arena, "%s|replaced", name));
        emit_note(s, true, "%s() is weak: this file's, or a stub for one that replaces it",
                  function->source_name);
    } else {
        emit_note(s, true, "%s() is weak: one of another file that replaces it is left out",
                  function->source_name);
    }
}

static void choose_variable(struct scope *s, const struct variable *variable)
{
    struct emitter *e = s->emitter;
    const char *name = variable->name;
    emit_choice_of_two(s, name, "0", arena_printf(e->arena, "(void *)&%s", name),
                       arena_printf(e->arena, "absent|%s", name));
    emit_note(s, false, "%s: a weak variable, there or not", name);
}

void weak_choose(struct scope *s, const struct task *task)
{
    struct emitter *e = s->emitter;
    const struct program *program = e->program;
    for (size_t i = 0; i < program->function_count; i++) {
        const struct function *function = &program->functions[i];
        if (!function->is_weak || e->options->program || !uses_function(program, task, i))
            continue;
        if (part_is_first(e) && fate_of_function(e, i) != FATE_NONE)
            choose_function(s, i);
        else if (!function->defined && !function->alias_of && is_looked_for(program, i))
            emit_note(s, true, "%s() is weak: whether it is there is no input",
                      function->source_name);
        else if (!part_is_first(e))
            emit_note(s, true, "%s() is weak: that it may be replaced is left out",
                      function->source_name);
    }
    for (size_t i = 0; i < program->variable_count; i++) {
        const struct variable *variable = &program->variables[i];
        if (!variable->is_weak || !uses_variable(program, task, i))
            continue;
        if (part_is_first(e) && fate_of_variable(e, variable) != FATE_NONE)
            choose_variable(s, variable);
        else if (variable->is_const && !e->options->program)
            emit_note(s, true, "%s is a weak constant: another file may give it another value",
                      variable->name);
    }
}
