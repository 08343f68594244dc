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

static CXTranslationUnit parse_text(struct frontend *fe, CXIndex index)
{
    const struct program *program = fe->program;
    VEC(const char *) args = {0};
    for (size_t i = 0; i < program->compile_flag_count; i++)
        *VEC_PUSH(&args) = program->compile_flags[i];
    *VEC_PUSH(&args) = "-x";
    *VEC_PUSH(&args) = "c";
    struct CXUnsavedFile file = {"unit.i", program->unit_text, strlen(program->unit_text)};
    CXTranslationUnit unit = NULL;
    clang_parseTranslationUnit2(index, "unit.i", args.items, (int)args.count, &file, 1,
                                CXTranslationUnit_None, &unit);
    VEC_RELEASE(&args);
    return unit;
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
    bool good = preprocess(&fe, err);
    if (good) {
        CXIndex index = clang_createIndex(0, 0);
        CXTranslationUnit unit = parse_text(&fe, index);
        if (unit)
            clang_visitChildren(clang_getTranslationUnitCursor(unit), collect, &found);
        clang_disposeTranslationUnit(unit);
        clang_disposeIndex(index);
    }
    *names = arena_array(arena, const char *, found.names.count);
    *count = found.names.count;
    if (found.names.count)
        memcpy(*names, found.names.items, found.names.count * sizeof **names);
    VEC_RELEASE(&found.names);
    arena_release(&fe.scratch);
    program_release(&program);
    return good;
}
