// SPDX-License-Identifier: Apache-2.0
// Reading and writing of preconditions; see pre.h.
#include "pre/pre.h"

#include "base/fs.h"
#include "base/map.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const char *const states[] = {"confirmed", "inferred", "rejected"};
static const char *const respects[] = {"violates", "may violate", "respects"};

void pre_init(struct pre_list *list)
{
    *list = (struct pre_list){0};
    arena_init(&list->arena);
}

void pre_release(struct pre_list *list)
{
    for (size_t i = 0; i < list->items.count; i++)
        VEC_RELEASE(&list->items.items[i].sites);
    VEC_RELEASE(&list->items);
    arena_release(&list->arena);
}

const char *pre_state_name(enum pre_state state)
{
    return states[state];
}

const char *pre_respect_name(enum pre_respect respect)
{
    return respects[respect];
}

// ---- reading ----

struct line {
    const char *path;
    uint32_t number;
    const char *at, *end;
};

static void skip_spaces(struct line *line)
{
    while (line->at < line->end && isspace((unsigned char)*line->at))
        line->at++;
    while (line->end > line->at && isspace((unsigned char)line->end[-1]))
        line->end--;
}

// Take the word if it stands here, and the spaces behind it.
static bool take_word(struct line *line, const char *word)
{
    size_t length = strlen(word);
    if ((size_t)(line->end - line->at) < length || strncmp(line->at, word, length) != 0 ||
        (line->at + length < line->end && !isspace((unsigned char)line->at[length])))
        return false;
    line->at += length;
    skip_spaces(line);
    return true;
}

static bool wrong(const struct line *line, struct error *err, const char *what)
{
    return error_set(
        err, ERROR_USAGE,
        "%s:%u: %s; a line reads 'precondition FUNCTION: EXPRESSION', with 'confirmed', "
        "'inferred' or 'rejected' in front, or begins with #",
        line->path, line->number, what);
}

// Where // begins, outside of strings and character constants.
static const char *find_origin(const char *at, const char *end)
{
    char quote = 0;
    for (; at + 1 < end; at++) {
        if (quote) {
            at += *at == '\\';
            quote = *at == quote ? 0 : quote;
        } else if (*at == '"' || *at == '\'') {
            quote = *at;
        } else if (at[0] == '/' && at[1] == '/') {
            return at;
        }
    }
    return end;
}

static const char *trimmed(struct arena *arena, const char *from, const char *to)
{
    while (from < to && isspace((unsigned char)*from))
        from++;
    while (to > from && isspace((unsigned char)to[-1]))
        to--;
    return arena_strndup(arena, from, (size_t)(to - from));
}

static bool is_name(const char *name)
{
    if (!isalpha((unsigned char)*name) && *name != '_')
        return false;
    for (; *name; name++)
        if (!isalnum((unsigned char)*name) && *name != '_' && *name != '$')
            return false;
    return true;
}

// FUNCTION: or FILE:FUNCTION: - the first colon that a name stands before.
static bool take_function(struct pre_list *list, struct line *line, struct precondition *pre)
{
    const char *colon = memchr(line->at, ':', (size_t)(line->end - line->at));
    if (!colon)
        return false;
    const char *name = trimmed(&list->arena, line->at, colon);
    const char *second = memchr(colon + 1, ':', (size_t)(line->end - colon - 1));
    const char *next = second ? trimmed(&list->arena, colon + 1, second) : "";
    if (!is_name(name) && is_name(next)) {
        pre->file = name;
        pre->function = next;
        colon = second;
    } else {
        pre->function = name;
    }
    line->at = colon + 1;
    return is_name(pre->function);
}

static bool take_precondition(struct pre_list *list, struct line *line, struct error *err)
{
    struct precondition pre = {.state = PRE_CONFIRMED, .line = line->number};
    for (int i = 0; i < 3; i++)
        if (take_word(line, states[i])) {
            pre.state = (enum pre_state)i;
            break;
        }
    if (!take_word(line, "precondition"))
        return wrong(line, err, "the word 'precondition' is missing");
    if (!take_function(list, line, &pre))
        return wrong(line, err, "the name of a function and a colon are missing");
    const char *origin = find_origin(line->at, line->end);
    pre.expression = trimmed(&list->arena, line->at, origin);
    pre.origin = origin < line->end ? trimmed(&list->arena, origin + 2, line->end) : "";
    if (!*pre.expression)
        return wrong(line, err, "the expression is missing");
    *VEC_PUSH(&list->items) = pre;
    return true;
}

// A call of the function of the precondition before, if the line is one.
static bool take_site(struct pre_list *list, const struct line *line)
{
    for (int i = 0; list->items.count && i < 3; i++) {
        size_t length = strlen(respects[i]);
        if ((size_t)(line->end - line->at) <= length ||
            strncmp(line->at, respects[i], length) != 0 || line->at[length] != ' ')
            continue;
        struct precondition *pre = &list->items.items[list->items.count - 1];
        *VEC_PUSH(&pre->sites) = (struct pre_site){
            (enum pre_respect)i, trimmed(&list->arena, line->at + length, line->end)};
        return true;
    }
    return false;
}

static bool take_line(struct pre_list *list, struct line *line, struct error *err)
{
    skip_spaces(line);
    if (line->at == line->end || *line->at == '#' || take_site(list, line))
        return true;
    if (take_word(line, "file")) {
        list->project_file = trimmed(&list->arena, line->at, line->end);
        return true;
    }
    return take_precondition(list, line, err);
}

bool pre_parse(struct pre_list *list, const char *path, const char *text, struct error *err)
{
    list->path = arena_strdup(&list->arena, path);
    struct line line = {.path = list->path};
    while (*text) {
        size_t length = strcspn(text, "\n");
        line.number++;
        line.at = text;
        line.end = text + length;
        if (!take_line(list, &line, err))
            return false;
        text += length + (text[length] == '\n');
    }
    return true;
}

bool pre_load(struct pre_list *list, const char *path, struct error *err)
{
    list->path = arena_strdup(&list->arena, path);
    if (!fs_exists(path))
        return true;
    struct buf text = BUF_INIT;
    bool good = fs_read(path, &text, err) && pre_parse(list, path, buf_text(&text), err);
    buf_release(&text);
    return good;
}

// ---- comparing ----

bool pre_applies(const struct precondition *pre, const char *function, const char *file)
{
    if (strcmp(pre->function, function) != 0)
        return false;
    if (!pre->file)
        return true;
    size_t length = strlen(file), tail = strlen(pre->file);
    return length >= tail && !strcmp(file + length - tail, pre->file) &&
           (length == tail || file[length - tail - 1] == '/');
}

static bool same_text(const char *a, const char *b)
{
    for (;;) {
        while (isspace((unsigned char)*a))
            a++;
        while (isspace((unsigned char)*b))
            b++;
        if (*a != *b)
            return false;
        if (!*a)
            return true;
        a++;
        b++;
    }
}

// A file that one of them does not name fits any.
static bool is_same(const struct precondition *a, const struct precondition *b)
{
    if (strcmp(a->function, b->function) != 0 || !same_text(a->expression, b->expression))
        return false;
    return !a->file || !b->file || !strcmp(fs_basename(a->file), fs_basename(b->file));
}

const struct precondition *pre_find(const struct pre_list *list, const struct precondition *like)
{
    for (size_t i = 0; i < list->items.count; i++)
        if (is_same(&list->items.items[i], like))
            return &list->items.items[i];
    return NULL;
}

void pre_id(const struct precondition *pre, char id[PRE_ID])
{
    struct buf text = BUF_INIT;
    buf_printf(&text, "%s:", pre->function);
    for (const char *c = pre->expression; *c; c++)
        if (!isspace((unsigned char)*c))
            buf_putc(&text, *c);
    uint64_t hash = hash_bytes(text.data, text.length, 1);
    snprintf(id, PRE_ID, "%06x", (unsigned)(hash >> 20 & 0xFFFFFF));
    buf_release(&text);
}

bool pre_is_respected(const struct precondition *pre)
{
    for (size_t i = 0; i < pre->sites.count; i++)
        if (pre->sites.items[i].respect != PRE_RESPECTS)
            return false;
    return pre->sites.count > 0;
}

// ---- writing ----

void pre_write(const struct precondition *pre, bool sites, struct buf *out)
{
    buf_printf(out, "%s precondition %s%s%s: %s", states[pre->state], pre->file ? pre->file : "",
               pre->file ? ":" : "", pre->function, pre->expression);
    if (pre->origin && *pre->origin)
        buf_printf(out, " // %s", pre->origin);
    buf_putc(out, '\n');
    for (size_t i = 0; sites && i < pre->sites.count; i++)
        buf_printf(out, "    %s %s\n", respects[pre->sites.items[i].respect],
                   pre->sites.items[i].text);
}

static uint32_t line_of(const char *text, const struct precondition *pre)
{
    struct pre_list list;
    pre_init(&list);
    const struct precondition *found = NULL;
    if (pre_parse(&list, "", text, NULL))
        found = pre_find(&list, pre);
    uint32_t line = found ? found->line : 0;
    pre_release(&list);
    return line;
}

void pre_edit(const char *text, const struct precondition *pre, struct buf *out)
{
    uint32_t line = line_of(text, pre), number = 0;
    while (*text) {
        size_t length = strcspn(text, "\n");
        if (++number == line) {
            pre_write(pre, false, out);
        } else {
            buf_add(out, text, length);
            buf_putc(out, '\n');
        }
        text += length + (text[length] == '\n');
    }
    if (!line)
        pre_write(pre, false, out);
}
