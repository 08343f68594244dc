// SPDX-License-Identifier: Apache-2.0
// Which symbols a file defines, for finding the file of a project that has one.
#include "frontend/frontend_internal.h"

#include <string.h>

struct found {
    struct arena *arena;
    VEC(const char *) names;
};

static enum CXChildVisitResult collect(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct found *found = data;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    bool defines = kind == CXCursor_FunctionDecl && clang_isCursorDefinition(cursor);
    if (kind == CXCursor_VarDecl)
        defines = clang_Cursor_getStorageClass(cursor) != CX_SC_Extern ||
                  !clang_Cursor_isNull(clang_Cursor_getVarDeclInitializer(cursor));
    bool inline_only = kind == CXCursor_FunctionDecl && clang_Cursor_isFunctionInlined(cursor);
    if (defines && !inline_only && clang_getCursorLinkage(cursor) == CXLinkage_External)
        *VEC_PUSH(&found->names) = source_string(found->arena, clang_getCursorSpelling(cursor));
    return CXChildVisit_Continue;
}

bool frontend_symbols(const struct frontend_request *request, struct arena *arena,
                      const char ***names, size_t *count, struct error *err)
{
    struct program program;
    program_init(&program);
    struct frontend fe = {.request = request, .program = &program};
    arena_init(&fe.scratch);
    program.compile_flags = flags_for_text(&program.arena, request->flags);
    program.compile_flag_count = flags_count(program.compile_flags);
    struct found found = {.arena = arena};
    struct buf messages = BUF_INIT;
    bool good = preprocess(&fe, err);
    if (good) {
        dialect_adapt(&fe, false);
        if (!source_try(&fe, &messages) && dialect_adapt(&fe, true))
            source_try(&fe, &messages); // what does not compile has symbols, too
        if (fe.unit)
            clang_visitChildren(clang_getTranslationUnitCursor(fe.unit), collect, &found);
        source_release(&fe);
    }
    *names = arena_array(arena, const char *, found.names.count);
    *count = found.names.count;
    if (found.names.count)
        memcpy(*names, found.names.items, found.names.count * sizeof **names);
    VEC_RELEASE(&found.names);
    VEC_RELEASE(&fe.handler_lines);
    buf_release(&messages);
    arena_release(&fe.scratch);
    program_release(&program);
    return good;
}
