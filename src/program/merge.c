// SPDX-License-Identifier: Apache-2.0
// Two passes over the functions and variables of all files: definitions get their numbers
// first, so that declarations find them; then everything that refers by number is copied
// with the new numbers. Copies of a header's function (function.copy) become one function
// that reaches what any of them reaches.
#include "program/merge.h"

#include "base/check.h"
#include "base/map.h"
#include "base/vec.h"
#include "program/closure.h"
#include "program/program_check.h"
#include <stdio.h>
#include <string.h>

struct merge {
    struct program *const *files;
    size_t count;
    struct program *out;
    size_t **functions, **variables, **decisions; // [file][index]: number in the unit
    struct map function_names, variable_names;    // external ones -> number
    struct map copies;                            // function.copy -> number
    struct map slots;                             // of pointers -> number
    VEC(struct function) function_list;
    VEC(struct variable) variable_list;
    VEC(struct decision) decision_list;
    VEC(struct pointer_candidates) pointer_list;
    VEC(struct clash) clashes;
};

static void *store(struct merge *m, const void *items, size_t count, size_t size)
{
    void *copy = arena_alloc(&m->out->arena, count ? count * size : 1);
    if (count)
        memcpy(copy, items, count * size);
    return copy;
}

// ---- numbers ----

static size_t new_function(struct merge *m, size_t file, size_t index)
{
    struct function *added = VEC_PUSH(&m->function_list);
    *added = m->files[file]->functions[index];
    added->at.text = (uint32_t)file;
    return m->function_list.count - 1;
}

static size_t new_variable(struct merge *m, size_t file, size_t index)
{
    struct variable *added = VEC_PUSH(&m->variable_list);
    *added = m->files[file]->variables[index];
    added->at.text = (uint32_t)file;
    return m->variable_list.count - 1;
}

static void note_clash(struct merge *m, const char *name, size_t first, size_t second)
{
    *VEC_PUSH(&m->clashes) = (struct clash){name, first, second};
}

// An inline function that is emitted nowhere gives way to one that is.
static bool is_symbol(const struct function *function)
{
    return !function->is_static && (!function->is_inline || function->emitted);
}

static size_t define_function(struct merge *m, size_t file, size_t index)
{
    const struct function *function = &m->files[file]->functions[index];
    uint64_t number;
    if (function->copy && map_get(&m->copies, function->copy, &number)) {
        m->function_list.items[number].emitted |= function->emitted;
        return number;
    }
    number = new_function(m, file, index);
    if (function->copy)
        map_put(&m->copies, function->copy, number);
    if (function->symbol)
        map_put_text(&m->function_names, function->symbol, number);
    if (function->is_static)
        return number;
    uint64_t other;
    if (!map_get_text(&m->function_names, function->name, &other)) {
        map_put_text(&m->function_names, function->name, number);
    } else if (is_symbol(function)) {
        if (is_symbol(&m->function_list.items[other]))
            note_clash(m, function->name, m->function_list.items[other].at.text, file);
        else
            map_put_text(&m->function_names, function->name, number);
    }
    return number;
}

static size_t declare_function(struct merge *m, size_t file, size_t index)
{
    struct function *function = &m->files[file]->functions[index];
    uint64_t number;
    if (function->symbol && map_get_text(&m->function_names, function->symbol, &number))
        return number; // a static one that was given a symbol, see program/share.h
    if (!function->is_static && map_get_text(&m->function_names, function->name, &number)) {
        function->elsewhere = m->function_list.items[number].defined;
        return number;
    }
    number = new_function(m, file, index);
    if (function->symbol || !function->is_static)
        map_put_text(&m->function_names, function->symbol ? function->symbol : function->name,
                     number);
    return number;
}

static bool is_external(const struct variable *variable)
{
    return !variable->is_static && (!variable->function || variable->is_extern_only);
}

static size_t define_variable(struct merge *m, size_t file, size_t index)
{
    const struct variable *variable = &m->files[file]->variables[index];
    uint64_t number;
    if (!is_external(variable))
        return new_variable(m, file, index);
    if (map_get_text(&m->variable_names, variable->name, &number)) {
        struct variable *first = &m->variable_list.items[number];
        if (first->has_initialiser && variable->has_initialiser)
            note_clash(m, variable->name, first->at.text, file);
        else if (variable->has_initialiser) // a tentative definition before
            *first = *variable, first->at.text = (uint32_t)file;
        return number;
    }
    number = new_variable(m, file, index);
    map_put_text(&m->variable_names, variable->name, number);
    return number;
}

static size_t declare_variable(struct merge *m, size_t file, size_t index)
{
    struct variable *variable = &m->files[file]->variables[index];
    uint64_t number;
    if (is_external(variable) && map_get_text(&m->variable_names, variable->name, &number)) {
        variable->elsewhere = !m->variable_list.items[number].is_extern_only;
        return number;
    }
    number = new_variable(m, file, index);
    if (is_external(variable))
        map_put_text(&m->variable_names, variable->name, number);
    return number;
}

static void give_numbers(struct merge *m, bool definitions)
{
    for (size_t k = 0; k < m->count; k++) {
        const struct program *file = m->files[k];
        for (size_t i = 0; i < file->function_count; i++)
            if (file->functions[i].defined == definitions)
                m->functions[k][i] =
                    definitions ? define_function(m, k, i) : declare_function(m, k, i);
        for (size_t i = 0; i < file->variable_count; i++)
            if (file->variables[i].is_extern_only != definitions)
                m->variables[k][i] =
                    definitions ? define_variable(m, k, i) : declare_variable(m, k, i);
    }
}

// An inline function without an external definition of its own uses the one there is.
static void find_inlines(struct merge *m)
{
    for (size_t k = 0; k < m->count; k++)
        for (size_t i = 0; i < m->files[k]->function_count; i++) {
            struct function *function = &m->files[k]->functions[i];
            uint64_t number;
            if (!function->defined || function->is_static || is_symbol(function))
                continue;
            map_get_text(&m->function_names, function->name, &number);
            function->elsewhere = is_symbol(&m->function_list.items[number]);
        }
}

// ---- references ----

static bool contains(const size_t *list, size_t count, size_t wanted)
{
    for (size_t i = 0; i < count; i++)
        if (list[i] == wanted)
            return true;
    return false;
}

// Add the renumbered list to one that a copy may have begun.
static void add_list(struct merge *m, const size_t *numbers, const size_t *from, size_t count,
                     size_t **to, size_t *to_count)
{
    size_t *all = arena_array(&m->out->arena, size_t, *to_count + count), filled = *to_count;
    if (filled)
        memcpy(all, *to, filled * sizeof *all);
    for (size_t i = 0; i < count; i++)
        if (!*to_count || !contains(all, *to_count, numbers[from[i]]))
            all[filled++] = numbers[from[i]];
    *to = all;
    *to_count = filled;
}

static void clear_lists(struct function *f)
{
    f->accesses = NULL; // of a file's own numbers
    f->callees = f->globals = f->address_taken = f->writes = NULL;
    f->callee_count = f->global_count = f->address_taken_count = f->write_count = 0;
}

static void add_references(struct merge *m, size_t k, const struct function *from,
                           struct function *to)
{
    const size_t *functions = m->functions[k], *variables = m->variables[k];
    add_list(m, functions, from->callees, from->callee_count, &to->callees, &to->callee_count);
    add_list(m, functions, from->address_taken, from->address_taken_count, &to->address_taken,
             &to->address_taken_count);
    add_list(m, variables, from->globals, from->global_count, &to->globals, &to->global_count);
    add_list(m, variables, from->writes, from->write_count, &to->writes, &to->write_count);
}

static void link_functions(struct merge *m)
{
    for (size_t i = 0; i < m->function_list.count; i++)
        clear_lists(&m->function_list.items[i]);
    for (size_t k = 0; k < m->count; k++)
        for (size_t i = 0; i < m->files[k]->function_count; i++)
            if (m->files[k]->functions[i].defined)
                add_references(m, k, &m->files[k]->functions[i],
                               &m->function_list.items[m->functions[k][i]]);
}

static void link_variables(struct merge *m)
{
    for (size_t k = 0; k < m->count; k++)
        for (size_t i = 0; i < m->files[k]->variable_count; i++) {
            const struct variable *from = &m->files[k]->variables[i];
            struct variable *to = &m->variable_list.items[m->variables[k][i]];
            if (from->functions != to->functions || from->globals != to->globals)
                continue; // not the one that the unit has
            to->functions = to->globals = to->comparers = NULL;
            to->function_count = to->global_count = to->comparer_count = 0;
            add_list(m, m->functions[k], from->comparers, from->comparer_count, &to->comparers,
                     &to->comparer_count);
            add_list(m, m->functions[k], from->functions, from->function_count, &to->functions,
                     &to->function_count);
            add_list(m, m->variables[k], from->globals, from->global_count, &to->globals,
                     &to->global_count);
        }
}

static struct slot renumber_slot(struct merge *m, size_t k, struct slot slot)
{
    if (slot.kind == SLOT_VARIABLE)
        slot.owner = m->variables[k][slot.owner];
    else if (slot.kind == SLOT_PARAMETER || slot.kind == SLOT_RESULT)
        slot.owner = m->functions[k][slot.owner];
    return slot;
}

static void merge_pointer(struct merge *m, size_t k, const struct pointer_candidates *from)
{
    struct slot slot = renumber_slot(m, k, from->slot);
    uint64_t number;
    if (!map_get(&m->slots, program_slot_key(&slot), &number)) {
        number = m->pointer_list.count;
        map_put(&m->slots, program_slot_key(&slot), number);
        struct pointer_candidates *fresh = VEC_PUSH(&m->pointer_list);
        *fresh = (struct pointer_candidates){.slot = slot,
                                             .casts = from->casts,
                                             .cast_count = from->cast_count,
                                             .numbers = from->numbers,
                                             .number_count = from->number_count};
    }
    struct pointer_candidates *to = &m->pointer_list.items[number];
    add_list(m, m->functions[k], from->functions, from->function_count, &to->functions,
             &to->function_count);
    add_list(m, m->functions[k], from->comparers, from->comparer_count, &to->comparers,
             &to->comparer_count);
    to->by_signature |= from->by_signature;
    to->open |= from->open;
    to->called |= from->called;
    to->tested |= from->tested;
    to->compared |= from->compared;
    to->written |= from->written;
    to->indexed |= from->indexed;
    to->as_number |= from->as_number;
    to->tag_bits |= from->tag_bits;
}

static void link_pointers(struct merge *m)
{
    for (size_t k = 0; k < m->count; k++)
        for (size_t i = 0; i < m->files[k]->pointer_count; i++)
            merge_pointer(m, k, &m->files[k]->pointers[i]);
}

// ---- branches ----

static size_t *branch_ids(struct merge *m, const struct program *file, const size_t *from,
                          size_t count)
{
    size_t *ids = arena_array(&m->out->arena, size_t, count);
    for (size_t i = 0; i < count; i++)
        ids[i] = file->branches[from[i]].id;
    return ids;
}

static void place_decisions(struct merge *m, size_t k, const bool *there)
{
    const struct program *file = m->files[k];
    for (size_t i = 0; i < file->decision_count; i++) {
        const struct decision *from = &file->decisions[i];
        m->decisions[k][i] = m->decision_list.count;
        if (from->condition_count && there[file->branches[from->conditions[0]].id])
            continue; // of a copy
        struct decision *to = VEC_PUSH(&m->decision_list);
        *to = *from;
        to->function = m->functions[k][from->function];
        to->at.text = (uint32_t)k;
        to->conditions = branch_ids(m, file, from->conditions, from->condition_count);
    }
}

static void place_switches(struct merge *m, size_t k, bool *there)
{
    const struct program *file = m->files[k];
    for (size_t i = 0; i < file->switch_count; i++) {
        const struct switch_point *from = &file->switches[i];
        if (there[from->id])
            continue;
        there[from->id] = true;
        struct switch_point *to = &m->out->switches[from->id];
        *to = *from;
        to->function = m->functions[k][from->function];
        to->at.text = (uint32_t)k;
        to->branches = branch_ids(m, file, from->branches, from->branch_count);
    }
}

static void place_branches(struct merge *m, size_t k, bool *there)
{
    const struct program *file = m->files[k];
    for (size_t i = 0; i < file->branch_count; i++) {
        const struct branch *from = &file->branches[i];
        if (there[from->id])
            continue;
        there[from->id] = true;
        struct branch *to = &m->out->branches[from->id];
        *to = *from;
        to->function = m->functions[k][from->function];
        to->at.text = (uint32_t)k;
        if (from->kind == BRANCH_CONDITION)
            to->decision = m->decisions[k][from->decision];
        else
            to->switch_id = file->switches[from->switch_id].id;
    }
}

static void merge_branches(struct merge *m, size_t branches, size_t switches)
{
    struct program *out = m->out;
    bool *branch_there = xcalloc(branches + 1, sizeof(bool));
    bool *switch_there = xcalloc(switches + 1, sizeof(bool));
    out->branch_count = branches;
    out->branches = arena_array(&out->arena, struct branch, branches);
    out->switch_count = switches;
    out->switches = arena_array(&out->arena, struct switch_point, switches);
    for (size_t k = 0; k < m->count; k++) {
        place_decisions(m, k, branch_there);
        place_switches(m, k, switch_there);
        place_branches(m, k, branch_there);
    }
    free(branch_there);
    free(switch_there);
}

// ---- the rest ----

static void merge_types(struct merge *m)
{
    struct program *out = m->out;
    for (size_t k = 0; k < m->count; k++)
        out->type_count += m->files[k]->type_count;
    out->types = arena_array(&out->arena, struct type *, out->type_count);
    size_t at = 0;
    for (size_t k = 0; k < m->count; k++)
        for (size_t i = 0; i < m->files[k]->type_count; i++)
            out->types[at++] = m->files[k]->types[i];
}

// A header's remark comes once.
static void merge_notes(struct merge *m)
{
    struct map seen;
    VEC(const char *) notes = {0};
    map_init(&seen);
    for (size_t k = 0; k < m->count; k++)
        for (size_t i = 0; i < m->files[k]->note_count; i++) {
            const char *note = m->files[k]->notes[i];
            if (map_get_text(&seen, note, NULL))
                continue;
            map_put_text(&seen, note, 1);
            *VEC_PUSH(&notes) = note;
        }
    m->out->notes = store(m, notes.items, notes.count, sizeof *notes.items);
    m->out->note_count = notes.count;
    for (size_t k = 0; k < m->count; k++)
        m->out->alone |= m->files[k]->alone;
    VEC_RELEASE(&notes);
    map_release(&seen);
}

static void merge_tasks(struct merge *m)
{
    const struct program *first = m->files[0];
    struct program *out = m->out;
    struct closure *closure = closure_new(out);
    out->task_count = first->task_count;
    out->tasks = arena_array(&out->arena, struct task, out->task_count);
    for (size_t t = 0; t < out->task_count; t++) {
        closure_task(closure, m->functions[0][first->tasks[t].entry], &out->tasks[t]);
        out->tasks[t].name = first->tasks[t].name;
    }
    closure_free(closure);
}

// ---- what the files learn ----

// The numbers of a file's things that are in a list of the unit's, as indices in the file.
static void choose_local(struct arena *arena, const size_t *numbers, size_t total,
                         const bool *wanted, size_t **to, size_t *to_count)
{
    *to = arena_array(arena, size_t, total);
    *to_count = 0;
    for (size_t i = 0; i < total; i++)
        if (wanted[numbers[i]])
            (*to)[(*to_count)++] = i;
}

static bool *flags_of(const size_t *list, size_t count, size_t total)
{
    bool *flags = xcalloc(total + 1, sizeof *flags);
    for (size_t i = 0; i < count; i++)
        flags[list[i]] = true;
    return flags;
}

// The driver's part in a file fills the variables that it defines, or is the first to declare.
static bool *globals_of(struct merge *m, size_t k, const struct task *task)
{
    bool *flags = flags_of(task->globals, task->global_count, m->out->variable_count);
    for (size_t i = 0; i < task->global_count; i++)
        flags[task->globals[i]] = m->out->variables[task->globals[i]].at.text == k;
    return flags;
}

static void entry_first(struct task *task)
{
    for (size_t i = 0; i < task->function_count; i++)
        if (task->functions[i] == task->entry) {
            memmove(task->functions + 1, task->functions, i * sizeof *task->functions);
            task->functions[0] = task->entry;
        }
}

static void local_task(struct merge *m, size_t k, size_t t, struct task *to)
{
    const struct task *task = &m->out->tasks[t];
    struct program *file = m->files[k];
    bool *functions = flags_of(task->functions, task->function_count, m->out->function_count);
    bool *externals = flags_of(task->externals, task->external_count, m->out->function_count);
    bool *globals = globals_of(m, k, task);
    *to = (struct task){.name = task->name,
                        .entry = k == 0 ? file->tasks[t].entry : TASK_ENTRY_ELSEWHERE,
                        .interrupted = task->interrupted,
                        .keeps_state = task->keeps_state};
    choose_local(&file->arena, m->functions[k], file->function_count, functions, &to->functions,
                 &to->function_count);
    choose_local(&file->arena, m->functions[k], file->function_count, externals, &to->externals,
                 &to->external_count);
    choose_local(&file->arena, m->variables[k], file->variable_count, globals, &to->globals,
                 &to->global_count);
    entry_first(to);
    free(functions);
    free(externals);
    free(globals);
}

static void tell_files(struct merge *m)
{
    for (size_t k = 0; k < m->count; k++) {
        struct program *file = m->files[k];
        struct task *tasks = arena_array(&file->arena, struct task, m->out->task_count);
        for (size_t t = 0; t < m->out->task_count; t++)
            local_task(m, k, t, &tasks[t]);
        file->tasks = tasks;
        file->task_count = m->out->task_count;
    }
}

// Two variables with one name would be one input.
static void name_places(struct merge *m)
{
    struct map roots;
    map_init(&roots);
    for (size_t k = 0; k < m->count; k++)
        for (size_t i = 0; i < m->files[k]->variable_count; i++) {
            struct variable *variable = &m->files[k]->variables[i];
            size_t number = m->variables[k][i];
            uint64_t other;
            if (variable->function)
                continue;
            if (!map_get_text(&roots, variable->name, &other)) {
                map_put_text(&roots, variable->name, number);
            } else if (other != number && m->out->variables[number].at.text == k) {
                const char *slash = strrchr(m->files[k]->source, '/');
                variable->of_file = slash ? slash + 1 : m->files[k]->source;
                m->out->variables[number].of_file = variable->of_file;
            }
        }
    map_release(&roots);
}

// Names of registers of all files; the first one of an address counts.
static void merge_registers(struct merge *m)
{
    size_t count = 0;
    for (size_t k = 0; k < m->count; k++)
        count += m->files[k]->register_count;
    m->out->registers = arena_array(&m->out->arena, struct register_name, count + 1);
    for (size_t k = 0; k < m->count; k++)
        for (size_t i = 0; i < m->files[k]->register_count; i++)
            m->out->registers[m->out->register_count++] = m->files[k]->registers[i];
}

static void init(struct merge *m, struct program *const *files, size_t count, struct program *out)
{
    *m = (struct merge){.files = files, .count = count, .out = out};
    m->functions = arena_array(&out->arena, size_t *, count);
    m->variables = arena_array(&out->arena, size_t *, count);
    m->decisions = arena_array(&out->arena, size_t *, count);
    for (size_t k = 0; k < count; k++) {
        m->functions[k] = arena_array(&out->arena, size_t, files[k]->function_count);
        m->variables[k] = arena_array(&out->arena, size_t, files[k]->variable_count);
        m->decisions[k] = arena_array(&out->arena, size_t, files[k]->decision_count);
    }
    map_init(&m->function_names);
    map_init(&m->variable_names);
    map_init(&m->copies);
    map_init(&m->slots);
}

static void release(struct merge *m)
{
    map_release(&m->function_names);
    map_release(&m->variable_names);
    map_release(&m->copies);
    map_release(&m->slots);
    VEC_RELEASE(&m->function_list);
    VEC_RELEASE(&m->variable_list);
    VEC_RELEASE(&m->decision_list);
    VEC_RELEASE(&m->pointer_list);
    VEC_RELEASE(&m->clashes);
}

#define STORE(m, list, field, counter)                                                             \
    ((m)->out->field = store((m), (m)->list.items, (m)->list.count, sizeof *(m)->list.items),      \
     (m)->out->counter = (m)->list.count)

void program_merge(struct program *const *files, size_t count, size_t branches, size_t switches,
                   struct program *out)
{
    struct merge m;
    init(&m, files, count, out);
    give_numbers(&m, true);
    give_numbers(&m, false);
    find_inlines(&m);
    link_functions(&m);
    link_variables(&m);
    link_pointers(&m);
    merge_branches(&m, branches, switches);
    merge_types(&m);
    merge_notes(&m);
    merge_registers(&m);
    STORE(&m, function_list, functions, function_count);
    STORE(&m, variable_list, variables, variable_count);
    STORE(&m, decision_list, decisions, decision_count);
    STORE(&m, pointer_list, pointers, pointer_count);
    STORE(&m, clashes, clashes, clash_count);
    out->source = files[0]->source;
    out->narrow = files[0]->narrow;
    out->interleave = files[0]->interleave;
    out->files = store(&m, files, count, sizeof *files);
    out->file_count = count;
    out->function_numbers = m.functions;
    merge_tasks(&m);
    name_places(&m);
    tell_files(&m);
    release(&m);
    MUST_HOLD(program_check_unit(out));
}

const char *program_text_path(struct arena *arena, const char *directory, const char *stem,
                              size_t text, const char *extension)
{
    return text ? arena_printf(arena, "%s/%s_%zu.%s", directory, stem, text, extension)
                : arena_printf(arena, "%s/%s.%s", directory, stem, extension);
}

size_t program_text_number(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
    size_t text = 0, scale = 1;
    const char *digit = dot ? dot : name;
    while (digit > name && digit[-1] >= '0' && digit[-1] <= '9') {
        text += scale * (size_t)(*--digit - '0');
        scale *= 10;
    }
    return digit > name && digit[-1] == '_' ? text : 0;
}
