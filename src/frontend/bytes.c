// SPDX-License-Identifier: Apache-2.0
// Records whose bytes the code looks at, padding and all: a pointer to one becomes a pointer to
// characters, other scalars or another record, or goes to a function that takes bytes. Drivers
// fill the padding of those from inputs (harness/padding.c). memset, and memcpy between two of a
// kind, look at nothing.
#include "frontend/frontend_internal.h"

#include <string.h>

static CXType pointee(CXType type)
{
    type = clang_getCanonicalType(type);
    if (type.kind == CXType_Pointer)
        return clang_getCanonicalType(clang_getPointeeType(type));
    if (type.kind == CXType_ConstantArray || type.kind == CXType_IncompleteArray)
        return clang_getCanonicalType(clang_getArrayElementType(type));
    type.kind = CXType_Invalid;
    return type;
}

// The record behind a pointer expression, casts apart; kind Invalid: there is none.
static CXType record_behind(struct node *node)
{
    CXType type = pointee(clang_getCursorType(expression_core(node)->cursor));
    if (type.kind != CXType_Record)
        type.kind = CXType_Invalid;
    return type;
}

static void mark(struct type *type)
{
    while (type && (type->kind == TYPE_ARRAY))
        type = type->target;
    if (!type || (type->kind != TYPE_STRUCT && type->kind != TYPE_UNION))
        return;
    struct type *record = type->canonical ? type->canonical : type;
    if (record->looked_at)
        return;
    record->looked_at = type->looked_at = true;
    for (size_t i = 0; i < record->field_count; i++)
        mark(record->fields[i].type);
}

static void convert(struct frontend *fe, struct node *from, CXType to)
{
    CXType record = record_behind(from), target = pointee(to);
    if (record.kind != CXType_Invalid && target.kind != CXType_Invalid &&
        target.kind != CXType_Pointer &&
        !clang_equalTypes(clang_getUnqualifiedType(record), clang_getUnqualifiedType(target)))
        *VEC_PUSH(&fe->looked_at) = types_get(fe, record);
}

static bool is_copy_of_a_kind(const char *name, struct node *call)
{
    if (!libc_find(name)->copies)
        return false;
    struct node *to = call->child->next, *from = to ? to->next : NULL;
    return from && record_behind(to).kind != CXType_Invalid &&
           clang_equalTypes(record_behind(to), record_behind(from));
}

static void note_call(struct frontend *fe, struct node *call)
{
    size_t callee = call->child ? expression_function(fe, call->child) : SIZE_MAX;
    if (callee == SIZE_MAX)
        return;
    const struct function *function = &fe->functions.items[callee];
    const char *name =
        strncmp(function->name, "__builtin_", 10) == 0 ? function->name + 10 : function->name;
    bool looks = function->defined || (lengths_takes_bytes(name) && !libc_find(name)->fills);
    if (!looks || is_copy_of_a_kind(name, call))
        return;
    CXCursor declaration = clang_getCursorReferenced(expression_core(call->child)->cursor);
    int count = clang_Cursor_getNumArguments(declaration), index = 0;
    for (struct node *argument = call->child->next; argument && index < count;
         argument = argument->next, index++)
        convert(fe, argument,
                clang_getCursorType(clang_Cursor_getArgument(declaration, (unsigned)index)));
}

static void walk(struct frontend *fe, struct node *node)
{
    if (node->kind == CXCursor_UnaryExpr) // sizeof
        return;
    if (node->kind == CXCursor_CallExpr)
        note_call(fe, node);
    else if (node->kind == CXCursor_VarDecl && node->last_child)
        convert(fe, node->last_child, clang_getCursorType(node->cursor));
    else if (node->kind == CXCursor_CStyleCastExpr && node->last_child &&
             pointee(clang_getCursorType(node->cursor)).kind != CXType_Void)
        convert(fe, node->last_child, clang_getCursorType(node->cursor));
    else if (node->kind == CXCursor_BinaryOperator && node->child && node->child->next &&
             clang_getCursorBinaryOperatorKind(node->cursor) == CXBinaryOperator_Assign)
        convert(fe, node->child->next, clang_getCursorType(node->child->cursor));
    for (struct node *child = node->child; child; child = child->next)
        walk(fe, child);
}

void bytes_collect(struct frontend *fe, struct node *body)
{
    walk(fe, body);
}

void bytes_finish(struct frontend *fe)
{
    for (size_t i = 0; i < fe->looked_at.count; i++)
        mark(fe->looked_at.items[i]);
}
