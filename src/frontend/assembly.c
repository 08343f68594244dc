// SPDX-License-Identifier: Apache-2.0
// Assembly of another machine. clang checks constraints, clobbers and operand modifiers
// against the machine that it compiles for, long before the hardware pass takes the
// assembly out; so they are replaced by ones that every machine has: "=r" and "m".
// Forms of other compilers become GNU's: __asm { ... }, __asm functions.
#include "frontend/dialect.h"

#include <ctype.h>
#include <string.h>

bool assembly_is_keyword(const struct dialect *d, size_t at)
{
    return token_is(&d->tokens, at, "asm") || token_is(&d->tokens, at, "__asm") ||
           token_is(&d->tokens, at, "__asm__");
}

static char *copy_token(struct dialect *d, size_t at)
{
    const struct token *t = &d->tokens.list.items[at];
    return arena_strndup(d->arena, d->tokens.text + t->start, t->end - t->start);
}

// Memory when nothing else is allowed, a register otherwise; numbers tie operands.
static void replace_constraint(struct dialect *d, size_t at)
{
    const char *text = copy_token(d, at) + 1;
    char out[16] = "\"";
    size_t length = 1, memory = 0, other = 0;
    for (; *text && *text != '"'; text++) {
        if (strchr("=+&", *text) && length < 4)
            out[length++] = *text;
        else if (isdigit((unsigned char)*text))
            return; // tied
        else if (strchr("moVQU", *text))
            memory++;
        else
            other += *text != '%' && !isspace((unsigned char)*text);
    }
    out[length++] = memory && !other ? 'm' : 'r';
    out[length++] = '"';
    out[length] = '\0';
    dialect_replace(d, at, at, arena_strdup(d->arena, out));
}

// Operand modifiers (%Q0) and brackets of register lists mean something else here.
static void replace_template(struct dialect *d, size_t at)
{
    char *text = copy_token(d, at);
    if (*text != '"' || !strpbrk(text, "%{}|"))
        return;
    char *out = arena_alloc(d->arena, 2 * strlen(text) + 1), *to = out;
    for (const char *c = text; *c; c++) {
        *to++ = *c == '{' || *c == '}' || *c == '|' ? ' ' : *c;
        if (*c == '%')
            *to++ = '%';
    }
    dialect_replace(d, at, at, out);
}

// asm("template" : outputs : inputs : clobbers : labels)
static void adapt_operands(struct dialect *d, size_t open, size_t close)
{
    unsigned section = 0, depth = 0;
    for (size_t at = open + 1; at < close; at++) {
        const struct token *t = &d->tokens.list.items[at];
        char c = t->kind == TOKEN_MARK ? d->tokens.text[t->start] : ' ';
        depth += c == '(' || c == '[' || c == '{';
        depth -= c == ')' || c == ']' || c == '}';
        if (depth == 0 && c == ':')
            section++;
        else if (section == 0)
            replace_template(d, at);
        else if (section == 3)
            dialect_replace(d, at, at, "");
        else if (section < 3 && depth == 0 && t->kind == TOKEN_STRING)
            replace_constraint(d, at);
    }
}

// __asm { ... } and what is between: one instruction's text stands for all of them.
static void adapt_block(struct dialect *d, size_t first, size_t open, size_t close)
{
    char text[48];
    size_t length = 0;
    uint32_t from = d->tokens.list.items[open].end, to = d->tokens.list.items[close].start;
    for (uint32_t i = from; i < to && length < sizeof text - 1; i++) {
        char c = d->tokens.text[i];
        if (isalnum((unsigned char)c) || strchr("_.,#[]", c))
            text[length++] = c;
        else if (length && text[length - 1] != ' ')
            text[length++] = ' ';
    }
    text[length] = '\0';
    dialect_replace(d, first, close,
                    arena_printf(d->arena, "__asm__ volatile (\"%s\");", length ? text : "nop"));
}

// __asm int f(int x) { instructions }: only a declaration is left, and a stub stands for it.
static size_t adapt_function(struct dialect *d, size_t at)
{
    size_t open = at;
    while (open < d->tokens.list.count && !token_is_mark(&d->tokens, open, '{') &&
           !token_is_mark(&d->tokens, open, ';'))
        open++;
    size_t close =
        token_is_mark(&d->tokens, open, '{') ? token_partner(&d->tokens, open) : SIZE_MAX;
    dialect_replace(d, at, at, "");
    if (close == SIZE_MAX)
        return at + 1;
    dialect_replace(d, open, close, ";");
    return close + 1;
}

// The `register` of the declaration that token `at` belongs to, or SIZE_MAX.
static size_t find_register(const struct dialect *d, size_t at)
{
    while (at-- > 0 && !token_is_mark(&d->tokens, at, ';') && !token_is_mark(&d->tokens, at, '{') &&
           !token_is_mark(&d->tokens, at, '}'))
        if (token_is(&d->tokens, at, "register"))
            return at;
    return SIZE_MAX;
}

// int x asm("symbol"): a name for the linker stays, one of a register does not.
static bool adapt_label(struct dialect *d, size_t at, size_t close)
{
    if (at == 0)
        return false;
    const struct token *before = &d->tokens.list.items[at - 1];
    bool declarator = (before->kind == TOKEN_WORD && !token_is(&d->tokens, at - 1, "else") &&
                       !token_is(&d->tokens, at - 1, "do")) ||
                      token_is_mark(&d->tokens, at - 1, ']') ||
                      (token_is_mark(&d->tokens, at - 1, ')') && d->depth == 0);
    if (!declarator)
        return false;
    size_t storage = find_register(d, at);
    if (storage != SIZE_MAX)
        dialect_replace(d, at, close, "");
    if (storage != SIZE_MAX && d->depth == 0)
        dialect_replace(d, storage, storage, ""); // a variable like others
    return true;
}

size_t assembly_adapt(struct dialect *d, size_t at)
{
    static const char *const words[] = {"volatile", "__volatile", "__volatile__",
                                        "goto",     "inline",     "__inline__"};
    const struct tokens *tokens = &d->tokens;
    size_t open = at + 1;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (token_is(tokens, open, words[i])) {
            open++;
            i = (size_t)-1;
        }
    if (!token_is_mark(tokens, open, '(') && !token_is_mark(tokens, open, '{'))
        return d->depth == 0 ? adapt_function(d, at) : at + 1;
    size_t close = token_partner(tokens, open);
    if (close == SIZE_MAX)
        return at + 1;
    if (token_is_mark(tokens, open, '{'))
        adapt_block(d, at, open, close);
    else if (!adapt_label(d, at, close))
        adapt_operands(d, open, close);
    return close + 1;
}
