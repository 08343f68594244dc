// SPDX-License-Identifier: Apache-2.0
// What instrumented code calls: the slow paths behind the always-inline shims of
// runtime/shim.c, and the state that the fast paths touch directly. Labels are
// wire_label; "site" is a stable number of a place in the code.
//
// Shadow. The label of byte p is *CZRT_SHADOW(p). Everything below
// CZRT_SHADOW_END belongs to the shadow or to nobody, so a pointer below it is bad.
#ifndef CZRT_ABI_H
#define CZRT_ABI_H

#include "../wire/wire.h"
#include <stddef.h>
#include <stdint.h>

#define CZRT_SHADOW_MASK 0x0fffffffffffull
#define CZRT_SHADOW(p) ((wire_label *)((((uintptr_t)(p)) & CZRT_SHADOW_MASK) << 2))
#define CZRT_SHADOW_END 0x400000000000ull
#define CZRT_MAX_ARGS 64

// Labels of arguments and results. A callee trusts czrt_args only if czrt_callee is
// its own address (a callback from uninstrumented code reads 0).
extern wire_label czrt_args[CZRT_MAX_ARGS];
extern const void *czrt_arg_memory[CZRT_MAX_ARGS]; // source of byval arguments
extern const char *czrt_arg_classes;               // varargs: 'i' integer/pointer, 'd' double, ...
extern const void *czrt_callee;
extern wire_label czrt_ret;        // label of the last scalar result
extern wire_label czrt_ret_bytes[64]; // labels of a struct result, per byte
extern uint32_t czrt_ret_count;    // valid entries of czrt_ret_bytes
extern int64_t czrt_steps_left;    // counted down at loop back edges and function entries

// Defined by the instrumented unit.
extern uint8_t czrt_goal_hits[];        // [2 * branch id + outcome]
extern const uint32_t czrt_goal_count;

// Expressions. A constant operand has label 0 and its value in x / y.
wire_label czrt_binary(uint32_t op, uint32_t width, wire_label a, wire_label b, uint64_t x, uint64_t y);
wire_label czrt_binary128(uint32_t op, wire_label a, wire_label b, uint64_t x_low, uint64_t x_high,
                          uint64_t y_low, uint64_t y_high);
wire_label czrt_unary(uint32_t op, uint32_t width, wire_label a, uint64_t x); // casts, extract, float
wire_label czrt_ite(uint32_t width, wire_label c, wire_label a, wire_label b, uint64_t x, uint64_t y);

// Memory. czrt_load: label of the n <= 16 bytes at address (some byte has a label;
// WIRE_POISON there is a fault). base is the root of the address computation.
wire_label czrt_load(const void *address, uint32_t n, uint32_t site);
void czrt_store(void *address, uint32_t n, wire_label label, uint32_t site);
wire_label czrt_load_symbolic(const void *base, const void *address, wire_label address_label,
                              uint32_t n, uint32_t site);
void czrt_store_symbolic(const void *base, void *address, wire_label address_label, uint32_t n,
                         wire_label label, uint32_t site);
void czrt_shadow_move(void *to, const void *from, uint64_t n);
void czrt_shadow_fill(void *to, wire_label byte_label, uint64_t n);

// Decisions. Called only when label != 0 (the fast path marks czrt_goal_hits).
void czrt_cond(uint32_t branch, uint32_t taken, wire_label label);
void czrt_branch(uint32_t site, uint32_t taken, wire_label label);
// The table of a wrapped switch, sorted by low; ends with the default.
struct czrt_case { int64_t low, high; uint32_t branch, pad; };
struct czrt_switch { uint32_t id, count, default_branch, is_signed; const struct czrt_case *cases; };
void czrt_switch_taken(const struct czrt_switch *table, uint64_t value, wire_label label);
void czrt_vector(uint32_t decision, uint64_t evaluated, uint64_t values);

// Checks and faults.
void czrt_check(uint32_t site, uint32_t fault, uint32_t safe, wire_label safe_label);
_Noreturn void czrt_fault(uint32_t fault, uint32_t site, const void *address);
_Noreturn void czrt_out_of_steps(void);

// A symbolic value is made concrete: with a record that lets the engine ask for
// other values (pin), or without (loss).
void czrt_pin(uint32_t site, wire_label label, uint64_t value);
void czrt_loss(uint32_t loss); // enum wire_loss

// Objects with bounds: globals (registered once by the unit), heap, driver objects,
// address-taken locals (pushed and popped with the frame).
void czrt_object_push(const void *address, uint64_t size);
uint32_t czrt_object_mark(void);
void czrt_object_pop(uint32_t mark);
struct czrt_global { const void *address; uint64_t size; uint32_t is_const, pad; };
extern const struct czrt_global czrt_globals[]; // of the unit; mutable data is in section cz_data
extern const uint32_t czrt_global_count;

#endif
