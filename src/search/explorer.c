// SPDX-License-Identifier: Apache-2.0
// Between runs and queries; see explorer.h.
#include "search/explorer.h"

#include "base/arena.h"
#include "base/check.h"
#include "base/tunables.h"
#include "search/tree_check.h"
#include <time.h>

void explorer_init(struct explorer *x, const struct program *program, struct coverage *coverage,
                   struct expr_pool *pool, const struct explorer_options *options)
{
    *x = (struct explorer){.program = program,
                           .coverage = coverage,
                           .pool = pool,
                           .strategy = options->strategy,
                           .enumerate = options->enumerate,
                           .details = options->details,
                           .filter = !options->no_filter};
    tree_init(&x->tree);
    check_hunts_init(&x->hunts);
    x->rng.state = options->seed;
    x->view = (struct search_view){&x->tree, coverage, &x->rng, &x->candidates, pool, &x->details};
    pool_init(&x->candidates, &x->view);
    x->strategy_state = x->strategy->create(&x->view);
}

void explorer_release(struct explorer *x)
{
    if (x->strategy_state)
        x->strategy->destroy(x->strategy_state);
    pool_release(&x->candidates);
    tree_release(&x->tree);
    check_hunts_release(&x->hunts);
    VEC_RELEASE(&x->urgent);
    VEC_RELEASE(&x->postponed);
    VEC_RELEASE(&x->aside);
    VEC_RELEASE(&x->stamps);
    VEC_RELEASE(&x->cursor.steps);
    VEC_RELEASE(&x->cursor.constraints);
    *x = (struct explorer){0};
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

// When all is covered nothing is wanted any more, and nothing is filtered either: what
// is then still tried is tried for alarms.
static bool is_filtered(struct explorer *x, const struct candidate *candidate)
{
    return x->filter && candidate_relevance(&x->view, candidate) == IRRELEVANT &&
           !coverage_complete(x->coverage);
}

// It leads to nothing that is wanted: for good, unless tests that run through will be looked for.
static void set_filtered(struct explorer *x, const struct candidate *candidate)
{
    bool aside = x->coverage->has_crashed && !x->coverage->through && x->aside.count < SEARCH_ASIDE;
    tree_set_state(&x->tree, candidate->node, candidate->edge,
                   aside ? EDGE_POSTPONED : EDGE_FILTERED);
    if (aside)
        *VEC_PUSH(&x->aside) = *candidate;
}

static void offer(struct explorer *x, uint32_t node, uint32_t edge)
{
    struct candidate candidate = candidate_at(&x->tree, x->coverage, node, edge);
    if (is_filtered(x, &candidate)) {
        set_filtered(x, &candidate);
        return;
    }
    pool_add(&x->candidates, &candidate);
    x->strategy->offer(x->strategy_state, &candidate);
}

static void offer_outcome(struct explorer *x, uint32_t node, uint64_t outcome)
{
    if (!tree_edge_of(&x->tree, node, outcome))
        offer(x, node, tree_add_edge(&x->tree, node, outcome));
}

// ---- checks ----

static struct check_goal *goal_of(struct explorer *x, uint32_t node)
{
    const struct tree_node *n = &x->tree.nodes.items[node];
    return check_hunts_goal(&x->hunts, n->site, n->check);
}

static void offer_hunt(struct explorer *x, uint32_t node)
{
    struct check_goal *goal = goal_of(x, node);
    if (!check_hunts_want(goal)) {
        goal->capped = true;
        return;
    }
    uint32_t edge = tree_add_edge(&x->tree, node, 0);
    tree_set_state(&x->tree, node, edge, EDGE_SKIPPED);
    struct candidate candidate = candidate_at(&x->tree, x->coverage, node, edge);
    check_hunts_add(&x->hunts, goal, &candidate);
}

bool explorer_next_hunt(struct explorer *x, bool eager, struct candidate *out)
{
    struct hunt hunt;
    while (check_hunts_next(&x->hunts, eager ? SEARCH_HUNT_EAGER : SEARCH_HUNT_RANKS, &hunt)) {
        struct check_goal *goal = &x->hunts.goals.items[hunt.goal];
        *out = hunt.candidate;
        if (!tree_is(&x->tree, out->edge, out->serial, EDGE_SKIPPED))
            continue;
        if (!goal->violated) {
            goal->tried++;
            return true;
        }
        tree_set_state(&x->tree, out->node, out->edge, EDGE_HUNTED);
    }
    return false;
}

// ---- runs ----

// A new node: everything that did not happen there is a candidate.
static void offer_alternatives(struct explorer *x, uint32_t node, uint64_t taken)
{
    const struct tree_node n = x->tree.nodes.items[node];
    switch (n.kind) {
    case WIRE_COND:
    case WIRE_BRANCH: offer_outcome(x, node, !taken); break;
    case WIRE_CHECK: // one that was violated at once: the search goes on where it holds
        if (taken)
            offer_hunt(x, node);
        else
            offer_outcome(x, node, 1);
        break;
    case WIRE_PIN: offer_outcome(x, node, TREE_OTHER); break;
    case WIRE_SWITCH: {
        const struct switch_point *point = &x->program->switches[n.site];
        for (size_t i = 0; i < point->branch_count; i++)
            offer_outcome(x, node, point->branches[i]);
        break;
    }
    }
}

// After the default of one switch, another switch over the same value still decides.
static bool settles_value(const struct explorer *x, const struct wire_record *record)
{
    if (record->kind != WIRE_SWITCH)
        return true;
    const struct branch *taken = &x->program->branches[record->outcome];
    return taken->kind == BRANCH_CASE && taken->low == taken->high;
}

// Has this run asserted the expression already? Then the decision follows from
// what came before, and is no decision.
static bool asserted(struct explorer *x, const struct wire_record *record, expr_id value)
{
    VEC_RESERVE(&x->stamps, value + 1);
    if (x->stamps.items[value] == x->run)
        return true;
    if (settles_value(x, record))
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
        return record->site < x->program->branch_count && record->outcome < 2;
    if (record->kind == WIRE_SWITCH)
        return record->site < x->program->switch_count &&
               record->outcome < x->program->branch_count;
    return true;
}

// Where the run is after a record. Driver and libc models have no branch points, so
// there it is where it was after the last one.
static uint32_t place_after(const struct explorer *x, const struct wire_record *record,
                            uint32_t place)
{
    const struct cfg *cfg = x->coverage->cfg;
    if (!cfg || (record->kind != WIRE_COND && record->kind != WIRE_SWITCH))
        return place;
    return cfg->goal_node[record->kind == WIRE_COND ? 2 * record->site + record->outcome
                                                    : 2 * record->outcome + 1];
}

// A pointer that is not there and that the run never looked at: with an object behind it
// the run would be the same.
static bool is_idle_shape(const struct wire_record *record)
{
    return record->kind == WIRE_BRANCH && record->check == WIRE_SHAPE_IDLE;
}

// Earlier runs through this node did not look at the pointer, this one does: from here on
// it is worth trying, with the rest of this run's input.
static bool offer_awoken(struct explorer *x, const struct wire_record *record, uint32_t input)
{
    uint32_t node = x->tree.at;
    if (tree_edge_of(&x->tree, node, !outcome_of(record)))
        return false;
    x->tree.nodes.items[node].input = input;
    offer_alternatives(x, node, outcome_of(record));
    return true;
}

// The run was rejected because of this decision. Nothing is learnt from more runs like it,
// so the other outcome does not wait for its turn.
static void hurry(struct explorer *x, const struct wire_record *record)
{
    uint32_t node = x->tree.at, edge = tree_edge_of(&x->tree, node, !outcome_of(record));
    if (edge)
        *VEC_PUSH(&x->urgent) = candidate_at(&x->tree, x->coverage, node, edge);
}

// One record that depends on inputs. False: the rest of the run is of no use.
static bool absorb_decision(struct explorer *x, const struct wire_record *record, expr_id value,
                            uint32_t input, uint32_t place, bool *grew)
{
    struct tree_node decision = {.site = record->site,
                                 .kind = record->kind,
                                 .check = record->check,
                                 .value = value,
                                 .input = input,
                                 .place = place};
    enum tree_step step = tree_step(&x->tree, &decision, outcome_of(record));
    if (step == TREE_OTHER_DECISION)
        x->forked = true;
    if (step == TREE_OTHER_DECISION || step == TREE_KNOWN)
        return false;
    if (record->kind == WIRE_PIN && record->value == TREE_OTHER)
        x->divergences++; // cannot be told from "any other value": no proof by exhaustion
    bool violated = record->kind == WIRE_CHECK && record->outcome == 0;
    if (violated)
        check_hunts_goal(&x->hunts, record->site, record->check)->violated = true;
    *grew |= step == TREE_NEW;
    if (step == TREE_NEW && !is_idle_shape(record))
        offer_alternatives(x, x->tree.at, outcome_of(record));
    else if (step != TREE_NEW && record->kind == WIRE_BRANCH && !is_idle_shape(record))
        *grew |= offer_awoken(x, record, input);
    if (record->check == WIRE_ASSUMED && (record->kind == WIRE_BRANCH || record->kind == WIRE_COND))
        hurry(x, record);
    // Behind a violation that was hunted lies the same code as where the check holds. It is
    // followed only where a run came without being sent, and the check may never hold.
    x->violations += violated && step != TREE_NEW;
    return !violated || step == TREE_NEW;
}

static bool absorb_all(struct explorer *x, struct trace_decoder *decoder,
                       const struct wire_record *records, size_t count, uint32_t input, bool *grew,
                       struct error *err)
{
    uint32_t place = x->coverage->cfg ? x->coverage->cfg->root : CFG_NONE;
    for (size_t i = 0; i < count; i++) {
        const struct wire_record *record = &records[i];
        expr_id value;
        if (!known_site(x, record))
            return error_set(err, ERROR_INTERNAL, "record %zu names a place that is not there", i);
        if (record->label) {
            if (!trace_label(decoder, record->label, &value, err))
                return error_context(err, "decoding record %zu", i);
            if (record->kind == WIRE_CHECK) // a goal also where the path implies it
                check_hunts_goal(&x->hunts, record->site, record->check);
            if (!expr_is_const(x->pool, value) && !asserted(x, record, value) &&
                !absorb_decision(x, record, value, input, place, grew))
                return true;
        }
        place = place_after(x, record, place);
    }
    return true;
}

bool explorer_absorb(struct explorer *x, struct trace_decoder *decoder,
                     const struct wire_record *records, size_t count, uint32_t input, bool *grew,
                     struct error *err)
{
    *grew = false;
    x->run++;
    tree_begin(&x->tree);
    bool good = absorb_all(x, decoder, records, count, input, grew, err);
    tree_end(&x->tree);
    return good;
}

void explorer_ran(struct explorer *x, const struct candidate *chosen, uint32_t parent, size_t gain,
                  const uint8_t *input, size_t input_size)
{
    double begin = now();
    struct run_report report = {chosen, parent, x->tree.leaf, gain, input, input_size};
    if (x->strategy->ran)
        x->strategy->ran(x->strategy_state, &report);
    x->choosing += now() - begin;
}

// ---- candidates ----

static bool next_urgent(struct explorer *x, struct candidate *out)
{
    while (x->urgent.count) {
        *out = x->urgent.items[--x->urgent.count];
        if (candidate_is_open(&x->view, out) && !is_filtered(x, out))
            return true;
    }
    return false;
}

bool explorer_next(struct explorer *x, struct candidate *out)
{
    double begin = now();
    bool found = next_urgent(x, out);
    while (!found && x->strategy->choose(x->strategy_state, out)) {
        if (!candidate_is_open(&x->view, out))
            continue;
        if (is_filtered(x, out))
            set_filtered(x, out);
        else
            found = true;
    }
    x->choosing += now() - begin;
    return found;
}

void explorer_postpone(struct explorer *x, const struct candidate *candidate)
{
    if (!candidate_is_open(&x->view, candidate))
        return;
    tree_set_state(&x->tree, candidate->node, candidate->edge, EDGE_POSTPONED);
    *VEC_PUSH(&x->postponed) = *candidate;
}

bool explorer_next_postponed(struct explorer *x, struct candidate *out)
{
    while (x->next_postponed < x->postponed.count) {
        *out = x->postponed.items[x->next_postponed++];
        if (!tree_is(&x->tree, out->edge, out->serial, EDGE_POSTPONED))
            continue;
        tree_set_state(&x->tree, out->node, out->edge, EDGE_OPEN);
        if (!is_filtered(x, out))
            return true;
        set_filtered(x, out);
    }
    x->postponed.count = x->next_postponed = 0;
    return false;
}

bool explorer_has_postponed(const struct explorer *x)
{
    return x->next_postponed < x->postponed.count;
}

bool explorer_reconsider(struct explorer *x)
{
    size_t count = x->aside.count, kept = 0;
    for (size_t i = 0; i < count; i++) {
        struct candidate candidate = x->aside.items[i];
        if (!tree_is(&x->tree, candidate.edge, candidate.serial, EDGE_POSTPONED))
            continue;
        tree_set_state(&x->tree, candidate.node, candidate.edge, EDGE_OPEN);
        offer(x, candidate.node, candidate.edge);
    }
    // What is put aside once more stands behind the others.
    for (size_t i = count; i < x->aside.count; i++)
        x->aside.items[kept++] = x->aside.items[i];
    x->aside.count = kept;
    return count > 0;
}

uint32_t explorer_input(const struct explorer *x, const struct candidate *candidate)
{
    return x->tree.nodes.items[candidate->node].input;
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
        tree_set_state(&x->tree, candidate->node, candidate->edge, EDGE_DIVERGED);
        x->divergences++;
    } else if (seen >= x->enumerate) {
        tree_set_state(&x->tree, candidate->node, candidate->edge, EDGE_LIMIT);
    } else {
        offer(x, candidate->node, candidate->edge);
    }
}

void explorer_settle(struct explorer *x, const struct candidate *candidate,
                     enum solver_answer answer)
{
    if (tree_is(&x->tree, candidate->edge, candidate->serial, EDGE_SKIPPED)) {
        struct check_goal *goal = goal_of(x, candidate->node);
        goal->refuted += answer == SOLVER_UNSAT;
        goal->failed += answer != SOLVER_UNSAT;
        tree_set_state(&x->tree, candidate->node, candidate->edge, EDGE_HUNTED);
        return;
    }
    if (!candidate_is_open(&x->view, candidate))
        return; // visited
    const struct tree_edge *edge = &x->tree.edges.items[candidate->edge];
    if (answer != SOLVER_SAT) {
        tree_set_state(&x->tree, candidate->node, candidate->edge,
                       answer == SOLVER_UNSAT ? EDGE_INFEASIBLE : EDGE_UNKNOWN);
        if (x->strategy->failed)
            x->strategy->failed(x->strategy_state, candidate);
    } else if (edge->outcome == TREE_OTHER &&
               x->tree.nodes.items[candidate->node].kind == WIRE_PIN) {
        settle_enumeration(x, candidate);
    } else {
        tree_set_state(&x->tree, candidate->node, candidate->edge, EDGE_DIVERGED);
        x->divergences++;
    }
}

bool explorer_exhausted(const struct explorer *x)
{
    bool exhausted = !x->tree.open && !x->tree.postponed && !x->tree.given_up && !x->forked;
    if (exhausted)
        MUST_HOLD(tree_check(&x->tree)); // it is a proof
    return exhausted;
}

// ---- memory ----

size_t explorer_bytes(const struct explorer *x)
{
    // A strategy keeps about as much as the pool.
    return tree_bytes(&x->tree) + 2 * pool_bytes(&x->candidates) + check_hunts_bytes(&x->hunts);
}

static void drop(const struct candidate *candidate, void *context)
{
    struct explorer *x = context;
    tree_set_state(&x->tree, candidate->node, candidate->edge, EDGE_DROPPED);
}

size_t explorer_shed(struct explorer *x, double share)
{
    return pool_shed(&x->candidates, share, drop, x);
}
