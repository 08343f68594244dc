// SPDX-License-Identifier: Apache-2.0
// Quotients and square roots of floats, bit by bit from the top (restoring), with what
// is left over as the sticky bit.
#include "solver/blast_float.h"

#include <string.h>

// rest -= by if that is not negative; returns whether it was not.
static lit subtract_step(struct gates *g, lit *rest, const lit *by, unsigned width)
{
    lit difference[WORD_MAX], carry = LIT_TRUE;
    for (unsigned i = 0; i < width; i++) {
        lit inverted = lit_not(by[i]);
        difference[i] = gates_xor(g, gates_xor(g, rest[i], inverted), carry);
        carry = gates_maj(g, rest[i], inverted, carry);
    }
    word_select(g, rest, carry, difference, rest, width);
    return carry;
}

static void shift_in(lit *word, unsigned width, lit lowest)
{
    memmove(word + 1, word, (width - 1) * sizeof *word);
    word[0] = lowest;
}

// Both are normalised, so the quotient is above one half and below 2: precision + 2
// bits hold it with one below to round by. The rest stays below twice the divisor.
static void divide_significands(struct gates *g, struct float_magnitude *out, const lit *a,
                                const lit *b, unsigned precision)
{
    lit rest[WORD_MAX], by[WORD_MAX];
    unsigned width = precision + 1;
    memcpy(rest, a, precision * sizeof *rest);
    memcpy(by, b, precision * sizeof *by);
    rest[precision] = by[precision] = LIT_FALSE;
    out->bits = precision + 2;
    for (unsigned i = out->bits; i-- > 0 && !g->full;) {
        out->significand[i] = subtract_step(g, rest, by, width);
        if (i)
            shift_in(rest, width, LIT_FALSE);
    }
    out->sticky = word_any(g, rest, width);
}

static void split_normal(struct gates *g, struct float_parts *p, const lit *a, unsigned width)
{
    unsigned precision = float_format(width).precision;
    float_split(g, p, a, width);
    float_normalise(g, p->exponent, p->significand, precision, precision - 1, false);
}

void float_divide(struct gates *g, lit *out, const lit *a, const lit *b, unsigned width)
{
    struct float_format f = float_format(width);
    struct float_parts x, y;
    struct float_magnitude m = {.zeros = 1, .tiny = true};
    lit bias[EXPONENT_BITS], special[WORD_MAX], quotient[WORD_MAX];
    split_normal(g, &x, a, width);
    split_normal(g, &y, b, width);
    lit sign = gates_xor(g, x.sign, y.sign);
    divide_significands(g, &m, x.significand, y.significand, f.precision);
    word_sub(g, m.exponent, x.exponent, y.exponent, EXPONENT_BITS);
    float_number(bias, (int)f.bias);
    word_add(g, m.exponent, m.exponent, bias, LIT_FALSE, EXPONENT_BITS);
    float_round(g, quotient, width, sign, &m);
    float_infinity(special, width, sign);
    word_select(g, quotient, gates_or(g, x.infinite, y.zero), special, quotient, width);
    word_number(special, 0, width - 1);
    word_select(g, quotient, gates_or(g, x.zero, y.infinite), special, quotient, width);
    lit invalid = gates_or(g, gates_and(g, x.zero, y.zero), gates_and(g, x.infinite, y.infinite));
    float_or_nan(g, quotient, width, a, b, invalid);
    memcpy(out, quotient, width * sizeof *out);
}

// The root of the radicand's precision + 1 bits, which is at least 1 and below 4, to
// precision + 1 bits. Before bit number k the root has k bits and the rest, which is at
// most twice the root, k + 1; two more come in.
static void root_significand(struct gates *g, struct float_magnitude *out, const lit *radicand,
                             unsigned precision)
{
    lit rest[WORD_MAX], root[WORD_MAX], trial[WORD_MAX];
    unsigned bits = precision + 1;
    word_number(rest, 0, bits + 4);
    word_number(root, 0, bits + 4);
    for (unsigned k = 0; k < bits && !g->full; k++) {
        int at = (int)precision - 2 * (int)k; // the higher one of the next two bits
        shift_in(rest, k + 3, at >= 0 ? radicand[at] : LIT_FALSE);
        shift_in(rest, k + 3, at >= 1 ? radicand[at - 1] : LIT_FALSE);
        memcpy(trial + 2, root, (k + 1) * sizeof *trial);
        trial[0] = LIT_TRUE;
        trial[1] = LIT_FALSE;
        shift_in(root, k + 1, subtract_step(g, rest, trial, k + 3));
    }
    memcpy(out->significand, root, bits * sizeof *root);
    out->bits = bits;
    out->sticky = word_any(g, rest, bits + 2);
}

// Biases are odd: an even biased exponent is an odd one, which lends the radicand a
// factor of 2. Halves of exponents need no rounding then.
void float_root(struct gates *g, lit *out, const lit *a, unsigned width)
{
    struct float_format f = float_format(width);
    struct float_parts x;
    struct float_magnitude m = {0};
    lit radicand[WORD_MAX], shifted[WORD_MAX], bias[EXPONENT_BITS], root[WORD_MAX];
    split_normal(g, &x, a, width);
    lit odd = lit_not(x.exponent[0]);
    memcpy(radicand, x.significand, f.precision * sizeof *radicand);
    radicand[f.precision] = shifted[0] = LIT_FALSE;
    memcpy(shifted + 1, x.significand, f.precision * sizeof *shifted);
    word_select(g, radicand, odd, shifted, radicand, f.precision + 1);
    root_significand(g, &m, radicand, f.precision);
    float_number(bias, -(int)f.bias);
    word_add(g, m.exponent, x.exponent, bias, LIT_FALSE, EXPONENT_BITS);
    memmove(m.exponent, m.exponent + 1, (EXPONENT_BITS - 1) * sizeof *m.exponent);
    float_number(bias, (int)f.bias);
    word_add(g, m.exponent, m.exponent, bias, LIT_FALSE, EXPONENT_BITS);
    float_round(g, root, width, LIT_FALSE, &m);
    // Zeros, also the negative one, and positive infinity are their own roots.
    lit same = gates_or(g, x.zero, x.infinite);
    word_select(g, root, same, a, root, width);
    float_or_nan(g, root, width, a, NULL, gates_and(g, x.sign, lit_not(x.zero)));
    memcpy(out, root, width * sizeof *out);
}
