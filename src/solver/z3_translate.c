// SPDX-License-Identifier: Apache-2.0
// Integer expressions as Z3 terms. An explicit stack, because expressions can be
// deeper than the C stack; each node is built once per context.
//
// Z3 itself recurses along terms (its bit-blaster died on a chain of 30,000
// additions), so every SOLVER_Z3_HEIGHT levels a term is cut: a fresh constant takes its
// place and the equation between the two is asserted with the query.
#include "solver/z3_internal.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/tunables.h"
#include "base/vec.h"
#include "expr/value.h"
#include <string.h>

Z3_ast z3_keep(struct z3 *z, Z3_ast ast)
{
    z->built++;
    if (ast)
        return ast;
    z->failed = true;
    return z->dummy;
}

Z3_ast z3_number(struct z3 *z, unsigned width, uint64_t low, uint64_t high)
{
    Z3_context c = z->context;
    if (width <= 64)
        return z3_keep(z, Z3_mk_unsigned_int64(c, low, Z3_mk_bv_sort(c, width)));
    Z3_ast h = z3_keep(z, Z3_mk_unsigned_int64(c, high, Z3_mk_bv_sort(c, width - 64)));
    Z3_ast l = z3_keep(z, Z3_mk_unsigned_int64(c, low, Z3_mk_bv_sort(c, 64)));
    return z3_keep(z, Z3_mk_concat(c, h, l));
}

Z3_ast z3_bit(struct z3 *z, Z3_ast boolean)
{
    return z3_keep(z, Z3_mk_ite(z->context, boolean, z3_number(z, 1, 1, 0), z3_number(z, 1, 0, 0)));
}

Z3_ast z3_truth(struct z3 *z, expr_id id)
{
    return z->words[id];
}

Z3_ast z3_word(struct z3 *z, expr_id id)
{
    return expr_get(z->base.pool, id)->width == 1 ? z3_bit(z, z->words[id]) : z->words[id];
}

Z3_ast z3_float(struct z3 *z, expr_id id)
{
    return z->floats[id];
}

static void push(struct z3 *z, uint32_t item)
{
    vec_reserve((void **)&z->stack, &z->stack_room, z->stack_count + 1, sizeof *z->stack);
    z->stack[z->stack_count++] = item;
}

bool z3_need_word(struct z3 *z, expr_id id)
{
    if (z->words[id])
        return true;
    push(z, id << 1);
    return false;
}

bool z3_need_float(struct z3 *z, expr_id id)
{
    if (z->floats[id])
        return true;
    push(z, id << 1 | 1);
    return false;
}

static Z3_ast build_arithmetic(struct z3 *z, const struct expr *e)
{
    Z3_context c = z->context;
    Z3_ast a = z3_word(z, e->a), b = z3_word(z, e->b);
    switch (e->op) {
    case EXPR_ADD: return Z3_mk_bvadd(c, a, b);
    case EXPR_SUB: return Z3_mk_bvsub(c, a, b);
    case EXPR_MUL: return Z3_mk_bvmul(c, a, b);
    case EXPR_UDIV: return Z3_mk_bvudiv(c, a, b);
    case EXPR_SDIV: return Z3_mk_bvsdiv(c, a, b);
    case EXPR_UREM: return Z3_mk_bvurem(c, a, b);
    case EXPR_SREM: return Z3_mk_bvsrem(c, a, b);
    case EXPR_SHL: return Z3_mk_bvshl(c, a, b);
    case EXPR_LSHR: return Z3_mk_bvlshr(c, a, b);
    case EXPR_ASHR: return Z3_mk_bvashr(c, a, b);
    case EXPR_AND: return Z3_mk_bvand(c, a, b);
    case EXPR_OR: return Z3_mk_bvor(c, a, b);
    case EXPR_XOR: return Z3_mk_bvxor(c, a, b);
    default: BUG("no arithmetic: %d", e->op);
    }
}

// Logic on single bits stays in Bools.
static Z3_ast build_logic(struct z3 *z, const struct expr *e)
{
    Z3_context c = z->context;
    Z3_ast both[2] = {z3_truth(z, e->a), z3_truth(z, e->b)};
    switch (e->op) {
    case EXPR_AND: return Z3_mk_and(c, 2, both);
    case EXPR_OR: return Z3_mk_or(c, 2, both);
    case EXPR_XOR: return Z3_mk_xor(c, both[0], both[1]);
    default: return NULL;
    }
}

static Z3_ast build_compare(struct z3 *z, const struct expr *e)
{
    Z3_context c = z->context;
    if (e->op == EXPR_EQ || e->op == EXPR_NE) { // Bools or words
        Z3_ast equal = z3_keep(z, Z3_mk_eq(c, z->words[e->a], z->words[e->b]));
        return e->op == EXPR_EQ ? equal : Z3_mk_not(c, equal);
    }
    Z3_ast a = z3_word(z, e->a), b = z3_word(z, e->b);
    switch (e->op) {
    case EXPR_UGT: return Z3_mk_bvugt(c, a, b);
    case EXPR_UGE: return Z3_mk_bvuge(c, a, b);
    case EXPR_ULT: return Z3_mk_bvult(c, a, b);
    case EXPR_ULE: return Z3_mk_bvule(c, a, b);
    case EXPR_SGT: return Z3_mk_bvsgt(c, a, b);
    case EXPR_SGE: return Z3_mk_bvsge(c, a, b);
    case EXPR_SLT: return Z3_mk_bvslt(c, a, b);
    case EXPR_SLE: return Z3_mk_bvsle(c, a, b);
    default: BUG("no comparison: %d", e->op);
    }
}

static Z3_ast build_piece(struct z3 *z, const struct expr *e)
{
    Z3_context c = z->context;
    unsigned from = expr_get(z->base.pool, e->a)->width;
    Z3_ast a = z3_word(z, e->a);
    switch (e->op) {
    case EXPR_ZEXT: return Z3_mk_zero_ext(c, e->width - from, a);
    case EXPR_SEXT: return Z3_mk_sign_ext(c, e->width - from, a);
    case EXPR_TRUNC: return Z3_mk_extract(c, e->width - 1u, 0, a);
    case EXPR_EXTRACT: return Z3_mk_extract(c, (unsigned)e->x + e->width - 1, (unsigned)e->x, a);
    case EXPR_CONCAT: return Z3_mk_concat(c, a, z3_word(z, e->b));
    default: BUG("no cast: %d", e->op);
    }
}

static Z3_ast build_leaf(struct z3 *z, expr_id id, const struct expr *e)
{
    Z3_context c = z->context;
    if (e->op == EXPR_CONST && e->width == 1)
        return e->x ? Z3_mk_true(c) : Z3_mk_false(c);
    if (e->op == EXPR_CONST)
        return z3_number(z, e->width, e->x, e->y);
    return Z3_mk_const(c, Z3_mk_int_symbol(c, (int)id), Z3_mk_bv_sort(c, e->width));
}

// The term of a node in its word form, except that one-bit results may come as
// one-bit vectors; *is_bool tells.
static Z3_ast build_node(struct z3 *z, expr_id id, const struct expr *e, bool *is_bool)
{
    char kind = expr_op_kind(e->op);
    *is_bool = false;
    if (e->op == EXPR_CONST || e->op == EXPR_INPUT) {
        *is_bool = e->width == 1;
        return build_leaf(z, id, e);
    }
    if (e->op == EXPR_ITE) {
        *is_bool = e->width == 1;
        return Z3_mk_ite(z->context, z3_truth(z, e->a), z->words[e->b], z->words[e->c]);
    }
    if (e->op == EXPR_READ)
        return z3_build_read(z, e);
    if (kind == 'C' || kind == 'Q') {
        *is_bool = true;
        return kind == 'C' ? build_compare(z, e) : z3_build_float_word(z, id);
    }
    if (kind == 'F' || kind == 'G' || e->op >= EXPR_FPEXT)
        return z3_build_float_word(z, id);
    if (e->width == 1 && kind == 'B') {
        Z3_ast logic = build_logic(z, e);
        *is_bool = logic != NULL;
        return logic ? logic : build_arithmetic(z, e);
    }
    return kind == 'B' ? build_arithmetic(z, e) : build_piece(z, e);
}

static void build_word(struct z3 *z, expr_id id)
{
    const struct expr *e = expr_get(z->base.pool, id);
    bool is_bool;
    Z3_ast term = z3_keep(z, build_node(z, id, e, &is_bool));
    if (e->width == 1 && !is_bool)
        term = z3_keep(z, Z3_mk_eq(z->context, term, z3_number(z, 1, 1, 0)));
    z->words[id] = term;
}

static bool word_ready(struct z3 *z, expr_id id)
{
    const struct expr *e = expr_get(z->base.pool, id);
    if (e->op >= EXPR_FADD)
        return z3_float_word_ready(z, id);
    if (e->op == EXPR_READ && !z3_read_ready(z, e))
        return false;
    expr_id operands[3];
    unsigned count = expr_operands(e, operands);
    bool ready = true;
    for (unsigned i = 0; i < count; i++)
        ready &= z3_need_word(z, operands[i]);
    return ready;
}

static void reserve(struct z3 *z)
{
    size_t size = expr_pool_size(z->base.pool);
    if (size <= z->room)
        return;
    size_t room = size + size / 2;
    z->words = xrealloc(z->words, room * sizeof *z->words);
    z->floats = xrealloc(z->floats, room * sizeof *z->floats);
    z->heights = xrealloc(z->heights, room * sizeof *z->heights);
    memset(z->words + z->room, 0, (room - z->room) * sizeof *z->words);
    memset(z->floats + z->room, 0, (room - z->room) * sizeof *z->floats);
    memset(z->heights + z->room, 0, (room - z->room) * sizeof *z->heights);
    z->room = room;
}

static uint32_t height_below(struct z3 *z, const struct expr *e)
{
    expr_id operands[3];
    unsigned count = expr_operands(e, operands);
    uint32_t highest = 0;
    for (unsigned i = 0; i < count; i++)
        if (z->heights[operands[i]] > highest)
            highest = z->heights[operands[i]];
    if (e->op != EXPR_READ)
        return highest;
    const struct expr_snapshot *s = expr_get_snapshot(z->base.pool, e->x);
    for (uint32_t i = 0; s->exprs && i < s->size; i++)
        if (s->exprs[i] && z->heights[s->exprs[i]] > highest)
            highest = z->heights[s->exprs[i]];
    return highest;
}

static void cut(struct z3 *z, Z3_ast *term)
{
    Z3_sort sort = Z3_get_sort(z->context, *term);
    Z3_ast name = z3_keep(z, Z3_mk_fresh_const(z->context, "cut", sort));
    vec_reserve((void **)&z->cuts, &z->cut_room, z->cut_count + 1, sizeof *z->cuts);
    z->cuts[z->cut_count++] = z3_keep(z, Z3_mk_eq(z->context, name, *term));
    *term = name;
}

static void build(struct z3 *z, expr_id id, bool is_float)
{
    const struct expr *e = expr_get(z->base.pool, id);
    if (is_float)
        z->floats[id] = z3_keep(z, z3_build_float(z, id));
    else
        build_word(z, id);
    uint32_t height = height_below(z, e) + 1;
    if (height >= SOLVER_Z3_HEIGHT)
        cut(z, is_float ? &z->floats[id] : &z->words[id]);
    z->heights[id] = height >= SOLVER_Z3_HEIGHT ? 0 : height;
}

Z3_ast z3_translate(struct z3 *z, expr_id constraint)
{
    reserve(z);
    z->stack_count = 0;
    z3_need_word(z, constraint);
    while (z->stack_count) {
        size_t before = z->stack_count;
        uint32_t top = z->stack[before - 1];
        expr_id id = top >> 1;
        bool is_float = top & 1;
        if (is_float ? z->floats[id] != NULL : z->words[id] != NULL) {
            z->stack_count--;
        } else if (is_float ? z3_float_ready(z, id) : word_ready(z, id)) {
            build(z, id, is_float);
            z->stack_count = before - 1;
        }
    }
    return z->words[constraint];
}
