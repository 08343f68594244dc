// SPDX-License-Identifier: Apache-2.0
// Records and enums that have neither a tag nor a typedef of their own, but a typedef of
// something made of them: typedef struct { ... } *list; The language has no name for the
// struct, and the driver and its stubs need one. __typeof__(*(list)0) is one, wherever the
// typedef is in scope, and the driver comes after the whole text. So where clang invents
// "struct (unnamed at file:1:9)", in whatever spelling, it is replaced.
#include "frontend/frontend_internal.h"

#include <string.h>

// Names that clang invents cannot be written.
static const char *find_invented(const char *spelling)
{
    const char *unnamed = strstr(spelling, "(unnamed");
    return unnamed ? unnamed : strstr(spelling, "(anonymous");
}

bool unnamed_is_invented(const char *spelling)
{
    return find_invented(spelling) != NULL;
}

// "struct (unnamed at a.c:1:9)" is also "struct (unnamed struct at a.c:1:9)": the place counts.
static const char *place_in(struct arena *arena, const char *spelling)
{
    const char *bracket = find_invented(spelling);
    const char *at = bracket ? strstr(bracket, " at ") : NULL;
    const char *end = at ? strchr(at, ')') : NULL;
    return end ? arena_strndup(arena, at, (size_t)(end - at)) : NULL;
}

static bool is_qualified(CXType type)
{
    return clang_isConstQualifiedType(type) || clang_isVolatileQualifiedType(type);
}

// What pointers and arrays are made of in the end; how many there are on the way. The
// qualifiers of an array are those of its elements.
static CXType innermost(CXType type, size_t *levels, bool *qualified)
{
    *qualified = is_qualified(type);
    for (*levels = 0;; ++*levels) {
        bool is_pointer = type.kind == CXType_Pointer;
        if (is_pointer)
            type = clang_getPointeeType(type);
        else if (type.kind == CXType_ConstantArray || type.kind == CXType_IncompleteArray)
            type = clang_getArrayElementType(type);
        else
            return type;
        type = clang_getCanonicalType(type);
        *qualified = is_qualified(type) || (*qualified && !is_pointer);
    }
}

// A typedef of a qualified struct must not make objects of that type constant.
static const char *write_name(struct arena *arena, const char *name, bool is_pointer, size_t levels,
                              bool qualified)
{
    const char *text =
        is_pointer ? arena_printf(arena, "(%s)0", name) : arena_printf(arena, "*(%s *)0", name);
    while (levels--)
        text = arena_printf(arena, "*%s", text);
    return arena_printf(arena, "%s(%s)", qualified ? "__typeof_unqual__" : "__typeof__", text);
}

void unnamed_see(struct frontend *fe, CXType from)
{
    struct arena *arena = &fe->program->arena;
    while (from.kind == CXType_Elaborated)
        from = clang_Type_getNamedType(from);
    CXCursor declaration = clang_getTypeDeclaration(from);
    if (from.kind != CXType_Typedef || types_is_local(declaration))
        return;
    size_t levels;
    bool qualified;
    CXType canonical = clang_getCanonicalType(from);
    CXType inner = innermost(canonical, &levels, &qualified);
    bool tagged = inner.kind == CXType_Record || inner.kind == CXType_Enum;
    if (!tagged || !levels || types_is_local(clang_getTypeDeclaration(inner)))
        return;
    const char *place = place_in(arena, source_string(arena, clang_getTypeSpelling(inner)));
    if (!place || map_get_text(&fe->unnamed_ids, place, NULL))
        return;
    const char *name = source_string(arena, clang_getCursorSpelling(declaration));
    map_put_text(&fe->unnamed_ids, place, fe->unnamed_names.count);
    *VEC_PUSH(&fe->unnamed_names) =
        write_name(arena, name, canonical.kind == CXType_Pointer, levels, qualified);
}

// An invented name begins with its keyword. NULL: it is something else.
static const char *phrase_begin(const char *spelling, const char *bracket)
{
    static const char *const keywords[] = {"struct ", "union ", "enum "};
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++) {
        size_t length = strlen(keywords[i]);
        if ((size_t)(bracket - spelling) >= length &&
            strncmp(bracket - length, keywords[i], length) == 0)
            return bracket - length;
    }
    return NULL;
}

// The spelling with its first invented name replaced; NULL: there is no other name.
static const char *replace_one(const struct frontend *fe, const char *spelling)
{
    struct arena *arena = &fe->program->arena;
    const char *bracket = find_invented(spelling);
    const char *begin = bracket ? phrase_begin(spelling, bracket) : NULL;
    const char *place = begin ? place_in(arena, spelling) : NULL;
    uint64_t at;
    if (!place || !map_get_text(&fe->unnamed_ids, place, &at))
        return NULL;
    return arena_printf(arena, "%.*s%s%s", (int)(begin - spelling), spelling,
                        fe->unnamed_names.items[at], strchr(bracket, ')') + 1);
}

void unnamed_finish(struct frontend *fe)
{
    for (size_t i = 0; fe->unnamed_names.count && i < fe->types.count; i++) {
        struct type *type = fe->types.items[i];
        if (!find_invented(type->spelling))
            continue;
        for (const char *next = type->spelling; next; next = replace_one(fe, next))
            type->spelling = next;
        type->nameable = !find_invented(type->spelling);
    }
}
