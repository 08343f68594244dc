// SPDX-License-Identifier: Apache-2.0
// The test driver has its own main, so the user's becomes cz_user_main: in its
// declarations and wherever it is referred to, found by libclang (a field or a
// local named main stays). A main that may reach its closing brace returns 0
// there by the standard; an ordinary function does not, so the return is spelled
// out. So is what __func__ and the like say in it. Requires a parsed unit; the text changes,
// so the unit is parsed again.
#include "frontend/frontend_internal.h"

#include "base/buf.h"
#include <ctype.h>
#include <string.h>

struct places {
    struct frontend *fe;
    VEC(struct place) names;
    uint32_t return_at; // offset of main's closing brace, or 0
};

struct place {
    uint32_t at;
    const char *old, *new;
};

static void add_place(struct places *places, uint32_t at, const char *old, const char *new)
{
    *VEC_PUSH(&places->names) = (struct place){at, old, new};
}

static bool is_main(CXCursor cursor)
{
    if (clang_getCursorKind(cursor) != CXCursor_FunctionDecl)
        return false;
    CXString name = clang_getCursorSpelling(cursor);
    bool same = strcmp(clang_getCString(name), "main") == 0;
    clang_disposeString(name);
    return same;
}

// "int main(void)", from the type "int (void)".
static const char *pretty_name(struct places *places, CXCursor cursor)
{
    CXString spelling = clang_getTypeSpelling(clang_getCursorType(cursor));
    const char *type = clang_getCString(spelling), *parameters = strchr(type, '(');
    int before = parameters ? (int)(parameters - type) : 0;
    char *name = arena_printf(&places->fe->program->arena, "\"%.*smain%s\"", before, type,
                              parameters ? parameters : "");
    clang_disposeString(spelling);
    return name;
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$';
}

// The end of the string or character constant that begins here.
static uint32_t behind_literal(const struct frontend *fe, uint32_t at, uint32_t end)
{
    char quote = fe->text[at++];
    while (at < end && fe->text[at] != quote)
        at += fe->text[at] == '\\' ? 2 : 1;
    return at + 1;
}

static void note_own_names(struct places *places, CXCursor cursor, uint32_t start, uint32_t end)
{
    const char *text = places->fe->text;
    const struct {
        const char *word, *stands_for;
    } names[] = {{"__func__", "\"main\""},
                 {"__FUNCTION__", "\"main\""},
                 {"__PRETTY_FUNCTION__", pretty_name(places, cursor)}};
    for (uint32_t at = start, next; at < end; at = next) {
        next = at + 1;
        if (text[at] == '"' || text[at] == '\'')
            next = behind_literal(places->fe, at, end);
        if (!is_word(text[at]))
            continue;
        while (next < end && is_word(text[next]))
            next++;
        for (size_t k = 0; k < sizeof names / sizeof *names; k++)
            if (strlen(names[k].word) == next - at &&
                strncmp(text + at, names[k].word, next - at) == 0)
                add_place(places, at, names[k].word, names[k].stands_for);
    }
}

static void note_definition(struct places *places, CXCursor cursor)
{
    uint32_t start, end;
    if (!clang_isCursorDefinition(cursor))
        return;
    source_range(cursor, &start, &end);
    note_own_names(places, cursor, start, end);
    if (clang_getCanonicalType(clang_getCursorResultType(cursor)).kind != CXType_Int)
        return;
    if (end > start && places->fe->text[end - 1] == '}')
        places->return_at = end - 1;
}

static enum CXChildVisitResult find_names(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct places *places = data;
    if (is_main(cursor)) {
        add_place(places, source_offset(clang_getCursorLocation(cursor)), "main", "cz_user_main");
        note_definition(places, cursor);
    } else if (clang_getCursorKind(cursor) == CXCursor_DeclRefExpr &&
               is_main(clang_getCursorReferenced(cursor))) {
        add_place(places, source_offset(clang_getCursorLocation(cursor)), "main", "cz_user_main");
    }
    return CXChildVisit_Recurse;
}

static int compare_offsets(const void *a, const void *b)
{
    uint32_t x = ((const struct place *)a)->at, y = ((const struct place *)b)->at;
    return (x > y) - (x < y);
}

static void rewrite(struct places *places)
{
    struct frontend *fe = places->fe;
    struct buf out = BUF_INIT;
    uint32_t done = 0;
    qsort(places->names.items, places->names.count, sizeof(struct place), compare_offsets);
    for (size_t i = 0; i <= places->names.count; i++) {
        const struct place end = {.at = (uint32_t)fe->length};
        const struct place *place = i < places->names.count ? &places->names.items[i] : &end;
        uint32_t at = place->at;
        if (at < done ||
            (place->old && strncmp(fe->text + at, place->old, strlen(place->old)) != 0))
            continue; // listed twice
        if (places->return_at && done <= places->return_at && places->return_at < at) {
            buf_add(&out, fe->text + done, places->return_at - done);
            buf_puts(&out, " return 0; ");
            done = places->return_at;
        }
        buf_add(&out, fe->text + done, at - done);
        done = at;
        if (place->old) {
            buf_puts(&out, place->new);
            done += (uint32_t)strlen(place->old);
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
