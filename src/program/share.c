// SPDX-License-Identifier: Apache-2.0
#include "program/share.h"

#include "base/buf.h"
#include "base/map.h"
#include "base/vec.h"
#include <string.h>

struct use {
    bool called, tested, compared;
};

struct sharing {
    struct map index; // name of a slot -> number in uses, plus one
    VEC(struct use) uses;
};

static bool holds_functions(const struct type *type)
{
    while (type && (type->kind == TYPE_ARRAY || type->kind == TYPE_POINTER))
        type = type->target;
    return type && type->kind == TYPE_FUNCTION;
}

// A name that the slot has in all files; "" when it is not shared.
static void name_slot(const struct program *file, const struct slot *slot, struct buf *out)
{
    buf_clear(out);
    if (slot->kind == SLOT_VARIABLE) {
        const struct variable *variable = &file->variables[slot->owner];
        if (!variable->is_static && !variable->function && holds_functions(variable->type))
            buf_printf(out, "variable %s", variable->name);
    } else if (slot->kind == SLOT_FIELD && slot->record->nameable && slot->record->spelling) {
        const struct field *field = &slot->record->fields[slot->index];
        if (holds_functions(field->type))
            buf_printf(out, "%s.%s+%llu", slot->record->spelling, field->name,
                       (unsigned long long)field->offset_bits);
    }
}

static void collect(struct sharing *s, const struct program *file)
{
    struct buf name = BUF_INIT;
    for (size_t i = 0; i < file->pointer_count; i++) {
        const struct pointer_candidates *pointer = &file->pointers[i];
        uint64_t number;
        name_slot(file, &pointer->slot, &name);
        if (!name.length)
            continue;
        if (!map_get_text(&s->index, buf_text(&name), &number)) {
            VEC_PUSH(&s->uses);
            map_put_text(&s->index, buf_text(&name), number = s->uses.count);
        }
        struct use *use = &s->uses.items[number - 1];
        use->called |= pointer->called;
        use->tested |= pointer->tested;
        use->compared |= pointer->compared;
    }
    buf_release(&name);
}

static const struct use *use_of(const struct sharing *s, const struct program *file,
                                const struct slot *slot, struct buf *name)
{
    uint64_t number;
    name_slot(file, slot, name);
    return name->length && map_get_text(&s->index, buf_text(name), &number)
               ? &s->uses.items[number - 1]
               : NULL;
}

typedef VEC(struct pointer_candidates) pointer_list;

// A slot that this file does not use itself.
static void add_missing(const struct sharing *s, const struct program *file, struct map *known,
                        struct slot slot, pointer_list *list, struct buf *name)
{
    const struct use *use = use_of(s, file, &slot, name);
    uint64_t key = program_slot_key(&slot);
    if (!use || map_get(known, key, NULL))
        return;
    map_put(known, key, 1);
    *VEC_PUSH(list) = (struct pointer_candidates){.slot = slot,
                                                  .open = true,
                                                  .called = use->called,
                                                  .tested = use->tested,
                                                  .compared = use->compared};
}

static void add_fields(const struct sharing *s, const struct program *file, struct map *known,
                       const struct type *type, pointer_list *list, struct buf *name)
{
    const struct type *record = type->canonical ? type->canonical : type;
    if ((record->kind != TYPE_STRUCT && record->kind != TYPE_UNION) || !record->complete)
        return;
    for (size_t i = 0; i < record->field_count; i++)
        add_missing(s, file, known, (struct slot){.kind = SLOT_FIELD, .record = record, .index = i},
                    list, name);
}

static void tell(const struct sharing *s, struct program *file)
{
    struct buf name = BUF_INIT;
    struct map known;
    pointer_list list = {0};
    map_init(&known);
    for (size_t i = 0; i < file->pointer_count; i++) {
        struct pointer_candidates *pointer = VEC_PUSH(&list);
        *pointer = file->pointers[i];
        map_put(&known, program_slot_key(&pointer->slot), 1);
        const struct use *use = use_of(s, file, &pointer->slot, &name);
        if (use) {
            pointer->called |= use->called;
            pointer->tested |= use->tested;
            pointer->compared |= use->compared;
        }
    }
    for (size_t i = 0; i < file->type_count; i++)
        add_fields(s, file, &known, file->types[i], &list, &name);
    for (size_t i = 0; i < file->variable_count; i++)
        add_missing(s, file, &known, (struct slot){.kind = SLOT_VARIABLE, .owner = i}, &list,
                    &name);
    file->pointer_count = list.count;
    file->pointers = arena_array(&file->arena, struct pointer_candidates, list.count + 1);
    if (list.count)
        memcpy(file->pointers, list.items, list.count * sizeof *list.items);
    VEC_RELEASE(&list);
    map_release(&known);
    buf_release(&name);
}

void program_share_pointers(struct program *const *files, size_t count)
{
    struct sharing s = {0};
    map_init(&s.index);
    for (size_t k = 0; k < count; k++)
        collect(&s, files[k]);
    for (size_t k = 0; k < count; k++)
        tell(&s, files[k]);
    map_release(&s.index);
    VEC_RELEASE(&s.uses);
}

// ---- static functions ----

static struct function *find_static(struct program *const *files, size_t count,
                                    const struct function *candidate)
{
    for (size_t k = 0; k < count; k++) {
        if (strcmp(files[k]->source, candidate->defined_in) != 0)
            continue;
        for (size_t i = 0; i < files[k]->function_count; i++) {
            struct function *f = &files[k]->functions[i];
            if (f->defined && f->is_static && !f->type->variadic &&
                strcmp(f->source_name, candidate->source_name) == 0)
                return f;
        }
    }
    return NULL;
}

void program_share_statics(struct program *const *files, size_t count)
{
    for (size_t k = 0; k < count; k++)
        for (size_t i = 0; i < files[k]->function_count; i++) {
            struct function *candidate = &files[k]->functions[i];
            if (!candidate->is_candidate || !candidate->symbol || !candidate->defined_in)
                continue;
            struct function *definition = find_static(files, count, candidate);
            if (!definition)
                continue;
            definition->symbol = candidate->symbol;
            candidate->elsewhere = true;
        }
}
