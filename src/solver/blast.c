// SPDX-License-Identifier: Apache-2.0
// The walk over the expressions of a query and the operations that need no circuit
// of their own. See blast.h.
#include "solver/blast_float.h"

#include "base/tunables.h"
#include <string.h>

void blast_init(struct blast *b, const struct expr_pool *pool, size_t max_gates)
{
    *b = (struct blast){.pool = pool};
    gates_init(&b->gates, max_gates);
    map_init(&b->bytes);
    map_init(&b->division_heads);
}

void blast_release(struct blast *b)
{
    gates_release(&b->gates);
    VEC_RELEASE(&b->bits);
    VEC_RELEASE(&b->first);
    VEC_RELEASE(&b->stamps);
    VEC_RELEASE(&b->stack);
    VEC_RELEASE(&b->inputs);
    VEC_RELEASE(&b->divisions);
    map_release(&b->bytes);
    map_release(&b->division_heads);
}

static void forget(struct map *map)
{
    if (map->room > SOLVER_BLAST_SMALL_MAP)
        map_release(map);
    else
        map_clear(map);
}

void blast_begin(struct blast *b, const uint8_t *input, size_t size)
{
    gates_clear(&b->gates);
    VEC_RESERVE(&b->bits, 1);
    VEC_RESERVE(&b->divisions, 1);
    b->bits.count = b->divisions.count = 1;
    b->inputs.count = 0;
    forget(&b->bytes);
    forget(&b->division_heads);
    b->input = input;
    b->input_size = size;
    b->nodes = b->table_work = 0;
    b->failed = false;
    if (++b->generation == 0) { // wrapped around: old stamps would look new
        memset(b->stamps.items, 0, b->stamps.room * sizeof *b->stamps.items);
        b->generation = 1;
    }
}

bool blast_need(struct blast *b, expr_id id)
{
    if (b->stamps.items[id] == b->generation)
        return true;
    *VEC_PUSH(&b->stack) = id;
    return false;
}

const lit *blast_word(const struct blast *b, expr_id id)
{
    return b->bits.items + b->first.items[id];
}

uint32_t blast_keep(struct blast *b, const lit *word, unsigned width)
{
    uint32_t at = (uint32_t)b->bits.count;
    VEC_RESERVE(&b->bits, b->bits.count + width);
    memcpy(b->bits.items + at, word, width * sizeof *word);
    b->bits.count += width;
    return at;
}

// Inputs: bits belong to bytes, so inputs that overlap share them.

static lit input_byte(struct blast *b, uint64_t offset)
{
    uint64_t known;
    if (map_get(&b->bytes, offset, &known))
        return (lit)known;
    uint8_t value = offset < b->input_size ? b->input[offset] : 0;
    lit lowest = gates_input(&b->gates, value & 1, 0);
    for (unsigned i = 1; i < 8; i++)
        gates_input(&b->gates, value >> i & 1, 0);
    map_put(&b->bytes, offset, lowest);
    return lowest;
}

static void build_input(struct blast *b, lit *out, const struct expr *e)
{
    for (unsigned i = 0; i < e->width; i += 8) {
        lit lowest = input_byte(b, e->x + i / 8);
        for (unsigned k = 0; k < 8; k++)
            out[i + k] = lowest + 2 * k; // gates made in a row
    }
    *VEC_PUSH(&b->inputs) = (struct expr_var){(uint32_t)e->x, e->width};
}

lit blast_input_bit(const struct blast *b, uint64_t offset, unsigned bit)
{
    uint64_t lowest = 0;
    map_get(&b->bytes, offset, &lowest);
    return (lit)lowest + 2 * bit;
}

static void build_bitwise(struct gates *g, lit *out, const struct expr *e, const lit *x,
                          const lit *y)
{
    for (unsigned i = 0; i < e->width; i++)
        out[i] = e->op == EXPR_AND  ? gates_and(g, x[i], y[i])
                 : e->op == EXPR_OR ? gates_or(g, x[i], y[i])
                                    : gates_xor(g, x[i], y[i]);
}

static void build_binary(struct blast *b, lit *out, const struct expr *e)
{
    struct gates *g = &b->gates;
    const lit *x = blast_word(b, e->a), *y = blast_word(b, e->b);
    switch (e->op) {
    case EXPR_ADD: word_add(g, out, x, y, LIT_FALSE, e->width); break;
    case EXPR_SUB: word_sub(g, out, x, y, e->width); break;
    case EXPR_MUL: word_multiply(g, out, x, y, e->width); break;
    case EXPR_SHL:
    case EXPR_LSHR:
    case EXPR_ASHR: word_shift(g, out, e->op, x, y, e->width); break;
    case EXPR_AND:
    case EXPR_OR:
    case EXPR_XOR: build_bitwise(g, out, e, x, y); break;
    default: blast_divide(b, out, e->op, x, y, e->width); break;
    }
}

// Signed comparison is unsigned comparison with both highest bits inverted.
static lit build_compare(struct blast *b, const struct expr *e)
{
    struct gates *g = &b->gates;
    unsigned width = expr_get(b->pool, e->a)->width;
    lit x[WORD_MAX], y[WORD_MAX];
    memcpy(x, blast_word(b, e->a), width * sizeof *x);
    memcpy(y, blast_word(b, e->b), width * sizeof *y);
    if (e->op >= EXPR_SGT && e->op <= EXPR_SLE) {
        x[width - 1] = lit_not(x[width - 1]);
        y[width - 1] = lit_not(y[width - 1]);
    }
    switch (e->op) {
    case EXPR_EQ: return word_equal(g, x, y, width);
    case EXPR_NE: return lit_not(word_equal(g, x, y, width));
    case EXPR_UGT:
    case EXPR_SGT: return word_less(g, y, x, width, false);
    case EXPR_UGE:
    case EXPR_SGE: return word_less(g, y, x, width, true);
    case EXPR_ULT:
    case EXPR_SLT: return word_less(g, x, y, width, false);
    default: return word_less(g, x, y, width, true);
    }
}

static void build_piece(struct blast *b, lit *out, const struct expr *e)
{
    const lit *x = blast_word(b, e->a);
    unsigned from = expr_get(b->pool, e->a)->width;
    unsigned low = e->op == EXPR_EXTRACT ? (unsigned)e->x : 0;
    lit fill = e->op == EXPR_SEXT ? x[from - 1] : LIT_FALSE;
    if (e->op == EXPR_CONCAT) {
        unsigned split = expr_get(b->pool, e->b)->width;
        memcpy(out, blast_word(b, e->b), split * sizeof *out);
        memcpy(out + split, x, from * sizeof *out);
        return;
    }
    for (unsigned i = 0; i < e->width; i++)
        out[i] = i + low < from ? x[i + low] : fill;
}

// The branch that a constant condition selects needs no gates.
static bool build_ite(struct blast *b, lit *out, const struct expr *e)
{
    if (!blast_need(b, e->a))
        return false;
    lit condition = blast_word(b, e->a)[0];
    bool ready = condition == LIT_FALSE || blast_need(b, e->b);
    ready &= condition == LIT_TRUE || blast_need(b, e->c);
    if (!ready)
        return false;
    const lit *yes = blast_word(b, condition == LIT_FALSE ? e->c : e->b);
    const lit *no = blast_word(b, condition == LIT_TRUE ? e->b : e->c);
    word_select(&b->gates, out, condition, yes, no, e->width);
    return true;
}

// The vector of a node, or false after pushing operands that come first.
static bool build(struct blast *b, lit *out, const struct expr *e)
{
    char kind = expr_op_kind(e->op);
    if (e->op == EXPR_ITE)
        return build_ite(b, out, e);
    bool ready = !e->a || blast_need(b, e->a);
    ready &= !e->b || blast_need(b, e->b);
    if (!ready)
        return false;
    if (e->op == EXPR_CONST)
        word_number(out, (expr_u128)e->y << 64 | e->x, e->width);
    else if (e->op == EXPR_INPUT)
        build_input(b, out, e);
    else if (kind == 'V')
        b->failed = true;
    else if (e->op >= EXPR_FADD)
        b->failed |= !blast_float(b, out, e);
    else if (e->op == EXPR_READ && !blast_read_ready(b, e))
        return false;
    else if (e->op == EXPR_READ)
        blast_read(b, out, e);
    else if (kind == 'B')
        build_binary(b, out, e);
    else if (kind == 'C')
        out[0] = build_compare(b, e);
    else
        build_piece(b, out, e);
    return true;
}

static void blast_node(struct blast *b, expr_id id)
{
    const struct expr *e = expr_get(b->pool, id);
    size_t before = b->stack.count;
    lit out[WORD_MAX];
    if (!build(b, out, e))
        return;
    b->stack.count = before - 1;
    b->first.items[id] = blast_keep(b, out, e->width);
    b->stamps.items[id] = b->generation;
    b->nodes++;
    b->failed |=
        b->gates.full || b->nodes > SOLVER_BLAST_NODES || b->bits.count > SOLVER_BLAST_BITS;
}

bool blast_bit(struct blast *b, expr_id id, lit *out)
{
    size_t size = expr_pool_size(b->pool);
    VEC_RESERVE(&b->first, size);
    VEC_RESERVE(&b->stamps, size);
    b->stack.count = 0;
    blast_need(b, id);
    while (b->stack.count && !b->failed) {
        expr_id top = b->stack.items[b->stack.count - 1];
        if (b->stamps.items[top] == b->generation)
            b->stack.count--;
        else
            blast_node(b, top);
    }
    if (!b->failed)
        *out = blast_word(b, id)[0];
    return !b->failed;
}
