// SPDX-License-Identifier: Apache-2.0
// Taking floats apart, comparing and choosing them, and what an operation gives when
// its result is no number. See blast_float.h.
#include "solver/blast_float.h"

#include <string.h>

lit word_any(struct gates *g, const lit *a, unsigned width)
{
    lit any = LIT_FALSE;
    for (unsigned i = width; i-- > 0;)
        any = gates_or(g, any, a[i]);
    return any;
}

void float_number(lit *exponent, int value)
{
    word_number(exponent, (expr_u128)(expr_i128)value, EXPONENT_BITS);
}

void float_infinity(lit *out, unsigned width, lit sign)
{
    unsigned fraction = float_format(width).precision - 1;
    for (unsigned i = 0; i + 1 < width; i++)
        out[i] = lit_of(i >= fraction);
    out[width - 1] = sign;
}

static lit all_set(struct gates *g, const lit *a, unsigned width)
{
    lit all = LIT_TRUE;
    for (unsigned i = width; i-- > 0;)
        all = gates_and(g, all, a[i]);
    return all;
}

void float_split(struct gates *g, struct float_parts *out, const lit *word, unsigned width)
{
    struct float_format f = float_format(width);
    unsigned fraction = f.precision - 1;
    const lit *exponent = word + fraction;
    lit normal = word_any(g, exponent, f.exponent);
    lit fractional = word_any(g, word, fraction), last = all_set(g, exponent, f.exponent);
    out->sign = word[width - 1];
    out->nan = gates_and(g, last, fractional);
    out->infinite = gates_and(g, last, lit_not(fractional));
    out->zero = gates_and(g, lit_not(normal), lit_not(fractional));
    memcpy(out->significand, word, fraction * sizeof *word);
    out->significand[fraction] = normal;
    float_number(out->exponent, 0);
    memcpy(out->exponent, exponent, f.exponent * sizeof *exponent);
    out->exponent[0] = gates_or(g, exponent[0], lit_not(normal));
}

static lit is_nan(struct gates *g, const lit *a, unsigned width)
{
    unsigned fraction = float_format(width).precision - 1;
    return gates_and(g, all_set(g, a + fraction, width - 1 - fraction), word_any(g, a, fraction));
}

void float_or_nan(struct gates *g, lit *out, unsigned width, const lit *a, const lit *b,
                  lit invalid)
{
    unsigned quiet = float_format(width).precision - 2;
    lit first = is_nan(g, a, width), second = b ? is_nan(g, b, width) : LIT_FALSE;
    for (unsigned i = 0; i < width; i++) {
        lit bit = gates_ite(g, invalid, lit_of(i >= quiet), out[i]);
        if (b)
            bit = gates_ite(g, second, i == quiet ? LIT_TRUE : b[i], bit);
        out[i] = gates_ite(g, first, i == quiet ? LIT_TRUE : a[i], bit);
    }
}

// Comparisons: magnitudes compare as integers, the signs decide which way.

static lit ordered(struct gates *g, const lit *a, const lit *b, unsigned width)
{
    return gates_and(g, lit_not(is_nan(g, a, width)), lit_not(is_nan(g, b, width)));
}

static lit both_zero(struct gates *g, const lit *a, const lit *b, unsigned width)
{
    return lit_not(gates_or(g, word_any(g, a, width - 1), word_any(g, b, width - 1)));
}

// Without NaN.
static lit numbers_equal(struct gates *g, const lit *a, const lit *b, unsigned width)
{
    return gates_or(g, word_equal(g, a, b, width), both_zero(g, a, b, width));
}

static lit numbers_less(struct gates *g, const lit *a, const lit *b, unsigned width)
{
    lit minus_a = a[width - 1], minus_b = b[width - 1];
    lit below = word_less(g, a, b, width - 1, false), above = word_less(g, b, a, width - 1, false);
    lit apart = lit_not(both_zero(g, a, b, width));
    return gates_ite(g, minus_a, gates_ite(g, minus_b, above, apart),
                     gates_and(g, lit_not(minus_b), below));
}

// "Unordered or x" is the negation of the opposite ordered comparison.
static lit compare(struct gates *g, enum expr_op op, const lit *a, const lit *b, unsigned width)
{
    lit both = ordered(g, a, b, width);
    switch (op) {
    case EXPR_FORD: return both;
    case EXPR_FUNO: return lit_not(both);
    case EXPR_FOEQ: return gates_and(g, both, numbers_equal(g, a, b, width));
    case EXPR_FUNE: return lit_not(compare(g, EXPR_FOEQ, a, b, width));
    case EXPR_FONE: return gates_and(g, both, lit_not(numbers_equal(g, a, b, width)));
    case EXPR_FUEQ: return lit_not(compare(g, EXPR_FONE, a, b, width));
    case EXPR_FOLT: return gates_and(g, both, numbers_less(g, a, b, width));
    case EXPR_FOGT: return gates_and(g, both, numbers_less(g, b, a, width));
    case EXPR_FOLE: return gates_and(g, both, lit_not(numbers_less(g, b, a, width)));
    case EXPR_FOGE: return gates_and(g, both, lit_not(numbers_less(g, a, b, width)));
    case EXPR_FULT: return lit_not(compare(g, EXPR_FOGE, a, b, width));
    case EXPR_FUGT: return lit_not(compare(g, EXPR_FOLE, a, b, width));
    case EXPR_FULE: return lit_not(compare(g, EXPR_FOGT, a, b, width));
    default: return lit_not(compare(g, EXPR_FOLT, a, b, width)); // FUGE
    }
}

// FMIN, FMAX: b when a is NaN, else b when it is less (more), else a.
static void blast_minimum_or_maximum(struct gates *g, lit *out, enum expr_op op, const lit *a,
                                     const lit *b, unsigned width)
{
    lit beyond = compare(g, op == EXPR_FMIN ? EXPR_FOLT : EXPR_FOGT, b, a, width);
    lit second = gates_or(g, is_nan(g, a, width), beyond);
    word_select(g, out, second, b, a, width);
}

static void change_sign(lit *out, enum expr_op op, const lit *a, unsigned width)
{
    memcpy(out, a, width * sizeof *out);
    out[width - 1] = op == EXPR_FNEG ? lit_not(a[width - 1]) : LIT_FALSE;
}

bool blast_float(struct blast *b, lit *out, const struct expr *e)
{
    struct gates *g = &b->gates;
    unsigned from = expr_get(b->pool, e->a)->width;
    const lit *x = blast_word(b, e->a), *y = e->b ? blast_word(b, e->b) : NULL;
    if (expr_op_kind(e->op) == 'Q') {
        out[0] = compare(g, e->op, x, y, from);
        return true;
    }
    switch (e->op) {
    case EXPR_FADD:
    case EXPR_FSUB: float_add(g, out, x, y, e->width, e->op == EXPR_FSUB); break;
    case EXPR_FMUL: float_multiply(g, out, x, y, e->width); break;
    case EXPR_FDIV: float_divide(g, out, x, y, e->width); break;
    case EXPR_FMIN:
    case EXPR_FMAX: blast_minimum_or_maximum(g, out, e->op, x, y, e->width); break;
    case EXPR_FNEG:
    case EXPR_FABS: change_sign(out, e->op, x, e->width); break;
    case EXPR_FSQRT: float_root(g, out, x, e->width); break;
    case EXPR_FFLOOR:
    case EXPR_FCEIL:
    case EXPR_FTRUNC: float_integral(g, out, e->op, x, e->width); break;
    case EXPR_FPEXT:
    case EXPR_FPTRUNC: float_resize(g, out, x, e->width); break;
    case EXPR_SITOFP:
    case EXPR_UITOFP: float_from_integer(g, out, e->op, x, from, e->width); break;
    case EXPR_FPTOSI:
    case EXPR_FPTOUI: float_to_integer(g, out, e->op, x, from, e->width); break;
    default: return false;
    }
    return true;
}
