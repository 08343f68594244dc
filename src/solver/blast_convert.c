// SPDX-License-Identifier: Apache-2.0
// Conversions: between the two formats, from and to integers, and to integral floats.
// What C leaves open is as in expr/eval.h.
#include "solver/blast_float.h"

#include <string.h>

// Sign, exponent of ones, quiet bit and the payload's upper bits.
static void resize_nan(lit *out, const lit *a, unsigned from, unsigned width)
{
    unsigned fraction = float_format(width).precision - 1, had = float_format(from).precision - 1;
    for (unsigned i = 0; i < fraction; i++) {
        int source = (int)had - (int)fraction + (int)i;
        out[i] = source >= 0 ? a[source] : LIT_FALSE;
    }
    for (unsigned i = fraction - 1; i + 1 < width; i++)
        out[i] = LIT_TRUE;
    out[width - 1] = a[from - 1];
}

void float_resize(struct gates *g, lit *out, const lit *a, unsigned width)
{
    unsigned from = 96 - width;
    struct float_format had = float_format(from), f = float_format(width);
    struct float_parts x;
    struct float_magnitude m = {.bits = had.precision, .sticky = LIT_FALSE};
    lit bias[EXPONENT_BITS], special[WORD_MAX], result[WORD_MAX];
    float_split(g, &x, a, from);
    float_number(bias, (int)f.bias - (int)had.bias);
    word_add(g, m.exponent, x.exponent, bias, LIT_FALSE, EXPONENT_BITS);
    memcpy(m.significand, x.significand, had.precision * sizeof *m.significand);
    // Subnormal floats are normal doubles; subnormal doubles are zero as floats.
    m.zeros = width > from ? had.precision - 1 : 0;
    m.tiny = width < from;
    float_round(g, result, width, x.sign, &m);
    float_infinity(special, width, x.sign);
    word_select(g, result, x.infinite, special, result, width);
    resize_nan(special, a, from, width);
    word_select(g, out, x.nan, special, result, width);
}

void float_from_integer(struct gates *g, lit *out, enum expr_op op, const lit *a, unsigned from,
                        unsigned width)
{
    struct float_magnitude m = {.bits = from, .zeros = from - 1, .sticky = LIT_FALSE};
    lit sign = op == EXPR_SITOFP ? a[from - 1] : LIT_FALSE;
    word_negate(g, m.significand, a, from);
    word_select(g, m.significand, sign, m.significand, a, from);
    float_number(m.exponent, (int)float_format(width).bias + (int)from - 1);
    float_round(g, out, width, sign, &m);
}

// To integers: the significand at the top of a word, shifted down by what the exponent
// lacks. Shifting by more than the word's width gives 0, which is right for what is
// below 1; what is too large is for the caller to exclude.
static void integer_magnitude(struct gates *g, lit *out, const struct float_parts *x,
                              const struct float_format *f, unsigned bits)
{
    unsigned wide = bits > f->precision ? bits : f->precision;
    lit top[EXPONENT_BITS], by[EXPONENT_BITS];
    word_number(out, 0, wide);
    memcpy(out + wide - f->precision, x->significand, f->precision * sizeof *out);
    float_number(top, (int)f->bias + (int)wide - 1);
    word_sub(g, by, top, x->exponent, EXPONENT_BITS);
    float_shift_out(g, out, wide, by, EXPONENT_BITS - 1);
}

// exponent - bias >= limit, for limits above 0.
static lit reaches(struct gates *g, const struct float_parts *x, const struct float_format *f,
                   unsigned limit)
{
    lit number[EXPONENT_BITS];
    float_number(number, (int)(f->bias + limit));
    return word_less(g, number, x->exponent, EXPONENT_BITS, true);
}

static void apply_sign(struct gates *g, lit *word, lit sign, unsigned width)
{
    lit negative[WORD_MAX];
    word_negate(g, negative, word, width);
    word_select(g, word, sign, negative, word, width);
}

// A register of 32 or 64 bits: out of its range, and for -2^(bits - 1), the value is
// 2^(bits - 1).
static void to_register(struct gates *g, lit *out, const struct float_parts *x,
                        const struct float_format *f, unsigned bits, bool large)
{
    lit magnitude[WORD_MAX], indefinite[WORD_MAX];
    integer_magnitude(g, magnitude, x, f, bits);
    memcpy(out, magnitude, bits * sizeof *out);
    apply_sign(g, out, x->sign, bits);
    word_number(indefinite, (expr_u128)1 << (bits - 1), bits);
    word_select(g, out, reaches(g, x, f, bits - 1), indefinite, out, bits);
    if (!large)
        return;
    // Unsigned: what has the highest bit only is exact, too.
    lit exact = gates_and(g, reaches(g, x, f, bits - 1), lit_not(reaches(g, x, f, bits)));
    exact = gates_and(g, exact, lit_not(x->sign));
    word_select(g, out, exact, magnitude, out, bits);
}

// More than 64 bits: 0 out of range.
static void to_wide(struct gates *g, lit *out, const struct float_parts *x,
                    const struct float_format *f, unsigned width, bool is_signed)
{
    lit least = LIT_FALSE, zero[WORD_MAX];
    integer_magnitude(g, out, x, f, width);
    lit below = lit_not(reaches(g, x, f, width - is_signed));
    if (is_signed) { // -2^(width - 1)
        unsigned fraction = f->precision - 1;
        least = gates_and(g, x->sign, lit_not(word_any(g, x->significand, fraction)));
        least = gates_and(g, least, lit_not(reaches(g, x, f, width)));
    }
    lit fits = gates_or(g, below, least);
    if (is_signed)
        apply_sign(g, out, x->sign, width);
    else
        fits = gates_and(g, fits, lit_not(x->sign)); // above -1 the magnitude is 0 anyway
    fits = gates_and(g, fits, lit_not(gates_or(g, x->nan, x->infinite)));
    word_number(zero, 0, width);
    word_select(g, out, fits, out, zero, width);
}

void float_to_integer(struct gates *g, lit *out, enum expr_op op, const lit *a, unsigned from,
                      unsigned width)
{
    struct float_format f = float_format(from);
    struct float_parts x;
    bool is_signed = op == EXPR_FPTOSI;
    lit value[WORD_MAX];
    float_split(g, &x, a, from);
    if (width > 64) {
        to_wide(g, out, &x, &f, width, is_signed);
        return;
    }
    unsigned bits = width < 32 || (is_signed && width == 32) ? 32 : 64;
    to_register(g, value, &x, &f, bits, !is_signed && width > 32);
    memcpy(out, value, width * sizeof *out);
}

// Integral floats.

// Which bits of the fraction are below 1, for magnitudes of at least 1.
static void fractional_bits(struct gates *g, lit *out, const struct float_parts *x,
                            const struct float_format *f)
{
    unsigned fraction = f->precision - 1;
    lit ones[WORD_MAX], by[WORD_MAX], bias[EXPONENT_BITS];
    word_number(ones, value_ones(fraction), fraction);
    word_number(by, 0, fraction);
    float_number(bias, (int)f->bias);
    word_sub(g, by, x->exponent, bias, EXPONENT_BITS);
    word_shift(g, out, EXPR_LSHR, ones, by, fraction);
}

void float_integral(struct gates *g, lit *out, enum expr_op op, const lit *a, unsigned width)
{
    struct float_format f = float_format(width);
    unsigned fraction = f.precision - 1, magnitude = width - 1;
    struct float_parts x;
    lit below[WORD_MAX], up[WORD_MAX], zeros[WORD_MAX], one[WORD_MAX];
    float_split(g, &x, a, width);
    fractional_bits(g, below, &x, &f);
    lit small = lit_not(reaches(g, &x, &f, 0)), inexact = LIT_FALSE;
    for (unsigned i = 0; i < fraction; i++)
        inexact = gates_or(g, inexact, gates_and(g, a[i], below[i]));
    inexact = gates_ite(g, small, lit_not(x.zero), inexact);
    lit away = op == EXPR_FFLOOR ? x.sign : op == EXPR_FCEIL ? lit_not(x.sign) : LIT_FALSE;
    away = gates_and(g, away, inexact);
    // All fractional bits set and one added: the next integer, whatever its exponent.
    for (unsigned i = 0; i < magnitude; i++)
        up[i] = i < fraction ? gates_ite(g, below[i], away, a[i]) : a[i];
    word_number(zeros, 0, magnitude);
    word_add(g, up, up, zeros, away, magnitude);
    word_number(one, (expr_u128)f.bias << fraction, magnitude);
    for (unsigned i = 0; i < magnitude; i++)
        out[i] = gates_ite(g, small, gates_and(g, away, one[i]), up[i]);
    out[magnitude] = a[magnitude];
    float_or_nan(g, out, width, a, NULL, LIT_FALSE);
}
