// SPDX-License-Identifier: Apache-2.0
// Tagged unions: a member of a record that tells which member of a union beside it is in
// use. Told by the code, which uses `event->data.scalar` where event->type is SCALAR: in a
// case of a switch over the tag, behind an if that compares it.
#include "frontend/frontend_internal.h"

#include "base/tunables.h"
#include <stdlib.h>
#include <string.h>

struct guard { // a tag that is known here
    size_t holder;
    const struct node *object; // whose tag: `event` of event->type
    int64_t value;
};

struct tags_walk {
    struct frontend *fe;
    struct guard guards[FRONTEND_GUARDS];
    size_t guard_count;
};

static void guard(struct tags_walk *w, size_t holder, struct node *tag, int64_t value)
{
    struct node *object = expression_core(tag)->child;
    if (w->guard_count < FRONTEND_GUARDS && object)
        w->guards[w->guard_count++] = (struct guard){holder, expression_core(object), value};
}

static bool same_text(const struct frontend *fe, const struct node *a, const struct node *b)
{
    size_t length = a->end - a->start;
    return length == b->end - b->start &&
           strncmp(fe->text + a->start, fe->text + b->start, length) == 0;
}

// event->data.scalar and event->type are of one object: event. An anonymous union has no
// name in between.
static bool is_of(const struct frontend *fe, struct node *use, const struct node *object)
{
    struct node *part = use;
    for (int i = 0; i < 2 && part->kind == CXCursor_MemberRefExpr && part->child; i++) {
        part = expression_core(part->child);
        if (same_text(fe, part, object))
            return true;
    }
    return false;
}

static size_t tag_of(struct tags_walk *w, struct node *node)
{
    struct node *core = expression_core(node);
    if (core->kind != CXCursor_MemberRefExpr)
        return HOLDER_NONE;
    size_t holder = expression_holder(w->fe, core);
    return holder != HOLDER_NONE && w->fe->holders.items[holder].slot.kind == SLOT_FIELD
               ? holder
               : HOLDER_NONE;
}

static void note_use(struct tags_walk *w, struct node *node)
{
    size_t used = expression_holder(w->fe, node);
    if (used == HOLDER_NONE)
        return;
    const struct slot *slot = &w->fe->holders.items[used].slot;
    if (slot->kind != SLOT_FIELD || slot->record->kind != TYPE_UNION)
        return;
    for (size_t i = 0; i < w->guard_count; i++)
        if (is_of(w->fe, node, w->guards[i].object))
            *VEC_PUSH(&w->fe->tags) =
                (struct tag_evidence){w->guards[i].holder, used, w->guards[i].value};
}

static void walk(struct tags_walk *w, struct node *node);

static void walk_children(struct tags_walk *w, struct node *node)
{
    for (struct node *child = node->child; child; child = child->next)
        walk(w, child);
}

// Tags that are known when the condition holds.
static void guard_condition(struct tags_walk *w, struct node *node)
{
    node = ast_strip(node);
    struct node *left = node->child, *right = left ? left->next : NULL;
    if (node->kind != CXCursor_BinaryOperator || !right)
        return;
    enum CXBinaryOperatorKind op = clang_getCursorBinaryOperatorKind(node->cursor);
    int64_t value;
    if (op == CXBinaryOperator_LAnd) {
        guard_condition(w, left);
        guard_condition(w, right);
    } else if (op == CXBinaryOperator_LOr && w->guard_count == 0) {
        guard_condition(w, left); // type == A || type == B
        guard_condition(w, right);
    } else if (op == CXBinaryOperator_EQ) {
        size_t tag = tag_of(w, left);
        if (tag != HOLDER_NONE && ast_integer_constant(right, &value))
            guard(w, tag, left, value);
    }
}

// `if`, `?:`, and the right side of && behind its left.
static void walk_if(struct tags_walk *w, struct node *node)
{
    struct node *condition = node->child, *then = condition ? condition->next : NULL;
    size_t outer = w->guard_count;
    if (condition)
        walk(w, condition);
    if (!then)
        return;
    guard_condition(w, condition);
    walk(w, then);
    w->guard_count = outer;
    if (then->next)
        walk(w, then->next);
}

static bool ends_case(const struct node *node)
{
    while (node->kind == CXCursor_CompoundStmt && node->last_child)
        node = node->last_child;
    return node->kind == CXCursor_BreakStmt || node->kind == CXCursor_ReturnStmt ||
           node->kind == CXCursor_GotoStmt || node->kind == CXCursor_ContinueStmt;
}

// The statement behind the labels, which are guards from now on; NULL for `default`.
static struct node *enter_case(struct tags_walk *w, struct node *node, size_t tag,
                               struct node *expression)
{
    int64_t value;
    while (node && node->kind == CXCursor_CaseStmt && node->child) {
        if (ast_integer_constant(node->child, &value))
            guard(w, tag, expression, value);
        node = node->child->next;
    }
    return node && node->kind == CXCursor_DefaultStmt ? node->child : node;
}

static void walk_switch(struct tags_walk *w, struct node *node)
{
    struct node *condition = node->child, *body = node->last_child;
    size_t tag = condition ? tag_of(w, condition) : HOLDER_NONE, outer = w->guard_count;
    if (tag == HOLDER_NONE || !body || body->kind != CXCursor_CompoundStmt) {
        walk_children(w, node);
        return;
    }
    bool falls_through = false;
    for (struct node *child = body->child; child; child = child->next) {
        struct node *statement = child;
        if (child->kind == CXCursor_CaseStmt || child->kind == CXCursor_DefaultStmt) {
            if (!falls_through)
                w->guard_count = outer;
            statement = enter_case(w, child, tag, condition);
        }
        if (statement)
            walk(w, statement);
        falls_through = statement && !ends_case(statement);
    }
    w->guard_count = outer;
}

static void walk(struct tags_walk *w, struct node *node)
{
    if (node->kind == CXCursor_SwitchStmt) {
        walk_switch(w, node);
    } else if (node->kind == CXCursor_IfStmt || node->kind == CXCursor_ConditionalOperator ||
               (node->kind == CXCursor_BinaryOperator &&
                clang_getCursorBinaryOperatorKind(node->cursor) == CXBinaryOperator_LAnd)) {
        walk_if(w, node);
    } else {
        if (node->kind == CXCursor_MemberRefExpr && w->guard_count)
            note_use(w, node);
        walk_children(w, node);
    }
}

void tags_collect(struct frontend *fe, struct node *body)
{
    struct tags_walk w = {.fe = fe};
    walk(&w, body);
}

// ---- What it comes to ----

static int compare_evidence(const void *a, const void *b)
{
    const struct tag_evidence *x = a, *y = b;
    if (x->tag != y->tag)
        return x->tag < y->tag ? -1 : 1;
    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    return (x->used > y->used) - (x->used < y->used);
}

static const struct type *identity(const struct type *type)
{
    return type->canonical ? type->canonical : type;
}

// The member of the record that is this union, or field_count.
static size_t union_in(const struct type *record, const struct type *of)
{
    for (size_t f = 0; f < record->field_count; f++)
        if (identity(record->fields[f].type) == identity(of))
            return f;
    return record->field_count;
}

// What one tag, with evidence items[0..count), says about one union of its record.
static struct member_tag tag_for(struct frontend *fe, const struct tag_evidence *items,
                                 size_t count, size_t of_union)
{
    const struct slot *tag = &fe->holders.items[items[0].tag].slot;
    struct member_tag result = {.tag = tag->index, .of_union = of_union};
    result.cases = arena_array(&fe->program->arena, struct tag_case, count);
    for (size_t i = 0; i < count; i++) {
        const struct slot *used = &fe->holders.items[items[i].used].slot;
        if (union_in(tag->record, used->record) == of_union)
            result.cases[result.case_count++] = (struct tag_case){items[i].value, used->index};
    }
    return result;
}

// Several members may be compared near a union; the one that tells most is the tag.
static void add_tag(struct frontend *fe, struct type *record, struct member_tag tag)
{
    for (size_t i = 0; i < record->tag_count; i++)
        if (record->tags[i].of_union == tag.of_union) {
            if (tag.case_count > record->tags[i].case_count)
                record->tags[i] = tag;
            return;
        }
    struct member_tag *tags =
        arena_array(&fe->program->arena, struct member_tag, record->tag_count + 1);
    for (size_t i = 0; i < record->tag_count; i++)
        tags[i] = record->tags[i];
    tags[record->tag_count++] = tag;
    record->tags = tags;
}

static void finish_tag(struct frontend *fe, const struct tag_evidence *items, size_t count)
{
    struct type *record = (struct type *)fe->holders.items[items[0].tag].slot.record;
    for (size_t f = 0; record->kind == TYPE_STRUCT && f < record->field_count; f++) {
        if (identity(record->fields[f].type)->kind != TYPE_UNION)
            continue;
        struct member_tag tag = tag_for(fe, items, count, f);
        if (tag.case_count)
            add_tag(fe, record, tag);
    }
}

void tags_finish(struct frontend *fe)
{
    struct tag_evidence *items = fe->tags.items;
    size_t count = 0;
    if (fe->tags.count)
        qsort(items, fe->tags.count, sizeof *items, compare_evidence);
    for (size_t i = 0; i < fe->tags.count; i++)
        if (!count || compare_evidence(&items[count - 1], &items[i]) != 0)
            items[count++] = items[i];
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i; end < count && items[end].tag == items[i].tag;)
            end++;
        finish_tag(fe, items + i, end - i);
    }
}
