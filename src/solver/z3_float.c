// SPDX-License-Identifier: Apache-2.0
// Float expressions as terms of Z3's floating-point theory, with exactly the
// evaluator's meaning (see expr/eval.h), bit patterns of NaN included. The theory
// has one NaN and leaves its bits and out-of-range conversions unspecified, so both
// are spelled out here as ites.
#include "solver/z3_internal.h"

#include "base/error.h"
#include <math.h>

static const struct expr *node(struct z3 *z, expr_id id)
{
    return expr_get(z->base.pool, id);
}

static Z3_sort float_sort(struct z3 *z, unsigned width)
{
    return width == 32 ? Z3_mk_fpa_sort_32(z->context) : Z3_mk_fpa_sort_64(z->context);
}

static Z3_ast nearest(struct z3 *z)
{
    return z3_keep(z, Z3_mk_fpa_rne(z->context));
}

static Z3_ast is_nan(struct z3 *z, expr_id id)
{
    return z3_keep(z, Z3_mk_fpa_is_nan(z->context, z3_float(z, id)));
}

static Z3_ast z3_float_if(struct z3 *z, Z3_ast condition, Z3_ast yes, Z3_ast no)
{
    return z3_keep(z, Z3_mk_ite(z->context, condition, yes, no));
}

static bool is_float_valued(enum expr_op op)
{
    char kind = expr_op_kind(op);
    return kind == 'F' || kind == 'G' || (op >= EXPR_FPEXT && op <= EXPR_UITOFP);
}

// What the builders below look at.

bool z3_float_ready(struct z3 *z, expr_id id)
{
    const struct expr *e = node(z, id);
    if (e->op == EXPR_ITE)
        return z3_need_word(z, e->a) && z3_need_float(z, e->b) && z3_need_float(z, e->c);
    if (!is_float_valued(e->op))
        return z3_need_word(z, id);
    if (e->op == EXPR_SITOFP || e->op == EXPR_UITOFP)
        return z3_need_word(z, e->a);
    bool ready = z3_need_float(z, e->a);
    return ready && (!e->b || z3_need_float(z, e->b));
}

bool z3_float_word_ready(struct z3 *z, expr_id id)
{
    const struct expr *e = node(z, id);
    if (e->op == EXPR_FNEG || e->op == EXPR_FABS)
        return z3_need_word(z, e->a);
    if (e->op == EXPR_SITOFP || e->op == EXPR_UITOFP)
        return z3_need_float(z, id);
    bool ready = z3_need_float(z, e->a);
    if (e->b)
        ready &= z3_need_float(z, e->b);
    if (!is_float_valued(e->op))
        return ready;
    ready &= z3_need_word(z, e->a);
    if (e->b)
        ready &= z3_need_word(z, e->b);
    return ready && (e->op == EXPR_FMIN || e->op == EXPR_FMAX || z3_need_float(z, id));
}

// Float forms.

// C's fmod from IEEE's remainder: both are exact, so adding the divisor once when
// the remainder of the magnitudes is negative gives fmod's magnitude. The sign is
// the dividend's, also of a zero.
static Z3_ast build_fmod(struct z3 *z, Z3_ast a, Z3_ast b)
{
    Z3_context c = z->context;
    Z3_ast y = z3_keep(z, Z3_mk_fpa_abs(c, b)), x = z3_keep(z, Z3_mk_fpa_abs(c, a));
    Z3_ast r = z3_keep(z, Z3_mk_fpa_rem(c, x, y));
    Z3_ast zero = z3_keep(z, Z3_mk_fpa_zero(c, Z3_get_sort(c, a), false));
    Z3_ast below = z3_keep(z, Z3_mk_fpa_lt(c, r, zero));
    r = z3_float_if(z, below, z3_keep(z, Z3_mk_fpa_add(c, nearest(z), r, y)), r);
    r = z3_keep(z, Z3_mk_fpa_abs(c, r));
    return z3_float_if(z, z3_keep(z, Z3_mk_fpa_is_negative(c, a)), z3_keep(z, Z3_mk_fpa_neg(c, r)),
                       r);
}

// The condition under which FMIN or FMAX gives its second operand.
static Z3_ast takes_second(struct z3 *z, const struct expr *e)
{
    Z3_context c = z->context;
    Z3_ast a = z3_float(z, e->a), b = z3_float(z, e->b);
    Z3_ast or [2] = {is_nan(z, e->a), z3_keep(z, e->op == EXPR_FMIN ? Z3_mk_fpa_lt(c, b, a)
                                                                    : Z3_mk_fpa_gt(c, b, a))};
    return z3_keep(z, Z3_mk_or(c, 2, or));
}

static Z3_ast build_float_binary(struct z3 *z, const struct expr *e)
{
    Z3_context c = z->context;
    Z3_ast a = z3_float(z, e->a), b = z3_float(z, e->b);
    switch (e->op) {
    case EXPR_FADD: return Z3_mk_fpa_add(c, nearest(z), a, b);
    case EXPR_FSUB: return Z3_mk_fpa_sub(c, nearest(z), a, b);
    case EXPR_FMUL: return Z3_mk_fpa_mul(c, nearest(z), a, b);
    case EXPR_FDIV: return Z3_mk_fpa_div(c, nearest(z), a, b);
    case EXPR_FREM: return build_fmod(z, a, b);
    default: return Z3_mk_ite(c, takes_second(z, e), b, a); // FMIN, FMAX
    }
}

static Z3_ast build_float_unary(struct z3 *z, const struct expr *e)
{
    Z3_context c = z->context;
    Z3_ast a = z3_float(z, e->a);
    switch (e->op) {
    case EXPR_FNEG: return Z3_mk_fpa_neg(c, a);
    case EXPR_FABS: return Z3_mk_fpa_abs(c, a);
    case EXPR_FSQRT: return Z3_mk_fpa_sqrt(c, nearest(z), a);
    case EXPR_FFLOOR: return Z3_mk_fpa_round_to_integral(c, z3_keep(z, Z3_mk_fpa_rtn(c)), a);
    case EXPR_FCEIL: return Z3_mk_fpa_round_to_integral(c, z3_keep(z, Z3_mk_fpa_rtp(c)), a);
    case EXPR_FTRUNC: return Z3_mk_fpa_round_to_integral(c, z3_keep(z, Z3_mk_fpa_rtz(c)), a);
    default: // FPEXT, FPTRUNC
        return Z3_mk_fpa_to_fp_float(c, nearest(z), a, float_sort(z, e->width));
    }
}

Z3_ast z3_build_float(struct z3 *z, expr_id id)
{
    Z3_context c = z->context;
    const struct expr *e = node(z, id);
    Z3_sort sort = float_sort(z, e->width);
    if (e->op == EXPR_ITE)
        return Z3_mk_ite(c, z3_truth(z, e->a), z3_float(z, e->b), z3_float(z, e->c));
    if (e->op == EXPR_SITOFP)
        return Z3_mk_fpa_to_fp_signed(c, nearest(z), z3_word(z, e->a), sort);
    if (e->op == EXPR_UITOFP)
        return Z3_mk_fpa_to_fp_unsigned(c, nearest(z), z3_word(z, e->a), sort);
    if (!is_float_valued(e->op))
        return Z3_mk_fpa_to_fp_bv(c, z3_word(z, id), sort);
    return e->b ? build_float_binary(z, e) : build_float_unary(z, e);
}

// Word forms.

static Z3_ast default_nan(struct z3 *z, unsigned width)
{
    return z3_number(z, width, width == 32 ? UINT64_C(0xFFC00000) : UINT64_C(0xFFF8000000000000),
                     0);
}

static Z3_ast quiet(struct z3 *z, expr_id id)
{
    unsigned width = node(z, id)->width;
    Z3_ast bit = z3_number(z, width, UINT64_C(1) << (width == 32 ? 22 : 51), 0);
    return z3_keep(z, Z3_mk_bvor(z->context, z3_word(z, id), bit));
}

static Z3_ast nan_word(struct z3 *z, const struct expr *e)
{
    Z3_ast word = default_nan(z, e->width);
    if (e->b)
        word = z3_float_if(z, is_nan(z, e->b), quiet(z, e->b), word);
    return z3_float_if(z, is_nan(z, e->a), quiet(z, e->a), word);
}

static Z3_ast slice(struct z3 *z, Z3_ast word, unsigned high, unsigned low)
{
    return z3_keep(z, Z3_mk_extract(z->context, high, low, word));
}

static Z3_ast join(struct z3 *z, Z3_ast high, Z3_ast low)
{
    return z3_keep(z, Z3_mk_concat(z->context, high, low));
}

// Sign, all-ones exponent, quiet bit, the payload's upper part.
static Z3_ast resized_nan(struct z3 *z, const struct expr *e)
{
    Z3_ast a = z3_word(z, e->a);
    if (e->op == EXPR_FPEXT) {
        Z3_ast head = join(z, slice(z, a, 31, 31), z3_number(z, 12, 0xFFF, 0));
        return join(z, join(z, head, slice(z, a, 21, 0)), z3_number(z, 29, 0, 0));
    }
    Z3_ast head = join(z, slice(z, a, 63, 63), z3_number(z, 9, 0x1FF, 0));
    return join(z, head, slice(z, a, 50, 29));
}

static Z3_ast build_float_bits(struct z3 *z, expr_id id, const struct expr *e)
{
    Z3_context c = z->context;
    Z3_ast bits = z3_keep(z, Z3_mk_fpa_to_ieee_bv(c, z3_float(z, id)));
    if (e->op == EXPR_SITOFP || e->op == EXPR_UITOFP)
        return bits;
    bool resized = e->op == EXPR_FPEXT || e->op == EXPR_FPTRUNC;
    return Z3_mk_ite(c, is_nan(z, id), resized ? resized_nan(z, e) : nan_word(z, e), bits);
}

static Z3_ast build_sign(struct z3 *z, const struct expr *e)
{
    Z3_ast sign = z3_number(z, e->width, UINT64_C(1) << (e->width - 1), 0);
    if (e->op == EXPR_FNEG)
        return Z3_mk_bvxor(z->context, z3_word(z, e->a), sign);
    sign = z3_keep(z, Z3_mk_bvnot(z->context, sign));
    return Z3_mk_bvand(z->context, z3_word(z, e->a), sign);
}

static Z3_ast build_float_compare(struct z3 *z, const struct expr *e)
{
    Z3_context c = z->context;
    Z3_ast a = z3_float(z, e->a), b = z3_float(z, e->b);
    switch (e->op) {
    case EXPR_FOEQ: return Z3_mk_fpa_eq(c, a, b);
    case EXPR_FOGT: return Z3_mk_fpa_gt(c, a, b);
    case EXPR_FOGE: return Z3_mk_fpa_geq(c, a, b);
    case EXPR_FOLT: return Z3_mk_fpa_lt(c, a, b);
    case EXPR_FOLE: return Z3_mk_fpa_leq(c, a, b);
    // "Unordered or x" is the negation of the opposite ordered comparison.
    case EXPR_FUNE: return Z3_mk_not(c, z3_keep(z, Z3_mk_fpa_eq(c, a, b)));
    case EXPR_FULE: return Z3_mk_not(c, z3_keep(z, Z3_mk_fpa_gt(c, a, b)));
    case EXPR_FULT: return Z3_mk_not(c, z3_keep(z, Z3_mk_fpa_geq(c, a, b)));
    case EXPR_FUGE: return Z3_mk_not(c, z3_keep(z, Z3_mk_fpa_lt(c, a, b)));
    case EXPR_FUGT: return Z3_mk_not(c, z3_keep(z, Z3_mk_fpa_leq(c, a, b)));
    default: break;
    }
    Z3_ast nan[2] = {is_nan(z, e->a), is_nan(z, e->b)};
    Z3_ast unordered = z3_keep(z, Z3_mk_or(c, 2, nan));
    if (e->op == EXPR_FUNO)
        return unordered;
    if (e->op == EXPR_FORD)
        return Z3_mk_not(c, unordered);
    Z3_ast equal[2] = {unordered, z3_keep(z, Z3_mk_fpa_eq(c, a, b))};
    Z3_ast ueq = z3_keep(z, Z3_mk_or(c, 2, equal));
    return e->op == EXPR_FUEQ ? ueq : Z3_mk_not(c, ueq); // FONE
}

// Conversions to integers.

static Z3_ast float_constant(struct z3 *z, unsigned width, double value)
{
    return z3_keep(z, Z3_mk_fpa_numeral_double(z->context, value, float_sort(z, width)));
}

// low <= t < high, both powers of two; for a float of 32 bits too (2^127 at most;
// 2^128 is infinity there, and every finite float is below it).
static Z3_ast in_range(struct z3 *z, unsigned from, Z3_ast t, double low, double high)
{
    Z3_context c = z->context;
    if (from == 32 && high > 0x1p127)
        high = INFINITY;
    Z3_ast both[2] = {z3_keep(z, Z3_mk_fpa_geq(c, t, float_constant(z, from, low))),
                      z3_keep(z, Z3_mk_fpa_lt(c, t, float_constant(z, from, high)))};
    return z3_keep(z, Z3_mk_and(c, 2, both));
}

// cvttsd2si with a register of `bits` bits.
static Z3_ast truncate_signed(struct z3 *z, unsigned from, Z3_ast t, unsigned bits)
{
    Z3_context c = z->context;
    Z3_ast rtz = z3_keep(z, Z3_mk_fpa_rtz(c));
    double limit = ldexp(1.0, (int)bits - 1);
    Z3_ast value = z3_keep(z, Z3_mk_fpa_to_sbv(c, rtz, t, bits));
    Z3_ast indefinite = z3_number(z, bits, UINT64_C(1) << (bits - 1), 0);
    return z3_float_if(z, in_range(z, from, t, -limit, limit), value, indefinite);
}

static Z3_ast build_wide_integer(struct z3 *z, const struct expr *e, unsigned from, Z3_ast t)
{
    Z3_context c = z->context;
    bool is_signed = e->op == EXPR_FPTOSI;
    Z3_ast rtz = z3_keep(z, Z3_mk_fpa_rtz(c));
    double limit = ldexp(1.0, (int)e->width - is_signed);
    Z3_ast value = z3_keep(z, is_signed ? Z3_mk_fpa_to_sbv(c, rtz, t, e->width)
                                        : Z3_mk_fpa_to_ubv(c, rtz, t, e->width));
    Z3_ast fits = in_range(z, from, t, is_signed ? -limit : 0.0, limit);
    return Z3_mk_ite(c, fits, value, z3_number(z, e->width, 0, 0));
}

static Z3_ast build_integer(struct z3 *z, const struct expr *e)
{
    Z3_context c = z->context;
    unsigned from = node(z, e->a)->width;
    bool is_signed = e->op == EXPR_FPTOSI;
    Z3_ast rtz = z3_keep(z, Z3_mk_fpa_rtz(c));
    Z3_ast t = z3_keep(z, Z3_mk_fpa_round_to_integral(c, rtz, z3_float(z, e->a)));
    if (e->width > 64)
        return build_wide_integer(z, e, from, t);
    unsigned bits = e->width < 32 || (is_signed && e->width == 32) ? 32 : 64;
    Z3_ast value = truncate_signed(z, from, t, bits);
    if (!is_signed && e->width > 32) {
        Z3_ast large = z3_keep(z, Z3_mk_fpa_to_ubv(c, rtz, t, 64));
        value = z3_float_if(z, in_range(z, from, t, 0x1p63, 0x1p64), large, value);
    }
    return e->width < bits ? Z3_mk_extract(c, e->width - 1u, 0, value) : value;
}

Z3_ast z3_build_float_word(struct z3 *z, expr_id id)
{
    const struct expr *e = node(z, id);
    switch (e->op) {
    case EXPR_FNEG:
    case EXPR_FABS: return build_sign(z, e);
    case EXPR_FMIN:
    case EXPR_FMAX:
        return Z3_mk_ite(z->context, takes_second(z, e), z3_word(z, e->b), z3_word(z, e->a));
    case EXPR_FPTOSI:
    case EXPR_FPTOUI: return build_integer(z, e);
    default:
        if (expr_op_kind(e->op) == 'Q')
            return build_float_compare(z, e);
        return build_float_bits(z, id, e);
    }
}
