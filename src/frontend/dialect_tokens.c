// SPDX-License-Identifier: Apache-2.0
// Splitting text into tokens, just as far as dialect.c and assembly.c need it.
#include "frontend/dialect_tokens.h"

#include <ctype.h>
#include <string.h>

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$';
}

static size_t quoted_end(const char *text, size_t at, size_t length)
{
    char quote = text[at++];
    while (at < length && text[at] != quote && text[at] != '\n')
        at += text[at] == '\\' && at + 1 < length ? 2 : 1;
    return at < length ? at + 1 : length;
}

static size_t number_end(const char *text, size_t at, size_t length)
{
    while (at < length && (is_word(text[at]) || text[at] == '.' ||
                           ((text[at] == '+' || text[at] == '-') && strchr("eEpP", text[at - 1]))))
        at++;
    return at;
}

static void add(struct tokens *tokens, size_t start, size_t end, enum token_kind kind)
{
    *VEC_PUSH(&tokens->list) = (struct token){(uint32_t)start, (uint32_t)end, kind};
}

static size_t read_one(struct tokens *tokens, const char *text, size_t at, size_t length)
{
    size_t end = at + 1;
    enum token_kind kind = TOKEN_MARK;
    if (text[at] == '"' || text[at] == '\'') {
        kind = TOKEN_STRING;
        end = quoted_end(text, at, length);
    } else if (isdigit((unsigned char)text[at])) {
        kind = TOKEN_NUMBER;
        end = number_end(text, at + 1, length);
        // 0x1E+2 is three tokens: e and p are exponents of other numbers
        if (text[at] == '0' && (text[at + 1] == 'x' || text[at + 1] == 'X'))
            for (end = at + 2; end < length && is_word(text[end]);)
                end++;
    } else if (is_word(text[at])) {
        kind = TOKEN_WORD;
        while (end < length && is_word(text[end]))
            end++;
    }
    add(tokens, at, end, kind);
    return end;
}

void tokens_read(struct tokens *tokens, const char *text, size_t length)
{
    *tokens = (struct tokens){.text = text};
    bool first = true; // on its line
    for (size_t at = 0; at < length;) {
        if (text[at] == '#' && first) {
            while (at < length && text[at] != '\n')
                at++;
        } else if (isspace((unsigned char)text[at])) {
            first |= text[at++] == '\n';
        } else {
            at = read_one(tokens, text, at, length);
            first = false;
        }
    }
}

void tokens_release(struct tokens *tokens)
{
    VEC_RELEASE(&tokens->list);
}

bool token_is(const struct tokens *tokens, size_t at, const char *text)
{
    if (at >= tokens->list.count)
        return false;
    const struct token *t = &tokens->list.items[at];
    return t->end - t->start == strlen(text) &&
           memcmp(tokens->text + t->start, text, t->end - t->start) == 0;
}

bool token_is_mark(const struct tokens *tokens, size_t at, char c)
{
    return at < tokens->list.count && tokens->list.items[at].kind == TOKEN_MARK &&
           tokens->text[tokens->list.items[at].start] == c;
}

size_t token_partner(const struct tokens *tokens, size_t open)
{
    size_t depth = 0;
    for (size_t at = open; at < tokens->list.count; at++) {
        const struct token *t = &tokens->list.items[at];
        char c = t->kind == TOKEN_MARK ? tokens->text[t->start] : ' ';
        depth += c == '(' || c == '{' || c == '[';
        if ((c == ')' || c == '}' || c == ']') && --depth == 0)
            return at;
    }
    return SIZE_MAX;
}
