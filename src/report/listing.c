// SPDX-License-Identifier: Apache-2.0
// What `cadenza show` prints: tests, the verdict of every goal, alarms.
#include "report/report.h"

#include "base/fs.h"

static void write_task(const struct result_task *task, struct buf *out)
{
    buf_printf(out,
               "%s: %zu tests, %zu of %zu branches covered, %zu infeasible, %zu assuming "
               "something%s\n",
               task->function, task->tests.count, task->counts.branches_covered,
               task->counts.branches, task->counts.branches_infeasible,
               task->counts.branches_infeasible_assuming,
               task->exhausted ? ", all paths explored" : "");
    for (size_t i = 0; i < task->tests.count; i++) {
        const struct result_test *test = task->tests.items[i];
        buf_printf(out, "  %s: %s%s%s\n", test->path, test->outcome, *test->fault ? ", " : "",
                   test->fault);
        for (size_t k = 0; k < test->output_count; k++)
            buf_printf(out, "      %s = %s (%s)\n", test->outputs[k].path, test->outputs[k].value,
                       test->outputs[k].type);
        if (test->outputs_cut)
            buf_puts(out, "      and more that was not kept\n");
    }
}

static void write_goal(const struct result *result, const struct result_goal *goal, struct buf *out)
{
    const struct verdict *verdict = &goal->verdict;
    buf_printf(out, "%s:%u: %s: %s %s: %s", fs_basename(goal->file), goal->source_line,
               result->functions[goal->function].name, goal->text,
               goal->kind == GOAL_CONDITION ? "(MC/DC)"
               : goal->outcome              ? "true"
                                            : "false",
               verdict_name(verdict->kind));
    if (verdict->kind == VERDICT_COVERED && verdict->test && goal->verdict_task != RESULT_NONE)
        buf_printf(out, " by %s/%04u", result->tasks.items[goal->verdict_task]->function,
                   verdict->test);
    else if (verdict->kind == VERDICT_INFEASIBLE || verdict->kind == VERDICT_ASSUMING)
        buf_printf(out, " (%s%s%s)", proof_name(verdict->proof), verdict->evidence ? ": " : "",
                   verdict->evidence ? verdict->evidence : "");
    if (verdict->by_crash)
        buf_puts(out, ", only by tests that crash");
    if (*verdict->text)
        buf_printf(out, ": %s", verdict->text);
    buf_putc(out, '\n');
}

static void write_part(const struct result *result, size_t part, bool only_open, struct buf *out)
{
    for (size_t i = 0; !only_open && i < result->tasks.count; i++)
        if (result->tasks.items[i]->part == part)
            write_task(result->tasks.items[i], out);
    for (size_t i = 0; i < result->goal_count; i++) {
        const struct result_goal *goal = &result->goals[i];
        if (result->functions[goal->function].part == part &&
            (!only_open || goal->verdict.kind == VERDICT_UNDETERMINED))
            write_goal(result, goal, out);
    }
    for (size_t i = 0; !only_open && i < result->alarms.count; i++) {
        const struct result_alarm *alarm = result->alarms.items[i];
        if (alarm->part == part)
            report_alarm(alarm, result_alarm_number(result, i), result_alarm_task(result, alarm),
                         out);
    }
}

static void write_counts(const char *name, const struct result_counts *c, struct buf *out)
{
    buf_printf(out,
               "%s: %zu tests, %zu of %zu branches covered, %zu infeasible, %zu assuming "
               "something, %zu open, %zu alarms, %zu bugs\n",
               name, c->tests, c->branches_covered, c->branches, c->branches_infeasible,
               c->branches_infeasible_assuming, c->branches_undetermined, c->alarms, c->bugs);
}

void report_listing(const struct result *result, bool only_open, struct buf *out)
{
    if (!result->is_project) {
        write_part(result, 0, only_open, out);
        return;
    }
    for (size_t i = 0; i < result->parts.count; i++) {
        write_counts(result->parts.items[i]->directory, &result->parts.items[i]->totals, out);
        write_part(result, i, only_open, out);
        buf_putc(out, '\n');
    }
    size_t before = out->length;
    report_shared_goals(result, out);
    if (out->length > before)
        buf_putc(out, '\n');
    buf_printf(out, "%zu files, ", result->parts.count);
    write_counts("total", &result->totals, out);
}
