// SPDX-License-Identifier: Apache-2.0
// The first page: what was reached, what is open and why, what to do next, and where.
#include "html/html_pages.h"
#include "html/html_widgets.h"

#include <stdlib.h>

// ---- totals ----

static void put_cell(const char *key, size_t number, struct buf *out)
{
    buf_printf(out, "<td class=\"n%s\">", number ? "" : " none");
    html_number(out, key, number);
    buf_puts(out, "</td>");
}

static void put_share(size_t covered, size_t all, struct buf *out)
{
    if (all) // rounded down: what is not complete never says 100 %
        buf_printf(out, "<td class=\"n share\">%zu.%zu %%</td>", covered * 100 / all,
                   covered * 1000 / all % 10);
    else
        buf_puts(out, "<td class=\"n share none\">–</td>");
}

static void put_bar(const struct html_shares *shares, struct buf *out)
{
    buf_puts(out, "<td class=\"wide\">");
    html_bar(out, shares);
    buf_puts(out, "</td>");
}

#define GOAL_ROW(title, what, shares)                                                              \
    do {                                                                                           \
        buf_puts(out, "<tr><th scope=\"row\">" title "</th>");                                     \
        put_share(c->what##_covered, c->what, out);                                                \
        put_bar(&shares, out);                                                                     \
        put_cell("totals." #what "_covered", c->what##_covered, out);                              \
        put_cell("totals." #what "_covered_by_crash", c->what##_covered_by_crash, out);            \
        put_cell("totals." #what "_infeasible", c->what##_infeasible, out);                        \
        put_cell("totals." #what "_infeasible_assuming", c->what##_infeasible_assuming, out);      \
        put_cell("totals." #what "_justified", c->what##_justified, out);                          \
        put_cell("totals." #what "_undetermined", c->what##_undetermined, out);                    \
        put_cell("totals." #what, c->what, out);                                                   \
        buf_puts(out, "</tr>\n");                                                                  \
    } while (0)

static void put_heading(enum html_state state, const char *word, struct buf *out)
{
    buf_puts(out, "<th scope=\"col\" class=\"n\">");
    html_mark(out, state);
    buf_printf(out, " %s</th>", word);
}

static void put_totals(const struct result *result, struct buf *out)
{
    const struct result_counts *c = &result->totals;
    struct html_shares lines = html_line_shares(c), branches = html_branch_shares(c),
                       conditions = html_condition_shares(c);
    buf_puts(out, "<h2 id=\"totals\">Coverage</h2>\n<div class=\"scroll\"><table class=\"totals\">"
                  "<caption class=\"hidden\">Totals of the run</caption>"
                  "<thead><tr><td></td><th scope=\"col\" class=\"n\">Covered</th>"
                  "<th scope=\"col\">Division</th>");
    put_heading(HTML_COVERED, "covered", out);
    put_heading(HTML_CRASH, "of these by crash", out);
    put_heading(HTML_INFEASIBLE, "infeasible", out);
    put_heading(HTML_ASSUMING, "assuming", out);
    put_heading(HTML_JUSTIFIED, "justified", out);
    put_heading(HTML_OPEN, "open", out);
    buf_puts(out, "<th scope=\"col\" class=\"n\">all</th></tr></thead><tbody>\n"
                  "<tr><th scope=\"row\">Statements (lines)</th>");
    put_share(c->lines_covered, c->lines, out);
    put_bar(&lines, out);
    put_cell("totals.lines_covered", c->lines_covered, out);
    buf_puts(out, "<td></td><td></td><td></td><td></td>");
    buf_printf(out, "<td class=\"n%s\">%zu</td>", c->lines > c->lines_covered ? "" : " none",
               c->lines - c->lines_covered);
    put_cell("totals.lines", c->lines, out);
    buf_puts(out, "</tr>\n");
    GOAL_ROW("Branches", branches, branches);
    GOAL_ROW("MC/DC conditions", conditions, conditions);
    buf_puts(out, "</tbody></table></div>\n");
    html_legend(out);
}

static void put_fact(const char *title, const char *page, const char *key, size_t number,
                     struct buf *out)
{
    buf_printf(out, "<div><dt>%s</dt><dd><a href=\"%s\">", title, page);
    html_number(out, key, number);
    buf_puts(out, "</a></dd></div>\n");
}

static void put_facts(const struct html_model *m, struct buf *out)
{
    const struct result *r = m->result;
    const struct result_counts *c = &r->totals;
    buf_puts(out, "<dl class=\"facts\">\n");
    put_fact("Bugs", "alarms.html", "totals.bugs", c->bugs, out);
    put_fact("Alarms", "alarms.html", "totals.alarms", c->alarms, out);
    put_fact("Tests", "tests.html", "totals.tests", c->tests, out);
    buf_printf(out, "<div><dt>Tasks</dt><dd><a href=\"tests.html\">%zu</a></dd></div>\n",
               r->tasks.count);
    if (r->is_project)
        buf_printf(out, "<div><dt>Files</dt><dd><a href=\"#files\">%zu</a></dd></div>\n",
                   r->parts.count);
    buf_puts(out, "<div><dt>Checks safe</dt><dd><a href=\"alarms.html#checks\">");
    html_number(out, "totals.checks_safe", c->checks_safe);
    buf_puts(out, " of ");
    html_number(out, "totals.checks", c->checks);
    buf_puts(out, "</a></dd></div>\n</dl>\n");
}

static void put_state_of_run(const struct result *r, struct buf *out)
{
    if (r->unfinished)
        buf_puts(out, "<p class=\"note warn\"><strong>The run is not finished.</strong> It was "
                      "interrupted or goes on. The report shows what was found so far.</p>\n");
    if (r->errors.count) {
        buf_puts(out, "<p class=\"note warn\"><strong>");
        html_count(out, r->errors.count, "error");
        buf_puts(out, "</strong> occurred; <a href=\"run.html#errors\">see the list</a>.</p>\n");
    }
    if (r->disagreements.count) {
        buf_puts(out, "<p class=\"note warn\"><strong>");
        html_count(out, r->disagreements.count, "disagreement");
        buf_puts(out, "</strong> between the search and the clean build; "
                      "<a href=\"run.html#disagreements\">see the list</a>.</p>\n");
    }
}

// ---- what to do next ----

// Causes of open goals, the most frequent first.
static size_t sort_causes(const struct result *r, int order[OPEN_CAUSES])
{
    size_t count = 0;
    for (int cause = 0; cause < OPEN_CAUSES; cause++) {
        if (!r->open[cause])
            continue;
        size_t at = count++;
        for (; at && r->open[order[at - 1]] < r->open[cause]; at--)
            order[at] = order[at - 1];
        order[at] = cause;
    }
    return count;
}

static void put_questions(const struct result *r, struct buf *out)
{
    if (r->totals.bugs) {
        buf_puts(out, "<li><a href=\"alarms.html\"><b>");
        html_count(out, r->totals.bugs, "bug");
        buf_puts(out, "</b></a>: inputs from outside make something go wrong. Mend the code "
                      "first.</li>\n");
    }
    size_t asked = 0;
    for (size_t i = 0; i < r->preconditions.count; i++)
        asked += !r->preconditions.items[i].ruled_out;
    if (asked) {
        buf_puts(out, "<li><a href=\"alarms.html\"><b>");
        html_count(out, asked, "precondition");
        html_printf(out,
                    "</b></a> would rule out alarms. Confirm or reject: "
                    "<code>cadenza pre list %s</code></li>\n",
                    r->directory);
    } else if (r->totals.alarms) {
        buf_puts(out, "<li><a href=\"alarms.html\"><b>");
        html_count(out, r->totals.alarms, "alarm");
        buf_puts(out, "</b></a>: decide whether callers can pass these inputs.</li>\n");
    }
}

static void put_next(const struct result *r, struct buf *out)
{
    int order[OPEN_CAUSES];
    size_t count = sort_causes(r, order);
    buf_puts(out, "<section><h2 id=\"next\">What to do next</h2>\n");
    size_t before = out->length;
    buf_puts(out, "<ol class=\"next\">\n");
    size_t empty = out->length;
    put_questions(r, out);
    for (size_t i = 0; i < count && i < 5; i++) {
        html_printf(out, "<li><a href=\"goals.html#open-%s\"><b>", open_cause_name(order[i]));
        html_count(out, r->open[order[i]], "goal");
        html_printf(out, "</b></a>: %s.</li>\n", open_cause_advice(order[i]));
    }
    bool nothing = out->length == empty;
    buf_puts(out, "</ol>");
    if (nothing) {
        out->length = before;
        buf_puts(out, "<p>Nothing: no goal is open and no alarm waits for an answer.</p>");
    }
    buf_puts(out, "</section>\n");
}

static void put_causes(const struct result *r, struct buf *out)
{
    static const char *const head[] = {"*Goals", "Cause", NULL};
    int order[OPEN_CAUSES];
    size_t count = sort_causes(r, order);
    buf_puts(out, "<section><h2 id=\"causes\">Why goals are open</h2>\n");
    if (!count) {
        buf_puts(out, "<p>No goal is open for a cause that the search knows.</p></section>\n");
        return;
    }
    html_table_begin(out, "Open goals by cause; a goal can have several", head, false);
    for (size_t i = 0; i < count; i++) {
        const char *name = open_cause_name(order[i]);
        html_printf(out,
                    "<tr><td class=\"n\"><span data-n=\"open.%s\">%zu</span></td>"
                    "<td><a href=\"goals.html#open-%s\">%s</a></td></tr>\n",
                    name, r->open[order[i]], name, open_cause_title(order[i]));
    }
    html_table_end(out);
    buf_puts(out, "</section>\n");
}

void html_overview_page(const struct html_model *m, struct buf *out)
{
    html_page_begin(m, "index.html", m->subject, out);
    html_printf(out,
                "<p class=\"path\">Generated tests and what they cover. Cadenza %s, %s, %s.</p>\n",
                m->result->version, m->result->data_model,
                m->result->reproducible ? "reproducible" : "not reproducible");
    put_state_of_run(m->result, out);
    put_facts(m, out);
    put_totals(m->result, out);
    buf_puts(out, "<div class=\"columns\">\n");
    put_next(m->result, out);
    put_causes(m->result, out);
    buf_puts(out, "</div>\n");
    if (m->result->is_project) {
        buf_puts(out, "<h2 id=\"files\">Files</h2>\n");
        html_files_table(m, out);
    } else {
        buf_puts(out, "<h2 id=\"functions\">Functions</h2>\n");
        html_functions_table(m, RESULT_NONE, out);
    }
    html_page_end(out);
}
