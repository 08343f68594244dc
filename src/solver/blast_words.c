// SPDX-License-Identifier: Apache-2.0
// Circuits for addition, multiplication, comparison and shifts. Simple ones: ripple
// carries and rows of partial products are what SAT solvers handle best. Constants
// need no special cases where the gates fold them; where they allow a smaller
// circuit (multiplication) they are looked for.
#include "solver/blast_words.h"

#include <string.h>

void word_number(lit *out, expr_u128 value, unsigned width)
{
    for (unsigned i = 0; i < width; i++)
        out[i] = i < 128 ? lit_of(value >> i & 1) : LIT_FALSE;
}

bool word_is_number(const lit *a, unsigned width, expr_u128 *value)
{
    *value = 0;
    for (unsigned i = 0; i < width; i++) {
        if (!lit_is_const(a[i]) || (i >= 128 && a[i] == LIT_TRUE))
            return false;
        if (i < 128)
            *value |= (expr_u128)(a[i] == LIT_TRUE) << i;
    }
    return true;
}

expr_u128 word_value(const struct gates *g, const lit *a, unsigned width)
{
    expr_u128 value = 0;
    for (unsigned i = 0; i < width; i++)
        value |= (expr_u128)gates_value(g, a[i]) << i;
    return value;
}

void word_add(struct gates *g, lit *out, const lit *a, const lit *b, lit carry, unsigned width)
{
    for (unsigned i = 0; i < width; i++) {
        lit x = a[i], y = b[i];
        out[i] = gates_xor(g, gates_xor(g, x, y), carry);
        if (i + 1 < width)
            carry = gates_maj(g, x, y, carry);
    }
}

void word_sub(struct gates *g, lit *out, const lit *a, const lit *b, unsigned width)
{
    lit inverted[WORD_MAX];
    for (unsigned i = 0; i < width; i++)
        inverted[i] = lit_not(b[i]);
    word_add(g, out, a, inverted, LIT_TRUE, width);
}

void word_negate(struct gates *g, lit *out, const lit *a, unsigned width)
{
    lit zero[WORD_MAX];
    word_number(zero, 0, width);
    word_sub(g, out, zero, a, width);
}

void word_select(struct gates *g, lit *out, lit condition, const lit *yes, const lit *no,
                 unsigned width)
{
    for (unsigned i = 0; i < width; i++)
        out[i] = gates_ite(g, condition, yes[i], no[i]);
}

lit word_equal(struct gates *g, const lit *a, const lit *b, unsigned width)
{
    lit all = LIT_TRUE;
    for (unsigned i = width; i-- > 0 && all != LIT_FALSE;)
        all = gates_and(g, all, lit_not(gates_xor(g, a[i], b[i])));
    return all;
}

lit word_less(struct gates *g, const lit *a, const lit *b, unsigned width, bool or_equal)
{
    lit less = lit_of(or_equal);
    for (unsigned i = 0; i < width; i++)
        less = gates_maj(g, lit_not(a[i]), b[i], less);
    return less;
}

// Multiplication.

// The digits of a multiplier: rows that are added, except that the last may be
// subtracted, because the highest bit of a sign-extended number counts negative.
static unsigned multiplier_rows(const lit *a, unsigned width)
{
    unsigned rows = width;
    while (rows > 1 && a[rows - 1] == a[rows - 2])
        rows--;
    return rows;
}

static unsigned multiplier_cost(const lit *a, unsigned width)
{
    unsigned rows = multiplier_rows(a, width), cost = 0;
    for (unsigned i = 0; i < rows; i++)
        cost += a[i] != LIT_FALSE;
    return cost;
}

// sum += a * digit * 2^shift, or -= .
static void add_row(struct gates *g, lit *sum, const lit *a, lit digit, unsigned shift, bool minus,
                    unsigned width)
{
    lit row[WORD_MAX];
    for (unsigned i = shift; i < width; i++)
        row[i] = gates_and(g, a[i - shift], digit);
    if (minus)
        word_sub(g, sum + shift, sum + shift, row + shift, width - shift);
    else
        word_add(g, sum + shift, sum + shift, row + shift, LIT_FALSE, width - shift);
}

// Digits of the number are -1, 0 and 1 with at least one 0 between two others: for
// 15, 16 - 1 instead of four rows.
static void multiply_number(struct gates *g, lit *sum, const lit *a, expr_u128 number,
                            unsigned width)
{
    for (unsigned i = 0; i < width && number; i++, number >>= 1) {
        if (!(number & 1))
            continue;
        bool minus = (number & 3) == 3 && i + 1 < width;
        add_row(g, sum, a, LIT_TRUE, i, minus, width);
        number = minus ? number + 1 : number - 1;
        if (minus && number == 0 && width > 128) // number + 1 is 2^128
            add_row(g, sum, a, LIT_TRUE, 128, false, width);
    }
}

void word_multiply(struct gates *g, lit *out, const lit *a, const lit *b, unsigned width)
{
    lit sum[WORD_MAX];
    expr_u128 number;
    if (word_is_number(a, width, &number) ||
        (multiplier_cost(a, width) < multiplier_cost(b, width) &&
         !word_is_number(b, width, &number))) {
        const lit *swap = a;
        a = b;
        b = swap;
    }
    word_number(sum, 0, width);
    if (word_is_number(b, width, &number)) {
        multiply_number(g, sum, a, number, width);
    } else {
        unsigned rows = multiplier_rows(b, width);
        for (unsigned i = 0; i < rows; i++)
            if (b[i] != LIT_FALSE)
                add_row(g, sum, a, b[i], i, i + 1 == rows && rows < width, width);
    }
    memcpy(out, sum, width * sizeof *out);
}

// Shifts: one stage per bit of the amount that can matter; an amount with a higher
// bit set shifts everything out.

static lit shifted_bit(enum expr_op op, const lit *a, unsigned i, unsigned by, lit fill,
                       unsigned width)
{
    if (op == EXPR_SHL)
        return i >= by ? a[i - by] : LIT_FALSE;
    return i + by < width ? a[i + by] : fill;
}

void word_shift(struct gates *g, lit *out, enum expr_op op, const lit *a, const lit *by,
                unsigned width)
{
    lit fill = op == EXPR_ASHR ? a[width - 1] : LIT_FALSE, beyond = LIT_FALSE;
    memcpy(out, a, width * sizeof *out);
    for (unsigned stage = 0; stage < width; stage++) {
        if (stage >= 7 || 1u << stage >= width) {
            beyond = gates_or(g, beyond, by[stage]);
            continue;
        }
        lit shifted[WORD_MAX];
        for (unsigned i = 0; i < width; i++)
            shifted[i] = shifted_bit(op, out, i, 1u << stage, fill, width);
        word_select(g, out, by[stage], shifted, out, width);
    }
    for (unsigned i = 0; i < width; i++)
        out[i] = gates_ite(g, beyond, fill, out[i]);
}
