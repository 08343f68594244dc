// SPDX-License-Identifier: Apache-2.0
// Independence slicing: only the constraints that share inputs, directly or through
// others, with the last (flipped) one go on; the rest holds on the parent input,
// whose values for their inputs stay as they are.
//
// Connection is computed on the expression DAG itself: a union-find over nodes in
// which every node is joined with its operands and inputs with inputs that share a
// byte. Two constraints are connected exactly if their nodes are in one set, and
// each node is visited once, so a checksum over n bytes costs n, not n squared as
// sets of variables per constraint would.
//
// The structure is kept from query to query. Searches mostly flip one path's
// branches in order, so the next prefix extends the last and only new constraints
// are added; any other prefix starts afresh. The flipped constraint is not added:
// the walk over it stops at nodes that are known.
#include "solver/solver_internal.h"

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"
#include <stdlib.h>
#include <string.h>

#define NO_CONSTRAINT UINT32_MAX

struct slice_node {
    expr_id parent;       // 0: not in the structure
    uint32_t first, last; // list of the set's constraints, at the root
    uint32_t stamp;       // visited by the walk over the flipped constraint
    bool root;            // is itself a constraint
};

struct slice {
    struct solver base;
    struct slice_node *nodes; // by expression id
    size_t node_room;
    VEC(expr_id) touched;   // nodes with a parent
    VEC(expr_id) prefix;    // constraints that were added
    VEC(uint32_t) links;    // next constraint in a set's list
    VEC(expr_id) snapshots; // by snapshot: a node of its set, or 0
    VEC(uint32_t) snapshot_stamps;
    VEC(expr_id) stack;
    VEC(expr_id) reached; // roots of sets that the flipped constraint touches
    VEC(uint32_t) picked;
    VEC(expr_id) kept;
    struct map bytes; // input byte -> INPUT node
    uint32_t stamp;
    bool contradiction; // the prefix has a constant false
};

static void slice_reserve(struct slice *s)
{
    size_t size = expr_pool_size(s->base.pool), snapshots = expr_snapshot_count(s->base.pool);
    vec_reserve((void **)&s->nodes, &s->node_room, size, sizeof *s->nodes);
    VEC_RESERVE(&s->snapshots, snapshots);
    VEC_RESERVE(&s->snapshot_stamps, snapshots);
}

static void slice_reset(struct slice *s)
{
    for (size_t i = 0; i < s->touched.count; i++)
        s->nodes[s->touched.items[i]] = (struct slice_node){0};
    if (s->snapshots.room)
        memset(s->snapshots.items, 0, s->snapshots.room * sizeof *s->snapshots.items);
    s->touched.count = s->prefix.count = s->links.count = 0;
    s->contradiction = false;
    map_clear(&s->bytes);
}

static expr_id slice_find(struct slice *s, expr_id id)
{
    while (s->nodes[id].parent != id) {
        expr_id up = s->nodes[s->nodes[id].parent].parent;
        s->nodes[id].parent = up; // path halving
        id = up;
    }
    return id;
}

// Join two sets. The smaller id becomes the root: operands are older than their
// users, so chains stay short without ranks.
static void slice_join(struct slice *s, expr_id a, expr_id b)
{
    a = slice_find(s, a);
    b = slice_find(s, b);
    if (a == b)
        return;
    if (a > b) {
        expr_id swap = a;
        a = b;
        b = swap;
    }
    struct slice_node *p = &s->nodes[a], *q = &s->nodes[b];
    q->parent = a;
    if (q->first == NO_CONSTRAINT)
        return;
    if (p->first == NO_CONSTRAINT)
        p->first = q->first;
    else
        s->links.items[p->last] = q->first;
    p->last = q->last;
}

static void slice_enter_input(struct slice *s, expr_id id, const struct expr *e)
{
    for (uint64_t byte = e->x; byte < e->x + e->width / 8; byte++) {
        uint64_t other;
        if (map_get(&s->bytes, byte, &other))
            slice_join(s, id, (expr_id)other);
        else
            map_put(&s->bytes, byte, id);
    }
}

static void slice_add_node(struct slice *s, expr_id id)
{
    s->nodes[id].parent = id;
    s->nodes[id].first = s->nodes[id].last = NO_CONSTRAINT;
    *VEC_PUSH(&s->touched) = id;
    *VEC_PUSH(&s->stack) = id;
}

// Make `child` known if it is new, and join it with `id`.
static void slice_connect(struct slice *s, expr_id id, expr_id child)
{
    if (expr_is_const(s->base.pool, child))
        return;
    if (!s->nodes[child].parent)
        slice_add_node(s, child);
    slice_join(s, id, child);
}

static void slice_connect_snapshot(struct slice *s, expr_id id, uint64_t index)
{
    const struct expr_snapshot *snapshot = expr_get_snapshot(s->base.pool, index);
    if (!snapshot->exprs)
        return;
    if (s->snapshots.items[index]) {
        slice_join(s, id, s->snapshots.items[index]);
        return;
    }
    s->snapshots.items[index] = id;
    for (uint32_t i = 0; i < snapshot->size; i++)
        if (snapshot->exprs[i])
            slice_connect(s, id, snapshot->exprs[i]);
}

static void slice_expand(struct slice *s, expr_id id)
{
    const struct expr *e = expr_get(s->base.pool, id);
    expr_id operands[3];
    unsigned count = expr_operands(e, operands);
    for (unsigned i = 0; i < count; i++)
        slice_connect(s, id, operands[i]);
    if (e->op == EXPR_INPUT)
        slice_enter_input(s, id, e);
    if (e->op == EXPR_READ)
        slice_connect_snapshot(s, id, e->x);
}

static bool is_false(const struct expr_pool *pool, expr_id id)
{
    const struct expr *e = expr_get(pool, id);
    return e->op == EXPR_CONST && e->x == 0;
}

static void slice_add_constraint(struct slice *s, expr_id id)
{
    uint32_t index = (uint32_t)s->prefix.count;
    *VEC_PUSH(&s->prefix) = id;
    *VEC_PUSH(&s->links) = NO_CONSTRAINT;
    if (expr_is_const(s->base.pool, id) || s->nodes[id].root) {
        s->contradiction |= is_false(s->base.pool, id);
        return;
    }
    s->stack.count = 0;
    if (!s->nodes[id].parent)
        slice_add_node(s, id);
    while (s->stack.count)
        slice_expand(s, s->stack.items[--s->stack.count]);
    s->nodes[id].root = true;
    struct slice_node *set = &s->nodes[slice_find(s, id)];
    if (set->first == NO_CONSTRAINT)
        set->first = index;
    else
        s->links.items[set->last] = index;
    set->last = index;
}

// Bring the structure to exactly this prefix.
static void slice_follow(struct slice *s, const expr_id *constraints, size_t count)
{
    size_t known = s->prefix.count;
    if (known > count || memcmp(s->prefix.items ? s->prefix.items : constraints, constraints,
                                known * sizeof *constraints) != 0) {
        slice_reset(s);
        known = 0;
    }
    for (size_t i = known; i < count; i++)
        slice_add_constraint(s, constraints[i]);
}

// The walk over the flipped constraint.

static void slice_reach(struct slice *s, expr_id known)
{
    expr_id set = slice_find(s, known);
    if (s->nodes[set].stamp == s->stamp)
        return;
    s->nodes[set].stamp = s->stamp;
    *VEC_PUSH(&s->reached) = set;
}

static void slice_visit(struct slice *s, expr_id id)
{
    if (expr_is_const(s->base.pool, id))
        return;
    if (s->nodes[id].parent) {
        slice_reach(s, id);
    } else if (s->nodes[id].stamp != s->stamp) {
        s->nodes[id].stamp = s->stamp;
        *VEC_PUSH(&s->stack) = id;
    }
}

static void slice_walk_leaf(struct slice *s, const struct expr *e)
{
    uint64_t other;
    if (e->op == EXPR_INPUT)
        for (uint64_t byte = e->x; byte < e->x + e->width / 8; byte++)
            if (map_get(&s->bytes, byte, &other))
                slice_reach(s, (expr_id)other);
    if (e->op != EXPR_READ || s->snapshot_stamps.items[e->x] == s->stamp)
        return;
    const struct expr_snapshot *snapshot = expr_get_snapshot(s->base.pool, e->x);
    s->snapshot_stamps.items[e->x] = s->stamp;
    if (s->snapshots.items[e->x])
        slice_reach(s, s->snapshots.items[e->x]);
    else if (snapshot->exprs)
        for (uint32_t i = 0; i < snapshot->size; i++)
            if (snapshot->exprs[i])
                slice_visit(s, snapshot->exprs[i]);
}

static void slice_walk(struct slice *s, expr_id flipped)
{
    s->stamp++; // 2^32 queries do not happen in one chain
    s->stack.count = s->reached.count = 0;
    slice_visit(s, flipped);
    while (s->stack.count) {
        const struct expr *e = expr_get(s->base.pool, s->stack.items[--s->stack.count]);
        expr_id operands[3];
        unsigned count = expr_operands(e, operands);
        for (unsigned i = 0; i < count; i++)
            slice_visit(s, operands[i]);
        slice_walk_leaf(s, e);
    }
}

static int compare_indices(const void *p, const void *q)
{
    uint32_t a = *(const uint32_t *)p, b = *(const uint32_t *)q;
    return a < b ? -1 : a > b;
}

// The constraints of all reached sets in path order, then the flipped one.
static void slice_collect(struct slice *s, expr_id flipped)
{
    s->picked.count = s->kept.count = 0;
    for (size_t i = 0; i < s->reached.count; i++) {
        uint32_t at = s->nodes[s->reached.items[i]].first;
        for (; at != NO_CONSTRAINT; at = s->links.items[at])
            *VEC_PUSH(&s->picked) = at;
    }
    if (s->picked.count)
        qsort(s->picked.items, s->picked.count, sizeof *s->picked.items, compare_indices);
    for (size_t i = 0; i < s->picked.count; i++) {
        expr_id id = s->prefix.items[s->picked.items[i]];
        if (id != flipped)
            *VEC_PUSH(&s->kept) = id;
    }
    *VEC_PUSH(&s->kept) = flipped;
}

static enum solver_answer slice_check(struct solver *solver, const struct solver_query *query,
                                      struct solver_model *model)
{
    struct slice *s = (struct slice *)solver;
    if (query->count == 0)
        return SOLVER_SAT;
    expr_id flipped = query->constraints[query->count - 1];
    solver->stats.seen += query->count;
    slice_reserve(s);
    slice_follow(s, query->constraints, query->count - 1);
    if (s->contradiction || is_false(solver->pool, flipped))
        return SOLVER_UNSAT;
    if (expr_is_const(solver->pool, flipped)) // true: the parent is the answer
        return SOLVER_SAT;
    slice_walk(s, flipped);
    slice_collect(s, flipped);
    solver->stats.kept += s->kept.count;
    struct solver_query rest = {s->kept.items, s->kept.count, query->input, query->input_size,
                                NULL};
    return solver_ask(solver->next, &rest, model);
}

static void slice_free(struct solver *solver)
{
    struct slice *s = (struct slice *)solver;
    free(s->nodes);
    VEC_RELEASE(&s->touched);
    VEC_RELEASE(&s->prefix);
    VEC_RELEASE(&s->links);
    VEC_RELEASE(&s->snapshots);
    VEC_RELEASE(&s->snapshot_stamps);
    VEC_RELEASE(&s->stack);
    VEC_RELEASE(&s->reached);
    VEC_RELEASE(&s->picked);
    VEC_RELEASE(&s->kept);
    map_release(&s->bytes);
    free(s);
}

struct solver *solver_slice_new(struct expr_pool *pool, struct solver *next)
{
    static const struct solver_ops ops = {"slice", slice_check, slice_free};
    struct slice *s = xcalloc(1, sizeof *s);
    s->base = (struct solver){.ops = &ops, .pool = pool, .next = next};
    map_init(&s->bytes);
    return &s->base;
}
