// SPDX-License-Identifier: Apache-2.0
// Building the result model: goals from llvm-cov's list, tasks, tests and verdicts.
// The goals of a function are contiguous: both outcomes of its branches in llvm-cov's
// order, then its MC/DC conditions; so a later coverage of the same executable is
// laid over them by position. Counting is in result_totals.c.
#include "result/result.h"

#include "base/buf.h"
#include "base/map.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void result_init(struct result *result, const char *file)
{
    *result = (struct result){.reproducible = true,
                              .version = "",
                              .options = "",
                              .data_model = "lp64",
                              .directory = ""};
    arena_init(&result->arena);
    result->file = arena_strdup(&result->arena, file);
}

static void release_task(struct result_task *task)
{
    VEC_RELEASE(&task->assumptions);
    VEC_RELEASE(&task->samples);
    VEC_RELEASE(&task->tests);
    VEC_RELEASE(&task->alarms);
    VEC_RELEASE(&task->checks);
}

void result_release(struct result *result)
{
    for (size_t i = 0; i < result->tasks.count; i++)
        release_task(result->tasks.items[i]);
    VEC_RELEASE(&result->tasks);
    VEC_RELEASE(&result->alarms);
    for (size_t i = 0; i < result->preconditions.count; i++)
        VEC_RELEASE(&result->preconditions.items[i].alarms);
    VEC_RELEASE(&result->preconditions);
    VEC_RELEASE(&result->errors);
    VEC_RELEASE(&result->disagreements);
    VEC_RELEASE(&result->notes);
    VEC_RELEASE(&result->layers);
    arena_release(&result->arena);
}

static const char *format_text(struct result *result, const char *format, va_list args)
{
    struct buf text = BUF_INIT;
    buf_vprintf(&text, format, args);
    const char *copy = arena_strdup(&result->arena, buf_text(&text));
    buf_release(&text);
    return copy;
}

#define DEFINE_ADD(name, list)                                                                     \
    void name(struct result *result, const char *format, ...)                                      \
    {                                                                                              \
        va_list args;                                                                              \
        va_start(args, format);                                                                    \
        *VEC_PUSH(&result->list) = format_text(result, format, args);                              \
        va_end(args);                                                                              \
    }
DEFINE_ADD(result_add_error, errors)
DEFINE_ADD(result_add_disagreement, disagreements)
DEFINE_ADD(result_add_note, notes)

void result_add_layer(struct result *result, const struct result_layer *layer)
{
    for (size_t i = 0; i < result->layers.count; i++) {
        struct result_layer *known = &result->layers.items[i];
        if (strcmp(known->name, layer->name) != 0)
            continue;
        known->queries += layer->queries;
        known->sat += layer->sat;
        known->unsat += layer->unsat;
        known->seconds += layer->seconds;
        return;
    }
    struct result_layer *added = VEC_PUSH(&result->layers);
    *added = *layer;
    added->name = arena_strdup(&result->arena, layer->name);
}

// Goals.

static size_t conditions_of(const struct llvmcov_function *function)
{
    size_t count = 0;
    for (size_t i = 0; i < function->decision_count; i++)
        for (size_t c = 0; c < function->decisions[i].condition_count; c++)
            count += !function->decisions[i].conditions[c].constant;
    return count;
}

static void describe_goal(struct result *result, const struct program *program,
                          struct result_goal *goal)
{
    goal->text = "";
    goal->verdict_task = RESULT_NONE;
    goal->file = result->functions[goal->function].file;
    if (goal->branch != RESULT_NONE) {
        const struct branch *known = &program->branches[goal->branch];
        goal->hooked = known->wrapped || known->kind != BRANCH_CONDITION;
        const struct branch *branch = &program->branches[goal->branch];
        goal->is_case = branch->kind != BRANCH_CONDITION;
        goal->text = branch->text ? arena_strdup(&result->arena, branch->text) : "";
        goal->file = branch->at.file ? arena_strdup(&result->arena, branch->at.file) : goal->file;
        goal->source_line = branch->at.source_line;
    } else {
        const struct line_origin *origin =
            program_line(program, result->functions[goal->function].text, goal->at.line);
        if (!origin)
            return;
        goal->file = origin->file ? arena_strdup(&result->arena, origin->file) : goal->file;
        goal->source_line = origin->line;
    }
}

static void add_branch_goals(struct result *result, const struct program *program, size_t owner,
                             const struct llvmcov_function *function)
{
    for (size_t i = 0; i < function->branch_count; i++)
        for (int side = 0; side < 2; side++) {
            size_t id = result->goal_count++;
            const struct llvmcov_branch *branch = &function->branches[i];
            result->goals[id] = (struct result_goal){.kind = GOAL_BRANCH,
                                                     .function = owner,
                                                     .branch = branch->branch,
                                                     .outcome = side == 1,
                                                     .at = branch->at};
            if (branch->branch != RESULT_NONE)
                result->goal_of_branch[2 * branch->branch + (size_t)side] = id;
            describe_goal(result, program, &result->goals[id]);
        }
}

static void add_condition_goals(struct result *result, const struct program *program, size_t owner,
                                const struct llvmcov_decision *decision)
{
    for (size_t c = 0; c < decision->condition_count; c++) {
        const struct llvmcov_condition *condition = &decision->conditions[c];
        if (condition->constant)
            continue;
        size_t id = result->goal_count++;
        result->goals[id] =
            (struct result_goal){.kind = GOAL_CONDITION,
                                 .function = owner,
                                 .branch = condition->branch,
                                 .index = (unsigned)c,
                                 .count = (unsigned)decision->condition_count,
                                 .at = condition->at.line ? condition->at : decision->at};
        if (condition->branch != RESULT_NONE) {
            size_t of = program->branches[condition->branch].decision;
            result->goals[id].unrecorded =
                of < program->decision_count && program->decisions[of].unrecorded;
            result->goal_of_condition[condition->branch] = id;
        }
        describe_goal(result, program, &result->goals[id]);
    }
}

static bool in_a_task(const struct program *program, size_t function)
{
    for (size_t t = 0; t < program->task_count; t++)
        for (size_t i = 0; i < program->tasks[t].function_count; i++)
            if (program->tasks[t].functions[i] == function)
                return true;
    return false;
}

static void describe_function(struct result *result, const struct program *program,
                              const struct llvmcov_function *from, struct result_function *to)
{
    to->unit_name = arena_strdup(&result->arena, from->name);
    to->name = to->unit_name;
    to->file = result->file;
    to->in_totals = true;
    to->text = from->text;
    to->program_function = from->function;
    to->first_goal = result->goal_count;
    if (from->function == RESULT_NONE)
        return;
    const struct function *function = &program->functions[from->function];
    to->name = arena_strdup(&result->arena,
                            function->source_name ? function->source_name : function->name);
    if (function->at.file)
        to->file = arena_strdup(&result->arena, function->at.file);
    to->source_line = function->at.source_line;
    to->in_totals = !function->in_header && !function->in_system_header &&
                    (from->text == 0 || program->is_whole || in_a_task(program, from->function));
    to->in_system_header = function->in_system_header;
}

static void reserve_goals(struct result *result, const struct program *program,
                          const struct llvmcov *coverage)
{
    size_t goals = 0;
    for (size_t i = 0; i < coverage->function_count; i++)
        goals += 2 * coverage->functions[i].branch_count + conditions_of(&coverage->functions[i]);
    result->functions =
        arena_array(&result->arena, struct result_function, coverage->function_count);
    result->goals = arena_array(&result->arena, struct result_goal, goals);
    result->branch_count = program->branch_count;
    result->goal_of_branch = arena_array(&result->arena, size_t, 2 * program->branch_count);
    result->goal_of_condition = arena_array(&result->arena, size_t, program->branch_count);
    for (size_t i = 0; i < 2 * program->branch_count; i++)
        result->goal_of_branch[i] = RESULT_NONE;
    for (size_t i = 0; i < program->branch_count; i++)
        result->goal_of_condition[i] = RESULT_NONE;
}

// A decision in a system header is of no interest to anybody, and neither are its numbers.
static bool is_wanted(const struct program *program, const struct llvmcov_function *function)
{
    return function->text != LLVMCOV_NONE &&
           (function->function == LLVMCOV_NONE ||
            !program->functions[function->function].in_system_header);
}

// llvm-cov's summary of a text against the sum of what it lists: they differ only if
// we read its export wrongly, and then no number of ours can be trusted.
static void check_summary(struct result *result, const struct llvmcov *coverage, size_t text)
{
    const struct llvmcov_file *file = llvmcov_find_file(coverage, coverage->texts[text]);
    size_t branches = 0, conditions = 0;
    for (size_t i = 0; i < coverage->function_count; i++)
        if (coverage->functions[i].text == text) {
            branches += 2 * coverage->functions[i].branch_count;
            conditions += conditions_of(&coverage->functions[i]);
        }
    if (file && (file->branches != branches || file->conditions != conditions))
        result_add_disagreement(
            result,
            "llvm-cov's summary has %llu branches and %llu conditions, its list "
            "of functions %zu and %zu",
            (unsigned long long)file->branches, (unsigned long long)file->conditions, branches,
            conditions);
}

// A header's function that several files of the unit hold: the first one has the goals.
static bool is_copy(const struct program *program, const struct llvmcov_function *function,
                    const bool *there)
{
    return function->function != LLVMCOV_NONE && program->functions[function->function].copy &&
           there[function->function];
}

void result_set_goals(struct result *result, const struct program *program,
                      const struct llvmcov *coverage)
{
    bool *there = xcalloc(program->function_count + 1, sizeof *there);
    for (size_t text = 0; coverage->texts[text]; text++)
        check_summary(result, coverage, text);
    reserve_goals(result, program, coverage);
    for (size_t i = 0; i < coverage->function_count; i++) {
        const struct llvmcov_function *from = &coverage->functions[i];
        if (!is_wanted(program, from) || is_copy(program, from, there))
            continue;
        if (from->function != LLVMCOV_NONE)
            there[from->function] = true;
        size_t owner = result->function_count++;
        struct result_function *to = &result->functions[owner];
        describe_function(result, program, from, to);
        add_branch_goals(result, program, owner, from);
        for (size_t d = 0; d < from->decision_count; d++)
            add_condition_goals(result, program, owner, &from->decisions[d]);
        to->goal_count = result->goal_count - to->first_goal;
    }
    free(there);
}

size_t result_branch_goal(const struct result *result, size_t branch, bool outcome)
{
    return branch < result->branch_count ? result->goal_of_branch[2 * branch + outcome]
                                         : RESULT_NONE;
}

size_t result_condition_goal(const struct result *result, size_t branch)
{
    return branch < result->branch_count ? result->goal_of_condition[branch] : RESULT_NONE;
}

// Tasks and tests.

static int compare_sizes(const void *left, const void *right)
{
    size_t a = *(const size_t *)left, b = *(const size_t *)right;
    return a < b ? -1 : a > b;
}

static void add_task_goals(struct result *result, struct result_task *task)
{
    for (size_t i = 0; i < task->function_count; i++)
        task->goal_count += result->functions[task->functions[i]].goal_count;
    task->goals = arena_array(&result->arena, size_t, task->goal_count);
    task->verdicts = arena_array(&result->arena, struct verdict, task->goal_count);
    size_t at = 0;
    for (size_t i = 0; i < task->function_count; i++) {
        struct result_function *function = &result->functions[task->functions[i]];
        function->tasks++;
        for (size_t g = 0; g < function->goal_count; g++) {
            task->verdicts[at].text = "not searched";
            task->goals[at++] = function->first_goal + g;
        }
    }
}

struct result_task *result_add_task(struct result *result, const struct program *program,
                                    size_t program_task)
{
    const struct task *from = &program->tasks[program_task];
    struct result_task *task = arena_new(&result->arena, struct result_task);
    bool *inside = xcalloc(program->function_count + 1, sizeof *inside);
    for (size_t i = 0; i < from->function_count; i++)
        inside[from->functions[i]] = true;
    task->function = arena_strdup(&result->arena, from->name);
    task->program_task = program_task;
    task->functions = arena_array(&result->arena, size_t, from->function_count);
    // In the order of result.functions, so that the goals ascend.
    for (size_t i = 0; i < result->function_count; i++) {
        size_t id = result->functions[i].program_function;
        if (id != RESULT_NONE && inside[id] && task->function_count < from->function_count)
            task->functions[task->function_count++] = i;
    }
    free(inside);
    add_task_goals(result, task);
    *VEC_PUSH(&result->tasks) = task;
    return task;
}

struct result_test *result_add_test(struct result *result, struct result_task *task,
                                    const char *path, const size_t *goals, size_t goal_count)
{
    struct result_test *test = arena_new(&result->arena, struct result_test);
    test->number = (unsigned)task->tests.count + 1;
    test->path = arena_strdup(&result->arena, path);
    test->outcome = test->fault = test->fault_file = "";
    test->alarm = RESULT_NONE;
    test->goals = arena_array(&result->arena, size_t, goal_count);
    for (size_t i = 0; i < goal_count; i++)
        if (goals[i] != RESULT_NONE)
            test->goals[test->goal_count++] = goals[i];
    if (test->goal_count)
        qsort(test->goals, test->goal_count, sizeof *test->goals, compare_sizes);
    *VEC_PUSH(&task->tests) = test;
    return test;
}

void result_add_assumption(struct result *result, struct result_task *task, const char *text)
{
    for (size_t i = 0; i < task->assumptions.count; i++)
        if (strcmp(task->assumptions.items[i], text) == 0)
            return;
    *VEC_PUSH(&task->assumptions) = arena_strdup(&result->arena, text);
}

// Verdicts.

static struct verdict *find_verdict(const struct result_task *task, size_t goal)
{
    if (!task->goal_count)
        return NULL;
    const size_t *found = bsearch(&goal, task->goals, task->goal_count, sizeof goal, compare_sizes);
    return found ? &task->verdicts[found - task->goals] : NULL;
}

const struct verdict *result_verdict(const struct result_task *task, size_t goal)
{
    return find_verdict(task, goal);
}

static void describe_place(const struct result *result, size_t goal, struct buf *out)
{
    const struct result_goal *it = &result->goals[goal];
    buf_printf(out, "%s:%u: %s%s%s of %s()", it->file, it->source_line,
               it->kind == GOAL_CONDITION ? "condition "
               : it->outcome              ? "true side of "
                                          : "false side of ",
               it->text[0] ? it->text : "a branch", it->kind == GOAL_CONDITION ? " (MC/DC)" : "",
               result->functions[it->function].name);
}

static void disagree(struct result *result, const struct result_task *task, size_t goal,
                     const char *what)
{
    struct buf place = BUF_INIT;
    describe_place(result, goal, &place);
    result_add_disagreement(result, "task %s: %s: %s", task->function, buf_text(&place), what);
    buf_release(&place);
}

void result_set_infeasible(struct result *result, struct result_task *task, size_t goal,
                           enum proof_kind proof, const char *assumptions)
{
    struct verdict *verdict = find_verdict(task, goal);
    if (!verdict)
        return;
    if (verdict->kind == VERDICT_COVERED) {
        disagree(result, task, goal, "claimed infeasible, but a replayed test covers it");
        return;
    }
    *verdict =
        (struct verdict){.kind = VERDICT_INFEASIBLE,
                         .proof = proof,
                         .text = assumptions ? arena_strdup(&result->arena, assumptions) : ""};
}

static void set_open(struct result *result, struct result_task *task, size_t goal,
                     enum verdict_kind kind, const char *text)
{
    struct verdict *verdict = find_verdict(task, goal);
    if (verdict && verdict->kind != VERDICT_COVERED)
        *verdict = (struct verdict){.kind = kind, .text = arena_strdup(&result->arena, text)};
}

void result_set_undetermined(struct result *result, struct result_task *task, size_t goal,
                             const char *reason)
{
    set_open(result, task, goal, VERDICT_UNDETERMINED, reason);
}

void result_set_justified(struct result *result, struct result_task *task, size_t goal,
                          const char *text)
{
    set_open(result, task, goal, VERDICT_JUSTIFIED, text);
}

void result_set_open_reason(struct result *result, struct result_task *task, const char *reason)
{
    const char *copy = arena_strdup(&result->arena, reason);
    for (size_t i = 0; i < task->goal_count; i++)
        if (task->verdicts[i].kind == VERDICT_UNDETERMINED)
            task->verdicts[i].text = copy;
}

// Coverage.

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
static void show_copy(const struct result *result, const struct llvmcov_function *from,
                      bool *shown)
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
        if (2 * from->branch_count + conditions_of(from) != function->goal_count)
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

struct claim {
    unsigned first, second;
    bool clean; // by a test that the engine did not stop: the clean build must agree
}; // numbers of the tests that name a goal

static void collect_claims(const struct result_task *task, struct claim *claims)
{
    for (size_t t = 0; t < task->tests.count; t++) {
        const struct result_test *test = task->tests.items[t];
        for (size_t g = 0; g < test->goal_count; g++) {
            struct claim *claim = &claims[test->goals[g]];
            claim->clean |= !test->cut_short;
            if (!claim->first)
                claim->first = test->number;
            else if (!claim->second)
                claim->second = test->number;
        }
    }
}

// The clean build runs on behind a fault that only the engine stops at, so goals that no
// test claims may belong to such a test; result_attribute finds out.
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
                       const struct claim *claim)
{
    size_t goal = task->goals[at];
    bool is_condition = result->goals[goal].kind == GOAL_CONDITION;
    if (!shown) {
        // A test that went wrong may have overwritten the counters of the clean build.
        if (claim->first && claim->clean && !result->goals[goal].unrecorded)
            disagree(result, task, goal, "the engine saw it covered, the clean replay did not");
        return false;
    }
    bool unseen = !claim->first && result->goals[goal].hooked && !some_run_on(task);
    if (unseen && !is_condition && some_end_early(task)) {
        result->phantoms++;
        return false;
    }
    if (task->verdicts[at].kind == VERDICT_INFEASIBLE)
        disagree(result, task, goal, "claimed infeasible, but a replayed test covers it");
    if (unseen && (!is_condition || task->claims_conditions))
        disagree(result, task, goal, "the clean replay covers it, the engine did not see it");
    task->verdicts[at] = (struct verdict){.kind = VERDICT_COVERED,
                                          .test = claim->first,
                                          .other = is_condition ? claim->second : 0,
                                          .text = ""};
    return !claim->first && !is_condition;
}

size_t result_cover(struct result *result, struct result_task *task, const struct llvmcov *coverage)
{
    bool *shown = xcalloc(result->goal_count + 1, sizeof *shown);
    struct claim *claims = xcalloc(result->goal_count + 1, sizeof *claims);
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

size_t result_attribute(struct result *result, struct result_task *task, struct result_test *test,
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
        if (here)
            verdict->test = test->number;
        if (here && !runs_on(test) && some_run_on(task))
            disagree(result, task, task->goals[i],
                     "the clean replay covers it, the engine did not see it");
        left += lacks_test(result, task, i);
    }
    free(shown);
    return left;
}

size_t result_unattributed(const struct result *result, const struct result_task *task,
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

void result_drop_phantoms(struct result *result, struct result_task *task,
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

void result_cover_total(struct result *result, const struct llvmcov *coverage)
{
    result->shown_in_total = arena_array(&result->arena, bool, result->goal_count + 1);
    mark_shown(result, coverage, result->shown_in_total);
}

// Alarms.

static size_t task_index(const struct result *result, const struct result_task *task)
{
    size_t index = 0;
    while (index < result->tasks.count && result->tasks.items[index] != task)
        index++;
    return index;
}

static const char *copy_text(struct result *result, const char *text)
{
    return arena_strdup(&result->arena, text ? text : "");
}

static size_t find_alarm(const struct result *result, const struct result_alarm *what)
{
    for (size_t id = 0; id < result->alarms.count; id++) {
        const struct result_alarm *old = result->alarms.items[id];
        if (old->line == what->line && !strcmp(old->kind, what->kind) &&
            !strcmp(old->file, what->file))
            return id;
    }
    return RESULT_NONE;
}

static size_t new_alarm(struct result *result, const struct result_task *task, unsigned test,
                        const struct result_alarm *what)
{
    struct result_alarm *alarm = arena_new(&result->arena, struct result_alarm);
    alarm->cause = what->cause;
    alarm->check = copy_text(result, what->check);
    alarm->kind = copy_text(result, what->kind);
    alarm->function = copy_text(result, what->function);
    alarm->file = copy_text(result, what->file);
    alarm->line = what->line;
    alarm->detail = "";
    alarm->test = test;
    alarm->task = task_index(result, task);
    *VEC_PUSH(&result->alarms) = alarm;
    return result->alarms.count - 1;
}

// How to get there, unless a shorter way is known.
static void tell_story(struct result *result, const struct result_task *task, unsigned test,
                       const struct result_alarm *what, struct result_alarm *alarm)
{
    if (!what->input_count || (alarm->input_count && alarm->input_count <= what->input_count))
        return;
    alarm->task = task_index(result, task);
    alarm->test = test;
    alarm->input_count = what->input_count;
    alarm->inputs = arena_array(&result->arena, struct result_input, what->input_count);
    for (size_t i = 0; i < what->input_count; i++) {
        const struct result_input *input = &what->inputs[i];
        alarm->inputs[i] = (struct result_input){copy_text(result, input->path),
                                                 copy_text(result, input->type),
                                                 copy_text(result, input->value), input->matters};
    }
    alarm->way_count = what->way_count;
    alarm->way = arena_array(&result->arena, struct result_step, what->way_count + 1);
    for (size_t i = 0; i < what->way_count; i++) {
        alarm->way[i] = what->way[i];
        alarm->way[i].function = copy_text(result, what->way[i].function);
        alarm->way[i].file = copy_text(result, what->way[i].file);
        alarm->way[i].text = copy_text(result, what->way[i].text);
    }
}

struct result_alarm *result_add_alarm(struct result *result, struct result_task *task,
                                      unsigned test, const struct result_alarm *what)
{
    size_t id = find_alarm(result, what);
    if (id == RESULT_NONE)
        id = new_alarm(result, task, test, what);
    struct result_alarm *alarm = result->alarms.items[id];
    alarm->count++;
    if (what->proof > alarm->proof)
        alarm->proof = what->proof;
    alarm->is_bug |= what->is_bug;
    if (!alarm->function[0])
        alarm->function = copy_text(result, what->function);
    if (!alarm->detail[0])
        alarm->detail = copy_text(result, what->detail);
    tell_story(result, task, test, what, alarm);
    for (size_t i = 0; i < task->alarms.count; i++)
        if (task->alarms.items[i] == id)
            return alarm;
    *VEC_PUSH(&task->alarms) = id;
    return alarm;
}

// Checks.

static bool is_worse(enum check_verdict verdict, enum check_verdict than)
{
    static const int badness[] = {[CHECK_SAFE] = 0, [CHECK_UNDETERMINED] = 1, [CHECK_VIOLATED] = 2};
    return badness[verdict] > badness[than];
}

void result_add_check(struct result *result, struct result_task *task,
                      const struct result_check *check)
{
    for (size_t i = 0; i < task->checks.count; i++) {
        struct result_check *old = &task->checks.items[i];
        if (old->cause != check->cause || old->line != check->line ||
            strcmp(old->file, check->file) != 0)
            continue;
        old->tried += check->tried;
        if (is_worse(check->verdict, old->verdict)) {
            old->verdict = check->verdict;
            old->reason = copy_text(result, check->reason);
        }
        return;
    }
    struct result_check *copy = VEC_PUSH(&task->checks);
    *copy = *check;
    copy->check = copy_text(result, check->check);
    copy->kind = copy_text(result, check->kind);
    copy->function = copy_text(result, check->function);
    copy->file = copy_text(result, check->file);
    copy->reason = copy_text(result, check->reason);
}
