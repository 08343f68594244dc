// SPDX-License-Identifier: Apache-2.0
// Calls of functions of the unit: a local variable per parameter, filled from inputs, and
// the call itself.
#include "harness/emit.h"

#include <string.h>

// What a void * is converted to, if that is one type.
static const struct type *only_cast(struct emitter *e, const struct type *type, uint64_t slot)
{
    const struct pointer_candidates *facts = pointer_facts(e, slot);
    if (type->kind != TYPE_POINTER || type->target->kind != TYPE_VOID || !facts ||
        facts->cast_count != 1)
        return NULL;
    const struct type *cast = facts->casts[0];
    bool usable = cast->target->kind != TYPE_FUNCTION && cast->target->complete;
    return usable && names_sayable(cast) ? cast : NULL;
}

// An array or function parameter is a pointer; so is one whose type cannot be
// written down here (int a[n][m]): then to the first thing in it that can.
static const struct type *parameter_type(struct emitter *e, const struct type *type, uint64_t slot,
                                         unsigned *count)
{
    *count = 0;
    const struct type *cast = only_cast(e, type, slot);
    if (cast)
        return cast;
    if (type->kind == TYPE_POINTER && names_is_va_tag(type->target)) {
        struct type *list = arena_new(e->arena, struct type);
        *list = (struct type){.kind = TYPE_ARRAY,
                              .spelling = "__builtin_va_list",
                              .count = 1,
                              .complete = true,
                              .target = type->target};
        return list;
    }
    if (type->kind == TYPE_ARRAY) {
        *count = type->variable_length ? 0 : (unsigned)type->count;
    } else if (type->kind == TYPE_FUNCTION) {
        struct type *pointer = arena_new(e->arena, struct type);
        *pointer = (struct type){.kind = TYPE_POINTER,
                                 .spelling = "void *",
                                 .size = 8,
                                 .complete = true,
                                 .target = (struct type *)type};
        return pointer;
    } else if (type->kind == TYPE_POINTER) {
        *count = (unsigned)type->count; // it was written as an array
    }
    if (type->kind != TYPE_ARRAY && (type->kind != TYPE_POINTER || names_sayable(type)))
        return type;
    const struct type *element = type->target;
    while (element->kind == TYPE_ARRAY && !names_sayable(element))
        element = element->target;
    struct type *pointer = arena_new(e->arena, struct type);
    bool named = names_sayable(element);
    if (!named && element->size) // as bytes
        *count = (unsigned)element->size * e->options->elements;
    const char *spelling = !named ? "void *"
                           : strpbrk(element->spelling, "([")
                               ? arena_printf(e->arena, "__typeof__(%s) *", element->spelling)
                               : arena_printf(e->arena, "%s *", element->spelling);
    static const struct type nothing = {.kind = TYPE_VOID, .spelling = "void"};
    *pointer = (struct type){.kind = TYPE_POINTER,
                             .spelling = spelling,
                             .size = type->size,
                             .complete = true,
                             .target = (struct type *)(named ? element : &nothing)};
    return pointer;
}

bool call_is_possible(const struct function *function)
{
    for (size_t i = 0; i < function->param_count; i++) {
        const struct type *type = function->params[i].type;
        if (plan_is_record(type) && !names_sayable(type))
            return false;
    }
    return true;
}

const char *call_local(struct emitter *e, const struct parameter *parameter, size_t index)
{
    const char *name = *parameter->name ? arena_printf(e->arena, "arg_%s", parameter->name)
                                        : arena_printf(e->arena, "arg_%zu", index);
    return names_local(e, name);
}

// The depth of a root, and a note if it is not what was asked for.
void set_depth(struct scope *root, const struct type *type, const char *access)
{
    plan_scope_depth(root, type);
    if (plan_is_cut(root->emitter, type))
        emit_most(root, NOTE_DEPTH, access, root->most_depth - 1);
}

// Filled now, or in later calls of a task that is repeated perhaps what it was before.
static void fill_parameter(struct scope *s, struct spot spot, const struct type *type, bool kept)
{
    if (!kept) {
        fill(s, spot, type);
        return;
    }
    emit_line(s, "if (%s == 1 || cz_choice(cz_part(%s, \"new\"), 2)) {", s->turn, spot.path);
    s->level++;
    fill(s, spot, type);
    s->level--;
    emit_line(s, "}");
}

static void write_parameter(struct scope *s, struct caller by, const struct function *function,
                            size_t index)
{
    struct emitter *e = s->emitter;
    const struct parameter *parameter = &function->params[index];
    struct slot slot = {.kind = SLOT_PARAMETER,
                        .owner = (size_t)(function - e->program->functions),
                        .index = index};
    struct scope root = *s;
    unsigned promised;
    const struct type *type =
        parameter_type(e, parameter->type, program_slot_key(&slot), &promised);
    const char *name = call_local(e, parameter, index);
    bool is_task = by.kind == INPUT_OF_TASK;
    const char *path = root_parameter(s, by, function, index, type, promised);
    bool kept = is_task && call_sequence_keep(s, type);
    if (lengths_limit(s, function, index, name, path)) {
        if (is_task)
            observe_parameter(s, parameter->type, name, path);
        return;
    }
    if (scalar_vocabulary(type)) {
        emit_line(s, "%s = %s;", names_declare(e, type, name), scalar_value(s, type, path));
        if (is_task)
            observe_parameter(s, type, name, path);
        return;
    }
    root.hidden = name;
    root.spoken = arena_printf(e->arena, "parameter %s",
                               *parameter->name ? parameter->name : name + strlen("arg_"));
    root.fixed = promised ? count_fixed(promised) : lengths_elements(s, function, index);
    struct spot spot = {name, path, false, program_slot_key(&slot)};
    if (kept)
        emit_line(s, "static %s;", names_declare(e, type, name));
    else
        emit_declaration(s, type, name);
    set_depth(&root, type, name);
    root.is_linked = is_task && s->roots && type->kind == TYPE_POINTER;
    fill_parameter(&root, spot, type, kept);
    bool is_fixed = count_start(root.fixed) > 0;
    if (!is_fixed)
        aliases_add_root(s, spot, type);
    struct place place = {.access = name, .path = path, .type = type, .slot = spot.slot};
    place.is_parameter = true;
    place.is_restrict = parameter->is_restrict;
    place.accesses = &parameter->accesses;
    place.is_fixed = is_fixed;
    if (type->kind == TYPE_POINTER)
        place.elements = is_fixed ? root.fixed : pointer_elements(s, spot.slot, type->target);
    place.count = lengths_count(s, function, index);
    links_add(s, place);
    if (is_task)
        observe_parameter(s, type, name, path);
}

void call_parameters(struct scope *s, const struct function *function, struct caller by)
{
    for (size_t i = 0; i < function->param_count; i++)
        write_parameter(s, by, function, i);
    root_pair_lengths(s, by, function);
    if (by.kind == INPUT_OF_TASK) {
        links_write(s);
        lengths_extents(s, function);
    }
}

// A variadic function looks for what its other parameters promise. It finds zeros: eight
// in each kind of register, then some on the stack.
const char *call_expression(struct emitter *e, const struct function *function)
{
    static const char zeros[] = ", 0., 0., 0., 0., 0., 0., 0., 0., 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L,"
                                " 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L";
    struct buf call = BUF_INIT;
    buf_printf(&call, "%s(", function->name);
    for (size_t i = 0; i < function->param_count; i++) {
        const struct type *type = function->params[i].type;
        bool pointer = type->kind == TYPE_ARRAY || type->kind == TYPE_FUNCTION ||
                       (type->kind == TYPE_POINTER && !names_sayable(type));
        buf_printf(&call, "%s%s%s", i ? ", " : "", pointer ? "(void *)" : "",
                   call_local(e, &function->params[i], i));
    }
    if (function->type->variadic && function->param_count)
        buf_puts(&call, zeros);
    buf_puts(&call, ")");
    const char *text = arena_strdup(e->arena, buf_text(&call));
    buf_release(&call);
    return text;
}
