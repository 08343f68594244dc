// SPDX-License-Identifier: Apache-2.0
// Pointers of a record inside another record into an array of the outer one: a stream that
// reads from the buffer of the file that it is part of. Told as member_groups.c tells those of
// one record. A record that is in the outer one twice, or an array of them, is left alone:
// the code's places do not say which is meant.
#include "frontend/frontend_internal.h"

#define DIRECT    SIZE_MAX // a place that is a field of the outer record itself
#define AMBIGUOUS SIZE_MAX // a nesting's field: there are several

struct place {
    size_t field, inner; // fields of the outer record, and of the one in there or DIRECT
};
struct nested_tie {
    struct type *outer;
    struct place first, second;
    bool strong; // subtracted or ordered: not only set from each other
};
struct nesting { // `inner` is a field of `outer`
    struct type *outer;
    size_t field;
    size_t next; // nesting of the same inner record, plus one
};
struct nested {
    struct frontend *fe;
    struct map chains; // inner record -> nesting + 1
    VEC(struct nesting) nestings;
    VEC(struct nested_tie) ties;
};

static const struct nesting *chain(const struct nested *n, const struct type *inner)
{
    uint64_t index;
    return map_get(&n->chains, (uintptr_t)inner, &index) ? &n->nestings.items[index - 1] : NULL;
}

static const struct nesting *next(const struct nested *n, const struct nesting *at)
{
    return at->next ? &n->nestings.items[at->next - 1] : NULL;
}

// ... or what it is an array of.
static const struct type *nested_type(const struct type *outer, size_t field)
{
    const struct type *type = outer->fields[field].type;
    while (type->kind == TYPE_ARRAY)
        type = type->target;
    return type;
}

static void enter_nesting(struct nested *n, struct type *outer, size_t field)
{
    const struct type *type = nested_type(outer, field);
    const struct type *inner = type->canonical ? type->canonical : type;
    bool is_array = outer->fields[field].type->kind == TYPE_ARRAY;
    uint64_t head = 0;
    map_get(&n->chains, (uintptr_t)inner, &head);
    if (head && n->nestings.items[head - 1].outer == outer) { // entered record by record
        n->nestings.items[head - 1].field = AMBIGUOUS;
        return;
    }
    *VEC_PUSH(&n->nestings) = (struct nesting){outer, is_array ? AMBIGUOUS : field, (size_t)head};
    map_put(&n->chains, (uintptr_t)inner, n->nestings.count);
}

struct nested *nested_begin(struct frontend *fe, struct type *const *records, size_t count)
{
    struct nested *n = xcalloc(1, sizeof *n);
    n->fe = fe;
    map_init(&n->chains);
    for (size_t i = 0; i < count; i++)
        for (size_t f = 0; f < records[i]->field_count && records[i]->kind == TYPE_STRUCT; f++)
            if (nested_type(records[i], f)->kind == TYPE_STRUCT && *records[i]->fields[f].name)
                enter_nesting(n, records[i], f);
    return n;
}

static void add(struct nested *n, const struct nesting *in, struct place first, struct place second,
                enum member_relation relation)
{
    if (first.field == AMBIGUOUS || second.field == AMBIGUOUS)
        return;
    *VEC_PUSH(&n->ties) = (struct nested_tie){in->outer, first, second, relation != MEMBERS_EQUAL};
}

static void enter_beside(struct nested *n, const struct slot *inner, const struct slot *beside,
                         enum member_relation relation)
{
    for (const struct nesting *in = chain(n, inner->record); in; in = next(n, in))
        if (in->outer == beside->record)
            add(n, in, (struct place){in->field, inner->index},
                (struct place){beside->index, DIRECT}, relation);
}

static void enter_both(struct nested *n, const struct slot *a, const struct slot *b,
                       enum member_relation relation)
{
    for (const struct nesting *of_a = chain(n, a->record); of_a; of_a = next(n, of_a))
        for (const struct nesting *of_b = chain(n, b->record); of_b; of_b = next(n, of_b))
            if (of_b->outer == of_a->outer)
                add(n, of_a, (struct place){of_a->field, a->index},
                    (struct place){of_b->field, b->index}, relation);
}

void nested_enter(struct nested *n, const struct slot *a, const struct slot *b,
                  enum member_relation relation)
{
    const struct field *first = &a->record->fields[a->index];
    const struct field *second = &b->record->fields[b->index];
    if (a->record == b->record || relation == MEMBERS_LENGTH || relation == MEMBERS_LIMIT ||
        !members_same_array(NULL, first, second))
        return;
    enter_beside(n, a, b, relation);
    enter_beside(n, b, a, relation);
    enter_both(n, a, b, relation);
}

// ---- What it comes to ----

struct component { // places of one outer record, by union-find
    VEC(struct place) places;
    VEC(size_t) roots;
    VEC(size_t) strong; // roots, perhaps no longer
};

static size_t find(struct component *c, size_t place)
{
    while (c->roots.items[place] != place)
        place = c->roots.items[place];
    return place;
}

static size_t place_index(struct component *c, struct place place)
{
    for (size_t i = 0; i < c->places.count; i++)
        if (c->places.items[i].field == place.field && c->places.items[i].inner == place.inner)
            return i;
    *VEC_PUSH(&c->places) = place;
    *VEC_PUSH(&c->roots) = c->places.count - 1;
    return c->places.count - 1;
}

static bool is_strong(struct component *c, size_t root)
{
    for (size_t i = 0; i < c->strong.count; i++)
        if (find(c, c->strong.items[i]) == root)
            return true;
    return false;
}

// Where the array is: the first member of the outer record's own group.
static size_t array_of(struct component *c, const struct type *outer, size_t root)
{
    size_t array = DIRECT;
    for (size_t i = 0; i < c->places.count; i++)
        if (find(c, i) == root && c->places.items[i].inner == DIRECT &&
            c->places.items[i].field < array)
            array = c->places.items[i].field;
    for (size_t g = 0; g < outer->group_count; g++)
        for (size_t f = 0; f < outer->groups[g].count; f++)
            if (outer->groups[g].fields[f] == array)
                return outer->groups[g].fields[0];
    return array;
}

static void store(struct nested *n, struct type *outer, struct component *c)
{
    outer->inner = arena_array(&n->fe->program->arena, struct member_inner, c->places.count);
    for (size_t i = 0; i < c->places.count; i++) {
        size_t root = find(c, i), array = array_of(c, outer, root);
        const struct place *place = &c->places.items[i];
        if (place->inner != DIRECT && array != DIRECT && is_strong(c, root))
            outer->inner[outer->inner_count++] =
                (struct member_inner){array, place->field, place->inner};
    }
}

static void finish_record(struct nested *n, struct type *outer)
{
    struct component c = {0};
    for (size_t i = 0; i < n->ties.count; i++) {
        const struct nested_tie *tie = &n->ties.items[i];
        if (tie->outer != outer)
            continue;
        size_t first = place_index(&c, tie->first), second = place_index(&c, tie->second);
        c.roots.items[find(&c, second)] = find(&c, first);
        if (tie->strong)
            *VEC_PUSH(&c.strong) = first;
    }
    store(n, outer, &c);
    VEC_RELEASE(&c.places);
    VEC_RELEASE(&c.roots);
    VEC_RELEASE(&c.strong);
}

void nested_finish(struct nested *n)
{
    for (size_t i = 0; i < n->ties.count; i++)
        if (!n->ties.items[i].outer->inner)
            finish_record(n, n->ties.items[i].outer);
    VEC_RELEASE(&n->ties);
    VEC_RELEASE(&n->nestings);
    map_release(&n->chains);
    free(n);
}
