// SPDX-License-Identifier: Apache-2.0
// Alarms and bugs: where, under which inputs, on which way, what would rule them out, and how to
// see them again; then the checks that were tried.
#include "html/html_pages.h"
#include "html/html_widgets.h"

#include "base/fs.h"

static void put_way(const struct html_model *m, const struct result_alarm *alarm, struct buf *out)
{
    if (!alarm->way_count)
        return;
    buf_puts(out, "<h3>Way</h3>\n<ol class=\"way\">\n");
    for (size_t i = 0; i < alarm->way_count; i++) {
        const struct result_step *step = &alarm->way[i];
        buf_puts(out, "<li>");
        html_line_link(m, step->file, step->line, out);
        html_printf(out, " %s(): <code>%s</code> %s", step->function,
                    step->text[0] ? step->text : "(branch)",
                    step->is_case   ? step->outcome ? "taken" : "not taken"
                    : step->outcome ? "true"
                                    : "false");
        if (step->times > 1)
            buf_printf(out, ", %zu times", step->times);
        buf_puts(out, "</li>\n");
    }
    buf_puts(out, "</ol>\n");
}

static void put_stack(const struct html_model *m, const struct result_alarm *alarm, struct buf *out)
{
    if (!alarm->stack_count)
        return;
    buf_puts(out, "<h3>Stack, innermost first</h3>\n<ol class=\"way\">\n");
    for (size_t i = 0; i < alarm->stack_count; i++) {
        html_printf(out, "<li>%s() ", alarm->stack[i].function);
        html_line_link(m, alarm->stack[i].file, alarm->stack[i].line, out);
        buf_puts(out, "</li>\n");
    }
    buf_puts(out, "</ol>\n");
}

static void put_precondition(const struct result_precondition *pre, struct buf *out)
{
    html_printf(out, "<p><code>%s: %s</code>%s. ", pre->function, pre->expression,
                pre->ruled_out ? " – all calls of the project respect it" : "");
    html_count(out, pre->site_count, "call");
    buf_printf(out, " in the project, %zu violate it, %zu may violate it.</p>\n", pre->violated,
               pre->doubtful);
    if (pre->site_count)
        buf_puts(out, "<ul class=\"sites\">\n");
    for (size_t i = 0; i < pre->site_count; i++)
        html_printf(out, "<li>%s <code>%s</code></li>\n", site_verdict_name(pre->sites[i].verdict),
                    pre->sites[i].text);
    buf_puts(out, pre->site_count ? "</ul>\n" : "");
}

static void put_preconditions(const struct result *r, size_t number, struct buf *out)
{
    const struct result_alarm *alarm = r->alarms.items[number];
    bool any = false;
    for (size_t i = 0; i < r->preconditions.count; i++)
        for (size_t k = 0; k < r->preconditions.items[i].alarms.count; k++)
            if (r->preconditions.items[i].alarms.items[k] == number) {
                buf_puts(out, any ? "" : "<h3>Precondition that would rule it out</h3>\n");
                any = true;
                put_precondition(&r->preconditions.items[i], out);
            }
    if (any)
        html_command(out, "pre", "list", r->parts.items[alarm->part]->home);
    else if (alarm->precondition && *alarm->precondition)
        html_printf(out, "<p>Ruled out by the precondition <code>%s</code>.</p>\n",
                    alarm->precondition);
}

static void put_headline(const struct html_model *m, size_t number, struct buf *out)
{
    const struct result_alarm *alarm = m->result->alarms.items[number];
    const char *kind = alarm->is_bug ? "bug" : "alarm";
    html_printf(out,
                "<section class=\"alarm-report%s\" id=\"a%zu\" data-alarm=\"%zu\">\n"
                "<h2><span class=\"tag\">%s-%zu</span> %s",
                alarm->is_bug ? " bug" : "", number + 1, number, kind,
                result_alarm_number(m->result, number), alarm->kind);
    if (alarm->function[0])
        html_printf(out, " in %s()", alarm->function);
    buf_puts(out, "</h2>\n<p>At ");
    html_line_link(m, alarm->file, alarm->line, out);
    html_printf(out, ". Shown by %zu test%s; %s.%s</p>\n", alarm->count,
                alarm->count == 1 ? "" : "s", alarm_proof_name(alarm->proof),
                alarm->ruled_out ? " Not counted: all calls of the project rule it out." : "");
    if (alarm->detail[0])
        html_printf(out, "<p>On the clean build: %s</p>\n", alarm->detail);
    if (!alarm->is_bug)
        buf_puts(out, "<p>It is a defect only if these inputs can occur together.</p>\n");
}

static void put_alarm(const struct html_model *m, size_t number, struct buf *out)
{
    const struct result *r = m->result;
    const struct result_alarm *alarm = r->alarms.items[number];
    put_headline(m, number, out);
    buf_puts(out, "<div class=\"columns\"><div>\n");
    html_inputs(alarm->inputs, alarm->input_count, true, out);
    buf_puts(out, "<p class=\"hint\">★ With another value of this input alone, the alarm does not "
                  "occur.</p></div><div>\n");
    put_way(m, alarm, out);
    put_stack(m, alarm, out);
    put_preconditions(r, number, out);
    buf_puts(out, "</div></div>\n");
    if (alarm->task < r->tasks.count && alarm->test &&
        alarm->test <= r->tasks.items[alarm->task]->tests.count) {
        buf_puts(out, "<p>Simplest test: ");
        html_test_link(m, alarm->task, alarm->test, out);
        buf_puts(out, "</p>\n");
        html_command(out, "replay", r->directory,
                     r->tasks.items[alarm->task]->tests.items[alarm->test - 1]->path);
    }
    buf_puts(out, "</section>\n");
}

static void put_check(const struct html_model *m, size_t task, const struct result_check *check,
                      struct buf *out)
{
    static const enum html_state states[] = {[CHECK_UNDETERMINED] = HTML_OPEN,
                                             [CHECK_VIOLATED] = HTML_CRASH,
                                             [CHECK_SAFE] = HTML_COVERED};
    static const char *const symbols[] = {
        [CHECK_UNDETERMINED] = "○", [CHECK_VIOLATED] = "⚠", [CHECK_SAFE] = "✓"};
    html_printf(out, "<tr><td><span class=\"mark %s\">%s</span> %s</td><td>%s</td><td>",
                check->verdict == CHECK_VIOLATED ? "alarm"
                                                 : html_state_class(states[check->verdict]),
                symbols[check->verdict], check_verdict_name(check->verdict), check->kind);
    html_line_link(m, check->file, check->line, out);
    html_printf(out, "</td><td>%s()</td><td>", check->function);
    html_task_link(m, task, out);
    html_printf(out, "</td><td>%s</td></tr>\n", check->reason);
}

static void put_checks(const struct html_model *m, struct buf *out)
{
    static const char *const head[] = {"Verdict",          "Check", "Place", "Function", "Task",
                                       "Why, or assuming", NULL};
    const struct result *r = m->result;
    const struct result_counts *c = &r->totals;
    buf_puts(out, "<h2 id=\"checks\">Checks</h2>\n<p>Places where something that depends on inputs "
                  "could go wrong, per task: ");
    html_number(out, "totals.checks", c->checks);
    buf_puts(out, " in all, ");
    html_number(out, "totals.checks_violated", c->checks_violated);
    buf_puts(out, " violated, ");
    html_number(out, "totals.checks_safe", c->checks_safe);
    buf_puts(out, " safe on every path.</p>\n");
    if (!c->checks)
        return;
    html_table_begin(out, "Checks", head, true);
    for (size_t i = 0; i < r->tasks.count; i++)
        for (size_t k = 0; k < r->tasks.items[i]->checks.count; k++)
            put_check(m, i, &r->tasks.items[i]->checks.items[k], out);
    html_table_end(out);
}

void html_alarms_page(const struct html_model *m, struct buf *out)
{
    const struct result *r = m->result;
    html_page_begin(m, "alarms.html", "Alarms and bugs", out);
    buf_puts(out, "<p><b>");
    html_number(out, "totals.bugs", r->totals.bugs);
    buf_puts(out, "</b> bugs, <b>");
    html_number(out, "totals.alarms", r->totals.alarms);
    buf_puts(out, "</b> alarms. An alarm is something that goes wrong in a unit and that the clean "
                  "build confirms; the callers of the unit may never pass such inputs. A bug "
                  "comes from inputs from outside.</p>\n");
    for (int bugs = 1; bugs >= 0; bugs--)
        for (size_t i = 0; i < r->alarms.count; i++)
            if (r->alarms.items[i]->is_bug == bugs)
                put_alarm(m, i, out);
    put_checks(m, out);
    html_page_end(out);
}
