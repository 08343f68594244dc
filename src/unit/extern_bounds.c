// SPDX-License-Identifier: Apache-2.0
#include "unit/extern_bounds.h"

#include "facts/facts.h"

static struct type *with_bounds(struct program *program, const struct type *open, uint64_t count)
{
    struct type *type = arena_array(&program->arena, struct type, 1);
    *type = *open;
    type->count = count;
    type->size = count * open->target->size;
    type->complete = true;
    type->canonical = open->canonical && open->canonical != open
                          ? with_bounds(program, open->canonical, count)
                          : type;
    return type;
}

static void bound(const struct facts *facts, struct program *program)
{
    for (size_t i = 0; i < program->variable_count; i++) {
        struct variable *v = &program->variables[i];
        const struct type *type = v->type;
        if (!v->is_extern_only || v->elsewhere || type->kind != TYPE_ARRAY || type->count ||
            !type->target->size)
            continue;
        uint64_t count = facts_variable_size(facts, v->name) / type->target->size;
        if (!count)
            continue;
        v->type = with_bounds(program, type, count);
        v->bound_elsewhere = true;
    }
}

void extern_bounds_find(const struct unit_request *request, struct unit *unit)
{
    if (!request->facts || request->program)
        return;
    for (size_t k = 0; k < unit->text_count; k++)
        bound(request->facts, &unit->texts[k]->program);
    bound(request->facts, &unit->program);
}
