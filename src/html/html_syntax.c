// SPDX-License-Identifier: Apache-2.0
// Marks comments, strings, numbers, keywords and preprocessor lines of C. It need not be exact:
// what it takes for something else is only coloured differently.
#include "html/html_pages.h"

#include <ctype.h>
#include <string.h>

static bool is_keyword(const char *word, size_t length)
{
    static const char words[] =
        " auto break case char const continue default do double else enum extern float for goto if "
        "inline int long register restrict return short signed sizeof static struct switch typedef "
        "union unsigned void volatile while bool _Bool _Static_assert _Alignof _Generic NULL true "
        "false ";
    char key[32];
    if (length + 3 > sizeof key)
        return false;
    key[0] = ' ';
    memcpy(key + 1, word, length);
    memcpy(key + 1 + length, " ", 2);
    return strstr(words, key) != NULL;
}

static void put(const char *class, const char *at, size_t length, struct buf *out)
{
    if (!length)
        return;
    if (class)
        buf_printf(out, "<i class=\"%s\">", class);
    html_text_part(out, at, length);
    if (class)
        buf_puts(out, "</i>");
}

// The length of a comment from `at`; *open: it goes on in the next line.
static size_t comment_length(const char *at, size_t left, size_t from, bool *open)
{
    for (size_t i = from; i + 1 < left; i++)
        if (at[i] == '*' && at[i + 1] == '/') {
            *open = false;
            return i + 2;
        }
    *open = true;
    return left;
}

static size_t literal_length(const char *at, size_t left)
{
    size_t i = 1;
    while (i < left && at[i] != at[0])
        i += at[i] == '\\' && i + 1 < left ? 2 : 1;
    return i < left ? i + 1 : left;
}

static size_t word_length(const char *at, size_t left)
{
    size_t i = 0;
    while (i < left && (isalnum((unsigned char)at[i]) || at[i] == '_'))
        i++;
    return i;
}

// One token; returns its length.
static size_t put_token(const char *at, size_t left, bool *in_comment, struct buf *out)
{
    size_t length = 1;
    const char *class = NULL;
    if (left > 1 && at[0] == '/' && at[1] == '/') {
        length = left;
        class = "c";
    } else if (left > 1 && at[0] == '/' && at[1] == '*') {
        length = comment_length(at, left, 2, in_comment);
        class = "c";
    } else if (*at == '"' || *at == '\'') {
        length = literal_length(at, left);
        class = "s";
    } else if (isalnum((unsigned char)*at) || *at == '_') {
        length = word_length(at, left);
        class = isdigit((unsigned char)*at) ? "d" : is_keyword(at, length) ? "k" : NULL;
    } else {
        while (length < left && !isalnum((unsigned char)at[length]) &&
               !strchr("/\"'_", at[length]) && at[length])
            length++;
    }
    put(class, at, length, out);
    return length;
}

void html_c_line(const char *line, size_t length, bool *in_comment, struct buf *out)
{
    size_t at = 0;
    if (*in_comment) {
        at = comment_length(line, length, 0, in_comment);
        put("c", line, at, out);
    } else if (length && line[strspn(line, " \t")] == '#') {
        size_t hash = strspn(line, " \t");
        at = hash + 1 + strspn(line + hash + 1, " \t");
        at += word_length(line + at, length - at);
        put("p", line, at, out);
    }
    while (at < length)
        at += put_token(line + at, length - at, in_comment, out);
}
