// SPDX-License-Identifier: Apache-2.0
// What the result says about a goal, and on what it rests.
#include "html/html_pages.h"

#include "base/tunables.h"
#include "html/html_widgets.h"

static void put_covered(const struct html_model *m, size_t number, struct buf *out)
{
    const struct result_goal *goal = m->goals.items[number].goal;
    const struct verdict *verdict = &goal->verdict;
    if (goal->verdict_task == RESULT_NONE) {
        html_printf(out, " %s", verdict->text);
    } else if (!verdict->test) {
        buf_puts(out, " by the tests of ");
        html_task_link(m, goal->verdict_task, out);
        buf_puts(out, " together");
    } else {
        buf_puts(out, verdict->other ? " by the tests " : " by test ");
        html_test_link(m, goal->verdict_task, verdict->test, out);
        if (verdict->other) {
            buf_puts(out, " and ");
            html_test_link(m, goal->verdict_task, verdict->other, out);
        }
    }
}

static bool is_named(const struct result_goal *goal, const struct html_test_ref *ref)
{
    return ref->task == goal->verdict_task &&
           (ref->test + 1 == goal->verdict.test || ref->test + 1 == goal->verdict.other);
}

// The other tests that take the branch; of a condition the pair says all.
static void put_other_tests(const struct html_model *m, size_t number, struct buf *out)
{
    const struct result_goal *goal = m->goals.items[number].goal;
    size_t shown = 0, left = 0;
    for (size_t i = m->first_test[number]; i < m->first_test[number + 1]; i++) {
        if (is_named(goal, &m->tests[i]))
            continue;
        if (shown == HTML_GOAL_TESTS) {
            left++;
            continue;
        }
        buf_puts(out, shown++ ? ", " : "<p class=\"also\">Also: ");
        html_test_link(m, m->tests[i].task, m->tests[i].test + 1, out);
    }
    if (left)
        buf_printf(out, " and %zu more", left);
    if (shown)
        buf_puts(out, "</p>");
}

static void put_assumptions(const struct verdict *verdict, struct buf *out)
{
    if (!verdict->assumption_count) {
        html_printf(out, "<p>Assuming %s.</p>", verdict->text);
        return;
    }
    buf_puts(out, "<p>Assuming:</p><ul>");
    for (size_t i = 0; i < verdict->assumption_count; i++) {
        const struct result_assumption *item = &verdict->assumptions[i];
        html_printf(out, "<li>%s%s</li>", item->kind == ASSUMES_BOUND ? "the bound " : "",
                    item->text);
    }
    buf_puts(out, "</ul>");
}

void html_verdict(const struct html_model *m, size_t number, struct buf *out)
{
    const struct html_goal *it = &m->goals.items[number];
    const struct verdict *verdict = &it->goal->verdict;
    enum html_state state = html_state_of(verdict);
    html_mark(out, state);
    buf_printf(out, " <b>%s</b>", html_state_word(state));
    if (verdict->kind == VERDICT_COVERED) {
        put_covered(m, number, out);
        put_other_tests(m, number, out);
    } else if (verdict->kind == VERDICT_INFEASIBLE || verdict->kind == VERDICT_ASSUMING) {
        html_printf(out, " – %s", proof_name(verdict->proof));
        if (verdict->evidence)
            html_printf(out, "<p>Evidence: %s.</p>", verdict->evidence);
        if (verdict->kind == VERDICT_ASSUMING)
            put_assumptions(verdict, out);
    } else {
        html_printf(out, " – %s", verdict->text);
    }
    if (it->goal->unrecorded)
        buf_puts(out, "<p>llvm-cov lists this condition and cannot record it.</p>");
    if (it->part_count > 1)
        buf_printf(out,
                   "<p>%zu tested files have this goal; this is what holds for all of "
                   "them.</p>",
                   it->part_count);
}
