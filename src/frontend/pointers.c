// SPDX-License-Identifier: Apache-2.0
// What a body does with pointers: which values it moves where, what it calls, tests,
// compares, casts and writes through. holders.c draws the conclusions.
#include "frontend/frontend_internal.h"

#include "base/tunables.h"

struct walk {
    struct frontend *fe;
    size_t function;
};

// ---- Values that move ----

static bool is_void_pointer(CXType type)
{
    type = clang_getCanonicalType(type);
    return type.kind == CXType_Pointer &&
           clang_getCanonicalType(clang_getPointeeType(type)).kind == CXType_Void;
}

static bool holds_void_pointer(const struct frontend *fe, size_t index)
{
    const struct holder *holder = &fe->holders.items[index];
    if (holder->slot.kind != SLOT_RESULT)
        return is_void_pointer(holder->type);
    const struct type *result = fe->functions.items[holder->slot.owner].type->target;
    return result->kind == TYPE_POINTER && result->target->kind == TYPE_VOID;
}

// `struct s *p = data;` is a cast in C, too.
static void note_conversion(struct frontend *fe, size_t from, CXType to)
{
    if (holds_void_pointer(fe, from) && type_is_pointer(to) && !is_void_pointer(to))
        holder_add_cast(fe, from, to);
}

static bool shares_memory(struct node *value)
{
    CXType type = clang_getCanonicalType(clang_getCursorType(expression_core(value)->cursor));
    if (type.kind == CXType_Pointer)
        type = clang_getCanonicalType(clang_getPointeeType(type));
    return type_is_pointer(type) || type.kind == CXType_ConstantArray;
}

static void assign_core(struct frontend *fe, size_t holder, CXType type, struct node *value)
{
    size_t function = expression_function(fe, value);
    if (function != SIZE_MAX) {
        if (type_is_function_pointer(type) || is_void_pointer(type))
            holder_add_function(fe, holder, function);
        return;
    }
    size_t from = expression_holder(fe, value);
    if (from == HOLDER_NONE || !expression_is_pointer(value))
        return;
    holder_add_flow(fe, from, holder, shares_memory(value));
    note_conversion(fe, from, type);
    struct holder *to = &fe->holders.items[holder];
    if (!to->origin && to->slot.kind == SLOT_NONE &&
        fe->holders.items[from].slot.kind == SLOT_PARAMETER)
        to->origin = from + 1;
}

void pointers_assign(struct frontend *fe, size_t holder, CXType type, struct node *value)
{
    struct node *core = expression_core(value);
    if (core->kind == CXCursor_ConditionalOperator && core->child && core->child->next) {
        for (struct node *child = core->child->next; child; child = child->next)
            pointers_assign(fe, holder, type, child);
    } else if (core->kind == CXCursor_InitListExpr) {
        initialiser_collect(fe, holder, type, core);
    } else if (type_is_pointer(type)) {
        assign_core(fe, holder, type, value);
    } else {
        size_t from = addresses_holder(fe, value);
        if (from != HOLDER_NONE)
            holder_add_flow(fe, from, holder, false);
    }
}

void pointers_initialiser(struct frontend *fe, struct node *variable)
{
    CXCursor initialiser = clang_Cursor_getVarDeclInitializer(variable->cursor);
    if (clang_Cursor_isNull(initialiser) || !variable->last_child)
        return;
    size_t holder = holder_of_declaration(fe, variable->cursor);
    if (holder != HOLDER_NONE)
        pointers_assign(fe, holder, clang_getCursorType(variable->cursor), variable->last_child);
}

static CXType type_of(const struct node *node)
{
    return clang_getCursorType(node->cursor);
}

static void note_assignment(struct walk *w, struct node *left, struct node *right)
{
    size_t holder = expression_holder(w->fe, left);
    CXType type = type_of(ast_strip(left));
    if (holder != HOLDER_NONE)
        pointers_assign(w->fe, holder, type, right);
}

static void note_return(struct walk *w, struct node *node)
{
    if (w->function == SIZE_MAX || !node->child)
        return;
    pointers_assign(w->fe, holder_of_result(w->fe, w->function), type_of(node->child), node->child);
}

// ---- More than one element ----

static void note_indexed(struct walk *w, struct node *node)
{
    if (!node || !expression_is_pointer(node))
        return;
    size_t holder = expression_holder(w->fe, node);
    if (holder != HOLDER_NONE)
        w->fe->holders.items[holder].indexed = true;
}

static void note_both_indexed(struct walk *w, struct node *left, struct node *right)
{
    note_indexed(w, left);
    note_indexed(w, right);
}

// An array of another file, declared without its bound: it has the elements that are used.
static void note_element(struct walk *w, struct node *array, int64_t index)
{
    struct node *core = expression_core(array);
    if (core->kind != CXCursor_DeclRefExpr || index < 0 || index >= FRONTEND_OPEN_ELEMENTS)
        return;
    CXCursor declaration = clang_getCursorReferenced(core->cursor);
    CXType type = clang_getCanonicalType(clang_getCursorType(declaration));
    if (clang_getCursorKind(declaration) != CXCursor_VarDecl ||
        clang_getCursorLinkage(declaration) != CXLinkage_External ||
        type.kind != CXType_IncompleteArray)
        return;
    struct variable *variable = &w->fe->variables.items[variables_index(w->fe, declaration, NULL)];
    if ((uint64_t)index >= variable->elements)
        variable->elements = (uint64_t)index + 1;
}

static void note_subscript(struct walk *w, struct node *node)
{
    int64_t index;
    if (node->child && node->child->next && ast_integer_constant(node->child->next, &index))
        note_element(w, node->child, index);
    if (node->child && node->child->next &&
        !(ast_integer_constant(node->child->next, &index) && index == 0))
        note_both_indexed(w, node->child, node->child->next);
}

static bool has_sizeof(const struct node *call)
{
    for (const struct node *argument = call->child; argument; argument = argument->next)
        if (argument->kind == CXCursor_UnaryExpr)
            return true;
    return false;
}

// What is not here may use all of an array that it is given; memset(p, 0, sizeof *p)
// uses one element.
static void note_handed_out(struct walk *w, size_t callee, struct node *call)
{
    if ((callee != SIZE_MAX && w->fe->functions.items[callee].defined) || has_sizeof(call))
        return;
    bool is_library = callee == SIZE_MAX || w->fe->functions.items[callee].in_system_header ||
                      lengths_takes_bytes(w->fe->functions.items[callee].name);
    for (struct node *argument = call->child ? call->child->next : NULL; argument && is_library;
         argument = argument->next)
        note_indexed(w, argument);
}

// ---- Calls ----

static void note_escape(struct walk *w, struct node *argument)
{
    size_t holder = expression_holder(w->fe, argument);
    if (holder != HOLDER_NONE)
        w->fe->holders.items[holder].called = true;
}

// Bytes of the object that an argument leads to the beginning of: of buf, s->text, &value.
static uint64_t room_of(struct node *argument)
{
    struct node *node = expression_core(argument);
    if (node->kind == CXCursor_UnaryOperator && node->child &&
        clang_getCursorUnaryOperatorKind(node->cursor) == CXUnaryOperator_AddrOf)
        node = expression_core(node->child);
    else if (clang_getCanonicalType(type_of(node)).kind != CXType_ConstantArray)
        return PARAMETER_ROOM_UNKNOWN;
    long long size = clang_Type_getSizeOf(type_of(node));
    bool whole = node->kind == CXCursor_DeclRefExpr || node->kind == CXCursor_MemberRefExpr;
    return whole && size > 0 ? (uint64_t)size : PARAMETER_ROOM_UNKNOWN;
}

static void note_room(const struct function *callee, size_t index, struct node *argument)
{
    if (callee->defined || index >= callee->param_count || !expression_is_pointer(argument) ||
        expression_is_null(argument))
        return;
    uint64_t *room = &callee->params[index].room, here = room_of(argument);
    if (!*room || here == PARAMETER_ROOM_UNKNOWN || here < *room)
        *room = *room == PARAMETER_ROOM_UNKNOWN ? *room : here;
}

static void note_argument(struct walk *w, size_t callee, size_t index, struct node *argument)
{
    struct frontend *fe = w->fe;
    note_room(&fe->functions.items[callee], index, argument);
    const struct function *function = &fe->functions.items[callee];
    CXType type = type_of(argument);
    if (!function->defined && type_is_function_pointer(type)) {
        note_escape(w, argument); // qsort() calls it
        if (w->function != SIZE_MAX)
            fe->functions.items[w->function].calls_pointer = true;
    }
    if (index >= function->param_count)
        return;
    size_t parameter = holder_of_parameter(fe, callee, index);
    if (fe->holders.items[parameter].type.kind != CXType_Invalid)
        type = fe->holders.items[parameter].type;
    pointers_assign(fe, parameter, type, argument);
    size_t from = expression_holder(fe, argument);
    if (from == HOLDER_NONE || fe->holders.items[from].slot.kind != SLOT_PARAMETER ||
        fe->holders.items[from].slot.owner != w->function)
        return;
    *VEC_PUSH(&fe->calls) =
        (struct call){w->function, callee, fe->holders.items[from].slot.index, index};
}

static void note_call(struct walk *w, struct node *node)
{
    size_t callee = node->child ? expression_function(w->fe, node->child) : SIZE_MAX;
    size_t index = 0;
    if (node->child && callee == SIZE_MAX)
        note_escape(w, node->child);
    note_handed_out(w, callee, node);
    for (struct node *argument = node->child ? node->child->next : NULL; argument;
         argument = argument->next, index++) {
        if (callee != SIZE_MAX)
            note_argument(w, callee, index, argument);
        else if (type_is_function_pointer(type_of(argument)))
            note_escape(w, argument);
    }
}

// ---- Tests and comparisons ----

static void note_tested(struct walk *w, struct node *node)
{
    if (!node || !expression_is_pointer(node))
        return;
    size_t holder = expression_holder(w->fe, node);
    if (holder != HOLDER_NONE)
        w->fe->holders.items[holder].tested = true;
}

static void note_compared(struct walk *w, struct node *node, struct node *other)
{
    size_t holder = expression_holder(w->fe, node);
    if (holder == HOLDER_NONE)
        return;
    size_t function = expression_function(w->fe, other);
    int64_t number;
    if (expression_is_null(other)) {
        w->fe->holders.items[holder].tested = true;
    } else if (addresses_constant(other, &number)) {
        return; // addresses_note() knows it
    } else if (function != SIZE_MAX) {
        w->fe->holders.items[holder].tested = true;
        holder_add_function(w->fe, holder, function);
    } else {
        holder_add_comparer(w->fe, holder, w->function);
    }
}

static void note_comparison(struct walk *w, struct node *left, struct node *right)
{
    if (!expression_is_pointer(left) && !expression_is_pointer(right))
        return;
    note_compared(w, left, right);
    note_compared(w, right, left);
}

static void note_conditions(struct walk *w, struct node *node)
{
    switch (node->kind) {
    case CXCursor_IfStmt:
    case CXCursor_WhileStmt:
    case CXCursor_ConditionalOperator: note_tested(w, node->child); break;
    case CXCursor_DoStmt: note_tested(w, node->last_child); break;
    case CXCursor_ForStmt:
        for (struct node *child = node->child; child; child = child->next)
            if (clang_isExpression(child->kind))
                note_tested(w, child);
        break;
    default: break;
    }
}

// ---- Writes ----

// `p->a[1].b = x` writes through p; `g.a[1] = x` writes the variable g.
static void note_write(struct walk *w, struct node *left)
{
    struct frontend *fe = w->fe;
    for (struct node *node = expression_core(left); node;) {
        bool deref = node->kind == CXCursor_UnaryOperator &&
                     clang_getCursorUnaryOperatorKind(node->cursor) == CXUnaryOperator_Deref;
        if (!deref && node->kind != CXCursor_MemberRefExpr &&
            node->kind != CXCursor_ArraySubscriptExpr)
            return;
        if (!node->child)
            return;
        node = expression_core(node->child);
        if (clang_getCanonicalType(type_of(node)).kind == CXType_Pointer) {
            size_t holder = expression_holder(fe, node);
            if (holder != HOLDER_NONE)
                fe->holders.items[holder].written = true;
            return;
        }
    }
}

static void note_operator(struct walk *w, struct node *node)
{
    struct node *left = node->child, *right = left ? left->next : NULL;
    if (!left || !right)
        return;
    switch (clang_getCursorBinaryOperatorKind(node->cursor)) {
    case CXBinaryOperator_Assign:
        note_assignment(w, left, right);
        note_write(w, left);
        break;
    case CXBinaryOperator_LT:
    case CXBinaryOperator_LE:
    case CXBinaryOperator_GT:
    case CXBinaryOperator_GE:
        note_both_indexed(w, left, right);
        note_comparison(w, left, right);
        break;
    case CXBinaryOperator_EQ:
    case CXBinaryOperator_NE: note_comparison(w, left, right); break;
    case CXBinaryOperator_Add:
    case CXBinaryOperator_Sub: note_both_indexed(w, left, right); break;
    case CXBinaryOperator_LAnd:
    case CXBinaryOperator_LOr:
        note_tested(w, left);
        note_tested(w, right);
        break;
    default: break;
    }
}

static void note_unary(struct walk *w, struct node *node)
{
    switch (clang_getCursorUnaryOperatorKind(node->cursor)) {
    case CXUnaryOperator_LNot: note_tested(w, node->child); break;
    case CXUnaryOperator_PostInc:
    case CXUnaryOperator_PostDec:
    case CXUnaryOperator_PreInc:
    case CXUnaryOperator_PreDec:
        note_indexed(w, node->child);
        if (node->child)
            note_write(w, node->child);
        break;
    default: break;
    }
}

static void note_cast(struct walk *w, struct node *node)
{
    size_t holder = node->last_child ? expression_holder(w->fe, node->last_child) : HOLDER_NONE;
    if (holder != HOLDER_NONE)
        note_conversion(w->fe, holder, type_of(node));
    enum CXTypeKind kind = clang_getCanonicalType(type_of(node)).kind;
    if (holder != HOLDER_NONE && expression_is_pointer(node->last_child) && kind >= CXType_Bool &&
        kind <= CXType_Int128)
        w->fe->holders.items[holder].as_number = true;
    if (node->last_child && expression_is_pointer(node->last_child) &&
        type_is_pointer(type_of(node)))
        wholes_note(w->fe, type_of(node->last_child), type_of(node));
}

static void walk(struct walk *w, struct node *node)
{
    switch (node->kind) {
    case CXCursor_UnaryExpr: // sizeof
        return;
    case CXCursor_VarDecl: pointers_initialiser(w->fe, node); break;
    case CXCursor_BinaryOperator:
        addresses_note(w->fe, node);
        note_operator(w, node);
        break;
    case CXCursor_MemberRefExpr:
        holder_add_user(w->fe, expression_holder(w->fe, node), w->function);
        break;
    case CXCursor_CompoundAssignOperator:
        addresses_note(w->fe, node);
        note_indexed(w, node->child);
        if (node->child)
            note_write(w, node->child);
        break;
    case CXCursor_ArraySubscriptExpr: note_subscript(w, node); break;
    case CXCursor_UnaryOperator: note_unary(w, node); break;
    case CXCursor_CStyleCastExpr: note_cast(w, node); break;
    case CXCursor_CallExpr: note_call(w, node); break;
    case CXCursor_ReturnStmt: note_return(w, node); break;
    case CXCursor_CompoundLiteralExpr:
        if (node->last_child && node->last_child->kind == CXCursor_InitListExpr)
            initialiser_collect(w->fe, HOLDER_NONE, type_of(node), node->last_child);
        break;
    case CXCursor_SwitchStmt: addresses_note(w->fe, node); break;
    default: note_conditions(w, node); break;
    }
    for (struct node *child = node->child; child; child = child->next)
        walk(w, child);
}

void pointers_collect(struct frontend *fe, size_t function, struct node *body)
{
    struct walk w = {fe, function};
    walk(&w, body);
}
