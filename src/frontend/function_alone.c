// SPDX-License-Identifier: Apache-2.0
// --unit function: every function alone, as unit tests by hand often have it. Where one
// function of the file calls another by name, the text is made to call a function that
// is not there, so that it gets a stub like any function of another file: `g(x)` becomes
// `g__alone(x)`, declared behind the first declaration of g with g's own type. A function
// that calls itself does so; calls through pointers reach the functions themselves.
// Requires a parsed unit; the text changes, so the unit is parsed again. No line moves.
#include "frontend/frontend_internal.h"

#include "base/buf.h"
#include <string.h>

struct insertion {
    uint32_t at;
    const char *text;
};

struct alone {
    struct frontend *fe;
    CXCursor function; // whose body is being visited
    struct map called; // declaration -> 1: renamed somewhere
    VEC(struct insertion) list;
};

static uint64_t identity(CXCursor declaration)
{
    return (uint64_t)(uintptr_t)clang_getCanonicalCursor(declaration).data[0];
}

static const char *name_of(struct alone *a, CXCursor cursor)
{
    return source_string(&a->fe->scratch, clang_getCursorSpelling(cursor));
}

// A function that this file defines, other than the one that is being visited.
static bool is_other(struct alone *a, CXCursor callee)
{
    if (clang_getCursorKind(callee) != CXCursor_FunctionDecl ||
        clang_Cursor_isNull(clang_getCursorDefinition(callee)) ||
        identity(callee) == identity(a->function))
        return false;
    CXCursor first = clang_getCanonicalCursor(callee);
    if (clang_getCursorKind(clang_getCursorSemanticParent(first)) != CXCursor_TranslationUnit)
        return false; // declared in a block: a name at file scope would be another
    uint32_t at = source_offset(clang_getCursorLocation(first));
    return !source_origin(a->fe, at)->system;
}

static enum CXChildVisitResult take_first(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    *(CXCursor *)data = cursor;
    return CXChildVisit_Break;
}

static void rename_call(struct alone *a, CXCursor call)
{
    CXCursor callee = clang_getCursorReferenced(call), named = clang_getNullCursor();
    if (!is_other(a, callee))
        return;
    clang_visitChildren(call, take_first, &named);
    const char *name = name_of(a, callee);
    uint32_t at = source_offset(clang_getCursorLocation(named));
    size_t length = strlen(name);
    if (at + length > a->fe->length || strncmp(a->fe->text + at, name, length) != 0)
        return; // through a pointer that holds it, or in parentheses: left as it is
    map_put(&a->called, identity(callee), 1);
    *VEC_PUSH(&a->list) = (struct insertion){at + (uint32_t)length, FRONTEND_ALONE};
}

static enum CXChildVisitResult find_calls(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    if (clang_getCursorKind(cursor) == CXCursor_CallExpr)
        rename_call(data, cursor);
    return CXChildVisit_Recurse;
}

static enum CXChildVisitResult visit_bodies(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct alone *a = data;
    if (clang_getCursorKind(cursor) != CXCursor_FunctionDecl || !clang_isCursorDefinition(cursor))
        return CXChildVisit_Continue;
    uint32_t at = source_offset(clang_getCursorLocation(cursor));
    if (source_origin(a->fe, at)->system)
        return CXChildVisit_Continue;
    a->function = cursor;
    clang_visitChildren(cursor, find_calls, a);
    return CXChildVisit_Continue;
}

// Behind the declaration: its semicolon, or the closing brace of the body.
static uint32_t end_of(const struct alone *a, CXCursor declaration)
{
    uint32_t start, end;
    source_range(declaration, &start, &end);
    if (clang_isCursorDefinition(declaration))
        return end;
    while (end < a->fe->length && a->fe->text[end] != ';')
        end++;
    return end < a->fe->length ? end + 1 : end;
}

static enum CXChildVisitResult declare(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct alone *a = data;
    uint64_t yes;
    if (clang_getCursorKind(cursor) != CXCursor_FunctionDecl ||
        !clang_equalCursors(cursor, clang_getCanonicalCursor(cursor)) ||
        !map_get(&a->called, identity(cursor), &yes))
        return CXChildVisit_Continue;
    const char *name = name_of(a, cursor);
    *VEC_PUSH(&a->list) = (struct insertion){
        end_of(a, cursor),
        arena_printf(&a->fe->scratch, " extern __typeof__(%s) %s%s;", name, name, FRONTEND_ALONE)};
    return CXChildVisit_Continue;
}

static int compare_places(const void *a, const void *b)
{
    const struct insertion *x = a, *y = b;
    return (x->at > y->at) - (x->at < y->at);
}

static void rewrite(struct alone *a)
{
    struct frontend *fe = a->fe;
    struct buf out = BUF_INIT;
    uint32_t done = 0;
    qsort(a->list.items, a->list.count, sizeof *a->list.items, compare_places);
    for (size_t i = 0; i < a->list.count; i++) {
        const struct insertion *insertion = &a->list.items[i];
        if (i && a->list.items[i - 1].at == insertion->at &&
            a->list.items[i - 1].text == insertion->text)
            continue; // visited twice
        buf_add(&out, fe->text + done, insertion->at - done);
        buf_puts(&out, insertion->text);
        done = insertion->at;
    }
    buf_add(&out, fe->text + done, fe->length - done);
    fe->program->unit_text = arena_strndup(&fe->program->arena, out.data, out.length);
    buf_release(&out);
}

bool alone_rename(struct frontend *fe, struct error *err)
{
    if (!fe->request->alone)
        return true;
    struct alone a = {.fe = fe};
    map_init(&a.called);
    CXCursor unit = clang_getTranslationUnitCursor(fe->unit);
    clang_visitChildren(unit, visit_bodies, &a);
    clang_visitChildren(unit, declare, &a);
    bool changed = a.list.count > 0;
    if (changed)
        rewrite(&a);
    fe->program->alone = true;
    VEC_RELEASE(&a.list);
    map_release(&a.called);
    return !changed || source_parse(fe, err);
}

const char *alone_source_name(struct arena *arena, const char *name)
{
    size_t length = strlen(name), suffix = strlen(FRONTEND_ALONE);
    if (length <= suffix || strcmp(name + length - suffix, FRONTEND_ALONE) != 0)
        return name;
    return arena_strndup(arena, name, length - suffix);
}
