// SPDX-License-Identifier: Apache-2.0
// What an exported test has to say in C about the unit: its variables and stubs, the parameters
// and results of its tasks, and what was linked with it from elsewhere. Types are spelled as in
// the driver.
#include "harness/emit.h"
#include "harness/symbols.h"

#include <string.h>

struct collector {
    struct emitter *e;
    VEC(struct harness_declaration) list;
};

static struct harness_declaration *add(struct collector *c, enum declaration_kind kind,
                                       const char *owner, const char *name)
{
    struct harness_declaration *added = VEC_PUSH(&c->list);
    *added = (struct harness_declaration){kind, owner, name, "", ""};
    return added;
}

// "" for a type that cannot be written down.
static const char *spelled(struct collector *c, const struct type *type)
{
    if (!names_sayable(type))
        return "";
    return type->is_const && type->kind != TYPE_POINTER
               ? arena_printf(c->e->arena, "const %s", names_plain(c->e, type))
               : names_plain(c->e, type);
}

static const char *declared(struct collector *c, const struct type *type, const char *name)
{
    return names_sayable(type) ? names_declare(c->e, type, name) : "";
}

static void add_parameters(struct collector *c, enum declaration_kind kind, const char *owner,
                           const struct function *function)
{
    const struct type *type = function->type;
    for (size_t i = 0; i < type->param_count; i++) {
        const char *name = i < function->param_count ? function->params[i].name : "";
        if (!*name)
            name = arena_printf(c->e->arena, "#%zu", i);
        struct harness_declaration *added = add(c, kind, owner, name);
        added->type = spelled(c, type->params[i]);
        added->text =
            declared(c, type->params[i],
                     *name == '#' ? arena_printf(c->e->arena, "unnamed_%s", name + 1) : name);
    }
    if (type->variadic)
        add(c, kind, owner, "...");
}

static void add_stub(struct collector *c, const struct function *function)
{
    struct harness_declaration *added =
        add(c, DECLARED_STUB, function->source_name, function->name);
    const struct type *result = function->type->target;
    bool prototyped = !(function->type->variadic && !function->type->param_count);
    added->type = function->is_noreturn                         ? "noreturn"
                  : names_sayable(function->type) && prototyped ? spelled(c, result)
                                                                : "";
    added->text = declared(c, result, function->name);
    add_parameters(c, DECLARED_PARAMETER, function->name, function);
}

static void add_variables(struct collector *c)
{
    const struct program *program = c->e->program;
    for (size_t i = 0; i < program->variable_count; i++) {
        const struct variable *variable = &program->variables[i];
        uint64_t is_used = 0;
        for (size_t t = 0; t < program->task_count && !is_used; t++)
            for (size_t k = 0; k < program->tasks[t].global_count; k++)
                is_used |= program->tasks[t].globals[k] == i;
        if (variable->elsewhere && !variable->in_system_header) {
            if (names_count(c->e, variable->name) > 1)
                add(c, DECLARED_LINKED, "", variable->name);
        } else if (observe_is_visible(variable) && is_used) {
            struct harness_declaration *added = add(c, DECLARED_VARIABLE, "", variable->name);
            added->type = variable->is_volatile || variable->type->is_volatile
                              ? arena_printf(c->e->arena, "volatile %s", variable->type->spelling)
                              : variable->type->spelling;
        } else if (observe_is_constant(variable)) {
            add(c, DECLARED_CONSTANT, "", variable->name);
        }
    }
}

static void add_tasks(struct collector *c)
{
    const struct program *program = c->e->program;
    for (size_t t = 0; t < program->task_count; t++) {
        const struct task *task = &program->tasks[t];
        const struct function *function = &program->functions[task->entry];
        add(c, DECLARED_RESULT, task->name, function->name)->type =
            spelled(c, function->type->target);
        add_parameters(c, DECLARED_ARGUMENT, task->name, function);
        if (task->keeps_state)
            add(c, DECLARED_STATE, task->name, "");
    }
}

static void add_stubs(struct collector *c)
{
    const struct program *program = c->e->program;
    for (size_t i = 0; i < program->function_count; i++) {
        const struct function *function = &program->functions[i];
        uint64_t stub;
        bool is_linked = function->supported || (function->elsewhere && !function->defined);
        if (is_linked && names_count(c->e, function->name) > 1)
            add(c, DECLARED_LINKED, "", function->name);
        else if (map_get(&c->e->stubs, i + 1, &stub))
            add_stub(c, function);
    }
    for (size_t i = 0; i < c->e->pointer_functions.count; i++)
        add_stub(c, &c->e->pointer_functions.items[i]);
}

// Lines of C that define what the file uses and does not define.
static void add_lines(struct collector *c, const char *text)
{
    while (*text) {
        size_t length = strcspn(text, "\n");
        if (length)
            add(c, DECLARED_DEFINITION, "", "")->text = arena_strndup(c->e->arena, text, length);
        text += length + (text[length] == '\n');
    }
}

void declarations_collect(struct emitter *e, const char *definitions, struct harness *out)
{
    struct collector c = {.e = e};
    add_lines(&c, definitions);
    if (e->program->is_adapted)
        add(&c, DECLARED_ADAPTED, "", "");
    add_variables(&c);
    add_stubs(&c);
    if (part_is_first(e))
        add_tasks(&c);
    out->declaration_count = c.list.count;
    out->declarations = arena_array(e->arena, struct harness_declaration, c.list.count + 1);
    if (c.list.count)
        memcpy(out->declarations, c.list.items, c.list.count * sizeof *c.list.items);
    VEC_RELEASE(&c.list);
}
