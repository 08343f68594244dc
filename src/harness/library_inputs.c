// SPDX-License-Identifier: Apache-2.0
// State of the C library that a task finds when it is called, as inputs of the driver: errno,
// and the variables of <getopt.h> and the like. What can be none is noted, and nothing is
// proven then. main() starts with the state that every program starts with.
#include "harness/emit.h"
#include "harness/symbols.h"
#include "program/libc.h"

#include <string.h>

static bool calls_errno(const struct program *program, const struct task *task)
{
    for (size_t i = 0; i < task->external_count; i++)
        if (libc_is_errno(program->functions[task->externals[i]].name))
            return true;
    return false;
}

bool library_errno_wanted(const struct emitter *e)
{
    for (size_t t = 0; t < e->program->task_count && !e->options->program; t++)
        if (calls_errno(e->program, &e->program->tasks[t]))
            return true;
    return false;
}

// The last thing in front of a return: what else the driver does may set it.
void library_errno(struct scope *s, const struct function *function, const char *call)
{
    emit_line(s, "cz_errno(%s);",
              root_stub_part(s, function, call, "errno", NULL, (struct slot){0}));
}

static const struct variable *variable_of_libc(const struct emitter *e, size_t index)
{
    const struct variable *v = &e->program->variables[index];
    return v->is_extern_only && v->in_system_header && !v->is_own && libc_has_variable(v->name)
               ? v
               : NULL;
}

static void note_variable(struct scope *s, const struct variable *v)
{
    emit_note(s, true, "%s: a variable of the C library, as it is in a new process", v->name);
}

static void write_text(struct scope *s, const char *path)
{
    const char *n = count_text(s->emitter->arena, plan_plain_count(s->emitter));
    emit_line(s, "optarg = cz_present(%s) ? cz_text(%s, %s) : cz_absent(%s);", path, path, n, path);
    emit_line(s, "if (optarg)");
    emit_line(s, "    cz_array(%s, optarg, CZ_I8, %s);", path, n);
}

// Those that earlier calls leave, of which we have the functions that set them.
static void write_variable(struct scope *s, const struct variable *v)
{
    switch (libc_variable_kind(v->name)) {
    case LIBC_VARIABLE_NUMBER: emit_line(s, "%s = cz_i32(%s);", v->name, root_library(s, v)); break;
    case LIBC_VARIABLE_TEXT: write_text(s, root_library(s, v)); break;
    case LIBC_VARIABLE_STREAM: break;
    default:
        if (!v->is_const)
            note_variable(s, v);
    }
}

// Arithmetic in another rounding mode is not followed. Where nothing sets it, claims name what
// they presume (WIRE_LOSS_ROUNDING).
static void note_rounding(struct scope *s)
{
    const struct program *program = s->emitter->program;
    bool used = names_count(s->emitter, "FENV_ACCESS") > 0;
    for (size_t i = 0; i < s->task->external_count && !used; i++)
        used = libc_find(program->functions[s->task->externals[i]].name)->rounding;
    if (used)
        emit_note(s, true,
                  "the task works with the rounding mode; here floating-point "
                  "arithmetic rounds to nearest");
}

void library_state(struct scope *s, const struct function *function)
{
    struct emitter *e = s->emitter;
    const struct task *task = s->task;
    if (!task)
        return;
    note_rounding(s);
    bool starts = e->options->program || function->is_main;
    for (size_t i = 0; i < task->global_count; i++) {
        const struct variable *v = variable_of_libc(e, task->globals[i]);
        if (v && !starts)
            write_variable(s, v);
        else if (v && libc_variable_kind(v->name) == LIBC_VARIABLE_ENVIRONMENT)
            note_variable(s, v);
    }
    if (!starts && calls_errno(e->program, task))
        emit_line(s, "cz_errno(%s);",
                  root_decision(s, INPUT_ERRNO, "errno when the task is called"));
}
