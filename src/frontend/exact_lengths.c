// SPDX-License-Identifier: Apache-2.0
// Which of the pairs that lengths.c finds are exact: the buffer has as many elements as the
// length says, and code that uses one more is wrong. An alarm comes of it, so a guess will not
// do. The code must use the two together as a start and its length (p[i] with i < n, memcpy(p,
// .., n), *p++ with n--, an end p + n, a call that does), and the length must be named as one: high
// in a[high] with j < high is the last index. Nothing may speak against it:
//   - an index that goes up to the length, but does not begin at 0: arrays that begin at 1;
//   - an index that is a product: n is the length of a row;
//   - a pointer that moves while the length stays: it may not count what was skipped;
//   - two lengths: one of them may be how much is in use;
//   - a call that gets the pointer alone, or a test for NUL: a text has a NUL behind it.
#include "frontend/frontend_internal.h"

#include <stdlib.h>
#include <string.h>

struct relation {
    size_t first, second; // holders
};

struct use { // of a pointer with a length
    enum pair_kind kind;
    size_t pointer, other; // holders
};

struct walk {
    struct frontend *fe;
    size_t function;
    VEC(struct relation) indexed; // pointer, index
    VEC(struct relation) below;   // index, bound: the index is less
    VEC(struct relation) up_to;   // index, bound: the index may be equal
    VEC(struct relation) copies;  // variable, what it is set to; HOLDER_NONE: something else
    VEC(struct use) uses;
    VEC(size_t) zeros;            // are set to 0
    VEC(size_t) changed;          // are set, or stepped
    VEC(size_t) stepped, lowered; // in the loop at hand: p++, n--
};

static size_t origin_of(const struct frontend *fe, size_t holder)
{
    return holder != HOLDER_NONE && fe->holders.items[holder].origin
               ? fe->holders.items[holder].origin - 1
               : holder;
}

// The parameter of this function that a holder is, or SIZE_MAX.
static size_t parameter_of(const struct walk *w, size_t holder)
{
    holder = origin_of(w->fe, holder);
    if (holder == HOLDER_NONE)
        return SIZE_MAX;
    const struct slot *slot = &w->fe->holders.items[holder].slot;
    return slot->kind == SLOT_PARAMETER && slot->owner == w->function ? slot->index : SIZE_MAX;
}

static enum CXUnaryOperatorKind unary(const struct node *node)
{
    return node->kind == CXCursor_UnaryOperator && node->child
               ? clang_getCursorUnaryOperatorKind(node->cursor)
               : CXUnaryOperator_Invalid;
}

static enum CXBinaryOperatorKind binary(const struct node *node)
{
    return node->kind == CXCursor_BinaryOperator && node->child && node->child->next
               ? clang_getCursorBinaryOperatorKind(node->cursor)
               : CXBinaryOperator_Invalid;
}

// A variable on its own, also as p++.
static size_t named(struct walk *w, struct node *node)
{
    node = expression_core(node);
    enum CXUnaryOperatorKind op = unary(node);
    if (op >= CXUnaryOperator_PostInc && op <= CXUnaryOperator_PreDec)
        node = expression_core(node->child);
    return node->kind == CXCursor_DeclRefExpr ? expression_holder(w->fe, node) : HOLDER_NONE;
}

// ---- For and against ----

static void relate(struct walk *w, enum pair_kind kind, size_t pointer, size_t other)
{
    size_t first = parameter_of(w, pointer), second = parameter_of(w, other);
    if (first != SIZE_MAX && second != SIZE_MAX && first != second)
        *VEC_PUSH(&w->uses) = (struct use){kind, pointer, other};
}

static void doubt(struct walk *w, size_t pointer)
{
    pointer = origin_of(w->fe, pointer);
    if (pointer != HOLDER_NONE)
        w->fe->holders.items[pointer].inexact = true;
}

static bool is_product(struct node *node)
{
    node = expression_core(node);
    enum CXBinaryOperatorKind op = binary(node);
    if (op == CXBinaryOperator_Mul || op == CXBinaryOperator_Shl)
        return true;
    return (op == CXBinaryOperator_Add || op == CXBinaryOperator_Sub) &&
           (is_product(node->child) || is_product(node->child->next));
}

static void note_index(struct walk *w, struct node *base, struct node *index)
{
    size_t pointer = named(w, base), at = named(w, index);
    if (parameter_of(w, pointer) == SIZE_MAX)
        return;
    if (at != HOLDER_NONE)
        *VEC_PUSH(&w->indexed) = (struct relation){pointer, at};
    if (is_product(index))
        doubt(w, pointer);
}

// The pointer to characters that *p, p[i] or *p++ reads an element of.
static size_t text_of(struct walk *w, struct node *node)
{
    node = expression_core(node);
    bool is_element =
        node->kind == CXCursor_ArraySubscriptExpr || unary(node) == CXUnaryOperator_Deref;
    enum CXTypeKind kind = clang_getCanonicalType(clang_getCursorType(node->cursor)).kind;
    bool is_text = kind == CXType_Char_S || kind == CXType_Char_U || kind == CXType_SChar;
    return is_element && is_text ? expression_holder(w->fe, node) : HOLDER_NONE;
}

// `i < n`, and `n > i`; `i <= n`, or `n <= i` where i is too large.
static void note_comparison(struct walk *w, struct node *left, struct node *right, bool is_equal)
{
    size_t small = named(w, left), large = named(w, right);
    if (small == HOLDER_NONE || large == HOLDER_NONE)
        return;
    struct relation upward = {small, large}, downward = {large, small};
    if (parameter_of(w, large) != SIZE_MAX)
        *(is_equal ? VEC_PUSH(&w->up_to) : VEC_PUSH(&w->below)) = upward;
    if (parameter_of(w, small) != SIZE_MAX)
        *(is_equal ? VEC_PUSH(&w->below) : VEC_PUSH(&w->up_to)) = downward;
}

// q < p + n
static void note_sum_as_end(struct walk *w, struct node *node)
{
    node = expression_core(node);
    if (binary(node) == CXBinaryOperator_Add && expression_is_pointer(node))
        relate(w, PAIR_LENGTH, named(w, node->child), named(w, node->child->next));
}

static bool is_zero(struct node *node)
{
    int64_t value;
    return ast_integer_constant(node, &value) && value == 0;
}

// Another type of pointer has other elements.
static void note_value(struct walk *w, size_t holder, struct node *variable, struct node *value)
{
    struct node *name = expression_core(value);
    CXType to = clang_getPointeeType(clang_getCanonicalType(clang_getCursorType(variable->cursor)));
    CXType from = clang_getPointeeType(clang_getCanonicalType(clang_getCursorType(name->cursor)));
    bool is_copy = name->kind == CXCursor_DeclRefExpr && to.kind != CXType_Invalid &&
                   to.kind == from.kind && clang_Type_getSizeOf(to) == clang_Type_getSizeOf(from);
    if (is_zero(value))
        *VEC_PUSH(&w->zeros) = holder;
    *VEC_PUSH(&w->copies) =
        (struct relation){holder, is_copy ? expression_holder(w->fe, name) : HOLDER_NONE};
}

static void note_operator(struct walk *w, struct node *node)
{
    struct node *left = node->child, *right = left->next;
    enum CXBinaryOperatorKind op = binary(node);
    bool turned = op == CXBinaryOperator_GT || op == CXBinaryOperator_GE;
    switch (op) {
    case CXBinaryOperator_LT:
    case CXBinaryOperator_GT:
        note_sum_as_end(w, turned ? left : right);
        note_comparison(w, turned ? right : left, turned ? left : right, false);
        break;
    case CXBinaryOperator_LE:
    case CXBinaryOperator_GE:
        note_comparison(w, turned ? right : left, turned ? left : right, true);
        break;
    case CXBinaryOperator_Sub: // end - p
        if (expression_is_pointer(left) && expression_is_pointer(right))
            relate(w, PAIR_END, named(w, right), named(w, left));
        break;
    case CXBinaryOperator_Add:
        if (expression_is_pointer(left))
            note_index(w, left, right);
        break;
    case CXBinaryOperator_Assign:
        if (named(w, left) != HOLDER_NONE) {
            *VEC_PUSH(&w->changed) = named(w, left);
            note_value(w, named(w, left), left, right);
        }
        break;
    case CXBinaryOperator_EQ:
    case CXBinaryOperator_NE:
        if (is_zero(right))
            doubt(w, text_of(w, left));
        break;
    case CXBinaryOperator_LAnd:
    case CXBinaryOperator_LOr:
        doubt(w, text_of(w, left));
        doubt(w, text_of(w, right));
        break;
    default: break;
    }
}

// i = 0, end = p + n. The end that nobody names as one is any place.
static void note_variable(struct walk *w, struct node *node)
{
    struct node *value = node->last_child;
    if (!value)
        return;
    size_t holder = holder_of_declaration(w->fe, node->cursor);
    if (holder != HOLDER_NONE)
        note_value(w, holder, node, value);
    CXString name = clang_getCursorSpelling(node->cursor);
    if (lengths_says_end(clang_getCString(name)))
        note_sum_as_end(w, value);
    clang_disposeString(name);
}

static bool is_length(struct walk *w, struct node *argument)
{
    size_t parameter = parameter_of(w, named(w, argument));
    if (parameter == SIZE_MAX)
        return false;
    const char *name = w->fe->functions.items[w->function].params[parameter].name;
    return expression_is_pointer(argument) ? lengths_says_end(name) : program_says_length(name);
}

static bool has_length(struct walk *w, struct node *arguments, const struct node *pointer)
{
    for (struct node *argument = arguments; argument; argument = argument->next)
        if (argument != pointer && is_length(w, argument))
            return true;
    return false;
}

static void note_call(struct walk *w, struct node *node)
{
    size_t callee = node->child ? expression_function(w->fe, node->child) : SIZE_MAX;
    const struct libc_bytes *bytes = lengths_byte_call(w->fe, callee);
    struct node *arguments = node->child ? node->child->next : NULL, *length = arguments;
    for (size_t i = 0; bytes && length && i < bytes->length; i++)
        length = length->next;
    size_t at = 0;
    for (struct node *argument = arguments; argument; argument = argument->next, at++) {
        size_t pointer = named(w, argument);
        if (pointer == HOLDER_NONE || !expression_is_pointer(argument))
            continue;
        bool takes_length = bytes && (at == bytes->first || at == bytes->second);
        if (takes_length && bytes->exact && length)
            relate(w, PAIR_BYTES, pointer, named(w, length));
        if (bytes ? !takes_length || !bytes->exact : !has_length(w, arguments, argument))
            doubt(w, pointer);
    }
}

// ---- Loops ----

static void note_step(struct walk *w, struct node *node)
{
    size_t holder = named(w, node->child);
    if (holder == HOLDER_NONE)
        return;
    *VEC_PUSH(&w->changed) = holder;
    bool up = unary(node) == CXUnaryOperator_PostInc || unary(node) == CXUnaryOperator_PreInc;
    bool is_pointer = expression_is_pointer(node->child);
    if (is_pointer && up)
        *VEC_PUSH(&w->stepped) = holder;
    else if (!is_pointer && !up)
        *VEC_PUSH(&w->lowered) = holder;
}

// for (; p != end; ), for (; i != n; )
static void note_unequal(struct walk *w, struct node *left, struct node *right)
{
    size_t small = named(w, left), large = named(w, right);
    if (small != HOLDER_NONE && large != HOLDER_NONE && parameter_of(w, large) != SIZE_MAX)
        *VEC_PUSH(&w->below) = (struct relation){small, large};
}

static void walk(struct walk *w, struct node *node);

// *p++ and n--, as often as each other if they are in one loop, and not in one inside it.
static void walk_loop(struct walk *w, struct node *node)
{
    struct walk inner = *w;
    memset(&inner.stepped, 0, sizeof inner.stepped);
    memset(&inner.lowered, 0, sizeof inner.lowered);
    for (struct node *child = node->child; child; child = child->next) {
        struct node *core = expression_core(child);
        if (binary(core) == CXBinaryOperator_NE) {
            note_unequal(&inner, core->child, core->child->next);
            note_unequal(&inner, core->child->next, core->child);
            note_sum_as_end(&inner, core->child->next);
        }
        doubt(&inner, text_of(&inner, child));
        walk(&inner, child);
    }
    for (size_t i = 0; i < inner.stepped.count; i++) {
        for (size_t k = 0; k < inner.lowered.count; k++)
            relate(&inner, PAIR_LENGTH, inner.stepped.items[i], inner.lowered.items[k]);
        for (size_t k = 0; k < i; k++) // two elements a time
            if (inner.stepped.items[k] == inner.stepped.items[i] && inner.lowered.count)
                doubt(&inner, inner.stepped.items[i]);
    }
    VEC_RELEASE(&inner.stepped);
    VEC_RELEASE(&inner.lowered);
    inner.stepped = w->stepped;
    inner.lowered = w->lowered;
    *w = inner; // its lists may have moved
}

static void walk(struct walk *w, struct node *node)
{
    enum CXUnaryOperatorKind op = unary(node);
    switch (node->kind) {
    case CXCursor_UnaryExpr: // sizeof
        return;
    case CXCursor_ForStmt:
    case CXCursor_WhileStmt:
    case CXCursor_DoStmt: walk_loop(w, node); return;
    case CXCursor_BinaryOperator:
        if (node->child && node->child->next)
            note_operator(w, node);
        break;
    case CXCursor_CompoundAssignOperator:
        if (node->child && named(w, node->child) != HOLDER_NONE)
            *VEC_PUSH(&w->changed) = named(w, node->child);
        break;
    case CXCursor_ArraySubscriptExpr:
        if (node->child && node->child->next)
            note_index(w, node->child, node->child->next);
        break;
    case CXCursor_UnaryOperator:
        if (op == CXUnaryOperator_LNot)
            doubt(w, text_of(w, node->child));
        else if (op >= CXUnaryOperator_PostInc && op <= CXUnaryOperator_PreDec)
            note_step(w, node);
        break;
    case CXCursor_IfStmt:
    case CXCursor_ConditionalOperator:
        if (node->child)
            doubt(w, text_of(w, node->child));
        break;
    case CXCursor_VarDecl: note_variable(w, node); break;
    case CXCursor_CallExpr: note_call(w, node); break;
    default: break;
    }
    for (struct node *child = node->child; child; child = child->next)
        walk(w, child);
}

static bool is_pointer(const struct walk *w, size_t holder)
{
    size_t parameter = parameter_of(w, holder);
    return parameter != SIZE_MAX &&
           w->fe->functions.items[w->function].params[parameter].type->kind == TYPE_POINTER;
}

static bool is_among(const size_t *list, size_t count, size_t holder)
{
    for (size_t i = 0; i < count; i++)
        if (list[i] == holder)
            return true;
    return false;
}

static void join(struct walk *w)
{
    for (size_t i = 0; i < w->indexed.count; i++) {
        struct relation use = w->indexed.items[i];
        for (size_t b = 0; b < w->below.count; b++)
            if (w->below.items[b].first == use.second)
                relate(w, PAIR_LENGTH, use.first, w->below.items[b].second);
        for (size_t b = 0; b < w->up_to.count; b++) {
            if (w->up_to.items[b].first != use.second ||
                parameter_of(w, w->up_to.items[b].second) == SIZE_MAX)
                continue;
            if (is_among(w->zeros.items, w->zeros.count, use.second))
                relate(w, PAIR_LENGTH, use.first, w->up_to.items[b].second);
            else
                doubt(w, use.first);
        }
    }
    for (size_t b = 0; b < w->below.count; b++) // p < end
        relate(w, PAIR_END, w->below.items[b].first, w->below.items[b].second);
    for (size_t b = 0; b < w->up_to.count; b++) // p <= end: the last element, perhaps
        if (is_pointer(w, w->up_to.items[b].first))
            doubt(w, w->up_to.items[b].first);
}

// The parameter that a variable is, or is a copy of and nothing else; or SIZE_MAX.
static size_t resolve(const struct walk *w, size_t holder)
{
    size_t from = HOLDER_NONE;
    if (!w->fe->holders.items[holder].origin)
        return parameter_of(w, holder);
    for (size_t i = 0; i < w->copies.count; i++)
        if (w->copies.items[i].first == holder) {
            if (w->copies.items[i].second == HOLDER_NONE ||
                (from != HOLDER_NONE && from != w->copies.items[i].second))
                return SIZE_MAX;
            from = w->copies.items[i].second;
        }
    return from != HOLDER_NONE && !w->fe->holders.items[from].origin ? parameter_of(w, from)
                                                                     : SIZE_MAX;
}

static void settle(struct walk *w, const struct use *use)
{
    size_t pointer = resolve(w, use->pointer), other = resolve(w, use->other);
    bool moves = is_among(w->changed.items, w->changed.count, use->pointer) ||
                 is_among(w->changed.items, w->changed.count, origin_of(w->fe, use->pointer));
    bool stays = !is_among(w->changed.items, w->changed.count, use->other);
    if (use->kind != PAIR_END && moves && stays)
        doubt(w, use->pointer);
    else if (pointer != SIZE_MAX && other != SIZE_MAX)
        *VEC_PUSH(&w->fe->exact) = (struct exact_length){w->function, use->kind, pointer, other};
}

void exact_lengths_collect(struct frontend *fe, size_t function, struct node *body)
{
    struct walk w = {.fe = fe, .function = function};
    walk(&w, body);
    join(&w);
    for (size_t i = 0; i < w.uses.count; i++)
        settle(&w, &w.uses.items[i]);
    VEC_RELEASE(&w.copies);
    VEC_RELEASE(&w.uses);
    VEC_RELEASE(&w.changed);
    VEC_RELEASE(&w.indexed);
    VEC_RELEASE(&w.below);
    VEC_RELEASE(&w.up_to);
    VEC_RELEASE(&w.zeros);
    VEC_RELEASE(&w.stepped);
    VEC_RELEASE(&w.lowered);
}

// ---- Pairs ----

static bool is_doubted(struct frontend *fe, size_t function, size_t pointer)
{
    return fe->holders.items[holder_of_parameter(fe, function, pointer)].inexact;
}

static bool is_named_so(const struct frontend *fe, size_t function, enum pair_kind kind,
                        size_t other)
{
    const char *name = fe->functions.items[function].params[other].name;
    return kind == PAIR_END ? lengths_says_end(name) && !strstr(name, "last")
                            : program_says_length(name);
}

static bool fits(const struct frontend *fe, const struct exact_length *e, enum pair_kind kind)
{
    const struct function *function = &fe->functions.items[e->function];
    const struct type *other = function->params[e->other].type;
    const struct type *pointer = function->params[e->pointer].type;
    if (pointer->kind != TYPE_POINTER || (e->kind == PAIR_END) != (kind == PAIR_END) ||
        (other->kind == TYPE_POINTER) != (kind == PAIR_END))
        return false;
    return e->kind == kind || pointer->target->size <= 1;
}

static size_t first_of(const struct frontend *fe, size_t function)
{
    size_t low = 0, high = fe->exact.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (fe->exact.items[middle].function < function)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// Does the code use the two together, exactly or not?
static bool is_told(const struct frontend *fe, size_t function, const struct parameter_pair *pair)
{
    for (size_t i = first_of(fe, function);
         i < fe->exact.count && fe->exact.items[i].function == function; i++)
        if (fe->exact.items[i].pointer == pair->pointer &&
            fe->exact.items[i].other == pair->other && fits(fe, &fe->exact.items[i], pair->kind))
            return true;
    return false;
}

static bool is_exact(struct frontend *fe, size_t function, const struct parameter_pair *pair)
{
    bool found = false;
    if (is_doubted(fe, function, pair->pointer) ||
        !is_named_so(fe, function, pair->kind, pair->other))
        return false;
    for (size_t i = first_of(fe, function);
         i < fe->exact.count && fe->exact.items[i].function == function; i++) {
        const struct exact_length *e = &fe->exact.items[i];
        if (e->pointer != pair->pointer)
            continue;
        const struct type *other = fe->functions.items[function].params[e->other].type;
        bool is_length = other->kind == TYPE_INT || e->kind == PAIR_END;
        if (e->other != pair->other && is_length)
            return false; // which one?
        found |= e->other == pair->other && fits(fe, e, pair->kind);
    }
    return found;
}

// f(p, n) hands on what the callee uses so.
static void pass_on(struct frontend *fe, size_t at)
{
    struct call pointer = fe->calls.items[at];
    const struct function *callee = &fe->functions.items[pointer.callee];
    for (size_t i = 0; i < callee->pair_count; i++) {
        if (callee->pairs[i].pointer != pointer.parameter || !callee->pairs[i].is_exact)
            continue;
        const struct call *other = lengths_argument_for(fe, at, callee->pairs[i].other);
        if (other)
            *VEC_PUSH(&fe->exact) = (struct exact_length){pointer.caller, callee->pairs[i].kind,
                                                          pointer.argument, other->argument};
    }
}

static int compare(const void *left, const void *right)
{
    const struct exact_length *a = left, *b = right;
    const size_t x[] = {a->function, a->pointer, a->other, a->kind};
    const size_t y[] = {b->function, b->pointer, b->other, b->kind};
    for (size_t i = 0; i < sizeof x / sizeof *x; i++)
        if (x[i] != y[i])
            return x[i] < y[i] ? -1 : 1;
    return 0;
}

static void sort(struct frontend *fe)
{
    size_t kept = 0;
    if (fe->exact.count)
        qsort(fe->exact.items, fe->exact.count, sizeof *fe->exact.items, compare);
    for (size_t i = 0; i < fe->exact.count; i++)
        if (!kept || compare(&fe->exact.items[kept - 1], &fe->exact.items[i]) != 0)
            fe->exact.items[kept++] = fe->exact.items[i];
    fe->exact.count = kept;
}

static bool mark(struct frontend *fe)
{
    bool changed = false;
    sort(fe);
    for (size_t f = 0; f < fe->functions.count; f++) {
        struct function *function = &fe->functions.items[f];
        for (size_t i = 0; i < function->pair_count; i++) {
            bool exact = is_exact(fe, f, &function->pairs[i]);
            changed |= exact && !function->pairs[i].is_exact;
            function->pairs[i].is_exact = exact;
            function->pairs[i].is_suggested &= !is_told(fe, f, &function->pairs[i]);
        }
    }
    return changed;
}

void exact_lengths_finish(struct frontend *fe)
{
    for (unsigned depth = 0; depth < 8 && mark(fe); depth++)
        for (size_t i = 0; i < fe->calls.count; i++)
            pass_on(fe, i);
    mark(fe);
}
