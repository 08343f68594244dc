// SPDX-License-Identifier: Apache-2.0
// Fast paths of instrumented code. This file is compiled to bitcode and linked into
// every instrumented module; the instrumenter emits plain calls of these functions
// and LLVM inlines them, so that code on concrete data only tests labels against 0
// and never enters the runtime. Constants (op, width, flags, sizes) are folded
// away by the inlining. Names begin with cz_s_ so that the instrumenter can make them
// internal afterwards.
#define CZRT_SHIM
#include "abi.h"

#define SHIM        __attribute__((always_inline))
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

typedef uint64_t __attribute__((may_alias)) pair; // two labels at once

SHIM wire_label cz_s_binary(uint32_t op, uint32_t width, wire_label a, wire_label b, uint64_t x,
                            uint64_t y)
{
    return UNLIKELY(a | b) ? czrt_binary(op, width, a, b, x, y) : 0;
}

SHIM wire_label cz_s_binary128(uint32_t op, wire_label a, wire_label b, uint64_t x_low,
                               uint64_t x_high, uint64_t y_low, uint64_t y_high)
{
    return UNLIKELY(a | b) ? czrt_binary128(op, a, b, x_low, x_high, y_low, y_high) : 0;
}

SHIM wire_label cz_s_unary(uint32_t op, uint32_t width, wire_label a)
{
    return UNLIKELY(a) ? czrt_unary(op, width, a, 0) : 0;
}

SHIM wire_label cz_s_count_bits(uint32_t kind, uint32_t width, wire_label a, uint64_t x)
{
    return UNLIKELY(a) ? czrt_count_bits(kind, width, a, x) : 0;
}

SHIM wire_label cz_s_byte_swap(uint32_t width, wire_label a)
{
    return UNLIKELY(a) ? czrt_byte_swap(width, a) : 0;
}

SHIM wire_label cz_s_overflow(uint32_t op, uint32_t sign, uint32_t width, wire_label a,
                              wire_label b, uint64_t x, uint64_t y)
{
    return UNLIKELY(a | b) ? czrt_overflow(op, sign, width, a, b, x, y) : 0;
}

// The label of "c ? a : b"; taken tells the concrete choice.
SHIM wire_label cz_s_ite(uint32_t width, wire_label c, wire_label a, wire_label b, uint64_t x,
                         uint64_t y, bool taken)
{
    if (UNLIKELY(c))
        return czrt_ite(width, c, a, b, x, y);
    return taken ? a : b;
}

SHIM void cz_s_loss_if(wire_label any, uint32_t loss)
{
    if (UNLIKELY(any))
        czrt_loss(loss);
}

SHIM void cz_s_loss(uint32_t loss)
{
    czrt_loss(loss);
}

SHIM void cz_s_state(uint32_t state)
{
    czrt_state(state);
}

SHIM wire_label cz_s_doubt(uint32_t state, wire_label label, uint32_t width, uint64_t value)
{
    return czrt_doubt(state, label, width, value);
}

SHIM void cz_s_errno_hide(void)
{
    czrt_errno_hide();
}

SHIM void cz_s_errno_show(void)
{
    czrt_errno_show();
}

SHIM void cz_s_errno_doubt(void)
{
    czrt_errno_doubt();
}

SHIM void cz_s_pin(uint32_t site, wire_label label, uint64_t value)
{
    if (UNLIKELY(label))
        czrt_pin(site, label, value);
}

// ---- addresses ----

SHIM void cz_s_compare_pointers(const void *a, const void *b, bool by_order)
{
    if (a != b && a && b)
        czrt_compare_pointers(a, b, by_order);
}

SHIM wire_label cz_s_pointer_number(const void *p, wire_label label)
{
    return label || !p ? label : czrt_pointer_number(p);
}

// The address of a variable or function as a number, which the optimiser must not take for a
// constant.
SHIM uint64_t cz_s_number(uint64_t number)
{
    return number;
}

SHIM wire_label cz_s_number_label(uint64_t number)
{
    return czrt_number_label(number);
}

SHIM wire_label cz_s_pointer_distance(const void *a, const void *b, wire_label label)
{
    return label ? label : czrt_pointer_distance(a, b);
}

SHIM wire_label cz_s_number_pointer(wire_label label)
{
    return UNLIKELY(label) ? czrt_number_pointer(label) : 0;
}

// ---- memory ----

// Far from the base, which is on the heap: a red zone between two objects would not be noticed.
static SHIM bool is_far(const void *base, const void *p)
{
    return (uintptr_t)base - CZRT_HEAP_BASE < CZRT_HEAP_ROOM && // the same in all turns of a loop
           (uintptr_t)p - (uintptr_t)base + CZRT_REACH > 2 * CZRT_REACH;
}

static SHIM bool is_reached(const void *base, const void *p)
{
    const struct czrt_reach *known = CZRT_REACH_OF(base);
    return known->base == (uintptr_t)base && (uintptr_t)p - known->start < known->size;
}

// Does the address fail one of its checks, or depend on inputs?
static SHIM bool is_suspect(const void *base, const void *p, wire_label p_label, uint32_t n,
                            uint32_t checks, uint64_t size)
{
    return p_label || (checks & CZRT_CHECK_NULL && CZRT_IS_WILD(p)) ||
           (checks & CZRT_CHECK_SIZE && (uintptr_t)p - (uintptr_t)base > size - n) ||
           (checks & CZRT_CHECK_REACH && is_far(base, p) && !is_reached(base, p));
}

// Is any of the n labels at s set?
static SHIM bool any_label(const wire_label *s, uint32_t n)
{
    const pair *d = (const pair *)s;
    switch (n) {
    case 1: return s[0];
    case 2: return d[0];
    case 4: return d[0] | d[1];
    case 8: return d[0] | d[1] | d[2] | d[3];
    default: {
        wire_label any = 0;
        for (uint32_t i = 0; i < n; i++)
            any |= s[i];
        return any;
    }
    }
}

static SHIM void clear_labels(wire_label *s, uint32_t n)
{
    pair *d = (pair *)s;
    switch (n) {
    case 1: s[0] = 0; break;
    case 2: d[0] = 0; break;
    case 4: d[0] = d[1] = 0; break;
    case 8: d[0] = d[1] = d[2] = d[3] = 0; break;
    default:
        for (uint32_t i = 0; i < n; i++)
            s[i] = 0;
    }
}

// n, checks and size are those of *access, as constants that can be folded.
SHIM wire_label cz_s_load(const void *base, const void *p, wire_label p_label, uint32_t n,
                          uint32_t checks, uint64_t size, const struct czrt_access *access)
{
    if (UNLIKELY(is_suspect(base, p, p_label, n, checks, size) || any_label(CZRT_SHADOW(p), n)))
        return czrt_load_slow(base, p, p_label, access);
    return 0;
}

SHIM void cz_s_store(const void *base, void *p, wire_label p_label, wire_label label, uint32_t n,
                     uint32_t checks, uint64_t size, const struct czrt_access *access)
{
    wire_label *s = CZRT_SHADOW(p);
    if (UNLIKELY(
            is_suspect(base, p, p_label, n, checks, size) || label ||
            (checks & CZRT_CHECK_POISON && (WIRE_IS_POISON(s[0]) || WIRE_IS_POISON(s[n - 1])))))
        czrt_store_slow(base, p, p_label, label, access);
    else
        clear_labels(s, n);
}

// A value without labels (x87, wide vectors) is read.
SHIM void cz_s_load_opaque(const void *base, const void *p, wire_label p_label, uint32_t n,
                           uint32_t checks, uint64_t size, const struct czrt_access *access)
{
    if (UNLIKELY(cz_s_load(base, p, p_label, n > 16 ? 16 : n, checks, size, access)))
        czrt_loss(WIRE_LOSS_WIDE);
    if (n > 16)
        for (uint32_t i = 16; i < n; i++)
            cz_s_loss_if(CZRT_SHADOW(p)[i], WIRE_LOSS_WIDE);
}

SHIM void cz_s_form(const void *base, const void *p)
{
    if (UNLIKELY(is_far(base, p) && !is_reached(base, p)))
        czrt_form(base, p);
}

SHIM void cz_s_range(const void *base, const void *p, wire_label p_label, uint64_t n,
                     wire_label n_label, uint32_t site)
{
    czrt_range(base, p, p_label, n, n_label, site);
}

SHIM void cz_s_move(void *to, const void *from, uint64_t n)
{
    czrt_shadow_move(to, from, n);
}

SHIM void cz_s_fill(void *to, wire_label label, uint64_t n)
{
    czrt_shadow_fill(to, label, n);
}

SHIM void cz_s_clear(void *to, uint32_t n) // a few bytes
{
    clear_labels(CZRT_SHADOW(to), n);
}

// ---- uninitialised values ----

SHIM wire_label cz_s_uninit(uint32_t width)
{
    return czrt_uninit_reserved(width) & czrt_uninit_mask;
}

SHIM void cz_s_uninit_fill(void *to, uint64_t n)
{
    czrt_uninit_fill(to, n);
}

SHIM void cz_s_uninit_bytes(void *to, uint32_t n) // a few
{
    wire_label *s = CZRT_SHADOW(to);
    for (uint32_t i = 0; i < n; i++)
        s[i] = CZRT_UNINIT_BYTE & czrt_uninit_mask;
}

SHIM void cz_s_uninit_use(wire_label label, uint32_t site)
{
    if (UNLIKELY(label))
        czrt_uninit_use(label, site);
}

SHIM void cz_s_format(const char *format)
{
    czrt_note_format(format);
}

SHIM void cz_s_written(const void *p, bool known, uint32_t loss)
{
    if (!known)
        czrt_uninit_written(p, loss);
}

// ---- calls ----

SHIM void cz_s_arg(uint32_t slot, wire_label label)
{
    czrt_args[slot] = label;
}
SHIM void cz_s_arg_memory(uint32_t slot, const void *p)
{
    czrt_arg_memory[slot] = p;
}
SHIM void cz_s_arg_classes(const uint32_t *classes, uint32_t slots)
{
    czrt_arg_classes = classes;
    czrt_arg_slots = slots;
}
SHIM void cz_s_call(const void *callee)
{
    czrt_callee = callee;
}
SHIM bool cz_s_is_callee(const void *self)
{
    return czrt_callee == self;
}
SHIM void cz_s_clear_return(void)
{
    czrt_ret = 0;
    czrt_ret_count = 0;
    czrt_returned = 0;
}
SHIM void cz_s_return(wire_label label)
{
    czrt_ret = label;
}
SHIM void cz_s_return_count(uint32_t count)
{
    czrt_ret_count = count;
}
SHIM void cz_s_return_part(uint32_t part, wire_label label)
{
    czrt_ret_parts[part] = label;
}
SHIM void cz_s_returned(const void *self)
{
    czrt_returned = self;
}
SHIM bool cz_s_was_called(const void *f)
{
    return czrt_returned == f;
}
SHIM bool cz_s_has_parts(uint32_t count, bool trusted)
{
    // Another number of parts: a call by another type than the function's.
    if (UNLIKELY(trusted && czrt_ret_count != count && czrt_ret_count))
        czrt_loss(WIRE_LOSS_CONCRETISED);
    return trusted && czrt_ret_count == count;
}

// Caller and callee may disagree about a type (an old declaration, a cast of the
// function pointer): the label is made to fit.
static SHIM wire_label fitting(wire_label label, uint32_t width)
{
    return UNLIKELY(label) ? czrt_fit(label, width) : 0;
}

SHIM wire_label cz_s_param(uint32_t slot, bool trusted, uint32_t width)
{
    return trusted ? fitting(czrt_args[slot], width) : 0;
}

SHIM wire_label cz_s_result(bool trusted, uint32_t width)
{
    return trusted ? fitting(czrt_ret, width) : 0;
}

SHIM wire_label cz_s_result_part(uint32_t part, bool valid, uint32_t width)
{
    return valid ? fitting(czrt_ret_parts[part], width) : 0;
}

SHIM void cz_s_loss_unless(bool known, uint32_t loss)
{
    if (!known)
        czrt_loss(loss);
}

SHIM void cz_s_byval(void *p, uint32_t slot, uint64_t n, bool trusted)
{
    if (trusted)
        czrt_shadow_move(p, czrt_arg_memory[slot], n);
    else
        czrt_shadow_fill(p, 0, n);
}

SHIM uint64_t cz_s_varargs_size(const void *self)
{
    return czrt_varargs_size(self);
}
SHIM void cz_s_varargs_save(struct czrt_varargs *save, const void *self)
{
    czrt_varargs_save(save, self);
}
SHIM void cz_s_varargs_start(void *list, const struct czrt_varargs *save, uint32_t fixed_args)
{
    czrt_varargs_start(list, save, fixed_args);
}

// ---- control ----

SHIM void cz_s_step(uint32_t site)
{
    if (UNLIKELY(--czrt_steps_left < 0))
        czrt_out_of_steps(site);
}

SHIM void cz_s_branch(uint32_t site, bool taken, wire_label label)
{
    if (UNLIKELY(label))
        czrt_branch(site, taken, label);
}

SHIM void cz_s_cond(uint32_t branch, bool taken, wire_label label, uint32_t site)
{
    czrt_goal_hits[2 * branch + taken] = 1;
    if (UNLIKELY(label | czrt_trace))
        czrt_cond(branch, taken, label, site);
}

SHIM void cz_s_switch(uint32_t id, uint32_t branch, uint64_t value, wire_label label, uint32_t site)
{
    czrt_goal_hits[2 * branch + 1] = 1;
    if (UNLIKELY(label | czrt_trace))
        czrt_switch(id, branch, value, label, site);
}

SHIM void cz_s_switch_plain(uint32_t site, uint32_t width, uint64_t value, wire_label label,
                            const uint64_t *cases, uint32_t count)
{
    if (UNLIKELY(label))
        czrt_switch_plain(site, width, value, label, cases, count);
}

// ends: bit v is set when the decision ends here with value v.
SHIM void cz_s_vector(uint32_t decision, uint64_t evaluated, uint64_t values, bool value,
                      uint32_t ends)
{
    if (ends == 3 || ends >> value & 1)
        czrt_vector(decision, evaluated, values);
}

// ---- checks ----

SHIM void cz_s_division(bool is_signed, uint32_t width, wire_label a, wire_label b, uint64_t x,
                        uint64_t y, uint32_t site)
{
    uint64_t all = width >= 64 ? ~0ull : (1ull << width) - 1;
    bool suspect = is_signed && y == all && (a | (x == 1ull << (width - 1)));
    if (UNLIKELY(b | (y == 0) | suspect))
        czrt_division(is_signed, width, a, b, x, y, site);
}

SHIM void cz_s_shift(uint32_t width, wire_label label, uint64_t count, uint32_t site)
{
    if (UNLIKELY(label | (count >= width)))
        czrt_shift(width, label, count, site);
}

static SHIM int64_t extended(uint32_t width, uint64_t x)
{
    return width == 32 ? (int32_t)x : (int64_t)x;
}

// op is WIRE_ADD, WIRE_SUB or WIRE_MUL, width 32 or 64.
SHIM void cz_s_signed(uint32_t op, uint32_t width, wire_label a, wire_label b, uint64_t x,
                      uint64_t y, uint32_t site)
{
    int64_t left = extended(width, x), right = extended(width, y), result;
    bool overflows = op == WIRE_ADD   ? __builtin_add_overflow(left, right, &result)
                     : op == WIRE_SUB ? __builtin_sub_overflow(left, right, &result)
                                      : __builtin_mul_overflow(left, right, &result);
    overflows |= width == 32 && result != (int32_t)result;
    if (UNLIKELY(a | b | overflows))
        czrt_signed_overflow(op, width, a, b, x, y, overflows, site);
}

// Does the number, cut to an integer, fit the integer type? 2^63 - 1 is no double, so the
// bounds are the first values beyond; the lowest of 64 bits has no double below it.
static SHIM bool fits(bool is_signed, uint32_t width, double x)
{
    double end = 2.0 * (double)(1ull << (width - 1 - is_signed));
    if (!is_signed)
        return x > -1 && x < end;
    return (width < 53 ? x > -end - 1 : x >= -end) && x < end;
}

SHIM void cz_s_conversion32(bool is_signed, uint32_t width, wire_label label, float x,
                            uint32_t site)
{
    bool good = fits(is_signed, width, (double)x);
    if (UNLIKELY(label | !good))
        czrt_conversion(is_signed, width, 32, label, good, site);
}

SHIM void cz_s_conversion64(bool is_signed, uint32_t width, wire_label label, double x,
                            uint32_t site)
{
    bool good = fits(is_signed, width, x);
    if (UNLIKELY(label | !good))
        czrt_conversion(is_signed, width, 64, label, good, site);
}

SHIM void cz_s_index(const void *array, wire_label label, uint64_t index, uint64_t count,
                     uint32_t site)
{
    if (UNLIKELY(label | (index >= count)))
        czrt_index(array, label, index, count, site);
}

SHIM void cz_s_call_site(uint32_t site)
{
    czrt_call_site = site;
}

SHIM void cz_s_fault(uint32_t fault, uint32_t site)
{
    czrt_fault(fault, site, 0);
}

// ---- frames ----

SHIM void cz_s_alloca(uint64_t size, wire_label label, uint32_t site)
{
    czrt_alloca(size, label, site);
}

SHIM uint32_t cz_s_frame_enter(void)
{
    return czrt_object_mark();
}
SHIM void cz_s_frame_leave(uint32_t mark)
{
    czrt_object_pop(mark);
}

SHIM void *cz_s_local_at(void *room, uint64_t front)
{
    return (char *)room + front;
}

SHIM void cz_s_local(void *p, uint64_t size, uint64_t padded)
{
    czrt_shadow_fill((char *)p - CZRT_FRONT_ZONE, WIRE_POISON, CZRT_FRONT_ZONE);
    czrt_shadow_fill(p, 0, size);
    czrt_shadow_fill((char *)p + size, WIRE_POISON, padded - size);
    czrt_object_push(p, size);
}

SHIM void cz_s_local_dead(void *p, uint64_t size, uint32_t mark)
{
    czrt_local_dead(p, size, mark);
}

SHIM void cz_s_local_alive(void *p, uint64_t size, bool is_filled)
{
    czrt_local_alive(p, size, is_filled);
}

SHIM void cz_s_local_end(void *p, uint64_t size, uint64_t padded)
{
    czrt_shadow_fill((char *)p - CZRT_FRONT_ZONE, 0, CZRT_FRONT_ZONE);
    czrt_shadow_fill((char *)p + size, 0, padded - size);
}
