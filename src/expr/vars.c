// SPDX-License-Identifier: Apache-2.0
// Collecting the inputs of expressions; see vars.h for why sets are not stored per
// node.
//
// A node's memo is filled when the walk leaves it, from the memos of its operands
// if all of those are small. A node that is reached again, or whose memo is known
// from an earlier call, is not descended into unless its set is large.
#include "expr/vars.h"

#include "base/arena.h"
#include "base/tunables.h"
#include "base/vec.h"
#include <stdlib.h>
#include <string.h>

enum { MEMO_UNKNOWN = 0, MEMO_SMALL, MEMO_LARGE };

struct vars_memo {
    uint8_t state, count;
    expr_id inputs[EXPR_VARS_SMALL]; // ids of INPUT nodes, sorted
};

#define LEAVING 0x80000000u // stack entries: all operands were visited

void expr_vars_init(struct expr_vars *vars, const struct expr_pool *pool)
{
    *vars = (struct expr_vars){.pool = pool};
}

void expr_vars_release(struct expr_vars *vars)
{
    free(vars->memo);
    free(vars->stamps);
    free(vars->snapshot_stamps);
    free(vars->stack);
    free(vars->found);
    *vars = (struct expr_vars){0};
}

static void vars_reserve(struct expr_vars *vars)
{
    size_t size = expr_pool_size(vars->pool), snapshots = expr_snapshot_count(vars->pool);
    if (size > vars->room) {
        size_t room = size + size / 2;
        vars->memo = xrealloc(vars->memo, room * sizeof *vars->memo);
        vars->stamps = xrealloc(vars->stamps, room * sizeof *vars->stamps);
        memset(vars->memo + vars->room, 0, (room - vars->room) * sizeof *vars->memo);
        memset(vars->stamps + vars->room, 0, (room - vars->room) * sizeof *vars->stamps);
        vars->room = room;
    }
    vec_reserve((void **)&vars->snapshot_stamps, &vars->snapshot_room, snapshots,
                sizeof *vars->snapshot_stamps);
}

static void vars_next_generation(struct expr_vars *vars)
{
    if (++vars->generation)
        return;
    memset(vars->stamps, 0, vars->room * sizeof *vars->stamps);
    memset(vars->snapshot_stamps, 0, vars->snapshot_room * sizeof *vars->snapshot_stamps);
    vars->generation = 1;
}

static void vars_push(struct expr_vars *vars, expr_id item)
{
    vec_reserve((void **)&vars->stack, &vars->stack_room, vars->stack_count + 1,
                sizeof *vars->stack);
    vars->stack[vars->stack_count++] = item;
}

static void vars_report(struct expr_vars *vars, expr_id input)
{
    const struct expr *e = expr_get(vars->pool, input);
    vec_reserve((void **)&vars->found, &vars->found_room, vars->found_count + 1,
                sizeof *vars->found);
    vars->found[vars->found_count++] = (struct expr_var){(uint32_t)e->x, e->width};
}

static void memo_add(struct vars_memo *memo, expr_id input)
{
    unsigned at = 0;
    while (at < memo->count && memo->inputs[at] < input)
        at++;
    if (at < memo->count && memo->inputs[at] == input)
        return;
    if (memo->count == EXPR_VARS_SMALL) {
        memo->state = MEMO_LARGE;
        return;
    }
    memmove(&memo->inputs[at + 1], &memo->inputs[at], (memo->count - at) * sizeof *memo->inputs);
    memo->inputs[at] = input;
    memo->count++;
}

static void memo_merge(struct vars_memo *memo, const struct vars_memo *from)
{
    if (from->state == MEMO_LARGE)
        memo->state = MEMO_LARGE;
    for (unsigned i = 0; i < from->count && memo->state == MEMO_SMALL; i++)
        memo_add(memo, from->inputs[i]);
}

static void vars_leave(struct expr_vars *vars, expr_id id)
{
    const struct expr *e = expr_get(vars->pool, id);
    struct vars_memo memo = {.state = MEMO_SMALL};
    expr_id operands[3];
    unsigned count = expr_operands(e, operands);
    for (unsigned i = 0; i < count; i++)
        memo_merge(&memo, &vars->memo[operands[i]]);
    if (e->op == EXPR_INPUT)
        memo_add(&memo, id);
    if (e->op == EXPR_READ && expr_get_snapshot(vars->pool, e->x)->exprs)
        memo.state = MEMO_LARGE; // its bytes are walked once per call, not per read
    vars->memo[id] = memo;
}

static void vars_enter_snapshot(struct expr_vars *vars, uint64_t index)
{
    const struct expr_snapshot *s = expr_get_snapshot(vars->pool, index);
    if (!s->exprs || vars->snapshot_stamps[index] == vars->generation)
        return;
    vars->snapshot_stamps[index] = vars->generation;
    for (uint32_t i = 0; i < s->size; i++)
        if (s->exprs[i])
            vars_push(vars, s->exprs[i]);
}

static void vars_push_operands(struct expr_vars *vars, expr_id id)
{
    expr_id operands[3];
    unsigned count = expr_operands(expr_get(vars->pool, id), operands);
    vars_push(vars, id | LEAVING);
    for (unsigned i = 0; i < count; i++)
        vars_push(vars, operands[i]);
}

static void vars_enter(struct expr_vars *vars, expr_id id)
{
    const struct expr *e = expr_get(vars->pool, id);
    const struct vars_memo *memo = &vars->memo[id];
    if (vars->stamps[id] == vars->generation)
        return;
    vars->stamps[id] = vars->generation;
    vars->work++;
    if (memo->state == MEMO_SMALL) {
        for (unsigned i = 0; i < memo->count; i++)
            if (memo->inputs[i] == id || vars->stamps[memo->inputs[i]] != vars->generation) {
                vars->stamps[memo->inputs[i]] = vars->generation;
                vars_report(vars, memo->inputs[i]);
            }
        return;
    }
    if (e->op == EXPR_INPUT)
        vars_report(vars, id);
    vars_push_operands(vars, id);
    if (e->op == EXPR_READ)
        vars_enter_snapshot(vars, e->x);
}

static int compare_vars(const void *p, const void *q)
{
    const struct expr_var *a = p, *b = q;
    if (a->offset != b->offset)
        return a->offset < b->offset ? -1 : 1;
    return a->width < b->width ? -1 : a->width > b->width;
}

size_t expr_vars_of(struct expr_vars *vars, const expr_id *roots, size_t count)
{
    vars_reserve(vars);
    vars_next_generation(vars);
    vars->stack_count = vars->found_count = 0;
    for (size_t i = 0; i < count; i++)
        vars_push(vars, roots[i]);
    while (vars->stack_count) {
        expr_id item = vars->stack[--vars->stack_count];
        if (item & LEAVING)
            vars_leave(vars, item & ~LEAVING);
        else
            vars_enter(vars, item);
    }
    if (vars->found_count)
        qsort(vars->found, vars->found_count, sizeof *vars->found, compare_vars);
    return vars->found_count;
}

size_t expr_vars_few(struct expr_vars *vars, expr_id root)
{
    vars_reserve(vars);
    vars->stack_count = vars->found_count = 0;
    vars_push(vars, root);
    while (vars->stack_count) {
        expr_id item = vars->stack[--vars->stack_count];
        if (item & LEAVING)
            vars_leave(vars, item & ~LEAVING);
        else if (vars->memo[item].state == MEMO_UNKNOWN)
            vars_push_operands(vars, item);
        vars->work++;
    }
    const struct vars_memo *memo = &vars->memo[root];
    if (memo->state == MEMO_LARGE)
        return EXPR_VARS_SMALL + 1;
    for (unsigned i = 0; i < memo->count; i++)
        vars_report(vars, memo->inputs[i]);
    if (vars->found_count)
        qsort(vars->found, vars->found_count, sizeof *vars->found, compare_vars);
    return vars->found_count;
}
