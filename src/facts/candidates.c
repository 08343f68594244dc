// SPDX-License-Identifier: Apache-2.0
// What the whole project puts into the pointers to functions of one file. Functions of
// other files become functions of the program that nobody defines there: the driver makes
// stubs of them, static ones included, because the stub stands in the driver's own text.
#include "facts/facts_internal.h"

#include "base/tunables.h"
#include "program/closure.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct adder {
    struct facts *facts;
    struct program *program;
    struct map known; // symbol + 1 -> index of the function, plus one
    size_t room;      // for functions
    bool cut;         // the pointer at hand may hold more than FACTS_CANDIDATES others
};

// ---- slots of the program in the project ----

// The function type that a pointer, or an array or pointer of such, leads to.
static const struct type *function_type(const struct type *type, unsigned *levels)
{
    *levels = 0;
    while (type && (type->kind == TYPE_POINTER || type->kind == TYPE_ARRAY)) {
        *levels += type->kind == TYPE_POINTER;
        type = type->target;
    }
    return type && type->kind == TYPE_FUNCTION ? type : NULL;
}

static const struct type *slot_type(const struct program *program, const struct slot *slot)
{
    const struct function *function;
    switch (slot->kind) {
    case SLOT_VARIABLE: return program->variables[slot->owner].type;
    case SLOT_FIELD: return slot->record->fields[slot->index].type;
    case SLOT_PARAMETER:
        function = &program->functions[slot->owner];
        return slot->index < function->param_count ? function->params[slot->index].type : NULL;
    case SLOT_RESULT: return program->functions[slot->owner].type->target;
    default: return NULL;
    }
}

// clang calls `struct ops` and a typedef of a record without a tag struct.ops.
static uint32_t field_slot(const struct facts *facts, const struct slot *slot)
{
    const struct type *record = slot->record;
    bool is_union = record->kind == TYPE_UNION;
    const char *name = record->spelling;
    struct buf key = BUF_INIT;
    uint64_t found;
    if (!name || !record->nameable)
        return NONE;
    if (strncmp(name, "struct ", 7) == 0 || strncmp(name, "union ", 6) == 0)
        name = strchr(name, ' ') + 1;
    buf_printf(&key, "%s.%s+%llu", is_union ? "union" : "struct", name,
               is_union ? 0ull : (unsigned long long)record->fields[slot->index].offset_bits / 8);
    bool known = map_get_text(&facts->fields, key.data, &found);
    buf_release(&key);
    return known ? (uint32_t)found : NONE;
}

static uint32_t parameter_slot(const struct facts *facts, const struct symbol *function,
                               size_t index, unsigned levels)
{
    const struct body *body = facts->bodies.items[function->bodies.items[0]];
    for (uint32_t i = 0; i < body->parameters.count; i++)
        if (body->parameters.items[i].kind == PARAMETER_PLAIN &&
            body->parameters.items[i].index == index)
            return function->slot + 2 + 2 * i + (levels > 1);
    return NONE;
}

// The project's slot for one of the program, NONE: not known there.
static uint32_t find_slot(const struct adder *a, const struct slot *slot, unsigned levels)
{
    const struct program *program = a->program;
    const struct symbol *symbol;
    switch (slot->kind) {
    case SLOT_VARIABLE:
        if (program->variables[slot->owner].function)
            return NONE;
        symbol = symbol_find(a->facts, program->variables[slot->owner].name, program->source);
        return symbol && !symbol->is_function ? symbol->slot : NONE;
    case SLOT_FIELD: return field_slot(a->facts, slot);
    case SLOT_PARAMETER:
    case SLOT_RESULT:
        symbol =
            symbol_find(a->facts, program->functions[slot->owner].source_name, program->source);
        if (!symbol || !symbol->bodies.count)
            return NONE;
        return slot->kind == SLOT_RESULT ? symbol->slot + (levels > 1)
                                         : parameter_slot(a->facts, symbol, slot->index, levels);
    default: return NONE;
    }
}

// ---- signatures ----

static bool put_type(const struct type *type, bool result, struct buf *out)
{
    switch (type->kind) {
    case TYPE_VOID: buf_puts(out, "void"); return result;
    case TYPE_BOOL: buf_puts(out, "i1"); return true;
    case TYPE_INT:
    case TYPE_ENUM: buf_printf(out, "i%llu", (unsigned long long)type->size * 8); return true;
    case TYPE_FLOAT:
        buf_puts(out, type->size == 4 ? "float" : type->size == 8 ? "double" : "x86_fp80");
        return true;
    case TYPE_POINTER: buf_puts(out, "ptr"); return true;
    default: return false; // records travel in many ways
    }
}

// As LLVM prints the type; false: not to be told from here.
static bool signature_of(const struct type *function, struct buf *out)
{
    bool good = put_type(function->target, true, out);
    buf_puts(out, " (");
    for (size_t i = 0; good && i < function->param_count; i++) {
        buf_puts(out, i ? ", " : "");
        good = put_type(function->params[i], false, out);
    }
    buf_puts(out, function->variadic && function->param_count ? ", ...)" : ")");
    return good && !(function->variadic && !function->param_count);
}

static bool fits(const struct symbol *symbol, const char *signature)
{
    return !signature || !symbol->signature || strcmp(symbol->signature, signature) == 0;
}

// ---- functions ----

static bool has_word(const char *text, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = text ? strstr(text, word) : NULL; at; at = strstr(at + 1, word)) {
        bool starts = at == text || (!isalnum((unsigned char)at[-1]) && at[-1] != '_');
        bool ends = !isalnum((unsigned char)at[length]) && at[length] != '_';
        if (starts && ends)
            return true;
    }
    return false;
}

static size_t find_function(const struct adder *a, const struct symbol *symbol)
{
    const struct program *program = a->program;
    bool here =
        symbol->file != NONE && strcmp(a->facts->files[symbol->file].path, program->source) == 0;
    size_t found = SIZE_MAX;
    for (size_t i = 0; i < program->function_count; i++) {
        const struct function *f = &program->functions[i];
        bool same = !f->is_candidate && strcmp(f->source_name, symbol->name) == 0 &&
                    (symbol->is_static ? here && f->is_static : !f->is_static);
        if (same && (f->defined || found == SIZE_MAX)) // --unit function has both
            found = i;
    }
    return found;
}

// Another static function of the same name may be a candidate already.
static bool is_taken(const struct program *program, const char *name)
{
    for (size_t i = program->function_count; i-- > 0 && program->functions[i].is_candidate;)
        if (strcmp(program->functions[i].name, name) == 0)
            return true;
    return false;
}

static struct function *more_functions(struct adder *a)
{
    struct program *program = a->program;
    if (program->function_count < a->room)
        return program->functions;
    a->room = program->function_count + program->function_count / 2 + 64;
    struct function *list = arena_array(&program->arena, struct function, a->room);
    memcpy(list, program->functions, program->function_count * sizeof *list);
    return program->functions = list;
}

static size_t add_function(struct adder *a, const struct symbol *symbol, const struct type *type)
{
    struct program *program = a->program;
    const char *name = arena_strdup(&program->arena, symbol->name);
    const char *own = name;
    for (unsigned n = 1; has_word(program->unit_text, own) || is_taken(program, own); n++)
        own = arena_printf(&program->arena, "other%u_%s", n, name);
    struct function *list = more_functions(a);
    const char *path = symbol->file != NONE ? a->facts->files[symbol->file].path : NULL;
    list[program->function_count] = (struct function){
        .name = own,
        .source_name = name,
        .type = (struct type *)type,
        .is_static = symbol->is_static || own != name,
        .is_candidate = true,
        .symbol = symbol->is_static || own != name
                      ? arena_printf(&program->arena, "czf%u_%s", symbol->file, name)
                      : NULL,
        .defined_in = path ? arena_strdup(&program->arena, path) : NULL,
    };
    return program->function_count++;
}

static size_t function_of(struct adder *a, uint32_t symbol, const struct type *type)
{
    uint64_t known;
    if (map_get(&a->known, symbol + 1, &known))
        return (size_t)known - 1;
    size_t index = find_function(a, &a->facts->symbols.items[symbol]);
    if (index == SIZE_MAX)
        index = add_function(a, &a->facts->symbols.items[symbol], type);
    map_put(&a->known, symbol + 1, index + 1);
    return index;
}

// ---- pointers ----

static void add_index(struct program *program, size_t **list, size_t *count, size_t index)
{
    for (size_t i = 0; i < *count; i++)
        if ((*list)[i] == index)
            return;
    size_t *longer = arena_array(&program->arena, size_t, *count + 1);
    if (*count)
        memcpy(longer, *list, *count * sizeof **list);
    longer[(*count)++] = index;
    *list = longer;
}

// Functions that this file does not even declare are stubs in it, one as good as the other:
// an interpreter has hundreds, and each would cost its share of every driver.
static bool has_room_for(const struct adder *a, const struct pointer_candidates *pointer,
                         uint32_t symbol)
{
    size_t others = 0;
    for (size_t i = 0; i < pointer->function_count; i++)
        others += a->program->functions[pointer->functions[i]].is_candidate;
    return others < FACTS_CANDIDATES ||
           find_function(a, &a->facts->symbols.items[symbol]) != SIZE_MAX;
}

static void add_candidate(struct adder *a, struct pointer_candidates *pointer, uint32_t symbol,
                          const struct type *type)
{
    if (!has_room_for(a, pointer, symbol)) {
        a->cut = true;
        return;
    }
    size_t index = function_of(a, symbol, type);
    add_index(a->program, &pointer->functions, &pointer->function_count, index);
}

static int compare_symbols(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static bool add_held(struct adder *a, struct pointer_candidates *pointer, uint32_t top,
                     const struct type *type, const char *signature)
{
    VEC(uint32_t) symbols = {0};
    for (size_t i = 0; i < a->facts->slots.items[top].holds.count; i++) {
        uint32_t symbol = slot_address(a->facts, top, i)->symbol;
        const struct symbol *held = &a->facts->symbols.items[symbol];
        if (held->is_function && (fits(held, signature) || !held->defined))
            *VEC_PUSH(&symbols) = symbol;
    }
    if (symbols.count)
        qsort(symbols.items, symbols.count, sizeof *symbols.items, compare_symbols);
    if (symbols.count && pointer->by_signature) { // better is known now
        pointer->function_count = 0;
        pointer->by_signature = false;
    }
    for (size_t i = 0; i < symbols.count; i++)
        add_candidate(a, pointer, symbols.items[i], type);
    bool found = symbols.count > 0;
    VEC_RELEASE(&symbols);
    return found;
}

static void add_by_signature(struct adder *a, struct pointer_candidates *pointer,
                             const struct type *type, const char *signature)
{
    for (uint32_t i = 0; signature && i < a->facts->symbols.count; i++) {
        const struct symbol *symbol = &a->facts->symbols.items[i];
        if (!symbol->is_function || !symbol->defined || !symbol->address_taken ||
            !symbol->signature || strcmp(symbol->signature, signature) != 0)
            continue;
        add_candidate(a, pointer, i, type);
        pointer->by_signature = true;
    }
}

// Is everybody known who may put something there? In a program, not in a library.
static bool is_closed(const struct adder *a, uint32_t top, const char *signature)
{
    if (!a->facts->has_main || a->facts->notes.count || !signature ||
        a->facts->slots.items[top].open)
        return false;
    for (size_t i = 0; i < a->facts->symbols.count; i++)
        if (a->facts->symbols.items[i].stray && fits(&a->facts->symbols.items[i], signature))
            return false;
    return true;
}

static void add_to(struct adder *a, struct pointer_candidates *pointer)
{
    unsigned levels;
    struct buf text = BUF_INIT;
    const struct type *type = function_type(slot_type(a->program, &pointer->slot), &levels);
    if (!type)
        return;
    const char *signature = signature_of(type, &text) ? buf_text(&text) : NULL;
    uint32_t slot = find_slot(a, &pointer->slot, levels);
    uint32_t top = slot != NONE ? slot_top(a->facts, slot) : NONE;
    a->cut = false;
    bool found = top != NONE && add_held(a, pointer, top, type, signature);
    if (!found && pointer->called && (!pointer->function_count || pointer->by_signature))
        add_by_signature(a, pointer, type, signature);
    if (top != NONE && is_closed(a, top, signature))
        pointer->open = false;
    pointer->open |= a->cut;
    buf_release(&text);
}

static void reach_anew(struct program *program)
{
    struct closure *closure = closure_new(program);
    for (size_t i = 0; i < program->task_count; i++)
        if (program->tasks[i].entry != TASK_ENTRY_ELSEWHERE)
            closure_task(closure, program->tasks[i].entry, &program->tasks[i]);
    closure_free(closure);
}

void facts_add_candidates(const struct facts *facts, struct program *program)
{
    // Looking up a slot shortens its way: nothing that others could see changes.
    struct adder a = {.facts = (struct facts *)facts, .program = program};
    map_init(&a.known);
    for (size_t i = 0; i < program->pointer_count; i++)
        add_to(&a, &program->pointers[i]);
    reach_anew(program);
    map_release(&a.known);
}
