// SPDX-License-Identifier: Apache-2.0
#include "export/obstacles.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void obstacle_set(struct export_test *test, const char *format, ...)
{
    static const size_t room = sizeof test->reason;
    va_list args;
    test->expressible = false;
    if (test->disabled)
        return;
    va_start(args, format);
    vsnprintf(test->reason, room, format, args);
    va_end(args);
    test->disabled = test->reason;
}

// ---- inputs ----

// Kinds of inputs that memory does not show. NULL: a model knows what to do with them.
static const char *const by_kind[INPUT_ROOT_KINDS] = {
    [INPUT_WEAK] = "a weak symbol is defined or replaced",
    [INPUT_LIBRARY] = "it depends on hidden state of the C library",
    [INPUT_STDIN] = "it reads standard input",
    [INPUT_DESCRIPTOR] = "it reads from a descriptor that it did not open",
    [INPUT_FILE] = "it reads a file",
    [INPUT_ENVIRONMENT] = "it reads the environment",
    [INPUT_SIGNAL] = "it depends on how a signal was handled before",
    [INPUT_ARGC] = "it is a whole program",
    [INPUT_ARGV] = "it is a whole program",
    [INPUT_DEVICE] = "it reads a register or a volatile variable, each time something else",
    [INPUT_ASSEMBLY] = "it uses inline assembly",
    [INPUT_INTERRUPT] = "interrupts come in between",
};

static bool is_zero(const struct result_input *input)
{
    return !strcmp(input->value, "0") || !strcmp(input->value, "NULL");
}

static bool ends_with_part(const struct input_path *path, const char *name)
{
    const struct input_link *last = path->link_count ? &path->links[path->link_count - 1] : NULL;
    return last && last->kind == INPUT_PART && !strcmp(last->name, name);
}

// What a stub does besides returning something and writing scalars.
static void find_stub_input(struct export_test *test, const struct input_path *path,
                            const struct result_input *input)
{
    const char *part = input_path_stub_part(path);
    bool is_result = part && !strcmp(part, "return");
    if (part && !strcmp(part, "fails") && !is_zero(input))
        obstacle_set(test, "a call of the C library or of the system fails");
    else if (path->says == INPUT_CHOICE && part && !strcmp(part, "other") && path->link_count == 1)
        obstacle_set(test, "a stub hands out memory of the size that it is asked for");
    else if (path->says == INPUT_CHOICE && ends_with_part(path, "calls") && !is_zero(input))
        obstacle_set(test, "a stub calls a function that it was given");
    else if (path->says != INPUT_VALUE && !is_result && !ends_with_part(path, "other") &&
             !(ends_with_part(path, "written") && is_zero(input)) && !ends_with_part(path, "calls"))
        obstacle_set(test, "a stub writes a pointer");
}

void obstacle_find_input(struct export_test *test, const struct input_path *path,
                         const struct result_input *input, bool known_call)
{
    const char *kind = by_kind[path->root.kind];
    if (kind)
        obstacle_set(test, "%s", kind);
    if (path->root.kind == INPUT_STUB && (known_call || ends_with_part(path, "fails")))
        find_stub_input(test, path, input);
    if (path->root.kind == INPUT_BEFORE && !is_zero(input) &&
        (test->is_apart || path->root.call > 1))
        obstacle_set(test, "other functions of the file are called between the calls, or leave "
                           "something in static locals");
    if (path->root.caller == INPUT_OF_CONSTRUCTOR)
        obstacle_set(test, "an object of an incomplete type is made by a function of the file");
}

// ---- what the model shows ----

static void check_value(struct export_test *test, const struct export_value *value)
{
    if (!strcmp(value->value, "non-NULL"))
        obstacle_set(test, "a pointer leads to memory that only the driver knows");
    else if (!strcmp(value->value, "differs"))
        obstacle_set(test, "an input differs between two runs");
    else if (!strncmp(value->value, "-> &arg:", 8))
        obstacle_set(test, "a pointer leads to a parameter");
}

static void check_values(struct export_test *test, const export_values *values)
{
    for (size_t i = 0; i < values->count; i++)
        check_value(test, &values->items[i]);
}

static void check_object(struct export_test *test, const struct export_object *object)
{
    static const char *const unnamed[] = {"struct", "union", "enum"};
    check_values(test, &object->values);
    for (size_t i = 0; i < sizeof unnamed / sizeof *unnamed; i++)
        if (!strcmp(object->type, unnamed[i]))
            obstacle_set(test, "an object has a type without a name");
    if (strstr(object->type, "(*"))
        obstacle_set(test, "an object is an array of pointers to functions or arrays");
    if (object->is_freed && object->is_static)
        obstacle_set(test, "memory that a stub hands out is freed");
}

static bool is_variable(const struct export_file *file, const char *name)
{
    for (size_t i = 0; i < file->variables.count; i++)
        if (!strcmp(file->variables.items[i]->name, name))
            return true;
    return false;
}

static void check_call(const struct export_file *file, struct export_test *test,
                       const struct export_call *call)
{
    struct arena arena = {0};
    for (size_t i = 0; i < call->argument_count; i++) {
        const struct result_declaration *declaration = call->arguments[i].declaration;
        check_values(test, &call->arguments[i].values);
        if (!strcmp(declaration->name, "..."))
            obstacle_set(test, "the function takes variable arguments");
        else if (!*declaration->type)
            obstacle_set(test, "a parameter has a type that cannot be written");
    }
    for (size_t i = 0; i < call->changes.count; i++) {
        check_value(test, &call->changes.items[i].value);
        if (call->changes.items[i].variable && !is_variable(file, call->changes.items[i].variable))
            obstacle_set(test, "a variable is set that cannot be named");
    }
    for (size_t i = 0; i < call->checks.count; i++) {
        struct input_path path;
        if (input_path_parse(call->checks.items[i]->path, &arena, &path) &&
            path.root.kind == INPUT_GLOBAL && strcmp(path.root.name, "return") != 0 &&
            !is_variable(file, path.root.name))
            obstacle_set(test, "a register is written");
    }
    arena_release(&arena);
}

static void check_stub_call(const struct export_file *file, struct export_test *test,
                            const struct export_stub_call *call)
{
    const struct export_stub *stub = &file->stubs[call->stub];
    check_values(test, &call->returned);
    if (!*stub->declaration->type)
        obstacle_set(test, "a stub has a type that cannot be written");
    if (!strcmp(stub->declaration->type, "noreturn"))
        obstacle_set(test, "it calls %s(), which does not return", stub->declaration->name);
    for (size_t i = 0; i < stub->parameter_count; i++)
        if (!strcmp(stub->parameters[i]->name, "..."))
            obstacle_set(test, "a stub takes variable arguments");
}

// The outcome. Whoever wants to see it can: the body is there.
static void check_outcome(struct export_test *test)
{
    const struct result_test *of = test->test;
    bool expressible = test->expressible;
    if (of->crashed || of->dies || of->cut_short)
        obstacle_set(test, "it crashes or does not end: %s", *of->fault ? of->fault : of->outcome);
    else if (of->leaves || strcmp(of->outcome, "ok") != 0)
        obstacle_set(test, "it ends the process: %s", of->outcome);
    test->expressible = expressible;
}

static bool has_declaration(const struct result *result, size_t part, enum declaration_kind kind,
                            const char *owner)
{
    for (size_t i = 0; i < result->declarations.count; i++) {
        const struct result_declaration *of = &result->declarations.items[i];
        if (of->part == part && of->kind == kind && (!owner || !strcmp(of->owner, owner)))
            return true;
    }
    return false;
}

bool obstacle_keeps_state(const struct result *result, const struct result_task *task)
{
    return has_declaration(result, task->part, DECLARED_STATE, task->function);
}

// Inputs that memory did not show: arrays without bounds that another file defines.
static void check_variables(const struct export_file *file, struct export_test *test)
{
    struct arena arena = {0};
    struct input_path path;
    for (size_t i = 0; i < test->test->input_count; i++)
        if (input_path_parse(test->test->inputs[i].path, &arena, &path) &&
            path.root.kind == INPUT_GLOBAL && !is_variable(file, path.root.name))
            obstacle_set(test, "a variable of another file has no bounds here");
    arena_release(&arena);
}

void obstacle_find(const struct result *result, const struct export_file *file,
                   struct export_test *test)
{
    check_variables(file, test);
    if (has_declaration(result, test->task->part, DECLARED_FILE, NULL))
        obstacle_set(test, "the unit consists of several files");
    else if (has_declaration(result, test->task->part, DECLARED_ADAPTED, NULL))
        obstacle_set(test, "the file is not C for this machine as it stands");
    else if (file->linked.count)
        obstacle_set(test, "code or constants of another file are linked with the unit");
    else if (!test->calls.count)
        obstacle_set(test, "the replay did not see what the call finds");
    else if (test->test->found_cut)
        obstacle_set(test, "there are too many inputs");
    for (size_t i = 0; i < test->objects.count; i++)
        check_object(test, test->objects.items[i]);
    for (size_t i = 0; i < test->calls.count; i++)
        check_call(file, test, &test->calls.items[i]);
    for (size_t i = 0; i < test->stub_calls.count; i++)
        check_stub_call(file, test, &test->stub_calls.items[i]);
    check_outcome(test);
}
