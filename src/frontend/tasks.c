// SPDX-License-Identifier: Apache-2.0
// Tasks: the functions to test, each with everything it can reach in this file.
// A function reaches what it calls. When something in the task calls through pointers,
// it also reaches what it takes the address of, the functions in the initialisers of
// the variables it refers to (dispatch tables), and what the driver may put into
// pointers to functions: those in the parameters, in the variables, in the results of
// stubs, and behind them. The same walk tells which functions clang emits.
#include "frontend/frontend_internal.h"

#include "base/buf.h"
#include <string.h>

struct reach {
    struct frontend *fe;
    uint32_t *function_marks, *variable_marks, epoch;
    VEC(size_t) functions, variables; // in the order of discovery
    bool with_addresses;              // functions that are not called by name count
    bool with_inputs;                 // and so does what the driver puts into pointers
    struct map pointers;              // slot -> index in fe->pointers
    struct map records;               // record -> epoch of the last walk
};

static void reach_init(struct reach *r, struct frontend *fe)
{
    *r = (struct reach){.fe = fe};
    r->function_marks = xcalloc(fe->functions.count + 1, sizeof(uint32_t));
    r->variable_marks = xcalloc(fe->variables.count + 1, sizeof(uint32_t));
    map_init(&r->pointers);
    map_init(&r->records);
    for (size_t i = 0; i < fe->pointers.count; i++)
        map_put(&r->pointers, program_slot_key(&fe->pointers.items[i].slot), i);
}

static void reach_release(struct reach *r)
{
    free(r->function_marks);
    free(r->variable_marks);
    map_release(&r->pointers);
    map_release(&r->records);
    VEC_RELEASE(&r->functions);
    VEC_RELEASE(&r->variables);
}

static void reach_restart(struct reach *r)
{
    r->epoch++;
    r->functions.count = r->variables.count = 0;
}

static void add_function(struct reach *r, size_t index)
{
    if (r->function_marks[index] == r->epoch)
        return;
    r->function_marks[index] = r->epoch;
    *VEC_PUSH(&r->functions) = index;
}

static void add_variable(struct reach *r, size_t index)
{
    if (r->variable_marks[index] == r->epoch)
        return;
    r->variable_marks[index] = r->epoch;
    *VEC_PUSH(&r->variables) = index;
}

// What the driver may choose for a pointer that this task can call through.
static void follow_slot(struct reach *r, struct slot slot)
{
    uint64_t index;
    if (!map_get(&r->pointers, program_slot_key(&slot), &index))
        return;
    const struct pointer_candidates *pointer = &r->fe->pointers.items[index];
    for (size_t i = 0; pointer->called && i < pointer->function_count; i++)
        add_function(r, pointer->functions[i]);
}

// The slots in and behind a value of this type.
static void follow_type(struct reach *r, const struct type *type)
{
    uint64_t seen = 0;
    while (type->kind == TYPE_POINTER || type->kind == TYPE_ARRAY)
        type = type->target;
    if (type->kind != TYPE_STRUCT && type->kind != TYPE_UNION)
        return;
    const struct type *record = type->canonical ? type->canonical : type;
    map_get(&r->records, (uintptr_t)record, &seen);
    if (seen == r->epoch)
        return;
    map_put(&r->records, (uintptr_t)record, r->epoch);
    for (size_t i = 0; i < record->field_count; i++) {
        follow_slot(r, (struct slot){.kind = SLOT_FIELD, .record = record, .index = i});
        follow_type(r, record->fields[i].type);
    }
}

static void follow_inputs(struct reach *r, size_t index)
{
    const struct function *function = &r->fe->functions.items[index];
    bool entry = index == r->functions.items[0];
    for (size_t i = 0; entry && i < function->param_count; i++) {
        follow_slot(r, (struct slot){.kind = SLOT_PARAMETER, .owner = index, .index = i});
        follow_type(r, function->params[i].type);
    }
    if (!function->defined) {
        follow_slot(r, (struct slot){.kind = SLOT_RESULT, .owner = index});
        follow_type(r, function->type->target);
    }
}

static void follow_function(struct reach *r, const struct function *function)
{
    for (size_t i = 0; i < function->callee_count; i++)
        add_function(r, function->callees[i]);
    for (size_t i = 0; r->with_addresses && i < function->address_taken_count; i++)
        add_function(r, function->address_taken[i]);
    for (size_t i = 0; i < function->global_count; i++)
        add_variable(r, function->globals[i]);
}

static void follow_variable(struct reach *r, const struct variable *variable)
{
    for (size_t i = 0; r->with_addresses && i < variable->function_count; i++)
        add_function(r, variable->functions[i]);
    for (size_t i = 0; i < variable->global_count; i++)
        add_variable(r, variable->globals[i]);
}

static void reach_all(struct reach *r)
{
    size_t function = 0, variable = 0;
    while (function < r->functions.count || variable < r->variables.count) {
        if (function < r->functions.count) {
            size_t index = r->functions.items[function++];
            follow_function(r, &r->fe->functions.items[index]);
            if (r->with_inputs)
                follow_inputs(r, index);
        } else {
            size_t index = r->variables.items[variable++];
            follow_variable(r, &r->fe->variables.items[index]);
            if (r->with_inputs && !r->fe->variables.items[index].is_const) {
                follow_slot(r, (struct slot){.kind = SLOT_VARIABLE, .owner = index});
                follow_type(r, r->fe->variables.items[index].type);
            }
        }
    }
}

static bool is_builtin(const char *name)
{
    return strncmp(name, "__builtin_", 10) == 0 || strncmp(name, "__sync_", 7) == 0 ||
           strncmp(name, "__atomic_", 9) == 0 || strncmp(name, "__c11_atomic_", 13) == 0;
}

static int compare_indices(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

static void store_sorted(struct frontend *fe, size_t *items, size_t count, size_t **to,
                         size_t *to_count)
{
    if (count)
        qsort(items, count, sizeof *items, compare_indices);
    *to = references_store(fe, items, count);
    *to_count = count;
}

static void fill_task(struct reach *r, struct task *task)
{
    struct frontend *fe = r->fe;
    VEC(size_t) defined = {0}, external = {0}, globals = {0};
    for (size_t i = 1; i < r->functions.count; i++) { // 0 is the entry
        size_t index = r->functions.items[i];
        const struct function *function = &fe->functions.items[index];
        if (function->defined)
            *VEC_PUSH(&defined) = index;
        else if (!is_builtin(function->name))
            *VEC_PUSH(&external) = index;
    }
    for (size_t i = 0; i < r->variables.count; i++) {
        const struct variable *variable = &fe->variables.items[r->variables.items[i]];
        if (!variable->is_const && !variable->function)
            *VEC_PUSH(&globals) = r->variables.items[i];
    }
    VEC_RESERVE(&defined, defined.count + 1);
    if (defined.count)
        qsort(defined.items, defined.count, sizeof(size_t), compare_indices);
    memmove(defined.items + 1, defined.items, defined.count * sizeof(size_t));
    defined.items[0] = task->entry;
    task->function_count = defined.count + 1;
    task->functions = references_store(fe, defined.items, task->function_count);
    store_sorted(fe, globals.items, globals.count, &task->globals, &task->global_count);
    store_sorted(fe, external.items, external.count, &task->externals, &task->external_count);
    VEC_RELEASE(&defined);
    VEC_RELEASE(&external);
    VEC_RELEASE(&globals);
}

static bool calls_pointers(const struct reach *r)
{
    for (size_t i = 0; i < r->functions.count; i++)
        if (r->fe->functions.items[r->functions.items[i]].calls_pointer)
            return true;
    return false;
}

static void add_task(struct reach *r, size_t entry)
{
    r->with_addresses = r->with_inputs = false;
    for (;;) {
        reach_restart(r);
        add_function(r, entry);
        reach_all(r);
        if (r->with_addresses || !calls_pointers(r))
            break;
        r->with_addresses = r->with_inputs = true;
    }
    struct task task = {.entry = entry};
    task.name = r->fe->functions.items[entry].source_name;
    fill_task(r, &task);
    *VEC_PUSH(&r->fe->tasks) = task;
}

// Without an external definition, an inline function cannot be called at -O0.
static bool is_inline_only(const struct function *function)
{
    return function->is_inline && !function->is_static && !function->emitted;
}

static bool is_default_task(const struct frontend *fe, const struct function *function)
{
    if (!function->defined || function->in_header || function->is_main)
        return false;
    if (is_inline_only(function))
        return false;
    return !function->is_static || fe->request->static_tasks;
}

static void list_names(const struct frontend *fe, struct buf *out)
{
    for (size_t i = 0; i < fe->functions.count; i++) {
        const struct function *function = &fe->functions.items[i];
        if (function->defined && !function->in_header)
            buf_printf(out, "%s%s", out->length ? ", " : "", function->source_name);
    }
    if (!out->length)
        buf_puts(out, "none");
}

static bool add_named(struct reach *r, const char *name, struct error *err)
{
    const struct frontend *fe = r->fe;
    for (size_t i = 0; i < fe->functions.count; i++) {
        const struct function *function = &fe->functions.items[i];
        if (function->defined && strcmp(function->source_name, name) == 0) {
            add_task(r, i);
            return true;
        }
    }
    struct buf names = BUF_INIT;
    list_names(fe, &names);
    error_set(err, ERROR_USAGE, "%s defines no function '%s'; it defines: %s", fe->request->source,
              name, buf_text(&names));
    buf_release(&names);
    return false;
}

// Functions that are there without a driver: external ones, those marked used, and
// what they and the external variables reach.
static void mark_emitted(struct reach *r)
{
    struct frontend *fe = r->fe;
    r->with_addresses = true;
    reach_restart(r);
    for (size_t i = 0; i < fe->functions.count; i++) {
        fe->functions.items[i].emitted &= fe->functions.items[i].defined;
        if (fe->functions.items[i].emitted)
            add_function(r, i);
    }
    for (size_t i = 0; i < fe->variables.count; i++)
        if (!fe->variables.items[i].is_static)
            add_variable(r, i);
    reach_all(r);
    for (size_t i = 0; i < r->functions.count; i++) {
        struct function *function = &fe->functions.items[r->functions.items[i]];
        if (function->defined && (function->is_static || !function->is_inline))
            function->emitted = true;
    }
}

bool tasks_collect(struct frontend *fe, struct error *err)
{
    struct reach r;
    reach_init(&r, fe);
    mark_emitted(&r);
    bool ok = true;
    const char *const *names = fe->request->task_names;
    for (; ok && names && *names; names++)
        ok = add_named(&r, *names, err);
    for (size_t i = 0; !fe->request->task_names && i < fe->functions.count; i++)
        if (is_default_task(fe, &fe->functions.items[i]))
            add_task(&r, i);
    reach_release(&r);
    return ok;
}
