// SPDX-License-Identifier: Apache-2.0
// Circuits of IEEE 754 operations on binary32 and binary64, bit for bit the evaluator's
// (see expr/eval.h for what C leaves open). One file per idea: taking floats apart and
// comparing (blast_float.c), rounding (blast_round.c), sums and products
// (blast_arith.c), quotients and roots (blast_divide_float.c), conversions
// (blast_convert.c).
//
// FREM has no circuit: the exponents' difference makes it as wide as the range.
#ifndef CZ_SOLVER_BLAST_FLOAT_H
#define CZ_SOLVER_BLAST_FLOAT_H

#include "solver/blast_words.h"

// Exponents are signed words of this many bits, biased as in their format: enough for
// sums and differences of two exponents of doubles, subnormals normalised.
#define EXPONENT_BITS 13

struct float_format {
    unsigned width, precision, exponent; // bits; the precision counts the hidden one
    unsigned bias;
};

static inline struct float_format float_format(unsigned width)
{
    return width == 32 ? (struct float_format){32, 24, 8, 127}
                       : (struct float_format){64, 53, 11, 1023};
}

// A float taken apart. Unless it is NaN or infinite its magnitude is the significand,
// read as a number below 2, times 2 to the exponent less the bias. A subnormal has the
// exponent 1 and no hidden bit.
struct float_parts {
    lit sign, nan, infinite, zero;
    lit exponent[EXPONENT_BITS];
    lit significand[WORD_MAX]; // `precision` bits
};

void float_split(struct gates *g, struct float_parts *out, const lit *word, unsigned width);

// blast_float.c, for the others.
lit word_any(struct gates *g, const lit *a, unsigned width); // is a bit set?
void float_number(lit *exponent, int value);
void float_infinity(lit *out, unsigned width, lit sign);

// out, or where its operation has no number as a result, what the evaluator gives: the
// first operand that is NaN, made quiet, else, where `invalid` holds, the default NaN.
// b is NULL for a unary operation.
void float_or_nan(struct gates *g, lit *out, unsigned width, const lit *a, const lit *b,
                  lit invalid);

// blast_round.c. A magnitude of any length: `significand` of `bits` bits, of which the
// highest weighs 2^(exponent - bias), and `sticky` for whether something is cut off
// below. `zeros`: so many of the highest bits may be clear; `tiny`: the exponent may be
// below 1. Rounds to nearest even; exponent and significand are changed.
struct float_magnitude {
    lit exponent[EXPONENT_BITS];
    lit significand[WORD_MAX];
    unsigned bits;
    lit sticky;
    unsigned zeros;
    bool tiny;
};
void float_round(struct gates *g, lit *out, unsigned width, lit sign, struct float_magnitude *m);

// Shift left until the highest bit is set, at most `zeros` places and, if `bounded`,
// while the exponent stays at least 1. Nothing happens to zero's value.
void float_normalise(struct gates *g, lit *exponent, lit *significand, unsigned bits,
                     unsigned zeros, bool bounded);

// word >>= amount; returns whether a set bit was lost.
lit float_shift_out(struct gates *g, lit *word, unsigned width, const lit *amount,
                    unsigned amount_bits);

// blast_arith.c
void float_add(struct gates *g, lit *out, const lit *a, const lit *b, unsigned width, bool minus);
void float_multiply(struct gates *g, lit *out, const lit *a, const lit *b, unsigned width);

// blast_divide_float.c
void float_divide(struct gates *g, lit *out, const lit *a, const lit *b, unsigned width);
void float_root(struct gates *g, lit *out, const lit *a, unsigned width);

// blast_convert.c. op: FFLOOR, FCEIL or FTRUNC; FPTOSI or FPTOUI; SITOFP or UITOFP.
void float_integral(struct gates *g, lit *out, enum expr_op op, const lit *a, unsigned width);
void float_resize(struct gates *g, lit *out, const lit *a, unsigned width); // to this width
void float_from_integer(struct gates *g, lit *out, enum expr_op op, const lit *a, unsigned from,
                        unsigned width);
void float_to_integer(struct gates *g, lit *out, enum expr_op op, const lit *a, unsigned from,
                      unsigned width);

// The circuit of a float operation whose operands are built. False: there is none.
bool blast_float(struct blast *b, lit *out, const struct expr *e);

#endif
