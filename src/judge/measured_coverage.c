// SPDX-License-Identifier: Apache-2.0
// What replayed tests cover: llvm-cov's counts become verdicts, each with the test that the
// engine names for it; where the two differ, that is a disagreement.
#include "judge/measured.h"

#include "base/buf.h"
#include "base/map.h"
#include <stdlib.h>
#include <string.h>

static void show_branches(const struct llvmcov_function *from, size_t goal, bool *shown)
{
    for (size_t b = 0; b < from->branch_count; b++) {
        shown[goal++] = from->branches[b].count[0] > 0;
        shown[goal++] = from->branches[b].count[1] > 0;
    }
    for (size_t d = 0; d < from->decision_count; d++)
        for (size_t c = 0; c < from->decisions[d].condition_count; c++)
            if (!from->decisions[d].conditions[c].constant)
                shown[goal++] = from->decisions[d].conditions[c].covered;
}

// A copy of a header's function in another text shows the same goals, found by their ids.
static void show_copy(const struct result *result, const struct llvmcov_function *from, bool *shown)
{
    for (size_t b = 0; b < from->branch_count; b++)
        for (int side = 0; side < 2; side++) {
            size_t goal = result_branch_goal(result, from->branches[b].branch, side);
            if (goal != RESULT_NONE)
                shown[goal] |= from->branches[b].count[side] > 0;
        }
    for (size_t d = 0; d < from->decision_count; d++)
        for (size_t c = 0; c < from->decisions[d].condition_count; c++) {
            const struct llvmcov_condition *condition = &from->decisions[d].conditions[c];
            size_t goal = result_condition_goal(result, condition->branch);
            if (goal != RESULT_NONE && !condition->constant)
                shown[goal] |= condition->covered;
        }
}

static void write_name(size_t text, const char *name, struct buf *out)
{
    buf_clear(out);
    buf_printf(out, "%zu:%s", text, name);
}

// Which goals a coverage shows, as flags per goal of the result.
static void mark_shown(const struct result *result, const struct llvmcov *coverage, bool *shown)
{
    struct map by_name;
    struct buf name = BUF_INIT;
    bool *used = xcalloc(coverage->function_count + 1, sizeof *used);
    map_init(&by_name);
    for (size_t i = 0; i < coverage->function_count; i++) {
        write_name(coverage->functions[i].text, coverage->functions[i].name, &name);
        if (coverage->functions[i].text != LLVMCOV_NONE)
            map_put_text(&by_name, buf_text(&name), i);
    }
    for (size_t i = 0; i < result->function_count; i++) {
        const struct result_function *function = &result->functions[i];
        uint64_t found;
        write_name(function->text, function->unit_name, &name);
        if (!map_get_text(&by_name, buf_text(&name), &found))
            continue;
        const struct llvmcov_function *from = &coverage->functions[found];
        if (2 * from->branch_count + measured_conditions_of(from) != function->goal_count)
            BUG("coverage of another executable: function %s", function->name);
        show_branches(from, function->first_goal, shown);
        used[found] = true;
    }
    for (size_t i = 0; i < coverage->function_count; i++)
        if (!used[i] && coverage->functions[i].text != LLVMCOV_NONE)
            show_copy(result, &coverage->functions[i], shown);
    buf_release(&name);
    map_release(&by_name);
    free(used);
}

struct test_claim {
    unsigned first, second; // numbers of tests that name a goal, those that run through first
    bool clean;             // by a test that the engine did not stop: the clean build must agree
    bool ran;               // by a test that does not crash
    bool crashed;           // ... that does; a pair of tests for a condition may be one of each
};

static void collect_claims_of(const struct result_task *task, bool crashed,
                              struct test_claim *claims)
{
    for (size_t t = 0; t < task->tests.count; t++) {
        const struct result_test *test = task->tests.items[t];
        for (size_t g = 0; test->crashed == crashed && g < test->goal_count; g++) {
            struct test_claim *claim = &claims[test->goals[g]];
            claim->clean |= !test->cut_short;
            claim->ran |= !crashed;
            claim->crashed |= crashed;
            if (!claim->first)
                claim->first = test->number;
            else if (!claim->second)
                claim->second = test->number;
        }
    }
}

static void collect_claims(const struct result_task *task, struct test_claim *claims)
{
    collect_claims_of(task, false, claims);
    collect_claims_of(task, true, claims);
}

// The clean build runs on behind a fault that only the engine stops at, so goals that no
// test claims may belong to such a test; measured_attribute finds out.
static bool runs_on(const struct result_test *test)
{
    return test->cut_short && !test->dies;
}

static bool some_run_on(const struct result_task *task)
{
    for (size_t i = 0; i < task->tests.count; i++)
        if (runs_on(task->tests.items[i]))
            return true;
    return false;
}

// llvm-cov derives counts from others. Where a run ended in between (exit, a crash), they
// are of code that never ran: the way out of a loop, the other outcome of a condition.
static bool some_end_early(const struct result_task *task)
{
    for (size_t i = 0; i < task->tests.count; i++)
        if (task->tests.items[i]->leaves || task->tests.items[i]->dies)
            return true;
    return false;
}

// One goal of a task: returns true when it is covered by an unknown test.
static bool cover_goal(struct result *result, struct result_task *task, size_t at, bool shown,
                       const struct test_claim *claim)
{
    size_t goal = task->goals[at];
    bool is_condition = result->goals[goal].kind == GOAL_CONDITION;
    if (!shown) {
        // A test that went wrong may have overwritten the counters of the clean build.
        if (claim->first && claim->clean && !result->goals[goal].unrecorded)
            result_disagree(result, task, goal,
                            "the engine saw it covered, the clean replay did not");
        return false;
    }
    bool unseen = !claim->first && result->goals[goal].hooked && !some_run_on(task);
    if (unseen && !is_condition && some_end_early(task)) {
        result->phantoms++;
        return false;
    }
    if (task->verdicts[at].kind == VERDICT_INFEASIBLE ||
        task->verdicts[at].kind == VERDICT_ASSUMING)
        result_disagree(result, task, goal, "claimed infeasible, but a replayed test covers it");
    if (unseen && (!is_condition || task->claims_conditions))
        result_disagree(result, task, goal,
                        "the clean replay covers it, the engine did not see it");
    task->verdicts[at] =
        (struct verdict){.kind = VERDICT_COVERED,
                         .test = claim->first,
                         .other = is_condition ? claim->second : 0,
                         .by_crash = is_condition ? claim->crashed : claim->first && !claim->ran,
                         .text = ""};
    return !claim->first && !is_condition;
}

size_t measured_cover(struct result *result, struct result_task *task,
                      const struct llvmcov *coverage)
{
    bool *shown = xcalloc(result->goal_count + 1, sizeof *shown);
    struct test_claim *claims = xcalloc(result->goal_count + 1, sizeof *claims);
    size_t unknown = 0;
    mark_shown(result, coverage, shown);
    collect_claims(task, claims);
    for (size_t i = 0; i < task->goal_count; i++)
        unknown += cover_goal(result, task, i, shown[task->goals[i]], &claims[task->goals[i]]);
    free(shown);
    free(claims);
    return unknown;
}

static bool lacks_test(const struct result *result, const struct result_task *task, size_t at)
{
    const struct verdict *verdict = &task->verdicts[at];
    return verdict->kind == VERDICT_COVERED && !verdict->test &&
           result->goals[task->goals[at]].kind == GOAL_BRANCH;
}

size_t measured_attribute(struct result *result, struct result_task *task, struct result_test *test,
                          const struct llvmcov *coverage)
{
    bool *shown = xcalloc(result->goal_count + 1, sizeof *shown);
    size_t left = 0;
    mark_shown(result, coverage, shown);
    for (size_t i = 0; i < task->goal_count; i++) {
        struct verdict *verdict = &task->verdicts[i];
        if (verdict->kind != VERDICT_COVERED || verdict->test)
            continue;
        bool here = shown[task->goals[i]];
        if (here) {
            verdict->test = test->number;
            verdict->by_crash = test->crashed;
        }
        if (here && !runs_on(test) && some_run_on(task))
            result_disagree(result, task, task->goals[i],
                            "the clean replay covers it, the engine did not see it");
        left += lacks_test(result, task, i);
    }
    free(shown);
    return left;
}

size_t measured_unattributed(const struct result *result, const struct result_task *task,
                             const struct llvmcov *coverage)
{
    bool *shown = xcalloc(result->goal_count + 1, sizeof *shown);
    size_t count = 0;
    mark_shown(result, coverage, shown);
    for (size_t i = 0; i < task->goal_count; i++)
        count += lacks_test(result, task, i) && shown[task->goals[i]];
    free(shown);
    return count;
}

void measured_drop_phantoms(struct result *result, struct result_task *task,
                            const struct llvmcov *ended_well)
{
    bool *shown = xcalloc(result->goal_count + 1, sizeof *shown);
    if (ended_well)
        mark_shown(result, ended_well, shown);
    for (size_t i = 0; some_end_early(task) && i < task->goal_count; i++) {
        if (!lacks_test(result, task, i) || !result->goals[task->goals[i]].hooked ||
            shown[task->goals[i]])
            continue;
        task->verdicts[i] = (struct verdict){.kind = VERDICT_UNDETERMINED, .text = ""};
        result->phantoms++;
    }
    free(shown);
}

// Inside an operand that is never evaluated all of llvm-cov's counters are zero, and of a branch
// there it can derive a count for one outcome only.
static void check_unevaluated(struct result *result, const struct llvmcov *coverage)
{
    for (size_t i = 0; i < coverage->function_count; i++)
        if (coverage->functions[i].unevaluated_runs)
            result_add_disagreement(result, "%s(): an operand that was taken for unevaluated runs",
                                    coverage->functions[i].name);
}

void measured_cover_total(struct result *result, const struct llvmcov *coverage)
{
    bool *shown = xcalloc(result->goal_count + 1, sizeof *shown);
    check_unevaluated(result, coverage);
    mark_shown(result, coverage, shown);
    for (size_t i = 0; i < result->goal_count; i++)
        result->goals[i].shown_in_total = shown[i];
    free(shown);
}
