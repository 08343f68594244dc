// SPDX-License-Identifier: Apache-2.0
// When a body writes and reads what is behind its parameters, and variables. A pointer to a
// variable can be told from one to another object only if one of the two names is read
// behind a write through the other. Positions are offsets in the text; what stands in a loop
// may come before and after everything in it; what stands in a block that ends with a return
// is followed by nothing behind the block; a pointer that is copied may be used anywhere from
// there on.
#include "frontend/frontend_internal.h"

#include "base/tunables.h"

enum mode { MODE_NONE, MODE_READ, MODE_WRITE, MODE_BOTH };

struct walk {
    struct frontend *fe;
    size_t function;
    const struct node *loop; // the outermost one, or NULL
    uint32_t write_at;       // end of the assignment whose left side this is, or 0
    bool has_goto;
    uint32_t until; // end of the block that returns, or UINT32_MAX
};

static void visit(struct walk *w, struct node *node, enum mode mode);

static bool is_pointer(const struct node *node)
{
    return clang_getCanonicalType(clang_getCursorType(node->cursor)).kind == CXType_Pointer;
}

static struct accesses *accesses_of(struct walk *w, struct node *name)
{
    size_t holder = expression_holder(w->fe, name);
    if (holder == HOLDER_NONE)
        return NULL;
    struct function *function = &w->fe->functions.items[w->function];
    const struct slot *slot = &w->fe->holders.items[holder].slot;
    if (slot->kind == SLOT_PARAMETER && slot->owner == w->function)
        return slot->index < function->param_count ? &function->params[slot->index].accesses : NULL;
    for (size_t i = 0; slot->kind == SLOT_VARIABLE && i < function->global_count; i++)
        if (function->globals[i] == slot->owner)
            return &function->accesses[i];
    return NULL;
}

static void add(struct walk *w, struct accesses *to, struct access_point point)
{
    if (!to || to->count == FRONTEND_ACCESSES + 2)
        return;
    if (!to->list)
        to->list = arena_array(&w->fe->program->arena, struct access_point, FRONTEND_ACCESSES + 2);
    if (to->count == FRONTEND_ACCESSES) {
        to->list[to->count++] = (struct access_point){true, 0, UINT32_MAX};
        point = (struct access_point){false, UINT32_MAX, 0};
    }
    to->list[to->count++] = point;
}

static void note(struct walk *w, struct node *name, enum mode mode)
{
    struct accesses *to = accesses_of(w, name);
    uint32_t write = w->loop ? w->loop->start : w->write_at ? w->write_at : name->end;
    if (mode & MODE_WRITE)
        add(w, to, (struct access_point){true, write, w->until});
    if (mode & MODE_READ)
        add(w, to, (struct access_point){false, w->loop ? w->loop->end : name->end, 0});
}

// From here on anything may happen to it.
static void escape(struct walk *w, struct node *name, bool for_good)
{
    struct accesses *to = accesses_of(w, name);
    uint32_t read = for_good ? w->until : w->loop ? w->loop->end : name->end;
    add(w, to, (struct access_point){true, w->loop ? w->loop->start : name->start, w->until});
    add(w, to, (struct access_point){false, read, 0});
}

static bool is_parameter(struct walk *w, struct node *name)
{
    size_t holder =
        name->kind == CXCursor_DeclRefExpr ? expression_holder(w->fe, name) : HOLDER_NONE;
    return holder != HOLDER_NONE && w->fe->holders.items[holder].slot.kind == SLOT_PARAMETER;
}

// What a pointer leads to: of p + i it is what p leads to.
static void through(struct walk *w, struct node *pointer, enum mode mode)
{
    struct node *core = expression_core(pointer);
    if (core->kind == CXCursor_BinaryOperator && core->child && core->child->next) {
        bool left = expression_is_pointer(core->child);
        through(w, left ? core->child : core->child->next, mode);
        visit(w, left ? core->child->next : core->child, MODE_READ);
    } else if (core->kind == CXCursor_UnaryOperator && core->child &&
               clang_getCursorUnaryOperatorKind(core->cursor) <= CXUnaryOperator_PreDec) {
        through(w, core->child, mode); // *p++
    } else if (is_parameter(w, core)) {
        note(w, core, mode);
    } else {
        visit(w, core, is_pointer(core) ? MODE_READ : mode);
    }
}

static void visit_name(struct walk *w, struct node *node, enum mode mode)
{
    if (mode == MODE_NONE)
        return;
    if (expression_is_pointer(node) && is_parameter(w, node)) {
        if (mode & MODE_READ)
            escape(w, node, true);
    } else {
        note(w, node, mode);
    }
}

static void visit_children(struct walk *w, struct node *node)
{
    for (struct node *child = node->child; child; child = child->next)
        visit(w, child, MODE_READ);
}

// A pointer that is only looked at.
static void visit_test(struct walk *w, struct node *node)
{
    struct node *core = expression_core(node);
    visit(w, core, core->kind == CXCursor_DeclRefExpr && is_pointer(core) ? MODE_NONE : MODE_READ);
}

static void visit_address(struct walk *w, struct node *lvalue, bool for_good)
{
    struct node *node = expression_core(lvalue);
    while ((node->kind == CXCursor_MemberRefExpr || node->kind == CXCursor_ArraySubscriptExpr) &&
           node->child) {
        if (node->child->next)
            visit(w, node->child->next, MODE_READ);
        node = expression_core(node->child);
    }
    if (node->kind == CXCursor_DeclRefExpr)
        escape(w, node, for_good);
    else
        visit(w, node, MODE_BOTH);
}

static void visit_argument(struct walk *w, struct node *argument)
{
    struct node *core = expression_core(argument);
    bool address = core->kind == CXCursor_UnaryOperator && core->child &&
                   clang_getCursorUnaryOperatorKind(core->cursor) == CXUnaryOperator_AddrOf;
    if (address)
        visit_address(w, core->child, false);
    else if (core->kind == CXCursor_DeclRefExpr && expression_is_pointer(core))
        escape(w, core, false);
    else
        visit(w, argument, MODE_READ);
}

static void visit_binary(struct walk *w, struct node *node)
{
    struct node *left = node->child, *right = left ? left->next : NULL;
    if (!right)
        return;
    enum CXBinaryOperatorKind op = clang_getCursorBinaryOperatorKind(node->cursor);
    if (op == CXBinaryOperator_Assign) {
        uint32_t before = w->write_at;
        visit(w, right, MODE_READ);
        w->write_at = node->end; // the write comes last
        visit(w, left, MODE_WRITE);
        w->write_at = before;
    } else if ((op >= CXBinaryOperator_LT && op <= CXBinaryOperator_NE) ||
               op == CXBinaryOperator_LAnd || op == CXBinaryOperator_LOr) {
        visit_test(w, left);
        visit_test(w, right);
    } else {
        visit(w, left, MODE_READ);
        visit(w, right, MODE_READ);
    }
}

static void visit_unary(struct walk *w, struct node *node, enum mode mode)
{
    enum CXUnaryOperatorKind op = clang_getCursorUnaryOperatorKind(node->cursor);
    if (!node->child)
        return;
    if (op == CXUnaryOperator_Deref)
        through(w, node->child, mode);
    else if (op == CXUnaryOperator_AddrOf)
        visit_address(w, node->child, true);
    else if (op == CXUnaryOperator_LNot)
        visit_test(w, node->child);
    else if (op <= CXUnaryOperator_PreDec)
        visit(w, node->child, is_pointer(expression_core(node->child)) ? MODE_NONE : MODE_BOTH);
    else
        visit(w, node->child, MODE_READ);
}

static void visit_statement(struct walk *w, struct node *node)
{
    bool is_loop = node->kind == CXCursor_ForStmt || node->kind == CXCursor_WhileStmt ||
                   node->kind == CXCursor_DoStmt;
    struct walk before = *w;
    if (is_loop && !w->loop)
        w->loop = node;
    if (node->kind == CXCursor_CompoundStmt && node->last_child &&
        node->last_child->kind == CXCursor_ReturnStmt && !w->has_goto) {
        w->loop = NULL; // it is gone through once
        w->until = node->end;
    }
    for (struct node *child = node->child; child; child = child->next) {
        bool tests =
            clang_isExpression(child->kind) && node->kind != CXCursor_CallExpr &&
            (is_loop || node->kind == CXCursor_IfStmt || node->kind == CXCursor_ReturnStmt ||
             (node->kind == CXCursor_ConditionalOperator && child == node->child));
        if (tests)
            visit_test(w, child);
        else
            visit(w, child, MODE_READ);
    }
    *w = before;
}

static void visit(struct walk *w, struct node *node, enum mode mode)
{
    struct node *child = node->child;
    switch (node->kind) {
    case CXCursor_UnaryExpr: // sizeof
        break;
    case CXCursor_DeclRefExpr: visit_name(w, node, mode); break;
    case CXCursor_ParenExpr:
    case CXCursor_UnexposedExpr:
        if (child && !child->next)
            visit(w, child, mode);
        else
            visit_children(w, node);
        break;
    case CXCursor_MemberRefExpr:
        if (child && is_pointer(expression_core(child)))
            through(w, child, mode);
        else if (child)
            visit(w, child, mode);
        break;
    case CXCursor_ArraySubscriptExpr:
        if (child && child->next) {
            visit(w, child->next, MODE_READ);
            if (is_pointer(expression_core(child)))
                through(w, child, mode);
            else
                visit(w, expression_core(child), mode);
        }
        break;
    case CXCursor_UnaryOperator: visit_unary(w, node, mode); break;
    case CXCursor_BinaryOperator: visit_binary(w, node); break;
    case CXCursor_CompoundAssignOperator:
        visit(w, child->next, MODE_READ);
        visit(w, child, is_pointer(expression_core(child)) ? MODE_NONE : MODE_BOTH);
        break;
    case CXCursor_CallExpr:
        for (child = child ? child->next : NULL; child; child = child->next)
            visit_argument(w, child);
        break;
    default: visit_statement(w, node); break;
    }
}

static bool has_goto(const struct node *node)
{
    if (node->kind == CXCursor_GotoStmt || node->kind == CXCursor_IndirectGotoStmt)
        return true;
    for (const struct node *child = node->child; child; child = child->next)
        if (has_goto(child))
            return true;
    return false;
}

void order_collect(struct frontend *fe, size_t function, struct node *body)
{
    struct function *f = &fe->functions.items[function];
    struct walk w = {.fe = fe, .function = function, .until = UINT32_MAX};
    f->accesses = arena_array(&fe->program->arena, struct accesses, f->global_count);
    w.has_goto = has_goto(body);
    w.loop = w.has_goto ? body : NULL;
    visit(&w, body, MODE_READ);
}
