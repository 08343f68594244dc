// SPDX-License-Identifier: Apache-2.0
// Members of a record that belong together: pointers into one array (start, top, end of a
// stack; head and tail of a queue), a buffer and its length. Told by the code, which
// compares or subtracts such pointers, sets one from the other and an offset, walks an
// index up to the length. Names say what is tried first: which pointer of an array is its start
// and its end, and that a number right behind a pointer is its length.
#include "frontend/frontend_internal.h"

#include "base/tunables.h"
#include <ctype.h>
#include <string.h>

struct step { // p++, --p
    size_t holder;
    bool is_up;
};

struct walk {
    struct frontend *fe;
    VEC(struct member_evidence) indexed; // array, index
    VEC(struct member_evidence) bounded; // index, bound
    VEC(struct member_evidence) equal;   // pointers that are compared, but not ordered
    VEC(struct step) steps;
    bool in_loop_head;
};

static struct holder *holder_at(const struct frontend *fe, size_t index)
{
    return &fe->holders.items[index];
}

static const struct field *field_of(const struct holder *holder)
{
    return holder->slot.kind == SLOT_FIELD ? &holder->slot.record->fields[holder->slot.index]
                                           : NULL;
}

static void add(struct frontend *fe, enum member_relation relation, size_t first, size_t second)
{
    if (first != HOLDER_NONE && second != HOLDER_NONE && first != second)
        *VEC_PUSH(&fe->members) = (struct member_evidence){relation, first, second};
}

static bool is_operator(const struct node *node, enum CXBinaryOperatorKind kind)
{
    return node->kind == CXCursor_BinaryOperator &&
           clang_getCursorBinaryOperatorKind(node->cursor) == kind;
}

// ---- Evidence in a body ----

static void note_pointers(struct walk *w, struct node *left, struct node *right,
                          enum member_relation relation)
{
    struct frontend *fe = w->fe;
    if (!expression_is_pointer(left) || !expression_is_pointer(right) || expression_is_null(right))
        return;
    size_t first = expression_holder(fe, left), second = expression_holder(fe, right);
    add(fe, relation, first, second);
    if (relation == MEMBERS_EQUAL && first != HOLDER_NONE && second != HOLDER_NONE)
        *VEC_PUSH(&w->equal) = (struct member_evidence){relation, first, second};
}

// `i < s->count` bounds i.
static void note_bound(struct walk *w, struct node *left, struct node *right)
{
    size_t first = expression_holder(w->fe, left), second = expression_holder(w->fe, right);
    if (first == HOLDER_NONE || second == HOLDER_NONE || expression_is_pointer(left))
        return;
    enum member_relation relation = w->in_loop_head ? MEMBERS_LENGTH : MEMBERS_LIMIT;
    *VEC_PUSH(&w->bounded) = (struct member_evidence){relation, first, second};
    *VEC_PUSH(&w->bounded) = (struct member_evidence){relation, second, first};
}

static void note_constant(struct walk *w, struct node *name, struct node *constant)
{
    struct node *core = expression_core(name);
    int64_t value;
    if (core->kind != CXCursor_MemberRefExpr || !ast_integer_constant(constant, &value))
        return;
    size_t holder = expression_holder(w->fe, core);
    if (holder == HOLDER_NONE)
        return;
    struct holder *h = holder_at(w->fe, holder);
    h->low = value < h->low ? value : h->low;
    h->high = value > h->high ? value : h->high;
}

static void note_comparison(struct walk *w, struct node *left, struct node *right,
                            enum member_relation relation)
{
    note_pointers(w, left, right, relation);
    note_bound(w, left, right);
    note_constant(w, left, right);
    note_constant(w, right, left);
}

// `s->top = s->start + n` and `p = s->text + s->length`.
static void note_assignment(struct walk *w, struct node *left, struct node *right)
{
    struct frontend *fe = w->fe;
    struct node *value = expression_core(right);
    if (expression_is_pointer(left) && is_operator(value, CXBinaryOperator_Add))
        add(fe, MEMBERS_BEHIND, expression_holder(fe, left), expression_holder(fe, value));
    else if (expression_is_pointer(left) && value->kind == CXCursor_MemberRefExpr)
        add(fe, MEMBERS_EQUAL, expression_holder(fe, left), expression_holder(fe, value));
}

static void note_sum(struct walk *w, struct node *left, struct node *right)
{
    if (expression_is_pointer(left) && !expression_is_pointer(right))
        add(w->fe, MEMBERS_LENGTH, expression_holder(w->fe, left), expression_holder(w->fe, right));
}

static void note_operator(struct walk *w, struct node *node)
{
    struct node *left = node->child, *right = left ? left->next : NULL;
    if (!left || !right)
        return;
    switch (clang_getCursorBinaryOperatorKind(node->cursor)) {
    case CXBinaryOperator_LT:
    case CXBinaryOperator_LE:
    case CXBinaryOperator_GT:
    case CXBinaryOperator_GE: note_comparison(w, left, right, MEMBERS_ORDERED); break;
    case CXBinaryOperator_EQ:
    case CXBinaryOperator_NE: note_comparison(w, left, right, MEMBERS_EQUAL); break;
    case CXBinaryOperator_Sub: note_pointers(w, left, right, MEMBERS_BEHIND); break;
    case CXBinaryOperator_Add: note_sum(w, left, right); break;
    case CXBinaryOperator_Assign: note_assignment(w, left, right); break;
    default: break;
    }
}

static bool is_name(const struct node *node)
{
    return node->kind == CXCursor_MemberRefExpr || node->kind == CXCursor_DeclRefExpr;
}

// `*s->top++ = x`: s->top walks through an array.
static void note_step(struct walk *w, struct node *node)
{
    enum CXUnaryOperatorKind op = clang_getCursorUnaryOperatorKind(node->cursor);
    if (op < CXUnaryOperator_PostInc || op > CXUnaryOperator_PreDec || !node->child ||
        !is_name(expression_core(node->child)) || !expression_is_pointer(node->child))
        return;
    size_t holder = expression_holder(w->fe, node->child);
    if (holder == HOLDER_NONE)
        return;
    holder_at(w->fe, holder)->walks = true;
    *VEC_PUSH(&w->steps) =
        (struct step){holder, op == CXUnaryOperator_PostInc || op == CXUnaryOperator_PreInc};
}

// `s->text[s->length - 1]` is the last one.
static void note_last(struct walk *w, size_t array, struct node *index)
{
    struct node *core = expression_core(index);
    int64_t value;
    if (is_operator(core, CXBinaryOperator_Sub) && core->child && core->child->next &&
        ast_integer_constant(core->child->next, &value) && value > 0)
        add(w->fe, MEMBERS_LENGTH, array, expression_holder(w->fe, core->child));
}

static void note_subscript(struct walk *w, struct node *node)
{
    struct node *base = node->child, *index = base ? base->next : NULL;
    if (!index)
        return;
    size_t array = expression_holder(w->fe, base), at = expression_holder(w->fe, index);
    note_last(w, array, index);
    if (array != HOLDER_NONE && at != HOLDER_NONE)
        *VEC_PUSH(&w->indexed) = (struct member_evidence){MEMBERS_LENGTH, array, at};
}

// memcpy(to, s->text, s->length)
static void note_call(struct walk *w, struct node *node)
{
    size_t callee = node->child ? expression_function(w->fe, node->child) : SIZE_MAX;
    if (!lengths_byte_call(w->fe, callee))
        return;
    for (struct node *pointer = node->child->next; pointer; pointer = pointer->next)
        for (struct node *length = pointer->next; length; length = length->next)
            note_sum(w, pointer, length);
}

// Is the child part of what decides whether a loop goes on? The body comes last, or first.
static bool is_loop_head(const struct node *node, const struct node *child, bool outer)
{
    switch (node->kind) {
    case CXCursor_ForStmt:
    case CXCursor_WhileStmt: return child->next != NULL;
    case CXCursor_DoStmt: return child->next == NULL;
    default: return outer;
    }
}

static void walk(struct walk *w, struct node *node)
{
    if (node->kind == CXCursor_UnaryExpr) // sizeof
        return;
    if (node->kind == CXCursor_BinaryOperator)
        note_operator(w, node);
    else if (node->kind == CXCursor_UnaryOperator)
        note_step(w, node);
    else if (node->kind == CXCursor_ArraySubscriptExpr)
        note_subscript(w, node);
    else if (node->kind == CXCursor_CallExpr)
        note_call(w, node);
    bool outer = w->in_loop_head;
    for (struct node *child = node->child; child; child = child->next) {
        w->in_loop_head = is_loop_head(node, child, outer);
        walk(w, child);
    }
    w->in_loop_head = outer;
}

static int compare_evidence(const void *a, const void *b)
{
    const struct member_evidence *x = a, *y = b;
    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    if (x->second != y->second)
        return x->second < y->second ? -1 : 1;
    return (x->relation > y->relation) - (x->relation < y->relation);
}

// Code repeats itself; what follows is over what is different.
static size_t unique(struct member_evidence *items, size_t count)
{
    size_t kept = 0;
    if (count)
        qsort(items, count, sizeof *items, compare_evidence);
    for (size_t i = 0; i < count; i++)
        if (!kept || compare_evidence(&items[kept - 1], &items[i]) != 0)
            items[kept++] = items[i];
    return kept;
}

// p[i] and i < n, for the same i.
static void join(struct walk *w)
{
    for (size_t b = 0; b < w->bounded.count; b++)
        for (size_t i = 0; i < w->indexed.count; i++)
            if (w->indexed.items[i].second == w->bounded.items[b].first)
                add(w->fe, w->bounded.items[b].relation, w->indexed.items[i].first,
                    w->bounded.items[b].second);
}

static bool moves(const struct walk *w, size_t holder, bool up)
{
    for (size_t i = 0; i < w->steps.count; i++)
        if (w->steps.items[i].holder == holder && w->steps.items[i].is_up == up)
            return true;
    return false;
}

// `if (s->top == s->end) return; *s->top++ = x`, or a loop: it runs up to the other one, or down
// to it, and beyond their array if it begins on the other side.
static void note_moves(struct walk *w, size_t moved, size_t other)
{
    bool up = moves(w, moved, true), down = moves(w, moved, false);
    if (up && !down)
        add(w->fe, MEMBERS_BEFORE, moved, other);
    else if (down && !up)
        add(w->fe, MEMBERS_BEFORE, other, moved);
}

void members_collect(struct frontend *fe, struct node *body)
{
    struct walk w = {.fe = fe};
    walk(&w, body);
    for (size_t i = 0; i < w.equal.count; i++) {
        note_moves(&w, w.equal.items[i].first, w.equal.items[i].second);
        note_moves(&w, w.equal.items[i].second, w.equal.items[i].first);
    }
    VEC_RELEASE(&w.equal);
    VEC_RELEASE(&w.steps);
    w.indexed.count = unique(w.indexed.items, w.indexed.count);
    w.bounded.count = unique(w.bounded.items, w.bounded.count);
    join(&w);
    VEC_RELEASE(&w.indexed);
    VEC_RELEASE(&w.bounded);
}

// ---- What it comes to ----

// Evidence about a local variable is evidence about the member that it was set from.
static struct map member_behind(const struct frontend *fe)
{
    struct map behind;
    map_init(&behind);
    for (size_t i = 0; i < fe->flows.count; i++) {
        const struct flow *flow = &fe->flows.items[i];
        uint64_t known;
        if (holder_at(fe, flow->to)->slot.kind == SLOT_NONE &&
            field_of(holder_at(fe, flow->from)) && !map_get(&behind, flow->to + 1, &known))
            map_put(&behind, flow->to + 1, flow->from);
    }
    return behind;
}

static const struct holder *resolve(const struct frontend *fe, const struct map *behind,
                                    size_t holder)
{
    uint64_t member;
    if (map_get(behind, holder + 1, &member))
        holder = (size_t)member;
    return holder_at(fe, holder);
}

static const struct type *identity(const struct type *type)
{
    return type->canonical ? type->canonical : type;
}

bool members_same_array(const struct type *record, const struct field *a, const struct field *b)
{
    return a->type->kind == TYPE_POINTER && b->type->kind == TYPE_POINTER &&
           identity(a->type->target) == identity(b->type->target) &&
           identity(a->type->target) != record && // links of a list
           a->type->target->kind != TYPE_FUNCTION && a->type->target->kind != TYPE_VOID;
}

struct tie { // two members of one record
    enum member_relation relation;
    size_t first, second;
};
typedef VEC(struct tie) tie_list;

// Is the second member a number, and not a pointer like the first?
static bool is_number(enum member_relation relation)
{
    return relation == MEMBERS_LENGTH || relation == MEMBERS_LIMIT;
}

static bool says(const char *name, const char *const *words)
{
    char small[64];
    size_t i = 0;
    for (; name[i] && i < sizeof small - 1; i++)
        small[i] = (char)tolower((unsigned char)name[i]);
    small[i] = '\0';
    for (; *words; words++)
        if (strstr(small, *words))
            return true;
    return false;
}

static const char *const starts[] = {"start", "begin", "base", "buf", "data", "bottom", NULL};
static const char *const ends[] = {"end", "last", "lim", "stop", "max", NULL};
static const char *const lengths[] = {"len", "size", NULL};

// Members of a group in their order in the array: the start, those in the middle, the end.
static int rank(const char *name)
{
    return says(name, ends) ? 2 : says(name, starts) ? 0 : 1;
}

static bool is_tied(const tie_list *ties, enum member_relation relation, size_t first,
                    size_t second)
{
    for (size_t i = 0; i < ties->count; i++)
        if (ties->items[i].relation == relation && ties->items[i].first == first &&
            ties->items[i].second == second)
            return true;
    return false;
}

static bool is_behind(const tie_list *ties, size_t first, size_t second)
{
    return is_tied(ties, MEMBERS_BEHIND, first, second) ||
           is_tied(ties, MEMBERS_BEFORE, second, first);
}

// The code tells it where it moves one until it is the other, or subtracts one from the other
// always in the same direction.
static void sort_by_differences(const tie_list *ties, size_t *fields, size_t count)
{
    for (size_t round = 0; round < count; round++) // of a circle nothing is the first
        for (size_t i = 0; i < count; i++)
            for (size_t k = i + 1; k < count; k++)
                if (is_behind(ties, fields[i], fields[k]) &&
                    !is_behind(ties, fields[k], fields[i])) {
                    size_t later = fields[i];
                    memmove(&fields[i], &fields[i + 1], (k - i) * sizeof *fields);
                    fields[k] = later;
                }
}

// What does not depend on names, nor on which of the differences the code happens to compute.
static void add_orders(struct frontend *fe, const tie_list *ties, struct member_group *group)
{
    group->orders =
        arena_array(&fe->program->arena, struct member_order, group->count * group->count);
    for (size_t i = 0; i < group->count; i++)
        for (size_t k = i + 1; k < group->count; k++)
            if (is_tied(ties, MEMBERS_BEFORE, group->fields[i], group->fields[k]) &&
                !is_tied(ties, MEMBERS_BEFORE, group->fields[k], group->fields[i]))
                group->orders[group->order_count++] = (struct member_order){i, k};
}

static void add_group(struct frontend *fe, struct type *record, const tie_list *ties,
                      const size_t *root, size_t top)
{
    struct member_group group = {.fields = NULL};
    VEC(size_t) fields = {0};
    for (int wanted = 0; wanted <= 2; wanted++)
        for (size_t f = 0; f < record->field_count; f++)
            if (root[f] == top && rank(record->fields[f].name) == wanted)
                *VEC_PUSH(&fields) = f;
    sort_by_differences(ties, fields.items, fields.count);
    group.fields = references_store(fe, fields.items, fields.count);
    group.count = fields.count;
    group.has_end = rank(record->fields[fields.items[fields.count - 1]].name) == 2;
    add_orders(fe, ties, &group);
    VEC_RELEASE(&fields);
    *VEC_PUSH(&fe->groups) = group;
}

static size_t find_root(size_t *root, size_t field)
{
    while (root[field] != field)
        field = root[field] = root[root[field]];
    return field;
}

static void make_groups(struct frontend *fe, struct type *record, const tie_list *ties,
                        const bool *walks)
{
    size_t *root = xcalloc(record->field_count, sizeof *root);
    bool *strong = xcalloc(record->field_count, sizeof *strong);
    for (size_t f = 0; f < record->field_count; f++)
        root[f] = f;
    for (size_t i = 0; i < ties->count; i++)
        if (!is_number(ties->items[i].relation))
            root[find_root(root, ties->items[i].second)] = find_root(root, ties->items[i].first);
    for (size_t i = 0; i < ties->count; i++)
        strong[find_root(root, ties->items[i].first)] |=
            ties->items[i].relation != MEMBERS_EQUAL && !is_number(ties->items[i].relation);
    for (size_t f = 0; f < record->field_count; f++) {
        strong[find_root(root, f)] |= walks[f];
        root[f] = find_root(root, f);
    }
    size_t first = fe->groups.count;
    for (size_t f = 0; f < record->field_count; f++) {
        size_t size = 0;
        for (size_t other = 0; other < record->field_count; other++)
            size += root[other] == f;
        if (root[f] == f && size > 1 && strong[f])
            add_group(fe, record, ties, root, f);
    }
    record->group_count = fe->groups.count - first;
    record->groups = arena_array(&fe->program->arena, struct member_group, record->group_count);
    for (size_t i = 0; i < record->group_count; i++)
        record->groups[i] = fe->groups.items[first + i];
    free(strong);
    free(root);
}

static bool is_length_of(const struct type *record, size_t pointer, size_t length)
{
    const struct type *type = record->fields[pointer].type;
    return type->kind == TYPE_POINTER && type->target->kind != TYPE_FUNCTION &&
           record->fields[length].type->kind == TYPE_INT && record->fields[length].bits < 0;
}

// What comparisons with constants say of a member that may be a length.
struct length_limits {
    bool is_large;    // stays free
    bool is_negative; // perhaps, as `length < 0` asks
};

static void add_length(struct type *record, size_t pointer, size_t length,
                       const struct length_limits *limits, bool is_suggested)
{
    if (!is_length_of(record, pointer, length) || limits[length].is_large)
        return;
    for (size_t i = 0; i < record->length_count; i++)
        if (record->lengths[i].pointer == pointer || record->lengths[i].length == length)
            return; // the first evidence wins
    record->lengths[record->length_count++] = (struct member_length){
        .pointer = pointer,
        .length = length,
        .is_suggested = is_suggested,
        .is_signed = limits[length].is_negative && record->fields[length].type->is_signed};
}

// Is a pointer used with several members that may be its length? Then each may be something else,
// the first index of a part for example.
static bool is_ambiguous(const struct type *record, const tie_list *ties, size_t tie)
{
    for (size_t i = 0; i < ties->count; i++)
        if (is_number(ties->items[i].relation) && ties->items[i].first == ties->items[tie].first &&
            ties->items[i].second != ties->items[tie].second &&
            is_length_of(record, ties->items[i].first, ties->items[i].second))
            return true;
    return false;
}

static void make_lengths(struct frontend *fe, struct type *record, const tie_list *ties,
                         const struct length_limits *limits)
{
    record->lengths = arena_array(&fe->program->arena, struct member_length, record->field_count);
    for (size_t i = 0; i < ties->count; i++)
        if (ties->items[i].relation == MEMBERS_LENGTH)
            add_length(record, ties->items[i].first, ties->items[i].second, limits, false);
    for (size_t i = 0; i < ties->count; i++)
        if (ties->items[i].relation == MEMBERS_LIMIT)
            add_length(record, ties->items[i].first, ties->items[i].second, limits,
                       is_ambiguous(record, ties, i));
    for (size_t i = 0; i < fe->exact_members.count; i++) {
        const struct slot *pointer = &holder_at(fe, fe->exact_members.items[i].pointer)->slot;
        const struct slot *length = &holder_at(fe, fe->exact_members.items[i].length)->slot;
        if (pointer->record == record && length->record == record)
            add_length(record, pointer->index, length->index, limits, false);
    }
    for (size_t f = 0; f + 1 < record->field_count; f++)
        if (says(record->fields[f + 1].name, lengths))
            add_length(record, f, f + 1, limits, true);
    for (size_t i = 0; i < record->length_count; i++) {
        struct member_length *l = &record->lengths[i];
        l->is_exact = exact_members_has(fe, record, l->pointer, l->length);
        l->is_suggested &= !l->is_exact;
    }
}

// A member that the code compares with a number beyond any array of ours stays free.
static struct length_limits limits_of(const struct holder *holder)
{
    bool is_compared = holder->low <= holder->high;
    return (struct length_limits){
        .is_large = is_compared && (holder->low < 0 || holder->high > FRONTEND_LENGTH_MOST),
        .is_negative = is_compared && holder->low <= 0};
}

static void tie(const struct type *record, enum member_relation relation,
                const struct holder *first, const struct holder *second, tie_list *out)
{
    if (first->slot.record != record || second->slot.record != record ||
        first->slot.index == second->slot.index)
        return;
    if (!is_number(relation) && !members_same_array(record, field_of(first), field_of(second)))
        return;
    *VEC_PUSH(out) = (struct tie){relation, first->slot.index, second->slot.index};
}

struct members {      // of all records, by record
    struct map index; // record -> index + 1
    VEC(tie_list) ties;
    VEC(struct type *) records;
};

static tie_list *ties_of(struct members *all, const struct type *record)
{
    uint64_t index = 0;
    map_get(&all->index, (uintptr_t)record, &index);
    return index ? &all->ties.items[index - 1] : NULL;
}

static void enter_records(struct frontend *fe, struct members *all)
{
    for (size_t i = 0; i < fe->types.count; i++) {
        struct type *record = fe->types.items[i];
        if ((record->kind != TYPE_STRUCT && record->kind != TYPE_UNION) ||
            identity(record) != record || !record->field_count)
            continue;
        *VEC_PUSH(&all->records) = record;
        *VEC_PUSH(&all->ties) = (tie_list){0};
        map_put(&all->index, (uintptr_t)record, all->records.count);
    }
}

// `for (p = s->start; p != s->end; p++)`: what walks from one member to the other is in
// the same array, though the comparison does not order them.
static enum member_relation strength(const struct frontend *fe,
                                     const struct member_evidence *evidence)
{
    bool walks = holder_at(fe, evidence->first)->walks || holder_at(fe, evidence->second)->walks;
    return evidence->relation == MEMBERS_EQUAL && walks ? MEMBERS_ORDERED : evidence->relation;
}

static void enter_evidence(struct frontend *fe, struct members *all, struct nested *nested)
{
    struct map behind = member_behind(fe);
    for (size_t i = 0; i < fe->members.count; i++) {
        const struct member_evidence *evidence = &fe->members.items[i];
        const struct holder *first = resolve(fe, &behind, evidence->first);
        const struct holder *second = resolve(fe, &behind, evidence->second);
        if (!field_of(first) || !field_of(second))
            continue;
        tie_list *ties = ties_of(all, first->slot.record);
        if (ties)
            tie(first->slot.record, strength(fe, evidence), first, second, ties);
        nested_enter(nested, &first->slot, &second->slot, strength(fe, evidence));
    }
    map_release(&behind);
}

static void finish_record(struct frontend *fe, struct type *record, const tie_list *ties,
                          const struct map *holders)
{
    bool *walks = xcalloc(record->field_count, sizeof *walks);
    struct length_limits *limits = xcalloc(record->field_count, sizeof *limits);
    for (size_t f = 0; f < record->field_count; f++) {
        struct slot slot = {.kind = SLOT_FIELD, .record = record, .index = f};
        uint64_t holder;
        if (!map_get(holders, program_slot_key(&slot), &holder))
            continue;
        walks[f] = holder_at(fe, holder)->walks;
        limits[f] = limits_of(holder_at(fe, holder));
    }
    if (record->kind == TYPE_STRUCT)
        make_groups(fe, record, ties, walks);
    if (record->kind == TYPE_STRUCT)
        make_lengths(fe, record, ties, limits);
    free(walks);
    free(limits);
}

void members_finish(struct frontend *fe)
{
    struct members all = {0};
    struct map holders; // slot -> holder
    map_init(&all.index);
    map_init(&holders);
    for (size_t i = 0; i < fe->holders.count; i++)
        if (field_of(holder_at(fe, i)))
            map_put(&holders, program_slot_key(&holder_at(fe, i)->slot), i);
    fe->members.count = unique(fe->members.items, fe->members.count);
    enter_records(fe, &all);
    struct nested *nested = nested_begin(fe, all.records.items, all.records.count);
    enter_evidence(fe, &all, nested);
    for (size_t i = 0; i < all.records.count; i++) {
        finish_record(fe, all.records.items[i], &all.ties.items[i], &holders);
        VEC_RELEASE(&all.ties.items[i]);
    }
    nested_finish(nested);
    VEC_RELEASE(&all.ties);
    VEC_RELEASE(&all.records);
    map_release(&all.index);
    map_release(&holders);
}
