// SPDX-License-Identifier: Apache-2.0
// Functions that have a name of the C library and are not its. clang knows what strlen()
// does and folds strlen("ab"), whoever declares it, and LLVM takes even a static abs() for the
// C library's; that must not happen to a function of the file or of the project. Which ones
// there are is only known when the text has been parsed: it is parsed again, with a flag for
// each, which all builds of the text get, too. Declarations inside functions are not seen.
#include "frontend/frontend_internal.h"

#include <string.h>

static bool is_systems(const struct frontend *fe, CXCursor declaration)
{
    CXFile file;
    CXSourceLocation where = clang_getCursorLocation(declaration);
    clang_getSpellingLocation(where, &file, NULL, NULL, NULL);
    return file && source_origin(fe, source_offset(where))->system;
}

bool own_in_library(const struct frontend *fe, CXCursor declaration)
{
    return is_systems(fe, declaration) || is_systems(fe, clang_getCanonicalCursor(declaration));
}

struct search {
    struct frontend *fe;
    struct map seen;
    VEC(const char *) flags;
};

static enum CXChildVisitResult look(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct search *s = data;
    const struct frontend_request *request = s->fe->request;
    struct arena *arena = &s->fe->program->arena;
    bool defined = clang_isCursorDefinition(cursor) != 0;
    if (clang_getCursorKind(cursor) != CXCursor_FunctionDecl ||
        (defined ? is_systems(s->fe, cursor) : own_in_library(s->fe, cursor)))
        return CXChildVisit_Continue;
    const char *name = source_string(&s->fe->scratch, clang_getCursorSpelling(cursor));
    const char *key = arena_printf(&s->fe->scratch, "%s%s", name, defined ? "()" : "");
    if (map_get_text(&s->seen, key, NULL))
        return CXChildVisit_Continue;
    map_put_text(&s->seen, key, 1);
    if (request->is_own(request->own_context, name, defined))
        *VEC_PUSH(&s->flags) = arena_printf(arena, "-fno-builtin-%s", name);
    return CXChildVisit_Continue;
}

static void add_flags(struct program *program, const char *const *more, size_t count)
{
    size_t old = program->compile_flag_count;
    program->own_flags = arena_array(&program->arena, const char *, count + 1);
    memcpy(program->own_flags, more, count * sizeof *more);
    program->own_flags[count] = NULL;
    const char **flags = arena_array(&program->arena, const char *, old + count + 1);
    memcpy(flags, program->compile_flags, old * sizeof *flags);
    memcpy(flags + old, more, count * sizeof *flags);
    flags[old + count] = NULL;
    program->compile_flags = flags;
    program->compile_flag_count = old + count;
}

bool own_parse(struct frontend *fe, struct error *err)
{
    struct search s = {.fe = fe};
    if (!fe->request->is_own)
        return true;
    map_init(&s.seen);
    clang_visitChildren(clang_getTranslationUnitCursor(fe->unit), look, &s);
    bool good = true;
    if (s.flags.count) {
        add_flags(fe->program, s.flags.items, s.flags.count);
        good = source_parse(fe, err);
    }
    VEC_RELEASE(&s.flags);
    map_release(&s.seen);
    return good;
}
