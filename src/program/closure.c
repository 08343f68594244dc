// SPDX-License-Identifier: Apache-2.0
#include "program/closure.h"

#include "base/map.h"
#include "base/vec.h"
#include <string.h>

struct closure {
    struct program *program;
    uint32_t *function_marks, *variable_marks, epoch;
    VEC(size_t) functions, variables; // in the order of discovery
    bool with_addresses;              // functions that are not called by name count
    bool with_inputs;                 // and so does what the driver puts into pointers
    struct map pointers;              // slot -> index in program->pointers
    struct map records;               // record -> epoch of the last walk
};

struct closure *closure_new(struct program *program)
{
    struct closure *r = xcalloc(1, sizeof *r);
    r->program = program;
    r->function_marks = xcalloc(program->function_count + 1, sizeof(uint32_t));
    r->variable_marks = xcalloc(program->variable_count + 1, sizeof(uint32_t));
    map_init(&r->pointers);
    map_init(&r->records);
    for (size_t i = 0; i < program->pointer_count; i++)
        map_put(&r->pointers, program_slot_key(&program->pointers[i].slot), i);
    return r;
}

void closure_free(struct closure *r)
{
    free(r->function_marks);
    free(r->variable_marks);
    map_release(&r->pointers);
    map_release(&r->records);
    VEC_RELEASE(&r->functions);
    VEC_RELEASE(&r->variables);
    free(r);
}

static void restart(struct closure *r)
{
    r->epoch++;
    r->functions.count = r->variables.count = 0;
}

static void add_function(struct closure *r, size_t index)
{
    if (r->function_marks[index] == r->epoch)
        return;
    r->function_marks[index] = r->epoch;
    *VEC_PUSH(&r->functions) = index;
}

static void add_variable(struct closure *r, size_t index)
{
    if (r->variable_marks[index] == r->epoch)
        return;
    r->variable_marks[index] = r->epoch;
    *VEC_PUSH(&r->variables) = index;
}

// What the driver may choose for a pointer that this task can call through.
static void follow_slot(struct closure *r, struct slot slot)
{
    uint64_t index;
    if (!map_get(&r->pointers, program_slot_key(&slot), &index))
        return;
    const struct pointer_candidates *pointer = &r->program->pointers[index];
    for (size_t i = 0; pointer->called && i < pointer->function_count; i++)
        add_function(r, pointer->functions[i]);
}

// The slots in and behind a value of this type.
static void follow_type(struct closure *r, const struct type *type)
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

static void follow_inputs(struct closure *r, size_t index)
{
    const struct function *function = &r->program->functions[index];
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

static void follow_function(struct closure *r, const struct function *function)
{
    for (size_t i = 0; i < function->callee_count; i++)
        add_function(r, function->callees[i]);
    for (size_t i = 0; r->with_addresses && i < function->address_taken_count; i++)
        add_function(r, function->address_taken[i]);
    for (size_t i = 0; i < function->global_count; i++)
        add_variable(r, function->globals[i]);
}

static void follow_variable(struct closure *r, const struct variable *variable)
{
    for (size_t i = 0; r->with_addresses && i < variable->function_count; i++)
        add_function(r, variable->functions[i]);
    for (size_t i = 0; i < variable->global_count; i++)
        add_variable(r, variable->globals[i]);
}

static void reach_all(struct closure *r)
{
    size_t function = 0, variable = 0;
    while (function < r->functions.count || variable < r->variables.count) {
        if (function < r->functions.count) {
            size_t index = r->functions.items[function++];
            follow_function(r, &r->program->functions[index]);
            if (r->with_inputs)
                follow_inputs(r, index);
        } else {
            size_t index = r->variables.items[variable++];
            follow_variable(r, &r->program->variables[index]);
            if (r->with_inputs && !r->program->variables[index].is_const) {
                follow_slot(r, (struct slot){.kind = SLOT_VARIABLE, .owner = index});
                follow_type(r, r->program->variables[index].type);
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

static size_t *store(struct closure *r, const size_t *items, size_t count)
{
    size_t *copy = arena_array(&r->program->arena, size_t, count);
    if (count)
        memcpy(copy, items, count * sizeof *copy);
    return copy;
}

static void store_sorted(struct closure *r, size_t *items, size_t count, size_t **to,
                         size_t *to_count)
{
    if (count)
        qsort(items, count, sizeof *items, compare_indices);
    *to = store(r, items, count);
    *to_count = count;
}

static void fill_task(struct closure *r, struct task *task)
{
    const struct program *program = r->program;
    VEC(size_t) defined = {0}, external = {0}, globals = {0};
    for (size_t i = 0; i < r->functions.count; i++)
        task->keeps_state |= program->functions[r->functions.items[i]].has_static_locals;
    for (size_t i = 1; i < r->functions.count; i++) { // 0 is the entry
        size_t index = r->functions.items[i];
        const struct function *function = &program->functions[index];
        if (function->defined)
            *VEC_PUSH(&defined) = index;
        else if (!is_builtin(function->name))
            *VEC_PUSH(&external) = index;
    }
    for (size_t i = 0; i < r->variables.count; i++) {
        const struct variable *variable = &program->variables[r->variables.items[i]];
        if (!variable->is_const && !variable->function)
            *VEC_PUSH(&globals) = r->variables.items[i];
    }
    VEC_RESERVE(&defined, defined.count + 1);
    if (defined.count)
        qsort(defined.items, defined.count, sizeof(size_t), compare_indices);
    memmove(defined.items + 1, defined.items, defined.count * sizeof(size_t));
    defined.items[0] = task->entry;
    task->function_count = defined.count + 1;
    task->functions = store(r, defined.items, task->function_count);
    store_sorted(r, globals.items, globals.count, &task->globals, &task->global_count);
    store_sorted(r, external.items, external.count, &task->externals, &task->external_count);
    VEC_RELEASE(&defined);
    VEC_RELEASE(&external);
    VEC_RELEASE(&globals);
}

static bool calls_pointers(const struct closure *r)
{
    for (size_t i = 0; i < r->functions.count; i++)
        if (r->program->functions[r->functions.items[i]].calls_pointer)
            return true;
    return false;
}

bool closure_interrupts(const struct program *program, size_t entry, size_t function)
{
    const struct function *f = &program->functions[function], *e = &program->functions[entry];
    return program->interleave && (f->is_handler || f->may_handle) && f->defined && f != e &&
           f->param_count == 0 && !e->is_handler && f->at.text == e->at.text;
}

static bool add_handlers(struct closure *r, size_t entry)
{
    bool any = false;
    for (size_t i = 0; i < r->program->function_count; i++)
        if (closure_interrupts(r->program, entry, i)) {
            add_function(r, i);
            any = true;
        }
    return any;
}

void closure_task(struct closure *r, size_t entry, struct task *out)
{
    bool interrupted;
    r->with_addresses = r->with_inputs = false;
    for (;;) {
        restart(r);
        add_function(r, entry);
        interrupted = add_handlers(r, entry);
        reach_all(r);
        if (r->with_addresses || !calls_pointers(r))
            break;
        r->with_addresses = r->with_inputs = true;
    }
    *out = (struct task){.name = r->program->functions[entry].source_name,
                         .entry = entry,
                         .interrupted = interrupted,
                         .keeps_state = interrupted};
    fill_task(r, out);
}

void closure_mark_emitted(struct closure *r)
{
    struct program *program = r->program;
    r->with_addresses = true;
    r->with_inputs = false;
    restart(r);
    for (size_t i = 0; i < program->function_count; i++) {
        program->functions[i].emitted &= program->functions[i].defined;
        if (program->functions[i].emitted)
            add_function(r, i);
    }
    for (size_t i = 0; i < program->variable_count; i++)
        if (!program->variables[i].is_static)
            add_variable(r, i);
    reach_all(r);
    for (size_t i = 0; i < r->functions.count; i++) {
        struct function *function = &program->functions[r->functions.items[i]];
        if (function->defined && (function->is_static || !function->is_inline))
            function->emitted = true;
    }
}
