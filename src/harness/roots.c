// SPDX-License-Identifier: Apache-2.0
// Where inputs begin: parameters, variables, what stubs do, decisions of the driver. Whoever writes
// code that asks for one takes its place from here, by which the schema of the task knows it.
#include "harness/emit.h"

#include <assert.h>
#include <string.h>

static size_t enter(struct scope *s, struct schema_root root)
{
    root.program = s->emitter->program;
    root.length = SCHEMA_NO_ROOT;
    root.repeated = s->turn != NULL;
    if (root.type)
        root.depth = plan_depth(s->emitter, root.type);
    return schema_roots_add(&s->piece->roots, &root);
}

// C: the place of a root, in a task that is called again that of this call.
static const char *place_of(const struct scope *s, const struct input_root *root)
{
    struct arena *arena = s->emitter->arena;
    const char *text = input_root_text(root, arena);
    if (s->turn)
        return arena_printf(arena, "cz_turn(%s, \"%s\")", s->turn, text);
    return arena_printf(arena, "cz_root(\"%s\")", text);
}

static const char *enter_place(struct scope *s, struct schema_root root)
{
    enter(s, root);
    return place_of(s, &root.root);
}

// ---- parameters ----

static struct input_root parameter_root(struct scope *s, struct caller by,
                                        const struct function *function, size_t index)
{
    const char *name = function->params[index].name;
    struct input_root root = input_root_of(
        INPUT_PARAMETER, *name ? name : arena_printf(s->emitter->arena, "#%zu", index));
    root.caller = by.kind;
    root.caller_number = by.number;
    return root;
}

static const char *parameter_words(struct scope *s, struct caller by,
                                   const struct function *function, size_t index)
{
    static const char *const when[] = {
        [INPUT_OF_TASK] = "",
        [INPUT_OF_SETTER] = ", which is called before",
        [INPUT_OF_CONSTRUCTOR] = ", which makes an object",
    };
    struct arena *arena = s->emitter->arena;
    const char *name = function->params[index].name;
    return arena_printf(arena, "parameter %s of %s()%s",
                        *name ? name : arena_printf(arena, "%zu", index + 1), function->source_name,
                        when[by.kind]);
}

const char *root_parameter(struct scope *s, struct caller by, const struct function *function,
                           size_t index, const struct type *type, unsigned elements)
{
    size_t owner = (size_t)(function - s->emitter->program->functions);
    return enter_place(s, (struct schema_root){
                              .root = parameter_root(s, by, function, index),
                              .type = type,
                              .slot = {.kind = SLOT_PARAMETER, .owner = owner, .index = index},
                              .words = parameter_words(s, by, function, index),
                              .elements = elements,
                          });
}

static size_t find_parameter(struct scope *s, struct caller by, const struct function *function,
                             size_t index)
{
    const struct input_path wanted = input_path_of(parameter_root(s, by, function, index));
    for (size_t i = 0; i < s->piece->roots.count; i++) {
        const struct schema_root *root = &s->piece->roots.items[i];
        const struct input_path path = input_path_of(root->root);
        if (input_path_equal(&path, &wanted) &&
            root->slot.owner == (size_t)(function - s->emitter->program->functions))
            return i;
    }
    return SCHEMA_NO_ROOT;
}

void root_pair_lengths(struct scope *s, struct caller by, const struct function *function)
{
    for (size_t i = 0; i < function->pair_count; i++) {
        const struct parameter_pair *pair = &function->pairs[i];
        size_t pointer = find_parameter(s, by, function, pair->pointer);
        if (pair->kind != PAIR_END && !pair->is_suggested && pointer != SCHEMA_NO_ROOT)
            s->piece->roots.items[pointer].length = find_parameter(s, by, function, pair->other);
    }
}

// ---- variables, the C library, weak symbols ----

const char *root_variable(struct scope *s, size_t index)
{
    struct emitter *e = s->emitter;
    const struct variable *variable = &e->program->variables[index];
    struct input_root root = input_root_of(INPUT_GLOBAL, variable->name);
    root.file = variable->of_file;
    return enter_place(
        s, (struct schema_root){
               .root = root,
               .type = variable->type,
               .slot = {.kind = SLOT_VARIABLE, .owner = index},
               .words = arena_printf(e->arena, "global %s%s%s", variable->name,
                                     root.file ? " of " : "", root.file ? root.file : ""),
           });
}

const char *root_variable_after(const struct scope *s, size_t index)
{
    const struct variable *variable = &s->emitter->program->variables[index];
    struct input_root root = input_root_of(INPUT_GLOBAL, variable->name);
    root.file = variable->of_file;
    return place_of(s, &root);
}

// No variable has the name of a keyword.
const char *root_result(const struct scope *s)
{
    struct input_root root = input_root_of(INPUT_GLOBAL, "return");
    return place_of(s, &root);
}

const char *root_library(struct scope *s, const struct variable *variable)
{
    return enter_place(s, (struct schema_root){
                              .root = input_root_of(INPUT_LIBRARY, variable->name),
                              .type = variable->type,
                              .words = arena_printf(s->emitter->arena,
                                                    "variable %s of the C library", variable->name),
                          });
}

const char *root_weak(struct scope *s, const char *symbol)
{
    return enter_place(
        s, (struct schema_root){
               .root = input_root_of(INPUT_WEAK, symbol),
               .words = arena_printf(s->emitter->arena, "which definition of %s is used", symbol),
           });
}

// ---- decisions ----

const char *root_decision(struct scope *s, enum input_root_kind kind, const char *words)
{
    return enter_place(s, (struct schema_root){.root = input_root_word(kind), .words = words});
}

void root_declare(struct scope *s, struct input_root root, unsigned elements, const char *words)
{
    enter(s, (struct schema_root){.root = root, .elements = elements, .words = words});
}

// ---- stubs ----

const char *root_stub_call(struct scope *s, const struct function *function)
{
    return arena_printf(s->emitter->arena, "cz_call(\"%s\")", function->source_name);
}

static const char *stub_words(struct scope *s, const struct function *function, const char *part)
{
    struct arena *arena = s->emitter->arena;
    if (strcmp(part, "return") == 0)
        return arena_printf(arena, "result of %s()", function->source_name);
    if (strcmp(part, "errno") == 0)
        return arena_printf(arena, "errno after %s()", function->source_name);
    if (strcmp(part, "other") == 0)
        return arena_printf(arena, "whether %s() returns anything but fresh memory",
                            function->source_name);
    return arena_printf(arena, "%s as %s() leaves it", part, function->source_name);
}

const char *root_stub_part(struct scope *s, const struct function *function, const char *call,
                           const char *part, const struct type *type, struct slot slot)
{
    enter(s, (struct schema_root){
                 .root = input_root_of(INPUT_STUB, function->source_name),
                 .part = part,
                 .type = type,
                 .slot = slot,
                 .words = stub_words(s, function, part),
             });
    return arena_printf(s->emitter->arena, "cz_part(%s, \"%s\")", call, part);
}

static void find_callees(struct scope *s, size_t index, struct map *seen)
{
    const struct emitter *e = s->emitter;
    const struct function *function = &e->program->functions[index];
    uint64_t stub;
    if (map_get(seen, index + 1, &stub))
        return;
    map_put(seen, index + 1, 1);
    if (map_get(&e->stubs, index + 1, &stub))
        *VEC_PUSH(&s->piece->stubs) = stub - 1;
    for (size_t i = 0; i < function->callee_count; i++)
        find_callees(s, function->callees[i], seen);
}

void root_callees(struct scope *s, size_t function)
{
    struct map seen;
    map_init(&seen);
    find_callees(s, function, &seen);
    map_release(&seen);
}

// ---- the schemas ----

// The drive function's own come first, so that their numbers stay.
static void collect(struct emitter *e, size_t task, size_t index, schema_roots *roots)
{
    struct piece *piece = e->pieces.items[index];
    if (piece->asked == task + 1)
        return;
    piece->asked = task + 1;
    for (size_t i = 0; i < piece->roots.count; i++) {
        size_t at = schema_roots_add(roots, &piece->roots.items[i]);
        assert(at == i || piece->roots.items[i].length == SCHEMA_NO_ROOT);
        (void)at;
    }
    for (size_t i = 0; i < piece->uses.count; i++)
        collect(e, task, piece->uses.items[i], roots);
    for (size_t i = 0; i < piece->stubs.count; i++)
        collect(e, task, piece->stubs.items[i], roots);
}

static void fill_schema(struct emitter *e, size_t task, struct schema *schema)
{
    schema_roots roots = {0};
    uint64_t drive = 0;
    map_get(&e->drives, task + 1, &drive);
    collect(e, task, drive - 1, &roots);
    schema->program = e->program;
    schema->elements = e->options->elements;
    schema->depth = e->options->depth;
    call_sequence_bounds(e, &e->program->tasks[task], &schema->calls, &schema->most_calls);
    schema->root_count = roots.count;
    schema->roots = arena_array(e->arena, struct schema_root, roots.count + 1);
    if (roots.count)
        memcpy(schema->roots, roots.items, roots.count * sizeof *roots.items);
    VEC_RELEASE(&roots);
}

void roots_collect(struct emitter *e, struct harness *out)
{
    out->schema_count = e->program->task_count;
    out->schemas = arena_array(e->arena, struct schema, out->schema_count + 1);
    for (size_t t = 0; t < out->schema_count; t++)
        fill_schema(e, t, &out->schemas[t]);
}
