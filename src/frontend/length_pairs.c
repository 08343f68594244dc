// SPDX-License-Identifier: Apache-2.0
// Parameters that belong together: a buffer and its length, a pointer and the end that
// it runs to. Told by the code: p[i] with i < n, p + n, memcpy(p, .., n), *p++ and n-- in one loop,
// p < end, end - p, a loop that moves p until it is end, a call that hands both to such a pair.
// A number behind the pointer of an array, with a name that says so, is a suggestion: the driver
// tries a length first, and then any number.
#include "frontend/frontend_internal.h"

#include <string.h>

struct relation { // of two holders: an index and its pointer, an index and its bound ...
    size_t first, second;
};

struct step { // p++, n--, p += 4
    size_t holder;
    bool is_pointer, is_up;
};

struct walk {
    struct frontend *fe;
    size_t function;
    VEC(struct relation) indexed; // pointer, index
    VEC(struct relation) bounded; // index, bound
    VEC(struct relation) equal;   // pointers that are compared, but not ordered
    VEC(struct step) steps;
};

// The parameter of this function that a plain name stands for, or SIZE_MAX.
static size_t parameter_of(const struct walk *w, size_t holder)
{
    const struct frontend *fe = w->fe;
    if (holder == HOLDER_NONE)
        return SIZE_MAX;
    if (fe->holders.items[holder].origin)
        holder = fe->holders.items[holder].origin - 1;
    const struct slot *slot = &fe->holders.items[holder].slot;
    return slot->kind == SLOT_PARAMETER && slot->owner == w->function ? slot->index : SIZE_MAX;
}

// A variable on its own, also as p++.
static size_t named(struct walk *w, struct node *node)
{
    node = expression_core(node);
    if (node->kind == CXCursor_UnaryOperator && node->child) {
        enum CXUnaryOperatorKind op = clang_getCursorUnaryOperatorKind(node->cursor);
        if (op >= CXUnaryOperator_PostInc && op <= CXUnaryOperator_PreDec)
            node = expression_core(node->child);
    }
    return node->kind == CXCursor_DeclRefExpr ? expression_holder(w->fe, node) : HOLDER_NONE;
}

static bool is_pointer(const struct walk *w, size_t parameter)
{
    const struct function *function = &w->fe->functions.items[w->function];
    return parameter < function->param_count &&
           function->params[parameter].type->kind == TYPE_POINTER;
}

static bool is_integer(const struct walk *w, size_t parameter)
{
    const struct function *function = &w->fe->functions.items[w->function];
    return parameter < function->param_count && function->params[parameter].type->kind == TYPE_INT;
}

bool lengths_says_end(const char *name)
{
    return strstr(name, "end") || strstr(name, "End") || strstr(name, "last") ||
           strstr(name, "lim") || strstr(name, "stop");
}

static bool says_end(const struct frontend *fe, size_t function, size_t parameter)
{
    return lengths_says_end(fe->functions.items[function].params[parameter].name);
}

// A new pair, or NULL: the first evidence wins; memcpy(p, q, n) gives n two pointers.
static struct parameter_pair *add_pair(struct frontend *fe, size_t index, enum pair_kind kind,
                                       size_t pointer, size_t other)
{
    struct function *function = &fe->functions.items[index];
    for (size_t i = 0; i < function->pair_count; i++)
        if (function->pairs[i].pointer == pointer || function->pairs[i].pointer == other ||
            function->pairs[i].other == pointer)
            return NULL;
    if (!function->pairs)
        function->pairs =
            arena_array(&fe->program->arena, struct parameter_pair, function->param_count);
    fe->holders.items[holder_of_parameter(fe, index, pointer)].indexed = true;
    const struct holder *length = &fe->holders.items[holder_of_parameter(fe, index, other)];
    struct parameter_pair *pair = &function->pairs[function->pair_count++];
    *pair = (struct parameter_pair){
        .kind = kind, .pointer = pointer, .other = other, .low = length->low, .high = length->high};
    return pair;
}

static void add_length(struct walk *w, enum pair_kind kind, size_t pointer, size_t length)
{
    pointer = parameter_of(w, pointer);
    length = parameter_of(w, length);
    if (is_pointer(w, pointer) && is_integer(w, length))
        add_pair(w->fe, w->function, kind, pointer, length);
}

// ---- Evidence in the body ----

static void note_constant(struct walk *w, struct node *name, struct node *constant)
{
    size_t holder = named(w, name);
    int64_t value;
    if (holder == HOLDER_NONE || !ast_integer_constant(constant, &value))
        return;
    struct holder *h = &w->fe->holders.items[holder];
    h->low = value < h->low ? value : h->low;
    h->high = value > h->high ? value : h->high;
}

static bool is_same_array(const struct walk *w, size_t pointer, size_t end)
{
    const struct function *function = &w->fe->functions.items[w->function];
    return pointer != end && is_pointer(w, pointer) && is_pointer(w, end) &&
           function->params[pointer].type->target->canonical ==
               function->params[end].type->target->canonical;
}

// Pointers that are ordered or subtracted are into one array, or that has no value. Which one
// comes first is open; the names say what is tried first.
static void note_order(struct walk *w, size_t left, size_t right)
{
    size_t pointer = parameter_of(w, left), end = parameter_of(w, right);
    if (!is_same_array(w, pointer, end))
        return;
    bool turned = says_end(w->fe, w->function, pointer) && !says_end(w->fe, w->function, end);
    struct parameter_pair *pair =
        add_pair(w->fe, w->function, PAIR_END, turned ? end : pointer, turned ? pointer : end);
    if (pair)
        pair->by_order = true;
}

// A loop moves one pointer until it is the other one, or runs over the end of its array.
static void note_walk(struct walk *w, const struct step *step, size_t other)
{
    size_t moved = parameter_of(w, step->holder), goal = parameter_of(w, other);
    if (is_same_array(w, moved, goal))
        add_pair(w->fe, w->function, PAIR_END, step->is_up ? moved : goal,
                 step->is_up ? goal : moved);
}

// `p + 4 > end` and `p > end - 4` compare p with end.
static size_t named_or_moved(struct walk *w, struct node *node)
{
    struct node *core = expression_core(node);
    bool moved = core->kind == CXCursor_BinaryOperator && expression_is_pointer(core) &&
                 core->child && expression_is_pointer(core->child);
    return named(w, moved ? core->child : node);
}

// `i + 1 < n` and `i < n - 1` compare i with n.
static size_t named_about(struct walk *w, struct node *node)
{
    struct node *core = expression_core(node);
    struct node *right = core->child ? core->child->next : NULL;
    int64_t value;
    if (core->kind != CXCursor_BinaryOperator || !right || !ast_integer_constant(right, &value))
        return named(w, node);
    enum CXBinaryOperatorKind op = clang_getCursorBinaryOperatorKind(core->cursor);
    return named(w, op == CXBinaryOperator_Add || op == CXBinaryOperator_Sub ? core->child : node);
}

static void note_pointers(struct walk *w, struct node *left, struct node *right, bool ordered)
{
    size_t first = named_or_moved(w, left), second = named_or_moved(w, right);
    if (first == HOLDER_NONE || second == HOLDER_NONE)
        return;
    if (ordered)
        note_order(w, first, second);
    else
        *VEC_PUSH(&w->equal) = (struct relation){first, second};
}

static void note_comparison(struct walk *w, struct node *left, struct node *right, bool ordered)
{
    if (expression_is_pointer(left)) {
        note_pointers(w, left, right, ordered);
        return;
    }
    size_t first = named_about(w, left), second = named_about(w, right);
    note_constant(w, left, right);
    note_constant(w, right, left);
    if (first == HOLDER_NONE || second == HOLDER_NONE)
        return;
    *VEC_PUSH(&w->bounded) = (struct relation){first, second};
    *VEC_PUSH(&w->bounded) = (struct relation){second, first};
}

static void note_operator(struct walk *w, struct node *node)
{
    struct node *left = node->child, *right = left ? left->next : NULL;
    if (!left || !right)
        return;
    switch (clang_getCursorBinaryOperatorKind(node->cursor)) {
    case CXBinaryOperator_LT:
    case CXBinaryOperator_LE: note_comparison(w, left, right, true); break;
    case CXBinaryOperator_GT:
    case CXBinaryOperator_GE: note_comparison(w, right, left, true); break;
    case CXBinaryOperator_EQ:
    case CXBinaryOperator_NE: note_comparison(w, left, right, false); break;
    case CXBinaryOperator_Add:
        if (named(w, left) != HOLDER_NONE && named(w, right) != HOLDER_NONE)
            add_length(w, PAIR_LENGTH, named(w, left), named(w, right));
        break;
    case CXBinaryOperator_Sub: // of pointers into one array, or it has no value
        if (expression_is_pointer(left) && expression_is_pointer(right))
            note_order(w, named(w, right), named(w, left));
        break;
    default: break;
    }
}

// p[n - 1] is the last one.
static void note_last(struct walk *w, size_t pointer, struct node *index)
{
    struct node *core = expression_core(index);
    struct node *right = core->child ? core->child->next : NULL;
    int64_t value;
    if (core->kind == CXCursor_BinaryOperator && right &&
        clang_getCursorBinaryOperatorKind(core->cursor) == CXBinaryOperator_Sub &&
        ast_integer_constant(right, &value) && value > 0)
        add_length(w, PAIR_LENGTH, pointer, named(w, core->child));
}

static void note_subscript(struct walk *w, struct node *node)
{
    struct node *base = node->child, *index = base ? base->next : NULL;
    if (!index)
        return;
    size_t pointer = named(w, base), at = named_about(w, index);
    note_last(w, pointer, index);
    if (pointer != HOLDER_NONE && at != HOLDER_NONE)
        *VEC_PUSH(&w->indexed) = (struct relation){pointer, at};
}

static const struct libc_bytes *byte_call_named(const char *name)
{
    const struct libc_bytes *bytes = &libc_find(name)->bytes;
    return bytes->used ? bytes : NULL;
}

bool lengths_takes_bytes(const char *name)
{
    return byte_call_named(name) != NULL;
}

static bool has_kind(const struct type *function, size_t parameter, enum type_kind kind)
{
    return parameter < function->param_count && function->params[parameter]->kind == kind;
}

// A name is not enough: the project may have its own send(). That of the C library is the
// compiler's own (__builtin_memcpy), or is declared by a system header, or by hand with such
// parameters.
const struct libc_bytes *lengths_byte_call(const struct frontend *fe, size_t index)
{
    static const char builtin[] = "__builtin_";
    const struct function *f = index == SIZE_MAX ? NULL : &fe->functions.items[index];
    bool is_builtin = f && !strncmp(f->name, builtin, sizeof builtin - 1);
    const char *name = is_builtin ? f->name + sizeof builtin - 1 : f ? f->name : NULL;
    const struct libc_bytes *call = f && !f->defined ? byte_call_named(name) : NULL;
    if (!call || is_builtin || f->in_library || f->is_implicit)
        return call;
    bool fits = has_kind(f->type, call->first, TYPE_POINTER) &&
                has_kind(f->type, call->second, TYPE_POINTER) &&
                has_kind(f->type, call->length, TYPE_INT);
    return fits && call->first == 0 ? call : NULL;
}

static void note_call(struct walk *w, struct node *node)
{
    size_t callee = node->child ? expression_function(w->fe, node->child) : SIZE_MAX;
    const struct libc_bytes *bytes = lengths_byte_call(w->fe, callee);
    struct node *length = bytes ? node->child->next : NULL;
    for (size_t i = 0; length && i < bytes->length; i++)
        length = length->next;
    size_t at = 0;
    for (struct node *pointer = length ? node->child->next : NULL; pointer;
         pointer = pointer->next, at++)
        if ((at == bytes->first || at == bytes->second) && named(w, pointer) != HOLDER_NONE)
            add_length(w, PAIR_BYTES, named(w, pointer), named(w, length));
}

static void note_step(struct walk *w, struct node *variable, bool is_up)
{
    size_t holder = named(w, variable);
    if (holder != HOLDER_NONE)
        *VEC_PUSH(&w->steps) = (struct step){holder, expression_is_pointer(variable), is_up};
}

static void note_unary(struct walk *w, struct node *node)
{
    enum CXUnaryOperatorKind op = clang_getCursorUnaryOperatorKind(node->cursor);
    if (op >= CXUnaryOperator_PostInc && op <= CXUnaryOperator_PreDec && node->child)
        note_step(w, node->child, op == CXUnaryOperator_PostInc || op == CXUnaryOperator_PreInc);
}

static void note_compound(struct walk *w, struct node *node)
{
    enum CXBinaryOperatorKind op = clang_getCursorBinaryOperatorKind(node->cursor);
    if ((op == CXBinaryOperator_AddAssign || op == CXBinaryOperator_SubAssign) && node->child)
        note_step(w, node->child, op == CXBinaryOperator_AddAssign);
}

static bool is_loop(const struct node *node)
{
    return node->kind == CXCursor_ForStmt || node->kind == CXCursor_WhileStmt ||
           node->kind == CXCursor_DoStmt;
}

static bool mentions(struct walk *w, struct node *node, size_t holder)
{
    if (node->kind == CXCursor_DeclRefExpr && expression_holder(w->fe, node) == holder)
        return true;
    for (struct node *child = node->child; child; child = child->next)
        if (mentions(w, child, holder))
            return true;
    return false;
}

// In the head of a loop: it runs as often as the variable says.
static bool counts(struct walk *w, const struct node *loop, size_t holder)
{
    bool is_do = loop->kind == CXCursor_DoStmt;
    for (struct node *child = loop->child; child; child = child->next)
        if ((child == loop->last_child) == is_do && mentions(w, child, holder))
            return true;
    return false;
}

// What a loop moves, and what it compares: from here on in the lists.
static void note_loop(struct walk *w, const struct node *loop, size_t first_equal,
                      size_t first_step)
{
    for (size_t i = first_step; i < w->steps.count; i++) {
        const struct step *step = &w->steps.items[i];
        for (size_t k = first_equal; step->is_pointer && k < w->equal.count; k++) {
            if (w->equal.items[k].first == step->holder)
                note_walk(w, step, w->equal.items[k].second);
            if (w->equal.items[k].second == step->holder)
                note_walk(w, step, w->equal.items[k].first);
        }
        for (size_t k = first_step; step->is_pointer && step->is_up && k < w->steps.count; k++)
            if (!w->steps.items[k].is_pointer && !w->steps.items[k].is_up &&
                counts(w, loop, w->steps.items[k].holder))
                add_length(w, PAIR_LENGTH, step->holder, w->steps.items[k].holder);
    }
}

static void walk(struct walk *w, struct node *node)
{
    size_t first_equal = w->equal.count, first_step = w->steps.count;
    switch (node->kind) {
    case CXCursor_UnaryExpr: return; // sizeof
    case CXCursor_BinaryOperator: note_operator(w, node); break;
    case CXCursor_UnaryOperator: note_unary(w, node); break;
    case CXCursor_CompoundAssignOperator: note_compound(w, node); break;
    case CXCursor_ArraySubscriptExpr: note_subscript(w, node); break;
    case CXCursor_CallExpr: note_call(w, node); break;
    default: break;
    }
    for (struct node *child = node->child; child; child = child->next)
        walk(w, child);
    if (is_loop(node))
        note_loop(w, node, first_equal, first_step);
}

// p[i] and i < n, for the same i.
static void join(struct walk *w)
{
    for (size_t i = 0; i < w->indexed.count; i++)
        for (size_t b = 0; b < w->bounded.count; b++)
            if (w->indexed.items[i].second == w->bounded.items[b].first)
                add_length(w, PAIR_LENGTH, w->indexed.items[i].first, w->bounded.items[b].second);
}

static int compare_relations(const void *a, const void *b)
{
    const struct relation *x = a, *y = b;
    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    return (x->second > y->second) - (x->second < y->second);
}

// A long function repeats itself; the join is over what is different.
static void unique(struct relation *items, size_t *count)
{
    size_t kept = 0;
    if (*count)
        qsort(items, *count, sizeof *items, compare_relations);
    for (size_t i = 0; i < *count; i++)
        if (!kept || compare_relations(&items[kept - 1], &items[i]) != 0)
            items[kept++] = items[i];
    *count = kept;
}

void lengths_collect(struct frontend *fe, size_t function, struct node *body)
{
    struct walk w = {.fe = fe, .function = function};
    walk(&w, body);
    unique(w.indexed.items, &w.indexed.count);
    unique(w.bounded.items, &w.bounded.count);
    join(&w);
    VEC_RELEASE(&w.indexed);
    VEC_RELEASE(&w.bounded);
    VEC_RELEASE(&w.equal);
    VEC_RELEASE(&w.steps);
}

// ---- Evidence elsewhere ----

const struct call *lengths_argument_for(const struct frontend *fe, size_t first, size_t parameter)
{
    const struct call *start = &fe->calls.items[first];
    for (size_t i = first; i < fe->calls.count; i++) {
        const struct call *call = &fe->calls.items[i];
        if (call->caller != start->caller || call->callee != start->callee)
            return NULL;
        if (call->parameter == parameter)
            return call;
    }
    return NULL;
}

// f(p, n) hands a pair to a pair. Arguments of one call stand together in the list.
static bool pass_on(struct frontend *fe, size_t at)
{
    const struct call *pointer = &fe->calls.items[at];
    const struct function *callee = &fe->functions.items[pointer->callee];
    size_t before = fe->functions.items[pointer->caller].pair_count;
    for (size_t i = 0; i < callee->pair_count; i++) {
        struct parameter_pair pair = callee->pairs[i];
        if (pair.pointer != pointer->parameter)
            continue;
        const struct call *other = lengths_argument_for(fe, at, pair.other);
        struct walk w = {.fe = fe, .function = pointer->caller};
        struct parameter_pair *new;
        if (other && is_pointer(&w, pointer->argument) &&
            (pair.kind == PAIR_END ? is_pointer(&w, other->argument)
                                   : is_integer(&w, other->argument)) &&
            (new = add_pair(fe, pointer->caller, pair.kind, pointer->argument, other->argument)))
            new->by_order = pair.by_order;
    }
    return fe->functions.items[pointer->caller].pair_count != before;
}

// A name alone says little: the code must also use the pointer as more than one element, as
// bytes and characters are. walk(struct node *list, int n) has no length.
static bool is_array(struct frontend *fe, size_t index, size_t parameter)
{
    const struct type *target = fe->functions.items[index].params[parameter].type->target;
    if (target->kind == TYPE_POINTER || target->kind == TYPE_FUNCTION)
        return false;
    return target->is_char || target->kind == TYPE_VOID ||
           fe->holders.items[holder_of_parameter(fe, index, parameter)].indexed;
}

static void pair_by_name(struct frontend *fe, size_t index)
{
    const struct function *function = &fe->functions.items[index];
    struct walk w = {.fe = fe, .function = index};
    for (size_t i = 0; i + 1 < function->param_count; i++) {
        if (!is_pointer(&w, i) || !is_integer(&w, i + 1) || !is_array(fe, index, i) ||
            !program_says_length(function->params[i + 1].name))
            continue;
        struct parameter_pair *pair = add_pair(fe, index, PAIR_LENGTH, i, i + 1);
        if (pair)
            pair->is_suggested = true;
    }
}

void lengths_finish(struct frontend *fe)
{
    bool changed = true;
    while (changed) {
        changed = false;
        for (size_t i = 0; i < fe->calls.count; i++)
            changed |= pass_on(fe, i);
    }
}

void lengths_by_name(struct frontend *fe)
{
    for (size_t i = 0; i < fe->functions.count; i++)
        if (fe->functions.items[i].defined)
            pair_by_name(fe, i);
}
