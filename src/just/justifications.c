// SPDX-License-Identifier: Apache-2.0
// Reading and writing of justifications; see justifications.h.
#include "just/justifications.h"

#include "base/fs.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char *const outcomes[JUST_OUTCOMES] = {[JUST_TRUE] = "true",
                                                    [JUST_FALSE] = "false",
                                                    [JUST_TAKEN] = "taken",
                                                    [JUST_NOT_TAKEN] = "not-taken",
                                                    [JUST_MCDC] = "mcdc"};

const char *just_outcome_name(enum just_outcome outcome)
{
    return outcomes[outcome];
}

void justifications_init(struct justifications *list)
{
    *list = (struct justifications){0};
    arena_init(&list->arena);
}

void justifications_release(struct justifications *list)
{
    VEC_RELEASE(&list->items);
    arena_release(&list->arena);
}

// ---- reading ----

// A piece of a line.
struct span {
    const char *at, *end;
};

static struct span trim(const char *at, const char *end)
{
    while (at < end && isspace((unsigned char)*at))
        at++;
    while (end > at && isspace((unsigned char)end[-1]))
        end--;
    return (struct span){at, end};
}

static const char *copy(struct arena *arena, struct span span)
{
    return arena_strndup(arena, span.at, (size_t)(span.end - span.at));
}

static bool is_word(struct span span, const char *word)
{
    return (size_t)(span.end - span.at) == strlen(word) &&
           !strncmp(span.at, word, (size_t)(span.end - span.at));
}

static bool is_name(struct span span)
{
    for (const char *at = span.at; at < span.end; at++)
        if (!isalnum((unsigned char)*at) && *at != '_' && *at != '$')
            return false;
    return span.at < span.end && !isdigit((unsigned char)*span.at);
}

// The last // of the line: the text of a goal may hold one, who justifies it writes none.
static const char *find_author(struct span line)
{
    for (const char *at = line.end - 2; at >= line.at; at--)
        if (at[0] == '/' && at[1] == '/')
            return at;
    return NULL;
}

// "true", "true #2"
static bool take_outcome(struct span span, struct justification *out)
{
    const char *number = memchr(span.at, '#', (size_t)(span.end - span.at));
    struct span word = trim(span.at, number ? number : span.end);
    out->outcome = JUST_TRUE;
    while (out->outcome < JUST_OUTCOMES && !is_word(word, outcomes[out->outcome]))
        out->outcome++;
    out->nth = 0;
    if (out->outcome == JUST_OUTCOMES || !number)
        return out->outcome < JUST_OUTCOMES;
    for (number++; number < span.end && isdigit((unsigned char)*number); number++) {
        out->nth = out->nth * 10 + (unsigned)(*number - '0');
        if (out->nth > 1000000)
            return false;
    }
    return out->nth && number == span.end;
}

// "FILE:FUNCTION"
static bool take_function(struct arena *arena, struct span span, struct justification *out)
{
    const char *colon = span.end;
    while (colon > span.at && *--colon != ':')
        ;
    if (colon == span.at || !is_name(trim(colon + 1, span.end)))
        return false;
    out->function = copy(arena, trim(colon + 1, span.end));
    out->file = copy(arena, trim(span.at, colon));
    return *out->file != '\0';
}

// "FILE:FUNCTION: OUTCOME of TEXT". Names of files and texts may have colons and "of" in them: the
// first place counts where an outcome stands between the two.
static bool take_goal(struct arena *arena, struct span span, struct justification *out)
{
    for (const char *of = span.at; of + 4 <= span.end; of++) {
        if (strncmp(of, " of ", 4) != 0)
            continue;
        const char *colon = of;
        while (colon > span.at && *colon != ':')
            colon--;
        if (*colon == ':' && take_outcome(trim(colon + 1, of), out) &&
            take_function(arena, trim(span.at, colon), out)) {
            out->text = copy(arena, trim(of + 4, span.end));
            return *out->text != '\0';
        }
    }
    return false;
}

static bool is_date(struct span span)
{
    static const char shape[] = "dddd-dd-dd";
    if (span.end - span.at != sizeof shape - 1)
        return false;
    for (size_t i = 0; shape[i]; i++)
        if (shape[i] == 'd' ? !isdigit((unsigned char)span.at[i]) : span.at[i] != shape[i])
            return false;
    int month = atoi(span.at + 5), day = atoi(span.at + 8);
    return month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

// "AUTHOR, DATE: REASON". An author may have a comma in the name, a reason anything.
static bool take_author(struct arena *arena, struct span span, struct justification *out)
{
    for (const char *comma = span.at; comma < span.end; comma++) {
        if (*comma != ',')
            continue;
        const char *colon = memchr(comma, ':', (size_t)(span.end - comma));
        if (!colon || !is_date(trim(comma + 1, colon)))
            continue;
        out->author = copy(arena, trim(span.at, comma));
        out->date = copy(arena, trim(comma + 1, colon));
        out->reason = copy(arena, trim(colon + 1, span.end));
        return *out->author && *out->reason;
    }
    return false;
}

static bool wrong(const struct justifications *list, uint32_t number, struct error *err,
                  const char *what)
{
    return error_set(err, ERROR_USAGE,
                     "%s:%u: %s; a line reads 'justified FILE:FUNCTION: OUTCOME of TEXT // AUTHOR, "
                     "YYYY-MM-DD: REASON' or begins with #, and an OUTCOME is true, false, taken, "
                     "not-taken or mcdc",
                     list->path, number, what);
}

static bool take_line(struct justifications *list, struct span line, uint32_t number,
                      struct error *err)
{
    static const char word[] = "justified";
    struct justification item = {.line = number};
    if (line.at == line.end || *line.at == '#')
        return true;
    if (line.end - line.at < (int)sizeof word || strncmp(line.at, word, sizeof word - 1) != 0 ||
        !isspace((unsigned char)line.at[sizeof word - 1]))
        return wrong(list, number, err, "the word 'justified' is missing");
    const char *author = find_author(line);
    if (!author)
        return wrong(list, number, err, "nobody says why");
    if (!take_goal(&list->arena, trim(line.at + sizeof word - 1, author), &item))
        return wrong(list, number, err, "it names no goal");
    if (!take_author(&list->arena, trim(author + 2, line.end), &item))
        return wrong(list, number, err, "author, date or reason is missing");
    if (!strcmp(item.author, "AUTHOR") || !strcmp(item.reason, "REASON"))
        return wrong(list, number, err, "AUTHOR and REASON are to be filled in");
    *VEC_PUSH(&list->items) = item;
    return true;
}

bool justifications_parse(struct justifications *list, const char *path, const char *text,
                          struct error *err)
{
    list->path = arena_strdup(&list->arena, path);
    for (uint32_t number = 1; *text; number++) {
        size_t length = strcspn(text, "\n");
        if (!take_line(list, trim(text, text + length), number, err))
            return false;
        text += length + (text[length] == '\n');
    }
    return true;
}

bool justifications_load(struct justifications *list, const char *path, struct error *err)
{
    struct buf text = BUF_INIT;
    list->path = arena_strdup(&list->arena, path);
    bool good = !fs_exists(path) || (fs_read(path, &text, err) &&
                                     justifications_parse(list, path, buf_text(&text), err));
    buf_release(&text);
    return good;
}

// ---- writing ----

void justification_write_goal(const struct justification *item, struct buf *out)
{
    buf_printf(out, "justified %s:%s: %s", item->file, item->function, outcomes[item->outcome]);
    if (item->nth)
        buf_printf(out, " #%u", item->nth);
    buf_printf(out, " of %s", item->text);
}

void justification_write(const struct justification *item, struct buf *out)
{
    justification_write_goal(item, out);
    buf_printf(out, " // %s, %s: %s\n", item->author, item->date, item->reason);
}
