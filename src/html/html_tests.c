// SPDX-License-Identifier: Apache-2.0
// Tests: a list of tasks, and for each task a page with its tests: inputs, outcome, what was
// observed, the goals that it covers, and how to run it again.
#include "html/html_pages.h"
#include "html/html_widgets.h"

#include "base/fs.h"

// ---- the list of tasks ----

static void put_task(const struct html_model *m, size_t number, struct buf *out)
{
    const struct result *r = m->result;
    const struct result_task *task = r->tasks.items[number];
    const struct result_part *part = r->parts.items[task->part];
    const struct result_counts *c = &task->counts;
    const struct html_file *file = html_model_file(m, part->file);
    struct html_shares branches = html_branch_shares(c);
    html_printf(out, "<tr data-task=\"%zu\"><td>", number);
    html_task_link(m, number, out);
    buf_puts(out, "</td><td>");
    if (file)
        html_file_link(file, out);
    buf_puts(out, "</td>");
    html_bar_cell(out, &branches);
    html_ratio_cell(out, c->branches_covered, c->branches);
    html_ratio_cell(out, c->conditions_covered, c->conditions);
    html_ratio_cell(out, c->lines_covered, c->lines);
    html_number_cell(out, c->tests);
    html_number_cell(out, c->alarms + c->bugs);
    html_number_cell(out, task->runs);
    html_number_cell(out, task->queries);
    buf_printf(out, "<td class=\"n\" data-v=\"%.6f\">", task->seconds);
    html_seconds(out, task->seconds);
    buf_printf(out, "</td><td>%s</td></tr>\n", task->exhausted ? "all paths" : "");
}

void html_tests_page(const struct html_model *m, struct buf *out)
{
    static const char *const head[] = {"Task",   "File",     "Branches", "*covered",    "*MC/DC",
                                       "*Lines", "*Tests",   "*Alarms",  "*Executions", "*Queries",
                                       "*Time",  "Explored", NULL};
    html_page_begin(m, "tests.html", "Tests", out);
    buf_puts(out, "<p>A task is a function under test with the functions of its unit that it "
                  "calls. Its page has its tests.</p>\n");
    html_table_begin(out, "Tasks", head, true);
    for (size_t i = 0; i < m->result->tasks.count; i++)
        put_task(m, i, out);
    html_table_end(out);
    html_page_end(out);
}

// ---- one test ----

// Branch outcomes in the order of the source, then conditions that the test helps to show.
static void put_goals(const struct html_model *m, const struct result_test *test, struct buf *out)
{
    buf_puts(out, "<h3>Path: ");
    html_count(out, test->goal_count, "goal");
    buf_puts(out, " that it covers</h3>\n");
    if (!test->goal_count)
        return;
    buf_puts(out, "<ul class=\"many\">\n");
    for (size_t i = 0; i < test->goal_count; i++) {
        size_t goal = m->goal_of[test->goals[i]];
        const struct html_goal *it = &m->goals.items[goal];
        html_printf(out, "<li><span class=\"place\">%s:%u</span> ",
                    fs_basename(m->files.items[it->file].name), it->goal->source_line);
        html_goal_link(m, goal, out);
        buf_puts(out, "</li>\n");
    }
    buf_puts(out, "</ul>\n");
}

static void put_outcome(const struct html_model *m, const struct result_test *test, struct buf *out)
{
    if (test->fault[0]) {
        html_printf(out, "<p>The search saw: %s", test->fault);
        if (test->fault_line) {
            buf_puts(out, " at ");
            html_line_link(m, test->fault_file, test->fault_line, out);
        }
        buf_puts(out, ".</p>\n");
    }
    if (test->cut_short)
        buf_puts(out, "<p>The search stopped it there; the clean build may run on.</p>\n");
    if (test->leaves)
        buf_puts(out, "<p>It ends in exit().</p>\n");
    if (test->alarm != RESULT_NONE && test->alarm < m->result->alarms.count)
        html_printf(out, "<p>It shows an alarm: <a href=\"alarms.html#a%zu\">%s</a>.</p>\n",
                    test->alarm + 1, m->result->alarms.items[test->alarm]->kind);
}

static void put_test(const struct html_model *m, const struct result_test *test, struct buf *out)
{
    html_printf(out,
                "<details class=\"test%s\" id=\"t%u\"><summary><b>%04u</b> "
                "<span class=\"outcome\">%s</span> <span class=\"hint\">",
                test->crashed ? " crashed" : "", test->number, test->number, test->outcome);
    html_count(out, test->input_count, "input");
    buf_puts(out, ", ");
    html_count(out, test->output_count, "output");
    buf_puts(out, ", ");
    html_count(out, test->goal_count, "goal");
    buf_puts(out, "</span></summary>\n<div class=\"body\">\n");
    put_outcome(m, test, out);
    buf_puts(out, "<div class=\"columns\"><div>\n");
    html_inputs(test->inputs, test->input_count, false, out);
    buf_puts(out, "</div><div>\n");
    html_outputs(test, out);
    buf_puts(out, "</div></div>\n");
    put_goals(m, test, out);
    html_command(out, "replay", m->result->directory, test->path);
    buf_puts(out, "</div></details>\n");
}

// ---- one task ----

static void put_facts(const struct html_model *m, size_t number, struct buf *out)
{
    const struct result_task *task = m->result->tasks.items[number];
    const struct result_counts *c = &task->counts;
    struct html_shares branches = html_branch_shares(c);
    buf_puts(out, "<dl class=\"facts\">\n<div><dt>Branches</dt><dd>");
    buf_printf(out, "%zu/%zu ", c->branches_covered, c->branches);
    html_bar(out, &branches);
    buf_printf(out, "</dd></div>\n<div><dt>MC/DC</dt><dd>%zu/%zu</dd></div>\n",
               c->conditions_covered, c->conditions);
    buf_printf(out, "<div><dt>Lines</dt><dd>%zu/%zu</dd></div>\n", c->lines_covered, c->lines);
    buf_printf(out, "<div><dt>Tests</dt><dd>%zu</dd></div>\n", c->tests);
    buf_printf(out, "<div><dt>Executions</dt><dd>%zu</dd></div>\n", task->runs);
    buf_printf(out, "<div><dt>Solver queries</dt><dd>%zu</dd></div>\n", task->queries);
    buf_puts(out, "<div><dt>Time</dt><dd>");
    html_seconds(out, task->seconds);
    buf_printf(out, "</dd></div>\n<div><dt>All paths explored</dt><dd>%s</dd></div>\n</dl>\n",
               task->exhausted ? "yes" : "no");
}

void html_task_page(const struct html_model *m, size_t number, struct buf *out)
{
    const struct result_task *task = m->result->tasks.items[number];
    const struct html_file *file = html_model_file(m, m->result->parts.items[task->part]->file);
    struct buf title = BUF_INIT;
    buf_printf(&title, "Tests of %s()", task->function);
    html_page_begin(m, m->task_pages[number], buf_text(&title), out);
    buf_release(&title);
    if (file) {
        buf_puts(out, "<p class=\"path\">in ");
        html_file_link(file, out);
        buf_puts(out, "</p>\n");
    }
    put_facts(m, number, out);
    buf_puts(out, "<h2 id=\"tests\">Tests</h2>\n");
    if (!task->tests.count)
        buf_puts(out, "<p>There are none.</p>\n");
    for (size_t i = 0; i < task->tests.count; i++)
        put_test(m, task->tests.items[i], out);
    if (task->assumptions.count)
        buf_puts(out, "<h2 id=\"assumptions\">Stubs and assumptions</h2>\n<ul>\n");
    for (size_t i = 0; i < task->assumptions.count; i++)
        html_printf(out, "<li>%s</li>\n", task->assumptions.items[i]);
    buf_puts(out, task->assumptions.count ? "</ul>\n" : "");
    html_page_end(out);
}
