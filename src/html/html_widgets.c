// SPDX-License-Identifier: Apache-2.0
// Verdicts, bars, numbers and links.
#include "html/html_widgets.h"

#include "base/fs.h"
#include <string.h>

static const struct {
    const char *class, *symbol, *word;
} states[] = {
#define HTML_STATE(name, class, symbol, word) {class, symbol, word},
#include "html/states.def"
#undef HTML_STATE
};

enum html_state html_state_of(const struct verdict *verdict)
{
    static const enum html_state of[] = {[VERDICT_UNDETERMINED] = HTML_OPEN,
                                         [VERDICT_COVERED] = HTML_COVERED,
                                         [VERDICT_INFEASIBLE] = HTML_INFEASIBLE,
                                         [VERDICT_ASSUMING] = HTML_ASSUMING,
                                         [VERDICT_JUSTIFIED] = HTML_JUSTIFIED};
    return verdict->kind == VERDICT_COVERED && verdict->by_crash ? HTML_CRASH : of[verdict->kind];
}

const char *html_state_class(enum html_state state)
{
    return states[state].class;
}

const char *html_state_symbol(enum html_state state)
{
    return states[state].symbol;
}

const char *html_state_word(enum html_state state)
{
    return states[state].word;
}

struct html_shares html_branch_shares(const struct result_counts *c)
{
    return (struct html_shares){
        {[HTML_COVERED] = c->branches_covered - c->branches_covered_by_crash,
         [HTML_CRASH] = c->branches_covered_by_crash,
         [HTML_INFEASIBLE] = c->branches_infeasible,
         [HTML_ASSUMING] = c->branches_infeasible_assuming,
         [HTML_JUSTIFIED] = c->branches_justified,
         [HTML_OPEN] = c->branches_undetermined}};
}

struct html_shares html_condition_shares(const struct result_counts *c)
{
    return (struct html_shares){
        {[HTML_COVERED] = c->conditions_covered - c->conditions_covered_by_crash,
         [HTML_CRASH] = c->conditions_covered_by_crash,
         [HTML_INFEASIBLE] = c->conditions_infeasible,
         [HTML_ASSUMING] = c->conditions_infeasible_assuming,
         [HTML_JUSTIFIED] = c->conditions_justified,
         [HTML_OPEN] = c->conditions_undetermined}};
}

struct html_shares html_line_shares(const struct result_counts *c)
{
    return (struct html_shares){
        {[HTML_COVERED] = c->lines_covered, [HTML_OPEN] = c->lines - c->lines_covered}};
}

size_t html_shares_sum(const struct html_shares *shares)
{
    size_t sum = 0;
    for (int i = 0; i < HTML_STATES; i++)
        sum += shares->of[i];
    return sum;
}

// ---- pieces ----

void html_mark(struct buf *out, enum html_state state)
{
    buf_printf(out, "<span class=\"mark %s\" title=\"%s\">%s</span>", states[state].class,
               states[state].word, states[state].symbol);
}

void html_bar(struct buf *out, const struct html_shares *shares)
{
    buf_puts(out, "<span class=\"bar\" role=\"img\" aria-label=\"");
    bool any = false;
    for (int i = 0; i < HTML_STATES; i++)
        if (shares->of[i]) {
            buf_printf(out, "%s%zu %s", any ? ", " : "", shares->of[i], states[i].word);
            any = true;
        }
    buf_puts(out, any ? "\">" : "none\">");
    for (int i = 0; i < HTML_STATES; i++)
        if (shares->of[i])
            buf_printf(out, "<i class=\"%s\" style=\"flex:%zu\"></i>", states[i].class,
                       shares->of[i]);
    buf_puts(out, "</span>");
}

void html_number(struct buf *out, const char *key, size_t number)
{
    html_printf(out, "<span data-n=\"%s\">%zu</span>", key, number);
}

static void put_word(struct buf *out, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-./+,:@%=";
    if (*word && !word[strspn(word, plain)]) {
        html_printf(out, " %s", word);
        return;
    }
    html_text(out, " '");
    for (size_t length; *word; word += length + (word[length] != 0)) {
        length = strcspn(word, "'");
        html_text_part(out, word, length);
        html_text(out, word[length] ? "'\\''" : "");
    }
    html_text(out, "'");
}

void html_command(struct buf *out, const char *verb, const char *first, const char *second)
{
    html_printf(out, "<pre class=\"command\"><code>cadenza %s", verb);
    put_word(out, first);
    put_word(out, second);
    buf_puts(out, "</code></pre>\n");
}

void html_seconds(struct buf *out, double seconds)
{
    if (seconds < 0.0995)
        buf_printf(out, "%.0f ms", seconds * 1000);
    else
        buf_printf(out, "%.*f s", seconds < 99.95 ? 1 : 0, seconds);
}

void html_ratio_cell(struct buf *out, size_t covered, size_t all)
{
    double share = all ? (double)covered / (double)all : 2;
    if (all)
        buf_printf(out, "<td class=\"n\" data-v=\"%.6f\">%zu/%zu</td>", share, covered, all);
    else
        buf_puts(out, "<td class=\"n none\" data-v=\"2\">–</td>");
}

void html_number_cell(struct buf *out, size_t number)
{
    buf_printf(out, "<td class=\"n%s\">%zu</td>", number ? "" : " none", number);
}

void html_bar_cell(struct buf *out, const struct html_shares *shares)
{
    size_t all = html_shares_sum(shares);
    size_t open = shares->of[HTML_OPEN];
    buf_printf(out, "<td class=\"b\" data-v=\"%.6f\">",
               all ? (double)(all - open) / (double)all : 2.0);
    if (all)
        html_bar(out, shares);
    buf_puts(out, "</td>");
}

// ---- links ----

void html_line_link(const struct html_model *m, const char *path, uint32_t line, struct buf *out)
{
    const struct html_file *file = html_model_file(m, path);
    if (file && line)
        html_printf(out, "<a href=\"%s#L%u\">%s:%u</a>", file->page, line, fs_basename(file->name),
                    line);
    else if (line)
        html_printf(out, "%s:%u", fs_basename(path), line);
    else
        html_text(out, fs_basename(path));
}

void html_goal_text(const struct result_goal *goal, struct buf *out)
{
    html_printf(out, "<code>%s</code>", goal->text[0] ? goal->text : "(branch)");
    if (goal->kind == GOAL_CONDITION)
        buf_printf(out, ", MC/DC condition %u of %u", goal->index + 1, goal->count);
    else if (goal->is_case)
        buf_puts(out, goal->outcome ? " taken" : " not taken");
    else
        buf_puts(out, goal->outcome ? " true" : " false");
}

void html_goal_link(const struct html_model *m, size_t goal, struct buf *out)
{
    html_printf(out, "<a href=\"%s#g%zu\">", m->files.items[m->goals.items[goal].file].page,
                goal + 1);
    html_goal_text(m->goals.items[goal].goal, out);
    buf_puts(out, "</a>");
}

void html_test_link(const struct html_model *m, size_t task, size_t number, struct buf *out)
{
    html_printf(out, "<a href=\"%s#t%zu\">%s/%04zu</a>", m->task_pages[task], number,
                m->result->tasks.items[task]->function, number);
}

void html_task_link(const struct html_model *m, size_t task, struct buf *out)
{
    html_printf(out, "<a href=\"%s\">%s</a>", m->task_pages[task],
                m->result->tasks.items[task]->function);
}

void html_file_link(const struct html_file *file, struct buf *out)
{
    html_printf(out, "<a href=\"%s\">%s</a>", file->page, file->name);
}
