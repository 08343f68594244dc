// SPDX-License-Identifier: Apache-2.0
// Goals and decision vectors of one task.
#include "coverage/coverage.h"

#include <stdlib.h>
#include <string.h>

static void add_goals(struct coverage *c)
{
    for (size_t b = 0; b < c->program->branch_count; b++) {
        const struct branch *branch = &c->program->branches[b];
        if (branch->folded || !c->in_task[branch->function])
            continue;
        c->is_goal[2 * b] = c->is_goal[2 * b + 1] = true;
        c->goal_count += 2;
        if (branch->kind == BRANCH_CONDITION &&
            c->program->decisions[branch->decision].condition_count > 1)
            c->pair_total++;
    }
}

void coverage_init(struct coverage *c, const struct program *program, size_t task)
{
    *c = (struct coverage){.program = program, .task = &program->tasks[task]};
    size_t goals = 2 * program->branch_count;
    c->is_goal = xcalloc(goals, sizeof(bool));
    c->covered = xcalloc(goals, sizeof(bool));
    c->dead = xcalloc(goals, sizeof(bool));
    c->pair_shown = xcalloc(program->branch_count, sizeof(bool));
    c->in_task = xcalloc(program->function_count, sizeof(bool));
    c->by_decision = xcalloc(program->decision_count, sizeof *c->by_decision);
    for (size_t i = 0; i < c->task->function_count; i++)
        c->in_task[c->task->functions[i]] = true;
    add_goals(c);
}

void coverage_release(struct coverage *c)
{
    for (size_t i = 0; c->program && i < c->program->decision_count; i++)
        VEC_RELEASE(&c->by_decision[i]);
    free(c->by_decision);
    VEC_RELEASE(&c->vectors);
    free(c->is_goal);
    free(c->covered);
    free(c->dead);
    free(c->pair_shown);
    free(c->in_task);
    *c = (struct coverage){0};
}

// Every outcome that follows from one reported goal, handed to `each`.
typedef void goal_visitor(struct coverage *c, uint32_t goal, void *context);

static void visit_goal(struct coverage *c, uint32_t goal, goal_visitor *each, void *context)
{
    size_t id = goal / 2;
    if (id >= c->program->branch_count || !c->is_goal[goal])
        return;
    each(c, goal, context);
    const struct branch *branch = &c->program->branches[id];
    if (branch->kind == BRANCH_CONDITION || !(goal & 1))
        return;
    const struct switch_point *point = &c->program->switches[branch->switch_id];
    for (size_t i = 0; i < point->branch_count; i++)
        if (point->branches[i] != id && c->is_goal[2 * point->branches[i]])
            each(c, (uint32_t)(2 * point->branches[i]), context);
}

static void cover(struct coverage *c, uint32_t goal, void *gain)
{
    if (c->covered[goal])
        return;
    c->covered[goal] = true;
    c->covered_count++;
    ((struct coverage_gain *)gain)->goals++;
}

struct expansion {
    uint32_t *out;
    size_t count;
};

static void collect(struct coverage *c, uint32_t goal, void *context)
{
    (void)c;
    struct expansion *e = context;
    e->out[e->count++] = goal;
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

size_t coverage_expand(const struct coverage *c, const uint32_t *goals, size_t goal_count,
                       uint32_t *out)
{
    // A switch that is executed often yields its false outcomes many times over, so
    // collect into a scratch set first.
    size_t room = 2 * c->program->branch_count;
    bool *seen = xcalloc(room, 1);
    uint32_t *some = xcalloc(room + 1, sizeof *some);
    size_t count = 0;
    for (size_t i = 0; i < goal_count; i++) {
        struct expansion e = {some, 0};
        visit_goal((struct coverage *)c, goals[i], collect, &e);
        for (size_t k = 0; k < e.count; k++)
            if (!seen[some[k]]) {
                seen[some[k]] = true;
                out[count++] = some[k];
            }
    }
    qsort(out, count, sizeof *out, by_number);
    free(some);
    free(seen);
    return count;
}

static bool decision_outcome(const struct decision *decision, uint64_t evaluated, uint64_t values,
                             bool *outcome)
{
    int at = 0;
    for (unsigned steps = 0; steps <= decision->condition_count; steps++) {
        if (at < 0) {
            *outcome = at == DECISION_TRUE;
            return true;
        }
        if ((unsigned)at >= decision->condition_count || at >= 64 || !(evaluated >> at & 1))
            return false;
        at = decision->next[at][values >> at & 1];
    }
    return false;
}

size_t coverage_find_vector(const struct coverage *c, const struct wire_vector *vector)
{
    if (vector->decision >= c->program->decision_count)
        return SIZE_MAX;
    size_t *items = c->by_decision[vector->decision].items;
    for (size_t i = 0; i < c->by_decision[vector->decision].count; i++) {
        const struct decision_vector *known = &c->vectors.items[items[i]];
        if (known->evaluated == vector->evaluated && known->values == vector->values)
            return items[i];
    }
    return SIZE_MAX;
}

static bool shows(const struct decision_vector *a, const struct decision_vector *b, unsigned index)
{
    uint64_t bit = 1ull << index, both = a->evaluated & b->evaluated;
    return a->outcome != b->outcome && (both & bit) && ((a->values ^ b->values) & both) == bit;
}

bool coverage_pair(const struct coverage *c, size_t branch, const bool *prefer, size_t pair[2])
{
    const struct branch *condition = &c->program->branches[branch];
    size_t *items = c->by_decision[condition->decision].items;
    size_t count = c->by_decision[condition->decision].count;
    int best = -1;
    if (condition->index >= 64)
        return false;
    for (size_t i = 0; i < count && best < 2; i++) {
        for (size_t k = i + 1; k < count && best < 2; k++) {
            if (!shows(&c->vectors.items[items[i]], &c->vectors.items[items[k]], condition->index))
                continue;
            int score = prefer ? prefer[items[i]] + prefer[items[k]] : 2;
            if (score <= best)
                continue;
            best = score;
            pair[0] = items[i];
            pair[1] = items[k];
        }
    }
    return best >= 0;
}

// Which conditions does a new vector show together with those that were there?
static size_t update_pairs(struct coverage *c, size_t added)
{
    const struct decision_vector *vector = &c->vectors.items[added];
    const struct decision *decision = &c->program->decisions[vector->decision];
    size_t shown = 0;
    for (size_t i = 0; i < c->by_decision[vector->decision].count; i++) {
        const struct decision_vector *other =
            &c->vectors.items[c->by_decision[vector->decision].items[i]];
        uint64_t difference = (vector->values ^ other->values) & vector->evaluated & other->evaluated;
        if (vector->outcome == other->outcome || !difference || (difference & (difference - 1)))
            continue;
        size_t branch = decision->conditions[__builtin_ctzll(difference)];
        if (!c->pair_shown[branch]) {
            c->pair_shown[branch] = true;
            c->pair_count++;
            shown++;
        }
    }
    return shown;
}

static void add_vector(struct coverage *c, const struct wire_vector *vector,
                       struct coverage_gain *gain)
{
    if (vector->decision >= c->program->decision_count ||
        coverage_find_vector(c, vector) != SIZE_MAX)
        return;
    const struct decision *decision = &c->program->decisions[vector->decision];
    bool outcome;
    if (!c->in_task[decision->function] ||
        !decision_outcome(decision, vector->evaluated, vector->values, &outcome))
        return;
    size_t index = c->vectors.count;
    *VEC_PUSH(&c->vectors) = (struct decision_vector){vector->decision, outcome, vector->evaluated,
                                                      vector->values};
    gain->pairs += update_pairs(c, index);
    *VEC_PUSH(&c->by_decision[vector->decision]) = index;
    gain->vectors++;
}

struct coverage_gain coverage_add(struct coverage *c, const uint32_t *goals, size_t goal_count,
                                  const struct wire_vector *vectors, size_t vector_count)
{
    struct coverage_gain gain = {0};
    for (size_t i = 0; i < goal_count; i++)
        visit_goal(c, goals[i], cover, &gain);
    for (size_t i = 0; i < vector_count; i++)
        add_vector(c, &vectors[i], &gain);
    return gain;
}

bool coverage_wants(const struct coverage *c, uint32_t goal)
{
    return goal / 2 < c->program->branch_count && c->is_goal[goal] && !c->covered[goal] &&
           !c->dead[goal];
}

bool coverage_complete(const struct coverage *c)
{
    for (size_t goal = 0; goal < 2 * c->program->branch_count; goal++)
        if (coverage_wants(c, (uint32_t)goal))
            return false;
    for (size_t b = 0; b < c->program->branch_count; b++) {
        const struct branch *branch = &c->program->branches[b];
        if (c->is_goal[2 * b] && branch->kind == BRANCH_CONDITION && !c->pair_shown[b] &&
            c->program->decisions[branch->decision].condition_count > 1 && !c->dead[2 * b] &&
            !c->dead[2 * b + 1])
            return false;
    }
    return true;
}
