// SPDX-License-Identifier: Apache-2.0
#include "judge/standing.h"

#include "inputs/bound_growth.h"
#include "program/faults.h"
#include "program/losses.h"
#include "wire/hardware.h"
#include <assert.h>

static void begin_item(struct buf *out)
{
    if (out->length)
        buf_puts(out, ", ");
}

// A fault that the engine saw ends an execution. That it was undefined behaviour, and not the
// engine's mistake, is what the alarm says that the clean build confirmed. Leaving an object that
// --elements had sized is a bound.
static bool faults_are_confirmed(const struct verdicts_request *r)
{
    for (size_t i = 0; i < r->count; i++) {
        const struct kept_test *kept = &r->campaign->kept.items[r->chosen[i]];
        const struct result_test *test = r->task->tests.items[i];
        if (kept->status != WIRE_FAULT || kept->at_bound || !fault_hides_paths(kept->fault))
            continue;
        if (test->alarm == RESULT_NONE ||
            r->result->alarms.items[test->alarm]->proof <= ALARM_NOT_REPRODUCED)
            return false;
    }
    return true;
}

const char *standing_losses(const struct verdicts_request *r)
{
    const struct campaign *c = r->campaign;
    struct buf out = BUF_INIT;
    for (int i = 0; i < WIRE_LOSS_COUNT; i++) {
        if (!c->losses[i] || loss_class(i) != WIRE_LOSS_IS_OPEN)
            continue;
        begin_item(&out);
        buf_puts(&out, loss_words(i));
    }
    if (c->partial) {
        begin_item(&out);
        buf_puts(&out, "the driver leaves out inputs (see its notes)");
    }
    for (int i = 0; i < BOUND_COUNT; i++) {
        if (!(c->can_grow >> i & 1))
            continue;
        begin_item(&out);
        buf_puts(&out, bound_words(i));
    }
    if (c->unknown) {
        begin_item(&out);
        buf_printf(&out, "solver limit on %llu queries (--solver-limit)",
                   (unsigned long long)c->unknown);
    }
    if (c->cut_off) {
        begin_item(&out);
        buf_printf(
            &out,
            "%llu execution%s cut off (bounds --steps %lld, %u stub calls, %u reads of registers)",
            (unsigned long long)c->cut_off, c->cut_off == 1 ? "" : "s",
            (long long)r->options->steps, WIRE_MAX_CALLS, HW_MAX_READS);
    }
    if (c->open_ends) {
        begin_item(&out);
        buf_printf(&out,
                   "%llu execution%s stopped behind an array of unknown length (bound --elements)",
                   (unsigned long long)c->open_ends, c->open_ends == 1 ? "" : "s");
    }
    if (c->unexplained_faults || !faults_are_confirmed(r)) {
        begin_item(&out);
        buf_puts(&out, "an execution ended early, which the clean build does not confirm");
    }
    if (c->divergences) {
        begin_item(&out);
        buf_printf(&out, "%llu execution%s took another path than predicted",
                   (unsigned long long)c->divergences, c->divergences == 1 ? "" : "s");
    }
    const char *text = arena_strdup(r->arena, buf_text(&out));
    buf_release(&out);
    return text;
}

bool standing_of_search(const struct verdicts_request *r, enum goal_kind kind)
{
    const struct campaign *c = r->campaign;
    if (!c->exhausted || !faults_are_confirmed(r))
        return false;
    if (!c->filtered)
        return true;
    // Path filtering leaves out those that lead only to goals that nobody asked for.
    enum criterion least = kind == GOAL_BRANCH ? CRITERION_BRANCH : CRITERION_MCDC;
    return c->coverage.criterion >= least && !*r->options->goals;
}

bool standing_of_claim(const struct verdicts_request *r, const struct claim *claim)
{
    const struct result_goal *goal = &r->result->goals[claim->goal];
    const struct coverage *seen = &r->campaign->coverage;
    assert(goal->branch != RESULT_NONE);
    bool reached = goal->kind == GOAL_BRANCH ? seen->covered[2 * goal->branch + goal->outcome]
                                             : seen->pair_shown[goal->branch];
    if (reached)
        return false;
    return claim->proof != PROOF_EXHAUSTED || standing_of_search(r, goal->kind);
}
