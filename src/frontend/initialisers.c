// SPDX-License-Identifier: Apache-2.0
// Follows `= {...}` along the type that it initialises, to learn which field each value
// goes to: positions, designators, and braces that were left out (C17 6.7.9). libclang
// shows the list as written.
#include "frontend/frontend_internal.h"

#include <string.h>

static void consume(struct frontend *fe, struct node **next, CXType type, size_t holder,
                    bool braced);

static bool is_record(CXType type)
{
    return clang_getCanonicalType(type).kind == CXType_Record;
}

static bool is_array(CXType type)
{
    enum CXTypeKind kind = clang_getCanonicalType(type).kind;
    return kind == CXType_ConstantArray || kind == CXType_IncompleteArray;
}

static CXType element_of(CXType type)
{
    return clang_getArrayElementType(clang_getCanonicalType(type));
}

static void give(struct frontend *fe, struct node *value, CXType type, size_t holder)
{
    if (value->kind == CXCursor_InitListExpr) {
        struct node *child = value->child;
        consume(fe, &child, type, holder, true);
    } else if (holder != HOLDER_NONE) {
        pointers_assign(fe, holder, type, value);
    }
}

// A value for an object of this type; a list without braces takes as many as it needs.
static void element(struct frontend *fe, struct node **next, CXType type, size_t holder)
{
    struct node *value = ast_strip(*next);
    bool whole = value->kind == CXCursor_InitListExpr ||
                 (is_array(type) && value->kind == CXCursor_StringLiteral) ||
                 (is_record(type) && is_record(clang_getCursorType(value->cursor)));
    if (!whole && (is_record(type) || is_array(type))) {
        struct node *before = *next;
        consume(fe, next, type, holder, false);
        if (*next != before)
            return;
    }
    *next = (*next)->next;
    give(fe, value, type, holder);
}

// ---- Designators ----

struct designator {
    CXCursor field; // the last one named, null: only subscripts
    uint32_t end;   // where its name ends
};

static enum CXChildVisitResult find_member(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct designator *designator = data;
    if (clang_getCursorKind(cursor) == CXCursor_MemberRef) {
        uint32_t start;
        designator->field = clang_getCursorReferenced(cursor);
        source_range(cursor, &start, &designator->end);
    }
    return CXChildVisit_Continue;
}

static bool is_designated(const struct frontend *fe, const struct node *node)
{
    const char *text = fe->text + node->start;
    return node->kind == CXCursor_UnexposedExpr && node->last_child &&
           (*text == '[' || (*text == '.' && (text[1] < '0' || text[1] > '9'))); // not .5
}

// `.table[3] = value`: the field named last, and one level of array per subscript.
static CXCursor designated(struct frontend *fe, struct node *node, CXType type, size_t holder)
{
    struct designator found = {.field = clang_getNullCursor(), .end = node->start};
    clang_visitChildren(node->cursor, find_member, &found);
    if (!clang_Cursor_isNull(found.field)) {
        type = clang_getCursorType(found.field);
        holder = holder_of_declaration(fe, found.field);
    }
    uint32_t value = node->last_child->start;
    for (uint32_t at = found.end; at < value && fe->text[at] != '='; at++)
        if (fe->text[at] == '[' && is_array(type))
            type = element_of(type);
    give(fe, ast_strip(node->last_child), type, holder);
    return found.field;
}

// ---- Aggregates ----

struct fields {
    VEC(CXCursor) list;
};

static enum CXVisitorResult add_field(CXCursor cursor, CXClientData data)
{
    struct fields *fields = data;
    if (!clang_Cursor_isBitField(cursor) || clang_getFieldDeclBitWidth(cursor) > 0)
        *VEC_PUSH(&fields->list) = cursor;
    return CXVisit_Continue;
}

static size_t position_of(const struct fields *fields, CXCursor field)
{
    for (size_t i = 0; i < fields->list.count; i++)
        if (clang_equalCursors(fields->list.items[i], field))
            return i;
    return fields->list.count;
}

static void consume_record(struct frontend *fe, struct node **next, CXType type, bool braced)
{
    struct fields fields = {0};
    clang_Type_visitFields(clang_getCanonicalType(type), add_field, &fields);
    bool is_union = clang_getCursorKind(clang_getTypeDeclaration(clang_getCanonicalType(type))) ==
                    CXCursor_UnionDecl;
    size_t at = 0, room = is_union && fields.list.count ? 1 : fields.list.count;
    while (*next && (braced || at < room)) {
        if (is_designated(fe, *next)) {
            if (!braced)
                break;
            at = position_of(&fields, designated(fe, *next, type, HOLDER_NONE)) + 1;
            *next = (*next)->next;
        } else if (at < fields.list.count) {
            CXCursor field = fields.list.items[at++];
            element(fe, next, clang_getCursorType(field), holder_of_declaration(fe, field));
        } else {
            break;
        }
    }
    VEC_RELEASE(&fields.list);
}

static void consume_array(struct frontend *fe, struct node **next, CXType type, size_t holder,
                          bool braced)
{
    long long room = clang_getArraySize(clang_getCanonicalType(type));
    for (long long at = 0; *next && (braced || at < room); at++) {
        if (is_designated(fe, *next)) {
            if (!braced)
                return;
            designated(fe, *next, type, holder);
            *next = (*next)->next;
        } else {
            element(fe, next, element_of(type), holder);
        }
    }
}

static void consume(struct frontend *fe, struct node **next, CXType type, size_t holder,
                    bool braced)
{
    if (is_record(type))
        consume_record(fe, next, type, braced);
    else if (is_array(type))
        consume_array(fe, next, type, holder, braced);
    else if (*next)
        element(fe, next, type, holder); // int x = {1}
}

void initialiser_collect(struct frontend *fe, size_t holder, CXType type, struct node *value)
{
    give(fe, value, type, holder);
}
