// SPDX-License-Identifier: Apache-2.0
// What instrumented code calls: the slow paths behind the always-inline shims of
// runtime/shim.c, and the state that the fast paths touch directly. Labels are
// wire_label; "site" is a stable number of a place in the code.
//
// Shadow. The label of byte p is *CZRT_SHADOW(p). In a 64-bit process everything below
// CZRT_SHADOW_END belongs to the shadow or to nobody, so a pointer below it is bad. A 32-bit
// process has no room for the shadow of all addresses: zones of 4 MB have one when something
// is there (zones.c), and a pointer into a zone without is bad, or a look at the zone is due.
// WIRE_POISON marks bytes that belong to no object: red zones behind globals and
// locals, freed memory; WIRE_ENDED and WIRE_RETURNED mark locals after their scope and after
// their function, if their address may be known elsewhere. Whoever clears shadow between runs keeps
// the globals' red zones.
#ifndef CZRT_ABI_H
#define CZRT_ABI_H

#include "../wire/wire.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if UINTPTR_MAX > UINT32_MAX
#define CZRT_SHADOW_MASK 0x0fffffffffffull
#define CZRT_SHADOW(p)   ((wire_label *)((((uintptr_t)(p)) & CZRT_SHADOW_MASK) << 2))
#define CZRT_SHADOW_END  0x400000000000ull
#define CZRT_IS_WILD(p)  ((uintptr_t)(p) < CZRT_SHADOW_END)
#define CZRT_HEAP_BASE   0x610000000000ull // see target_process.h
#define CZRT_HEAP_ROOM   (64ull << 30)
#define CZRT_PIECE(p, n) (n) // so many of n bytes have their shadow in one piece
#else
#define CZRT_HEAP_BASE 0x60000000u // see target_process.h
#define CZRT_HEAP_ROOM (128u << 20)
#define CZRT_ZONE_BITS 22
#define CZRT_ZONES     1024
extern wire_label *czrt_zones[CZRT_ZONES]; // NULL: no shadow
#ifdef CZRT_SHIM
#define CZRT_SHADOW(p)                                                                             \
    (czrt_zones[(uintptr_t)(p) >> CZRT_ZONE_BITS] + ((uintptr_t)(p) & ((1u << CZRT_ZONE_BITS) - 1)))
#define CZRT_IS_WILD(p) (!czrt_zones[(uintptr_t)(p) >> CZRT_ZONE_BITS])
#else
wire_label *czrt_shadow_of(uintptr_t p); // makes one where there is none
bool czrt_is_wild(uintptr_t p);
#define CZRT_SHADOW(p)   czrt_shadow_of((uintptr_t)(p))
#define CZRT_IS_WILD(p)  czrt_is_wild((uintptr_t)(p))
#define CZRT_PIECE(p, n) czrt_shadow_piece((uintptr_t)(p), n)
uint64_t czrt_shadow_piece(uintptr_t p, uint64_t n);
#endif
#endif
#define CZRT_POINTER_BITS (8 * (uint32_t)sizeof(void *))
#define CZRT_OPEN_ZONE    4096 // bytes behind an array of unknown length, at least
#define CZRT_FRONT_ZONE   16   // bytes of the red zone in front of a local
#define CZRT_MAX_ARGS     1024 // slots of a call; what has none counts as WIRE_LOSS_ARGUMENTS
#define CZRT_MAX_PARTS    32   // scalar parts of a struct or vector that is passed as a value

// Labels of arguments and results. Every scalar argument has one slot (a struct or
// vector passed as a value one per scalar part). A callee trusts czrt_args only if
// czrt_callee is its own address (a callback from uninstrumented code reads 0).
// Functions of the runtime that instrumented code calls (czrt_<libc name>, cz_*) may
// read czrt_args directly and leave the label of their result in czrt_ret, which is 0
// when they are entered.
extern wire_label czrt_args[CZRT_MAX_ARGS];
extern const void *czrt_arg_memory[CZRT_MAX_ARGS]; // source of byval arguments
extern const uint32_t *czrt_arg_classes; // of a variadic call: one CZRT_CLASS per argument, 0 ends
extern uint32_t czrt_arg_slots;          // ... and how many slots it has filled
extern const void *czrt_callee;
extern const void *czrt_returned; // the function that set czrt_ret; for indirect calls
extern wire_label czrt_ret;       // label of the last scalar result
extern wire_label czrt_ret_parts[CZRT_MAX_PARTS]; // of a struct or vector result
extern uint32_t czrt_ret_count;                   // valid entries of czrt_ret_parts
extern int64_t czrt_steps_left; // counted down at loop headers and function entries
extern uint32_t czrt_trace;     // WIRE_TRACE_ALL: record concrete conditions too

// Class of a variadic argument: kind, for 'm' size and alignment, for 'v' size and parts.
// 'i' general register, 'w' two of them (__int128), 'd' vector register with one part,
// 'v' vector register with several parts, 'x' x87, 'm' struct in memory.
#define CZRT_CLASS(kind, size, align)                                                              \
    ((uint32_t)(kind) | (uint32_t)(align) << 8 | (uint32_t)(size) << 16)

// Defined by the instrumented unit (not by models): weak for everybody else.
extern uint8_t czrt_goal_hits[] __attribute__((weak)); // [2 * branch id + outcome]
extern const uint32_t czrt_goal_count __attribute__((weak));

// Building an expression twice gives the same label, so for the optimiser these are
// functions of their arguments alone: unused ones vanish, and nothing in memory changes.
// Only for instrumented code, which never sees the node area being emptied.
#ifdef CZRT_SHIM
#define CZRT_EXPRESSION __attribute__((const, nothrow))
#else
#define CZRT_EXPRESSION
#endif

// Expressions. A constant operand has label 0 and its value in x / y. czrt_binary also
// takes the comparisons; width is the operands' width, the node's is 1 then.
CZRT_EXPRESSION wire_label czrt_binary(uint32_t op, uint32_t width, wire_label a, wire_label b,
                                       uint64_t x, uint64_t y);
CZRT_EXPRESSION wire_label czrt_binary128(uint32_t op, wire_label a, wire_label b, uint64_t x_low,
                                          uint64_t x_high, uint64_t y_low, uint64_t y_high);
CZRT_EXPRESSION wire_label czrt_unary(uint32_t op, uint32_t width, wire_label a,
                                      uint64_t x); // casts, extract, float
CZRT_EXPRESSION wire_label czrt_ite(uint32_t width, wire_label c, wire_label a, wire_label b,
                                    uint64_t x, uint64_t y);
CZRT_EXPRESSION wire_label czrt_fit(wire_label label,
                                    uint32_t width); // same value in another width
CZRT_EXPRESSION wire_label czrt_count_bits(uint32_t kind, uint32_t width, wire_label a,
                                           uint64_t x); // 'p' 'l' 't'
CZRT_EXPRESSION wire_label czrt_byte_swap(uint32_t width, wire_label a);
// Did the signed ('s') or unsigned ('u') operation overflow? 1 bit.
CZRT_EXPRESSION wire_label czrt_overflow(uint32_t op, uint32_t sign, uint32_t width, wire_label a,
                                         wire_label b, uint64_t x, uint64_t y);

// Uninitialised values (uninit.c). Each has the label of a BOUND node of its width, whose value
// is 0; all bytes of memory that is not initialised have the one of eight bits. Nodes of the
// usual widths are reserved: code and runtime name them as constants. They are made in runs
// with labels only: czrt_uninit_mask is 0 in the others.
#define CZRT_BOUND_NODES  (2 * WIRE_LOSS_COUNT)
#define CZRT_UNINIT_NODE  (1u + 2 * WIRE_LOSS_UNINIT) // of 8 bits, behind it that of a pointer
#define CZRT_UNINIT_MORE  (1u + CZRT_BOUND_NODES)     // the first of those of other widths
#define CZRT_UNINIT_COUNT 3u
#define CZRT_UNINIT_BYTE  WIRE_LABEL(CZRT_UNINIT_NODE)
extern wire_label czrt_uninit_mask;
// The reserved label for a width of 8, 16, 32, 64 or 128 bits, else 0.
static inline wire_label czrt_uninit_reserved(uint32_t width)
{
    switch (width) {
    case 8: return CZRT_UNINIT_BYTE;
    case 16: return WIRE_LABEL(CZRT_UNINIT_MORE);
    case 128: return WIRE_LABEL(CZRT_UNINIT_MORE + 1);
    case 32:
    case 64:
        return WIRE_LABEL(width == CZRT_POINTER_BITS ? CZRT_UNINIT_NODE + 1 : CZRT_UNINIT_MORE + 2);
    default: return 0;
    }
}
// The value decides something: a loss and an alarm if bits of it are uninitialised.
void czrt_uninit_use(wire_label label, uint32_t site);
void czrt_uninit_fill(void *to, uint64_t n); // what is there is uninitialised, and zero
// Code without labels may have written behind the pointer: what is there is initialised. A
// loss when it was not (WIRE_LOSS_COUNT: none).
void czrt_uninit_written(const void *pointer, uint32_t loss);

// Memory. czrt_load: label of the n <= 16 bytes at address (some byte has a label;
// WIRE_POISON there is a fault). base is the root of the address computation.
// The constants of an access are a struct, so that a slow path costs few instructions.
struct czrt_access {
    uint32_t site;
    uint8_t bytes, checks; // checks: enum czrt_access_check
    uint16_t pad;
    uint64_t size;  // of the base, for CZRT_CHECK_SIZE
    int64_t offset; // to add to the address label
};
enum czrt_access_check {
    CZRT_CHECK_NULL = 1,
    CZRT_CHECK_SIZE = 2,
    CZRT_CHECK_POISON = 4,
    CZRT_CHECK_REACH = 8, // the address may be further from its base than a red zone is wide
};
// Objects that addresses were far inside of (reach.c), by the base of the address computation.
#define CZRT_REACH   32 // bytes; the heap's red zones are wider
#define CZRT_REACHED 16
#define CZRT_REACH_OF(base)                                                                        \
    (&czrt_reached[((uintptr_t)(base) >> 4 ^ (uintptr_t)(base) >> 12) % CZRT_REACHED])
struct czrt_reach {
    uintptr_t base;        // 0: none
    uintptr_t start, size; // of its object
};
extern struct czrt_reach czrt_reached[CZRT_REACHED];
// A pointer is made for others to use. If it leads beyond an object that --elements sizes, that is
// counted.
void czrt_form(const void *base, const void *pointer);
// What the fast path found suspicious: a symbolic address (its label plus offset), a failing check,
// a label.
wire_label czrt_load_slow(const void *base, const void *address, wire_label address_label,
                          const struct czrt_access *access);
void czrt_store_slow(const void *base, void *address, wire_label address_label, wire_label label,
                     const struct czrt_access *access);
wire_label czrt_load(const void *address, uint32_t n, uint32_t site);
void czrt_store(void *address, uint32_t n, wire_label label, uint32_t site);
wire_label czrt_load_symbolic(const void *base, const void *address, wire_label address_label,
                              uint32_t n, uint32_t site);
bool czrt_pin_pointer(wire_label label, const void *address, uint32_t site);
void czrt_store_symbolic(const void *base, void *address, wire_label address_label, uint32_t n,
                         wire_label label, uint32_t site);
void czrt_shadow_move(void *to, const void *from, uint64_t n);
void czrt_shadow_fill(void *to, wire_label byte_label, uint64_t n);
// Before a block operation over n bytes at p: checks, and pins what is symbolic.
void czrt_range(const void *base, const void *p, wire_label p_label, uint64_t n, wire_label n_label,
                uint32_t site);

// Variadic functions: save what the caller left at entry, spread it at va_start.
struct czrt_varargs {
    const uint32_t *classes; // NULL: the caller is not instrumented
    uint32_t count, pad;
    struct {
        const void *memory;
        wire_label label;
    } slots[];
};
uint64_t czrt_varargs_size(const void *self);
void czrt_varargs_save(struct czrt_varargs *save, const void *self);
void czrt_varargs_start(void *list, const struct czrt_varargs *save, uint32_t fixed_args);

// Decisions. The fast path marks czrt_goal_hits and calls these when label != 0
// (or czrt_trace is set).
void czrt_cond(uint32_t branch, uint32_t taken, wire_label label, uint32_t site);
void czrt_branch(uint32_t site, uint32_t taken, wire_label label);
void czrt_switch(uint32_t id, uint32_t branch, uint64_t value, wire_label label, uint32_t site);
// A switch without a hook: the comparisons with its cases up to the one that is taken.
void czrt_switch_plain(uint32_t site, uint32_t width, uint64_t value, wire_label label,
                       const uint64_t *cases, uint32_t count);
void czrt_vector(uint32_t decision, uint64_t evaluated, uint64_t values);

// Checks and faults.
void czrt_check(uint32_t site, uint32_t fault, uint32_t safe, wire_label safe_label);
void czrt_division(uint32_t is_signed, uint32_t width, wire_label a, wire_label b, uint64_t x,
                   uint64_t y, uint32_t site);
// Checks after which the run goes on (faults.def: SOFT).
void czrt_shift(uint32_t width, wire_label count_label, uint64_t count, uint32_t site);
void czrt_signed_overflow(uint32_t op, uint32_t width, wire_label a, wire_label b, uint64_t x,
                          uint64_t y, uint32_t overflows, uint32_t site);
void czrt_conversion(uint32_t is_signed, uint32_t width, uint32_t from, wire_label label,
                     uint32_t fits, uint32_t site);
void czrt_index(const void *array, wire_label label, uint64_t index, uint64_t count, uint32_t site);
_Noreturn void czrt_fault(uint32_t fault, uint32_t site, const void *address);
void czrt_alloca(uint64_t size, wire_label label,
                 uint32_t site);       // before it: is there room on the stack?
void czrt_out_of_steps(uint32_t site); // comes back while it is watched, see endless.c
// Where the unit called libc last; sites of libc models begin at CZRT_MODEL_SITES.
extern uint32_t czrt_call_site;
#define CZRT_MODEL_SITES 0x40000000u
// Functions of the unit (in section cz_code) are the entries of section cz_functions.
struct czrt_function {
    const void *address;
    uint32_t site, pad;
};
extern const struct czrt_function __start_cz_functions[]
    __attribute__((weak, visibility("hidden")));
extern const struct czrt_function __stop_cz_functions[] __attribute__((weak, visibility("hidden")));

// A symbolic value is made concrete: with a record that lets the engine ask for
// other values (pin), or without (loss).
void czrt_pin(uint32_t site, wire_label label, uint64_t value);
void czrt_loss(uint32_t loss); // enum wire_loss

// State that the C library's functions depend on (the last column of wire/libc.def), and the
// loss that looking at a result counts. `czrt_doubt` gives the label of such a result.
enum czrt_state {
    CZRT_STATE_NONE,
    CZRT_STATE_INPUTS,
    CZRT_STATE_START,
    CZRT_STATE_HIDDEN,
    CZRT_STATE_LOCALE,
    CZRT_STATE_SYSTEM,
    CZRT_STATE_WORLD,
};
void czrt_state(uint32_t state);
wire_label czrt_doubt(uint32_t state, wire_label label, uint32_t width, uint64_t value);
// Around a call of code without instrumentation: errno loses its label when that sets it.
void czrt_errno_hide(void);
void czrt_errno_show(void);
void czrt_note_format(const char *format); // of what the real printf prints
void czrt_errno_doubt(void); // after a call of the system, which may set it though it succeeds

// Addresses as numbers (addresses.c). Two pointers that differ, none of them NULL, are compared;
// the label of one that is converted to an integer, of the distance of two, and of an integer that
// is converted to a pointer again.
void czrt_compare_pointers(const void *first, const void *second, bool by_order);
wire_label czrt_number_label(uint64_t address); // of an address that is a number already
wire_label czrt_pointer_number(const void *pointer);
wire_label czrt_pointer_distance(const void *first, const void *second);
wire_label czrt_number_pointer(wire_label label);

// Objects with bounds: globals, heap, driver objects, address-taken locals (pushed
// and popped with the frame).
void czrt_local_dead(void *local, uint64_t size, uint32_t mark); // WIRE_ENDED or WIRE_RETURNED
void czrt_local_alive(void *local, uint64_t size,
                      bool is_filled); // its scope begins; all is written next
void czrt_object_push(const void *address, uint64_t size);
uint32_t czrt_object_mark(void);
void czrt_object_pop(uint32_t mark);
// Globals of all instrumented objects are the entries of section cz_globals. Bytes
// size .. padded_size - 1 are a red zone. Mutable data is in section cz_data.
struct czrt_global {
    const void *address;
    uint64_t size, padded_size;
    uint32_t is_const, is_open;
};
extern const struct czrt_global __start_cz_globals[] __attribute__((weak, visibility("hidden")));
extern const struct czrt_global __stop_cz_globals[] __attribute__((weak, visibility("hidden")));

#endif
