// SPDX-License-Identifier: Apache-2.0
// The evaluator: an explicit stack of nodes whose operands are still to be
// computed. A node is looked at once per missing operand at most, so the cost is
// linear in the nodes that matter.
#include "expr/eval.h"

#include "base/arena.h"
#include "base/vec.h"
#include "expr/expr_internal.h"
#include <stdlib.h>
#include <string.h>

void eval_init(struct eval *eval, const struct expr_pool *pool)
{
    *eval = (struct eval){.pool = pool, .generation = 1};
}

void eval_release(struct eval *eval)
{
    free(eval->values);
    free(eval->stamps);
    free(eval->stack);
    *eval = (struct eval){0};
}

void eval_begin(struct eval *eval, const uint8_t *input, size_t size)
{
    eval->input = input;
    eval->input_size = size;
    if (++eval->generation == 0) { // wrapped around: old stamps would look new
        memset(eval->stamps, 0, eval->room * sizeof *eval->stamps);
        eval->generation = 1;
    }
}

static void eval_reserve(struct eval *eval)
{
    size_t size = expr_pool_size(eval->pool);
    if (size <= eval->room)
        return;
    size_t room = size + size / 2;
    eval->values = xrealloc(eval->values, room * sizeof *eval->values);
    eval->stamps = xrealloc(eval->stamps, room * sizeof *eval->stamps);
    memset(eval->stamps + eval->room, 0, (room - eval->room) * sizeof *eval->stamps);
    eval->room = room;
}

static void eval_push(struct eval *eval, expr_id id)
{
    vec_reserve((void **)&eval->stack, &eval->stack_room, eval->stack_count + 1,
                sizeof *eval->stack);
    eval->stack[eval->stack_count++] = id;
}

// Is the operand's value known? If not, it is put on the stack.
static bool eval_ready(struct eval *eval, expr_id id, expr_u128 *out)
{
    const struct expr *e = expr_get(eval->pool, id);
    if (e->op == EXPR_CONST) {
        *out = (expr_u128)e->y << 64 | e->x;
        return true;
    }
    if (eval->stamps[id] != eval->generation) {
        eval_push(eval, id);
        return false;
    }
    *out = value_wide(eval->values[id]);
    return true;
}

static uint8_t eval_byte(const struct eval *eval, uint64_t offset)
{
    return offset < eval->input_size ? eval->input[offset] : 0;
}

static expr_u128 eval_input(const struct eval *eval, const struct expr *e)
{
    expr_u128 v = 0;
    for (unsigned i = 0; i < e->width / 8; i++)
        v |= (expr_u128)eval_byte(eval, e->x + i) << (8 * i);
    return v;
}

static bool eval_read(struct eval *eval, const struct expr *e, expr_u128 *out)
{
    const struct expr_snapshot *s = expr_get_snapshot(eval->pool, e->x);
    unsigned bytes = e->width / 8;
    expr_u128 at, v = 0;
    bool ready = true;
    if (!eval_ready(eval, e->a, &at))
        return false;
    *out = 0;
    if (bytes > s->size || at > s->size - bytes)
        return true;
    for (unsigned i = 0; i < bytes; i++) {
        expr_u128 byte = s->bytes[(size_t)at + i];
        if (s->exprs && s->exprs[(size_t)at + i])
            ready &= eval_ready(eval, s->exprs[(size_t)at + i], &byte);
        v |= byte << (8 * i);
    }
    *out = v;
    return ready;
}

static bool eval_ite(struct eval *eval, const struct expr *e, expr_u128 *out)
{
    expr_u128 condition;
    if (!eval_ready(eval, e->a, &condition))
        return false;
    return eval_ready(eval, condition ? e->b : e->c, out);
}

// The value of a node, or false after pushing operands that come first.
static bool eval_node(struct eval *eval, const struct expr *e, expr_u128 *out)
{
    expr_u128 a = 0, b = 0;
    switch (e->op) {
    case EXPR_CONST: *out = (expr_u128)e->y << 64 | e->x; return true;
    case EXPR_INPUT: *out = eval_input(eval, e); return true;
    case EXPR_ITE: return eval_ite(eval, e, out);
    case EXPR_READ: return eval_read(eval, e, out);
    default: break;
    }
    bool ready = eval_ready(eval, e->a, &a);
    if (e->b)
        ready &= eval_ready(eval, e->b, &b);
    if (!ready)
        return false;
    expr_id measure = e->op == EXPR_CONCAT ? e->b : e->a;
    *out = expr_apply(e->op, e->width, expr_width(eval->pool, measure), a, b, (unsigned)e->x);
    return true;
}

struct expr_value eval_expr(struct eval *eval, expr_id id)
{
    eval_reserve(eval);
    eval->stack_count = 0;
    eval_push(eval, id);
    while (eval->stack_count) {
        expr_id top = eval->stack[eval->stack_count - 1];
        size_t before = eval->stack_count;
        expr_u128 v;
        if (eval->stamps[top] == eval->generation) {
            eval->stack_count--;
        } else if (eval_node(eval, expr_get(eval->pool, top), &v)) {
            eval->values[top] = value_pair(v);
            eval->stamps[top] = eval->generation;
            eval->stack_count = before - 1;
        }
    }
    return eval->values[id];
}

bool eval_true(struct eval *eval, expr_id condition)
{
    return eval_expr(eval, condition).low & 1;
}
