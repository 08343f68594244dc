// SPDX-License-Identifier: Apache-2.0
// Pointers that the code takes for numbers: constants that stand for no object ((void *)-1,
// an error code, the end of a list) and tags in the low bits of an address. Both are seen
// where a pointer, or an integer that was made from one, meets a constant.
#include "frontend/frontend_internal.h"

#include "base/tunables.h"

static bool is_integer(const struct node *node)
{
    enum CXTypeKind kind = clang_getCanonicalType(clang_getCursorType(node->cursor)).kind;
    return (kind >= CXType_Bool && kind <= CXType_Int128) || kind == CXType_Enum;
}

size_t addresses_holder(struct frontend *fe, struct node *value)
{
    struct node *core = expression_core(value);
    if (expression_is_pointer(core) && is_integer(ast_strip(value)))
        return expression_holder(fe, core);
    bool is_name = core->kind == CXCursor_DeclRefExpr || core->kind == CXCursor_MemberRefExpr;
    return is_name && is_integer(core) ? expression_holder(fe, core) : HOLDER_NONE;
}

bool addresses_constant(struct node *node, int64_t *value)
{
    node = ast_strip(node);
    while (node->kind == CXCursor_CStyleCastExpr && node->last_child && expression_is_pointer(node))
        node = ast_strip(node->last_child);
    return ast_integer_constant(node, value);
}

static size_t holder_beside(struct frontend *fe, struct node *node)
{
    if (expression_is_pointer(node)) {
        int64_t value;
        return addresses_constant(node, &value) ? HOLDER_NONE : expression_holder(fe, node);
    }
    return addresses_holder(fe, node);
}

static void note_number(struct frontend *fe, struct node *node, struct node *other, bool ordered)
{
    int64_t value;
    size_t holder = holder_beside(fe, node);
    if (holder == HOLDER_NONE || !addresses_constant(other, &value) || !value)
        return;
    holder_add_number(fe, holder, value);
    if (ordered) {
        holder_add_number(fe, holder, (int64_t)((uint64_t)value - 1));
        holder_add_number(fe, holder, (int64_t)((uint64_t)value + 1));
    }
}

static void note_tag(struct frontend *fe, struct node *node, uint64_t bits)
{
    size_t holder = addresses_holder(fe, node);
    if (holder != HOLDER_NONE)
        fe->holders.items[holder].tag_bits |= bits;
}

// `bits & 3` and `bits & ~3` tell three tags from none.
static void note_mask(struct frontend *fe, struct node *node, struct node *mask)
{
    int64_t value;
    if (!is_integer(ast_strip(node)) || !ast_integer_constant(mask, &value))
        return;
    uint64_t bits = (uint64_t)value;
    if (bits > FRONTEND_TAGS)
        bits = ~bits;
    if (bits && bits <= FRONTEND_TAGS)
        note_tag(fe, node, bits);
}

static void note_remainder(struct frontend *fe, struct node *node, struct node *divisor)
{
    int64_t value;
    uint64_t bits = 1;
    if (!ast_integer_constant(divisor, &value) || value < 2 || value > FRONTEND_TAGS + 1)
        return;
    while (bits < (uint64_t)value - 1)
        bits = 2 * bits + 1;
    note_tag(fe, node, bits);
}

static void note_binary(struct frontend *fe, struct node *left, struct node *right,
                        enum CXBinaryOperatorKind op)
{
    switch (op) {
    case CXBinaryOperator_EQ:
    case CXBinaryOperator_NE:
        note_number(fe, left, right, false);
        note_number(fe, right, left, false);
        break;
    case CXBinaryOperator_LT:
    case CXBinaryOperator_LE:
    case CXBinaryOperator_GT:
    case CXBinaryOperator_GE:
        note_number(fe, left, right, true);
        note_number(fe, right, left, true);
        break;
    case CXBinaryOperator_And:
    case CXBinaryOperator_AndAssign:
        note_mask(fe, left, right);
        note_mask(fe, right, left);
        break;
    case CXBinaryOperator_Rem:
    case CXBinaryOperator_RemAssign: note_remainder(fe, left, right); break;
    default: break;
    }
}

static void note_cases(struct frontend *fe, size_t holder, struct node *node)
{
    int64_t value;
    if (node->kind == CXCursor_CaseStmt && node->child && ast_integer_constant(node->child, &value))
        holder_add_number(fe, holder, value);
    for (struct node *child = node->child; child; child = child->next)
        if (child->kind != CXCursor_SwitchStmt)
            note_cases(fe, holder, child);
}

void addresses_note(struct frontend *fe, struct node *node)
{
    if (!node->child || !node->child->next)
        return;
    if (node->kind == CXCursor_SwitchStmt) {
        size_t holder = addresses_holder(fe, node->child);
        if (holder != HOLDER_NONE)
            note_cases(fe, holder, node->last_child);
        return;
    }
    note_binary(fe, node->child, node->child->next,
                clang_getCursorBinaryOperatorKind(node->cursor));
}
