// SPDX-License-Identifier: Apache-2.0
// One walk over a function's body; see buffer_uses.h. A pointer and a number are used together
// by p[i] with i < n, memcpy(p, .., n), *p++ with n--, and an end p + n.
#include "frontend/buffer_uses.h"

struct walk {
    struct frontend *fe;
    struct buffer_uses *out;
    VEC(struct holder_pair) indexed; // pointer, index
    VEC(struct holder_pair) below;   // index, bound: the index is less
    VEC(struct holder_pair) up_to;   // index, bound: the index may be equal
    VEC(size_t) zeros;               // are set to 0
    VEC(size_t) stepped, lowered;    // in the loop at hand: p++, n--
    VEC(size_t) advanced, reduced;   // in the loop at hand: p += k, n -= k
};

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

static bool is_step(const struct node *node)
{
    return unary(node) >= CXUnaryOperator_PostInc && unary(node) <= CXUnaryOperator_PreDec;
}

size_t buffer_uses_named(struct frontend *fe, struct node *node)
{
    node = expression_core(node);
    if (is_step(node))
        node = expression_core(node->child);
    bool is_name = node->kind == CXCursor_DeclRefExpr || node->kind == CXCursor_MemberRefExpr;
    return is_name ? expression_holder(fe, node) : HOLDER_NONE;
}

static size_t named(struct walk *w, struct node *node)
{
    return buffer_uses_named(w->fe, node);
}

static bool is_among(const size_t *list, size_t count, size_t holder)
{
    for (size_t i = 0; i < count; i++)
        if (list[i] == holder)
            return true;
    return false;
}

bool buffer_uses_changes(const struct buffer_uses *uses, size_t holder)
{
    return is_among(uses->changed.items, uses->changed.count, holder);
}

// ---- For and against ----

static void relate_as(struct walk *w, enum pair_kind kind, size_t pointer, size_t other,
                      bool is_vague)
{
    if (pointer != HOLDER_NONE && other != HOLDER_NONE && pointer != other)
        *VEC_PUSH(&w->out->list) = (struct buffer_use){kind, pointer, other, is_vague};
}

static void relate(struct walk *w, enum pair_kind kind, size_t pointer, size_t other)
{
    relate_as(w, kind, pointer, other, false);
}

static void doubt(struct walk *w, size_t pointer)
{
    if (pointer != HOLDER_NONE)
        *VEC_PUSH(&w->out->doubts) = pointer;
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
    if (pointer != HOLDER_NONE && at != HOLDER_NONE)
        *VEC_PUSH(&w->indexed) = (struct holder_pair){pointer, at};
    if (is_product(index))
        doubt(w, pointer);
}

// The pointer to characters that *p, p[i] or *p++ is an element of.
static size_t text_of(struct walk *w, struct node *node)
{
    node = expression_core(node);
    bool is_element =
        node->kind == CXCursor_ArraySubscriptExpr || unary(node) == CXUnaryOperator_Deref;
    enum CXTypeKind kind = clang_getCanonicalType(clang_getCursorType(node->cursor)).kind;
    bool is_text = kind == CXType_Char_S || kind == CXType_Char_U || kind == CXType_SChar;
    return is_element && is_text ? expression_holder(w->fe, node) : HOLDER_NONE;
}

static bool is_zero(struct node *node)
{
    int64_t value;
    return ast_integer_constant(node, &value) && value == 0;
}

// ---- Values ----

// Another type of pointer has other elements.
static bool has_same_elements(const struct node *variable, const struct node *value)
{
    CXType to = clang_getPointeeType(clang_getCanonicalType(clang_getCursorType(variable->cursor)));
    CXType from = clang_getPointeeType(clang_getCanonicalType(clang_getCursorType(value->cursor)));
    return to.kind != CXType_Invalid && to.kind == from.kind &&
           clang_Type_getSizeOf(to) == clang_Type_getSizeOf(from);
}

static void note_value(struct walk *w, size_t holder, struct node *variable, struct node *value)
{
    struct node *name = expression_core(value);
    bool is_copy = ast_strip(value)->kind == CXCursor_MemberRefExpr ||
                   (name->kind == CXCursor_DeclRefExpr && has_same_elements(variable, name));
    if (is_zero(value))
        *VEC_PUSH(&w->zeros) = holder;
    *VEC_PUSH(&w->out->copies) =
        (struct holder_pair){holder, is_copy ? named(w, value) : HOLDER_NONE};
}

// What is set to a sum with itself grows.
static bool is_sum_with(struct walk *w, size_t holder, struct node *value)
{
    struct node *sum = expression_core(value);
    return binary(sum) == CXBinaryOperator_Add &&
           (named(w, sum->child) == holder || named(w, sum->child->next) == holder);
}

static void note_assignment(struct walk *w, struct node *left, struct node *right)
{
    size_t holder = named(w, left), text = is_zero(right) ? text_of(w, left) : HOLDER_NONE;
    if (text != HOLDER_NONE)
        *VEC_PUSH(&w->out->terminated) = text;
    if (holder == HOLDER_NONE)
        return;
    *VEC_PUSH(&w->out->changed) = holder;
    note_value(w, holder, left, right);
    if (is_sum_with(w, holder, right))
        *VEC_PUSH(&w->out->grown) = holder;
    if (!is_zero(right) && binary(expression_core(right)) != CXBinaryOperator_Sub)
        *VEC_PUSH(&w->out->set) = holder;
}

// q < p + n
static void note_sum_as_end(struct walk *w, struct node *node, bool is_vague)
{
    node = expression_core(node);
    if (binary(node) == CXBinaryOperator_Add && expression_is_pointer(node))
        relate_as(w, PAIR_LENGTH, named(w, node->child), named(w, node->child->next), is_vague);
}

// i = 0, end = p + n. The end that nobody names as one may be any place.
static void note_variable(struct walk *w, struct node *node)
{
    size_t holder = node->last_child ? holder_of_declaration(w->fe, node->cursor) : HOLDER_NONE;
    if (holder != HOLDER_NONE)
        note_value(w, holder, node, node->last_child);
    if (!node->last_child)
        return;
    CXString name = clang_getCursorSpelling(node->cursor);
    note_sum_as_end(w, node->last_child, !lengths_says_end(clang_getCString(name)));
    clang_disposeString(name);
}

// ---- Comparisons ----

static void note_below(struct walk *w, struct node *left, struct node *right)
{
    size_t small = named(w, left), large = named(w, right);
    if (small == HOLDER_NONE || large == HOLDER_NONE)
        return;
    if (expression_is_pointer(left))
        relate(w, PAIR_END, small, large);
    else
        *VEC_PUSH(&w->below) = (struct holder_pair){small, large};
}

static void note_up_to(struct walk *w, struct node *left, struct node *right)
{
    size_t small = named(w, left), large = named(w, right);
    if (small == HOLDER_NONE || large == HOLDER_NONE)
        return;
    struct holder_pair pair = {small, large};
    *(expression_is_pointer(left) ? VEC_PUSH(&w->out->past) : VEC_PUSH(&w->up_to)) = pair;
}

// `i < n`: where it does not hold, n goes up to i.
static void note_less(struct walk *w, struct node *left, struct node *right)
{
    note_sum_as_end(w, right, false);
    note_below(w, left, right);
    note_up_to(w, right, left);
}

static void note_less_or_equal(struct walk *w, struct node *left, struct node *right)
{
    note_up_to(w, left, right);
    note_below(w, right, left);
}

static void note_operator(struct walk *w, struct node *node)
{
    struct node *left = node->child, *right = left->next;
    switch (binary(node)) {
    case CXBinaryOperator_LT: note_less(w, left, right); break;
    case CXBinaryOperator_GT: note_less(w, right, left); break;
    case CXBinaryOperator_LE: note_less_or_equal(w, left, right); break;
    case CXBinaryOperator_GE: note_less_or_equal(w, right, left); break;
    case CXBinaryOperator_Sub: // end - p
        if (expression_is_pointer(left) && expression_is_pointer(right))
            relate(w, PAIR_END, named(w, right), named(w, left));
        break;
    case CXBinaryOperator_Add:
        if (expression_is_pointer(left))
            note_index(w, left, right);
        break;
    case CXBinaryOperator_Assign: note_assignment(w, left, right); break;
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

// ---- Calls ----

static struct node *argument_at(struct node *call, size_t index)
{
    struct node *argument = call->child ? call->child->next : NULL;
    while (argument && index--)
        argument = argument->next;
    return argument;
}

// memcpy(p, .., n), but not strncpy(p, .., n), which may use less.
static void note_bytes(struct walk *w, const struct libc_bytes *bytes, size_t at, size_t pointer,
                       struct node *length)
{
    bool is_exact = (at == bytes->first || at == bytes->second) && bytes->exact;
    if (is_exact && length)
        relate(w, PAIR_BYTES, pointer, named(w, length));
    if (!is_exact)
        doubt(w, pointer);
}

static void note_call(struct walk *w, struct node *call)
{
    size_t callee = call->child ? expression_function(w->fe, call->child) : SIZE_MAX, at = 0;
    const struct libc_bytes *bytes = lengths_byte_call(w->fe, callee);
    for (struct node *argument = argument_at(call, 0); argument; argument = argument->next, at++) {
        size_t pointer = named(w, argument);
        if (pointer == HOLDER_NONE || !expression_is_pointer(argument))
            continue;
        if (bytes)
            note_bytes(w, bytes, at, pointer, argument_at(call, bytes->length));
        else
            *VEC_PUSH(&w->out->handed) =
                (struct handed_pointer){pointer, callee, at, call, argument};
    }
}

// ---- Loops ----

// Steps by one, or by several elements.
static void note_step(struct walk *w, struct node *variable, bool is_up, bool is_one)
{
    size_t holder = named(w, variable);
    if (holder == HOLDER_NONE)
        return;
    *VEC_PUSH(&w->out->changed) = holder;
    if (expression_is_pointer(variable)) {
        if (is_up)
            *(is_one ? VEC_PUSH(&w->stepped) : VEC_PUSH(&w->advanced)) = holder;
    } else if (is_up) {
        *VEC_PUSH(&w->out->grown) = holder;
    } else {
        *(is_one ? VEC_PUSH(&w->lowered) : VEC_PUSH(&w->reduced)) = holder;
    }
}

static void note_unary(struct walk *w, struct node *node)
{
    enum CXUnaryOperatorKind op = unary(node);
    if (op == CXUnaryOperator_LNot)
        doubt(w, text_of(w, node->child));
    else if (is_step(node))
        note_step(w, node->child, op == CXUnaryOperator_PostInc || op == CXUnaryOperator_PreInc,
                  true);
}

// for (; p != end; ), for (; i != n; )
static void note_unequal(struct walk *w, struct node *condition)
{
    struct node *core = expression_core(condition);
    if (binary(core) != CXBinaryOperator_NE)
        return;
    note_below(w, core->child, core->child->next);
    note_below(w, core->child->next, core->child);
    note_sum_as_end(w, core->child->next, false);
}

// How long the lists are that belong to a loop.
struct loop {
    size_t stepped, lowered, advanced, reduced;
};

static struct loop loop_here(const struct walk *w)
{
    return (struct loop){w->stepped.count, w->lowered.count, w->advanced.count, w->reduced.count};
}

static void relate_steps(struct walk *w, size_t pointer, struct loop begin, bool is_one)
{
    for (size_t k = begin.lowered; k < w->lowered.count; k++)
        relate_as(w, PAIR_LENGTH, pointer, w->lowered.items[k], !is_one);
    for (size_t k = begin.reduced; k < w->reduced.count; k++)
        relate_as(w, PAIR_LENGTH, pointer, w->reduced.items[k], true);
}

// *p++ and n--, as often as each other if they are in one loop, and not in one inside it.
static void end_loop(struct walk *w, struct loop begin)
{
    for (size_t i = begin.stepped; i < w->stepped.count; i++) {
        relate_steps(w, w->stepped.items[i], begin, true);
        if (begin.lowered < w->lowered.count && // two elements a time
            is_among(w->stepped.items + begin.stepped, i - begin.stepped, w->stepped.items[i]))
            doubt(w, w->stepped.items[i]);
    }
    for (size_t i = begin.advanced; i < w->advanced.count; i++)
        relate_steps(w, w->advanced.items[i], begin, false);
    w->stepped.count = begin.stepped;
    w->lowered.count = begin.lowered;
    w->advanced.count = begin.advanced;
    w->reduced.count = begin.reduced;
}

static void walk(struct walk *w, struct node *node);

static void walk_loop(struct walk *w, struct node *node)
{
    struct loop begin = loop_here(w);
    for (struct node *child = node->child; child; child = child->next) {
        note_unequal(w, child);
        doubt(w, text_of(w, child));
        walk(w, child);
    }
    end_loop(w, begin);
}

static void walk(struct walk *w, struct node *node)
{
    switch (node->kind) {
    case CXCursor_UnaryExpr: return; // sizeof
    case CXCursor_ForStmt:
    case CXCursor_WhileStmt:
    case CXCursor_DoStmt: walk_loop(w, node); return;
    case CXCursor_BinaryOperator:
        if (node->child && node->child->next)
            note_operator(w, node);
        break;
    case CXCursor_CompoundAssignOperator:
        if (node->child)
            note_step(w, node->child,
                      clang_getCursorBinaryOperatorKind(node->cursor) != CXBinaryOperator_SubAssign,
                      false);
        break;
    case CXCursor_ArraySubscriptExpr:
        if (node->child && node->child->next)
            note_index(w, node->child, node->child->next);
        break;
    case CXCursor_UnaryOperator: note_unary(w, node); break;
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

// p[i] and i < n, for the same i.
static void join_index(struct walk *w, struct holder_pair use)
{
    bool from_zero = is_among(w->zeros.items, w->zeros.count, use.second);
    for (size_t b = 0; b < w->below.count; b++)
        if (w->below.items[b].first == use.second)
            relate(w, PAIR_LENGTH, use.first, w->below.items[b].second);
    for (size_t b = 0; b < w->up_to.count; b++) {
        if (w->up_to.items[b].first != use.second)
            continue;
        if (from_zero)
            relate(w, PAIR_LENGTH, use.first, w->up_to.items[b].second);
        else
            *VEC_PUSH(&w->out->beyond) = (struct holder_pair){use.first, w->up_to.items[b].second};
    }
}

struct buffer_uses buffer_uses_collect(struct frontend *fe, struct node *body)
{
    struct buffer_uses out = {.fe = fe};
    struct walk w = {.fe = fe, .out = &out};
    walk(&w, body);
    for (size_t i = 0; i < w.indexed.count; i++)
        join_index(&w, w.indexed.items[i]);
    VEC_RELEASE(&w.indexed);
    VEC_RELEASE(&w.below);
    VEC_RELEASE(&w.up_to);
    VEC_RELEASE(&w.zeros);
    VEC_RELEASE(&w.stepped);
    VEC_RELEASE(&w.lowered);
    VEC_RELEASE(&w.advanced);
    VEC_RELEASE(&w.reduced);
    return out;
}

void buffer_uses_release(struct buffer_uses *uses)
{
    VEC_RELEASE(&uses->list);
    VEC_RELEASE(&uses->handed);
    VEC_RELEASE(&uses->copies);
    VEC_RELEASE(&uses->beyond);
    VEC_RELEASE(&uses->past);
    VEC_RELEASE(&uses->doubts);
    VEC_RELEASE(&uses->terminated);
    VEC_RELEASE(&uses->set);
    VEC_RELEASE(&uses->grown);
    VEC_RELEASE(&uses->changed);
}
