// SPDX-License-Identifier: Apache-2.0
// What attributes and pragmas tell the linker about a name: weak, and alias of another one.
// libclang has no cursor with their arguments, so they are read off the declaration's text,
// which begins behind the declaration before it and ends at its ; or {.
#include "frontend/frontend_internal.h"

#include <ctype.h>
#include <string.h>

struct span {
    uint32_t start, end;
};

static struct span declaration_text(const struct frontend *fe, CXCursor declaration)
{
    struct span span;
    source_range(declaration, &span.start, &span.end);
    while (span.start > 0 && !strchr(";}#", fe->text[span.start - 1]))
        span.start--;
    span.end += (uint32_t)strcspn(fe->text + span.end, ";{");
    const char *body = memchr(fe->text + span.start, '{', span.end - span.start);
    bool defines = clang_isCursorDefinition(declaration) != 0 &&
                   clang_getCursorKind(declaration) == CXCursor_FunctionDecl;
    if (body && defines)
        span.end = (uint32_t)(body - fe->text);
    return span;
}

static bool mentions(const struct frontend *fe, struct span span, const char *const *words)
{
    for (; *words; words++)
        if (source_mentions(fe, span.start, span.end, *words))
            return true;
    return false;
}

// `#pragma weak name` or `#pragma weak name = other`
static bool is_weak_by_pragma(const struct frontend *fe, const char *name)
{
    static const char pragma[] = "#pragma weak";
    size_t length = strlen(name);
    for (const char *at = fe->text; (at = strstr(at, pragma)); at++) {
        const char *word = at + sizeof pragma - 1;
        word += strspn(word, " \t");
        if (strncmp(word, name, length) == 0 && !isalnum((unsigned char)word[length]) &&
            word[length] != '_')
            return true;
    }
    return false;
}

bool linkage_is_weak(struct frontend *fe, CXCursor declaration, const char *name)
{
    static const char *const words[] = {"weak", "__weak__", "weakref", "__weakref__", NULL};
    if (!fe->has_weak)
        return false;
    return (clang_Cursor_hasAttrs(declaration) &&
            mentions(fe, declaration_text(fe, declaration), words)) ||
           is_weak_by_pragma(fe, name);
}

// The string behind one of the words, as in alias("name"); NULL: there is none.
static const char *string_behind(struct frontend *fe, struct span span, const char *word)
{
    size_t length = strlen(word);
    for (uint32_t i = span.start; i + length < span.end; i++) {
        if (strncmp(fe->text + i, word, length) != 0)
            continue;
        const char *at = fe->text + i + length;
        at += strspn(at, " \t\n(");
        if (*at == '"')
            return arena_strndup(&fe->scratch, at + 1, strcspn(at + 1, "\""));
    }
    return NULL;
}

const char *linkage_alias(struct frontend *fe, CXCursor declaration)
{
    static const char *const words[] = {"alias", "alias__", "ifunc", "ifunc__", "weakref", NULL};
    const char *found = NULL;
    if (!fe->has_alias || !clang_Cursor_hasAttrs(declaration))
        return NULL;
    struct span span = declaration_text(fe, declaration);
    for (size_t i = 0; words[i] && !found; i++)
        found = string_behind(fe, span, words[i]);
    return found;
}

// ---- one function or variable with two names ----

static size_t function_named(const struct frontend *fe, const char *name)
{
    for (size_t i = 0; i < fe->functions.count; i++)
        if (fe->functions.items[i].defined && strcmp(fe->functions.items[i].name, name) == 0)
            return i;
    return SIZE_MAX;
}

static size_t variable_named(const struct frontend *fe, const char *name)
{
    for (size_t i = 0; i < fe->variables.count; i++) {
        const struct variable *variable = &fe->variables.items[i];
        if (!variable->function && !variable->is_extern_only && strcmp(variable->name, name) == 0)
            return i;
    }
    return SIZE_MAX;
}

// From here on whoever refers to the alias refers to what it stands for. Other files can
// call a static function by it.
static void join_function(struct frontend *fe, CXCursor cursor, const char *name)
{
    size_t index = functions_index(fe, cursor), target = function_named(fe, name);
    fe->functions.items[index].is_alias = true;
    if (target == SIZE_MAX || target == index)
        return;
    fe->functions.items[target].emitted = true;
    fe->functions.items[target].is_public |= fe->functions.items[target].is_static;
    fe->functions.items[index].alias_of = target + 1;
    functions_join(fe, cursor, target);
}

static void join_variable(struct frontend *fe, CXCursor cursor, const char *name)
{
    size_t index = variables_index(fe, cursor, NULL), target = variable_named(fe, name);
    fe->variables.items[index].is_alias = true;
    if (target == SIZE_MAX || target == index)
        return;
    fe->variables.items[target].has_attributes = true; // what is static may change by it
    variables_join(fe, cursor, target);
}

static enum CXChildVisitResult find_alias(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct frontend *fe = data;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    bool wanted = kind == CXCursor_FunctionDecl || kind == CXCursor_VarDecl;
    const char *name = wanted ? linkage_alias(fe, cursor) : NULL;
    if (name && kind == CXCursor_FunctionDecl)
        join_function(fe, cursor, name);
    else if (name)
        join_variable(fe, cursor, name);
    return CXChildVisit_Continue;
}

void linkage_collect(struct frontend *fe)
{
    fe->has_weak = strstr(fe->text, "weak") != NULL;
    fe->has_alias =
        strstr(fe->text, "alias") || strstr(fe->text, "ifunc") || strstr(fe->text, "weakref");
}

void linkage_finish(struct frontend *fe)
{
    if (fe->has_alias)
        clang_visitChildren(clang_getTranslationUnitCursor(fe->unit), find_alias, fe);
}
