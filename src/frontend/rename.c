// SPDX-License-Identifier: Apache-2.0
// The test driver has its own main, so the user's becomes cz_user_main: in its
// declarations and wherever it is referred to, found by libclang (a field or a
// local named main stays). A main that may reach its closing brace returns 0
// there by the standard; an ordinary function does not, so the return is spelled
// out. Requires a parsed unit; the text changes, so the unit is parsed again.
#include "frontend/frontend_internal.h"

#include "base/buf.h"
#include <string.h>

struct places {
    struct frontend *fe;
    VEC(uint32_t) names;
    uint32_t return_at; // offset of main's closing brace, or 0
};

static bool is_main(CXCursor cursor)
{
    if (clang_getCursorKind(cursor) != CXCursor_FunctionDecl)
        return false;
    CXString name = clang_getCursorSpelling(cursor);
    bool same = strcmp(clang_getCString(name), "main") == 0;
    clang_disposeString(name);
    return same;
}

static void note_definition(struct places *places, CXCursor cursor)
{
    uint32_t start, end;
    if (!clang_isCursorDefinition(cursor) ||
        clang_getCanonicalType(clang_getCursorResultType(cursor)).kind != CXType_Int)
        return;
    source_range(cursor, &start, &end);
    if (end > start && places->fe->text[end - 1] == '}')
        places->return_at = end - 1;
}

static enum CXChildVisitResult find_names(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct places *places = data;
    if (is_main(cursor)) {
        *VEC_PUSH(&places->names) = source_offset(clang_getCursorLocation(cursor));
        note_definition(places, cursor);
    } else if (clang_getCursorKind(cursor) == CXCursor_DeclRefExpr &&
               is_main(clang_getCursorReferenced(cursor))) {
        *VEC_PUSH(&places->names) = source_offset(clang_getCursorLocation(cursor));
    }
    return CXChildVisit_Recurse;
}

static int compare_offsets(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void rewrite(struct places *places)
{
    struct frontend *fe = places->fe;
    struct buf out = BUF_INIT;
    uint32_t done = 0;
    qsort(places->names.items, places->names.count, sizeof(uint32_t), compare_offsets);
    for (size_t i = 0; i <= places->names.count; i++) {
        uint32_t at = i < places->names.count ? places->names.items[i] : (uint32_t)fe->length;
        if (at < done || (at < fe->length && strncmp(fe->text + at, "main", 4) != 0))
            continue; // listed twice
        if (places->return_at && done <= places->return_at && places->return_at < at) {
            buf_add(&out, fe->text + done, places->return_at - done);
            buf_puts(&out, " return 0; ");
            done = places->return_at;
        }
        buf_add(&out, fe->text + done, at - done);
        done = at;
        if (at < fe->length) {
            buf_puts(&out, "cz_user_main");
            done += 4;
        }
    }
    fe->program->unit_text = arena_strndup(&fe->program->arena, out.data, out.length);
    buf_release(&out);
}

bool rename_main(struct frontend *fe, struct error *err)
{
    if (!source_mentions(fe, 0, (uint32_t)fe->length, "main"))
        return true;
    struct places places = {.fe = fe};
    clang_visitChildren(clang_getTranslationUnitCursor(fe->unit), find_names, &places);
    bool found = places.names.count > 0;
    if (found)
        rewrite(&places);
    VEC_RELEASE(&places.names);
    return !found || source_parse(fe, err);
}
