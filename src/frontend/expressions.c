// SPDX-License-Identifier: Apache-2.0
// Which variable, field, parameter or result an expression names, as far as its text
// tells: through parentheses, casts, subscripts, & and *, and pointer arithmetic.
#include "frontend/frontend_internal.h"

bool type_is_pointer(CXType type)
{
    enum CXTypeKind kind = clang_getCanonicalType(type).kind;
    return kind == CXType_Pointer || kind == CXType_ConstantArray ||
           kind == CXType_IncompleteArray || kind == CXType_VariableArray;
}

static CXType target_of(CXType type)
{
    return type.kind == CXType_Pointer ? clang_getPointeeType(type)
                                       : clang_getArrayElementType(type);
}

bool type_is_function_pointer(CXType type)
{
    type = clang_getCanonicalType(type);
    while (type_is_pointer(type))
        type = clang_getCanonicalType(target_of(type));
    return type.kind == CXType_FunctionProto || type.kind == CXType_FunctionNoProto;
}

struct node *expression_core(struct node *node)
{
    node = ast_strip(node);
    while (node->kind == CXCursor_CStyleCastExpr && node->last_child)
        node = ast_strip(node->last_child);
    return node;
}

bool expression_is_pointer(struct node *node)
{
    return type_is_pointer(clang_getCursorType(ast_strip(node)->cursor));
}

bool expression_is_null(struct node *node)
{
    int64_t value;
    node = expression_core(node);
    return node->kind == CXCursor_IntegerLiteral && ast_integer_constant(node, &value) && !value;
}

static size_t of_reference(struct frontend *fe, struct node *node)
{
    return holder_of_declaration(fe, clang_getCursorReferenced(node->cursor));
}

static size_t of_call(struct frontend *fe, struct node *node)
{
    size_t function = node->child ? expression_function(fe, node->child) : SIZE_MAX;
    return function == SIZE_MAX ? HOLDER_NONE : holder_of_result(fe, function);
}

size_t expression_function(struct frontend *fe, struct node *node)
{
    node = expression_core(node);
    while (node->kind == CXCursor_UnaryOperator && node->child) {
        enum CXUnaryOperatorKind op = clang_getCursorUnaryOperatorKind(node->cursor);
        if (op != CXUnaryOperator_Deref && op != CXUnaryOperator_AddrOf)
            return SIZE_MAX;
        node = expression_core(node->child);
    }
    if (node->kind != CXCursor_DeclRefExpr)
        return SIZE_MAX;
    CXCursor to = clang_getCursorReferenced(node->cursor);
    return clang_getCursorKind(to) == CXCursor_FunctionDecl ? functions_index(fe, to) : SIZE_MAX;
}

// The operand of + or - that is the pointer, the variable of p++ and of p = q.
static struct node *pointer_operand(struct node *node)
{
    struct node *left = node->child, *right = left ? left->next : NULL;
    if (!left || !right)
        return left;
    return expression_is_pointer(left) ? left : expression_is_pointer(right) ? right : NULL;
}

size_t expression_holder(struct frontend *fe, struct node *node)
{
    while (node) {
        node = expression_core(node);
        switch (node->kind) {
        case CXCursor_DeclRefExpr:
        case CXCursor_MemberRefExpr: return of_reference(fe, node);
        case CXCursor_CallExpr: return of_call(fe, node);
        case CXCursor_ArraySubscriptExpr:
        case CXCursor_UnaryOperator:
        case CXCursor_BinaryOperator:
        case CXCursor_CompoundAssignOperator: node = pointer_operand(node); break;
        default: return HOLDER_NONE;
        }
    }
    return HOLDER_NONE;
}
