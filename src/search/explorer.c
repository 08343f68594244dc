// SPDX-License-Identifier: Apache-2.0
// Between runs and queries; see explorer.h.
#include "search/explorer.h"

#include "base/arena.h"

// A check that sits in a loop is met on every path; so many of them are tried.
enum { HUNTS_PER_SITE = 24, HUNT_OVER = 1 << 20 };

void explorer_init(struct explorer *x, const struct program *program, struct coverage *coverage,
                   struct expr_pool *pool, const struct explorer_options *options)
{
    *x = (struct explorer){.program = program, .coverage = coverage, .pool = pool,
                           .strategy = options->strategy, .enumerate = options->enumerate};
    tree_init(&x->tree);
    map_init(&x->hunted);
    x->rng.state = options->seed;
    struct search_view view = {&x->tree, coverage, &x->rng};
    x->strategy_state = x->strategy->create(&view);
}

void explorer_release(struct explorer *x)
{
    if (x->strategy_state)
        x->strategy->destroy(x->strategy_state);
    tree_release(&x->tree);
    map_release(&x->hunted);
    VEC_RELEASE(&x->hunts);
    VEC_RELEASE(&x->stamps);
    *x = (struct explorer){0};
}

static void offer(struct explorer *x, uint32_t node, uint32_t edge)
{
    const struct tree_node *n = &x->tree.nodes.items[node];
    uint64_t outcome = x->tree.edges.items[edge].outcome;
    struct candidate candidate = {.node = node, .edge = edge, .goal = NO_GOAL, .site = n->site};
    if (n->kind == WIRE_COND)
        candidate.goal = 2 * n->site + (uint32_t)outcome;
    else if (n->kind == WIRE_SWITCH)
        candidate.goal = 2 * (uint32_t)outcome + 1;
    x->strategy->offer(x->strategy_state, &candidate);
}

static void offer_outcome(struct explorer *x, uint32_t node, uint64_t outcome)
{
    if (!tree_edge_of(&x->tree, node, outcome))
        offer(x, node, tree_add_edge(&x->tree, node, outcome));
}

static void offer_hunt(struct explorer *x, uint32_t node)
{
    uint32_t edge = tree_add_edge(&x->tree, node, 0);
    tree_set_state(&x->tree, edge, EDGE_SKIPPED);
    *VEC_PUSH(&x->hunts) = (struct candidate){node, edge, NO_GOAL, x->tree.nodes.items[node].site};
}

bool explorer_next_hunt(struct explorer *x, struct candidate *out)
{
    while (x->next_hunt < x->hunts.count) {
        *out = x->hunts.items[x->next_hunt++];
        uint64_t attempts = 0;
        map_get(&x->hunted, out->site, &attempts);
        if (attempts >= HUNTS_PER_SITE)
            continue;
        map_put(&x->hunted, out->site, attempts + 1);
        return true;
    }
    return false;
}

// A new node: everything that did not happen there is a candidate.
static void offer_alternatives(struct explorer *x, uint32_t node, uint64_t taken)
{
    const struct tree_node n = x->tree.nodes.items[node];
    switch (n.kind) {
    case WIRE_COND:
    case WIRE_BRANCH:
        offer_outcome(x, node, !taken);
        break;
    case WIRE_CHECK:
        if (taken)
            offer_hunt(x, node);
        break;
    case WIRE_PIN:
        offer_outcome(x, node, TREE_OTHER);
        break;
    case WIRE_SWITCH: {
        const struct switch_point *point = &x->program->switches[n.site];
        for (size_t i = 0; i < point->branch_count; i++)
            offer_outcome(x, node, point->branches[i]);
        break;
    }
    }
}

// Has this run asserted the expression already? Then the decision follows from
// what came before, and is no decision.
static bool asserted(struct explorer *x, expr_id value)
{
    VEC_RESERVE(&x->stamps, value + 1);
    if (x->stamps.items[value] == x->run)
        return true;
    x->stamps.items[value] = x->run;
    return false;
}

static uint64_t outcome_of(const struct wire_record *record)
{
    return record->kind == WIRE_PIN ? record->value : record->outcome;
}

static bool known_site(const struct explorer *x, const struct wire_record *record)
{
    if (record->kind == WIRE_COND)
        return record->site < x->program->branch_count;
    if (record->kind == WIRE_SWITCH)
        return record->site < x->program->switch_count &&
               record->outcome < x->program->branch_count;
    return true;
}

bool explorer_absorb(struct explorer *x, struct trace_decoder *decoder,
                     const struct wire_record *records, size_t count, uint32_t input, bool *grew,
                     struct error *err)
{
    *grew = false;
    x->run++;
    tree_begin(&x->tree);
    for (size_t i = 0; i < count; i++) {
        const struct wire_record *record = &records[i];
        expr_id value;
        if (!record->label)
            continue;
        if (!known_site(x, record))
            return error_set(err, ERROR_INTERNAL, "record %zu names a place that is not there", i);
        if (!trace_label(decoder, record->label, &value, err))
            return error_context(err, "decoding record %zu", i);
        if (expr_is_const(x->pool, value) || asserted(x, value))
            continue;
        if (record->kind == WIRE_PIN && record->value == TREE_OTHER)
            x->divergences++; // cannot be told from "any other value": no proof by exhaustion
        struct tree_node decision = {.site = record->site, .kind = record->kind,
                                     .check = record->check, .value = value, .input = input};
        bool is_new;
        uint32_t node = tree_step(&x->tree, &decision, outcome_of(record), &is_new);
        if (!node) {
            x->not_deterministic = true;
            return true;
        }
        if (record->kind == WIRE_CHECK && record->outcome == 0)
            map_put(&x->hunted, record->site, HUNT_OVER);
        if (is_new) {
            *grew = true;
            offer_alternatives(x, node, outcome_of(record));
        }
    }
    return true;
}

bool explorer_next(struct explorer *x, struct candidate *out)
{
    while (x->strategy->choose(x->strategy_state, out)) {
        if (x->tree.edges.items[out->edge].state == EDGE_OPEN)
            return true;
    }
    return false;
}

uint32_t explorer_input(const struct explorer *x, const struct candidate *candidate)
{
    return x->tree.nodes.items[candidate->node].input;
}

static expr_id in_range(struct explorer *x, expr_id value, const struct branch *branch)
{
    unsigned width = expr_get(x->pool, value)->width;
    expr_id low = expr_const64(x->pool, width, 0), high = low;
    struct expr_value l = {(uint64_t)branch->low, branch->low < 0 ? UINT64_MAX : 0};
    struct expr_value h = {(uint64_t)branch->high, branch->high < 0 ? UINT64_MAX : 0};
    if (width <= 64) {
        uint64_t mask = width == 64 ? UINT64_MAX : (1ull << width) - 1;
        l = (struct expr_value){l.low & mask, 0};
        h = (struct expr_value){h.low & mask, 0};
    } else {
        uint64_t mask = width == 128 ? UINT64_MAX : (1ull << (width - 64)) - 1;
        l.high &= mask;
        h.high &= mask;
    }
    low = expr_const(x->pool, width, l);
    high = expr_const(x->pool, width, h);
    if (branch->low == branch->high)
        return expr_binary(x->pool, EXPR_EQ, value, low);
    // low <= value <= high in either signedness is value - low <= high - low unsigned.
    return expr_binary(x->pool, EXPR_ULE, expr_binary(x->pool, EXPR_SUB, value, low),
                       expr_binary(x->pool, EXPR_SUB, high, low));
}

static expr_id switch_constraint(struct explorer *x, const struct tree_node *node, uint64_t outcome)
{
    const struct branch *wanted = &x->program->branches[outcome];
    if (wanted->kind == BRANCH_CASE)
        return in_range(x, node->value, wanted);
    const struct switch_point *point = &x->program->switches[node->site];
    expr_id all = expr_true(x->pool);
    for (size_t i = 0; i < point->branch_count; i++) {
        const struct branch *branch = &x->program->branches[point->branches[i]];
        if (branch->kind == BRANCH_CASE)
            all = expr_and(x->pool, all, expr_not(x->pool, in_range(x, node->value, branch)));
    }
    return all;
}

static expr_id equals(struct explorer *x, expr_id value, uint64_t constant)
{
    unsigned width = expr_get(x->pool, value)->width;
    uint64_t mask = width >= 64 ? UINT64_MAX : (1ull << width) - 1;
    return expr_binary(x->pool, EXPR_EQ, value, expr_const64(x->pool, width, constant & mask));
}

static expr_id pin_constraint(struct explorer *x, const struct tree_node *node, uint64_t outcome)
{
    if (outcome != TREE_OTHER)
        return equals(x, node->value, outcome);
    expr_id all = expr_true(x->pool);
    for (uint32_t e = node->first_edge; e; e = x->tree.edges.items[e].next)
        if (x->tree.edges.items[e].outcome != TREE_OTHER)
            all = expr_and(x->pool, all,
                           expr_not(x->pool, equals(x, node->value, x->tree.edges.items[e].outcome)));
    return all;
}

static expr_id constraint(struct explorer *x, uint32_t node, uint64_t outcome)
{
    const struct tree_node n = x->tree.nodes.items[node];
    if (n.kind == WIRE_SWITCH)
        return switch_constraint(x, &n, outcome);
    if (n.kind == WIRE_PIN)
        return pin_constraint(x, &n, outcome);
    return outcome ? n.value : expr_not(x->pool, n.value);
}

void explorer_constraints(struct explorer *x, const struct candidate *candidate, expr_list *out)
{
    out->count = 0;
    uint32_t depth = x->tree.nodes.items[candidate->node].depth + 1;
    VEC_RESERVE(out, depth);
    out->count = depth;
    uint32_t node = candidate->node, edge = candidate->edge;
    for (uint32_t i = depth; i-- > 0;) {
        out->items[i] = constraint(x, node, x->tree.edges.items[edge].outcome);
        edge = x->tree.nodes.items[node].via;
        node = x->tree.nodes.items[node].parent;
    }
}

static unsigned values_seen(const struct explorer *x, uint32_t node)
{
    unsigned seen = 0;
    for (uint32_t e = x->tree.nodes.items[node].first_edge; e; e = x->tree.edges.items[e].next)
        seen += x->tree.edges.items[e].outcome != TREE_OTHER;
    return seen;
}

// "Any other value" was tried with success: there may be more.
static void settle_enumeration(struct explorer *x, const struct candidate *candidate)
{
    unsigned seen = values_seen(x, candidate->node);
    unsigned before = x->tree.edges.items[candidate->edge].seen;
    x->tree.edges.items[candidate->edge].seen = seen;
    if (seen == before) {
        tree_set_state(&x->tree, candidate->edge, EDGE_DIVERGED);
        x->divergences++;
    } else if (seen >= x->enumerate) {
        tree_set_state(&x->tree, candidate->edge, EDGE_LIMIT);
    } else {
        offer(x, candidate->node, candidate->edge);
    }
}

void explorer_settle(struct explorer *x, const struct candidate *candidate,
                     enum solver_answer answer)
{
    const struct tree_edge *edge = &x->tree.edges.items[candidate->edge];
    if (x->tree.nodes.items[candidate->node].kind == WIRE_CHECK)
        return; // no path lies behind it
    if (answer == SOLVER_UNSAT) {
        tree_set_state(&x->tree, candidate->edge, EDGE_INFEASIBLE);
    } else if (answer == SOLVER_UNKNOWN) {
        tree_set_state(&x->tree, candidate->edge, EDGE_UNKNOWN);
    } else if (edge->outcome == TREE_OTHER && x->tree.nodes.items[candidate->node].kind == WIRE_PIN) {
        settle_enumeration(x, candidate);
    } else if (edge->state == EDGE_OPEN) {
        tree_set_state(&x->tree, candidate->edge, EDGE_DIVERGED);
        x->divergences++;
    }
}

bool explorer_exhausted(const struct explorer *x)
{
    return !x->tree.open && !x->tree.given_up && !x->not_deterministic;
}
