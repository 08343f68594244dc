// SPDX-License-Identifier: Apache-2.0
// Greedy, in the order of use, so that pointers come before what they point to: zero (arrays
// by halves), then the smallest magnitude by bisection. What is found is not always the
// smallest of all, but always raises the same alarm.
#include "inputs/shrink.h"

#include "base/tunables.h"
#include "base/vec.h"
#include "program/places.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct shrink {
    const struct shrink_request *request;
    struct buf *best;
    struct buf next;
    VEC(uint32_t) uses; // places that the best input's run asked for
    unsigned runs_left;
    uint64_t steps_left;
    uint32_t flags; // of the runs
    bool failed;
    struct error *err;
};

bool shrink_shows(const struct wire_run *run, uint32_t fault, uint32_t site, bool ends_well)
{
    if (ends_well && run->status == WIRE_FAULT)
        return false;
    if (run->status == WIRE_FAULT && run->fault == fault && run->fault_site == site)
        return true;
    if (run->status == WIRE_STEPS && fault == WIRE_FAULT_STEPS && run->fault_site == site)
        return true;
    for (uint32_t i = 0; i < run->soft_count; i++)
        if (run->soft[i].fault == fault && run->soft[i].site == site)
            return true;
    return false;
}

// Run s->next.
static bool shows(struct shrink *s)
{
    const struct shrink_request *r = s->request;
    if (!s->runs_left || s->failed)
        return false;
    s->runs_left--;
    target_set_steps(r->target, r->steps);
    target_begin(r->target, r->task, s->flags);
    if (!target_add(r->target, s->next.data, s->next.length) || !target_run(r->target, s->err)) {
        s->failed = true;
        return false;
    }
    const struct wire_run *run = target_result(r->target, 0);
    s->steps_left -= run->steps < s->steps_left ? run->steps : s->steps_left;
    if (!s->steps_left)
        s->runs_left = 0;
    return shrink_shows(run, r->fault, r->site, r->ends_well);
}

static void note_uses(struct shrink *s)
{
    const struct wire_header *wire = target_wire(s->request->target);
    const struct wire_run *run = target_result(s->request->target, 0);
    const uint32_t *uses = target_area(s->request->target, &wire->uses);
    s->uses.count = 0;
    for (uint32_t i = 0; i < run->use_count; i++)
        *VEC_PUSH(&s->uses) = uses[run->first_use + i];
}

static void begin(struct shrink *s)
{
    buf_clear(&s->next);
    buf_add(&s->next, s->best->data, s->best->length);
}

// Keep s->next if it raises the alarm.
static bool accept(struct shrink *s)
{
    if (!shows(s))
        return false;
    buf_clear(s->best);
    buf_add(s->best, s->next.data, s->next.length);
    note_uses(s);
    return true;
}

static bool is_zero(const char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (bytes[i])
            return false;
    return true;
}

// ---- zeros ----

static bool zero(struct shrink *s, size_t from, size_t size, size_t element)
{
    if (from >= s->best->length)
        return false;
    size_t end = from + size < s->best->length ? from + size : s->best->length;
    if (is_zero(s->best->data + from, end - from))
        return false;
    begin(s);
    memset(s->next.data + from, 0, end - from);
    if (accept(s))
        return true;
    if (size <= element)
        return false;
    size_t half = (size / element + 1) / 2 * element;
    bool first = zero(s, from, half, element);
    return zero(s, from + half, size - half, element) || first;
}

// ---- small numbers ----

static uint64_t get(const struct buf *input, size_t at, size_t size)
{
    uint64_t value = 0;
    memcpy(&value, input->data + at, size);
    return value;
}

static bool try_bits(struct shrink *s, size_t at, size_t size, uint64_t bits)
{
    begin(s);
    memcpy(s->next.data + at, &bits, size);
    return accept(s);
}

static bool shrink_integer(struct shrink *s, size_t at, size_t size, unsigned bits, bool is_signed)
{
    uint64_t mask = bits >= 64 ? UINT64_MAX : (1ull << bits) - 1,
             value = get(s->best, at, size) & mask;
    bool negative = is_signed && value >> (bits - 1) & 1;
    uint64_t high = negative ? (0 - value) & mask : value, low = 0;
    bool changed = false;
    if (negative && high <= mask >> 1 && try_bits(s, at, size, high)) {
        negative = false;
        changed = true;
    }
    for (int i = 0; i < INPUTS_SHRINK_BISECTIONS && high - low > 1; i++) {
        uint64_t middle = i == 0 ? 1 : low + (high - low) / 2;
        if (try_bits(s, at, size, negative ? (0 - middle) & mask : middle)) {
            high = middle;
            changed = true;
        } else {
            low = middle;
        }
    }
    return changed;
}

static uint64_t float_bits(double x, size_t size)
{
    uint64_t bits = 0;
    float single = (float)x;
    if (size == 4)
        memcpy(&bits, &single, 4);
    else
        memcpy(&bits, &x, 8);
    return bits;
}

static double float_value(uint64_t bits, size_t size)
{
    float single;
    double x;
    memcpy(&single, &bits, 4);
    memcpy(&x, &bits, 8);
    return size == 4 ? (double)single : x;
}

// Small whole numbers; by the middle of the exponents as long as those are far apart.
static bool shrink_float(struct shrink *s, size_t at, size_t size)
{
    double value = float_value(get(s->best, at, size), size), sign = value < 0 ? -1 : 1;
    double high = fabs(value), low = 0;
    bool changed = false;
    if (isnan(value))
        high = INFINITY;
    if (isinf(high)) {
        static const double large[] = {1e10, 1e20, 1e38};
        for (size_t i = 0; i < sizeof large / sizeof *large && isinf(high); i++)
            if (try_bits(s, at, size, float_bits(sign * large[i], size)))
                high = large[i];
        changed = !isinf(high);
    }
    for (int i = 0; i < INPUTS_SHRINK_BISECTIONS && isfinite(high) && high > 1 && high - low > 1;
         i++) {
        double middle = i == 0                       ? 1
                        : low >= 1 && high / low > 4 ? sqrt(low * high)
                                                     : (low + high) / 2;
        middle = ceil(middle);
        if (middle >= high)
            middle = floor(low) + 1;
        if (middle >= high)
            break;
        if (try_bits(s, at, size, float_bits(sign * middle, size))) {
            high = middle;
            changed = true;
        } else {
            low = middle;
        }
    }
    return changed;
}

static bool shrink_element(struct shrink *s, const struct wire_place *place, size_t at, size_t size)
{
    if (at + size > s->best->length || size > 8 || is_zero(s->best->data + at, size))
        return false;
    switch (place->type) {
    case WIRE_T_SIGNED: return shrink_integer(s, at, size, place->bits, true);
    case WIRE_T_UNSIGNED:
    case WIRE_T_CHOICE: return shrink_integer(s, at, size, (unsigned)size * 8, false);
    case WIRE_T_FLOAT: return shrink_float(s, at, size);
    default: return false;
    }
}

// ---- all ----

static struct wire_place place_at(const struct shrink *s, uint32_t number)
{
    struct places places;
    places_view(&places, target_wire(s->request->target));
    return number < places.count ? places.table[number] : (struct wire_place){0};
}

// The list of uses changes with every success; what is gone no longer matters.
static bool pass(struct shrink *s, bool numbers)
{
    bool changed = false;
    for (size_t i = 0; i < s->uses.count && s->runs_left && !s->failed; i++) {
        struct wire_place place = place_at(s, s->uses.items[i]);
        size_t element = places_element_size(&place), size = places_size(&place);
        if (!size)
            continue;
        if (!numbers) {
            changed |= zero(s, place.offset, size, element);
            continue;
        }
        for (size_t k = 0; k < size / element && k < INPUTS_SHRINK_ELEMENTS; k++)
            changed |= shrink_element(s, &place, place.offset + k * element, element);
    }
    return changed;
}

static bool matters(struct shrink *s, const struct wire_place *place)
{
    size_t element = places_element_size(place), size = places_size(place);
    static const double numbers[] = {0, 1, -1, 1000};
    begin(s);
    while (s->next.length < place->offset + size)
        buf_putc(&s->next, 0);
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        uint64_t bits = place->type == WIRE_T_FLOAT ? float_bits(numbers[k], element)
                                                    : (uint64_t)(int64_t)numbers[k];
        if ((place->type == WIRE_T_SHAPE || place->type == WIRE_T_BOOL) && k > 1)
            break;
        for (size_t at = 0; at + element <= size; at += element) {
            uint64_t filled[2] = {bits, numbers[k] < 0 ? UINT64_MAX : 0};
            memcpy(s->next.data + place->offset + at, filled, element < 16 ? element : 16);
        }
        if (s->runs_left && !shows(s) && !s->failed)
            return true;
    }
    return false;
}

static void list_what_matters(struct shrink *s, struct buf *out)
{
    for (size_t i = 0; i < s->uses.count && !s->failed; i++) {
        struct wire_place place = place_at(s, s->uses.items[i]);
        if (!places_size(&place) || !matters(s, &place))
            continue;
        struct places places;
        places_view(&places, target_wire(s->request->target));
        places_path(&places, s->uses.items[i], out);
        buf_putc(out, '\n');
    }
}

bool shrink_alarm(const struct shrink_request *request, struct buf *input, struct buf *out,
                  struct error *err)
{
    bool costly = request->fault == WIRE_FAULT_ENDLESS || request->fault == WIRE_FAULT_STACK ||
                  request->fault == WIRE_FAULT_STEPS;
    unsigned runs = costly ? INPUTS_SHRINK_RUNS_COSTLY : INPUTS_SHRINK_RUNS;
    struct shrink s = {.request = request, .best = input, .runs_left = runs, .err = err};
    s.flags = request->fault == WIRE_FAULT_STEPS ? WIRE_ALL_STEPS : 0;
    s.steps_left = INPUTS_SHRINK_STEPS;
    begin(&s);
    bool good = accept(&s); // without expressions a run takes a fraction of its time
    s.flags |= good ? 0 : WIRE_CONCOLIC;
    good = good || accept(&s);
    // How deep or long is too much is another number on the clean build.
    bool by_size = request->fault == WIRE_FAULT_STACK || request->fault == WIRE_FAULT_STEPS;
    for (int i = 0; good && i < INPUTS_SHRINK_PASSES; i++) {
        bool zeros = pass(&s, false), numbers = !by_size && pass(&s, true);
        if (!zeros && !numbers)
            break;
    }
    s.runs_left = runs;
    s.steps_left = INPUTS_SHRINK_STEPS;
    if (good)
        list_what_matters(&s, out);
    buf_release(&s.next);
    VEC_RELEASE(&s.uses);
    return good && !s.failed;
}
