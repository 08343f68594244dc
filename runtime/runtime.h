// SPDX-License-Identifier: Apache-2.0
// What the runtime's own files share; instrumented code sees only abi.h. Two
// halves: the symbolic core (nodes.c, shadow.c, symaddr.c, run_records.c, varargs.c)
// builds expressions and records; the process side (target_main.c, inputs.c, heap.c,
// objects.c, run_end.c, own_signals.c) runs inputs and owns the process. All state is
// per process and reset between runs; nothing here is thread-safe.
#ifndef CZRT_RUNTIME_H
#define CZRT_RUNTIME_H

#include "abi.h"
#include <stdbool.h>

// ---- Process side, used by the core ----

// The mapping shared with the engine, or an anonymous one of the same layout in a
// program that runs without an engine. Defined in target_main.c and mapped by its
// constructor (priority 101), together with the shadow, before any instrumented
// code runs; czrt_core_init() must be called right after.
extern struct wire_header *czrt_wire;

// No object is that large.
#define CZRT_MOST_BYTES (UINTPTR_MAX > UINT32_MAX ? 0x400000000000ull : 0x80000000ull)

struct czrt_object {
    uintptr_t base;
    uint64_t size;
    uint32_t id;   // stable within a run
    bool is_const; // never written: constant global
    bool bounded;  // its size comes from --elements: a fault at its end is a WIRE_LOSS_ELEMENTS
    bool open; // nothing says how large it is: beyond its end the run cannot go on, without fault
};

// The live object that contains the address (or whose end it is), or NULL.
const struct czrt_object *czrt_object_find(const void *address);

// The run ends, at a bound of the driver, if the object is an open one or the address behind one.
void czrt_end_if_open(const struct czrt_object *object, const void *address);

// ---- Core, used by the process side ----

// A fault unless the byte may be used. For code that looks at the shadow itself.
void czrt_check_poison(const void *address, uint32_t site);

// Take the areas of czrt_wire into use. Call once, after czrt_wire is mapped.
void czrt_core_init(void);

// Empty the node, snapshot, byte and label areas (not the records of runs that
// are already answered). Call before a batch unless WIRE_KEEP_NODES.
void czrt_expr_reset(void);

// A run's records, vectors and hits. begin clears czrt_losses, czrt_ret and the
// argument labels and sets first_record and first_vector; end fills the counts,
// the hits (then clears czrt_goal_hits) and run->losses. Also call end after a fault.
void czrt_record_begin_run(struct wire_run *run);
void czrt_record_end_run(struct wire_run *run);
// The rest of the run is concrete and leaves no records.
void czrt_record_stop(void);

// Labels for the driver's inputs: the whole value of `bits` bits (1..128) at a byte
// offset of the input vector. Byte k of the value has label + k. The value is little
// endian in ceil(bits / 8) bytes; for bits that are no multiple of 8 the label is the
// low part of those bytes (so the bits above are not inputs).
wire_label czrt_input_label(uint32_t offset, uint32_t bits);
// A value that is fixed by a bound (see wire_loss), so that uses of it are seen: an
// operation on it, or an access through it, counts the loss. The first nodes are
// reserved for these, which makes the test one comparison.
wire_label czrt_bound_label(uint32_t loss, uint32_t width); // 8 bits, or a pointer's
// NULL, because the shape input at this offset says so.
wire_label czrt_absent_label(uint32_t offset);
void czrt_count_bound(wire_label label);
extern struct wire_node *czrt_nodes;
static inline void czrt_note_use(wire_label label)
{
    if (label && czrt_nodes[WIRE_NODE(label)].op == WIRE_BOUND)
        czrt_count_bound(label);
}

// The address of an object as a number: concrete, but what is decided by it depends on where
// objects lie (WIRE_LOSS_ADDRESS).
wire_label czrt_address_label(uint64_t address);
wire_label czrt_without_address(wire_label label); // 0 if it depends on no input
wire_label czrt_decided(wire_label label);         // the same, and counts the loss

// A check after which the run goes on: recorded, and noted if it is violated.
void czrt_check_soft(uint32_t fault, uint32_t site, bool safe, wire_label label);

// ---- extents.c: buffers that come with a length (cz_extent) ----
// Bytes at p are poisoned. True: they are in such a buffer and have their labels now; using
// more than the length allows is noted. False: they are outside of any object.
bool czrt_extent_use(const void *p, uint64_t n, uint32_t site);
// The same for an address in the object, or a number of bytes, that depends on inputs. The
// object stays poisoned.
void czrt_extent_use_symbolic(const struct czrt_object *object, const void *p, wire_label label,
                              uint32_t n, uint32_t site);
void czrt_extent_use_range(const void *p, uint64_t n, wire_label n_label, uint32_t site);
// For code that reads labels itself: between open and close they are in the shadow of the
// object at p. forget: from now on all of it may be used.
void czrt_extent_open(const void *p);
void czrt_extent_close(const void *p);
void czrt_extent_forget(const void *p);
void czrt_extents_reset(void);

// ---- uninit.c ----
// The bits of the value that are not initialised (of more than 64: all or none).
uint64_t czrt_uninit_bits(wire_label label);
wire_label czrt_uninit_label(uint32_t width);
bool czrt_is_uninitialised(wire_label label); // a byte's label in the shadow
extern uint32_t czrt_first_uninit;    // no node before this one depends on an uninitialised value
void czrt_uninit_node(uint32_t node); // a new one does, or may
void czrt_uninit_reset(void);         // the node area is emptied
static inline bool czrt_is_uninit_node(uint32_t node)
{
    return node - CZRT_UNINIT_NODE < 2 || node - CZRT_UNINIT_MORE < CZRT_UNINIT_COUNT;
}
static inline bool czrt_maybe_uninit(wire_label label)
{
    return WIRE_NODE(label) >= czrt_first_uninit || czrt_is_uninit_node(WIRE_NODE(label));
}
static inline void czrt_note_decision(wire_label label, uint32_t site)
{
    if (label && czrt_maybe_uninit(label))
        czrt_uninit_use(label, site);
}

// Shape inputs: asked for (the branch on it comes next); found absent (false: its branch
// is not recorded); and the NULL was looked at.
void czrt_shape_asked(uint32_t offset);
bool czrt_shape_absent(uint32_t offset);
void czrt_shape_used(uint32_t offset);
void czrt_shapes_wake(void);    // code without labels looked at a NULL, any of them
uint32_t czrt_last_shape(void); // whose NULL was looked at last: its offset plus one, or 0

// An assumption's predicate; and which decision is to blame for one that does not depend
// on inputs itself (WIRE_ASSUMED).
void czrt_record_assumption(uint32_t site, uint32_t holds, wire_label label);
void czrt_blame_last(void);

// Widen or narrow a label (zero or sign extension): for results like cz_sbits.
wire_label czrt_extend(wire_label label, uint32_t width, bool is_signed);
uint32_t czrt_width(wire_label label); // of the node, in bits

extern uint32_t czrt_losses[WIRE_LOSS_COUNT]; // of the current run; run_records.c

// ---- checks.c ----
// The site of what goes wrong in a function of ours or in a libc model: the unit's call.
uint32_t czrt_place(uint32_t site);
void czrt_note_soft(uint32_t fault, uint32_t site);
void czrt_checks_begin_run(void);
void czrt_checks_end_run(struct wire_run *run);

// ---- Inside the core ----

wire_label czrt_node(uint32_t op, uint32_t width, wire_label a, wire_label b, uint64_t x,
                     uint64_t y);
wire_label czrt_constant(uint32_t width, uint64_t low, uint64_t high); // a CONST node
// Label of n <= 16 bytes with these labels; concrete ones have the values in `bytes`.
wire_label czrt_join_bytes(const wire_label *labels, const uint8_t *bytes, uint32_t n);
void czrt_symaddr_reset(void);                 // forget cached snapshots
bool czrt_is_repeated_check(wire_label label); // the run has recorded that this holds
// Append a record of the current run unless the area is full (then WIRE_LOSS_NODES).
void czrt_record(uint32_t kind, uint32_t site, uint32_t check, wire_label label, uint32_t outcome,
                 uint64_t value);

#endif
