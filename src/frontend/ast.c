// SPDX-License-Identifier: Apache-2.0
// A function body as a plain tree of nodes with text offsets. libclang's visitor
// recurses by itself and tells each cursor's parent; a stack of open nodes turns
// that into a tree without recursion of ours (else-if chains can be thousands
// deep). GNU `a ?: b` lists a three times and sizeof lists array bounds twice:
// a child that repeats its elder sibling is dropped before it multiplies.
//
// Whether clang folds a condition is asked of its own evaluator. That one ignores
// side effects while code generation does not, so they are looked for here.
#include "frontend/frontend_internal.h"

#include <string.h>

struct builder {
    struct arena *arena;
    VEC(struct node *) open;
};

static bool is_kept(enum CXCursorKind kind)
{
    if (clang_isStatement(kind) || clang_isExpression(kind))
        return true;
    return kind == CXCursor_VarDecl || kind == CXCursor_TypedefDecl;
}

static struct node *add_node(struct builder *b, CXCursor cursor, enum CXCursorKind kind)
{
    struct node *parent = b->open.items[b->open.count - 1];
    uint32_t start, end;
    source_range(cursor, &start, &end);
    struct node *elder = parent->last_child;
    if (elder && elder->kind == kind && elder->start == start && elder->end == end)
        return NULL;
    struct node *node = arena_new(b->arena, struct node);
    *node = (struct node){.cursor = cursor, .kind = kind, .start = start, .end = end};
    if (elder)
        elder->next = node;
    else
        parent->child = node;
    parent->last_child = node;
    return node;
}

static enum CXChildVisitResult visit(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct builder *b = data;
    while (b->open.count > 1 &&
           !clang_equalCursors(b->open.items[b->open.count - 1]->cursor, parent))
        b->open.count--;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    if (!is_kept(kind))
        return CXChildVisit_Continue;
    struct node *node = add_node(b, cursor, kind);
    if (!node)
        return CXChildVisit_Continue;
    *VEC_PUSH(&b->open) = node;
    return CXChildVisit_Recurse;
}

struct node *ast_build(struct arena *arena, CXCursor root)
{
    struct builder b = {.arena = arena};
    struct node *node = arena_new(arena, struct node);
    node->cursor = root;
    node->kind = clang_getCursorKind(root);
    source_range(root, &node->start, &node->end);
    *VEC_PUSH(&b.open) = node;
    clang_visitChildren(root, visit, &b);
    VEC_RELEASE(&b.open);
    return node;
}

// An UnexposedExpr with one child of the same extent is an implicit cast.
struct node *ast_strip(struct node *node)
{
    while (node->child && !node->child->next &&
           (node->kind == CXCursor_ParenExpr ||
            (node->kind == CXCursor_UnexposedExpr && node->child->start == node->start &&
             node->child->end == node->end)))
        node = node->child;
    return node;
}

bool ast_is_text(const struct frontend *fe, const struct node *node, const char *prefix)
{
    size_t length = strlen(prefix);
    return node->start + length <= fe->length &&
           strncmp(fe->text + node->start, prefix, length) == 0;
}

static bool is_integer(const struct node *node)
{
    enum CXTypeKind kind = clang_getCanonicalType(clang_getCursorType(node->cursor)).kind;
    return (kind >= CXType_Bool && kind <= CXType_Int128) || kind == CXType_Enum;
}

static bool evaluate(const struct node *node, int64_t *value)
{
    if (!clang_isExpression(node->kind) || !is_integer(node))
        return false;
    CXEvalResult result = clang_Cursor_Evaluate(node->cursor);
    if (!result)
        return false;
    bool found = clang_EvalResult_getKind(result) == CXEval_Int;
    if (found && value)
        *value = clang_EvalResult_isUnsignedInt(result)
                     ? (int64_t)clang_EvalResult_getAsUnsigned(result)
                     : (int64_t)clang_EvalResult_getAsLongLong(result);
    clang_EvalResult_dispose(result);
    return found;
}

// The evaluator drops operands that it cannot compute in `x, 1` and `x || 1`.
static bool drops_operand(const struct node *node)
{
    if (node->kind == CXCursor_UnaryExpr) // sizeof: not evaluated
        return false;
    if (node->kind == CXCursor_StmtExpr)
        return true;
    if (node->kind == CXCursor_BinaryOperator && node->child) {
        enum CXBinaryOperatorKind op = clang_getCursorBinaryOperatorKind(node->cursor);
        bool logical = op == CXBinaryOperator_LAnd || op == CXBinaryOperator_LOr;
        if ((logical || op == CXBinaryOperator_Comma) && !evaluate(node->child, NULL))
            return true;
    }
    for (const struct node *child = node->child; child; child = child->next)
        if (drops_operand(child))
            return true;
    return false;
}

bool ast_integer_constant(const struct node *node, int64_t *value)
{
    return evaluate(node, value) && !drops_operand(node);
}
