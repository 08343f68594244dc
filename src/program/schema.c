// SPDX-License-Identifier: Apache-2.0
// What is at a path: the root is looked up, then the C types are followed link by link.
//
// A pointer may be filled as another type than its own: a void * as what the code converts it to,
// a pointer to the head of other records as one of those. Where the harness has a choice, a part of
// the path names the type; where it has none, the path does not tell. So all of them are tried.
#include "program/schema.h"

#include <assert.h>
#include <string.h>

static const struct type type_byte = {.kind = TYPE_INT,
                                      .spelling = "unsigned char",
                                      .is_char = true,
                                      .complete = true,
                                      .size = 1,
                                      .align = 1};

// ---- roots ----

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

// Whatever the number of the call, of the task or of the stub.
static bool is_same_root(const struct input_root *a, const struct input_root *b)
{
    return a->kind == b->kind && a->caller == b->caller && a->caller_number == b->caller_number &&
           same_text(a->name, b->name) && same_text(a->file, b->file);
}

size_t schema_roots_add(schema_roots *roots, const struct schema_root *root)
{
    assert(root->root.kind > INPUT_NOWHERE && root->root.kind < INPUT_ROOT_KINDS);
    assert(root->root.name && root->words && root->program);
    for (size_t i = 0; i < roots->count; i++) {
        const struct schema_root *known = &roots->items[i];
        if (is_same_root(&known->root, &root->root) && same_text(known->part, root->part) &&
            known->type == root->type)
            return i;
    }
    *VEC_PUSH(roots) = *root;
    return roots->count - 1;
}

void schema_join(const struct schema *const *parts, size_t count, const struct program *unit,
                 struct arena *arena, struct schema *out)
{
    size_t total = 0;
    assert(count > 0);
    *out = *parts[0];
    out->program = unit;
    for (size_t i = 0; i < count; i++)
        total += parts[i]->root_count;
    out->roots = arena_array(arena, struct schema_root, total + 1);
    out->root_count = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < parts[i]->root_count; k++) {
            struct schema_root *root = &out->roots[out->root_count];
            *root = parts[i]->roots[k];
            if (root->length != SCHEMA_NO_ROOT)
                root->length += out->root_count - k;
            out->root_count++;
        }
}

static bool begins_with(const struct input_path *path, const struct schema_root *root)
{
    return is_same_root(&path->root, &root->root) &&
           same_text(input_path_stub_part(path), root->part) &&
           (path->root.call == 1 || root->repeated);
}

// ---- types ----

struct walk {
    const struct program *program;
    const struct type *type;
    const struct field *field;
    struct slot slot;
    unsigned pointers; // followed
};

static bool is_record(const struct type *type)
{
    return type->kind == TYPE_STRUCT || type->kind == TYPE_UNION;
}

// Members of anonymous records are reached directly.
static bool find_member(struct walk *w, const struct type *record, const char *name)
{
    for (size_t i = 0; is_record(record) && i < record->field_count; i++) {
        const struct field *field = &record->fields[i];
        if (field->anonymous_record && find_member(w, field->type, name))
            return true;
        if (field->anonymous_record || strcmp(field->name, name) != 0)
            continue;
        w->slot = (struct slot){.kind = SLOT_FIELD,
                                .record = record->canonical ? record->canonical : record,
                                .index = i};
        w->type = field->type;
        w->field = field;
        return true;
    }
    return false;
}

static bool leads_somewhere(const struct type *type)
{
    return type->kind == TYPE_POINTER || type->kind == TYPE_ARRAY;
}

static void follow(struct walk *w)
{
    w->pointers += w->type->kind == TYPE_POINTER;
    w->type = w->type->target;
    w->field = NULL;
}

// [i] of a pointer to functions that a stub calls is its argument number i.
static bool step_index(struct walk *w, uint32_t index)
{
    const struct type *type = w->type;
    if (type->kind == TYPE_POINTER && type->target->kind == TYPE_FUNCTION) {
        if (index >= type->target->param_count)
            return false;
        *w = (struct walk){.program = w->program, .type = type->target->params[index]};
        return true;
    }
    if (!leads_somewhere(type))
        return false;
    follow(w);
    return true;
}

static bool step(struct walk *w, const struct input_link *link)
{
    switch (link->kind) {
    case INPUT_FIELD: return find_member(w, w->type, link->name);
    case INPUT_ARROW:
        if (!leads_somewhere(w->type))
            return false;
        follow(w);
        return find_member(w, w->type, link->name);
    case INPUT_INDEX: return step_index(w, link->index);
    case INPUT_ANY:
    case INPUT_DEREF:
        if (!leads_somewhere(w->type))
            return false;
        follow(w);
        return true;
    default: return false;
    }
}

// ---- pointers as other types ----

static const struct pointer_candidates *facts_of(const struct walk *w)
{
    uint64_t key = program_slot_key(&w->slot);
    for (size_t i = 0; key && i < w->program->pointer_count; i++)
        if (program_slot_key(&w->program->pointers[i].slot) == key)
            return &w->program->pointers[i];
    return NULL;
}

// The types that the code converts this pointer to; the first one is number 0. NULL: no more.
static const struct type *view_of(const struct walk *w, size_t number)
{
    if (w->type->kind != TYPE_POINTER)
        return NULL;
    const struct type *target = w->type->target;
    const struct type *record = target->canonical ? target->canonical : target;
    const struct pointer_candidates *facts = facts_of(w);
    size_t casts = facts ? facts->cast_count : 0;
    if (number < casts)
        return facts->casts[number];
    return number - casts < record->whole_count ? record->wholes[number - casts] : NULL;
}

// "struct_box" is what a part calls the type "const struct box".
static bool is_word_of(const char *word, const char *spelling)
{
    static const char *const qualifiers[] = {"const ", "volatile "};
    for (size_t i = 0; i < sizeof qualifiers / sizeof *qualifiers; i++)
        if (strncmp(spelling, qualifiers[i], strlen(qualifiers[i])) == 0)
            return is_word_of(word, spelling + strlen(qualifiers[i]));
    size_t i = 0;
    for (; word[i] && spelling[i]; i++)
        if (word[i] != spelling[i] && word[i] != '_')
            return false;
    return !word[i] && (!spelling[i] || spelling[i] == ' ');
}

static bool is_named(const struct type *pointer, const char *word)
{
    return pointer->target && pointer->target->spelling &&
           is_word_of(word, pointer->target->spelling);
}

// ---- the end of a path ----

static bool is_scalar(const struct type *type)
{
    return type->kind == TYPE_BOOL || type->kind == TYPE_INT || type->kind == TYPE_ENUM ||
           type->kind == TYPE_FLOAT;
}

// An array in one input: one element of it. What has no scalars for elements is bytes.
static void end_in_array(struct schema_thing *out)
{
    const struct type *type = out->type;
    if (type->kind == TYPE_POINTER)
        type = type->target;
    while (type->kind == TYPE_ARRAY)
        type = type->target;
    bool scalar = is_scalar(type);
    out->nature = scalar ? SCHEMA_OBJECT : SCHEMA_BYTES;
    out->type = scalar ? type : &type_byte;
    out->field = NULL;
}

static bool end_here(const struct walk *w, const struct input_path *path, struct schema_thing *out)
{
    bool pointer = w->type->kind == TYPE_POINTER;
    out->type = w->type;
    out->field = w->field;
    out->depth_left = w->pointers < out->depth_left ? out->depth_left - w->pointers : 0;
    if (w->pointers && w->type->count)
        out->most_elements = (unsigned)w->type->count;
    if (!pointer)
        out->depth_left = out->most_elements = 0;
    if (path->says == INPUT_SHAPE)
        return pointer;
    if (path->says == INPUT_VALUE && path->elements == 1 && !pointer && !is_scalar(w->type)) {
        out->nature = SCHEMA_BYTES;
        out->type = &type_byte;
    }
    if (path->elements > 1)
        end_in_array(out);
    return true;
}

static bool walk_links(struct walk w, const struct input_path *path, size_t from,
                       struct schema_thing *out);

// A part that names no type is a decision of the driver, or bytes.
static bool end_in_part(const struct input_path *path, struct schema_thing *out)
{
    out->nature = path->elements > 1 ? SCHEMA_BYTES : SCHEMA_DECISION;
    out->type = path->elements > 1 ? &type_byte : NULL;
    out->field = NULL;
    out->most_elements = out->depth_left = 0;
    return path->says != INPUT_SHAPE;
}

static bool walk_part(const struct walk *w, const struct input_path *path, size_t from,
                      struct schema_thing *out)
{
    const char *word = path->links[from].name;
    const struct type *view = w->type;
    for (size_t i = 0; view; view = view_of(w, i++)) {
        struct walk inner = *w;
        struct schema_thing found = *out;
        inner.type = view;
        if (is_named(view, word) && walk_links(inner, path, from + 1, &found)) {
            *out = found;
            return true;
        }
    }
    return end_in_part(path, out);
}

static bool walk_as(struct walk w, const struct type *type, const struct input_path *path,
                    size_t from, struct schema_thing *out)
{
    w.type = type;
    if (from == path->link_count)
        return end_here(&w, path, out);
    return step(&w, &path->links[from]) && walk_links(w, path, from + 1, out);
}

// By its own type first; as bytes only if no type that it is converted to says more.
static bool walk_links(struct walk w, const struct input_path *path, size_t from,
                       struct schema_thing *out)
{
    if (from < path->link_count && path->links[from].kind == INPUT_PART)
        return walk_part(&w, path, from, out);
    struct schema_thing first = *out;
    bool found = walk_as(w, w.type, path, from, &first);
    const struct type *view = found && first.nature == SCHEMA_OBJECT ? NULL : view_of(&w, 0);
    for (size_t i = 1; view; view = view_of(&w, i++)) {
        struct schema_thing other = *out;
        if (walk_as(w, view, path, from, &other) && other.nature == SCHEMA_OBJECT) {
            *out = other;
            return true;
        }
    }
    if (found)
        *out = first;
    return found;
}

// ---- what a path is about ----

static bool resolve_below(const struct schema *schema, const struct schema_root *root,
                          const struct input_path *path, struct schema_thing *out)
{
    struct walk w = {.program = root->program, .type = root->type, .slot = root->slot};
    size_t from = root->part ? 1 : 0;
    *out =
        (struct schema_thing){.nature = SCHEMA_OBJECT,
                              .root = root,
                              .elements = path->elements,
                              .most_elements = root->elements ? root->elements : schema->elements,
                              .depth_left = root->depth};
    if (root->type)
        return walk_links(w, path, from, out);
    return end_in_part(path, out) && path->link_count == from;
}

static bool resolve_root(const struct schema *schema, const struct input_path *path,
                         struct schema_thing *out)
{
    for (size_t i = 0; i < schema->root_count; i++)
        if (begins_with(path, &schema->roots[i]) &&
            resolve_below(schema, &schema->roots[i], path, out))
            return true;
    return false;
}

// A variable's read, by the links of its path. "function.name" is a static local of it.
static bool resolve_variable(const struct schema *schema, const struct input_path *path,
                             struct schema_thing *out)
{
    const struct program *program = schema->program;
    const char *name = path->root.name;
    bool inner = path->link_count && path->links[0].kind == INPUT_FIELD;
    for (size_t i = 0; i < program->variable_count; i++) {
        const struct variable *v = &program->variables[i];
        bool local = v->function && inner && !strcmp(v->function, name) &&
                     !strcmp(v->name, path->links[0].name);
        struct walk w = {.program = program, .type = v->type};
        *out = (struct schema_thing){.nature = SCHEMA_OBJECT, .elements = path->elements};
        if ((local || (!v->function && !strcmp(v->name, name))) &&
            walk_links(w, path, local ? 1 : 0, out))
            return true;
    }
    return false;
}

// RECORD->member, of a record somewhere.
static bool resolve_record(const struct schema *schema, const struct input_path *path,
                           struct schema_thing *out)
{
    const struct program *program = schema->program;
    bool arrow = path->link_count && path->links[0].kind == INPUT_ARROW;
    for (size_t i = 0; arrow && i < program->type_count; i++) {
        const struct type *type = program->types[i];
        const char *tag = strchr(type->spelling, ' ');
        struct walk w = {.program = program, .type = type};
        *out = (struct schema_thing){.nature = SCHEMA_OBJECT, .elements = path->elements};
        if (is_record(type) && !strcmp(tag ? tag + 1 : type->spelling, path->root.name) &&
            find_member(&w, type, path->links[0].name) && walk_links(w, path, 1, out))
            return true;
    }
    return false;
}

static const struct function *find_function(const struct program *program, const char *name)
{
    for (size_t i = 0; i < program->function_count; i++)
        if (strcmp(program->functions[i].source_name, name) == 0)
            return &program->functions[i];
    return NULL;
}

// A call of the C library, or one through a pointer: what it returns, whether it fails, and how.
static bool resolve_call(const struct schema *schema, const struct input_path *path,
                         struct schema_thing *out)
{
    const struct function *function = find_function(schema->program, path->root.name);
    const char *part = input_path_stub_part(path);
    struct walk w = {.program = schema->program};
    *out = (struct schema_thing){.nature = SCHEMA_OBJECT, .elements = path->elements};
    // The driver's own calls may fail, too: of malloc() for what a stub hands out.
    if (part && (strcmp(part, "fails") == 0 || strcmp(part, "errno") == 0))
        return end_in_part(path, out);
    if (!function || !part)
        return false;
    if (strcmp(part, "return") != 0)
        return end_in_part(path, out);
    w.type = function->type->target;
    return walk_links(w, path, 1, out);
}

// Asked for by the code under test, not by a driver.
static bool resolve_runtime(const struct schema *schema, const struct input_path *path,
                            struct schema_thing *out)
{
    *out = (struct schema_thing){.nature = SCHEMA_BYTES, .type = &type_byte};
    out->elements = path->elements;
    switch (path->root.kind) {
    case INPUT_STDIN:
    case INPUT_DESCRIPTOR:
    case INPUT_FILE:
    case INPUT_ENVIRONMENT:
    case INPUT_SIGNAL:
    case INPUT_ARGC:
    case INPUT_ARGV:
    case INPUT_LIBRARY: {
        bool content = path->elements > 1 || path->says == INPUT_SHAPE;
        out->nature = content ? SCHEMA_BYTES : SCHEMA_DECISION;
        out->type = content ? &type_byte : NULL;
        return true;
    }
    case INPUT_INTERRUPT:
    case INPUT_MORE_CALLS:
    case INPUT_BOUND:
        out->nature = SCHEMA_DECISION;
        out->type = NULL;
        return true;
    case INPUT_ASSEMBLY: return true;
    case INPUT_STUB: return resolve_call(schema, path, out);
    case INPUT_GLOBAL: return resolve_variable(schema, path, out);
    case INPUT_DEVICE:
        if (!resolve_variable(schema, path, out) && !resolve_record(schema, path, out))
            *out = (struct schema_thing){.nature = SCHEMA_BYTES,
                                         .type = &type_byte,
                                         .elements = path->elements}; // a register by its address
        return true;
    default: return false;
    }
}

bool schema_resolve(const struct schema *schema, const struct input_path *path,
                    struct schema_thing *out)
{
    return resolve_root(schema, path, out) || resolve_runtime(schema, path, out);
}

const struct schema_root *schema_find_root(const struct schema *schema,
                                           const struct input_path *path)
{
    struct schema_thing thing;
    if (resolve_root(schema, path, &thing))
        return thing.root;
    for (size_t i = 0; i < schema->root_count; i++)
        if (begins_with(path, &schema->roots[i]))
            return &schema->roots[i];
    return NULL;
}
