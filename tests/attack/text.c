// SPDX-License-Identifier: Apache-2.0
// Templates are expanded into both views at once. Numbers of goals, decisions and switches
// are those of the text, so a unit is written into one text from its first line to its last.
#include "text.h"

#include "base/error.h"
#include <stdio.h>
#include <string.h>

void text_init(struct text *text)
{
    *text = (struct text){.open_decision = -1, .open_choice = -1};
}

void text_release(struct text *text)
{
    buf_release(&text->plain);
    buf_release(&text->marked);
    VEC_RELEASE(&text->goals);
}

static void put_plain(struct text *text, char byte)
{
    buf_putc(&text->plain, byte);
    if (byte == '\n')
        text->lines++;
}

void text_mark(struct text *text, const char *more)
{
    buf_puts(&text->marked, more);
    for (; *more; more++)
        text->marked_lines += *more == '\n';
}

static void put_both(struct text *text, char byte)
{
    if (byte == '@') {
        text_mark(text, "tick(), ");
        return;
    }
    put_plain(text, byte);
    text_mark(text, (const char[]){byte, 0});
}

static bool at_line_start(const struct text *text)
{
    const struct buf *plain = &text->plain;
    size_t end = plain->length;
    while (end > 0 && plain->data[end - 1] == ' ')
        end--;
    return end == 0 || plain->data[end - 1] == '\n';
}

static void begin_line(struct text *text)
{
    if (!at_line_start(text))
        put_plain(text, '\n');
}

static int add_goal(struct text *text, bool is_case)
{
    struct goal goal = {.line = text->lines + 1, .is_case = is_case, .decision = -1, .choice = -1};
    if (is_case) {
        goal.choice = text->open_choice;
    } else if (text->open_decision >= 0) {
        goal.decision = text->open_decision;
        for (size_t i = 0; i < text->goals.count; i++)
            goal.position += text->goals.items[i].decision == goal.decision;
    }
    *VEC_PUSH(&text->goals) = goal;
    return (int)text->goals.count - 1;
}

static const char *expand(struct text *text, const char *at, const char *end);

static void mark_outcome(struct text *text, int number, int outcome)
{
    struct goal *goal = &text->goals.items[number];
    char call[96];
    text_mark(text, outcome ? "\n? " : "\n: ");
    goal->marked[outcome] = text->marked_lines + 1;
    if (goal->decision >= 0)
        snprintf(call, sizeof call, "mark_in(%d, %d, %d, %d)", number, goal->decision,
                 goal->position, outcome);
    else
        snprintf(call, sizeof call, "mark(%d, %d)", number, outcome);
    text_mark(text, call);
}

static const char *expand_leaf(struct text *text, const char *at)
{
    begin_line(text);
    int number = add_goal(text, false);
    text_mark(text, "((");
    at = expand(text, at, "}}");
    put_plain(text, '\n');
    text_mark(text, ")");
    mark_outcome(text, number, 1);
    mark_outcome(text, number, 0);
    text_mark(text, "\n)");
    return at;
}

static const char *expand_decision(struct text *text, const char *at)
{
    char call[96];
    text->open_decision = text->decisions++;
    snprintf(call, sizeof call, "(decision_begins(%d), decision_ends(%d, (", text->open_decision,
             text->open_decision);
    text_mark(text, call);
    at = expand(text, at, "]}");
    text_mark(text, ") ? 1 : 0))");
    text->open_decision = -1;
    return at;
}

static const char *expand_label(struct text *text, const char *at)
{
    char call[64];
    begin_line(text);
    int number = add_goal(text, true);
    at = expand(text, at, ":}");
    put_both(text, ':');
    snprintf(call, sizeof call, "\nmark_case(%d);", number);
    text_mark(text, call);
    text->goals.items[number].marked[0] = text->goals.items[number].marked[1] =
        text->marked_lines + 1;
    put_both(text, '\n');
    return at;
}

// Up to `end`, which is left behind; an empty `end` is the end of the template.
static const char *expand(struct text *text, const char *at, const char *end)
{
    while (*at && (!*end || strncmp(at, end, 2) != 0)) {
        if (strncmp(at, "{{", 2) == 0) {
            at = expand_leaf(text, at + 2);
        } else if (strncmp(at, "{[", 2) == 0) {
            at = expand_decision(text, at + 2);
        } else if (strncmp(at, "{:", 2) == 0) {
            at = expand_label(text, at + 2);
        } else if (strncmp(at, "{(", 2) == 0) {
            text->open_choice = text->choices++;
            at = expand(text, at + 2, ")}");
        } else {
            put_both(text, *at++);
        }
    }
    if (*end && !*at)
        BUG("template without %s", end);
    return at + strlen(end);
}

void text_add(struct text *text, const char *template)
{
    expand(text, template, "");
}
