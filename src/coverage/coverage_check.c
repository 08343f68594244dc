// SPDX-License-Identifier: Apache-2.0
// The invariants of the coverage structure: counts are what counting again yields, only goals of
// the task are covered, and what ran through is covered.
#include "coverage/coverage.h"

struct coverage_tally {
    size_t goals, covered, dead, pairs;
};

static const char *check_goal(const struct coverage *c, size_t goal, struct coverage_tally *tally)
{
    if (!c->is_goal[goal] && (c->covered[goal] || c->dead[goal] || c->ran[goal]))
        return "a goal of another task is covered or dead";
    if (c->ran[goal] && !c->covered[goal])
        return "a goal that an execution ran through is not covered";
    tally->goals += c->is_goal[goal];
    tally->covered += c->covered[goal];
    tally->dead += c->dead[goal];
    return NULL;
}

static const char *check_vector(const struct coverage *c, const struct decision_vector *v)
{
    if (v->decision >= c->program->decision_count)
        return "a vector is of a decision that is not there";
    bool outcome;
    if (!mcdc_outcome(&c->program->decisions[v->decision], v->evaluated, v->values, &outcome) ||
        outcome != v->outcome)
        return "a vector of a decision has another outcome than its conditions yield";
    return NULL;
}

static const char *check_pairs(const struct coverage *c, struct coverage_tally *tally)
{
    for (size_t b = 0; b < c->program->branch_count; b++) {
        if (c->pair_ran[b] && !c->pair_shown[b])
            return "a pair of vectors ran through and is not shown";
        tally->pairs += c->pair_shown[b];
    }
    return NULL;
}

const char *coverage_check(const struct coverage *c)
{
    struct coverage_tally tally = {0};
    const char *wrong = NULL;
    for (size_t goal = 0; !wrong && goal < 2 * c->program->branch_count; goal++)
        wrong = check_goal(c, goal, &tally);
    for (size_t i = 0; !wrong && i < c->vectors.count; i++)
        wrong = check_vector(c, &c->vectors.items[i]);
    if (!wrong)
        wrong = check_pairs(c, &tally);
    if (wrong)
        return wrong;
    if (tally.goals != c->goal_count || tally.covered != c->covered_count ||
        tally.dead != c->dead_count || tally.pairs != c->pair_count)
        return "goals, covered ones, dead ones or pairs are counted wrongly";
    return c->statement_count <= c->statement_total ? NULL : "more statements ran than there are";
}
