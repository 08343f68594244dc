// SPDX-License-Identifier: Apache-2.0
// Counting: the file's verdict of each goal, and the numbers of summary.json.
// Totals count every function of the tested file once; functions from headers are
// listed but not counted, neither in tasks nor in totals, unless they are tasks themselves.
#include "result/result.h"

#include "base/buf.h"
#include "base/error.h"
#include "base/fs.h"
#include "base/map.h"
#include <stdlib.h>
#include <string.h>

const char *verdict_name(enum verdict_kind kind)
{
    static const char *const names[] = {"undetermined", "covered", "infeasible",
                                        "infeasible_assuming", "justified"};
    return names[kind];
}

const char *assumption_name(unsigned kind)
{
    return kind == ASSUMES_OBJECTS        ? "objects"
           : kind == ASSUMES_BOUND        ? "bounds"
           : kind == ASSUMES_PRECONDITION ? "preconditions"
           : kind == ASSUMES_ENVIRONMENT  ? "environment"
                                          : "no_undefined_behaviour";
}

static const struct {
    const char *name, *title, *advice;
} open_causes[] = {
#define OPEN_CAUSE(name, word, title, advice) {word, title, advice},
#include "result/open_causes.def"
#undef OPEN_CAUSE
};

const char *open_cause_name(int cause)
{
    return open_causes[cause].name;
}

const char *open_cause_title(int cause)
{
    return open_causes[cause].title;
}

const char *open_cause_advice(int cause)
{
    return open_causes[cause].advice;
}

const char *proof_name(enum proof_kind kind)
{
    static const char *const names[] = {"", "folded by the compiler", "removed by the optimiser",
                                        "all paths explored",
                                        "the decision's conditions contradict each other"};
    return names[kind];
}

const char *check_verdict_name(enum check_verdict verdict)
{
    static const char *const names[] = {[CHECK_UNDETERMINED] = "never failed",
                                        [CHECK_VIOLATED] = "violated",
                                        [CHECK_SAFE] = "safe"};
    return names[verdict];
}

const char *site_verdict_name(enum site_verdict verdict)
{
    static const char *const names[SITE_VERDICTS] = {[SITE_VIOLATES] = "violates",
                                                     [SITE_MAY_VIOLATE] = "may violate",
                                                     [SITE_RESPECTS] = "respects"};
    return names[verdict];
}

const char *alarm_proof_name(enum alarm_proof proof)
{
    static const char *const names[] = {"not replayed: --time", "not reproduced",
                                        "nothing confirmed it", "reproduced on the clean build",
                                        "reproduced under sanitizers"};
    return names[proof];
}

// Verdicts.

void result_count_goal(struct result_counts *counts, enum goal_kind kind,
                       const struct verdict *verdict)
{
    size_t *const branches[] = {&counts->branches_undetermined, &counts->branches_covered,
                                &counts->branches_infeasible, &counts->branches_infeasible_assuming,
                                &counts->branches_justified};
    size_t *const conditions[] = {&counts->conditions_undetermined, &counts->conditions_covered,
                                  &counts->conditions_infeasible,
                                  &counts->conditions_infeasible_assuming,
                                  &counts->conditions_justified};
    ++*(kind == GOAL_BRANCH ? &counts->branches : &counts->conditions);
    ++*(kind == GOAL_BRANCH ? branches : conditions)[verdict->kind];
    if (verdict->kind == VERDICT_COVERED && verdict->by_crash)
        ++*(kind == GOAL_BRANCH ? &counts->branches_covered_by_crash
                                : &counts->conditions_covered_by_crash);
}

// Which of two tasks' verdicts holds for the file: a smaller rank wins.
int verdict_rank(const struct verdict *verdict)
{
    static const int ranks[] = {[VERDICT_COVERED] = 0,
                                [VERDICT_JUSTIFIED] = 2,
                                [VERDICT_UNDETERMINED] = 3,
                                [VERDICT_ASSUMING] = 4,
                                [VERDICT_INFEASIBLE] = 5};
    return ranks[verdict->kind] + (verdict->kind == VERDICT_COVERED && verdict->by_crash);
}

static bool assumes_already(const struct verdict *verdict,
                            const struct result_assumption *assumption)
{
    for (size_t i = 0; i < verdict->assumption_count; i++)
        if (verdict->assumptions[i].kind == assumption->kind &&
            !strcmp(verdict->assumptions[i].text, assumption->text))
            return true;
    return false;
}

// Two proofs of the same goal in different tasks hold under the assumptions of both.
static void join_assumptions(struct result *result, struct verdict *into,
                             const struct verdict *more)
{
    into->assumes |= more->assumes;
    if (!strstr(into->text, more->text))
        into->text = arena_printf(&result->arena, "%s; %s", into->text, more->text);
    struct result_assumption *items =
        arena_array(&result->arena, struct result_assumption,
                    into->assumption_count + more->assumption_count + 1);
    size_t count = into->assumption_count;
    if (count)
        memcpy(items, into->assumptions, count * sizeof *items);
    for (size_t i = 0; i < more->assumption_count; i++)
        if (!assumes_already(into, &more->assumptions[i]))
            items[count++] = more->assumptions[i];
    into->assumptions = items;
    into->assumption_count = count;
}

static void merge_verdict(struct result *result, struct result_goal *goal, size_t task,
                          const struct verdict *verdict)
{
    if (goal->verdict_task == RESULT_NONE || verdict_rank(verdict) < verdict_rank(&goal->verdict)) {
        goal->verdict = *verdict;
        goal->verdict_task = task;
    } else if (verdict->kind == VERDICT_ASSUMING && goal->verdict.kind == VERDICT_ASSUMING) {
        join_assumptions(result, &goal->verdict, verdict);
    }
}

bool result_counts_alarm(const struct result_alarm *alarm)
{
    return alarm->proof > ALARM_NOT_REPRODUCED && !alarm->ruled_out;
}

static void count_alarm(const struct result_alarm *alarm, struct result_counts *counts)
{
    bool counted = result_counts_alarm(alarm);
    counts->alarms += counted && !alarm->is_bug;
    counts->bugs += counted && alarm->is_bug;
}

static void count_checks(const struct result_task *task, struct result_counts *counts)
{
    counts->checks += task->checks.count;
    for (size_t i = 0; i < task->checks.count; i++) {
        counts->checks_violated += task->checks.items[i].verdict == CHECK_VIOLATED;
        counts->checks_safe += task->checks.items[i].verdict == CHECK_SAFE;
    }
}

// The user's word takes the place of an open verdict, and of no other.
static struct verdict justified(const struct result_goal *goal, const struct verdict *verdict)
{
    if (verdict->kind != VERDICT_UNDETERMINED || !goal->justification)
        return *verdict;
    return (struct verdict){.kind = VERDICT_JUSTIFIED, .text = goal->justification};
}

static void aggregate_task(struct result *result, size_t number)
{
    struct result_task *task = result->tasks.items[number];
    struct result_counts counts = {.lines = task->counts.lines,
                                   .lines_covered = task->counts.lines_covered,
                                   .tests = task->tests.count};
    for (size_t i = 0; i < task->goal_count; i++) {
        struct result_goal *goal = &result->goals[task->goals[i]];
        struct verdict verdict = justified(goal, &task->verdicts[i]);
        merge_verdict(result, goal, number, &verdict);
        if (result->functions[goal->function].in_totals)
            result_count_goal(&counts, goal->kind, &verdict);
    }
    for (size_t i = 0; i < task->alarms.count; i++)
        count_alarm(result->alarms.items[task->alarms.items[i]], &counts);
    count_checks(task, &counts);
    task->counts = counts;
}

static bool some_task_crashes(const struct result *result, size_t goal)
{
    for (size_t i = 0; i < result->tasks.count; i++) {
        const struct result_task *task = result->tasks.items[i];
        for (size_t t = 0; result_verdict(task, goal) && t < task->tests.count; t++)
            if (task->tests.items[t]->crashed)
                return true;
    }
    return false;
}

static const struct result_part *part_of(const struct result *result,
                                         const struct result_goal *goal)
{
    return result->parts.items[result->functions[goal->function].part];
}

// What only the tests of several tasks together show. Which of them do is not known.
static void merge_total(struct result *result)
{
    for (size_t i = 0; i < result->goal_count; i++) {
        struct result_goal *goal = &result->goals[i];
        bool phantom = part_of(result, goal)->phantoms && goal->kind == GOAL_BRANCH && goal->hooked;
        if (!goal->shown_in_total || goal->verdict.kind == VERDICT_COVERED || phantom)
            continue;
        goal->verdict = (struct verdict){.kind = VERDICT_COVERED,
                                         .by_crash = some_task_crashes(result, i),
                                         .text = "by tests of several tasks together"};
        goal->verdict_task = RESULT_NONE;
    }
}

static bool adds_up(const struct result_counts *counts)
{
    return counts->branches == counts->branches_covered + counts->branches_infeasible +
                                   counts->branches_infeasible_assuming +
                                   counts->branches_undetermined + counts->branches_justified &&
           counts->conditions == counts->conditions_covered + counts->conditions_infeasible +
                                     counts->conditions_infeasible_assuming +
                                     counts->conditions_undetermined +
                                     counts->conditions_justified &&
           counts->branches_covered_by_crash <= counts->branches_covered &&
           counts->conditions_covered_by_crash <= counts->conditions_covered;
}

// A run of one file has one part, which says what the result says.
static void describe_only_part(struct result *result)
{
    if (!result->parts.count)
        *VEC_PUSH(&result->parts) = arena_new(&result->arena, struct result_part);
    if (result->parts.count != 1)
        BUG("a run of one file with %zu parts", result->parts.count);
    *result->parts.items[0] = (struct result_part){.file = result->file,
                                                   .name = "",
                                                   .directory = "",
                                                   .home = result->directory,
                                                   .working_directory = result->working_directory,
                                                   .project_file = result->project_file,
                                                   .just_file = result->just_file,
                                                   .version = result->version,
                                                   .options = result->options,
                                                   .data_model = result->data_model,
                                                   .flags = result->flags,
                                                   .seed = result->seed,
                                                   .reproducible = result->reproducible,
                                                   .unfinished = result->unfinished,
                                                   .exits = result->exits,
                                                   .seconds = result->seconds,
                                                   .setup_seconds = result->setup_seconds,
                                                   .lines = result->lines,
                                                   .lines_covered = result->lines_covered,
                                                   .phantoms = result->phantoms,
                                                   .slow_queries = result->slow_queries};
}

static void begin_part(struct result_part *part)
{
    part->totals =
        (struct result_counts){.lines = part->lines, .lines_covered = part->lines_covered};
    memset(part->assuming, 0, sizeof part->assuming);
    memset(part->open, 0, sizeof part->open);
}

static void count_goals(struct result *result)
{
    for (size_t i = 0; i < result->goal_count; i++) {
        const struct result_goal *goal = &result->goals[i];
        const struct result_function *function = &result->functions[goal->function];
        struct result_part *part = result->parts.items[function->part];
        if (!function->in_totals)
            continue;
        result_count_goal(&part->totals, goal->kind, &goal->verdict);
        for (unsigned kind = 0; kind < ASSUMPTION_KINDS; kind++)
            part->assuming[kind] += goal->verdict.assumes >> kind & 1;
        for (int cause = 0; cause < OPEN_CAUSES; cause++)
            part->open[cause] += goal->verdict.causes >> cause & 1;
    }
}

static void add_up_parts(struct result *result)
{
    result->totals = (struct result_counts){0};
    memset(result->assuming, 0, sizeof result->assuming);
    memset(result->open, 0, sizeof result->open);
    for (size_t i = 0; i < result->parts.count; i++) {
        const struct result_part *part = result->parts.items[i];
        if (!adds_up(&part->totals))
            BUG("the verdicts do not add up");
#define ADD(name) result->totals.name += part->totals.name;
        RESULT_COUNTS(ADD)
#undef ADD
        for (unsigned kind = 0; kind < ASSUMPTION_KINDS; kind++)
            result->assuming[kind] += part->assuming[kind];
        for (int cause = 0; cause < OPEN_CAUSES; cause++)
            result->open[cause] += part->open[cause];
    }
    if (result->is_project)
        result_share_goals(result);
    if (!adds_up(&result->totals))
        BUG("the verdicts of the files do not add up");
}

void result_aggregate(struct result *result)
{
    if (!result->is_project)
        describe_only_part(result);
    for (size_t i = 0; i < result->parts.count; i++)
        begin_part(result->parts.items[i]);
    for (size_t i = 0; i < result->goal_count; i++) {
        struct verdict open = {.text = "no task calls this function"};
        result->goals[i].verdict = justified(&result->goals[i], &open);
        result->goals[i].verdict_task = RESULT_NONE;
    }
    for (size_t i = 0; i < result->tasks.count; i++) {
        const struct result_task *task = result->tasks.items[i];
        struct result_counts *totals = &result->parts.items[task->part]->totals;
        aggregate_task(result, i);
        totals->tests += task->tests.count;
        count_checks(task, totals);
    }
    merge_total(result);
    count_goals(result);
    for (size_t i = 0; i < result->alarms.count; i++)
        count_alarm(result->alarms.items[i],
                    &result->parts.items[result->alarms.items[i]->part]->totals);
    add_up_parts(result);
}

exit_set result_exits(const struct result *result)
{
    exit_set set = result->exits;
    if (result->totals.bugs)
        set |= exit_bit(EXIT_BUGS);
    if (result->unfinished)
        set |= exit_bit(EXIT_INCOMPLETE) | exit_bit(EXIT_RETRY);
    return set;
}
