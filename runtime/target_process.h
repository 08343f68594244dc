// SPDX-License-Identifier: Apache-2.0
// What the files of the runtime's process side share: the memory layout, the run
// in progress and how it is left, and the steps of a reset. See runtime.h for what
// the symbolic core and the process side promise each other.
#ifndef CZRT_TARGET_PROCESS_H
#define CZRT_TARGET_PROCESS_H

#include "runtime.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <ucontext.h>

// Fixed addresses, so that a run sees the same pointers in every process. Modulo
// 2^44 (see CZRT_SHADOW) they differ from where the kernel puts the program (0x55..,
// 0x56..) and the libraries (0x7f..). A 32-bit process has its program at HW_IMAGE (see
// wire/devices.h), registers where the device has them, libraries and the first stack at
// the top. The heap is in abi.h.
#if UINTPTR_MAX > UINT32_MAX
#define CZRT_STACK_BASE   0x620000000000ull
#define CZRT_STACK_SIZE   (8ull << 20)
#define CZRT_STACK_GUARD  (1ull << 20)
#define CZRT_STACK_REACH  (1ull << 30) // a very large frame ends so far below
#define CZRT_MAX_BLOCKS   (1u << 24)   // of the heap, in one run
#define CZRT_WIRE_ADDRESS NULL         // anywhere
#else
#define CZRT_STACK_BASE   0x6c000000u
#define CZRT_STACK_SIZE   (8u << 20)
#define CZRT_STACK_GUARD  (1u << 20)
#define CZRT_STACK_REACH  (32u << 20)
#define CZRT_MAX_BLOCKS   (1u << 20)
#define CZRT_WIRE_ADDRESS ((void *)0x70000000u)
#define CZRT_POOL_BASE    0x90000000u // of shadows
#define CZRT_POOL_ROOM    0x50000000u
#endif

// ---- zones.c: the shadow ----
void czrt_shadow_init(void);       // first of all
bool czrt_is_private(uintptr_t p); // the pool, or shared with the engine; 32 bits
void czrt_shadow_forget(const void *memory, uint64_t size); // many bytes, page by page

// ---- target_process.c: one run ----

// How the current run ends; the fields go to struct wire_run.
struct czrt_outcome {
    uint32_t status, fault, fault_site, exit_code;
    uint64_t fault_address;
    uint32_t fault_shape, fault_place; // see struct wire_run
};
extern struct czrt_outcome czrt_outcome;
extern sigjmp_buf czrt_escape;     // of the run in progress
extern volatile bool czrt_running; // czrt_escape is valid
extern bool czrt_concolic;         // the run makes inputs symbolic
extern bool czrt_distrust;         // libc's or our own state may be broken: fork from now on
extern int czrt_diagnostics;       // descriptor for messages of our own
extern uint64_t czrt_heap_budget;  // of the current run

// End the run with czrt_outcome, which the caller has filled.
_Noreturn void czrt_leave(void);

// Run the batch that czrt_wire describes. Must be on the unit's stack.
void czrt_batch(void);

// Argument number `argument` of the replacement that instrumented code has called
// depends on inputs: this run has this value, others may ask for another. The label is
// taken away, so that inner calls do not see it again.
static inline void czrt_pin_argument(unsigned argument, uint64_t value)
{
    wire_label label = czrt_args[argument];
    czrt_args[argument] = 0;
    if (label && czrt_concolic)
        czrt_pin(0, label, value);
}

// ---- target_main.c ----
extern const bool czrt_is_target; // weak elsewhere: absent in a program with its own main

// ---- inputs.c ----
void czrt_inputs_init(void);
void czrt_inputs_begin_run(struct wire_run *run, const uint8_t *bytes);
void czrt_inputs_end_run(struct wire_run *run);
void czrt_inputs_end_dead_run(struct wire_run *run); // of a child that was killed
uint64_t czrt_inputs_asked(void);                    // grows when the run asks for an input
// Does the next call of this function, of an allocation mostly, fail? Asks for an input and records
// the answer as a branch.
bool czrt_allocation_fails(const char *function);
void czrt_never_refuse(void); // allocations of this run succeed
#define CZRT_SITE_ALLOCATION 0x3ffffff0u
// The place of the next read of a register or volatile variable: "name#1", "name#2" ...;
// `once`: just "name".
unsigned czrt_next_read(const char *name, bool once);
bool czrt_was_asked(unsigned at); // in this run
// The root for a name that the code under test chooses, e.g. "env:" and HOME.
unsigned czrt_root_named(const char *prefix, const char *name, unsigned number);
void czrt_inputs_adopt(void); // learn the places that a forked child has added

// ---- assume.c ----
void czrt_assume_begin_run(void);
void czrt_assume_end_run(struct wire_run *run);
void czrt_made(const void *object, uint64_t size, uint32_t place); // an object of the driver
uint32_t czrt_place_of(uintptr_t base);                            // of such an object, or 0
bool czrt_is_assuming(void); // the condition of an assumption is being evaluated

// ---- heap.c ----
void czrt_heap_init(void);
void czrt_heap_reset(void); // free everything, clear what was used and its shadow
bool czrt_heap_owns(const void *address);
const struct czrt_object *czrt_heap_find(uintptr_t address);
bool czrt_heap_is_freed(uintptr_t address);
// The block that an address just outside of it was probably meant for, or NULL.
const struct czrt_object *czrt_heap_nearest(uintptr_t address);
void *czrt_heap_new(uint64_t size, bool bounded);
void *czrt_allocate(size_t size); // malloc that only fails for lack of memory

// ---- objects.c ----
void czrt_objects_init(void);
void czrt_objects_reset(void);
void czrt_addresses_reset(void); // addresses.c: an object is gone
// An object of the runtime itself that instrumented code reads, e.g. a table.
void czrt_object_add_const(const void *address, uint64_t size);
void czrt_objects_unguard(void);     // before a longjmp: forget the red zones of locals
uintptr_t czrt_objects_lowest(void); // of the locals pushed in this run

// ---- reach.c: objects that addresses are far inside of ----
void czrt_reach_forget(void); // an object is gone
// A fault if the address is behind the end of the object on the heap that its base is in.
void czrt_reach_check(const void *base, const void *address, uint32_t site);

// ---- reset.c ----
void czrt_reset_init(void);
// Call from a frame above the unit's; `top` is the end of the stack that it used.
void czrt_reset(uintptr_t top);
void czrt_zero(uintptr_t from, uintptr_t to, bool and_shadow);
bool czrt_is_program_data(const void *address);

// ---- registers.c ----
void czrt_registers_init(void);
void czrt_registers_reset(void);

// ---- run_end.c ----
void czrt_faults_init(void);
void czrt_faults_reset(void);
_Noreturn void czrt_end_by_steps(uint32_t site);
// WIRE_FAULT_BOUNDS at an address that belongs to the object, wherever it lies.
_Noreturn void czrt_fault_beyond(const struct czrt_object *object, uint32_t site,
                                 const void *address);
_Noreturn void
czrt_end_at_bound(void); // WIRE_STEPS with exit code 1: at an array of unknown length
_Noreturn void czrt__exit(int code);
_Noreturn void czrt_abort(void);

// ---- recursion.c ----
// The site of the function that fills the stack, 0 when not known.
uint32_t czrt_recursion_site(const ucontext_t *context);

// ---- endless.c ----
void czrt_endless_begin_run(void);
bool czrt_endless_watched(void); // the run has used up its steps, and went on

// ---- reset.c, heap.c: for comparing states ----
void czrt_data_range(const char **from, size_t *size);
uintptr_t czrt_heap_top(void);

// ---- threads.c ----
void czrt_threads_reset(void);

// ---- signals.c ----
void czrt_signals_reset(void);

// ---- format.c ----
// Notes when labels among what printf is given are lost. `from_list`: the arguments
// came as a va_list of instrumented code.
void czrt_note_output(const char *format, va_list arguments, bool from_list);
bool czrt_output_has_labels(const char *format, va_list arguments, bool from_list);
int czrt_print_new(char **to, const char *format, va_list arguments);

// ---- ctype_tables.c ----
void czrt_ctype_init(void);

#endif
