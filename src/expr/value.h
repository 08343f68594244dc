// SPDX-License-Identifier: Apache-2.0
// Arithmetic on values of up to 128 bits, as plain 128-bit integers inside the
// expression library. A value of width w always has its bits above w clear.
#ifndef CZ_EXPR_VALUE_H
#define CZ_EXPR_VALUE_H

#include "expr/expr.h"

typedef unsigned __int128 expr_u128;
typedef __int128 expr_i128;

static inline expr_u128 value_wide(struct expr_value v)
{
    return (expr_u128)v.high << 64 | v.low;
}

static inline struct expr_value value_pair(expr_u128 v)
{
    return (struct expr_value){.low = (uint64_t)v, .high = (uint64_t)(v >> 64)};
}

static inline expr_u128 value_ones(unsigned width)
{
    return width >= 128 ? ~(expr_u128)0 : ((expr_u128)1 << width) - 1;
}

static inline expr_u128 value_cut(expr_u128 v, unsigned width)
{
    return v & value_ones(width);
}

static inline bool value_sign(expr_u128 v, unsigned width)
{
    return v >> (width - 1) & 1;
}

// The bits of v above `width` set to its sign.
static inline expr_u128 value_extend(expr_u128 v, unsigned width)
{
    return value_sign(v, width) ? v | ~value_ones(width) : v;
}

// The same as a signed number.
static inline expr_i128 value_signed(expr_u128 v, unsigned width)
{
    return (expr_i128)value_extend(v, width);
}

static inline bool value_is_power(expr_u128 v)
{
    return v != 0 && (v & (v - 1)) == 0;
}

// Index of the lowest set bit; v != 0.
static inline unsigned value_lowest(expr_u128 v)
{
    uint64_t low = (uint64_t)v;
    return (unsigned)(low ? __builtin_ctzll(low) : 64 + __builtin_ctzll((uint64_t)(v >> 64)));
}

// Index of the highest set bit plus 1; 0 for 0.
static inline unsigned value_bits(expr_u128 v)
{
    uint64_t high = (uint64_t)(v >> 64), low = (uint64_t)v;
    if (high)
        return 128 - (unsigned)__builtin_clzll(high);
    return low ? 64 - (unsigned)__builtin_clzll(low) : 0;
}

#endif
