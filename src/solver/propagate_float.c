// SPDX-License-Identifier: Apache-2.0
// Floating-point operations backwards, approximately: (x * 0.1 + y == 3.7) wants x to
// be about (3.7 - y) / 0.1. Rounding makes the result miss by some units in the last
// place; the descent of the local search does the rest.
#include "expr/apply.h"
#include "solver/distance.h"
#include "solver/propagate.h"
#include <string.h>

static expr_u128 number(double value, unsigned width)
{
    uint64_t bits = 0;
    float narrow = (float)value;
    if (width == 32)
        memcpy(&bits, &narrow, sizeof narrow);
    else
        memcpy(&bits, &value, sizeof value);
    return bits;
}

static uint64_t nan_bits(unsigned width)
{
    return width == 32 ? UINT64_C(0x7FC00000) : UINT64_C(0x7FF8000000000000);
}

static expr_u128 calculate(enum expr_op op, unsigned width, expr_u128 a, expr_u128 b)
{
    return expr_apply_float(op, width, width, a, b);
}

static bool undo_arithmetic(struct propagate *p, const struct flat_ins *ins, expr_u128 t)
{
    unsigned w = ins->width;
    bool left = propagate_left(p, ins);
    uint32_t child = left ? ins->a : ins->b;
    expr_u128 v = flat_value(p->flat, left ? ins->b : ins->a), result;
    switch (ins->op) {
    case EXPR_FADD: result = calculate(EXPR_FSUB, w, t, v); break;
    case EXPR_FSUB:
        result = left ? calculate(EXPR_FADD, w, t, v) : calculate(EXPR_FSUB, w, v, t);
        break;
    case EXPR_FMUL:
        result = ins->a == ins->b ? calculate(EXPR_FSQRT, w, t, 0) : calculate(EXPR_FDIV, w, t, v);
        break;
    case EXPR_FDIV:
        result = left ? calculate(EXPR_FMUL, w, t, v) : calculate(EXPR_FDIV, w, v, t);
        break;
    default: result = t; break; // FREM, FMIN, FMAX
    }
    propagate_wish(p, child, result);
    return true;
}

// The nearest integer, by the conversion itself.
static expr_u128 as_integer(const struct flat_ins *ins, expr_u128 t)
{
    enum expr_op op = ins->op == EXPR_SITOFP ? EXPR_FPTOSI : EXPR_FPTOUI;
    return value_cut(expr_apply_float(op, ins->from, ins->width, t, 0), ins->from);
}

bool propagate_float(struct propagate *p, const struct flat_ins *ins, expr_u128 t)
{
    unsigned w = ins->width;
    switch (ins->op) {
    case EXPR_FNEG: propagate_wish(p, ins->a, t ^ (expr_u128)1 << (w - 1)); return true;
    case EXPR_FABS: {
        expr_u128 sign = (expr_u128)1 << (w - 1);
        if (t & sign)
            return false;
        propagate_wish(p, ins->a,
                       propagate_chance(p, 2) ? t ^ sign
                                              : t | (flat_value(p->flat, ins->a) & sign));
        return true;
    }
    case EXPR_FSQRT: propagate_wish(p, ins->a, calculate(EXPR_FMUL, w, t, t)); return true;
    case EXPR_FFLOOR:
    case EXPR_FCEIL:
    case EXPR_FTRUNC: propagate_wish(p, ins->a, t); return true;
    case EXPR_FPEXT:
        propagate_wish(p, ins->a, expr_apply_float(EXPR_FPTRUNC, 32, 64, t, 0));
        return true;
    case EXPR_FPTRUNC:
        propagate_wish(p, ins->a, expr_apply_float(EXPR_FPEXT, 64, 32, t, 0));
        return true;
    case EXPR_SITOFP:
    case EXPR_UITOFP: propagate_wish(p, ins->a, as_integer(ins, t)); return true;
    case EXPR_FPTOSI:
        propagate_wish(p, ins->a, expr_apply_float(EXPR_SITOFP, ins->from, w, t, 0));
        return true;
    case EXPR_FPTOUI:
        propagate_wish(p, ins->a, expr_apply_float(EXPR_UITOFP, ins->from, w, t, 0));
        return true;
    default: return expr_op_kind(ins->op) == 'F' && undo_arithmetic(p, ins, t);
    }
}

// A number some steps above or below.
static uint64_t beside(uint64_t bits, unsigned width, int64_t steps)
{
    return distance_unorder(distance_order(bits, width) + (uint64_t)steps, width);
}

static bool make_order(struct propagate *p, const struct flat_ins *ins, bool a_below, bool strict)
{
    unsigned w = ins->from;
    bool left = propagate_left(p, ins);
    uint32_t child = left ? ins->a : ins->b;
    uint64_t v = p->flat->low[left ? ins->b : ins->a];
    if (distance_is_nan(v, w))
        return false;
    int64_t step = !strict ? 0 : v & (UINT64_MAX >> (65 - w)) ? 1 : 2; // two zeros are equal
    uint64_t kind = propagate_chance(p, 4);
    if (kind == 2)
        step += (int64_t)rng_below(&p->rng, 64);
    if (kind == 3)
        step += (int64_t)(rng_next(&p->rng) >> (65 - w) >> rng_below(&p->rng, w - 2));
    propagate_wish(p, child, beside(v, w, left == a_below ? -step : step));
    return true;
}

static bool make_equal(struct propagate *p, const struct flat_ins *ins, bool equal)
{
    bool left = propagate_left(p, ins);
    uint64_t v = p->flat->low[left ? ins->b : ins->a];
    if (distance_is_nan(v, ins->from))
        v = (uint64_t)number(1.0, ins->from);
    propagate_wish(p, left ? ins->a : ins->b, equal ? v : beside(v, ins->from, 1));
    return true;
}

static bool make_nan(struct propagate *p, const struct flat_ins *ins, bool nan)
{
    unsigned w = ins->from;
    for (int i = 0; i < 2; i++) {
        uint32_t child = i ? ins->b : ins->a;
        bool is = distance_is_nan(p->flat->low[child], w);
        if (p->flat->code[child].op == EXPR_CONST || is == nan)
            continue;
        propagate_wish(p, child, nan ? nan_bits(w) : (uint64_t)number(1.0, w));
        if (nan)
            break;
    }
    return true;
}

bool propagate_float_condition(struct propagate *p, const struct flat_ins *ins, bool wanted)
{
    switch (ins->op) {
    case EXPR_FOEQ:
    case EXPR_FUEQ: return make_equal(p, ins, wanted);
    case EXPR_FONE: return make_equal(p, ins, !wanted);
    case EXPR_FUNE:
        return ins->a == ins->b ? make_nan(p, ins, wanted) : make_equal(p, ins, !wanted);
    case EXPR_FOLT:
    case EXPR_FULT: return make_order(p, ins, wanted, wanted);
    case EXPR_FOLE:
    case EXPR_FULE: return make_order(p, ins, wanted, !wanted);
    case EXPR_FOGT:
    case EXPR_FUGT: return make_order(p, ins, !wanted, wanted);
    case EXPR_FOGE:
    case EXPR_FUGE: return make_order(p, ins, !wanted, !wanted);
    case EXPR_FUNO: return make_nan(p, ins, wanted);
    case EXPR_FORD: return make_nan(p, ins, !wanted);
    default: return false;
    }
}
