// SPDX-License-Identifier: Apache-2.0
// Which association a _Generic selects. libclang does not tell, but clang computes it for a
// constant: the text is parsed once more with
//     ((void)sizeof(enum { cz_generic_3 = _Generic(x, int: 1, long: 2) }), _Generic(x, int: a,
//     ...))
// in place of each selection, and the values of the enumerators are read. What the rest of that
// text means, and whether it is right, does not matter.
#include "frontend/frontend_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct piece { // to insert
    uint32_t at;
    const char *text;
};

struct generics {
    struct frontend *fe;
    VEC(uint32_t) starts; // of the selections, by number
    VEC(struct piece) pieces;
};

bool generics_has_expression(const struct frontend *fe, const struct node *node)
{
    static const char keyword[] = "_Generic";
    if (!node->child || !ast_is_text(fe, node, keyword))
        return false;
    uint32_t at = node->start + (uint32_t)sizeof keyword - 1;
    at += (uint32_t)strspn(fe->text + at, " \t\n\r\f\v");
    if (fe->text[at++] != '(')
        return false;
    return at + strspn(fe->text + at, " \t\n\r\f\v") == node->child->start;
}

struct node *generics_first(const struct frontend *fe, const struct node *node)
{
    return generics_has_expression(fe, node) ? node->child->next : node->child;
}

// The selection with a number in place of each expression, from 1.
static void write_numbered(const struct frontend *fe, const struct node *node, struct buf *out)
{
    uint32_t at = node->start;
    unsigned number = 0;
    for (struct node *a = generics_first(fe, node); a; a = a->next) {
        buf_printf(out, "%.*s%u", (int)(a->start - at), fe->text + at, ++number);
        at = a->end;
    }
    buf_printf(out, "%.*s", (int)(node->end - at), fe->text + at);
}

static void add_selection(struct generics *g, const struct node *node)
{
    struct buf text = BUF_INIT;
    buf_printf(&text, "((void)sizeof(enum { cz_generic_%zu = ", g->starts.count);
    write_numbered(g->fe, node, &text);
    buf_puts(&text, " }), ");
    *VEC_PUSH(&g->starts) = node->start;
    *VEC_PUSH(&g->pieces) =
        (struct piece){node->start, arena_strdup(&g->fe->scratch, buf_text(&text))};
    *VEC_PUSH(&g->pieces) = (struct piece){node->end, ")"};
    buf_release(&text);
}

static void find_selections(struct generics *g, const struct node *node)
{
    if (node->kind == CXCursor_GenericSelectionExpr && ast_is_text(g->fe, node, "_Generic"))
        add_selection(g, node);
    for (const struct node *child = node->child; child; child = child->next)
        find_selections(g, child);
}

static int compare_pieces(const void *left, const void *right)
{
    const struct piece *a = left, *b = right;
    return (a->at > b->at) - (a->at < b->at);
}

static void write_text(struct generics *g, struct buf *out)
{
    uint32_t at = 0;
    qsort(g->pieces.items, g->pieces.count, sizeof *g->pieces.items, compare_pieces);
    for (size_t i = 0; i < g->pieces.count; i++) {
        buf_printf(out, "%.*s", (int)(g->pieces.items[i].at - at), g->fe->text + at);
        buf_puts(out, g->pieces.items[i].text);
        at = g->pieces.items[i].at;
    }
    buf_puts(out, g->fe->text + at);
}

static enum CXChildVisitResult read_answer(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct generics *g = data;
    size_t number;
    if (clang_getCursorKind(cursor) != CXCursor_EnumConstantDecl)
        return CXChildVisit_Recurse;
    CXString name = clang_getCursorSpelling(cursor);
    if (sscanf(clang_getCString(name), "cz_generic_%zu", &number) == 1 && number < g->starts.count)
        map_put(&g->fe->selected, g->starts.items[number] + 1,
                (uint64_t)clang_getEnumConstantDeclValue(cursor));
    clang_disposeString(name);
    return CXChildVisit_Continue;
}

static void ask(struct generics *g)
{
    struct buf text = BUF_INIT;
    write_text(g, &text);
    CXIndex index = clang_createIndex(0, 0);
    CXTranslationUnit unit = source_parse_again(g->fe, index, buf_text(&text), text.length);
    if (unit) {
        clang_visitChildren(clang_getTranslationUnitCursor(unit), read_answer, g);
        clang_disposeTranslationUnit(unit);
    }
    clang_disposeIndex(index);
    buf_release(&text);
}

void generics_collect(struct frontend *fe)
{
    struct generics g = {.fe = fe};
    if (!strstr(fe->text, "_Generic"))
        return;
    for (size_t i = 0; i < fe->definitions.count; i++) {
        struct arena arena;
        arena_init(&arena);
        find_selections(&g, ast_build(&arena, fe->definitions.items[i].cursor));
        arena_release(&arena);
    }
    if (g.starts.count)
        ask(&g);
    VEC_RELEASE(&g.starts);
    VEC_RELEASE(&g.pieces);
}

struct node *generics_selected(const struct frontend *fe, const struct node *node)
{
    uint64_t number;
    struct node *a = generics_first(fe, node);
    if (!map_get(&fe->selected, node->start + 1, &number))
        return NULL;
    while (a && --number)
        a = a->next;
    return a;
}
