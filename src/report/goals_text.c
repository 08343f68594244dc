// SPDX-License-Identifier: Apache-2.0
// goals.txt: every goal with its verdict, one line each, under its function; then the checks
// and the alarms. The verdict comes first so that `grep undetermined` works. Of a project file by
// file, and then the goals that several files have and say different things about.
#include "report/report.h"

#include "base/fs.h"
#include <string.h>

static void write_place(const struct result_goal *goal, struct buf *out)
{
    buf_printf(out, "%s:%u  ", fs_basename(goal->file), goal->source_line);
}

static void write_what(const struct result_goal *goal, struct buf *out)
{
    const char *text = goal->text[0] ? goal->text : "(branch)";
    if (goal->kind == GOAL_CONDITION)
        buf_printf(out, "condition %u of %u: %s", goal->index + 1, goal->count, text);
    else if (goal->is_case)
        buf_printf(out, "%s: %s", text, goal->outcome ? "taken" : "not taken");
    else
        buf_printf(out, "%s: %s", text, goal->outcome ? "true" : "false");
}

static void write_covered(const struct result *result, const struct result_goal *goal,
                          struct buf *out)
{
    const struct verdict *verdict = &goal->verdict;
    if (goal->verdict_task == RESULT_NONE) {
        buf_printf(out, "  -- %s", verdict->text);
        return;
    }
    const char *task = result->tasks.items[goal->verdict_task]->function;
    if (!verdict->test)
        buf_printf(out, "  -- by the tests of %s together", task);
    else if (verdict->other)
        buf_printf(out, "  -- tests %s/%04u and %04u", task, verdict->test, verdict->other);
    else
        buf_printf(out, "  -- test %s/%04u", task, verdict->test);
    if (verdict->by_crash)
        buf_puts(out, ", only by tests that crash");
}

static void write_goal(const struct result *result, const struct result_goal *goal, struct buf *out)
{
    const struct verdict *verdict = &goal->verdict;
    buf_printf(out, "  %-19s  ", verdict_name(verdict->kind));
    write_place(goal, out);
    write_what(goal, out);
    if (verdict->kind == VERDICT_COVERED)
        write_covered(result, goal, out);
    else if (verdict->kind == VERDICT_INFEASIBLE)
        buf_printf(out, "  -- %s", proof_name(verdict->proof));
    else if (verdict->kind == VERDICT_ASSUMING)
        buf_printf(out, "  -- %s, assuming %s", proof_name(verdict->proof), verdict->text);
    else
        buf_printf(out, "  -- %s", verdict->text);
    buf_putc(out, '\n');
}

static void write_function(const struct result *result, const struct result_function *function,
                           struct buf *out)
{
    if (!function->goal_count)
        return;
    buf_printf(out, "%s()  %s:%u%s\n", function->name, function->file, function->source_line,
               function->in_totals ? "" : "  (header: not in the totals)");
    for (size_t i = 0; i < function->goal_count; i++)
        write_goal(result, &result->goals[function->first_goal + i], out);
    buf_putc(out, '\n');
}

static void write_check(const struct result_check *check, const char *task, struct buf *out)
{
    buf_printf(out, "  %-19s  %s:%u  %s(): %s  -- task %s", check_verdict_name(check->verdict),
               fs_basename(check->file), check->line, check->function, check->kind, task);
    if (check->verdict == CHECK_UNDETERMINED)
        buf_printf(out, ", %s", check->reason);
    else if (check->verdict == CHECK_SAFE)
        buf_printf(out, ", on every path%s%s", check->reason[0] ? ", assuming " : "",
                   check->reason);
    buf_putc(out, '\n');
}

static void write_checks(const struct result *result, size_t part, struct buf *out)
{
    bool any = false;
    for (size_t i = 0; i < result->tasks.count; i++) {
        const struct result_task *task = result->tasks.items[i];
        for (size_t k = 0; task->part == part && k < task->checks.count; k++) {
            if (!any)
                buf_puts(out, "Checks that depend on inputs\n");
            any = true;
            write_check(&task->checks.items[k], task->function, out);
        }
    }
    if (any)
        buf_putc(out, '\n');
}

static void write_alarms(const struct result *result, size_t part, struct buf *out)
{
    for (size_t i = 0; i < result->alarms.count; i++) {
        const struct result_alarm *alarm = result->alarms.items[i];
        if (alarm->part != part)
            continue;
        report_alarm(alarm, result_alarm_number(result, i), result_alarm_task(result, alarm), out);
        buf_putc(out, '\n');
    }
}

static void write_part(const struct result *result, size_t part, struct buf *out)
{
    for (int headers = 0; headers < 2; headers++)
        for (size_t i = 0; i < result->function_count; i++) {
            const struct result_function *function = &result->functions[i];
            bool shown = headers ? !function->in_totals && function->tasks : function->in_totals;
            if (shown && function->part == part)
                write_function(result, function, out);
        }
    write_checks(result, part, out);
    write_alarms(result, part, out);
    for (size_t i = 0; i < result->tasks.count; i++) {
        const struct result_task *task = result->tasks.items[i];
        for (size_t a = 0; task->part == part && a < task->assumptions.count; a++)
            buf_printf(out, "assumption of %s: %s\n", task->function, task->assumptions.items[a]);
    }
}

void report_shared_goals(const struct result *result, struct buf *out)
{
    bool any = false;
    for (size_t i = 0; i < result->shared_goals.count; i++) {
        const struct result_shared_goal *shared = &result->shared_goals.items[i];
        const struct result_goal *goal = &result->goals[shared->goal];
        const struct verdict *best = &result->goals[shared->best].verdict;
        if (shared->part_count < 2 ||
            verdict_rank(best) == verdict_rank(&result->goals[shared->worst].verdict))
            continue;
        if (!any)
            buf_puts(out, "==== goals of several files: what holds for the project ====\n\n");
        any = true;
        buf_printf(out, "  %-19s  ", verdict_name(best->kind));
        write_place(goal, out);
        buf_printf(out, "%s(): ", result->functions[goal->function].name);
        write_what(goal, out);
        buf_printf(out, "  -- in %zu files\n", shared->part_count);
    }
}

void report_goals(const struct result *result, struct buf *out)
{
    for (size_t i = 0; i < result->parts.count; i++) {
        if (result->is_project)
            buf_printf(out, "==== %s ====\n\n", result->parts.items[i]->name);
        write_part(result, i, out);
        if (result->is_project)
            buf_putc(out, '\n');
    }
    report_shared_goals(result, out);
}
