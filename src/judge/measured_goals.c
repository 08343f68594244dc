// SPDX-License-Identifier: Apache-2.0
// The goals of a result, from llvm-cov's list. Those of a function are contiguous: both outcomes of
// its branches in llvm-cov's order, then its MC/DC conditions; so a later coverage of the same
// executable is laid over them by position (measured_coverage.c).
#include "judge/measured.h"

#include "base/arena.h"
#include <stdlib.h>

size_t measured_conditions_of(const struct llvmcov_function *function)
{
    size_t count = 0;
    for (size_t i = 0; i < function->decision_count; i++)
        count += llvmcov_conditions_of(&function->decisions[i]);
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
        goal->hooked = known->wrapped || (known->kind != BRANCH_CONDITION && !known->unseen);
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
                                                     .decision = RESULT_NONE,
                                                     .outcome = side == 1,
                                                     .at = branch->at};
            if (branch->branch != RESULT_NONE)
                result->goal_of_branch[2 * branch->branch + (size_t)side] = id;
            describe_goal(result, program, &result->goals[id]);
        }
}

// The program's decision of which these are the conditions, or RESULT_NONE.
static size_t decision_of(const struct program *program, const struct llvmcov_decision *decision)
{
    for (size_t c = 0; c < decision->condition_count; c++)
        if (decision->conditions[c].branch != RESULT_NONE) {
            size_t of = program->branches[decision->conditions[c].branch].decision;
            return of < program->decision_count ? of : RESULT_NONE;
        }
    return RESULT_NONE;
}

static void add_decision(struct result *result, const struct program *program, size_t owner,
                         const struct llvmcov_decision *decision)
{
    const struct line_origin *origin =
        program_line(program, result->functions[owner].text, decision->at.line);
    *VEC_PUSH(&result->decisions) = (struct result_decision){
        .function = owner,
        .program_decision = decision_of(program, decision),
        .file = origin && origin->file ? arena_strdup(&result->arena, origin->file)
                                       : result->functions[owner].file,
        .source_line = origin ? origin->line : 0,
        .at = decision->at,
        .conditions = (unsigned)decision->condition_count};
}

static void add_condition_goals(struct result *result, const struct program *program, size_t owner,
                                const struct llvmcov_decision *decision)
{
    if (llvmcov_conditions_of(decision))
        add_decision(result, program, owner, decision);
    for (size_t c = 0; c < decision->condition_count; c++) {
        const struct llvmcov_condition *condition = &decision->conditions[c];
        if (condition->constant)
            continue;
        size_t id = result->goal_count++;
        result->goals[id] =
            (struct result_goal){.kind = GOAL_CONDITION,
                                 .function = owner,
                                 .branch = condition->branch,
                                 .decision = result->decisions.count - 1,
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

// A function of a header is a task only if the user names it (frontend/tasks.c), and then counts.
static bool is_task(const struct program *program, size_t function)
{
    for (size_t t = 0; t < program->task_count; t++)
        if (program->tasks[t].entry == function)
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
    to->in_header = function->in_header || function->in_system_header;
    to->in_totals = is_task(program, from->function) ||
                    (!to->in_header &&
                     (from->text == 0 || program->is_whole || in_a_task(program, from->function)));
    to->in_system_header = function->in_system_header;
}

static void reserve_goals(struct result *result, const struct program *program,
                          const struct llvmcov *coverage)
{
    size_t goals = 0;
    for (size_t i = 0; i < coverage->function_count; i++)
        goals += 2 * coverage->functions[i].branch_count +
                 measured_conditions_of(&coverage->functions[i]);
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

// A decision in a system header is of no interest to anybody, and neither are its numbers,
// unless the user names the function.
static bool is_wanted(const struct program *program, const struct llvmcov_function *function)
{
    return function->text != LLVMCOV_NONE &&
           (function->function == LLVMCOV_NONE ||
            !program->functions[function->function].in_system_header ||
            is_task(program, function->function));
}

// llvm-cov's summary of a text against the sum of what it lists, with what is no goal because
// it is never evaluated: they differ only if we read its export wrongly, and then no number of
// ours can be trusted.
static void check_summary(struct result *result, const struct llvmcov *coverage, size_t text)
{
    const struct llvmcov_file *file = llvmcov_find_file(coverage, coverage->texts[text]);
    size_t branches = 0, conditions = 0;
    for (size_t i = 0; i < coverage->function_count; i++)
        if (coverage->functions[i].text == text) {
            const struct llvmcov_function *function = &coverage->functions[i];
            branches += 2 * (function->branch_count + function->unevaluated_branches);
            conditions += measured_conditions_of(function) + function->unevaluated_conditions;
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

void measured_set_goals(struct result *result, const struct program *program,
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
