// SPDX-License-Identifier: Apache-2.0
#include "solver/ranges.h"

#include "base/tunables.h"

static uint64_t top(unsigned width)
{
    return UINT64_MAX >> (64 - width);
}

struct ranges ranges_all(unsigned width)
{
    return ranges_between(width, 0, top(width));
}

struct ranges ranges_between(unsigned width, uint64_t low, uint64_t high)
{
    struct ranges r = {.width = (uint8_t)width, .exact = true};
    if (low <= high) {
        r.items[0] = (struct range){low, high};
        r.count = 1;
    }
    return r;
}

// Append an interval that does not begin before the last one does.
static void append(struct ranges *r, uint64_t low, uint64_t high)
{
    struct range *last = r->count ? &r->items[r->count - 1] : NULL;
    if (last && (low <= last->high || low == last->high + 1)) {
        last->high = high > last->high ? high : last->high;
    } else if (r->count == SOLVER_RANGES) {
        last->high = high;
        r->exact = false;
    } else {
        r->items[r->count++] = (struct range){low, high};
    }
}

struct ranges ranges_union(const struct ranges *a, const struct ranges *b)
{
    struct ranges r = {.width = a->width, .exact = a->exact && b->exact};
    unsigned i = 0, k = 0;
    while (i < a->count || k < b->count) {
        bool first = k == b->count || (i < a->count && a->items[i].low <= b->items[k].low);
        const struct range *next = first ? &a->items[i++] : &b->items[k++];
        append(&r, next->low, next->high);
    }
    return r;
}

struct ranges ranges_intersect(const struct ranges *a, const struct ranges *b)
{
    struct ranges r = {.width = a->width, .exact = a->exact && b->exact};
    unsigned i = 0, k = 0;
    while (i < a->count && k < b->count) {
        const struct range *x = &a->items[i], *y = &b->items[k];
        uint64_t low = x->low > y->low ? x->low : y->low;
        uint64_t high = x->high < y->high ? x->high : y->high;
        if (low <= high)
            append(&r, low, high);
        if (x->high < y->high)
            i++;
        else
            k++;
    }
    return r;
}

struct ranges ranges_complement(const struct ranges *a)
{
    struct ranges r = {.width = a->width, .exact = true};
    uint64_t from = 0;
    for (unsigned i = 0; i < a->count; i++) {
        if (a->items[i].low > from)
            append(&r, from, a->items[i].low - 1);
        if (a->items[i].high == top(a->width))
            return r;
        from = a->items[i].high + 1;
    }
    append(&r, from, top(a->width));
    return r;
}

// Below `value` in unsigned order.
static struct ranges below(unsigned width, uint64_t value, bool equal)
{
    if (equal)
        return ranges_between(width, 0, value);
    return value ? ranges_between(width, 0, value - 1) : ranges_between(width, 1, 0);
}

struct ranges ranges_compare(enum expr_op op, unsigned width, uint64_t value)
{
    struct ranges r;
    uint64_t sign = UINT64_C(1) << (width - 1);
    switch (op) {
    case EXPR_EQ: return ranges_between(width, value, value);
    case EXPR_ULT: return below(width, value, false);
    case EXPR_ULE: return below(width, value, true);
    case EXPR_SLT: // shifted, the order is that of unsigned numbers
        r = below(width, value ^ sign, false);
        return ranges_subtract(&r, sign);
    case EXPR_SLE: r = below(width, value ^ sign, true); return ranges_subtract(&r, sign);
    case EXPR_NE: r = ranges_compare(EXPR_EQ, width, value); break;
    case EXPR_UGE: r = ranges_compare(EXPR_ULT, width, value); break;
    case EXPR_UGT: r = ranges_compare(EXPR_ULE, width, value); break;
    case EXPR_SGE: r = ranges_compare(EXPR_SLT, width, value); break;
    default: r = ranges_compare(EXPR_SLE, width, value); break; // SGT
    }
    return ranges_complement(&r);
}

struct ranges ranges_subtract(const struct ranges *a, uint64_t offset)
{
    uint64_t all = top(a->width);
    struct ranges low = {.width = a->width, .exact = a->exact}, high = low;
    for (unsigned i = 0; i < a->count; i++) {
        uint64_t first = (a->items[i].low - offset) & all, last = (a->items[i].high - offset) & all;
        if (a->items[i].low >= offset) {
            append(&low, first, last);
        } else if (a->items[i].high < offset) { // below zero: wraps around
            append(&high, first, last);
        } else { // it crosses zero
            append(&high, first, all);
            append(&low, 0, last);
        }
    }
    return ranges_union(&low, &high);
}

struct ranges ranges_unzext(const struct ranges *a, unsigned width)
{
    struct ranges fits = ranges_between(a->width, 0, top(width));
    struct ranges r = ranges_intersect(a, &fits);
    r.width = (uint8_t)width;
    return r;
}

struct ranges ranges_unsext(const struct ranges *a, unsigned width)
{
    uint64_t half = UINT64_C(1) << (width - 1);
    struct ranges positive = ranges_between(a->width, 0, half - 1);
    struct ranges negative = ranges_between(a->width, top(a->width) - half + 1, top(a->width));
    struct ranges p = ranges_intersect(a, &positive), n = ranges_intersect(a, &negative);
    for (unsigned i = 0; i < n.count; i++) {
        n.items[i].low &= top(width);
        n.items[i].high &= top(width);
    }
    p.width = n.width = (uint8_t)width;
    return ranges_union(&p, &n);
}

bool ranges_contain(const struct ranges *a, uint64_t value)
{
    for (unsigned i = 0; i < a->count; i++)
        if (value >= a->items[i].low && value <= a->items[i].high)
            return true;
    return false;
}

uint64_t ranges_nearest(const struct ranges *a, uint64_t value)
{
    uint64_t best = a->items[0].low, distance = UINT64_MAX, all = top(a->width);
    if (ranges_contain(a, value))
        return value;
    for (unsigned i = 0; i < a->count; i++) {
        uint64_t ends[2] = {a->items[i].low, a->items[i].high};
        for (int k = 0; k < 2; k++) {
            uint64_t up = (ends[k] - value) & all, down = (value - ends[k]) & all;
            uint64_t d = up < down ? up : down;
            if (d < distance) {
                distance = d;
                best = ends[k];
            }
        }
    }
    return best;
}
