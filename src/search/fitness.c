// SPDX-License-Identifier: Apache-2.0
// See fitness.h.
#include "search/fitness.h"

#include "base/arena.h"
#include "base/tunables.h"
#include "expr/expr.h"
#include "solver/distance.h"
#include <string.h>

void fitness_init(struct fitness *f, const struct search_view *view)
{
    *f = (struct fitness){.view = *view};
    size_t goals = 2 * view->coverage->program->branch_count + 1;
    f->gain = xcalloc(goals, sizeof *f->gain);
    f->flips = xcalloc(goals, sizeof *f->flips);
    map_init(&f->index);
    map_init(&f->distances);
    if (view->exprs)
        flat_init(&f->flat, view->exprs);
}

void fitness_release(struct fitness *f)
{
    for (size_t i = 0; i < f->goals.count; i++) {
        for (size_t k = 0; k < f->goals.items[i].paths.count; k++)
            VEC_RELEASE(&f->goals.items[i].paths.items[k].flips);
        VEC_RELEASE(&f->goals.items[i].paths);
    }
    VEC_RELEASE(&f->goals);
    map_release(&f->index);
    map_release(&f->distances);
    if (f->view.exprs)
        flat_release(&f->flat);
    free(f->gain);
    free(f->flips);
}

static struct fitness_goal *goal_of(struct fitness *f, uint32_t goal)
{
    uint64_t at;
    return goal != NO_GOAL && map_get(&f->index, goal, &at) ? &f->goals.items[at] : NULL;
}

void fitness_offer(struct fitness *f, const struct candidate *candidate)
{
    struct fitness_goal *g = goal_of(f, candidate->goal);
    if (!g)
        return;
    g->seen = *candidate; // the last one counts: it is the nearest to the run's end
    g->is_seen = true;
}

void fitness_failed(struct fitness *f, const struct candidate *candidate)
{
    if (candidate->goal == NO_GOAL || goal_of(f, candidate->goal) ||
        f->goals.count >= SEARCH_FITNESS_GOALS ||
        !coverage_wants(f->view.coverage, candidate->goal))
        return;
    map_put(&f->index, candidate->goal, f->goals.count);
    VEC_PUSH(&f->goals)->goal = candidate->goal;
}

static uint64_t distance_key(uint32_t goal, uint32_t input)
{
    return (uint64_t)goal << 32 | input;
}

// How far the condition was from the goal's side on the run's input.
static uint64_t measure(struct fitness *f, const struct candidate *c, const uint8_t *input,
                        size_t size)
{
    const struct tree_node *n = &f->view.tree->nodes.items[c->node];
    expr_id wanted = c->goal & 1 ? n->value : expr_not(f->view.exprs, n->value);
    if (expr_is_const(f->view.exprs, wanted))
        return UINT64_MAX;
    flat_compile(&f->flat, &wanted, 1, input, size);
    return distance_of(&f->flat, f->flat.roots[0]);
}

static void add_path(struct fitness *f, struct fitness_goal *g, uint64_t distance)
{
    size_t at = g->paths.count;
    while (at && g->paths.items[at - 1].distance > distance)
        at--;
    if (at == SEARCH_FITNESS_PATHS)
        return;
    struct fitness_path made = {.distance = distance};
    candidates_on_path(&f->view, f->view.tree->nodes.items[g->seen.node].parent, &made.flips);
    if (made.flips.count > SEARCH_FITNESS_FLIPS) { // the nearest to the goal
        memmove(made.flips.items, made.flips.items + made.flips.count - SEARCH_FITNESS_FLIPS,
                SEARCH_FITNESS_FLIPS * sizeof *made.flips.items);
        made.flips.count = SEARCH_FITNESS_FLIPS;
    }
    if (g->paths.count == SEARCH_FITNESS_PATHS) {
        g->paths.count--;
        VEC_RELEASE(&g->paths.items[SEARCH_FITNESS_PATHS - 1].flips);
    }
    VEC_PUSH(&g->paths);
    memmove(&g->paths.items[at + 1], &g->paths.items[at],
            (g->paths.count - 1 - at) * sizeof *g->paths.items);
    g->paths.items[at] = made;
}

// What the flip that led to this run changed.
static void learn(struct fitness *f, uint32_t goal, const struct candidate *chosen,
                  uint32_t parent_input, uint64_t distance)
{
    uint64_t before;
    if (!chosen || chosen->goal == NO_GOAL || distance == UINT64_MAX ||
        !map_get(&f->distances, distance_key(goal, parent_input), &before))
        return;
    f->gain[chosen->goal] += (double)(before - 1) - (double)distance;
    f->flips[chosen->goal]++;
}

void fitness_ran(struct fitness *f, const struct run_report *report)
{
    const struct tree *tree = f->view.tree;
    for (size_t i = 0; i < f->goals.count; i++) {
        struct fitness_goal *g = &f->goals.items[i];
        if (!g->is_seen)
            continue;
        g->is_seen = false;
        if (!candidate_is_open(&f->view, &g->seen) || !coverage_wants(f->view.coverage, g->goal) ||
            tree->nodes.items[g->seen.node].kind != WIRE_COND)
            continue;
        uint64_t distance = measure(f, &g->seen, report->input, report->input_size);
        if (distance == UINT64_MAX)
            continue;
        map_put(&f->distances, distance_key(g->goal, tree->nodes.items[g->seen.node].input),
                distance + 1);
        learn(f, g->goal, report->chosen, report->parent_input, distance);
        add_path(f, g, distance);
    }
}

static double expected(const struct fitness *f, const struct candidate *c)
{
    return c->goal != NO_GOAL && f->flips[c->goal] ? f->gain[c->goal] / f->flips[c->goal] : 0;
}

// The best flip of all paths; paths without open flips go.
static bool best_flip(struct fitness *f, struct fitness_goal *g, struct candidate *out)
{
    double best = 0;
    bool found = false;
    for (size_t i = 0; i < g->paths.count; i++) {
        struct fitness_path *path = &g->paths.items[i];
        size_t kept = 0;
        for (size_t k = 0; k < path->flips.count; k++) {
            const struct candidate c = path->flips.items[k];
            if (!candidate_is_open(&f->view, &c))
                continue;
            path->flips.items[kept++] = c;
            double value = (double)path->distance - expected(f, &c);
            if (!found || value < best) {
                best = value;
                *out = c;
                found = true;
            }
        }
        path->flips.count = kept;
    }
    return found;
}

bool fitness_choose(struct fitness *f, struct candidate *out)
{
    for (size_t i = 0; i < f->goals.count; i++) {
        struct fitness_goal *g = &f->goals.items[f->turn++ % f->goals.count];
        if (coverage_wants(f->view.coverage, g->goal) && best_flip(f, g, out)) {
            g->tries++;
            return true;
        }
    }
    return false;
}
