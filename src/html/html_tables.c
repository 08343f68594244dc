// SPDX-License-Identifier: Apache-2.0
// Tables of files and functions, those with the most open goals first.
#include "html/html_pages.h"
#include "html/html_widgets.h"

#include <stdlib.h>
#include <string.h>

static size_t open_goals(const struct result_counts *counts)
{
    return counts->branches_undetermined + counts->conditions_undetermined;
}

// Negative: a is worse.
static int compare_counts(const struct result_counts *a, const struct result_counts *b)
{
    size_t left = open_goals(a), right = open_goals(b);
    if (left != right)
        return left > right ? -1 : 1;
    left = a->lines - a->lines_covered, right = b->lines - b->lines_covered;
    if (left != right)
        return left > right ? -1 : 1;
    return a->branches > b->branches ? -1 : a->branches < b->branches;
}

static void put_goal_cells(const struct result_counts *c, struct buf *out)
{
    struct html_shares branches = html_branch_shares(c), conditions = html_condition_shares(c);
    html_bar_cell(out, &branches);
    html_ratio_cell(out, c->branches_covered, c->branches);
    html_number_cell(out, c->branches_infeasible);
    html_number_cell(out, c->branches_infeasible_assuming);
    html_number_cell(out, c->branches_justified);
    html_number_cell(out, c->branches_undetermined);
    html_ratio_cell(out, c->conditions_covered, c->conditions);
    html_bar_cell(out, &conditions);
}

// ---- files ----

static int compare_parts(const void *a, const void *b, void *context)
{
    const struct result *r = context;
    size_t left = *(const size_t *)a, right = *(const size_t *)b;
    int order = compare_counts(&r->parts.items[left]->totals, &r->parts.items[right]->totals);
    return order ? order : left < right ? -1 : left > right;
}

void html_files_table(const struct html_model *m, struct buf *out)
{
    static const char *const head[] = {
        "File",   "Branches",       "*covered", "*infeas.", "*assum.", "*justif.", "*open",
        "*MC/DC", "MC/DC division", "*Lines",   "*Tests",   "*Alarms", NULL};
    const struct result *r = m->result;
    size_t *order = xcalloc(r->parts.count + 1, sizeof *order);
    for (size_t i = 0; i < r->parts.count; i++)
        order[i] = i;
    qsort_r(order, r->parts.count, sizeof *order, compare_parts, (void *)r);
    html_table_begin(out, "Tested files, worst first", head, true);
    for (size_t i = 0; i < r->parts.count; i++) {
        const struct result_part *part = r->parts.items[order[i]];
        const struct html_file *file = html_model_file(m, part->file);
        html_printf(out, "<tr data-part=\"%s\"><td>", part->directory);
        if (file)
            html_file_link(file, out);
        else
            html_text(out, part->name);
        buf_puts(out, "</td>");
        put_goal_cells(&part->totals, out);
        html_ratio_cell(out, part->totals.lines_covered, part->totals.lines);
        html_number_cell(out, part->totals.tests);
        html_number_cell(out, part->totals.alarms + part->totals.bugs);
        buf_puts(out, "</tr>\n");
    }
    html_table_end(out);
    free(order);
}

// ---- functions ----

static int compare_functions(const void *a, const void *b, void *context)
{
    const struct html_model *m = context;
    size_t left = *(const size_t *)a, right = *(const size_t *)b;
    const struct html_function *x = &m->functions.items[left], *y = &m->functions.items[right];
    if (x->in_totals != y->in_totals)
        return x->in_totals ? -1 : 1;
    int order = compare_counts(&x->counts, &y->counts);
    return order ? order : left < right ? -1 : left > right;
}

static void put_function(const struct html_model *m, size_t number, bool with_file, struct buf *out)
{
    const struct html_function *function = &m->functions.items[number];
    const struct html_file *file = &m->files.items[function->file];
    html_printf(out, "<tr class=\"%s\"><td><a href=\"%s#L%u\">%s</a></td>",
                function->in_totals ? "in" : "beside", file->page, function->function->source_line,
                function->function->name);
    if (with_file) {
        buf_puts(out, "<td>");
        html_file_link(file, out);
        buf_puts(out, "</td>");
    }
    put_goal_cells(&function->counts, out);
    if (function->task != RESULT_NONE)
        html_printf(out, "<td class=\"n\"><a href=\"%s\">%zu</a></td>",
                    m->task_pages[function->task],
                    m->result->tasks.items[function->task]->tests.count);
    else
        buf_puts(out, "<td class=\"n none\" data-v=\"-1\">–</td>");
    buf_puts(out, "</tr>\n");
}

void html_functions_table(const struct html_model *m, size_t only, struct buf *out)
{
    static const char *const head[] = {"Function", "File",           "Branches", "*covered",
                                       "*infeas.", "*assum.",        "*justif.", "*open",
                                       "*MC/DC",   "MC/DC division", "*Tests",   NULL};
    static const char *const head_of_file[] = {"Function",       "Branches", "*covered", "*infeas.",
                                               "*assum.",        "*justif.", "*open",    "*MC/DC",
                                               "MC/DC division", "*Tests",   NULL};
    bool with_file = only == RESULT_NONE && m->result->is_project;
    size_t *order = xcalloc(m->functions.count + 1, sizeof *order), count = 0;
    for (size_t i = 0; i < m->functions.count; i++)
        if (only == RESULT_NONE
                ? m->functions.items[i].in_totals || m->functions.items[i].function->tasks
                : m->functions.items[i].file == only)
            order[count++] = i;
    qsort_r(order, count, sizeof *order, compare_functions, (void *)m);
    html_table_begin(out, "Functions, worst first; grey ones are not in the totals",
                     with_file ? head : head_of_file, true);
    for (size_t i = 0; i < count; i++)
        put_function(m, order[i], with_file, out);
    html_table_end(out);
    free(order);
}

void html_functions_page(const struct html_model *m, struct buf *out)
{
    html_page_begin(m, "functions.html", "Functions", out);
    html_legend(out);
    html_functions_table(m, RESULT_NONE, out);
    html_page_end(out);
}
