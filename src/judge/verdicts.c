// SPDX-License-Identifier: Apache-2.0
// Verdicts by the trust rule: covered is what llvm-cov saw; infeasible needs a
// proof; everything else is undetermined and says why.
#include "judge/verdicts.h"

#include "base/check.h"
#include "base/fs.h"
#include "unit/assumptions.h"
#include "judge/alarms.h"
#include "judge/attribution.h"
#include "judge/measured.h"
#include "judge/open_reasons.h"
#include "judge/provers.h"
#include "judge/standing.h"
#include "judge/test_record.h"
#include "program/faults.h"
#include "program/places.h"
#include "program/testfile.h"
#include <stdlib.h>
#include <string.h>

const char *verdicts_outcome(struct unit *unit, const struct kept_test *kept, struct arena *arena)
{
    if (kept->first_of_alarm && kept->status != WIRE_FAULT)
        return arena_printf(arena, "alarm: %s at %s", fault_words(kept->fault),
                            unit_site_text(unit, kept->fault_site));
    switch (kept->status) {
    case WIRE_OK: return "ok";
    case WIRE_EXIT: return "exit";
    case WIRE_STEPS:
        return kept->at_bound ? "stopped behind an array of unknown length"
                              : "cut off after --steps";
    case WIRE_REJECTED: return "rejected";
    case WIRE_FAULT:
        return arena_printf(arena, "crash: %s at %s", fault_words(kept->fault),
                            unit_site_text(unit, kept->fault_site));
    default: return "not finished";
    }
}

void verdicts_test_text(struct unit *unit, const struct target *target, const char *task,
                        const struct kept_test *kept, struct buf *out)
{
    struct arena arena;
    arena_init(&arena);
    struct testfile test = {.task = task,
                            .file = fs_basename(unit->program.source),
                            .outcome = verdicts_outcome(unit, kept, &arena)};
    struct places places;
    places_view(&places, target_wire(target));
    testfile_from_run(&test, &places, kept->uses, kept->use_count, kept->input, kept->input_size,
                      &unit->program, &arena);
    testfile_write(&test, out);
    arena_release(&arena);
}

// Which kept tests of the suite show the pair of each condition: both get the goal.
struct pair_claims {
    VEC(size_t) * of_test; // result goals, per test of the suite
};

// One that does not crash, if there is one.
static size_t test_with_vector(const struct campaign *c, const size_t *chosen, size_t count,
                               size_t vector)
{
    size_t found = SIZE_MAX;
    for (size_t t = 0; t < count; t++) {
        const struct kept_test *kept = &c->kept.items[chosen[t]];
        for (size_t i = 0; i < kept->vector_count; i++) {
            if (kept->vectors[i] != vector)
                continue;
            if (kept->status != WIRE_FAULT)
                return t;
            found = found == SIZE_MAX ? t : found;
        }
    }
    return found;
}

static void claim_pairs(struct result *result, struct result_task *task, const struct campaign *c,
                        const size_t *chosen, size_t count, struct pair_claims *claims)
{
    bool *in_suite = xcalloc(c->coverage.vectors.count + 1, sizeof *in_suite);
    bool *runs_through = xcalloc(c->coverage.vectors.count + 1, sizeof *runs_through);
    for (size_t t = 0; t < count; t++) {
        const struct kept_test *kept = &c->kept.items[chosen[t]];
        for (size_t i = 0; i < kept->vector_count; i++) {
            in_suite[kept->vectors[i]] = true;
            runs_through[kept->vectors[i]] |= kept->status != WIRE_FAULT;
        }
    }
    for (size_t b = 0; b < c->coverage.program->branch_count; b++) {
        size_t goal = result_condition_goal(result, b), pair[2];
        if (goal == RESULT_NONE || !c->coverage.pair_shown[b] ||
            !coverage_pair(&c->coverage, b, runs_through, pair))
            continue;
        if (!runs_through[pair[0]] || !runs_through[pair[1]])
            coverage_pair(&c->coverage, b, in_suite, pair);
        size_t first = test_with_vector(c, chosen, count, pair[0]);
        size_t second = test_with_vector(c, chosen, count, pair[1]);
        if (first == SIZE_MAX || second == SIZE_MAX)
            continue;
        test_record_pair(result, task, c, goal, pair);
        *VEC_PUSH(&claims->of_test[first]) = goal;
        if (second != first)
            *VEC_PUSH(&claims->of_test[second]) = goal;
    }
    free(in_suite);
    free(runs_through);
}

static void add_test(struct result *result, struct result_task *task, struct unit *unit,
                     const struct kept_test *kept, const char *path, const size_t *conditions,
                     size_t condition_count)
{
    size_t *goals = xcalloc(kept->goal_count + condition_count + 1, sizeof *goals), count = 0;
    for (size_t i = 0; i < kept->goal_count; i++) {
        size_t goal = result_branch_goal(result, kept->goals[i] / 2, kept->goals[i] & 1);
        if (goal != RESULT_NONE)
            goals[count++] = goal;
    }
    for (size_t i = 0; i < condition_count; i++)
        goals[count++] = conditions[i];
    struct result_test *test = result_add_test(result, task, path, goals, count);
    free(goals);
    test_record_inputs(result, test, kept);
    test->outcome = arena_strdup(&result->arena, verdicts_outcome(unit, kept, &unit->arena));
    test->crashed = kept->status == WIRE_FAULT;
    test->cut_short = kept->status != WIRE_OK && kept->status != WIRE_EXIT;
    test->leaves = kept->leaves;
    if (test->crashed || kept->first_of_alarm) {
        const char *function, *file;
        alarms_place(unit, kept->fault_site, &file, &test->fault_line, &function);
        test->fault = fault_words(kept->fault);
        test->fault_file = arena_strdup(&result->arena, file);
    }
}

void verdicts_add_tests(struct result *result, struct result_task *task, struct unit *unit,
                        const struct campaign *c, const size_t *chosen, size_t count,
                        const char *const *paths)
{
    struct pair_claims claims = {xcalloc(count + 1, sizeof *claims.of_test)};
    claim_pairs(result, task, c, chosen, count, &claims);
    task->claims_conditions = true;
    for (size_t i = 0; i < count; i++) {
        add_test(result, task, unit, &c->kept.items[chosen[i]], paths[i], claims.of_test[i].items,
                 claims.of_test[i].count);
        VEC_RELEASE(&claims.of_test[i]);
    }
    free(claims.of_test);
    test_record_vectors(result, task, c, chosen);
}

static void enter_claim(const struct verdicts_request *r, const struct claim *claim)
{
    size_t count = claim->presumes.count;
    struct result_assumption *items = arena_array(r->arena, struct result_assumption, count + 1);
    for (size_t i = 0; i < count; i++)
        items[i] = (struct result_assumption){claim->presumes.items[i].kind,
                                              claim->presumes.items[i].text};
    struct assumptions assumptions = {claim->presumes.kinds,
                                      presumptions_text(&claim->presumes, r->arena), items, count};
    result_set_infeasible(r->result, r->task, claim->goal, claim->proof, claim->evidence,
                          &assumptions);
}

static void judge_open_goals(const struct verdicts_request *r)
{
    struct ledger ledger;
    VEC(size_t) open = {0};
    VEC(struct open_reason) why = {0};
    for (size_t i = 0; i < r->task->goal_count; i++)
        if (r->task->verdicts[i].kind != VERDICT_COVERED) {
            *VEC_PUSH(&open) = r->task->goals[i];
            *VEC_PUSH(&why) = open_reason_of_goal(r, &r->result->goals[r->task->goals[i]]);
        }
    size_t count = 0; // of those that provers are asked about
    size_t *goals = xcalloc(open.count + 1, sizeof *goals);
    for (size_t i = 0; i < open.count; i++)
        if (!why.items[i].text)
            goals[count++] = open.items[i];
    ledger_init(&ledger, r->result->goal_count);
    provers_ask(&(struct proof_request){r, goals, count, r->clean->deadline}, &ledger);
    MUST_HOLD(ledger_check(&ledger));
    struct open_reason reason = open_reason_of_search(r, &ledger);
    result_set_open_reason(r->result, r->task, &reason); // unless there is a better one
    for (size_t i = 0; i < open.count; i++) {
        const struct claim *claim = why.items[i].text ? NULL : ledger_find(&ledger, open.items[i]);
        if (why.items[i].text)
            result_set_undetermined(r->result, r->task, open.items[i], &why.items[i]);
        else if (claim && standing_of_claim(r, claim))
            enter_claim(r, claim);
    }
    struct presumptions all = presumptions_of_search(r, PRESUMPTIONS_ALL);
    alarms_judge_checks(r, presumptions_text(&all, r->arena), reason.text);
    ledger_release(&ledger);
    VEC_RELEASE(&open);
    VEC_RELEASE(&why);
    free(goals);
}

// The trust rule, once more: every goal has one verdict, infeasible ones a proof, and what an
// execution has reached is not among those.
static const char *check_verdicts(const struct verdicts_request *r)
{
    const struct coverage *seen = &r->campaign->coverage;
    for (size_t i = 0; i < r->task->goal_count; i++) {
        const struct verdict *v = &r->task->verdicts[i];
        const struct result_goal *goal = &r->result->goals[r->task->goals[i]];
        if (v->kind >= VERDICT_COUNT)
            return "a goal has no verdict";
        if (v->kind != VERDICT_INFEASIBLE && v->kind != VERDICT_ASSUMING)
            continue;
        if (v->proof == PROOF_NONE)
            return "a goal is called infeasible without a proof";
        if ((v->kind == VERDICT_ASSUMING) != (v->assumes != 0))
            return "a claim of infeasibility has another strength than its assumptions";
        if (goal->branch != RESULT_NONE &&
            (goal->kind == GOAL_BRANCH ? seen->covered[2 * goal->branch + goal->outcome]
                                       : seen->pair_shown[goal->branch]))
            return "a goal that an execution has reached is called infeasible";
    }
    return NULL;
}

// Nothing is known of it: it shows no goal.
static void forget_skipped(struct result_test *test)
{
    test->dies = true;
    test->goal_count = 0;
}

bool verdicts_give(const struct verdicts_request *r, struct error *err)
{
    MUST_HOLD(coverage_check(&r->campaign->coverage)); // another process has sent it
    for (size_t i = 0; i < r->count; i++)
        assert(r->chosen[i] < r->campaign->kept.count);
    size_t skipped = 0;
    for (size_t i = 0; i < r->count; i++) {
        struct result_test *test = r->task->tests.items[i];
        const struct kept_test *kept = &r->campaign->kept.items[r->chosen[i]];
        test->outcome = arena_strdup(&r->result->arena, r->outcomes[i].text);
        test->crashed = replay_crashed(&r->outcomes[i]) || kept->status == WIRE_FAULT;
        test->dies = replay_crashed(&r->outcomes[i]) || r->outcomes[i].status == REPLAY_TIMEOUT;
        test->cut_short |= r->outcomes[i].status == REPLAY_LOST; // and its profile is lost, too
        test_record_outputs(r->result, test, &r->outcomes[i]);
        test_record_found(r->result, test, &r->outcomes[i]);
        if (r->outcomes[i].status == REPLAY_SKIPPED) {
            forget_skipped(test);
            skipped++;
        }
    }
    if (skipped)
        result_add_note(r->result, "task %s: %zu of %zu tests were not replayed: --time",
                        r->task->function, skipped, r->count);
    if (r->coverage->lines_skipped > skipped)
        result_add_note(r->result,
                        "task %s: %zu of %zu tests were not run for line coverage: --time",
                        r->task->function, r->coverage->lines_skipped, r->count);
    r->task->lines_unknown = r->coverage->lines_skipped > 0;
    if (!alarms_raise(r, err))
        return false;
    if (measured_cover(r->result, r->task, r->coverage->unit) && !attribution_find(r, err))
        return false;
    measured_set_task_lines(r->result, r->task, &r->unit->program, r->coverage->lines,
                            r->coverage->unit);
    judge_open_goals(r);
    MUST_HOLD(check_verdicts(r));
    return true;
}
