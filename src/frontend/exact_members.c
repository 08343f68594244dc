// SPDX-License-Identifier: Apache-2.0
// Lengths that are members of a record, beside the pointer to what they count: which of them are
// exact, as exact_lengths.c tells it of parameters. The code uses the two together: p[i] with i <
// n, memcpy(p, .., n), *p++ with n--, an end p + n, a call of a function that does so. Objects are
// not told apart, and a local variable that is set from one member only stands for it. Nothing may
// speak against it:
//   - what speaks against the length of a parameter (an index that does not begin at 0 and goes up
//     to the length, a product, a pointer that moves while the length stays, a call that gets the
//     pointer alone, a test for NUL);
//   - a length that grows, or is set without the pointer, or a NUL behind the last element: it
//     says how much is in use.
#include "frontend/frontend_internal.h"

#include "program/libc.h"

#include <string.h>

struct relation {
    size_t first, second; // holders
};

struct use { // of a pointer with a length
    enum pair_kind kind;
    size_t pointer, length; // holders
};

struct walk {
    struct frontend *fe;
    VEC(struct relation) indexed; // pointer, index
    VEC(struct relation) below;   // index, bound: the index is less
    VEC(struct relation) up_to;   // index, bound: the index may be equal
    VEC(struct relation) copies;  // variable, what it is set to; HOLDER_NONE: something else
    VEC(struct use) uses;
    VEC(size_t) doubts;
    VEC(size_t) zeros;            // are set to 0
    VEC(size_t) set;              // ... to something else
    VEC(size_t) changed;          // are set, or stepped
    VEC(size_t) stepped, lowered; // in the loop at hand: p++, n--
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

// A variable or member on its own, also as p++.
static size_t named(struct walk *w, struct node *node)
{
    node = expression_core(node);
    if (is_step(node))
        node = expression_core(node->child);
    bool is_name = node->kind == CXCursor_DeclRefExpr || node->kind == CXCursor_MemberRefExpr;
    return is_name ? expression_holder(w->fe, node) : HOLDER_NONE;
}

static bool is_member(const struct frontend *fe, size_t holder)
{
    return holder != HOLDER_NONE && fe->holders.items[holder].slot.kind == SLOT_FIELD;
}

// The member that a holder is, or is a copy of and nothing else; or HOLDER_NONE.
static size_t member_of(const struct walk *w, size_t holder)
{
    size_t from = HOLDER_NONE;
    if (holder == HOLDER_NONE || is_member(w->fe, holder))
        return holder;
    for (size_t i = 0; i < w->copies.count; i++) {
        if (w->copies.items[i].first != holder)
            continue;
        size_t source = w->copies.items[i].second;
        if (!is_member(w->fe, source) || (from != HOLDER_NONE && from != source))
            return HOLDER_NONE;
        from = source;
    }
    return from;
}

// ---- For and against ----

static void relate(struct walk *w, enum pair_kind kind, size_t pointer, size_t length)
{
    if (pointer != HOLDER_NONE && length != HOLDER_NONE && pointer != length)
        *VEC_PUSH(&w->uses) = (struct use){kind, pointer, length};
}

static void doubt(struct walk *w, size_t pointer)
{
    if (pointer != HOLDER_NONE)
        *VEC_PUSH(&w->doubts) = pointer;
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
        *VEC_PUSH(&w->indexed) = (struct relation){pointer, at};
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

static void note_value(struct walk *w, size_t variable, struct node *value)
{
    if (is_zero(value))
        *VEC_PUSH(&w->zeros) = variable;
    *VEC_PUSH(&w->copies) = (struct relation){
        variable, ast_strip(value)->kind == CXCursor_MemberRefExpr ? named(w, value) : HOLDER_NONE};
}

// A member that is set to a sum with itself grows.
static void note_growth(struct walk *w, size_t member, struct node *value)
{
    struct node *sum = expression_core(value);
    if (binary(sum) == CXBinaryOperator_Add && is_member(w->fe, member) &&
        (named(w, sum->child) == member || named(w, sum->child->next) == member))
        doubt(w, member);
}

static void note_assignment(struct walk *w, struct node *left, struct node *right)
{
    size_t variable = named(w, left);
    if (is_zero(right))
        doubt(w, text_of(w, left));
    if (variable == HOLDER_NONE)
        return;
    *VEC_PUSH(&w->changed) = variable;
    note_value(w, variable, right);
    note_growth(w, variable, right);
    if (!is_zero(right) && binary(expression_core(right)) != CXBinaryOperator_Sub)
        *VEC_PUSH(&w->set) = variable;
}

// `i < n`, and `n > i`; `i <= n`, or `n <= i` where i is too large.
static void note_comparison(struct walk *w, struct node *left, struct node *right, bool is_equal)
{
    size_t small = named(w, left), large = named(w, right);
    if (small == HOLDER_NONE || large == HOLDER_NONE || expression_is_pointer(left))
        return;
    struct relation upward = {small, large}, downward = {large, small};
    *(is_equal ? VEC_PUSH(&w->up_to) : VEC_PUSH(&w->below)) = upward;
    *(is_equal ? VEC_PUSH(&w->below) : VEC_PUSH(&w->up_to)) = downward;
}

// q < p + n
static void note_end(struct walk *w, struct node *node)
{
    node = expression_core(node);
    if (binary(node) == CXBinaryOperator_Add && expression_is_pointer(node))
        relate(w, PAIR_LENGTH, named(w, node->child), named(w, node->child->next));
}

static void note_operator(struct walk *w, struct node *node)
{
    struct node *left = node->child, *right = left->next;
    switch (binary(node)) {
    case CXBinaryOperator_LT:
        note_end(w, right);
        note_comparison(w, left, right, false);
        break;
    case CXBinaryOperator_GT:
        note_end(w, left);
        note_comparison(w, right, left, false);
        break;
    case CXBinaryOperator_LE: note_comparison(w, left, right, true); break;
    case CXBinaryOperator_GE: note_comparison(w, right, left, true); break;
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

static void note_variable(struct walk *w, struct node *node)
{
    size_t holder = node->last_child ? holder_of_declaration(w->fe, node->cursor) : HOLDER_NONE;
    if (holder == HOLDER_NONE)
        return;
    note_value(w, holder, node->last_child);
    note_end(w, node->last_child);
}

// ---- Calls ----

static struct node *argument_at(struct node *call, size_t index)
{
    struct node *argument = call->child ? call->child->next : NULL;
    while (argument && index--)
        argument = argument->next;
    return argument;
}

// A function of the file gets both: what it does with them is known at the end.
static void note_handed(struct walk *w, size_t callee, size_t at, size_t pointer, struct node *call)
{
    size_t index = 0;
    for (struct node *other = call->child->next; other; other = other->next, index++) {
        size_t length = named(w, other);
        if (index != at && length != HOLDER_NONE && !expression_is_pointer(other))
            *VEC_PUSH(&w->fe->exact_calls) =
                (struct exact_call){callee, at, index, member_of(w, pointer), member_of(w, length)};
    }
}

// What ends the buffer says nothing about its elements.
static bool is_free(const struct frontend *fe, size_t callee)
{
    return callee != SIZE_MAX && !fe->functions.items[callee].defined &&
           libc_frees(fe->functions.items[callee].name) != LIBC_NO_ARGUMENT;
}

static bool is_alone(struct walk *w, struct node *call, const struct node *pointer)
{
    for (struct node *other = call->child->next; other; other = other->next)
        if (other != pointer && !expression_is_pointer(other) &&
            is_member(w->fe, member_of(w, named(w, other))))
            return false;
    return true;
}

static void note_call(struct walk *w, struct node *call)
{
    size_t callee = call->child ? expression_function(w->fe, call->child) : SIZE_MAX;
    const struct libc_bytes *bytes = lengths_byte_call(w->fe, callee);
    struct node *length = bytes ? argument_at(call, bytes->length) : NULL;
    size_t at = 0;
    if (is_free(w->fe, callee))
        return;
    for (struct node *argument = argument_at(call, 0); argument; argument = argument->next, at++) {
        size_t pointer = named(w, argument);
        if (pointer == HOLDER_NONE || !expression_is_pointer(argument))
            continue;
        bool takes_length = bytes && (at == bytes->first || at == bytes->second);
        if (takes_length && bytes->exact && length)
            relate(w, PAIR_BYTES, pointer, named(w, length));
        else if (!bytes && callee != SIZE_MAX)
            note_handed(w, callee, at, pointer, call);
        if (bytes ? !takes_length || !bytes->exact : is_alone(w, call, argument))
            doubt(w, pointer);
    }
}

// ---- Loops ----

static void note_step(struct walk *w, struct node *variable, bool is_up)
{
    size_t holder = named(w, variable);
    bool is_pointer = expression_is_pointer(variable);
    if (holder == HOLDER_NONE)
        return;
    *VEC_PUSH(&w->changed) = holder;
    if (is_pointer && is_up)
        *VEC_PUSH(&w->stepped) = holder;
    else if (!is_pointer && !is_up)
        *VEC_PUSH(&w->lowered) = holder;
    else if (!is_pointer && is_member(w->fe, holder))
        doubt(w, holder); // it says how much is in use
}

// for (; i != n; )
static void note_unequal(struct walk *w, struct node *condition)
{
    struct node *core = expression_core(condition);
    if (binary(core) != CXBinaryOperator_NE)
        return;
    note_comparison(w, core->child, core->child->next, false);
    note_end(w, core->child->next);
}

static void walk(struct walk *w, struct node *node);

// *p++ and n--, as often as each other if they are in one loop, and not in one inside it.
static void walk_loop(struct walk *w, struct node *node)
{
    size_t stepped = w->stepped.count, lowered = w->lowered.count;
    for (struct node *child = node->child; child; child = child->next) {
        note_unequal(w, child);
        doubt(w, text_of(w, child));
        walk(w, child);
    }
    for (size_t i = stepped; i < w->stepped.count; i++)
        for (size_t k = lowered; k < w->lowered.count; k++)
            relate(w, PAIR_LENGTH, w->stepped.items[i], w->lowered.items[k]);
    w->stepped.count = stepped;
    w->lowered.count = lowered;
}

static void note_unary(struct walk *w, struct node *node)
{
    if (unary(node) == CXUnaryOperator_LNot)
        doubt(w, text_of(w, node->child));
    else if (is_step(node))
        note_step(w, node->child,
                  unary(node) == CXUnaryOperator_PostInc || unary(node) == CXUnaryOperator_PreInc);
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
                      clang_getCursorBinaryOperatorKind(node->cursor) !=
                          CXBinaryOperator_SubAssign);
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

static bool is_among(const size_t *list, size_t count, size_t holder)
{
    for (size_t i = 0; i < count; i++)
        if (list[i] == holder)
            return true;
    return false;
}

// p[i] and i < n, for the same i.
static void join(struct walk *w)
{
    for (size_t i = 0; i < w->indexed.count; i++) {
        struct relation use = w->indexed.items[i];
        for (size_t b = 0; b < w->below.count; b++)
            if (w->below.items[b].first == use.second)
                relate(w, PAIR_LENGTH, use.first, w->below.items[b].second);
        for (size_t b = 0; b < w->up_to.count; b++) {
            if (w->up_to.items[b].first != use.second ||
                !is_member(w->fe, member_of(w, w->up_to.items[b].second)))
                continue;
            if (is_among(w->zeros.items, w->zeros.count, use.second))
                relate(w, PAIR_LENGTH, use.first, w->up_to.items[b].second);
            else
                doubt(w, use.first);
        }
    }
}

static void settle(struct walk *w, const struct use *use)
{
    size_t pointer = member_of(w, use->pointer), length = member_of(w, use->length);
    if (pointer == HOLDER_NONE || length == HOLDER_NONE)
        return;
    bool moves = is_among(w->changed.items, w->changed.count, use->pointer);
    bool stays = !is_among(w->changed.items, w->changed.count, use->length);
    if (moves && stays && pointer == use->pointer)
        doubt(w, pointer);
    else
        *VEC_PUSH(&w->fe->exact_members) = (struct exact_member){use->kind, pointer, length};
}

// Does the function change a pointer of the record?
static bool changes_pointer(const struct walk *w, const struct type *record)
{
    for (size_t i = 0; i < w->changed.count; i++) {
        const struct slot *slot = &w->fe->holders.items[w->changed.items[i]].slot;
        if (slot->kind == SLOT_FIELD && slot->record == record &&
            record->fields[slot->index].type->kind == TYPE_POINTER)
            return true;
    }
    return false;
}

static void doubt_settings(struct walk *w)
{
    for (size_t i = 0; i < w->set.count; i++) {
        size_t holder = w->set.items[i];
        if (is_member(w->fe, holder) &&
            !changes_pointer(w, w->fe->holders.items[holder].slot.record))
            doubt(w, holder);
    }
}

void exact_members_collect(struct frontend *fe, struct node *body)
{
    struct walk w = {.fe = fe};
    walk(&w, body);
    join(&w);
    doubt_settings(&w);
    for (size_t i = 0; i < w.uses.count; i++)
        settle(&w, &w.uses.items[i]);
    for (size_t i = 0; i < w.doubts.count; i++) {
        size_t member = member_of(&w, w.doubts.items[i]);
        if (member != HOLDER_NONE)
            fe->holders.items[member].inexact = true;
    }
    VEC_RELEASE(&w.indexed);
    VEC_RELEASE(&w.below);
    VEC_RELEASE(&w.up_to);
    VEC_RELEASE(&w.copies);
    VEC_RELEASE(&w.uses);
    VEC_RELEASE(&w.doubts);
    VEC_RELEASE(&w.zeros);
    VEC_RELEASE(&w.set);
    VEC_RELEASE(&w.changed);
    VEC_RELEASE(&w.stepped);
    VEC_RELEASE(&w.lowered);
}

// ---- What it comes to ----

// f(s->p, s->n) hands on what f uses so.
void exact_members_finish(struct frontend *fe)
{
    for (size_t i = 0; i < fe->exact_calls.count; i++) {
        const struct exact_call *call = &fe->exact_calls.items[i];
        const struct function *callee = &fe->functions.items[call->callee];
        for (size_t k = 0; k < callee->pair_count; k++)
            if (callee->pairs[k].is_exact && callee->pairs[k].pointer == call->pointer_at &&
                callee->pairs[k].other == call->length_at && call->pointer != HOLDER_NONE &&
                call->length != HOLDER_NONE)
                *VEC_PUSH(&fe->exact_members) =
                    (struct exact_member){callee->pairs[k].kind, call->pointer, call->length};
    }
}

static bool is_field(const struct holder *holder, const struct type *record, size_t index)
{
    return holder->slot.kind == SLOT_FIELD && holder->slot.record == record &&
           holder->slot.index == index;
}

// Are bytes elements? Other numbers of bytes are not what the driver makes of a length.
static bool fits(const struct exact_member *e, const struct type *pointer)
{
    return e->kind == PAIR_LENGTH || (e->kind == PAIR_BYTES && pointer->target->size <= 1);
}

bool exact_members_has(const struct frontend *fe, const struct type *record, size_t pointer,
                       size_t length)
{
    bool found = false;
    if (!program_says_length(record->fields[length].name))
        return false;
    for (size_t i = 0; i < fe->exact_members.count; i++) {
        const struct exact_member *e = &fe->exact_members.items[i];
        const struct holder *p = &fe->holders.items[e->pointer];
        const struct holder *n = &fe->holders.items[e->length];
        if (!is_field(p, record, pointer) || n->slot.record != record)
            continue;
        if (!is_field(n, record, length) || p->inexact || n->inexact)
            return false; // which one?
        found |= fits(e, record->fields[pointer].type);
    }
    return found;
}
