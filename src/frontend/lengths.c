// SPDX-License-Identifier: Apache-2.0
// Parameters that belong together: a buffer and its length, a pointer and the end that
// it runs to. Told by the code: p[i] with i < n, p + n, memcpy(p, .., n), p < end, end - p, a call
// that hands both to such a pair; else by the length standing behind the pointer of an array
// with a name that says so.
#include "frontend/frontend_internal.h"

#include <string.h>

struct relation { // of two holders: an index and its pointer, an index and its bound ...
    size_t first, second;
};

struct walk {
    struct frontend *fe;
    size_t function;
    VEC(struct relation) indexed; // pointer, index
    VEC(struct relation) bounded; // index, bound
};

// The parameter of this function that a plain name stands for, or SIZE_MAX.
static size_t parameter_of(const struct walk *w, size_t holder)
{
    const struct frontend *fe = w->fe;
    if (holder == HOLDER_NONE)
        return SIZE_MAX;
    if (fe->holders.items[holder].origin)
        holder = fe->holders.items[holder].origin - 1;
    const struct slot *slot = &fe->holders.items[holder].slot;
    return slot->kind == SLOT_PARAMETER && slot->owner == w->function ? slot->index : SIZE_MAX;
}

// A variable on its own, also as p++.
static size_t named(struct walk *w, struct node *node)
{
    node = expression_core(node);
    if (node->kind == CXCursor_UnaryOperator && node->child) {
        enum CXUnaryOperatorKind op = clang_getCursorUnaryOperatorKind(node->cursor);
        if (op >= CXUnaryOperator_PostInc && op <= CXUnaryOperator_PreDec)
            node = expression_core(node->child);
    }
    return node->kind == CXCursor_DeclRefExpr ? expression_holder(w->fe, node) : HOLDER_NONE;
}

static bool is_pointer(const struct walk *w, size_t parameter)
{
    const struct function *function = &w->fe->functions.items[w->function];
    return parameter < function->param_count &&
           function->params[parameter].type->kind == TYPE_POINTER;
}

static bool is_integer(const struct walk *w, size_t parameter)
{
    const struct function *function = &w->fe->functions.items[w->function];
    return parameter < function->param_count && function->params[parameter].type->kind == TYPE_INT;
}

bool lengths_says_end(const char *name)
{
    return strstr(name, "end") || strstr(name, "End") || strstr(name, "last") ||
           strstr(name, "lim") || strstr(name, "stop");
}

static bool says_end(const struct frontend *fe, size_t function, size_t parameter)
{
    return lengths_says_end(fe->functions.items[function].params[parameter].name);
}

static void add_pair(struct frontend *fe, size_t index, enum pair_kind kind, size_t pointer,
                     size_t other)
{
    struct function *function = &fe->functions.items[index];
    for (size_t i = 0; i < function->pair_count; i++)
        if (function->pairs[i].pointer == pointer || function->pairs[i].pointer == other ||
            function->pairs[i].other == pointer)
            return; // the first evidence wins; memcpy(p, q, n) gives n two pointers
    if (!function->pairs)
        function->pairs =
            arena_array(&fe->program->arena, struct parameter_pair, function->param_count);
    fe->holders.items[holder_of_parameter(fe, index, pointer)].indexed = true;
    const struct holder *length = &fe->holders.items[holder_of_parameter(fe, index, other)];
    function->pairs[function->pair_count++] = (struct parameter_pair){
        kind,        pointer,      other,
        length->low, length->high, kind == PAIR_END && !says_end(fe, index, other),
        false};
}

static void add_length(struct walk *w, enum pair_kind kind, size_t pointer, size_t length)
{
    pointer = parameter_of(w, pointer);
    length = parameter_of(w, length);
    if (is_pointer(w, pointer) && is_integer(w, length))
        add_pair(w->fe, w->function, kind, pointer, length);
}

// ---- Evidence in the body ----

static void note_constant(struct walk *w, struct node *name, struct node *constant)
{
    size_t holder = named(w, name);
    int64_t value;
    if (holder == HOLDER_NONE || !ast_integer_constant(constant, &value))
        return;
    struct holder *h = &w->fe->holders.items[holder];
    h->low = value < h->low ? value : h->low;
    h->high = value > h->high ? value : h->high;
}

static void note_end(struct walk *w, size_t left, size_t right, bool ordered)
{
    size_t pointer = parameter_of(w, left), end = parameter_of(w, right);
    const struct function *function = &w->fe->functions.items[w->function];
    if (pointer == end || !is_pointer(w, pointer) || !is_pointer(w, end) ||
        function->params[pointer].type->target->canonical !=
            function->params[end].type->target->canonical)
        return;
    if (says_end(w->fe, w->function, end) || (ordered && !says_end(w->fe, w->function, pointer)))
        add_pair(w->fe, w->function, PAIR_END, pointer, end);
    else if (says_end(w->fe, w->function, pointer))
        add_pair(w->fe, w->function, PAIR_END, end, pointer);
}

// `p + 4 > end` and `p > end - 4` compare p with end.
static size_t named_or_moved(struct walk *w, struct node *node)
{
    struct node *core = expression_core(node);
    bool moved = core->kind == CXCursor_BinaryOperator && expression_is_pointer(core) &&
                 core->child && expression_is_pointer(core->child);
    return named(w, moved ? core->child : node);
}

static void note_comparison(struct walk *w, struct node *left, struct node *right, bool ordered)
{
    size_t first = named_or_moved(w, left), second = named_or_moved(w, right);
    note_constant(w, left, right);
    note_constant(w, right, left);
    if (first == HOLDER_NONE || second == HOLDER_NONE)
        return;
    if (expression_is_pointer(left)) {
        note_end(w, first, second, ordered);
        return;
    }
    *VEC_PUSH(&w->bounded) = (struct relation){first, second};
    *VEC_PUSH(&w->bounded) = (struct relation){second, first};
}

static void note_operator(struct walk *w, struct node *node)
{
    struct node *left = node->child, *right = left ? left->next : NULL;
    if (!left || !right)
        return;
    switch (clang_getCursorBinaryOperatorKind(node->cursor)) {
    case CXBinaryOperator_LT:
    case CXBinaryOperator_LE: note_comparison(w, left, right, true); break;
    case CXBinaryOperator_GT:
    case CXBinaryOperator_GE: note_comparison(w, right, left, true); break;
    case CXBinaryOperator_EQ:
    case CXBinaryOperator_NE: note_comparison(w, left, right, false); break;
    case CXBinaryOperator_Add:
        if (named(w, left) != HOLDER_NONE && named(w, right) != HOLDER_NONE)
            add_length(w, PAIR_LENGTH, named(w, left), named(w, right));
        break;
    case CXBinaryOperator_Sub: // of pointers into one array, or it has no value
        if (expression_is_pointer(left) && expression_is_pointer(right))
            note_end(w, named(w, right), named(w, left), true);
        break;
    default: break;
    }
}

static void note_subscript(struct walk *w, struct node *node)
{
    struct node *base = node->child, *index = base ? base->next : NULL;
    if (!index)
        return;
    size_t pointer = named(w, base), at = named(w, index);
    if (pointer != HOLDER_NONE && at != HOLDER_NONE)
        *VEC_PUSH(&w->indexed) = (struct relation){pointer, at};
}

const struct libc_bytes *lengths_byte_call(const char *name)
{
    const struct libc_bytes *bytes = &libc_find(name)->bytes;
    return bytes->used ? bytes : NULL;
}

bool lengths_takes_bytes(const char *name)
{
    return lengths_byte_call(name) != NULL;
}

static void note_call(struct walk *w, struct node *node)
{
    size_t callee = node->child ? expression_function(w->fe, node->child) : SIZE_MAX;
    const struct libc_bytes *bytes =
        callee == SIZE_MAX ? NULL : lengths_byte_call(w->fe->functions.items[callee].name);
    struct node *length = bytes ? node->child->next : NULL;
    for (size_t i = 0; length && i < bytes->length; i++)
        length = length->next;
    size_t at = 0;
    for (struct node *pointer = length ? node->child->next : NULL; pointer;
         pointer = pointer->next, at++)
        if ((at == bytes->first || at == bytes->second) && named(w, pointer) != HOLDER_NONE)
            add_length(w, PAIR_BYTES, named(w, pointer), named(w, length));
}

static void walk(struct walk *w, struct node *node)
{
    if (node->kind == CXCursor_UnaryExpr)
        return;
    if (node->kind == CXCursor_BinaryOperator)
        note_operator(w, node);
    else if (node->kind == CXCursor_ArraySubscriptExpr)
        note_subscript(w, node);
    else if (node->kind == CXCursor_CallExpr)
        note_call(w, node);
    for (struct node *child = node->child; child; child = child->next)
        walk(w, child);
}

// p[i] and i < n, for the same i.
static void join(struct walk *w)
{
    for (size_t i = 0; i < w->indexed.count; i++)
        for (size_t b = 0; b < w->bounded.count; b++)
            if (w->indexed.items[i].second == w->bounded.items[b].first)
                add_length(w, PAIR_LENGTH, w->indexed.items[i].first, w->bounded.items[b].second);
}

static int compare_relations(const void *a, const void *b)
{
    const struct relation *x = a, *y = b;
    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    return (x->second > y->second) - (x->second < y->second);
}

// A long function repeats itself; the join is over what is different.
static void unique(struct relation *items, size_t *count)
{
    size_t kept = 0;
    if (*count)
        qsort(items, *count, sizeof *items, compare_relations);
    for (size_t i = 0; i < *count; i++)
        if (!kept || compare_relations(&items[kept - 1], &items[i]) != 0)
            items[kept++] = items[i];
    *count = kept;
}

void lengths_collect(struct frontend *fe, size_t function, struct node *body)
{
    struct walk w = {.fe = fe, .function = function};
    walk(&w, body);
    unique(w.indexed.items, &w.indexed.count);
    unique(w.bounded.items, &w.bounded.count);
    join(&w);
    VEC_RELEASE(&w.indexed);
    VEC_RELEASE(&w.bounded);
}

// ---- Evidence elsewhere ----

const struct call *lengths_argument_for(const struct frontend *fe, size_t first, size_t parameter)
{
    const struct call *start = &fe->calls.items[first];
    for (size_t i = first; i < fe->calls.count; i++) {
        const struct call *call = &fe->calls.items[i];
        if (call->caller != start->caller || call->callee != start->callee)
            return NULL;
        if (call->parameter == parameter)
            return call;
    }
    return NULL;
}

// f(p, n) hands a pair to a pair. Arguments of one call stand together in the list.
static bool pass_on(struct frontend *fe, size_t at)
{
    const struct call *pointer = &fe->calls.items[at];
    const struct function *callee = &fe->functions.items[pointer->callee];
    size_t before = fe->functions.items[pointer->caller].pair_count;
    for (size_t i = 0; i < callee->pair_count; i++) {
        struct parameter_pair pair = callee->pairs[i];
        if (pair.pointer != pointer->parameter)
            continue;
        const struct call *other = lengths_argument_for(fe, at, pair.other);
        struct walk w = {.fe = fe, .function = pointer->caller};
        if (other && is_pointer(&w, pointer->argument) &&
            (pair.kind == PAIR_END ? is_pointer(&w, other->argument)
                                   : is_integer(&w, other->argument)))
            add_pair(fe, pointer->caller, pair.kind, pointer->argument, other->argument);
    }
    return fe->functions.items[pointer->caller].pair_count != before;
}

// A name alone says little: the code must also use the pointer as more than one element, as
// bytes and characters are. walk(struct node *list, int n) has no length.
static bool is_array(struct frontend *fe, size_t index, size_t parameter)
{
    const struct type *target = fe->functions.items[index].params[parameter].type->target;
    if (target->kind == TYPE_POINTER || target->kind == TYPE_FUNCTION)
        return false;
    return target->is_char || target->kind == TYPE_VOID ||
           fe->holders.items[holder_of_parameter(fe, index, parameter)].indexed;
}

static void pair_by_name(struct frontend *fe, size_t index)
{
    const struct function *function = &fe->functions.items[index];
    struct walk w = {.fe = fe, .function = index};
    for (size_t i = 0; i + 1 < function->param_count; i++)
        if (is_pointer(&w, i) && is_integer(&w, i + 1) && is_array(fe, index, i) &&
            program_says_length(function->params[i + 1].name))
            add_pair(fe, index, PAIR_LENGTH, i, i + 1);
}

void lengths_finish(struct frontend *fe)
{
    bool changed = true;
    while (changed) {
        changed = false;
        for (size_t i = 0; i < fe->calls.count; i++)
            changed |= pass_on(fe, i);
    }
}

void lengths_by_name(struct frontend *fe)
{
    for (size_t i = 0; i < fe->functions.count; i++)
        if (fe->functions.items[i].defined)
            pair_by_name(fe, i);
}
