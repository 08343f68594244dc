// SPDX-License-Identifier: Apache-2.0
// Must-relevant, may-relevant, irrelevant (CAUT, algorithm 2), and how far away and how
// many the wanted goals are. All is computed from the graph and the wanted goals, once
// per change of coverage, for every node at the same time.
//
// CAUT calls a candidate irrelevant when a node and its direct successors are covered;
// here it is irrelevant only if no path at all leads to anything wanted, so that an
// uncovered goal of an exhausted search is unreachable.
#include "coverage/coverage.h"

#include "base/tunables.h"
#include <string.h>

static void want(struct coverage *c, size_t goal)
{
    const struct cfg_list *nodes = &c->cfg->goal_nodes;
    for (uint32_t i = nodes->first[goal]; i < nodes->first[goal + 1]; i++)
        c->wanted_node[nodes->of[i]] = true;
}

// The branch point itself: what leads to the goal's nodes.
static void want_point(struct coverage *c, size_t goal)
{
    const struct cfg_list *nodes = &c->cfg->goal_nodes, *preds = &c->cfg->preds;
    for (uint32_t i = nodes->first[goal]; i < nodes->first[goal + 1]; i++)
        for (uint32_t p = preds->first[nodes->of[i]]; p < preds->first[nodes->of[i] + 1]; p++)
            if (c->cfg->nodes[preds->of[p]].kind == CFG_COND)
                c->wanted_node[preds->of[p]] = true;
}

// "Not this case" has no node of its own: every other case of the switch shows it.
static void want_other_cases(struct coverage *c, size_t branch)
{
    const struct switch_point *point =
        &c->program->switches[c->program->branches[branch].switch_id];
    for (size_t i = 0; i < point->branch_count; i++)
        if (point->branches[i] != branch)
            want(c, 2 * point->branches[i] + 1);
}

static void want_goals(struct coverage *c)
{
    for (uint32_t goal = 0; goal < c->cfg->goal_count; goal++) {
        if (!coverage_wants(c, goal))
            continue;
        c->wanted_count++;
        if (!(goal & 1) && c->program->branches[goal / 2].kind != BRANCH_CONDITION)
            want_other_cases(c, goal / 2);
        else
            want(c, goal);
    }
}

static void want_decisions(struct coverage *c)
{
    for (size_t i = 0; i < c->program->decision_count; i++) {
        const struct decision *d = &c->program->decisions[i];
        if (!coverage_wants_decision(c, i))
            continue;
        for (unsigned k = 0; k < d->condition_count; k++) {
            c->wanted_count += coverage_wants_pair(c, d->conditions[k]);
            want_point(c, 2 * d->conditions[k]);
        }
    }
}

// Distances cost time in proportion to the graph, so in a large one they are computed once
// for several changes of coverage.
static bool is_fresh(struct coverage *c)
{
    if (c->known == c->epoch)
        return true;
    return c->known && c->epoch - c->known <= c->cfg->node_count / COVERAGE_NODES_PER_EPOCH &&
           c->asked++ < COVERAGE_QUESTIONS;
}

static void refresh(struct coverage *c)
{
    if (c->helpful_known != c->epoch) {
        c->helpful_known = c->epoch;
        map_clear(&c->helpful);
    }
    if (!c->cfg || is_fresh(c))
        return;
    c->known = c->epoch;
    c->asked = 0;
    memset(c->wanted_node, 0, c->cfg->node_count);
    c->wanted_count = 0;
    want_goals(c);
    want_decisions(c);
    for (uint32_t n = 0;
         c->criterion == CRITERION_STATEMENT && !c->target && n < c->cfg->node_count; n++)
        if (c->is_statement[n] && !c->executed[n]) {
            c->wanted_node[n] = true;
            c->wanted_count++;
        }
    cfg_distances(c->cfg, c->wanted_node, c->up, c->down);
}

static bool helps(struct coverage *c, const struct wire_vector *begun)
{
    uint64_t key = hash_mix(hash_mix(begun->decision + 1 ^ begun->evaluated * 3) ^ begun->values);
    uint64_t known;
    if (map_get(&c->helpful, key, &known))
        return known;
    struct wire_vector target;
    known = coverage_vector_helps(c, begun, &target);
    map_put(&c->helpful, key, known);
    return known;
}

enum relevance coverage_relevance(struct coverage *c, uint32_t place, uint32_t goal,
                                  const struct wire_vector *begun)
{
    refresh(c);
    if (coverage_wants(c, goal))
        return MUST_RELEVANT;
    bool inside =
        begun->decision < c->program->decision_count && coverage_wants_decision(c, begun->decision);
    if (inside && helps(c, begun))
        return MUST_RELEVANT;
    if (inside || !c->cfg || place == CFG_NONE)
        return MAY_RELEVANT;
    if (c->up[place] == CFG_FAR)
        return IRRELEVANT;
    return c->up[place] == 0 && c->known == c->epoch ? MUST_RELEVANT : MAY_RELEVANT;
}

uint32_t coverage_distance(struct coverage *c, uint32_t place)
{
    refresh(c);
    return !c->cfg || place == CFG_NONE ? CFG_FAR - 1 : c->up[place];
}

struct tally {
    const struct coverage *coverage;
    size_t count;
};

static void tally(uint32_t node, unsigned level, void *context)
{
    struct tally *t = context;
    (void)level;
    t->count += t->coverage->wanted_node[node];
}

size_t coverage_potential(struct coverage *c, uint32_t place, unsigned levels)
{
    refresh(c);
    if (!c->cfg || place == CFG_NONE)
        return 0;
    struct tally t = {c, 0};
    cfg_walk_down(c->cfg, &c->walk, place, levels, tally, &t);
    return t.count;
}
