// SPDX-License-Identifier: Apache-2.0
// Branch points of one function body, exactly where clang's coverage mapping puts
// its branch regions (CoverageMappingGen): the condition of if, while, do, for and
// ?: unless it is a logical operator below parentheses and `!`; every operand of
// && and || that is not itself one; every case and default up to its colon; the
// condition of a switch without default. A condition that folds to an integer
// constant has no region.
//
// Where C wants a constant, the branch is listed but not wrapped. clang maps operands that
// are never evaluated too: those of sizeof (unless its type is a variable-length array) and
// _Alignof, the controlling expression of _Generic and what it does not select, the operand that
// __builtin_choose_expr does not choose. What is mapped there is no branch: the walk leaves such
// operands out and lists their extents.
#include "frontend/decisions.h"
#include "frontend/frontend_internal.h"

#include <stdlib.h>
#include <string.h>

struct open_switch {
    size_t id;
    bool has_default;
    VEC(size_t) branches;
};

struct walk {
    struct frontend *fe;
    size_t function;
    struct open_switch *innermost;
    bool may_wrap;
    bool is_constant; // a constant is wanted: what cannot be wrapped is never executed either
};

static void walk(struct walk *w, struct node *node);

static void walk_siblings(struct walk *w, struct node *first)
{
    for (; first; first = first->next)
        walk(w, first);
}

// Everything from here to there is never evaluated.
static void leave_out(struct walk *w, uint32_t start, uint32_t end)
{
    struct location at = source_location(w->fe, start, end);
    *VEC_PUSH(&w->fe->unevaluated) =
        (struct text_range){at.line, at.column, at.end_line, at.end_column};
}

static void walk_constant(struct walk *w, struct node *node)
{
    struct walk inner = *w;
    inner.may_wrap = false;
    inner.is_constant = true;
    walk(&inner, node);
}

static void walk_unwrapped(struct walk *w, struct node *first)
{
    struct walk inner = *w;
    inner.may_wrap = false;
    walk_siblings(&inner, first);
}

static enum CXBinaryOperatorKind logical_operator(const struct node *node)
{
    if (node->kind != CXCursor_BinaryOperator || !node->child || !node->child->next)
        return CXBinaryOperator_Invalid;
    enum CXBinaryOperatorKind op = clang_getCursorBinaryOperatorKind(node->cursor);
    return op == CXBinaryOperator_LAnd || op == CXBinaryOperator_LOr ? op
                                                                     : CXBinaryOperator_Invalid;
}

static bool is_unary(const struct node *node, enum CXUnaryOperatorKind op)
{
    return node->kind == CXCursor_UnaryOperator && node->child &&
           clang_getCursorUnaryOperatorKind(node->cursor) == op;
}

// The operand that __builtin_choose_expr chooses, or NULL.
static struct node *chosen_operand(const struct frontend *fe, struct node *node)
{
    int64_t value;
    if (node->kind != CXCursor_UnexposedExpr || !node->child || !node->child->next ||
        !ast_is_text(fe, node, "__builtin_choose_expr") ||
        !ast_integer_constant(node->child, &value))
        return NULL;
    return value ? node->child->next : node->child->next->next;
}

// What a _Generic selects. If that could not be asked: the first one of its type.
static struct node *selected_operand(const struct frontend *fe, struct node *node)
{
    struct node *operand = generics_selected(fe, node);
    CXType type = clang_getCanonicalType(clang_getCursorType(node->cursor));
    if (operand)
        return operand;
    for (operand = generics_first(fe, node); operand; operand = operand->next)
        if (clang_equalTypes(type, clang_getCanonicalType(clang_getCursorType(operand->cursor))))
            return operand;
    return NULL;
}

// Parentheses as clang's Expr::IgnoreParens sees them.
static struct node *ignore_parens(const struct frontend *fe, struct node *node)
{
    for (;;) {
        struct node *inner = NULL;
        if (node->kind == CXCursor_ParenExpr || is_unary(node, CXUnaryOperator_Extension)) {
            inner = node->child;
        } else if (node->kind == CXCursor_GenericSelectionExpr && node->child) {
            inner = selected_operand(fe, node);
        } else {
            inner = chosen_operand(fe, node);
        }
        if (!inner)
            return node;
        node = inner;
    }
}

// Below parentheses and `!`; *negated counts the latter.
static struct node *strip_condition(const struct frontend *fe, struct node *node, bool *negated)
{
    node = ignore_parens(fe, node);
    while (is_unary(node, CXUnaryOperator_LNot)) {
        *negated = !*negated;
        node = ignore_parens(fe, node->child);
    }
    return node;
}

static size_t add_branch(struct walk *w, enum branch_kind kind, uint32_t start, uint32_t end)
{
    struct frontend *fe = w->fe;
    struct branch *branch = VEC_PUSH(&fe->branches);
    *branch = (struct branch){.kind = kind, .function = w->function, .id = fe->next_branch++};
    branch->at = source_location(fe, start, end);
    branch->text = source_excerpt(fe, start, end);
    return fe->branches.count - 1;
}

// A leaf: its place, and a wrapper unless it is constant or stands in a constant.
static size_t add_condition(struct walk *w, const struct node *node, size_t decision,
                            unsigned index)
{
    size_t id = add_branch(w, BRANCH_CONDITION, node->start, node->end);
    struct branch *branch = &w->fe->branches.items[id];
    branch->decision = decision;
    branch->index = index;
    branch->folded = ast_integer_constant(node, &branch->low);
    branch->wrapped = w->may_wrap && !branch->folded;
    branch->unseen = !w->may_wrap && !w->is_constant && !branch->folded;
    return id;
}

static size_t new_decision(struct walk *w, const struct node *node)
{
    struct decision *decision = VEC_PUSH(&w->fe->decisions);
    *decision = (struct decision){.function = w->function, .unrecorded = node->unrecorded};
    decision->at = source_location(w->fe, node->start, node->end);
    return w->fe->decisions.count - 1;
}

static void finish_decision(struct walk *w, struct decision_builder *b)
{
    decision_finish(b, &w->fe->program->arena, w->fe->branches.items,
                    &w->fe->decisions.items[b->decision]);
}

// The leaves of a logical tree; what is inside the leaves is walked later, so that
// the conditions of one decision have consecutive ids.
static void collect_leaves(struct walk *w, struct decision_builder *b, struct node *node,
                           int on_true, int on_false)
{
    bool negated = false;
    struct node *core = strip_condition(w->fe, node, &negated);
    enum CXBinaryOperatorKind op = logical_operator(core);
    if (op == CXBinaryOperator_Invalid) {
        size_t id = add_condition(w, node, b->decision, (unsigned)b->leaves.count);
        if (w->fe->branches.items[id].wrapped)
            wrap_condition(w->fe, node->start, node->end, w->fe->branches.items[id].id);
        decision_leaf(b, id, on_true, on_false);
        return;
    }
    int yes = negated ? on_false : on_true, no = negated ? on_true : on_false;
    int right = decision_label(b);
    if (op == CXBinaryOperator_LAnd)
        collect_leaves(w, b, core->child, right, no);
    else
        collect_leaves(w, b, core->child, yes, right);
    decision_place(b, right);
    collect_leaves(w, b, core->child->next, yes, no);
}

static void walk_leaves(struct walk *w, struct node *node)
{
    bool negated = false;
    struct node *core = strip_condition(w->fe, node, &negated);
    if (logical_operator(core) == CXBinaryOperator_Invalid) {
        walk(w, node);
        return;
    }
    walk_leaves(w, core->child);
    walk_leaves(w, core->child->next);
}

static void walk_logical(struct walk *w, struct node *node)
{
    struct decision_builder b = {.decision = new_decision(w, node)};
    collect_leaves(w, &b, node, DECISION_TRUE, DECISION_FALSE);
    finish_decision(w, &b);
    walk_leaves(w, node->child);
    walk_leaves(w, node->child->next);
}

static size_t add_single(struct walk *w, const struct node *node)
{
    struct decision_builder b = {.decision = new_decision(w, node)};
    size_t id = add_condition(w, node, b.decision, 0);
    decision_leaf(&b, id, DECISION_TRUE, DECISION_FALSE);
    finish_decision(w, &b);
    return id;
}

// The controlling condition of a statement or of ?:.
static void walk_condition(struct walk *w, struct node *node)
{
    bool negated = false;
    struct node *core = strip_condition(w->fe, node, &negated);
    if (logical_operator(core) == CXBinaryOperator_Invalid) {
        size_t id = add_single(w, node);
        if (w->fe->branches.items[id].wrapped)
            wrap_condition(w->fe, node->start, node->end, w->fe->branches.items[id].id);
    }
    walk(w, node);
}

static bool is_arithmetic(const struct node *node)
{
    enum CXTypeKind kind = clang_getCanonicalType(clang_getCursorType(node->cursor)).kind;
    return (kind >= CXType_Bool && kind <= CXType_LongDouble) || kind == CXType_Enum;
}

// GNU a ?: b: clang sees an opaque value as condition, so even a logical a is a leaf.
static void walk_elvis(struct walk *w, struct node *node)
{
    struct node *condition = node->child;
    size_t id = add_single(w, condition);
    if (w->fe->branches.items[id].wrapped)
        wrap_elvis(w->fe, node, condition, is_arithmetic(condition), w->fe->branches.items[id].id);
    walk_siblings(w, condition);
}

// The tree dropped the repetitions of a, so that two operands with `?` between
// them, and `:` next to it, are left.
static bool is_elvis(const struct frontend *fe, const struct node *node)
{
    const struct node *a = node->child;
    if (node->kind != CXCursor_UnexposedExpr || !a || !a->next || a->next->next ||
        a->start != node->start || a->next->end != node->end)
        return false;
    uint32_t at = a->end;
    at += (uint32_t)strspn(fe->text + at, " \t\n\r\f\v");
    return fe->text[at] == '?';
}

// for(init; condition; step) leaves out what is empty: a child's slot is the
// number of semicolons before it, and only punctuation stands between children.
static struct node *for_condition(const struct frontend *fe, const struct node *node)
{
    unsigned slot = 0;
    uint32_t from = node->start;
    for (struct node *child = node->child; child && child->next; child = child->next) {
        for (; from < child->start; from++)
            slot += fe->text[from] == ';';
        if (slot == 1)
            return child;
        slot += child->kind == CXCursor_DeclStmt;
        from = child->end;
    }
    return NULL;
}

static void walk_for(struct walk *w, struct node *node)
{
    struct node *condition = for_condition(w->fe, node);
    for (struct node *child = node->child; child; child = child->next)
        if (child == condition)
            walk_condition(w, child);
        else
            walk(w, child);
}

// (a || b ? x : y) ? f() : g(): clang 19 branches on the inner ?: and forgets to record the
// vectors of a || b.
static void mark_unrecorded(struct walk *w, struct node *outer)
{
    bool negated = false;
    struct node *inner = strip_condition(w->fe, outer->child, &negated);
    if (inner->kind == CXCursor_ConditionalOperator && inner->child)
        strip_condition(w->fe, inner->child, &negated)->unrecorded = true;
}

// First child is the condition of if, while and ?:; the last one of do.
static void walk_conditional(struct walk *w, struct node *node)
{
    struct node *condition = node->kind == CXCursor_DoStmt ? node->last_child : node->child;
    if (node->kind == CXCursor_ConditionalOperator && condition)
        mark_unrecorded(w, node);
    for (struct node *child = node->child; child; child = child->next)
        if (child == condition)
            walk_condition(w, child);
        else
            walk(w, child);
}

static const char *switch_suffix(const struct node *condition)
{
    switch (clang_getCanonicalType(clang_getCursorType(condition->cursor)).kind) {
    case CXType_Int: return "i";
    case CXType_UInt: return "u";
    case CXType_Long: return "l";
    case CXType_ULong: return "ul";
    case CXType_LongLong: return "ll";
    case CXType_ULongLong: return "ull";
    default: return NULL;
    }
}

static void add_switch_branch(struct walk *w, size_t branch_id)
{
    struct open_switch *to = w->innermost;
    struct branch *branch = &w->fe->branches.items[branch_id];
    branch->switch_id = to->id;
    branch->index = (unsigned)to->branches.count;
    *VEC_PUSH(&to->branches) = branch_id;
}

static void add_implicit_default(struct walk *w, struct node *condition)
{
    bool negated = false;
    struct node *core = strip_condition(w->fe, condition, &negated);
    size_t id = add_branch(w, BRANCH_IMPLICIT_DEFAULT, condition->start, condition->end);
    w->fe->branches.items[id].folded =
        ast_integer_constant(condition, NULL) || logical_operator(core) != CXBinaryOperator_Invalid;
    add_switch_branch(w, id);
}

static void store_switch(struct walk *w, struct open_switch *own, bool wrapped)
{
    struct switch_point *point = &w->fe->switches.items[own->id];
    point->branch_count = own->branches.count;
    point->branches = references_store(w->fe, own->branches.items, own->branches.count);
    for (size_t i = 0; i < own->branches.count; i++) {
        struct branch *branch = &w->fe->branches.items[own->branches.items[i]];
        branch->wrapped = wrapped && !branch->folded;
        branch->unseen = !wrapped && !w->is_constant && !branch->folded;
    }
    VEC_RELEASE(&own->branches);
}

static void walk_switch(struct walk *w, struct node *node)
{
    struct node *condition = node->child;
    if (!condition || !condition->next)
        return;
    struct open_switch own = {.id = w->fe->switches.count};
    struct switch_point *point = VEC_PUSH(&w->fe->switches);
    *point = (struct switch_point){.function = w->function, .id = w->fe->next_switch++};
    point->at = source_location(w->fe, condition->start, condition->end);
    const char *suffix = switch_suffix(condition);
    bool wrapped = suffix && w->may_wrap;
    if (wrapped)
        wrap_switch(w->fe, condition->start, condition->end, suffix, point->id);
    else if (!suffix)
        frontend_note(w->fe, "%s:%u: a switch on this type is not instrumented", point->at.file,
                      point->at.source_line);
    walk(w, condition);
    struct open_switch *outer = w->innermost;
    w->innermost = &own;
    walk_siblings(w, condition->next);
    if (!own.has_default)
        add_implicit_default(w, condition);
    w->innermost = outer;
    store_switch(w, &own, wrapped);
}

static uint32_t find_colon(const struct frontend *fe, uint32_t from)
{
    while (fe->text[from] && fe->text[from] != ':')
        from++;
    return from;
}

static void walk_case(struct walk *w, struct node *node)
{
    struct node *low = node->child, *high = low, *statement = low ? low->next : NULL;
    if (statement && statement->next) { // case low ... high:
        high = statement;
        statement = statement->next;
    }
    if (!statement || !w->innermost)
        return;
    size_t id = add_branch(w, BRANCH_CASE, node->start, find_colon(w->fe, high->end));
    struct branch *branch = &w->fe->branches.items[id];
    ast_integer_constant(low, &branch->low);
    ast_integer_constant(high, &branch->high);
    add_switch_branch(w, id);
    walk(w, statement);
}

static void walk_default(struct walk *w, struct node *node)
{
    if (w->innermost) {
        uint32_t end = find_colon(w->fe, node->start);
        size_t id = add_branch(w, BRANCH_DEFAULT, node->start, end);
        w->innermost->has_default = true;
        add_switch_branch(w, id);
    }
    walk_siblings(w, node->child);
}

// clang maps the bounds of arrays (of arrays), not those behind a pointer.
static bool has_variable_bound(CXType type)
{
    for (;;) {
        type = clang_getCanonicalType(type);
        if (type.kind == CXType_VariableArray)
            return true;
        if (type.kind != CXType_ConstantArray && type.kind != CXType_IncompleteArray)
            return false;
        type = clang_getArrayElementType(type);
    }
}

static bool follows_bracket(const struct frontend *fe, const struct node *node)
{
    uint32_t at = node->start;
    while (at > 0 && strchr(" \t\n\r\f\v", fe->text[at - 1]))
        at--;
    return at > 0 && fe->text[at - 1] == '[';
}

// Bounds of variable-length arrays are evaluated; other bounds and typeof are not
// mapped by clang. A static initialiser is mapped, but must stay constant.
static void walk_declaration(struct walk *w, struct node *node)
{
    CXType type = node->kind == CXCursor_TypedefDecl
                      ? clang_getTypedefDeclUnderlyingType(node->cursor)
                      : clang_getCursorType(node->cursor);
    bool variable = has_variable_bound(type);
    CXCursor initialiser = node->kind == CXCursor_VarDecl
                               ? clang_Cursor_getVarDeclInitializer(node->cursor)
                               : clang_getNullCursor();
    bool constant = clang_Cursor_getStorageClass(node->cursor) == CX_SC_Static ||
                    source_mentions(w->fe, node->start, node->start + 9, "constexpr");
    for (struct node *child = node->child; child; child = child->next) {
        bool is_initialiser = clang_equalCursors(child->cursor, initialiser) ||
                              (!clang_Cursor_isNull(initialiser) && !child->next);
        if (is_initialiser && constant)
            walk_constant(w, child);
        else if (is_initialiser || (variable && follows_bracket(w->fe, child)))
            walk(w, child);
    }
}

// Builtins whose arguments lose their effect with a call inside. clang evaluates some of them,
// although nothing depends on their values.
static bool is_inert_call(const struct frontend *fe, const struct node *node)
{
    static const char *const names[] = {
        "__builtin_constant_p",   "__builtin_object_size", "__builtin_dynamic_object_size",
        "__builtin_assume",       "__builtin_prefetch",    "__builtin_shufflevector",
        "__builtin_classify_type"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (ast_is_text(fe, node, names[i]))
            return true;
    return false;
}

// [1 ... 5] = x: clang cannot compile x with side effects, so no call there.
static bool is_range_designator(const struct frontend *fe, const struct node *node)
{
    const struct node *low = node->child;
    if (fe->text[node->start] != '[' || !low || !low->next)
        return false;
    uint32_t at = low->end + (uint32_t)strspn(fe->text + low->end, " \t\n\r\f\v");
    return strncmp(fe->text + at, "...", 3) == 0;
}

static void walk_choose_expr(struct walk *w, struct node *node)
{
    const struct node *chosen = chosen_operand(w->fe, node);
    walk_constant(w, node->child);
    for (struct node *child = node->child->next; child; child = child->next)
        if (chosen && child != chosen)
            leave_out(w, child->start, child->end);
        else
            walk(w, child);
}

static void walk_generic(struct walk *w, struct node *node)
{
    const struct node *selected = generics_selected(w->fe, node);
    if (generics_has_expression(w->fe, node))
        leave_out(w, node->child->start, node->child->end);
    for (struct node *a = generics_first(w->fe, node); a; a = a->next)
        if (selected && a != selected)
            leave_out(w, a->start, a->end);
        else
            walk(w, a);
}

// sizeof and _Alignof. C evaluates the operand of sizeof if its type is a variable-length
// array, and then clang has no constant for it. A leaf that is a whole sizeof is not inside.
static void walk_sizeof(struct walk *w, struct node *node)
{
    if (!ast_integer_constant(node, NULL))
        walk_siblings(w, node->child);
    else if (node->child)
        leave_out(w, node->child->start, node->end);
}

static void walk_unexposed(struct walk *w, struct node *node)
{
    struct node *child = node->child;
    if (is_elvis(w->fe, node)) {
        walk_elvis(w, node);
    } else if (child && ast_is_text(w->fe, node, "__builtin_choose_expr")) {
        walk_choose_expr(w, node);
    } else if (ast_is_text(w->fe, node, "__builtin_offsetof") || is_inert_call(w->fe, node) ||
               is_range_designator(w->fe, node)) {
        walk_unwrapped(w, child);
    } else {
        walk_siblings(w, child);
    }
}

static void walk(struct walk *w, struct node *node)
{
    switch ((int)node->kind) {
    case CXCursor_BinaryOperator:
        if (logical_operator(node) != CXBinaryOperator_Invalid)
            walk_logical(w, node);
        else
            walk_siblings(w, node->child);
        break;
    case CXCursor_IfStmt:
    case CXCursor_WhileStmt:
    case CXCursor_DoStmt:
    case CXCursor_ConditionalOperator: walk_conditional(w, node); break;
    case CXCursor_ForStmt: walk_for(w, node); break;
    case CXCursor_SwitchStmt: walk_switch(w, node); break;
    case CXCursor_CaseStmt: walk_case(w, node); break;
    case CXCursor_DefaultStmt: walk_default(w, node); break;
    case CXCursor_VarDecl:
    case CXCursor_TypedefDecl: walk_declaration(w, node); break;
    case CXCursor_GenericSelectionExpr: walk_generic(w, node); break;
    case CXCursor_CStyleCastExpr: // bounds in the type are not mapped
    case CXCursor_CompoundLiteralExpr:
        if (node->last_child)
            walk(w, node->last_child);
        break;
    case CXCursor_UnaryExpr: walk_sizeof(w, node); break;
    case CXCursor_CallExpr:
        if (is_inert_call(w->fe, node))
            walk_unwrapped(w, node->child);
        else
            walk_siblings(w, node->child);
        break;
    case CXCursor_UnexposedExpr: walk_unexposed(w, node); break;
    default: walk_siblings(w, node->child);
    }
}

void branches_collect(struct frontend *fe, size_t function, struct node *body)
{
    struct walk w = {.fe = fe, .function = function, .may_wrap = true};
    walk(&w, body);
}

static int compare_starts(const void *left, const void *right)
{
    const struct text_range *a = left, *b = right;
    if (a->line != b->line)
        return a->line < b->line ? -1 : 1;
    return a->column == b->column ? 0 : a->column < b->column ? -1 : 1;
}

void branches_sort_unevaluated(struct frontend *fe)
{
    if (fe->unevaluated.count)
        qsort(fe->unevaluated.items, fe->unevaluated.count, sizeof *fe->unevaluated.items,
              compare_starts);
}
