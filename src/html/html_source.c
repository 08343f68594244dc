// SPDX-License-Identifier: Apache-2.0
// A source file: every line with its hits; a line that holds goals opens to show their verdicts
// and the MC/DC tables of its decisions.
#include "html/html_pages.h"
#include "html/html_widgets.h"

#include <string.h>

enum { CHUNK = 100 }; // lines; what is out of sight need not be laid out

struct view {
    const struct html_model *model;
    const struct html_file *file;
    struct buf *out;
    size_t next_goal; // the first of a later line
    size_t next_line; // in file->lines
    bool in_comment;
    size_t shown;
};

// ---- a line's goals in short ----

static bool same_branch(const struct result_goal *a, const struct result_goal *b)
{
    return a->kind == GOAL_BRANCH && b->kind == GOAL_BRANCH && a->function == b->function &&
           !memcmp(&a->at, &b->at, sizeof a->at);
}

static void put_chip(const struct result_goal *goal, struct buf *out)
{
    enum html_state state = html_state_of(&goal->verdict);
    buf_printf(out, "<span class=\"chip %s\">", html_state_class(state));
    if (goal->kind == GOAL_CONDITION)
        buf_printf(out, "C%u", goal->index + 1);
    else
        buf_puts(out, goal->outcome ? "T" : "F");
    buf_printf(out, " %s</span>", html_state_symbol(state));
}

// Outcomes of a condition, and conditions of a decision, stand together.
static void put_chips(const struct view *v, const size_t *goals, size_t count, bool alarm)
{
    buf_puts(v->out, "<span class=\"chips\" aria-hidden=\"true\">");
    for (size_t i = 0; i < count; i++) {
        const struct html_goal *goal = &v->model->goals.items[goals[i]];
        const struct html_goal *last = i ? &v->model->goals.items[goals[i - 1]] : NULL;
        bool together =
            last && (goal->goal->kind == GOAL_CONDITION ? last->decision == goal->decision
                                                        : same_branch(last->goal, goal->goal));
        buf_puts(v->out, !last ? "<span>" : together ? "" : "</span><span>");
        put_chip(goal->goal, v->out);
    }
    if (alarm)
        buf_puts(v->out, "</span><span><span class=\"chip alarm\">⚠</span>");
    buf_puts(v->out, "</span></span>");
}

// ---- and in full ----

static void put_branches(const struct view *v, const size_t *goals, size_t count)
{
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        const struct html_goal *goal = &v->model->goals.items[goals[i]];
        if (goal->decision != RESULT_NONE)
            continue;
        buf_puts(v->out, any ? "" : "<dl class=\"verdicts\">\n");
        any = true;
        buf_printf(v->out, "<div id=\"g%zu\" class=\"goal %s\"><dt>", goals[i] + 1,
                   html_state_class(html_state_of(&goal->goal->verdict)));
        html_goal_text(goal->goal, v->out);
        buf_puts(v->out, "</dt><dd>");
        html_verdict(v->model, goals[i], v->out);
        buf_puts(v->out, "</dd></div>\n");
    }
    buf_puts(v->out, any ? "</dl>\n" : "");
}

static void put_decisions(const struct view *v, const size_t *goals, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t decision = v->model->goals.items[goals[i]].decision;
        // A condition may stand in a line after that of the decision's first one.
        if (decision != RESULT_NONE &&
            v->model->decisions.items[decision].goals.items[0] == goals[i])
            html_decision_table(v->model, decision, v->out);
    }
}

static void put_elsewhere(const struct view *v, const size_t *goals, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct html_goal *goal = &v->model->goals.items[goals[i]];
        if (goal->decision == RESULT_NONE)
            continue;
        size_t first = v->model->decisions.items[goal->decision].goals.items[0];
        uint32_t line = v->model->goals.items[first].goal->source_line;
        if (line == goal->goal->source_line)
            continue;
        buf_printf(v->out,
                   "<p>Condition C%u: see the decision that begins in "
                   "<a href=\"#g%zu\">line %u</a>.</p>\n",
                   goal->goal->index + 1, goals[i] + 1, line);
    }
}

// ---- lines ----

static bool is_at(const struct view *v, size_t alarm, uint32_t line)
{
    const struct result_alarm *it = v->model->result->alarms.items[alarm];
    return it->line == line && html_model_file(v->model, it->file) == v->file;
}

static bool has_alarm(const struct view *v, uint32_t line)
{
    for (size_t i = 0; i < v->model->result->alarms.count; i++)
        if (is_at(v, i, line))
            return true;
    return false;
}

static void put_alarms(const struct view *v, uint32_t line)
{
    const struct result *r = v->model->result;
    for (size_t i = 0; i < r->alarms.count; i++) {
        const struct result_alarm *alarm = r->alarms.items[i];
        if (is_at(v, i, line))
            html_printf(v->out, "<a class=\"alarm\" href=\"alarms.html#a%zu\">⚠ %s</a>", i + 1,
                        alarm->kind);
    }
}

static void put_hits(struct buf *out, const struct result_line *line)
{
    if (!line)
        buf_puts(out, "<span class=\"hits\"></span>");
    else if (line->hits < 1000000)
        buf_printf(out, "<span class=\"hits\">%llu</span>", (unsigned long long)line->hits);
    else
        buf_printf(out, "<span class=\"hits\" title=\"%llu\">%.1e</span>",
                   (unsigned long long)line->hits, (double)line->hits);
}

static const char *line_class(const struct view *v, const struct result_line *line,
                              const size_t *goals, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (v->model->goals.items[goals[i]].goal->verdict.kind == VERDICT_UNDETERMINED)
            return line && line->hits ? "part" : "open";
    return !line ? "" : line->hits ? "cov" : "open";
}

static void put_line(struct view *v, uint32_t number, const char *text, size_t length)
{
    const struct html_file *file = v->file;
    const size_t *goals = file->goals.count ? file->goals.items + v->next_goal : NULL;
    size_t count = 0;
    while (v->next_goal + count < file->goals.count &&
           v->model->goals.items[goals[count]].goal->source_line <= number)
        count++;
    v->next_goal += count;
    const struct result_line *line = NULL;
    while (v->next_line < file->lines.count && file->lines.items[v->next_line].line <= number) {
        line = &file->lines.items[v->next_line++];
        line = line->line == number ? line : NULL;
    }
    if (v->shown % CHUNK == 0)
        buf_puts(v->out, v->shown ? "</div>\n<div class=\"chunk\">" : "<div class=\"chunk\">");
    v->shown++;
    buf_printf(v->out,
               count ? "<details class=\"line %s\" id=\"L%u\"><summary>"
                     : "<div class=\"line %s\" id=\"L%u\">",
               line_class(v, line, goals, count), number);
    buf_printf(v->out, "<span class=\"no\">%u</span>", number);
    put_hits(v->out, line);
    buf_puts(v->out, "<code>");
    if (text)
        html_c_line(text, length, &v->in_comment, v->out);
    buf_puts(v->out, "</code>");
    if (!count) {
        put_alarms(v, number);
        buf_puts(v->out, "</div>\n");
        return;
    }
    put_chips(v, goals, count, has_alarm(v, number));
    buf_puts(v->out, "</summary><div class=\"info\">");
    put_alarms(v, number);
    put_branches(v, goals, count);
    put_decisions(v, goals, count);
    put_elsewhere(v, goals, count);
    buf_puts(v->out, "</div></details>\n");
}

static void put_text_lines(struct view *v)
{
    const char *at = v->file->text;
    for (uint32_t number = 1; *at; number++) {
        size_t length = strcspn(at, "\n");
        bool carriage = length && at[length - 1] == '\r';
        put_line(v, number, at, length - carriage);
        at += length + (at[length] == '\n');
    }
}

// Without its text, or beyond its end: only lines about which something is known.
static void put_known_lines(struct view *v)
{
    const struct html_file *file = v->file;
    for (;;) {
        uint32_t goal =
            v->next_goal < file->goals.count
                ? v->model->goals.items[file->goals.items[v->next_goal]].goal->source_line
                : UINT32_MAX;
        uint32_t line =
            v->next_line < file->lines.count ? file->lines.items[v->next_line].line : UINT32_MAX;
        if (goal == UINT32_MAX && line == UINT32_MAX)
            return;
        put_line(v, goal < line ? goal : line, NULL, 0);
    }
}

void html_source_text(const struct html_model *m, const struct html_file *file, struct buf *out)
{
    struct view v = {.model = m, .file = file, .out = out};
    buf_puts(out, "<div class=\"source\" id=\"source\">");
    if (file->text)
        put_text_lines(&v);
    put_known_lines(&v);
    buf_puts(out, v.shown ? "</div></div>\n" : "</div>\n");
}

void html_source_page(const struct html_model *m, size_t number, struct buf *out)
{
    const struct html_file *file = &m->files.items[number];
    const struct result_part *part =
        file->part != RESULT_NONE ? m->result->parts.items[file->part] : NULL;
    html_page_begin(m, file->page, file->name, out);
    html_printf(out, "<p class=\"path\"><code>%s</code>", file->path);
    if (part) {
        const struct result_counts *c = &part->totals;
        buf_printf(out, " · lines %zu of %zu · branches %zu of %zu · conditions %zu of %zu · ",
                   c->lines_covered, c->lines, c->branches_covered, c->branches,
                   c->conditions_covered, c->conditions);
        html_count(out, c->tests, "test");
    }
    buf_puts(out, "</p>\n");
    html_legend(out);
    if (file->functions.count) {
        buf_printf(out,
                   "<details class=\"fold\"%s><summary>Functions of this file: %zu</summary>\n",
                   file->functions.count <= 8 ? " open" : "", file->functions.count);
        html_functions_table(m, number, out);
        buf_puts(out, "</details>\n");
    }
    buf_puts(out, "<h2 id=\"text\">Source</h2>\n");
    if (!file->text)
        buf_puts(out, "<p class=\"note\">The text of this file is not in the store: it is a "
                      "system header, or it changed during the run.</p>\n");
    html_source_text(m, file, out);
    html_page_end(out);
}
