// SPDX-License-Identifier: Apache-2.0
// What a body or an initialiser refers to: functions called directly, functions
// whose address is taken, calls through pointers, variables and which of them it
// assigns, static locals.
// Unevaluated operands (sizeof) do not count.
#include "frontend/frontend_internal.h"

#include <string.h>

struct walk {
    struct frontend *fe;
    size_t function; // SIZE_MAX: an initialiser at file scope
    struct references *out;
    struct map seen; // 4 * index + list: already in a list
};

enum { LIST_CALLS, LIST_ADDRESSES, LIST_GLOBALS, LIST_WRITES };

static bool is_new(struct walk *w, size_t index, unsigned list)
{
    uint64_t ignored;
    if (map_get(&w->seen, 4 * (uint64_t)index + list, &ignored))
        return false;
    map_put(&w->seen, 4 * (uint64_t)index + list, 1);
    return true;
}

static bool is_file_scope(CXCursor variable)
{
    enum CX_StorageClass storage = clang_Cursor_getStorageClass(variable);
    CXCursor parent = clang_getCursorSemanticParent(variable);
    if (storage == CX_SC_Register) // a register of the processor, without an address
        return false;
    return storage == CX_SC_Extern || clang_getCursorKind(parent) == CXCursor_TranslationUnit;
}

static void add_variable(struct walk *w, CXCursor variable)
{
    if (!is_file_scope(variable))
        return;
    size_t index = variables_index(w->fe, variable, NULL);
    if (is_new(w, index, LIST_GLOBALS))
        *VEC_PUSH(&w->out->globals) = index;
}

static void add_function(struct walk *w, CXCursor function, bool called)
{
    size_t index = functions_index(w->fe, function);
    if (called && is_new(w, index, LIST_CALLS))
        *VEC_PUSH(&w->out->calls) = index;
    if (!called && is_new(w, index, LIST_ADDRESSES))
        *VEC_PUSH(&w->out->addresses) = index;
}

static void add_reference(struct walk *w, const struct node *node, bool called)
{
    CXCursor to = clang_getCursorReferenced(node->cursor);
    enum CXCursorKind kind = clang_getCursorKind(to);
    if (kind == CXCursor_FunctionDecl)
        add_function(w, to, called);
    else if (kind == CXCursor_VarDecl)
        add_variable(w, to);
}

static bool names_function(const struct node *node)
{
    return node->kind == CXCursor_DeclRefExpr &&
           clang_getCursorKind(clang_getCursorReferenced(node->cursor)) == CXCursor_FunctionDecl;
}

// The function that a call names, through parentheses, casts, & and *.
static const struct node *direct_callee(struct node *node)
{
    node = ast_strip(node);
    while (node->kind == CXCursor_UnaryOperator && node->child) {
        enum CXUnaryOperatorKind op = clang_getCursorUnaryOperatorKind(node->cursor);
        if (op != CXUnaryOperator_Deref && op != CXUnaryOperator_AddrOf)
            break;
        node = ast_strip(node->child);
    }
    return names_function(node) ? node : NULL;
}

// Also of an array: its canonical type has the qualifiers of the elements.
static bool is_constant(CXType type)
{
    return clang_isConstQualifiedType(clang_getCanonicalType(type)) != 0;
}

static void note_declaration(struct walk *w, const struct node *node)
{
    if (node->kind != CXCursor_VarDecl || w->function == SIZE_MAX ||
        clang_Cursor_getStorageClass(node->cursor) != CX_SC_Static)
        return;
    struct function *function = &w->fe->functions.items[w->function];
    if (!is_constant(clang_getCursorType(node->cursor)))
        function->has_static_locals = true;
    variables_index(w->fe, node->cursor, function->name);
}

// The variable of which an lvalue is a part, not followed through pointers.
static void add_write(struct walk *w, struct node *node)
{
    node = ast_strip(node);
    while ((node->kind == CXCursor_MemberRefExpr || node->kind == CXCursor_ArraySubscriptExpr) &&
           node->child) {
        node = ast_strip(node->child);
        if (clang_getCanonicalType(clang_getCursorType(node->cursor)).kind == CXType_Pointer)
            return;
    }
    if (node->kind != CXCursor_DeclRefExpr)
        return;
    CXCursor to = clang_getCursorReferenced(node->cursor);
    if (clang_getCursorKind(to) != CXCursor_VarDecl || !is_file_scope(to))
        return;
    size_t index = variables_index(w->fe, to, NULL);
    if (is_new(w, index, LIST_WRITES))
        *VEC_PUSH(&w->out->writes) = index;
}

// memset(&state, 0, sizeof state), strcpy(name, ..): a function that is not here fills
// what its first argument points to.
static void note_filling(struct walk *w, struct node *call)
{
    const struct node *callee = direct_callee(call->child);
    struct node *first = call->child->next;
    if (!callee || !first)
        return;
    size_t index = functions_index(w->fe, clang_getCursorReferenced(callee->cursor));
    first = ast_strip(first);
    if (first->kind == CXCursor_UnaryOperator && first->child &&
        clang_getCursorUnaryOperatorKind(first->cursor) == CXUnaryOperator_AddrOf)
        first = first->child;
    if (!w->fe->functions.items[index].defined)
        add_write(w, first);
}

static void note_writes(struct walk *w, struct node *node)
{
    if (!node->child)
        return;
    if (node->kind == CXCursor_UnaryOperator) {
        enum CXUnaryOperatorKind op = clang_getCursorUnaryOperatorKind(node->cursor);
        if (op >= CXUnaryOperator_PostInc && op <= CXUnaryOperator_PreDec)
            add_write(w, node->child);
    } else if (node->kind == CXCursor_CompoundAssignOperator ||
               (node->kind == CXCursor_BinaryOperator &&
                clang_getCursorBinaryOperatorKind(node->cursor) == CXBinaryOperator_Assign)) {
        add_write(w, node->child);
    } else if (node->kind == CXCursor_CallExpr) {
        note_filling(w, node);
    }
}

static void walk(struct walk *w, struct node *node)
{
    struct node *child = node->child;
    if (node->kind == CXCursor_UnaryExpr)
        return;
    if (node->kind == CXCursor_CallExpr && child) {
        const struct node *callee = direct_callee(child);
        if (callee) {
            add_reference(w, callee, true);
            child = child->next;
        } else if (w->function != SIZE_MAX) {
            w->fe->functions.items[w->function].calls_pointer = true;
        }
    } else if (node->kind == CXCursor_DeclRefExpr) {
        add_reference(w, node, false);
    } else if (node->kind == CXCursor_GCCAsmStmt || node->kind == CXCursor_MSAsmStmt) {
        if (w->function != SIZE_MAX)
            w->fe->functions.items[w->function].has_asm = true;
    }
    note_declaration(w, node);
    note_writes(w, node);
    for (; child; child = child->next)
        walk(w, child);
}

void references_collect(struct frontend *fe, size_t function, struct node *root,
                        struct references *out)
{
    struct walk w = {.fe = fe, .function = function, .out = out};
    map_init(&w.seen);
    walk(&w, root);
    map_release(&w.seen);
}

void references_release(struct references *refs)
{
    VEC_RELEASE(&refs->calls);
    VEC_RELEASE(&refs->addresses);
    VEC_RELEASE(&refs->globals);
    VEC_RELEASE(&refs->writes);
}

size_t *references_store(struct frontend *fe, const size_t *items, size_t count)
{
    size_t *copy = arena_array(&fe->program->arena, size_t, count);
    if (count)
        memcpy(copy, items, count * sizeof *copy);
    return copy;
}
