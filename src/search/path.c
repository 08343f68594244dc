// SPDX-License-Identifier: Apache-2.0
// What a path says about its candidates: where they lead, and in which evaluation of a
// decision they are. The tree has only conditions that depend on inputs; the values of
// the others are those that lead from one recorded condition to the next.
#include "search/strategy.h"

#include "base/tunables.h"
#include <string.h>

enum { MAX_CONDITIONS = 64 };

struct candidate candidate_at(const struct tree *tree, const struct coverage *coverage,
                              uint32_t node, uint32_t edge)
{
    const struct tree_node *n = &tree->nodes.items[node];
    const struct tree_edge *e = &tree->edges.items[edge];
    struct candidate c = {.node = node,
                          .edge = edge,
                          .serial = e->serial,
                          .goal = NO_GOAL,
                          .site = n->site,
                          .place = n->place,
                          .depth = n->depth};
    if (n->kind == WIRE_COND)
        c.goal = 2 * n->site + (uint32_t)e->outcome;
    else if (n->kind == WIRE_SWITCH)
        c.goal = 2 * (uint32_t)e->outcome + 1;
    if (c.goal != NO_GOAL && coverage->cfg)
        c.place = coverage->cfg->goal_node[c.goal];
    return c;
}

// Complete a vector with the values of conditions that were not recorded, so that it
// leads from the first condition to `last`; false: it does not fit.
static bool fill(const struct decision *d, unsigned last, struct wire_vector *v)
{
    bool leads[MAX_CONDITIONS] = {0};
    leads[last] = true;
    for (unsigned j = last; j-- > 0;)
        for (unsigned value = 0; value < 2; value++) {
            int next = d->next[j][value];
            bool allowed = !(v->evaluated >> j & 1) || (v->values >> j & 1) == value;
            leads[j] |= allowed && next >= 0 && (unsigned)next <= last && leads[next];
        }
    if (d->first < 0 || !leads[d->first])
        return false;
    uint64_t evaluated = 0;
    for (unsigned at = (unsigned)d->first; at != last;) {
        bool known = v->evaluated >> at & 1;
        unsigned value = known ? v->values >> at & 1 : 0;
        int next = d->next[at][value];
        if (next < 0 || (unsigned)next > last || !leads[next])
            next = d->next[at][value = 1];
        evaluated |= 1ull << at;
        v->values = (v->values & ~(1ull << at)) | (uint64_t)value << at;
        at = (unsigned)next;
    }
    v->evaluated = evaluated | 1ull << last;
    v->values &= v->evaluated;
    return true;
}

struct wire_vector candidate_vector(const struct search_view *view, const struct candidate *c)
{
    const struct tree *tree = view->tree;
    const struct program *program = view->coverage->program;
    struct wire_vector v = {.decision = CFG_NONE};
    const struct tree_node *n = &tree->nodes.items[c->node];
    if (n->kind != WIRE_COND)
        return v;
    const struct branch *branch = &program->branches[n->site];
    const struct decision *d = &program->decisions[branch->decision];
    if (d->condition_count < 2 || d->condition_count > MAX_CONDITIONS)
        return v;
    v.decision = (uint32_t)branch->decision;
    unsigned last = branch->index;
    v.evaluated = 1ull << last;
    v.values = (uint64_t)(c->goal & 1) << last;
    unsigned index = last;
    uint32_t via = n->via, at = n->parent;
    for (unsigned steps = 0; at && index > 0 && steps < SEARCH_VECTOR_STEPS; steps++) {
        n = &tree->nodes.items[at];
        const struct branch *b = n->kind == WIRE_COND ? &program->branches[n->site] : NULL;
        if (b && b->decision == v.decision) {
            if (b->index >= index)
                break; // of an earlier evaluation
            index = b->index;
            v.evaluated |= 1ull << index;
            v.values |= (tree->edges.items[via].outcome & 1) << index;
        }
        via = n->via;
        at = n->parent;
    }
    if (!fill(d, last, &v))
        v.decision = CFG_NONE;
    return v;
}

enum relevance candidate_relevance(const struct search_view *view, const struct candidate *c)
{
    const struct program *program = view->coverage->program;
    const struct tree_node *n = &view->tree->nodes.items[c->node];
    struct wire_vector begun = {.decision = CFG_NONE};
    if (n->kind == WIRE_COND &&
        coverage_wants_decision(view->coverage, program->branches[n->site].decision)) {
        begun = candidate_vector(view, c);
        // Inside a decision that misses pairs nothing is irrelevant, also where its
        // values could not be told.
        if (begun.decision == CFG_NONE)
            return coverage_wants(view->coverage, c->goal) ? MUST_RELEVANT : MAY_RELEVANT;
    }
    return coverage_relevance(view->coverage, c->place, c->goal, &begun);
}

void candidates_on_path(const struct search_view *view, uint32_t leaf, candidate_list *out)
{
    size_t first = out->count;
    for (uint32_t at = leaf; at; at = view->tree->nodes.items[at].parent)
        for (uint32_t e = view->tree->nodes.items[at].first_edge; e;
             e = view->tree->edges.items[e].next)
            if (view->tree->edges.items[e].state == EDGE_OPEN)
                *VEC_PUSH(out) = candidate_at(view->tree, view->coverage, at, e);
    for (size_t i = first, k = out->count; i + 1 < k; i++, k--) {
        struct candidate swap = out->items[i];
        out->items[i] = out->items[k - 1];
        out->items[k - 1] = swap;
    }
}
