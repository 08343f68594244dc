// SPDX-License-Identifier: Apache-2.0
// What a task reaches, once more: when more is known of the pointers to functions than
// its own file tells, its functions, variables and stubs are others. The rules are those
// of src/frontend/tasks.c.
#include "program/program.h"

#include "base/map.h"
#include "base/vec.h"
#include <stdlib.h>
#include <string.h>

struct reach {
    struct program *program;
    uint32_t *function_marks, *variable_marks, epoch;
    VEC(size_t) functions, variables; // in the order of discovery
    bool with_pointers; // functions that are not called by name count, and so does what the
                        // driver puts into pointers
    struct map pointers; // slot -> index in program->pointers
    struct map records;  // record -> epoch of the last walk
};

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

static void follow_slot(struct reach *r, struct slot slot)
{
    uint64_t index;
    if (!map_get(&r->pointers, program_slot_key(&slot), &index))
        return;
    const struct pointer_candidates *pointer = &r->program->pointers[index];
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

static void follow_function(struct reach *r, size_t index)
{
    const struct function *function = &r->program->functions[index];
    for (size_t i = 0; i < function->callee_count; i++)
        add_function(r, function->callees[i]);
    for (size_t i = 0; r->with_pointers && i < function->address_taken_count; i++)
        add_function(r, function->address_taken[i]);
    for (size_t i = 0; i < function->global_count; i++)
        add_variable(r, function->globals[i]);
    if (r->with_pointers)
        follow_inputs(r, index);
}

static void follow_variable(struct reach *r, size_t index)
{
    const struct variable *variable = &r->program->variables[index];
    for (size_t i = 0; r->with_pointers && i < variable->function_count; i++)
        add_function(r, variable->functions[i]);
    for (size_t i = 0; i < variable->global_count; i++)
        add_variable(r, variable->globals[i]);
    if (r->with_pointers && !variable->is_const) {
        follow_slot(r, (struct slot){.kind = SLOT_VARIABLE, .owner = index});
        follow_type(r, variable->type);
    }
}

static void reach_all(struct reach *r, size_t entry)
{
    size_t function = 0, variable = 0;
    r->epoch++;
    r->functions.count = r->variables.count = 0;
    add_function(r, entry);
    while (function < r->functions.count || variable < r->variables.count) {
        if (function < r->functions.count)
            follow_function(r, r->functions.items[function++]);
        else
            follow_variable(r, r->variables.items[variable++]);
    }
}

static bool calls_pointers(const struct reach *r)
{
    for (size_t i = 0; i < r->functions.count; i++)
        if (r->program->functions[r->functions.items[i]].calls_pointer)
            return true;
    return false;
}

static int compare_indices(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

static bool is_builtin(const char *name)
{
    return strncmp(name, "__builtin_", 10) == 0 || strncmp(name, "__sync_", 7) == 0 ||
           strncmp(name, "__atomic_", 9) == 0 || strncmp(name, "__c11_atomic_", 13) == 0;
}

static void fill_task(struct reach *r, struct task *task)
{
    struct program *program = r->program;
    size_t *lists[3] = {arena_array(&program->arena, size_t, r->functions.count + 1),
                        arena_array(&program->arena, size_t, r->functions.count + 1),
                        arena_array(&program->arena, size_t, r->variables.count + 1)};
    size_t counts[3] = {1, 0, 0};
    lists[0][0] = task->entry;
    for (size_t i = 1; i < r->functions.count; i++) { // 0 is the entry
        const struct function *function = &program->functions[r->functions.items[i]];
        if (function->defined || !is_builtin(function->name))
            lists[!function->defined][counts[!function->defined]++] = r->functions.items[i];
    }
    for (size_t i = 0; i < r->variables.count; i++) {
        const struct variable *variable = &program->variables[r->variables.items[i]];
        if (!variable->is_const && !variable->function)
            lists[2][counts[2]++] = r->variables.items[i];
    }
    qsort(lists[0] + 1, counts[0] - 1, sizeof(size_t), compare_indices);
    qsort(lists[1], counts[1], sizeof(size_t), compare_indices);
    qsort(lists[2], counts[2], sizeof(size_t), compare_indices);
    task->functions = lists[0];
    task->externals = lists[1];
    task->globals = lists[2];
    task->function_count = counts[0];
    task->external_count = counts[1];
    task->global_count = counts[2];
}

void program_reach(struct program *program)
{
    struct reach r = {.program = program};
    r.function_marks = xcalloc(program->function_count + 1, sizeof(uint32_t));
    r.variable_marks = xcalloc(program->variable_count + 1, sizeof(uint32_t));
    map_init(&r.pointers);
    map_init(&r.records);
    for (size_t i = 0; i < program->pointer_count; i++)
        map_put(&r.pointers, program_slot_key(&program->pointers[i].slot), i);
    for (size_t t = 0; t < program->task_count; t++) {
        r.with_pointers = false;
        reach_all(&r, program->tasks[t].entry);
        r.with_pointers = calls_pointers(&r);
        if (r.with_pointers)
            reach_all(&r, program->tasks[t].entry);
        fill_task(&r, &program->tasks[t]);
    }
    free(r.function_marks);
    free(r.variable_marks);
    map_release(&r.pointers);
    map_release(&r.records);
    VEC_RELEASE(&r.functions);
    VEC_RELEASE(&r.variables);
}
