// SPDX-License-Identifier: Apache-2.0
#include "solver/distance.h"

#include "base/tunables.h"

// What lies deeper than SOLVER_DISTANCE_DEPTH, or behind SOLVER_DISTANCE_CONDITIONS, counts as true
// or false.

#define FRACTION 40 // bits behind the point of a logarithm
#define ONE      ((uint64_t)1 << FRACTION)
#define FAR      (ONE * 101)

uint64_t distance_order(uint64_t bits, unsigned width)
{
    uint64_t sign = 1ull << (width - 1), all = sign | (sign - 1);
    return bits & sign ? ~bits & all : bits | sign;
}

uint64_t distance_unorder(uint64_t order, unsigned width)
{
    uint64_t sign = 1ull << (width - 1), all = sign | (sign - 1);
    return order & sign ? order & ~sign : ~order & all;
}

bool distance_is_nan(uint64_t bits, unsigned width)
{
    return width == 32 ? (bits & 0x7fffffff) > 0x7f800000
                       : (bits & 0x7fffffffffffffff) > 0x7ff0000000000000;
}

// The binary logarithm, linear between powers of two; at least ONE.
static uint64_t logarithm(expr_u128 d)
{
    unsigned bits = value_bits(d);
    if (bits == 0)
        return ONE;
    expr_u128 fraction = d - ((expr_u128)1 << (bits - 1));
    unsigned have = bits - 1;
    fraction = have > FRACTION ? fraction >> (have - FRACTION) : fraction << (FRACTION - have);
    return bits * ONE + (uint64_t)fraction;
}

static uint64_t apart(expr_u128 a, expr_u128 b)
{
    return logarithm((a > b ? a - b : b - a) + 1);
}

static uint64_t compare_floats(const struct flat *flat, const struct flat_ins *ins)
{
    uint64_t a = flat->low[ins->a], b = flat->low[ins->b];
    if (distance_is_nan(a, ins->from) || distance_is_nan(b, ins->from))
        return 66 * ONE;
    return apart(distance_order(a, ins->from), distance_order(b, ins->from));
}

static uint64_t compare_integers(const struct flat *flat, const struct flat_ins *ins)
{
    unsigned width = ins->from;
    expr_u128 a = flat_value(flat, ins->a), b = flat_value(flat, ins->b);
    if (ins->op == EXPR_SLT || ins->op == EXPR_SLE) { // the order of signed numbers, shifted
        a = value_cut(a + ((expr_u128)1 << (width - 1)), width);
        b = value_cut(b + ((expr_u128)1 << (width - 1)), width);
    }
    uint64_t difference = apart(a, b);
    if (ins->op != EXPR_EQ)
        return difference;
    uint64_t flips = (uint64_t)(__builtin_popcountll((uint64_t)(a ^ b)) +
                                __builtin_popcountll((uint64_t)((a ^ b) >> 64))) *
                         ONE +
                     ONE / 2;
    return flips < difference ? flips : difference; // masks want bits, sums want differences
}

static uint64_t measure(const struct flat *flat, uint32_t at, bool wanted, unsigned depth,
                        unsigned *budget)
{
    if ((flat->low[at] & 1) == wanted)
        return 0;
    const struct flat_ins *ins = &flat->code[at];
    char kind = expr_op_kind((enum expr_op)ins->op);
    if (kind == 'C' && ins->from > 1)
        return compare_integers(flat, ins);
    if (kind == 'Q')
        return compare_floats(flat, ins);
    if (ins->op == EXPR_CONST)
        return FAR;
    if (depth == SOLVER_DISTANCE_DEPTH || !*budget)
        return ONE;
    --*budget;
    if (ins->op == EXPR_XOR && flat->code[ins->b].op == EXPR_CONST)
        return measure(flat, ins->a, wanted ^ (flat->low[ins->b] & 1), depth + 1, budget);
    if (ins->op != EXPR_AND && ins->op != EXPR_OR)
        return ONE;
    uint64_t a = measure(flat, ins->a, wanted, depth + 1, budget);
    uint64_t b = measure(flat, ins->b, wanted, depth + 1, budget);
    bool both = (ins->op == EXPR_AND) == wanted;
    return both ? a + b : a < b ? a : b;
}

uint64_t distance_of(const struct flat *flat, uint32_t condition)
{
    unsigned budget = SOLVER_DISTANCE_CONDITIONS;
    return measure(flat, condition, true, 0, &budget);
}

uint64_t distance_total(const struct flat *flat)
{
    uint64_t sum = 0;
    if (!flat->violated)
        return 0;
    for (size_t i = 0; i < flat->root_count; i++)
        if (!(flat->low[flat->roots[i]] & 1)) {
            uint64_t d = distance_of(flat, flat->roots[i]);
            sum = sum + d < sum ? UINT64_MAX : sum + d;
        }
    return sum;
}
