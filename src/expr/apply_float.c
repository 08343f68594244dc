// SPDX-License-Identifier: Apache-2.0
// The meaning of one floating-point operation on bit patterns: IEEE 754 binary32
// and binary64 with round to nearest even, as SSE2 computes it. See eval.h for the
// cases that C leaves open: NaN payloads, fmin and fmax of zeros, conversions to
// integers out of range. float is computed in float, never in double.
//
// This file must not be compiled with -ffast-math or for the x87.
#include "expr/expr_internal.h"

#include "base/error.h"
#include <float.h>
#include <math.h>
#include <string.h>

#if defined(__FAST_MATH__) || FLT_EVAL_METHOD != 0
#error "the evaluator needs exact IEEE arithmetic"
#endif

static float to_float(uint64_t bits)
{
    uint32_t b = (uint32_t)bits;
    float f;
    memcpy(&f, &b, sizeof f);
    return f;
}

static uint64_t from_float(float f)
{
    uint32_t b;
    memcpy(&b, &f, sizeof b);
    return b;
}

static double to_double(uint64_t bits)
{
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
}

static uint64_t from_double(double d)
{
    uint64_t b;
    memcpy(&b, &d, sizeof b);
    return b;
}

static double load(unsigned width, uint64_t bits)
{
    return width == 32 ? (double)to_float(bits) : to_double(bits);
}

static bool is_nan(unsigned width, uint64_t bits)
{
    return isnan(load(width, bits));
}

static uint64_t quiet(unsigned width, uint64_t bits)
{
    return bits | (width == 32 ? UINT64_C(1) << 22 : UINT64_C(1) << 51);
}

// SSE's rule for a result that is not a number: the first operand that is NaN,
// made quiet, else the default NaN.
static uint64_t nan_result(unsigned width, uint64_t a, uint64_t b)
{
    if (is_nan(width, a))
        return quiet(width, a);
    if (is_nan(width, b))
        return quiet(width, b);
    return width == 32 ? UINT64_C(0xFFC00000) : UINT64_C(0xFFF8000000000000);
}

static uint64_t arithmetic32(enum expr_op op, uint64_t a, uint64_t b)
{
    float x = to_float(a), y = to_float(b);
    switch (op) {
    case EXPR_FADD: return from_float(x + y);
    case EXPR_FSUB: return from_float(x - y);
    case EXPR_FMUL: return from_float(x * y);
    case EXPR_FDIV: return from_float(x / y);
    case EXPR_FREM: return from_float(fmodf(x, y));
    case EXPR_FSQRT: return from_float(sqrtf(x));
    case EXPR_FFLOOR: return from_float(floorf(x));
    case EXPR_FCEIL: return from_float(ceilf(x));
    case EXPR_FTRUNC: return from_float(truncf(x));
    default: BUG("no float operation: %d", (int)op);
    }
}

static uint64_t arithmetic64(enum expr_op op, uint64_t a, uint64_t b)
{
    double x = to_double(a), y = to_double(b);
    switch (op) {
    case EXPR_FADD: return from_double(x + y);
    case EXPR_FSUB: return from_double(x - y);
    case EXPR_FMUL: return from_double(x * y);
    case EXPR_FDIV: return from_double(x / y);
    case EXPR_FREM: return from_double(fmod(x, y));
    case EXPR_FSQRT: return from_double(sqrt(x));
    case EXPR_FFLOOR: return from_double(floor(x));
    case EXPR_FCEIL: return from_double(ceil(x));
    case EXPR_FTRUNC: return from_double(trunc(x));
    default: BUG("no float operation: %d", (int)op);
    }
}

static uint64_t arithmetic(enum expr_op op, unsigned width, uint64_t a, uint64_t b)
{
    uint64_t result = width == 32 ? arithmetic32(op, a, b) : arithmetic64(op, a, b);
    return is_nan(width, result) ? nan_result(width, a, b) : result;
}

static bool compare(enum expr_op op, double x, double y)
{
    bool unordered = isnan(x) || isnan(y);
    switch (op) {
    case EXPR_FOEQ: return x == y;
    case EXPR_FOGT: return x > y;
    case EXPR_FOGE: return x >= y;
    case EXPR_FOLT: return x < y;
    case EXPR_FOLE: return x <= y;
    case EXPR_FONE: return !unordered && x != y;
    case EXPR_FORD: return !unordered;
    case EXPR_FUNO: return unordered;
    case EXPR_FUEQ: return unordered || x == y;
    case EXPR_FUGT: return unordered || x > y;
    case EXPR_FUGE: return unordered || x >= y;
    case EXPR_FULT: return unordered || x < y;
    case EXPR_FULE: return unordered || x <= y;
    case EXPR_FUNE: return x != y;
    default: BUG("no float comparison: %d", (int)op);
    }
}

// What clang emits for fmin and fmax on x86-64.
static uint64_t select_one(enum expr_op op, unsigned width, uint64_t a, uint64_t b)
{
    double x = load(width, a), y = load(width, b);
    if (isnan(x))
        return b;
    return (op == EXPR_FMIN ? y < x : y > x) ? b : a;
}

static uint64_t resize(unsigned width, uint64_t bits)
{
    if (width == 64) {
        float f = to_float(bits);
        if (isnan(f)) // cvtss2sd keeps sign and payload
            return (bits >> 31) << 63 | UINT64_C(0x7FF8) << 48 | (bits & 0x7FFFFF) << 29;
        return from_double((double)f);
    }
    double d = to_double(bits);
    if (isnan(d))
        return (bits >> 63) << 31 | UINT64_C(0x7FC00000) | (bits >> 29 & 0x7FFFFF);
    return from_float((float)d);
}

static uint64_t from_integer(enum expr_op op, unsigned width, unsigned from, expr_u128 a)
{
    if (op == EXPR_SITOFP) {
        expr_i128 v = value_signed(a, from);
        return width == 32 ? from_float((float)v) : from_double((double)v);
    }
    return width == 32 ? from_float((float)a) : from_double((double)a);
}

// cvttss2si and friends: `bits` wide, the "indefinite" value when out of range.
static expr_u128 truncate_signed(double t, unsigned bits)
{
    double limit = ldexp(1.0, (int)bits - 1);
    if (!(t >= -limit && t < limit))
        return (expr_u128)1 << (bits - 1);
    return value_cut((expr_u128)(expr_i128)t, bits);
}

static expr_u128 to_integer(enum expr_op op, unsigned width, double x)
{
    double t = trunc(x);
    bool is_signed = op == EXPR_FPTOSI;
    if (width > 64) {
        double low = is_signed ? -ldexp(1.0, (int)width - 1) : 0.0;
        double high = ldexp(1.0, (int)width - is_signed);
        if (!(t >= low && t < high))
            return 0;
        return t < 0 ? (expr_u128)(expr_i128)t : (expr_u128)t;
    }
    if (!is_signed && width > 32) {
        if (t >= 0x1p63 && t < 0x1p64)
            return (expr_u128)t;
        return truncate_signed(t, 64);
    }
    return truncate_signed(t, width < 32 || (is_signed && width == 32) ? 32 : 64);
}

expr_u128 expr_apply_float(enum expr_op op, unsigned width, unsigned from, expr_u128 a, expr_u128 b)
{
    uint64_t p = (uint64_t)a, q = (uint64_t)b;
    uint64_t sign = width == 32 ? UINT64_C(1) << 31 : UINT64_C(1) << 63;
    switch (op) {
    case EXPR_FMIN:
    case EXPR_FMAX: return select_one(op, width, p, q);
    case EXPR_FNEG: return p ^ sign;
    case EXPR_FABS: return p & ~sign;
    case EXPR_FPEXT:
    case EXPR_FPTRUNC: return resize(width, p);
    case EXPR_SITOFP:
    case EXPR_UITOFP: return from_integer(op, width, from, a);
    case EXPR_FPTOSI:
    case EXPR_FPTOUI: return to_integer(op, width, load(from, p));
    default:
        if (expr_op_kind(op) == 'Q')
            return compare(op, load(from, p), load(from, q));
        // A unary operation must not see a second operand in the rule for NaN.
        return arithmetic(op, width, p, expr_op_operands(op) == 2 ? q : 0);
    }
}
