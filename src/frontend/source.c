// SPDX-License-Identifier: Apache-2.0
// The preprocessed text as libclang's translation unit, and places in it. The
// table of line starts is computed once, so a place costs a binary search.
#include "frontend/frontend_internal.h"

#include "base/buf.h"
#include "base/tunables.h"
#include <ctype.h>
#include <string.h>

static const char unit_name[] = "unit.i";

static void index_lines(struct frontend *fe)
{
    fe->text = fe->program->unit_text;
    fe->length = strlen(fe->text);
    fe->line_starts = arena_array(&fe->scratch, uint32_t, fe->program->line_count + 1);
    size_t line = 0;
    fe->line_starts[line++] = 0;
    for (size_t i = 0; i < fe->length; i++)
        if (fe->text[i] == '\n' && line <= fe->program->line_count)
            fe->line_starts[line++] = (uint32_t)i + 1;
}

static CXTranslationUnit parse_text(struct frontend *fe, CXIndex index, const char *text,
                                    size_t length, unsigned options)
{
    struct program *program = fe->program;
    VEC(const char *) args = {0};
    for (size_t i = 0; i < program->compile_flag_count; i++)
        *VEC_PUSH(&args) = program->compile_flags[i];
    *VEC_PUSH(&args) = "-x";
    *VEC_PUSH(&args) = "c";
    if (options)
        *VEC_PUSH(&args) = "-ferror-limit=0";
    struct CXUnsavedFile file = {unit_name, text, length};
    CXTranslationUnit unit = NULL;
    clang_parseTranslationUnit2(index, unit_name, args.items, (int)args.count, &file, 1, options,
                                &unit);
    VEC_RELEASE(&args);
    return unit;
}

int source_pointer_width(struct frontend *fe)
{
    CXTargetInfo target = clang_getTranslationUnitTargetInfo(fe->unit);
    int width = clang_TargetInfo_getPointerWidth(target);
    clang_TargetInfo_dispose(target);
    return width;
}

CXTranslationUnit source_parse_probe(struct frontend *fe, CXIndex index, const char *text,
                                     size_t length)
{
    return parse_text(fe, index, text, length,
                      CXTranslationUnit_KeepGoing | CXTranslationUnit_SkipFunctionBodies);
}

CXTranslationUnit source_parse_again(struct frontend *fe, CXIndex index, const char *text,
                                     size_t length)
{
    return parse_text(fe, index, text, length, CXTranslationUnit_KeepGoing);
}

static void print_error(struct frontend *fe, CXDiagnostic diagnostic, struct buf *out)
{
    CXString text = clang_getDiagnosticSpelling(diagnostic);
    const struct line_origin *origin =
        source_origin(fe, source_offset(clang_getDiagnosticLocation(diagnostic)));
    buf_printf(out, "%s:%u: error: %s\n", origin->file, origin->line, clang_getCString(text));
    clang_disposeString(text);
}

// libclang's own words, for the case that only the preprocessed text fails.
static bool collect_errors(struct frontend *fe, struct buf *out)
{
    for (unsigned i = 0; i < clang_getNumDiagnostics(fe->unit); i++) {
        CXDiagnostic diagnostic = clang_getDiagnostic(fe->unit, i);
        if (clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error)
            print_error(fe, diagnostic, out);
        clang_disposeDiagnostic(diagnostic);
    }
    return out->length > 0;
}

bool source_try(struct frontend *fe, struct buf *messages)
{
    source_release(fe);
    index_lines(fe);
    fe->index = clang_createIndex(0, 0);
    fe->unit = parse_text(fe, fe->index, fe->text, fe->length, CXTranslationUnit_None);
    if (!fe->unit)
        buf_printf(messages, "libclang cannot parse %s\n", fe->program->source);
    else
        collect_errors(fe, messages);
    return messages->length == 0;
}

bool source_parse(struct frontend *fe, struct error *err)
{
    struct buf messages = BUF_INIT;
    bool ok = source_try(fe, &messages);
    if (!ok)
        error_set(err, ERROR_SOURCE, "%s after preprocessing: %s", fe->program->source,
                  buf_text(&messages));
    buf_release(&messages);
    return ok || preprocess_explain(fe, err);
}

void source_release(struct frontend *fe)
{
    if (fe->unit)
        clang_disposeTranslationUnit(fe->unit);
    if (fe->index)
        clang_disposeIndex(fe->index);
    fe->unit = NULL;
    fe->index = NULL;
}

uint32_t source_offset(CXSourceLocation location)
{
    unsigned offset;
    clang_getSpellingLocation(location, NULL, NULL, NULL, &offset);
    return offset;
}

void source_range(CXCursor cursor, uint32_t *start, uint32_t *end)
{
    CXSourceRange range = clang_getCursorExtent(cursor);
    *start = source_offset(clang_getRangeStart(range));
    *end = source_offset(clang_getRangeEnd(range));
}

static size_t line_of(const struct frontend *fe, uint32_t offset)
{
    size_t low = 0, high = fe->program->line_count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (fe->line_starts[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    return low;
}

struct location source_location(const struct frontend *fe, uint32_t start, uint32_t end)
{
    size_t first = line_of(fe, start), last = line_of(fe, end);
    return (struct location){
        .line = (uint32_t)first + 1,
        .column = start - fe->line_starts[first] + 1,
        .end_line = (uint32_t)last + 1,
        .end_column = end - fe->line_starts[last] + 1,
        .file = fe->program->lines[first].file,
        .source_line = fe->program->lines[first].line,
    };
}

const struct line_origin *source_origin(const struct frontend *fe, uint32_t offset)
{
    return &fe->program->lines[line_of(fe, offset)];
}

char *source_excerpt(struct frontend *fe, uint32_t start, uint32_t end)
{
    char text[FRONTEND_EXCERPT + 4];
    size_t length = 0;
    for (uint32_t i = start; i < end && length < FRONTEND_EXCERPT; i++) {
        if (fe->request->alone && i + strlen(FRONTEND_ALONE) <= end &&
            memcmp(fe->text + i, FRONTEND_ALONE, strlen(FRONTEND_ALONE)) == 0)
            i += (uint32_t)strlen(FRONTEND_ALONE); // as the user wrote it
        char c = isspace((unsigned char)fe->text[i]) ? ' ' : fe->text[i];
        if (c != ' ' || (length && text[length - 1] != ' '))
            text[length++] = c;
    }
    if (length == FRONTEND_EXCERPT) {
        memcpy(text + FRONTEND_EXCERPT, "...", 3);
        length += 3;
    }
    return arena_strndup(&fe->program->arena, text, length);
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

bool source_mentions(const struct frontend *fe, uint32_t start, uint32_t end, const char *word)
{
    size_t length = strlen(word);
    for (uint32_t i = start; i + length <= end; i++)
        if (fe->text[i] == word[0] && memcmp(fe->text + i, word, length) == 0 &&
            (i == 0 || !is_word(fe->text[i - 1])) && !is_word(fe->text[i + length]))
            return true;
    return false;
}

char *source_string(struct arena *arena, CXString string)
{
    const char *text = clang_getCString(string);
    char *copy = arena_strdup(arena, text ? text : "");
    clang_disposeString(string);
    return copy;
}
