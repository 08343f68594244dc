// SPDX-License-Identifier: Apache-2.0
// Operations that ops.def does not have, built from those that it has: counting
// bits, byte swap, overflow of checked arithmetic.
#include "runtime.h"

static uint64_t repeat(uint32_t width, uint64_t pattern)
{
    return width >= 64 ? pattern : pattern & ((1ull << width) - 1);
}

static wire_label op_constant(uint32_t op, uint32_t width, wire_label a, uint64_t y)
{
    return czrt_binary(op, width, a, 0, 0, y);
}

// a op b where a piece may have become concrete: a label of 0 then stands for value 0.
static wire_label join(uint32_t op, uint32_t width, wire_label a, wire_label b)
{
    return a | b ? czrt_binary(op, width, a, b, 0, 0) : 0;
}

static wire_label population(uint32_t width, wire_label a)
{
    static const uint64_t masks[] = {0x5555555555555555, 0x3333333333333333, 0x0F0F0F0F0F0F0F0F,
                                     0x00FF00FF00FF00FF, 0x0000FFFF0000FFFF, 0x00000000FFFFFFFF};
    for (uint32_t i = 0; 1u << i < width && a; i++) {
        uint64_t m = repeat(width, masks[i]);
        wire_label low = op_constant(WIRE_AND, width, a, m);
        wire_label high = op_constant(WIRE_LSHR, width, a, 1u << i);
        if (high)
            high = op_constant(WIRE_AND, width, high, m);
        a = join(WIRE_ADD, width, low, high);
    }
    return a;
}

wire_label czrt_count_bits(uint32_t kind, uint32_t width, wire_label a, uint64_t x)
{
    (void)x;
    if (!a)
        return 0;
    if (width > 64 || (width & (width - 1))) {
        czrt_loss(WIRE_LOSS_CONCRETISED);
        return 0;
    }
    if (kind == 'p')
        return population(width, a);
    if (kind == 't') { // the ones below the lowest one
        wire_label minus = czrt_binary(WIRE_SUB, width, 0, a, 0, 0);
        wire_label lowest = join(WIRE_AND, width, a, minus);
        return population(width, op_constant(WIRE_SUB, width, lowest, 1));
    }
    for (uint32_t shift = 1; shift < width; shift *= 2)
        a = join(WIRE_OR, width, a, op_constant(WIRE_LSHR, width, a, shift));
    return czrt_binary(WIRE_SUB, width, 0, population(width, a), width, 0);
}

wire_label czrt_byte_swap(uint32_t width, wire_label a)
{
    wire_label labels[16];
    uint8_t bytes[16] = {0};
    uint32_t n = width / 8;
    if (!a)
        return 0;
    for (uint32_t i = 0; i < n; i++)
        labels[i] = a + (n - 1 - i);
    return czrt_join_bytes(labels, bytes, n);
}

static uint64_t extended(uint32_t width, uint64_t value, bool is_signed)
{
    if (width >= 64)
        return value;
    uint64_t low = value & ((1ull << width) - 1);
    return is_signed && low >> (width - 1) ? low | ~0ull << width : low;
}

// The product in twice the width is not what its low half extends to.
static wire_label product_overflows(bool is_signed, uint32_t width, wire_label a, wire_label b,
                                    uint64_t x, uint64_t y)
{
    uint32_t op = is_signed ? WIRE_SEXT : WIRE_ZEXT, twice = 2 * width;
    wire_label wa = czrt_unary(op, twice, a, 0), wb = czrt_unary(op, twice, b, 0), product, again;
    if (width == 64) {
        uint64_t xh = is_signed && (int64_t)x < 0 ? ~0ull : 0,
                 yh = is_signed && (int64_t)y < 0 ? ~0ull : 0;
        product = czrt_binary128(WIRE_MUL, wa, wb, x, xh, y, yh);
    } else
        product = czrt_binary(WIRE_MUL, twice, wa, wb, extended(width, x, is_signed),
                              extended(width, y, is_signed));
    if (product && is_signed && width < 64) { // bounds, which intervals can decide
        uint64_t most = (1ull << (width - 1)) - 1, least = extended(width, most + 1, true);
        wire_label above = czrt_binary(WIRE_SGT, twice, product, 0, 0, most);
        wire_label below = czrt_binary(WIRE_SLT, twice, product, 0, 0, least);
        return above && below ? czrt_binary(WIRE_OR, 1, above, below, 0, 0) : above | below;
    }
    again = czrt_unary(op, twice, czrt_unary(WIRE_TRUNC, width, product, 0), 0);
    if (!product || !again)
        return 0;
    return width == 64 ? czrt_binary128(WIRE_NE, product, again, 0, 0, 0, 0)
                       : czrt_binary(WIRE_NE, twice, product, again, 0, 0);
}

wire_label czrt_overflow(uint32_t op, uint32_t sign, uint32_t width, wire_label a, wire_label b,
                         uint64_t x, uint64_t y)
{
    bool is_signed = sign == 's';
    if (!(a | b))
        return 0;
    if (width > 64 || (op == WIRE_MUL && width != 64 && width > 32)) {
        czrt_loss(WIRE_LOSS_CONCRETISED);
        return 0;
    }
    if (op == WIRE_MUL)
        return product_overflows(is_signed, width, a, b, x, y);
    if (!is_signed && op == WIRE_SUB)
        return czrt_binary(WIRE_ULT, width, a, b, x, y);
    wire_label sum = czrt_binary(op, width, a, b, x, y);
    uint64_t value = op == WIRE_ADD ? x + y : x - y;
    if (!is_signed)
        return sum | a ? czrt_binary(WIRE_ULT, width, sum, a, value, x) : 0;
    // Operands of equal (sub: different) sign and a result of the other sign.
    wire_label p, q = a | sum ? czrt_binary(WIRE_XOR, width, a, sum, x, value) : 0;
    if (op == WIRE_ADD)
        p = b | sum ? czrt_binary(WIRE_XOR, width, b, sum, y, value) : 0;
    else
        p = czrt_binary(WIRE_XOR, width, a, b, x, y);
    uint64_t pv = op == WIRE_ADD ? y ^ value : x ^ y, qv = x ^ value;
    wire_label both = p | q ? czrt_binary(WIRE_AND, width, p, q, pv, qv) : 0;
    return both ? czrt_binary(WIRE_SLT, width, both, 0, 0, 0) : 0;
}
