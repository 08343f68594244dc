// SPDX-License-Identifier: Apache-2.0
// Sums and products of floats: exact in integers, with three bits below the precision
// for a sum, then rounded.
#include "solver/blast_float.h"

#include <string.h>

enum { BELOW = 3 }; // guard, round, sticky

// The significand with BELOW bits below.
static void spread(lit *out, const struct float_parts *p, unsigned precision)
{
    word_number(out, 0, BELOW);
    memcpy(out + BELOW, p->significand, precision * sizeof *out);
}

static void select_parts(struct gates *g, struct float_parts *out, lit condition,
                         const struct float_parts *yes, const struct float_parts *no,
                         unsigned precision)
{
    out->sign = gates_ite(g, condition, yes->sign, no->sign);
    word_select(g, out->significand, condition, yes->significand, no->significand, precision);
    word_select(g, out->exponent, condition, yes->exponent, no->exponent, EXPONENT_BITS);
}

// x + y where |x| >= |y|. The sum's sign is x's, except that an exact zero of opposite
// operands is positive.
static void add_ordered(struct gates *g, lit *out, unsigned width, const struct float_parts *x,
                        const struct float_parts *y)
{
    unsigned precision = float_format(width).precision, bits = precision + BELOW + 1;
    struct float_magnitude m = {.bits = bits, .zeros = bits - 1, .sticky = LIT_FALSE};
    lit apart[EXPONENT_BITS], one[EXPONENT_BITS], smaller[WORD_MAX];
    spread(m.significand, x, precision);
    spread(smaller, y, precision);
    m.significand[bits - 1] = smaller[bits - 1] = LIT_FALSE;
    word_sub(g, apart, x->exponent, y->exponent, EXPONENT_BITS);
    lit lost = float_shift_out(g, smaller, bits - 1, apart, EXPONENT_BITS - 2);
    smaller[0] = gates_or(g, smaller[0], lost);
    lit minus = gates_xor(g, x->sign, y->sign);
    for (unsigned i = 0; i < bits; i++)
        smaller[i] = gates_xor(g, smaller[i], minus);
    word_add(g, m.significand, m.significand, smaller, minus, bits);
    float_number(one, 1);
    word_add(g, m.exponent, x->exponent, one, LIT_FALSE, EXPONENT_BITS);
    lit cancelled = gates_and(g, minus, lit_not(word_any(g, m.significand, bits)));
    float_round(g, out, width, gates_and(g, x->sign, lit_not(cancelled)), &m);
}

void float_add(struct gates *g, lit *out, const lit *a, const lit *b, unsigned width, bool minus)
{
    struct float_parts x, y, large = {0}, small = {0};
    unsigned precision = float_format(width).precision;
    lit infinity[WORD_MAX], sum[WORD_MAX];
    float_split(g, &x, a, width);
    float_split(g, &y, b, width);
    y.sign ^= minus;
    lit swap = word_less(g, a, b, width - 1, false);
    select_parts(g, &large, swap, &y, &x, precision);
    select_parts(g, &small, swap, &x, &y, precision);
    add_ordered(g, sum, width, &large, &small);
    lit either = gates_or(g, x.infinite, y.infinite);
    lit opposite = gates_and(g, gates_and(g, x.infinite, y.infinite), gates_xor(g, x.sign, y.sign));
    float_infinity(infinity, width, gates_ite(g, x.infinite, x.sign, y.sign));
    word_select(g, sum, either, infinity, sum, width);
    float_or_nan(g, sum, width, a, b, opposite);
    memcpy(out, sum, width * sizeof *out);
}

void float_multiply(struct gates *g, lit *out, const lit *a, const lit *b, unsigned width)
{
    struct float_format f = float_format(width);
    struct float_parts x, y;
    struct float_magnitude m = {
        .bits = 2 * f.precision, .zeros = 2 * f.precision - 1, .sticky = LIT_FALSE, .tiny = true};
    lit bias[EXPONENT_BITS], infinity[WORD_MAX], product[WORD_MAX];
    float_split(g, &x, a, width);
    float_split(g, &y, b, width);
    lit sign = gates_xor(g, x.sign, y.sign);
    word_number(x.significand + f.precision, 0, f.precision);
    word_number(y.significand + f.precision, 0, f.precision);
    word_multiply(g, m.significand, x.significand, y.significand, m.bits);
    // The product's highest bit weighs 2 where the operands' weigh 1.
    float_number(bias, 1 - (int)f.bias);
    word_add(g, m.exponent, x.exponent, y.exponent, LIT_FALSE, EXPONENT_BITS);
    word_add(g, m.exponent, m.exponent, bias, LIT_FALSE, EXPONENT_BITS);
    float_round(g, product, width, sign, &m);
    float_infinity(infinity, width, sign);
    lit either = gates_or(g, x.infinite, y.infinite);
    lit invalid = gates_or(g, gates_and(g, x.infinite, y.zero), gates_and(g, x.zero, y.infinite));
    word_select(g, product, either, infinity, product, width);
    float_or_nan(g, product, width, a, b, invalid);
    memcpy(out, product, width * sizeof *out);
}
