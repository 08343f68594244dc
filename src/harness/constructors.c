// SPDX-License-Identifier: Apache-2.0
// Objects of a type that is incomplete in this file. The driver cannot make them, but a
// function of the unit that returns a pointer to one can.
#include "harness/emit.h"

static const struct function *find_constructor(const struct program *program,
                                               const struct type *target)
{
    for (size_t i = 0; i < program->function_count; i++) {
        const struct function *function = &program->functions[i];
        const struct type *result = function->type->target;
        if ((function->defined || function->elsewhere) && !function->is_noreturn &&
            result->kind == TYPE_POINTER && result->target->canonical == target->canonical &&
            call_is_possible(function) && !function->type->variadic)
            return function;
    }
    return NULL;
}

static bool takes_its_own(const struct function *function, const struct type *target)
{
    for (size_t i = 0; i < function->param_count; i++) {
        const struct type *type = function->params[i].type;
        if (type->kind == TYPE_POINTER && type->target->canonical == target->canonical)
            return true; // rather a function that looks one up
    }
    return false;
}

// Only where the driver itself writes: a builder runs more than once, and its objects
// would all be made of the same inputs.
bool fill_constructed(struct scope *s, struct spot spot, const struct type *type)
{
    struct emitter *e = s->emitter;
    const struct function *function = find_constructor(e->program, type->target);
    if (!function || s->counting || s->making || !s->roots || takes_its_own(function, type->target))
        return false;
    struct scope inner = *s;
    struct roots none = {0};
    inner.roots = &none;
    inner.making = true;
    inner.pointers = 0;
    inner.fixed = count_fixed(0);
    emit_line(s, "{");
    inner.level++;
    root_callees(s, (size_t)(function - e->program->functions));
    call_parameters(&inner, function, (struct caller){INPUT_OF_CONSTRUCTOR, ++e->made});
    pointer_assign(&inner, spot, type,
                   arena_printf(e->arena, "(void *)%s", call_expression(e, function)));
    emit_line(s, "}");
    emit_note(s, true, "%s: made by %s(), because its type is incomplete here",
              emit_spoken(s, spot.access), function->source_name);
    VEC_RELEASE(&none.list);
    return true;
}
