// SPDX-License-Identifier: Apache-2.0
// Verdicts by the trust rule: covered is what llvm-cov saw; infeasible needs a
// proof; everything else is undetermined and says why.
#include "engine/verdicts.h"

#include "base/fs.h"
#include "engine/assume.h"
#include "engine/alarms.h"
#include "engine/attribution.h"
#include "engine/faults.h"
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
    case WIRE_OK:
        return "ok";
    case WIRE_EXIT:
        return "exit";
    case WIRE_STEPS:
        return "cut off after --steps";
    case WIRE_REJECTED:
        return "rejected";
    case WIRE_FAULT:
        return arena_printf(arena, "crash: %s at %s", fault_words(kept->fault),
                            unit_site_text(unit, kept->fault_site));
    default:
        return "not finished";
    }
}

void verdicts_test_text(struct unit *unit, const struct target *target, const char *task,
                        const struct kept_test *kept, struct buf *out)
{
    struct arena arena;
    arena_init(&arena);
    struct testfile test = {.task = task, .file = fs_basename(unit->program.source),
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
    VEC(size_t) *of_test; // result goals, per test of the suite
};

static size_t test_with_vector(const struct campaign *c, const size_t *chosen, size_t count,
                               size_t vector)
{
    for (size_t t = 0; t < count; t++) {
        const struct kept_test *kept = &c->kept.items[chosen[t]];
        for (size_t i = 0; i < kept->vector_count; i++)
            if (kept->vectors[i] == vector)
                return t;
    }
    return SIZE_MAX;
}

static void claim_pairs(const struct result *result, const struct campaign *c, const size_t *chosen,
                        size_t count, struct pair_claims *claims)
{
    bool *in_suite = xcalloc(c->coverage.vectors.count + 1, sizeof *in_suite);
    for (size_t t = 0; t < count; t++)
        for (size_t i = 0; i < c->kept.items[chosen[t]].vector_count; i++)
            in_suite[c->kept.items[chosen[t]].vectors[i]] = true;
    for (size_t b = 0; b < c->coverage.program->branch_count; b++) {
        size_t goal = result_condition_goal(result, b), pair[2];
        if (goal == RESULT_NONE || !c->coverage.pair_shown[b] ||
            !coverage_pair(&c->coverage, b, in_suite, pair))
            continue;
        size_t first = test_with_vector(c, chosen, count, pair[0]);
        size_t second = test_with_vector(c, chosen, count, pair[1]);
        if (first == SIZE_MAX || second == SIZE_MAX)
            continue;
        *VEC_PUSH(&claims->of_test[first]) = goal;
        if (second != first)
            *VEC_PUSH(&claims->of_test[second]) = goal;
    }
    free(in_suite);
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
    claim_pairs(result, c, chosen, count, &claims);
    task->claims_conditions = true;
    for (size_t i = 0; i < count; i++) {
        add_test(result, task, unit, &c->kept.items[chosen[i]], paths[i], claims.of_test[i].items,
                 claims.of_test[i].count);
        VEC_RELEASE(&claims.of_test[i]);
    }
    free(claims.of_test);
}

// Everything that forbids a proof by exhaustion, for people.
static void describe_losses(const struct campaign *c, const struct options *o, struct buf *out)
{
    static const char *const texts[] = {
#define LOSS(name, class, words) words,
#include "wire/losses.def"
#undef LOSS
    };
    for (int i = 0; i < WIRE_LOSS_COUNT; i++) {
        if (!c->losses[i])
            continue;
        buf_printf(out, "%s%s", out->length ? ", " : "", texts[i]);
        if (i == WIRE_LOSS_DEPTH)
            buf_printf(out, " %lld", (long long)o->depth);
        if (i == WIRE_LOSS_ELEMENTS)
            buf_printf(out, " %lld%s", (long long)o->elements,
                       o->program ? ", or what --stdin, --arg and --file allow" : "");
    }
    if (c->partial)
        buf_printf(out, "%sthe driver leaves out inputs (see its notes)", out->length ? ", " : "");
    if (c->unknown)
        buf_printf(out, "%ssolver limit on %llu queries (--solver-limit)", out->length ? ", " : "",
                   (unsigned long long)c->unknown);
    if (c->cut_off)
        buf_printf(out, "%s%llu executions cut off (bounds --steps %lld and %u stub calls)",
                   out->length ? ", " : "", (unsigned long long)c->cut_off, (long long)o->steps,
                   WIRE_MAX_CALLS);
    if (c->faults)
        buf_printf(out, "%s%llu executions crashed early", out->length ? ", " : "",
                   (unsigned long long)c->faults);
    if (c->violations)
        buf_printf(out, "%s%llu executions with undefined behaviour", out->length ? ", " : "",
                   (unsigned long long)c->violations);
    if (c->divergences)
        buf_printf(out, "%s%llu executions took another path than predicted",
                   out->length ? ", " : "", (unsigned long long)c->divergences);
}

static const char *open_reason(const struct verdicts_request *r)
{
    if (r->campaign->rejected && r->campaign->rejected == r->campaign->runs)
        return arena_printf(r->arena, "no execution satisfied the preconditions: %s",
                            assume_text(r->unit, r->task->program_task));
    struct buf losses = BUF_INIT;
    describe_losses(r->campaign, r->options, &losses);
    const char *end = campaign_end_text(r->campaign, r->options, r->arena);
    bool budget = r->campaign->end != CAMPAIGN_EXHAUSTED && r->campaign->end != CAMPAIGN_GAVE_UP;
    const char *text = budget || !losses.length
                           ? arena_strdup(r->arena, end)
                           : arena_printf(r->arena, "all paths explored within limits: %s",
                                          losses.data);
    buf_release(&losses);
    return text;
}

static bool has_pointer(const struct type *type, unsigned depth)
{
    if (type->kind == TYPE_POINTER)
        return true;
    if (type->kind == TYPE_ARRAY)
        return type->target && has_pointer(type->target, depth);
    bool found = false;
    for (size_t i = 0; depth && i < type->field_count && !found; i++)
        found = has_pointer(type->fields[i].type, depth - 1);
    return found;
}

// A driver builds pointers in a few ways only: fresh objects, and shared ones where the
// code compares them. What is proven holds for pointers like that, and says so.
static const char *pointer_assumption(const struct verdicts_request *r)
{
    enum { RECORD_DEPTH = 6 };
    const struct program *program = &r->unit->program;
    const struct task *task = &program->tasks[r->task->program_task];
    const struct function *entry = &program->functions[task->entry];
    bool any = false;
    for (size_t i = 0; i < entry->param_count; i++)
        any |= has_pointer(entry->params[i].type, RECORD_DEPTH);
    for (size_t i = 0; i < task->global_count; i++)
        any |= has_pointer(program->variables[task->globals[i]].type, RECORD_DEPTH);
    return any ? "pointers are built as in the driver" : "";
}

// Were all paths explored that could lead to goals of this kind? Path filtering leaves
// out those that lead only to goals that nobody asked for.
static bool explored_for(const struct verdicts_request *r, enum goal_kind kind)
{
    const struct campaign *c = r->campaign;
    if (!c->exhausted || !c->filtered)
        return c->exhausted;
    enum criterion least = kind == GOAL_BRANCH ? CRITERION_BRANCH : CRITERION_MCDC;
    return c->coverage.criterion >= least && !*r->options->goals;
}

// What a proof presumes: how the driver builds pointers, and the preconditions of the task
// if it needed them.
static const char *presumed(const struct verdicts_request *r, const char *others, bool assumed)
{
    const char *text = assumed ? assume_text(r->unit, r->task->program_task) : "";
    return !*text ? others
                  : arena_printf(r->arena, "under precondition: %s%s%s", text,
                                 *others ? "; " : "", others);
}

static void judge_branch(const struct verdicts_request *r, size_t goal, const struct result_goal *g)
{
    size_t id = 2 * g->branch + g->outcome;
    if (g->branch == RESULT_NONE)
        result_set_undetermined(r->result, r->task, goal, "the front end has no hook there");
    else if (r->campaign->coverage.covered[id])
        result_set_undetermined(r->result, r->task, goal,
                                "the engine reached it, the replay on the clean build did not");
    else if (!r->unit->instrumented.branch_survives[g->branch])
        result_set_infeasible(r->result, r->task, goal, PROOF_FOLDED, "");
    else if (r->campaign->dead[id])
        result_set_infeasible(r->result, r->task, goal, PROOF_OPTIMISER,
                              presumed(r, *pointer_assumption(r)
                                              ? "executions without undefined behaviour, pointers "
                                                "built as in the driver"
                                              : "executions without undefined behaviour",
                                       r->campaign->assumed[id]));
    else if (explored_for(r, GOAL_BRANCH))
        result_set_infeasible(r->result, r->task, goal, PROOF_EXHAUSTED,
                              presumed(r, pointer_assumption(r), r->campaign->rejected > 0));
}

static void judge_condition(const struct verdicts_request *r, size_t goal,
                            const struct result_goal *g)
{
    if (g->branch == RESULT_NONE) {
        result_set_undetermined(r->result, r->task, goal, "the front end has no hook there");
        return;
    }
    const bool *dead = r->campaign->dead;
    if (r->campaign->coverage.pair_shown[g->branch] && g->unrecorded)
        result_set_undetermined(r->result, r->task, goal,
                                "the engine saw its pair; clang records no vectors of a decision "
                                "in a ?: that is the condition of another");
    else if (r->campaign->coverage.pair_shown[g->branch])
        result_set_undetermined(r->result, r->task, goal,
                                r->campaign->coverage.rule == MCDC_MASKING
                                    ? "shown by masking MC/DC, which llvm-cov does not count"
                                    : "the engine saw its pair, the replay on the clean build did not");
    else if (!r->unit->instrumented.branch_survives[g->branch])
        result_set_infeasible(r->result, r->task, goal, PROOF_FOLDED, "");
    else if (dead[2 * g->branch] || dead[2 * g->branch + 1])
        result_set_infeasible(r->result, r->task, goal, PROOF_OPTIMISER,
                              presumed(r, "one side of the condition is unreachable",
                                       r->campaign->assumed[2 * g->branch] ||
                                           r->campaign->assumed[2 * g->branch + 1]));
    else if (r->campaign->coverage.pair_coupled[g->branch])
        result_set_infeasible(r->result, r->task, goal, PROOF_COUPLED, "");
    else if (explored_for(r, GOAL_CONDITION))
        result_set_infeasible(r->result, r->task, goal, PROOF_EXHAUSTED,
                              presumed(r, pointer_assumption(r), r->campaign->rejected > 0));
}

static void judge_open_goals(const struct verdicts_request *r)
{
    result_set_open_reason(r->result, r->task, open_reason(r)); // unless there is a better one
    for (size_t i = 0; i < r->task->goal_count; i++) {
        size_t goal = r->task->goals[i];
        const struct result_goal *g = &r->result->goals[goal];
        if (r->task->verdicts[i].kind == VERDICT_COVERED)
            continue;
        if (g->kind == GOAL_BRANCH)
            judge_branch(r, goal, g);
        else
            judge_condition(r, goal, g);
    }
}

bool verdicts_give(const struct verdicts_request *r, struct error *err)
{
    for (size_t i = 0; i < r->count; i++) {
        struct result_test *test = r->task->tests.items[i];
        const struct kept_test *kept = &r->campaign->kept.items[r->chosen[i]];
        test->outcome = arena_strdup(&r->result->arena, r->outcomes[i].text);
        test->crashed = replay_crashed(&r->outcomes[i]) || kept->status == WIRE_FAULT;
        test->dies = replay_crashed(&r->outcomes[i]) || r->outcomes[i].status == REPLAY_TIMEOUT;
        if ((kept->status == WIRE_FAULT || kept->first_of_alarm) && !alarms_raise(r, i, err))
            return false;
    }
    if (result_cover(r->result, r->task, r->coverage->unit) &&
        !attribution_find(r, err))
        return false;
    result_set_task_lines(r->result, r->task, &r->unit->program, r->coverage->lines,
                          r->coverage->unit);
    judge_open_goals(r);
    alarms_judge_checks(r, presumed(r, pointer_assumption(r), r->campaign->rejected > 0),
                        open_reason(r));
    return true;
}
