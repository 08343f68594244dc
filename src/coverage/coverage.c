// SPDX-License-Identifier: Apache-2.0
// Goals of one task, and what covers them; see coverage.h.
#include "coverage/coverage.h"

#include "base/check.h"
#include "base/tunables.h"

#include <stdlib.h>
#include <string.h>

static bool has_pair(const struct coverage *c, size_t branch)
{
    const struct branch *b = &c->program->branches[branch];
    return c->is_goal[2 * branch] && b->kind == BRANCH_CONDITION &&
           c->program->decisions[b->decision].condition_count > 1;
}

static void add_goals(struct coverage *c)
{
    for (size_t b = 0; b < c->program->branch_count; b++) {
        const struct branch *branch = &c->program->branches[b];
        if (branch->folded || !c->in_task[branch->function])
            continue;
        c->is_goal[2 * b] = c->is_goal[2 * b + 1] = true;
        c->goal_count += 2;
        c->pair_total += has_pair(c, b);
    }
}

void coverage_init(struct coverage *c, const struct program *program, size_t task)
{
    assert(task < program->task_count);
    *c = (struct coverage){
        .program = program, .task = &program->tasks[task], .criterion = CRITERION_MCDC, .epoch = 1};
    size_t goals = 2 * program->branch_count;
    c->is_goal = xcalloc(goals, sizeof(bool));
    c->covered = xcalloc(goals, sizeof(bool));
    c->ran = xcalloc(goals, sizeof(bool));
    c->crashes = xcalloc(goals, sizeof *c->crashes);
    c->dead = xcalloc(goals, sizeof(bool));
    c->pair_shown = xcalloc(program->branch_count, sizeof(bool));
    c->pair_ran = xcalloc(program->branch_count, sizeof(bool));
    c->pair_coupled = xcalloc(program->branch_count, sizeof(bool));
    c->in_task = xcalloc(program->function_count, sizeof(bool));
    c->by_decision = xcalloc(program->decision_count, sizeof *c->by_decision);
    map_init(&c->helpful);
    for (size_t i = 0; i < c->task->function_count; i++)
        c->in_task[c->task->functions[i]] = true;
    add_goals(c);
}

void coverage_use(struct coverage *c, enum criterion criterion, enum mcdc_rule rule,
                  struct cfg *cfg)
{
    c->criterion = criterion;
    c->rule = rule;
    c->cfg = cfg && cfg->node_count ? cfg : NULL;
    c->epoch++;
    if (!c->cfg)
        return;
    c->wanted_node = xcalloc(cfg->node_count + 1, sizeof(bool));
    c->up = xcalloc(cfg->node_count + 1, sizeof *c->up);
    c->down = xcalloc(cfg->node_count + 1, sizeof *c->down);
    statements_init(c);
    mcdc_find_coupled(c);
}

void coverage_release(struct coverage *c)
{
    for (size_t i = 0; c->program && i < c->program->decision_count; i++)
        VEC_RELEASE(&c->by_decision[i]);
    void *owned[] = {c->by_decision,  c->is_goal,      c->covered,  c->dead,
                     c->ran,          c->crashes,      c->pair_ran, c->target,
                     c->pair_shown,   c->pair_coupled, c->in_task,  c->executed,
                     c->is_statement, c->wanted_node,  c->up,       c->down};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        free(owned[i]);
    VEC_RELEASE(&c->vectors);
    map_release(&c->helpful);
    cfg_walk_release(&c->walk);
    *c = (struct coverage){0};
}

void coverage_forget_graph(struct coverage *c)
{
    c->cfg = NULL;
    c->epoch++;
}

void coverage_aim(struct coverage *c, uint32_t goal)
{
    assert(goal < 2 * c->program->branch_count);
    if (!c->target)
        c->target = xcalloc(2 * c->program->branch_count, sizeof(bool));
    c->target[goal] = true;
    c->epoch++;
}

void coverage_set_dead(struct coverage *c, uint32_t goal)
{
    assert(goal < 2 * c->program->branch_count);
    if (!c->is_goal[goal] || c->dead[goal])
        return;
    c->dead[goal] = true;
    c->dead_count++;
    c->epoch++;
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

struct run {
    struct coverage_gain gain;
    bool crashed;
    bool changed; // what is wanted
};

static void note_end(struct coverage *c, uint32_t goal, struct run *run)
{
    if (c->ran[goal])
        return;
    if (!run->crashed) {
        c->ran[goal] = run->changed = true;
        run->gain.ran += c->covered[goal];
    } else if (c->crashes[goal] < COVERAGE_CRASHES) {
        c->has_crashed |= !c->resigned;
        run->changed |= ++c->crashes[goal] == COVERAGE_CRASHES;
    }
}

static void cover(struct coverage *c, uint32_t goal, void *context)
{
    struct run *run = context;
    struct coverage_gain *g = &run->gain;
    note_end(c, goal, run);
    if (c->covered[goal])
        return;
    c->covered[goal] = true;
    c->covered_count++;
    g->goals++;
    g->statements += statements_infer(c, goal);
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

struct coverage_gain coverage_add(struct coverage *c, const uint32_t *goals, size_t goal_count,
                                  const struct wire_vector *vectors, size_t vector_count,
                                  bool crashed)
{
    struct run run = {.crashed = crashed};
    for (size_t i = 0; i < goal_count; i++)
        visit_goal(c, goals[i], cover, &run);
    struct coverage_gain gain = run.gain;
    for (size_t i = 0; i < vector_count; i++)
        mcdc_add(c, &vectors[i], crashed, &gain);
    if (gain.goals || gain.vectors || gain.statements || gain.ran || run.changed)
        c->epoch++;
    gain.items = c->criterion == CRITERION_STATEMENT ? gain.statements
                 : c->criterion == CRITERION_BRANCH  ? gain.goals
                                                     : gain.goals + gain.pairs;
    DEBUG_MUST_HOLD(coverage_check(c));
    return gain;
}

// Is a test that runs through worth looking for?
static bool wants_run(const struct coverage *c, uint32_t goal)
{
    return c->through && !c->ran[goal] && !c->resigned && c->crashes[goal] < COVERAGE_CRASHES;
}

bool coverage_wants(const struct coverage *c, uint32_t goal)
{
    return goal / 2 < c->program->branch_count && c->is_goal[goal] &&
           (!c->covered[goal] || wants_run(c, goal)) && !c->dead[goal] &&
           (c->target ? c->target[goal] : c->criterion != CRITERION_STATEMENT);
}

static bool has_run_through(const struct coverage *c, size_t branch)
{
    return c->pair_ran[branch] || !c->through || c->resigned ||
           (c->crashes[2 * branch] >= COVERAGE_CRASHES &&
            c->crashes[2 * branch + 1] >= COVERAGE_CRASHES);
}

bool coverage_wants_pair(const struct coverage *c, size_t branch)
{
    return c->criterion == CRITERION_MCDC && !c->target && has_pair(c, branch) &&
           !(c->pair_shown[branch] && has_run_through(c, branch)) && !c->pair_coupled[branch] &&
           !c->dead[2 * branch] && !c->dead[2 * branch + 1];
}

bool coverage_wants_decision(const struct coverage *c, size_t decision)
{
    const struct decision *d = &c->program->decisions[decision];
    for (unsigned i = 0; d->condition_count > 1 && i < d->condition_count; i++)
        if (coverage_wants_pair(c, d->conditions[i]))
            return true;
    return false;
}

static bool wants_statements(const struct coverage *c)
{
    return c->criterion == CRITERION_STATEMENT && !c->target && c->cfg &&
           c->statement_count < c->statement_total;
}

static bool is_complete(const struct coverage *c)
{
    if (c->criterion == CRITERION_STATEMENT && !c->target && !c->cfg)
        return false; // nobody knows
    for (size_t goal = 0; goal < 2 * c->program->branch_count; goal++)
        if (coverage_wants(c, (uint32_t)goal))
            return false;
    for (size_t b = 0; b < c->program->branch_count; b++)
        if (coverage_wants_pair(c, b))
            return false;
    return !wants_statements(c);
}

// What is wanted sooner or later.
static struct coverage in_the_end(const struct coverage *c)
{
    struct coverage all = *c;
    all.through = true;
    return all;
}

bool coverage_only_crashed(struct coverage *now)
{
    const struct coverage all = in_the_end(now), *c = &all;
    bool others = wants_statements(c);
    now->has_crashed = false;
    for (uint32_t goal = 0; goal < 2 * c->program->branch_count; goal++)
        if (coverage_wants(c, goal))
            *(c->covered[goal] ? &now->has_crashed : &others) = true;
    for (size_t b = 0; b < c->program->branch_count; b++)
        if (coverage_wants_pair(c, b))
            *(c->pair_shown[b] ? &now->has_crashed : &others) = true;
    return now->has_crashed && !others;
}

void coverage_set_through(struct coverage *c, bool through)
{
    if (c->through == through)
        return;
    c->through = through;
    c->epoch++;
    if (through)
        c->known = 0; // more is wanted than before: distances of then will not do
}

void coverage_resign(struct coverage *c)
{
    c->resigned = true;
    c->has_crashed = false;
    c->epoch++;
}

bool coverage_complete(struct coverage *c)
{
    if (c->complete_known != c->epoch) {
        const struct coverage all = in_the_end(c);
        c->complete_known = c->epoch;
        c->complete = is_complete(&all);
    }
    return c->complete;
}

size_t coverage_items(const struct coverage *c, size_t *total)
{
    if (c->criterion == CRITERION_STATEMENT) {
        *total = c->statement_total;
        return c->statement_count;
    }
    bool pairs = c->criterion == CRITERION_MCDC;
    *total = c->goal_count + (pairs ? c->pair_total : 0);
    return c->covered_count + (pairs ? c->pair_count : 0);
}
