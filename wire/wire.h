// SPDX-License-Identifier: Apache-2.0
// The contract between a target (a user's unit, instrumented and linked with
// runtime/) and the engine. Both map one shared memory file; the engine writes a
// request (a batch of inputs) and a number into a pipe, the target runs the batch
// and answers with that number. Everything here is plain data without pointers.
//
// Inputs. A target's inputs are places in a tree of access paths ("arg:list",
// "arg:list->next", "stub:get_rpm#2:return"). The target adds a place to the place
// table the first time a driver asks for it and gives every leaf a fixed range of
// bytes in the input vector. Places are never moved or reused during the life of a
// target, so an input vector means the same in every run; bytes beyond a given
// vector's end are zero.
//
// Expressions. A label names byte `label & 15` of node `label >> 4`; 0 means
// concrete. Label with byte index 0 stands for the node's whole value. Nodes are
// hash-consed and only ever refer to smaller node numbers.
#ifndef CZ_WIRE_H
#define CZ_WIRE_H

#include <stdint.h>

#define WIRE_MAGIC   0x4E44435Au // "ZCDN"
#define WIRE_VERSION 5u

// A target may be a 32-bit process, where 64-bit members would be aligned to four bytes.
typedef uint64_t wire_u64 __attribute__((aligned(8)));

typedef uint32_t wire_label;
#define WIRE_LABEL(node) ((wire_label)(node) << 4)
#define WIRE_NODE(label) ((label) >> 4)
#define WIRE_BYTE(label) ((label) & 15u)
// Shadow of bytes that may not be used: of no object (red zones, freed), of a local whose scope has
// ended, of a local whose function has returned. No label is that large.
#define WIRE_POISON           0xFFFFFFFFu
#define WIRE_ENDED            0xFFFFFFFEu
#define WIRE_RETURNED         0xFFFFFFFDu
#define WIRE_IS_POISON(label) ((label) >= WIRE_RETURNED)

enum wire_op {
#define OP(name, text, operands, kind) WIRE_##name,
#include "ops.def"
#undef OP
    WIRE_OP_COUNT
};

// One expression node, 32 bytes. An operand is a label with byte index 0, or 0
// and then its constant value is in x (for a) or y (for b). Both operands of a
// binary operation have the same width: `width`, or for comparisons the width of
// the operand that has a label. A constant wider than 64 bits is a CONST node.
struct wire_node {
    uint16_t op;
    uint16_t width; // of the result in bits, 1..128
    wire_label a, b;
    uint32_t next; // hash chain, private to the runtime
    wire_u64 x, y;
};

// The contents of an object at the time of a read with a symbolic address.
// Byte i is bytes[first_byte + i]; its label is labels[first_label + i], or
// concrete when first_label is WIRE_NO_LABELS.
#define WIRE_NO_LABELS 0xFFFFFFFFu
struct wire_snapshot {
    wire_u64 base; // address of byte 0
    uint32_t size, first_byte, first_label, object;
};

// What happened at a decision that depends on inputs, in program order.
enum wire_record_kind {
    WIRE_COND = 1, // a wrapped leaf condition: site = branch id, label 1 bit, outcome 0/1
    WIRE_BRANCH,   // a branch without a hook (driver, libc model, value-only): site, outcome 0/1
    WIRE_SWITCH,   // a wrapped switch: site = switch id, label = the switched value, value =
                   // concrete; outcome = branch id of the case or default taken
    WIRE_CHECK,    // a safety check: label 1 bit "is safe", outcome 1 safe, 0 violated
    WIRE_PIN,      // a value made concrete that may be enumerated: label = expression, value
};

// `check` of a WIRE_BRANCH on whether a pointer is there: it was not, and nobody looked.
#define WIRE_SHAPE_IDLE 0xFFFFu
// ... of any WIRE_BRANCH or WIRE_COND: an assumption failed because of this outcome.
#define WIRE_ASSUMED 0xFFFEu

struct wire_record {
    uint32_t site;
    uint16_t kind, check; // check: enum wire_fault of a WIRE_CHECK
    wire_label label;
    uint32_t outcome;
    wire_u64 value; // low 64 bits
};

// One complete evaluation of a decision with two or more conditions: bit i is
// condition i in source order.
struct wire_vector {
    uint32_t decision, pad;
    wire_u64 evaluated, values;
};

// Why a run does not stand for all inputs that take its path; losses.def describes each.
enum wire_loss {
#define LOSS(name, class, words) WIRE_LOSS_##name,
#include "losses.def"
#undef LOSS
    WIRE_LOSS_COUNT
};
enum wire_loss_class { WIRE_LOSS_IS_OPEN, WIRE_LOSS_IS_BOUND, WIRE_LOSS_IS_ASSUME };

enum wire_status {
    WIRE_NOT_RUN = 0, // the target died before this run
    WIRE_OK,
    WIRE_EXIT,     // exit, _exit, quick_exit, thread end
    WIRE_FAULT,    // see fault, fault_site
    WIRE_STEPS,    // step budget or WIRE_MAX_CALLS used up
    WIRE_UNDONE,   // the driver gave up: e.g. an input was asked for that cannot exist
    WIRE_REJECTED, // an assumption did not hold: the run counts for nothing
};

// A loop that lives on what stubs return need not end, and each call makes inputs: a
// run is cut off (WIRE_STEPS) at a stub call beyond these. The clean build ends its
// replay at the same call.
#define WIRE_MAX_CALLS 1000u  // stub calls of a run
#define WIRE_MAX_ASKED 60000u // places asked for, when a stub is called

// What went wrong; faults.def describes each.
enum wire_fault {
#define FAULT(name, option, words, traits) WIRE_FAULT_##name,
#include "faults.def"
#undef FAULT
    WIRE_FAULT_COUNT
};
enum wire_fault_trait { WIRE_SOFT = 1, WIRE_OFF = 2, WIRE_QUIET = 4 };

// A violated check after which the run went on.
#define WIRE_MAX_SOFT 8 // of a run; more are met by other runs

// In front of each test's reports a sanitized build writes this and the test's path to
// standard error.
#define WIRE_TEST_MARK "cadenza test: "
struct wire_soft {
    uint32_t fault, site;
};

struct wire_run {
    // in
    uint32_t input_offset, input_size; // in the input area
    // out
    uint32_t status, fault;
    uint32_t fault_site; // check site, 0 when not known
    uint32_t first_record, record_count;
    uint32_t first_hit, hit_count; // branch goals hit: 2 * branch id + outcome
    uint32_t first_vector, vector_count;
    uint32_t first_use, use_count; // places that the run asked for, in order
    uint32_t input_used;           // end of the last byte that the run asked for
    wire_u64 fault_address;
    wire_u64 steps;
    uint32_t losses[WIRE_LOSS_COUNT]; // how often
    uint32_t exit_code;
    uint32_t fault_shape;  // FAULT_NULL: offset of the shape input of the pointer, plus one
    uint32_t fault_place;  // FAULT_BOUNDS: place of the driver's object beside the address, or 0
    wire_u64 probed, held; // preconditions that were tried (cz_probe), and those that held
    uint32_t soft_count;
    struct wire_soft soft[WIRE_MAX_SOFT]; // distinct
};

// Types of input leaves.
enum wire_type {
    WIRE_T_NONE = 0, // an inner place
    WIRE_T_BOOL,
    WIRE_T_SIGNED, // bits wide, two's complement
    WIRE_T_UNSIGNED,
    WIRE_T_FLOAT,  // 32 or 64
    WIRE_T_SHAPE,  // pointer present (1) or NULL (0); one bit
    WIRE_T_CHOICE, // one of `count` alternatives
};

// Inputs that raise the bounds of a run, unsigned numbers of 32 bits. 0: the bound is where
// --elements or --depth let it start.
#define WIRE_BOUND_ELEMENTS "bound:elements"
#define WIRE_BOUND_DEPTH    "bound:depth"
static inline uint32_t wire_bound(uint32_t wanted, uint32_t start, uint32_t most)
{
    return wanted <= start || most <= start ? start : wanted < most ? wanted : most;
}

enum wire_link {
    WIRE_L_ROOT = 0, // name
    WIRE_L_FIELD,    // .name
    WIRE_L_ARROW,    // ->name
    WIRE_L_INDEX,    // [index]
    WIRE_L_DEREF,    // (*parent)
    WIRE_L_CALL,     // #index, the n-th call of a stub
    WIRE_L_PART,     // :name, e.g. :return
};

// A place in the input tree. Place 0 is not used. A leaf with count > 1 is an
// array of scalars, `path[0..count-1]`, each element of ceil(bits / 8) bytes
// rounded up to a power of two.
struct wire_place {
    uint32_t parent; // 0: root
    uint32_t name;   // offset in the string area, for links with a name
    uint32_t index;  // for INDEX and CALL
    uint8_t link, type;
    uint16_t bits;
    uint32_t count;     // elements of a leaf, alternatives of a CHOICE
    uint32_t offset;    // first byte in the input vector
    uint32_t type_name; // offset in the string area: the C type as the user wrote it, or 0
};

enum wire_flags {
    WIRE_CONCOLIC = 1,   // make inputs symbolic, write records and nodes
    WIRE_FORK = 2,       // one child per run
    WIRE_KEEP_NODES = 4, // do not reset the node area before the batch
    WIRE_TRACE_ALL = 8,  // also record concrete WIRE_COND and WIRE_SWITCH (label 0)
    WIRE_ALL_STEPS = 16, // a run that is out of records still has its whole step budget
};

// What the target has to say about itself.
enum wire_notes {
    WIRE_NOTE_FORKS = 1,  // its state can no longer be reset: every run is a child now
    WIRE_NOTE_NARROW = 4, // its long and pointers have 32 bits
};

struct wire_area {
    wire_u64 offset; // from the start of the mapping
    wire_u64 room;   // in items
};

struct wire_header {
    uint32_t magic, version;
    wire_u64 size;
    struct wire_area runs, inputs, records, vectors, hits, uses, nodes, snapshots, bytes, labels,
        places, strings;
    // request
    uint32_t task, run_count, flags;
    uint32_t notes;         // answer: enum wire_notes, for the life of the target
    wire_u64 step_budget;   // back edges and calls per run
    wire_u64 heap_budget;   // bytes per run
    wire_u64 record_budget; // records per run, 0: as many as fit; more is a WIRE_LOSS_NODES
    wire_u64 assumed;       // preconditions that are tried (cz_probe) and must hold
    // answer; counts are items in use
    uint32_t runs_done; // runs with a valid answer; the target updates it after each run
    uint32_t record_count, vector_count, hit_count, use_count;
    uint32_t node_count, snapshot_count, byte_count, label_count; // node 0 is not used
    uint32_t place_count, string_count, input_size;               // grow for the life of the target
    uint32_t goal_count, task_count;                              // written once at start
};

#define WIRE_SIZE(type, size) _Static_assert(sizeof(struct type) == size, "the same in all models")
WIRE_SIZE(wire_node, 32);
WIRE_SIZE(wire_snapshot, 24);
WIRE_SIZE(wire_record, 24);
WIRE_SIZE(wire_vector, 24);
WIRE_SIZE(wire_run, (84 + 4 * WIRE_LOSS_COUNT + 7) / 8 * 8 + 88);
WIRE_SIZE(wire_place, 28);
WIRE_SIZE(wire_header, 312);
#undef WIRE_SIZE

// Protocol over two pipes whose descriptors are in the target's argv:
//   target SHM_FD REQUEST_FD ANSWER_FD SCRATCH_DIR
// The target maps SHM_FD, sets up and writes WIRE_READY. For each request, a number of eight
// bytes, it runs the batch and writes the number back: what the code under test may write to the
// pipe is no answer. End of file: it exits.
//
// Restart: when a run kills the target, the engine starts it again with the place table as it
// stands, and requests the whole batch once more with WIRE_FORK and without WIRE_KEEP_NODES.
#define WIRE_READY 0x0A617A6E65646163ull // "cadenza\n"

#endif
