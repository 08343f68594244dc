// SPDX-License-Identifier: Apache-2.0
// Static variables with an initialiser that nothing in the file changes: tables without
// `const`, defaults. They keep what they start with, so they are no inputs. A use is harmless
// if it reads a value out of the variable or hands out a pointer to const; everything else
// counts as a change.
#include "frontend/frontend_internal.h"

struct use {
    bool reads;    // the value of this lvalue is taken
    bool to_const; // a pointer to it is only read through
};

static CXType type_of(const struct node *node)
{
    return clang_getCanonicalType(clang_getCursorType(node->cursor));
}

static bool is_array(const struct node *node)
{
    CXType type = type_of(node);
    return type.kind == CXType_ConstantArray || type.kind == CXType_IncompleteArray;
}

static bool points_to_const(const struct node *node)
{
    CXType type = type_of(node);
    return type.kind == CXType_Pointer &&
           clang_isConstQualifiedType(clang_getCanonicalType(clang_getPointeeType(type)));
}

static void note_use(struct frontend *fe, const struct node *name, struct use use)
{
    CXCursor to = clang_getCursorReferenced(name->cursor);
    if (clang_getCursorKind(to) == CXCursor_VarDecl &&
        clang_Cursor_getStorageClass(to) == CX_SC_Static && (!use.reads || use.to_const)) {
        struct variable *v = &fe->variables.items[variables_index(fe, to, NULL)];
        v->changes |= !use.reads;
        v->lent |= use.to_const;
    }
}

static void visit(struct frontend *fe, struct node *node, struct use use);

// a[i]: of an array the element is part of the variable, of a pointer it is not.
static void visit_subscript(struct frontend *fe, struct node *node, struct use use)
{
    for (struct node *child = node->child; child; child = child->next) {
        struct node *array = child;
        while (array->child && !is_array(array) &&
               (array->kind == CXCursor_UnexposedExpr || array->kind == CXCursor_ParenExpr))
            array = array->child;
        visit(fe, is_array(array) ? array : child, is_array(array) ? use : (struct use){0});
    }
}

// libclang has no kind for implicit conversions; they stand exactly where their operand does.
static bool is_implicit(const struct node *node)
{
    const struct node *child = node->child;
    return node->kind == CXCursor_UnexposedExpr && child && !child->next &&
           child->start == node->start && child->end == node->end;
}

// An explicit cast to a pointer that can be written through takes const away.
static void visit_conversion(struct frontend *fe, struct node *node, struct use use)
{
    bool away = node->kind == CXCursor_CStyleCastExpr && type_of(node).kind == CXType_Pointer &&
                !points_to_const(node);
    for (struct node *child = node->child; child; child = child->next) {
        struct use inner = {.to_const = !away && (use.to_const || points_to_const(node))};
        inner.reads = is_array(child) ? inner.to_const : is_implicit(node);
        fe->casts_const_away |= away && points_to_const(child);
        visit(fe, child, inner);
    }
}

static void visit_children(struct frontend *fe, struct node *node, struct use use)
{
    for (struct node *child = node->child; child; child = child->next)
        visit(fe, child, use);
}

static void visit(struct frontend *fe, struct node *node, struct use use)
{
    switch (node->kind) {
    case CXCursor_UnaryExpr: // sizeof
        break;
    case CXCursor_DeclRefExpr: note_use(fe, node, use); break;
    case CXCursor_ParenExpr: visit_children(fe, node, use); break;
    case CXCursor_MemberRefExpr: // of a pointer: its value is what is used
        visit_children(fe, node, use);
        break;
    case CXCursor_ArraySubscriptExpr: visit_subscript(fe, node, use); break;
    case CXCursor_UnexposedExpr:
    case CXCursor_CStyleCastExpr: visit_conversion(fe, node, use); break;
    case CXCursor_UnaryOperator:
        if (clang_getCursorUnaryOperatorKind(node->cursor) == CXUnaryOperator_AddrOf)
            use.reads = use.to_const;
        else
            use = (struct use){0};
        visit_children(fe, node, use);
        break;
    default: visit_children(fe, node, (struct use){0});
    }
}

void fixed_collect(struct frontend *fe, struct node *root)
{
    visit(fe, root, (struct use){0});
}

// Who gives a variable a section, an address or an attribute may have others write it.
void fixed_finish(struct frontend *fe)
{
    for (size_t i = 0; i < fe->variables.count; i++) {
        struct variable *v = &fe->variables.items[i];
        bool changes = v->changes || (v->lent && fe->casts_const_away);
        v->is_const |= v->is_static && v->has_initialiser && !changes && !v->has_attributes &&
                       !v->function && !v->is_volatile && !v->is_thread_local;
    }
}
