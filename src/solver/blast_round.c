// SPDX-License-Identifier: Apache-2.0
// Rounding, the last part of every circuit with a float as its result: normalise, shift
// subnormals out, round to nearest even, pack. The rounding increment is added to
// exponent and fraction as one number, so its carry makes the next exponent, the
// smallest normal number and infinity without cases of their own.
#include "solver/blast_float.h"

#include <string.h>

static void lower(struct gates *g, lit *out, const lit *exponent, unsigned step)
{
    lit number[EXPONENT_BITS];
    float_number(number, -(int)step);
    word_add(g, out, exponent, number, LIT_FALSE, EXPONENT_BITS);
}

// exponent - step >= 1
static lit stays_normal(struct gates *g, const lit *exponent, unsigned step)
{
    lit less[EXPONENT_BITS];
    lower(g, less, exponent, step + 1);
    return lit_not(less[EXPONENT_BITS - 1]);
}

// Steps of powers of two from the largest down: the places shifted are the smaller one
// of zeros found and exponent allowed, digit by digit.
void float_normalise(struct gates *g, lit *exponent, lit *significand, unsigned bits,
                     unsigned zeros, bool bounded)
{
    unsigned step = 1;
    while (2 * step <= zeros && 2 * step < bits)
        step *= 2;
    for (; step && zeros; step /= 2) {
        lit lowered[EXPONENT_BITS], shifted[WORD_MAX];
        lit move = lit_not(word_any(g, significand + bits - step, step));
        if (bounded)
            move = gates_and(g, move, stays_normal(g, exponent, step));
        lower(g, lowered, exponent, step);
        for (unsigned i = 0; i < bits; i++)
            shifted[i] = i >= step ? significand[i - step] : LIT_FALSE;
        word_select(g, significand, move, shifted, significand, bits);
        word_select(g, exponent, move, lowered, exponent, EXPONENT_BITS);
    }
}

lit float_shift_out(struct gates *g, lit *word, unsigned width, const lit *amount,
                    unsigned amount_bits)
{
    lit lost = LIT_FALSE, beyond = LIT_FALSE;
    for (unsigned stage = 0; stage < amount_bits; stage++) {
        lit shifted[WORD_MAX];
        unsigned step = 1u << stage;
        if (step >= width) {
            beyond = gates_or(g, beyond, amount[stage]);
            continue;
        }
        lost = gates_or(g, lost, gates_and(g, amount[stage], word_any(g, word, step)));
        for (unsigned i = 0; i < width; i++)
            shifted[i] = i + step < width ? word[i + step] : LIT_FALSE;
        word_select(g, word, amount[stage], shifted, word, width);
    }
    lost = gates_or(g, lost, gates_and(g, beyond, word_any(g, word, width)));
    for (unsigned i = 0; i < width; i++)
        word[i] = gates_and(g, word[i], lit_not(beyond));
    return lost;
}

// The highest `keep` bits; what is below goes into sticky.
static void cut(struct gates *g, struct float_magnitude *m, unsigned keep)
{
    unsigned low = m->bits > keep ? m->bits - keep : 0;
    unsigned pad = m->bits < keep ? keep - m->bits : 0;
    m->sticky = gates_or(g, m->sticky, word_any(g, m->significand, low));
    memmove(m->significand + pad, m->significand + low, (keep - pad) * sizeof *m->significand);
    word_number(m->significand, 0, pad);
    m->bits = keep;
}

// An exponent below 1 becomes 1.
static void shift_tiny(struct gates *g, struct float_magnitude *m)
{
    lit amount[EXPONENT_BITS], one[EXPONENT_BITS];
    float_number(one, 1);
    word_sub(g, amount, one, m->exponent, EXPONENT_BITS);
    lit above = amount[EXPONENT_BITS - 1]; // the exponent is above 1
    for (unsigned i = 0; i < EXPONENT_BITS; i++)
        amount[i] = gates_and(g, amount[i], lit_not(above));
    lit lost = float_shift_out(g, m->significand, m->bits, amount, EXPONENT_BITS - 1);
    m->sticky = gates_or(g, m->sticky, lost);
    word_select(g, m->exponent, above, m->exponent, one, EXPONENT_BITS);
}

// The significand has the precision's bits and one below to round by.
static void pack(struct gates *g, lit *out, const struct float_format *f, lit sign,
                 const struct float_magnitude *m)
{
    unsigned fraction = f->precision - 1, magnitude = f->width - 1;
    lit zeros[WORD_MAX], last[EXPONENT_BITS];
    const lit *kept = m->significand + 1;
    lit hidden = kept[fraction];
    lit up = gates_and(g, m->significand[0], gates_or(g, m->sticky, kept[0]));
    memcpy(out, kept, fraction * sizeof *out);
    for (unsigned i = 0; i < f->exponent; i++)
        out[fraction + i] = gates_and(g, m->exponent[i], hidden);
    word_number(zeros, 0, magnitude);
    word_add(g, out, out, zeros, up, magnitude);
    // From the last exponent on (as signed numbers, which are not negative here).
    float_number(last, (1 << f->exponent) - 1);
    lit over = gates_and(g, hidden, word_less(g, last, m->exponent, EXPONENT_BITS, true));
    for (unsigned i = 0; i < magnitude; i++)
        out[i] = gates_ite(g, over, lit_of(i >= fraction), out[i]);
    out[magnitude] = sign;
}

void float_round(struct gates *g, lit *out, unsigned width, lit sign, struct float_magnitude *m)
{
    struct float_format f = float_format(width);
    float_normalise(g, m->exponent, m->significand, m->bits, m->zeros, true);
    cut(g, m, f.precision + 1);
    if (m->tiny)
        shift_tiny(g, m);
    pack(g, out, &f, sign, m);
}
