// SPDX-License-Identifier: Apache-2.0
// Records that are only the head of what is there: the code converts a pointer to `struct
// shape` to one to `struct circle`, which begins like it, or to one to a union of all that
// begin so. What is behind such a pointer has to be large enough for the whole.
#include "frontend/frontend_internal.h"

#include "base/tunables.h"

static struct type *plain(struct type *type)
{
    return type->canonical ? type->canonical : type;
}

static bool is_record(const struct type *type)
{
    return type->kind == TYPE_STRUCT || type->kind == TYPE_UNION;
}

static bool begins_with(struct type *whole, struct type *head)
{
    if (plain(whole->fields[0].type) == head)
        return true;
    if (whole->field_count < head->field_count)
        return false;
    for (size_t i = 0; i < head->field_count; i++)
        if (plain(whole->fields[i].type) != plain(head->fields[i].type) ||
            whole->fields[i].offset_bits != head->fields[i].offset_bits)
            return false;
    return true;
}

// Of a union all members have to begin so: a pointer to one of them that is converted to the
// union is on its way to another member (Lua's obj2gco).
static bool is_head(struct type *head, struct type *whole)
{
    if (!is_record(whole) || !whole->complete || !whole->field_count || whole->size < head->size)
        return false;
    if (whole->kind == TYPE_STRUCT)
        return begins_with(whole, head);
    for (size_t i = 0; i < whole->field_count; i++) {
        struct type *member = plain(whole->fields[i].type);
        if (member != head && !is_head(head, member))
            return false;
    }
    return whole->field_count > 1;
}

void wholes_note(struct frontend *fe, CXType from, CXType to)
{
    struct type *head = types_get(fe, from), *whole = types_get(fe, to);
    if (head->kind != TYPE_POINTER || whole->kind != TYPE_POINTER)
        return;
    struct type *first = plain(head->target), *second = plain(whole->target);
    if (first->kind == TYPE_STRUCT && is_record(second) && first != second)
        *VEC_PUSH(&fe->wholes) = (struct conversion){first, whole};
}

static void add(struct frontend *fe, struct type *head, struct type *whole)
{
    for (size_t i = 0; i < head->whole_count; i++)
        if (plain(head->wholes[i]->target) == plain(whole->target))
            return;
    if (!head->wholes)
        head->wholes = arena_array(&fe->program->arena, struct type *, FRONTEND_WHOLES);
    if (head->whole_count < FRONTEND_WHOLES)
        head->wholes[head->whole_count++] = whole;
}

void wholes_finish(struct frontend *fe)
{
    for (size_t i = 0; i < fe->wholes.count; i++) {
        const struct conversion *c = &fe->wholes.items[i];
        if (c->head->complete && c->head->field_count && is_head(c->head, plain(c->whole->target)))
            add(fe, c->head, c->whole);
    }
}
