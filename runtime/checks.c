// SPDX-License-Identifier: Apache-2.0
// Safety predicates. A check whose operands depend on inputs leaves a record with the
// predicate, so that the engine can look for inputs that violate it; one that is violated
// ends the run or, where an -O0 build just computes something (faults.def: SOFT), is noted
// and the run goes on as that build would.
#include "runtime.h"
#include <string.h>

uint32_t czrt_call_site;
static struct wire_soft soft[WIRE_MAX_SOFT];
static uint32_t soft_count;

void czrt_checks_begin_run(void)
{
    soft_count = 0;
    czrt_call_site = 0;
}

void czrt_checks_end_run(struct wire_run *run)
{
    run->soft_count = soft_count;
    memcpy(run->soft, soft, soft_count * sizeof *soft);
}

uint32_t czrt_place(uint32_t site)
{
    bool ours = site == 0 || site >= CZRT_MODEL_SITES;
    return ours && czrt_call_site ? czrt_call_site : site;
}

void czrt_check(uint32_t site, uint32_t fault, uint32_t safe, wire_label safe_label)
{
    safe_label = czrt_without_address(safe_label);
    if (safe_label && !(safe && czrt_is_repeated_check(safe_label)))
        czrt_record(WIRE_CHECK, czrt_place(site), fault, safe_label, safe, safe);
}

void czrt_note_soft(uint32_t fault, uint32_t site)
{
    for (uint32_t i = 0; i < soft_count; i++)
        if (soft[i].fault == fault && soft[i].site == site)
            return;
    if (soft_count < WIRE_MAX_SOFT)
        soft[soft_count++] = (struct wire_soft){fault, site};
    else
        czrt_loss(WIRE_LOSS_ROOM); // undefined behaviour that no claim could name
}

void czrt_check_soft(uint32_t fault, uint32_t site, bool safe, wire_label label)
{
    czrt_check(site, fault, safe, label);
    if (!safe)
        czrt_note_soft(fault, czrt_place(site));
}

static wire_label either(wire_label a, wire_label b)
{
    return a && b ? czrt_binary(WIRE_OR, 1, a, b, 0, 0) : a | b;
}

void czrt_division(uint32_t is_signed, uint32_t width, wire_label a, wire_label b, uint64_t x,
                   uint64_t y, uint32_t site)
{
    uint64_t all = width >= 64 ? ~0ull : (1ull << width) - 1;
    uint64_t lowest = width > 64 ? 0 : 1ull << (width - 1);
    y &= all;
    x &= all;
    czrt_note_decision(b, site);
    if (b)
        czrt_check(site, WIRE_FAULT_DIVISION, y != 0, czrt_binary(WIRE_NE, width, b, 0, 0, 0));
    if (y == 0)
        czrt_fault(WIRE_FAULT_DIVISION, site, 0);
    if (!is_signed || width > 64 || (!b && y != all) || (!a && x != lowest))
        return;
    bool safe = x != lowest || y != all;
    wire_label label = either(a ? czrt_binary(WIRE_NE, width, a, 0, 0, lowest) : 0,
                              b ? czrt_binary(WIRE_NE, width, b, 0, 0, all) : 0);
    czrt_check(site, WIRE_FAULT_QUOTIENT, safe, label);
    if (!safe)
        czrt_fault(WIRE_FAULT_QUOTIENT, site, 0);
}

// A count is as wide as what is shifted; a negative one is a large one.
void czrt_shift(uint32_t width, wire_label label, uint64_t count, uint32_t site)
{
    wire_label safe = label ? czrt_binary(WIRE_ULT, width, label, 0, 0, width) : 0;
    czrt_check_soft(WIRE_FAULT_SHIFT, site, count < width, safe);
}

void czrt_signed_overflow(uint32_t op, uint32_t width, wire_label a, wire_label b, uint64_t x,
                          uint64_t y, uint32_t overflows, uint32_t site)
{
    wire_label wrong = czrt_overflow(op, 's', width, a, b, x, y);
    wire_label safe = wrong ? czrt_binary(WIRE_EQ, 1, wrong, 0, 0, 0) : 0;
    czrt_check_soft(WIRE_FAULT_OVERFLOW, site, !overflows, safe);
}

// The bits of a number in the float format of this width.
static uint64_t float_bits(uint32_t width, double x)
{
    uint64_t bits = 0;
    float single = (float)x;
    if (width == 32)
        memcpy(&bits, &single, sizeof single);
    else
        memcpy(&bits, &x, sizeof x);
    return bits;
}

// The bounds of cz_s_conversion, in the operand's own format: where the value below the
// lowest integer is none of that format, the lowest integer itself is the bound.
void czrt_conversion(uint32_t is_signed, uint32_t width, uint32_t from, wire_label label,
                     uint32_t fits, uint32_t site)
{
    wire_label safe = 0;
    double end = 2.0 * (double)(1ull << (width - 1 - is_signed));
    double low = is_signed ? -end : 0;
    bool below = width < (from == 32 ? 24 : 53) || !is_signed;
    if (label) {
        wire_label least = czrt_binary(below ? WIRE_FOGT : WIRE_FOGE, from, label, 0, 0,
                                       float_bits(from, below ? low - 1 : low));
        wire_label most = czrt_binary(WIRE_FOLT, from, label, 0, 0, float_bits(from, end));
        safe = least && most ? czrt_binary(WIRE_AND, 1, least, most, 0, 0) : least | most;
    }
    czrt_check_soft(WIRE_FAULT_CONVERSION, site, fits, safe);
}

// Comes before the access itself is checked, which may pin the address. Where there is no
// object at all, that is what is wrong.
void czrt_index(const void *array, wire_label label, uint64_t index, uint64_t count, uint32_t site)
{
    if (CZRT_IS_WILD(array))
        return;
    wire_label safe = label ? czrt_binary(WIRE_ULT, CZRT_POINTER_BITS, label, 0, 0, count) : 0;
    czrt_check_soft(WIRE_FAULT_MEMBER, site, index < count, safe);
}
