// SPDX-License-Identifier: Apache-2.0
// The invariants of a program: every number is one of something that is there, and branches,
// decisions and switches mean each other. What is wrong here would be a verdict about another
// branch than the user reads.
#include "program/program_check.h"

static bool all_below(const size_t *numbers, size_t count, size_t limit)
{
    for (size_t i = 0; i < count; i++)
        if (numbers[i] >= limit)
            return false;
    return true;
}

static const char *check_function(const struct program *p, const struct function *f)
{
    if (!all_below(f->callees, f->callee_count, p->function_count) ||
        !all_below(f->address_taken, f->address_taken_count, p->function_count))
        return "a function calls one that is not there";
    if (!all_below(f->globals, f->global_count, p->variable_count) ||
        !all_below(f->writes, f->write_count, p->variable_count))
        return "a function uses a variable that is not there";
    for (size_t i = 0; i < f->pair_count; i++)
        if (f->pairs[i].pointer >= f->param_count || f->pairs[i].other >= f->param_count)
            return "a pair of parameters is not there";
    return NULL;
}

static const char *check_branch(const struct program *p, size_t b)
{
    const struct branch *branch = &p->branches[b];
    if (branch->function >= p->function_count)
        return "a branch is of a function that is not there";
    if (branch->kind == BRANCH_CONDITION) {
        if (branch->decision >= p->decision_count)
            return "a condition is of a decision that is not there";
        const struct decision *decision = &p->decisions[branch->decision];
        if (branch->index >= decision->condition_count ||
            p->branches[decision->conditions[branch->index]].id != branch->id)
            return "a condition is not where its decision has it";
    } else if (branch->switch_id >= p->switch_count) {
        return "a case is of a switch that is not there";
    }
    return NULL;
}

static const char *check_decision(const struct program *p, const struct decision *d)
{
    if (d->function >= p->function_count ||
        !all_below(d->conditions, d->condition_count, p->branch_count))
        return "a decision has a condition that is not there";
    if (d->first < DECISION_TRUE || d->first >= (int)d->condition_count)
        return "a decision begins with a condition that is not there";
    for (unsigned i = 0; i < d->condition_count; i++)
        for (unsigned v = 0; v < 2; v++)
            if (d->next[i][v] < DECISION_TRUE || d->next[i][v] >= (int)d->condition_count ||
                (d->next[i][v] >= 0 && d->next[i][v] <= (int)i))
                return "a decision does not go forward";
    return NULL;
}

static const char *check_task(const struct program *p, const struct task *t)
{
    if ((t->entry >= p->function_count && t->entry != TASK_ENTRY_ELSEWHERE) ||
        !all_below(t->functions, t->function_count, p->function_count) ||
        !all_below(t->externals, t->external_count, p->function_count))
        return "a task has a function that is not there";
    return all_below(t->globals, t->global_count, p->variable_count)
               ? NULL
               : "a task has a variable that is not there";
}

const char *program_check(const struct program *p)
{
    const char *wrong = NULL;
    for (size_t i = 0; !wrong && i < p->function_count; i++)
        wrong = check_function(p, &p->functions[i]);
    for (size_t i = 0; !wrong && i < p->decision_count; i++)
        wrong = check_decision(p, &p->decisions[i]);
    for (size_t i = 0; !wrong && i < p->branch_count; i++)
        wrong = check_branch(p, i);
    for (size_t i = 0; !wrong && i < p->switch_count; i++)
        if (p->switches[i].function >= p->function_count ||
            !all_below(p->switches[i].branches, p->switches[i].branch_count, p->branch_count))
            wrong = "a switch has a case that is not there";
    for (size_t i = 0; !wrong && i < p->task_count; i++)
        wrong = check_task(p, &p->tasks[i]);
    return wrong;
}

// In a unit, branches have their numbers.
const char *program_check_unit(const struct program *p)
{
    for (size_t b = 0; b < p->branch_count; b++)
        if (p->branches[b].id != b)
            return "a branch of a unit has another number";
    return program_check(p);
}
