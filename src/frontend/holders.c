// SPDX-License-Identifier: Apache-2.0
// Which values reach which pointers. A holder is a variable, field, parameter or
// result; assignments, initialisers and arguments are flows between holders. When the
// whole file has been read, functions travel along the flows, and what is done with a
// value (called, tested, compared, written through, cast) travels back to where it
// came from. Neither objects nor the order of statements are told apart: candidates
// are an upper bound of what this file can put there.
#include "frontend/frontend_internal.h"

#include "base/tunables.h"
#include <string.h>

static uint64_t identity(CXCursor declaration)
{
    return (uint64_t)(uintptr_t)clang_getCanonicalCursor(declaration).data[0];
}

static size_t holder_new(struct frontend *fe, struct slot slot, CXType type, bool open)
{
    size_t index = fe->holders.count;
    *VEC_PUSH(&fe->holders) = (struct holder){
        .slot = slot, .type = type, .open = open, .low = INT64_MAX, .high = INT64_MIN};
    return index;
}

static size_t new_field(struct frontend *fe, CXCursor field)
{
    CXCursor parent = clang_getCursorSemanticParent(field);
    const struct type *record = types_get(fe, clang_getCursorType(parent))->canonical;
    struct slot slot = {.kind = SLOT_FIELD, .record = record, .index = record->field_count};
    CXString name = clang_getCursorSpelling(field);
    for (size_t i = 0; i < record->field_count; i++)
        if (strcmp(record->fields[i].name, clang_getCString(name)) == 0)
            slot.index = i;
    clang_disposeString(name);
    if (slot.index == record->field_count)
        slot = (struct slot){.kind = SLOT_NONE};
    uint32_t offset = source_offset(clang_getCursorLocation(field));
    bool open = source_origin(fe, offset)->included;
    return holder_new(fe, slot, clang_getCursorType(field), open);
}

static bool is_file_scope(CXCursor variable)
{
    enum CXCursorKind kind = clang_getCursorKind(clang_getCursorSemanticParent(variable));
    return clang_Cursor_getStorageClass(variable) == CX_SC_Extern ||
           kind == CXCursor_TranslationUnit;
}

static size_t new_variable(struct frontend *fe, CXCursor variable)
{
    struct slot slot = {.kind = SLOT_NONE};
    bool open = false;
    if (is_file_scope(variable)) {
        slot = (struct slot){.kind = SLOT_VARIABLE, .owner = variables_index(fe, variable, NULL)};
        open = !fe->variables.items[slot.owner].is_static;
    }
    return holder_new(fe, slot, clang_getCursorType(variable), open);
}

size_t holder_of_declaration(struct frontend *fe, CXCursor declaration)
{
    enum CXCursorKind kind = clang_getCursorKind(declaration);
    uint64_t known;
    if (map_get(&fe->holder_ids, identity(declaration), &known))
        return (size_t)known;
    if (kind != CXCursor_VarDecl && kind != CXCursor_FieldDecl && kind != CXCursor_ParmDecl)
        return HOLDER_NONE;
    size_t index = kind == CXCursor_FieldDecl ? new_field(fe, declaration)
                   : kind == CXCursor_VarDecl ? new_variable(fe, declaration)
                                              : holder_new(fe, (struct slot){.kind = SLOT_NONE},
                                                           clang_getCursorType(declaration), true);
    map_put(&fe->holder_ids, identity(declaration), index);
    return index;
}

static size_t of_function(struct frontend *fe, struct slot slot, CXType type)
{
    uint64_t key = program_slot_key(&slot), known;
    if (map_get(&fe->parameter_ids, key, &known))
        return (size_t)known;
    const struct function *function = &fe->functions.items[slot.owner];
    bool open = slot.kind == SLOT_RESULT ? !function->defined : !function->is_static;
    size_t index = holder_new(fe, slot, type, open);
    map_put(&fe->parameter_ids, key, index);
    return index;
}

size_t holder_of_parameter(struct frontend *fe, size_t function, size_t index)
{
    struct slot slot = {.kind = SLOT_PARAMETER, .owner = function, .index = index};
    return of_function(fe, slot, (CXType){.kind = CXType_Invalid});
}

size_t holder_of_result(struct frontend *fe, size_t function)
{
    struct slot slot = {.kind = SLOT_RESULT, .owner = function};
    return of_function(fe, slot, (CXType){.kind = CXType_Invalid});
}

// Inside a body parameters are known by their declarations.
void holders_enter_parameters(struct frontend *fe, size_t function, CXCursor definition)
{
    int count = clang_Cursor_getNumArguments(definition);
    for (int i = 0; i < count; i++) {
        CXCursor argument = clang_Cursor_getArgument(definition, (unsigned)i);
        size_t holder = holder_of_parameter(fe, function, (size_t)i);
        fe->holders.items[holder].type = clang_getCursorType(argument);
        map_put(&fe->holder_ids, identity(argument), holder);
    }
}

static bool add_function(struct frontend *fe, size_t holder, size_t function)
{
    uint64_t key = (uint64_t)holder << 32 | function, known;
    if (map_get(&fe->held, key, &known))
        return false;
    map_put(&fe->held, key, 1);
    *VEC_PUSH(&fe->holders.items[holder].functions) = function;
    return true;
}

void holder_add_function(struct frontend *fe, size_t holder, size_t function)
{
    add_function(fe, holder, function);
}

static bool add_comparer(struct holder *holder, size_t function)
{
    for (size_t i = 0; i < holder->comparers.count; i++)
        if (holder->comparers.items[i] == function)
            return false;
    *VEC_PUSH(&holder->comparers) = function;
    return true;
}

void holder_add_comparer(struct frontend *fe, size_t holder, size_t function)
{
    fe->holders.items[holder].compared = true;
    if (function != SIZE_MAX)
        add_comparer(&fe->holders.items[holder], function);
}

static bool add_cast(struct holder *holder, struct type *type)
{
    for (size_t i = 0; i < holder->casts.count; i++)
        if (holder->casts.items[i]->target->canonical == type->target->canonical)
            return false;
    *VEC_PUSH(&holder->casts) = type;
    return true;
}

void holder_add_cast(struct frontend *fe, size_t holder, CXType pointer)
{
    struct type *type = types_get(fe, pointer);
    if (type->kind == TYPE_POINTER && type->target->kind != TYPE_VOID)
        add_cast(&fe->holders.items[holder], type);
}

void holder_add_user(struct frontend *fe, size_t holder, size_t function)
{
    if (holder == HOLDER_NONE || function == SIZE_MAX)
        return;
    struct holder *h = &fe->holders.items[holder]; // a function is done before the next begins
    if (!h->users.count || h->users.items[h->users.count - 1] != function)
        *VEC_PUSH(&h->users) = function;
}

static bool add_number(struct holder *holder, int64_t number)
{
    for (size_t i = 0; i < holder->numbers.count; i++)
        if (holder->numbers.items[i] == number)
            return false;
    if (holder->numbers.count == FRONTEND_NUMBERS)
        return false;
    *VEC_PUSH(&holder->numbers) = number;
    return true;
}

void holder_add_number(struct frontend *fe, size_t holder, int64_t number)
{
    if (number)
        add_number(&fe->holders.items[holder], number);
}

void holder_add_flow(struct frontend *fe, size_t from, size_t to, bool both)
{
    if (from != to)
        *VEC_PUSH(&fe->flows) = (struct flow){from, to, both};
}

// ---- Fixpoint ----

static bool raise_to(bool *flag, bool value)
{
    bool changed = value && !*flag;
    *flag |= value;
    return changed;
}

static bool forward(struct frontend *fe, size_t from, size_t to)
{
    bool changed = raise_to(&fe->holders.items[to].open, fe->holders.items[from].open);
    for (size_t i = 0; i < fe->holders.items[from].functions.count; i++)
        changed |= add_function(fe, to, fe->holders.items[from].functions.items[i]);
    return changed;
}

static bool backward(struct frontend *fe, size_t from, size_t to)
{
    struct holder *source = &fe->holders.items[from];
    const struct holder *sink = &fe->holders.items[to];
    bool changed = raise_to(&source->called, sink->called);
    changed |= raise_to(&source->tested, sink->tested);
    for (size_t i = 0; i < sink->comparers.count; i++)
        changed |= add_comparer(source, sink->comparers.items[i]);
    changed |= raise_to(&source->written, sink->written);
    changed |= raise_to(&source->indexed, sink->indexed);
    for (size_t i = 0; i < sink->casts.count; i++)
        changed |= add_cast(source, sink->casts.items[i]);
    for (size_t i = 0; i < sink->numbers.count; i++)
        changed |= add_number(source, sink->numbers.items[i]);
    changed |= raise_to(&source->as_number, sink->as_number);
    changed |= (source->tag_bits | sink->tag_bits) != source->tag_bits;
    source->tag_bits |= sink->tag_bits;
    return changed;
}

static void propagate(struct frontend *fe)
{
    bool changed = true;
    while (changed) {
        changed = false;
        for (size_t i = 0; i < fe->flows.count; i++) {
            struct flow flow = fe->flows.items[i];
            changed |= forward(fe, flow.from, flow.to);
            changed |= flow.both && forward(fe, flow.to, flow.from);
        }
        for (size_t i = fe->flows.count; i-- > 0;) {
            struct flow flow = fe->flows.items[i];
            changed |= backward(fe, flow.from, flow.to);
            changed |= flow.both && backward(fe, flow.to, flow.from);
        }
    }
}

// ---- By signature ----

static void take_address(const size_t *items, size_t count, bool *taken)
{
    for (size_t i = 0; i < count; i++)
        taken[items[i]] = true;
}

static bool *find_taken(struct frontend *fe)
{
    bool *taken = xcalloc(fe->functions.count + 1, sizeof *taken);
    for (size_t i = 0; i < fe->functions.count; i++)
        take_address(fe->functions.items[i].address_taken,
                     fe->functions.items[i].address_taken_count, taken);
    for (size_t i = 0; i < fe->variables.count; i++)
        take_address(fe->variables.items[i].functions, fe->variables.items[i].function_count,
                     taken);
    return taken;
}

// The function type that a pointer, or an array or pointer of such, leads to.
static const struct type *function_type(const struct type *type)
{
    while (type && (type->kind == TYPE_POINTER || type->kind == TYPE_ARRAY))
        type = type->target;
    return type && type->kind == TYPE_FUNCTION ? type->canonical : NULL;
}

static const struct type *slot_type(const struct frontend *fe, const struct slot *slot)
{
    const struct function *function;
    switch (slot->kind) {
    case SLOT_VARIABLE: return fe->variables.items[slot->owner].type;
    case SLOT_FIELD: return slot->record->fields[slot->index].type;
    case SLOT_PARAMETER:
        function = &fe->functions.items[slot->owner];
        return slot->index < function->param_count ? function->params[slot->index].type : NULL;
    case SLOT_RESULT: return fe->functions.items[slot->owner].type->target;
    default: return NULL;
    }
}

static void add_by_signature(struct frontend *fe, size_t holder, const bool *taken,
                             struct pointer_candidates *out)
{
    const struct type *wanted = function_type(slot_type(fe, &out->slot));
    if (!wanted || fe->holders.items[holder].functions.count)
        return;
    for (size_t i = 0; i < fe->functions.count; i++)
        if (taken[i] && fe->functions.items[i].type->canonical == wanted)
            out->by_signature |= add_function(fe, holder, i);
}

static bool is_pointer_slot(const struct frontend *fe, const struct slot *slot)
{
    const struct type *type = slot_type(fe, slot);
    while (type && type->kind == TYPE_ARRAY)
        type = type->target;
    return type && type->kind == TYPE_POINTER;
}

static void store(struct frontend *fe, size_t index, const bool *taken)
{
    struct holder *holder = &fe->holders.items[index];
    struct pointer_candidates out = {.slot = holder->slot,
                                     .open = holder->open,
                                     .called = holder->called,
                                     .tested = holder->tested,
                                     .compared = holder->compared,
                                     .written = holder->written,
                                     .indexed = holder->indexed,
                                     .tag_bits = holder->tag_bits,
                                     .as_number = holder->as_number};
    add_by_signature(fe, index, taken, &out);
    out.function_count = holder->functions.count;
    out.functions = references_store(fe, holder->functions.items, out.function_count);
    out.comparer_count = holder->comparers.count;
    out.comparers = references_store(fe, holder->comparers.items, out.comparer_count);
    out.cast_count = holder->casts.count;
    out.casts = arena_array(&fe->program->arena, struct type *, out.cast_count);
    if (out.cast_count)
        memcpy(out.casts, holder->casts.items, out.cast_count * sizeof *out.casts);
    out.number_count = holder->numbers.count;
    out.numbers = arena_array(&fe->program->arena, int64_t, out.number_count);
    if (out.number_count)
        memcpy(out.numbers, holder->numbers.items, out.number_count * sizeof *out.numbers);
    *VEC_PUSH(&fe->pointers) = out;
}

// Whose addresses are compared: with what the file makes of them, too.
static void store_comparers(struct frontend *fe, const struct holder *holder)
{
    const struct slot *slot = &holder->slot;
    if (slot->kind == SLOT_VARIABLE) {
        struct variable *variable = &fe->variables.items[slot->owner];
        variable->comparer_count = holder->comparers.count;
        variable->comparers =
            references_store(fe, holder->comparers.items, holder->comparers.count);
    } else if (slot->kind == SLOT_FIELD) {
        struct field *field = &slot->record->fields[slot->index];
        field->user_count = holder->users.count;
        field->users = references_store(fe, holder->users.items, holder->users.count);
        field->compared |= holder->comparers.count > 0;
    }
}

void holders_finish(struct frontend *fe)
{
    bool *taken = find_taken(fe);
    propagate(fe);
    for (size_t i = 0; i < fe->holders.count; i++) {
        store_comparers(fe, &fe->holders.items[i]);
        if (is_pointer_slot(fe, &fe->holders.items[i].slot))
            store(fe, i, taken);
    }
    free(taken);
}

void holders_release(struct frontend *fe)
{
    for (size_t i = 0; i < fe->holders.count; i++) {
        VEC_RELEASE(&fe->holders.items[i].functions);
        VEC_RELEASE(&fe->holders.items[i].casts);
        VEC_RELEASE(&fe->holders.items[i].comparers);
        VEC_RELEASE(&fe->holders.items[i].numbers);
        VEC_RELEASE(&fe->holders.items[i].users);
    }
    VEC_RELEASE(&fe->holders);
    VEC_RELEASE(&fe->flows);
    VEC_RELEASE(&fe->calls);
    VEC_RELEASE(&fe->pointers);
    map_release(&fe->holder_ids);
    map_release(&fe->parameter_ids);
    map_release(&fe->held);
}
