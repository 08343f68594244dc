// SPDX-License-Identifier: Apache-2.0
// Static variables that a task only reads, and that other functions of the file set. The
// states that the program can really be in are reached by calling those first; that
// comes before giving the variables any value, which is an assumption. An input says
// which: nothing is called (the program has just started), one setter, two of them, or
// any value.
#include "harness/emit.h"

#include "base/tunables.h"

static bool contains(const size_t *list, size_t count, size_t wanted)
{
    for (size_t i = 0; i < count; i++)
        if (list[i] == wanted)
            return true;
    return false;
}

static bool is_writer(const struct function *function, size_t variable)
{
    return contains(function->writes, function->write_count, variable);
}

bool states_is_read_only(const struct program *program, const struct task *task, size_t variable)
{
    for (size_t i = 0; i < task->function_count; i++)
        if (is_writer(&program->functions[task->functions[i]], variable))
            return false;
    return true;
}

// Somebody outside this file may call it.
static bool is_setter(const struct program *program, const struct task *task, size_t index,
                      size_t variable)
{
    const struct function *function = &program->functions[index];
    return function->defined && !function->is_static && !function->is_main &&
           !function->in_header && !function->is_noreturn && call_is_possible(function) &&
           !function->type->variadic && function->callee_count <= HARNESS_SETTER_CALLS &&
           is_writer(function, variable) && !contains(task->functions, task->function_count, index);
}

static bool is_candidate(const struct program *program, const struct task *task, size_t variable)
{
    const struct variable *v = &program->variables[variable];
    return v->is_static && !v->function && !v->is_const && !v->is_volatile &&
           states_is_read_only(program, task, variable);
}

bool states_is_set_elsewhere(struct scope *s, const struct task *task, size_t variable)
{
    const struct program *program = s->emitter->program;
    if (!is_candidate(program, task, variable))
        return false;
    for (size_t i = 0; i < program->function_count; i++)
        if (is_setter(program, task, i, variable))
            return true;
    return false;
}

// The first functions in the file that set one of the task's variables.
static unsigned find_setters(struct scope *s, const struct task *task,
                             size_t setters[HARNESS_SETTERS])
{
    const struct program *program = s->emitter->program;
    unsigned count = 0;
    for (size_t f = 0; f < program->function_count && count < HARNESS_SETTERS; f++)
        for (size_t i = 0; i < task->global_count; i++)
            if (is_candidate(program, task, task->globals[i]) &&
                is_setter(program, task, f, task->globals[i])) {
                setters[count++] = f;
                break;
            }
    return count;
}

static void call_setter(struct scope *s, size_t index, unsigned number)
{
    struct emitter *e = s->emitter;
    const struct function *function = &e->program->functions[index];
    struct scope inner = *s;
    struct roots none = {0};
    inner.roots = &none;
    root_callees(s, index);
    if (function->param_count == 0) {
        emit_line(s, "(void)%s;", call_expression(e, function));
        return;
    }
    emit_line(s, "{");
    inner.level++;
    call_parameters(&inner, function, (struct caller){INPUT_OF_SETTER, number});
    emit_line(&inner, "(void)%s;", call_expression(e, function));
    emit_line(s, "}");
    VEC_RELEASE(&none.list);
    VEC_RELEASE(&none.places);
}

static void begin_case(struct scope *s, unsigned number, const char *what)
{
    emit_line(s, "case %u: /* %s */", number, what);
    s->level++;
}

static void end_case(struct scope *s)
{
    emit_line(s, "break;");
    s->level--;
}

static void fill_any(struct scope *s, const struct task *task,
                     void (*fill_global)(struct scope *, size_t variable))
{
    for (size_t i = 0; i < task->global_count; i++) {
        if (!states_is_set_elsewhere(s, task, task->globals[i]))
            continue;
        struct scope inner = *s;
        inner.is_conditional = true;
        fill_global(&inner, task->globals[i]);
        emit_note(s, false,
                  "%s: set by other functions of the file; tests with the last choice of "
                  "'before' assume a value that those may not give it",
                  s->emitter->program->variables[task->globals[i]].name);
    }
}

void states_before(struct scope *s, const struct task *task,
                   void (*fill_global)(struct scope *, size_t variable))
{
    const struct program *program = s->emitter->program;
    size_t setters[HARNESS_SETTERS];
    unsigned count = find_setters(s, task, setters), number = 0;
    if (count == 0)
        return;
    emit_line(s, "switch (cz_choice(%s, %u)) {",
              root_decision(s, INPUT_BEFORE, "which functions of the file are called before"),
              count == 2 ? 5 : 3);
    begin_case(s, number++, s->turn ? "nothing" : "the program has just started");
    end_case(s);
    for (unsigned i = 0; i < count; i++) {
        begin_case(s, number++,
                   arena_printf(s->emitter->arena, "%s() first",
                                program->functions[setters[i]].source_name));
        call_setter(s, setters[i], 1);
        end_case(s);
    }
    if (count == 2) {
        begin_case(s, number++, "both");
        call_setter(s, setters[0], 1);
        call_setter(s, setters[1], 2);
        end_case(s);
    }
    begin_case(s, number, "any value");
    fill_any(s, task, fill_global);
    end_case(s);
    emit_line(s, "}");
}
