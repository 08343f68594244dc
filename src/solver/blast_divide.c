// SPDX-License-Identifier: Apache-2.0
// Division. Quotient and remainder come from one circuit, which is remembered, so
// that x / y and x % y share it.
//
// By a constant: quotient and remainder are fresh variables with the side condition
// x == q * c + r, r < c. Multiplying by a constant is a few additions, and the search
// may choose q and r first. By a power of two: no gates. Otherwise: restoring
// division, bit by bit from the top.
//
// Division by zero needs no case of its own in restoring division: subtracting 0
// always succeeds, which gives ones and the dividend, as documented.
#include "solver/blast_words.h"

#include <string.h>

static void divide_by_power(lit *quotient, lit *remainder, const lit *a, unsigned shift,
                            unsigned width)
{
    for (unsigned i = 0; i < width; i++) {
        quotient[i] = i + shift < width ? a[i + shift] : LIT_FALSE;
        remainder[i] = i < shift ? a[i] : LIT_FALSE;
    }
}

static void fresh_word(struct gates *g, lit *out, expr_u128 value, unsigned bits, uint32_t side,
                       unsigned width)
{
    for (unsigned i = 0; i < width; i++)
        out[i] = i < bits ? gates_input(g, value >> i & 1, side) : LIT_FALSE;
}

// by >= 3 and a is not a number. `width` may be less than that of the expression:
// the bits of a that can be set.
static void divide_by_number(struct gates *g, lit *quotient, lit *remainder, const lit *a,
                             expr_u128 by, unsigned width)
{
    lit sum[WORD_MAX], number[WORD_MAX], limit[WORD_MAX], wide[WORD_MAX];
    expr_u128 value = word_value(g, a, width), largest = value_ones(width) / by;
    unsigned quotient_bits = value_bits(largest), remainder_bits = value_bits(by - 1);
    uint32_t side = gates_side(g);
    fresh_word(g, quotient, value / by, quotient_bits, side, width + 1);
    fresh_word(g, remainder, value % by, remainder_bits, side, width + 1);
    // One bit more than a has: q * c + r may not wrap around.
    word_number(number, by, width + 1);
    word_multiply(g, sum, quotient, number, width + 1);
    word_add(g, sum, sum, remainder, LIT_FALSE, width + 1);
    memcpy(wide, a, width * sizeof *a);
    wide[width] = LIT_FALSE;
    word_number(limit, largest, width);
    lit holds = word_equal(g, sum, wide, width + 1);
    holds = gates_and(g, holds, word_less(g, quotient, limit, quotient_bits, true));
    holds = gates_and(g, holds, word_less(g, remainder, number, remainder_bits, false));
    gates_set_side(g, side, holds);
}

// One step of restoring division: the `bits` low bits of `rest` against b. none[i]
// says that b has no bit from i on.
static lit divide_step(struct gates *g, lit *rest, const lit *b, const lit *none, unsigned bits)
{
    lit difference[WORD_MAX], carry = LIT_TRUE;
    for (unsigned i = 0; i < bits; i++) {
        lit inverted = lit_not(b[i]);
        difference[i] = gates_xor(g, gates_xor(g, rest[i], inverted), carry);
        carry = gates_maj(g, rest[i], inverted, carry);
    }
    lit fits = gates_and(g, carry, none[bits]);
    word_select(g, rest, fits, difference, rest, bits);
    return fits;
}

// After k steps the rest has k bits, so each step works only on those.
static void divide_restoring(struct gates *g, lit *quotient, lit *remainder, const lit *a,
                             const lit *b, unsigned width)
{
    lit none[WORD_MAX + 1];
    none[width] = LIT_TRUE;
    for (unsigned i = width; i-- > 0;)
        none[i] = gates_and(g, none[i + 1], lit_not(b[i]));
    for (unsigned step = 0; step < width && !g->full; step++) {
        unsigned at = width - 1 - step;
        memmove(remainder + 1, remainder, step * sizeof *remainder);
        remainder[0] = a[at];
        quotient[at] = divide_step(g, remainder, b, none, step + 1);
    }
}

static unsigned used_bits(const lit *a, unsigned width)
{
    while (width && a[width - 1] == LIT_FALSE)
        width--;
    return width;
}

static void divide(struct gates *g, lit *quotient, lit *remainder, const lit *a, const lit *b,
                   unsigned width)
{
    expr_u128 by;
    unsigned used = used_bits(a, width);
    word_number(quotient, 0, width);
    word_number(remainder, 0, width);
    if (!word_is_number(b, width, &by) || by == 0) {
        divide_restoring(g, quotient, remainder, a, b, width);
    } else if (value_is_power(by)) {
        divide_by_power(quotient, remainder, a, value_lowest(by), width);
    } else if (by > value_ones(used)) {
        memcpy(remainder, a, width * sizeof *a);
    } else {
        lit q[WORD_MAX], r[WORD_MAX];
        divide_by_number(g, q, r, a, by, used);
        memcpy(quotient, q, used * sizeof *q);
        memcpy(remainder, r, used * sizeof *r);
    }
}

static bool same_word(const struct blast *b, uint32_t at, const lit *word, unsigned width)
{
    return memcmp(b->bits.items + at, word, width * sizeof *word) == 0;
}

static uint64_t division_key(const lit *a, const lit *by, unsigned width)
{
    return hash_bytes(by, width * sizeof *by, hash_bytes(a, width * sizeof *a, width));
}

// Unsigned division of words, remembered.
static const struct blast_division *division(struct blast *b, const lit *a, const lit *by,
                                             unsigned width)
{
    uint64_t key = division_key(a, by, width), head = 0;
    map_get(&b->division_heads, key, &head);
    for (uint64_t i = head; i; i = b->divisions.items[i].next) {
        const struct blast_division *known = &b->divisions.items[i];
        if (known->width == width && same_word(b, known->a, a, width) &&
            same_word(b, known->b, by, width))
            return known;
    }
    lit quotient[WORD_MAX], remainder[WORD_MAX];
    divide(&b->gates, quotient, remainder, a, by, width);
    struct blast_division made = {.width = width, .next = (uint32_t)head};
    made.a = blast_keep(b, a, width);
    made.b = blast_keep(b, by, width);
    made.quotient = blast_keep(b, quotient, width);
    made.remainder = blast_keep(b, remainder, width);
    map_put(&b->division_heads, key, b->divisions.count);
    *VEC_PUSH(&b->divisions) = made;
    return &b->divisions.items[b->divisions.count - 1];
}

static void magnitude(struct gates *g, lit *out, const lit *a, unsigned width)
{
    lit negative[WORD_MAX];
    word_negate(g, negative, a, width);
    word_select(g, out, a[width - 1], negative, a, width);
}

// SMT-LIB: through magnitudes; the remainder has the dividend's sign.
void blast_divide(struct blast *b, lit *out, enum expr_op op, const lit *a, const lit *by,
                  unsigned width)
{
    struct gates *g = &b->gates;
    lit x[WORD_MAX], y[WORD_MAX], negative[WORD_MAX];
    bool is_signed = op == EXPR_SDIV || op == EXPR_SREM;
    bool quotient = op == EXPR_UDIV || op == EXPR_SDIV;
    lit sign = !is_signed ? LIT_FALSE
               : quotient ? gates_xor(g, a[width - 1], by[width - 1])
                          : a[width - 1];
    memcpy(x, a, width * sizeof *x);
    memcpy(y, by, width * sizeof *y);
    if (is_signed) {
        magnitude(g, x, x, width);
        magnitude(g, y, y, width);
    }
    const struct blast_division *d = division(b, x, y, width);
    memcpy(out, b->bits.items + (quotient ? d->quotient : d->remainder), width * sizeof *out);
    if (sign == LIT_FALSE)
        return;
    word_negate(g, negative, out, width);
    word_select(g, out, sign, negative, out, width);
}
