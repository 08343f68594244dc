// SPDX-License-Identifier: Apache-2.0
// Building the result model: goals from llvm-cov's list, tasks, tests and verdicts.
// The goals of a function are contiguous: both outcomes of its branches in llvm-cov's
// order, then its MC/DC conditions; so a later coverage of the same executable is
// laid over them by position. Counting is in result_totals.c.
#include "result/result_internal.h"

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

size_t result_conditions_of(const struct llvmcov_function *function)
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
        goals += 2 * coverage->functions[i].branch_count + result_conditions_of(&coverage->functions[i]);
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
            conditions += result_conditions_of(&coverage->functions[i]);
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

void result_disagree(struct result *result, const struct result_task *task, size_t goal,
                     const char *what)
{
    struct buf place = BUF_INIT;
    describe_place(result, goal, &place);
    result_add_disagreement(result, "task %s: %s: %s", task->function, buf_text(&place), what);
    buf_release(&place);
}

void result_set_infeasible(struct result *result, struct result_task *task, size_t goal,
                           enum proof_kind proof, const struct assumptions *assumptions)
{
    struct verdict *verdict = find_verdict(task, goal);
    if (!verdict)
        return;
    if (!assumptions->kinds != !assumptions->text[0])
        BUG("a claim is weak if and only if it names what it presumes");
    if (verdict->kind == VERDICT_COVERED) {
        result_disagree(result, task, goal, "claimed infeasible, but a replayed test covers it");
        return;
    }
    *verdict =
        (struct verdict){.kind = assumptions->kinds ? VERDICT_ASSUMING : VERDICT_INFEASIBLE,
                         .proof = proof,
                         .assumes = assumptions->kinds,
                         .text = arena_strdup(&result->arena, assumptions->text)};
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
