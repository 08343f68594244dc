// SPDX-License-Identifier: Apache-2.0
// Writes the test driver: readable C in the vocabulary of include/cz/driver.h,
// one drive_<task>() per task, stubs for undefined functions, definitions for
// undefined globals. The text is meant to stand behind the unit's text in one
// translation unit, so that static functions, types and variables are in reach.
#ifndef CZ_HARNESS_H
#define CZ_HARNESS_H

#include "base/buf.h"
#include "base/error.h"
#include "base/map.h"
#include "program/program.h"
#include "program/schema.h"

struct facts;

// A precondition of a function: C over the names of its parameters, macros expanded.
struct harness_assumption {
    const char *function; // as the user wrote it
    const char *text;
    const char *place; // for error messages: "cadenza.pre:3"
    int probe;         // it is only tried, under this number; -1: it is assumed
};

struct harness_options {
    unsigned elements;         // behind a pointer, default 10 ...
    unsigned most_elements;    // ... up to so many, as an input says; less: `elements`
    unsigned depth;            // through recursive structs, default 4 ...
    unsigned most_depth;       // ... up to so many, as an input says; less: `depth`
    unsigned calls;            // of a task with static locals; 0: two ...
    unsigned most_calls;       // ... up to so many, as an input says; less than `calls`: that many
    const struct facts *facts; // of the project, for what stubs write; NULL: they only return
    bool no_bit_fields, no_function_pointers; // left zero, for experiments
    bool free_lengths; // the length of a buffer is any number, not one that fits it
    bool full_buffers; // the code may use all of a buffer, whatever its length says
    // A unit of several files: each has its part of the driver, written in their order.
    const struct program *unit; // all files; NULL: only this one
    size_t file;                // number of this one in the unit
    struct map *provided;       // names that earlier parts of the driver define; NULL: none
    const struct harness_program *program; // the task is a whole program; NULL: it is not
    const struct harness_assumption *assumptions;
    size_t assumption_count;
};

// What a whole program gets: standard input, arguments and files, up to these sizes.
struct harness_file {
    const char *name;
    unsigned bytes;
};
struct harness_program {
    bool has_stdin;
    unsigned stdin_bytes;
    unsigned arg_count, arg_length; // 0: only argv[0]
    const struct harness_file *files;
    size_t file_count;
};

// An assumption of a task's driver, for the reports: "get_rpm() is a stub that
// only returns a value", "parameter cb: one of chk_a, chk_b" ... What leaves out inputs, and no
// run reports as a wire_loss, says what that means for claims.
enum note_kind {
    NOTE_INFORMS = false, // nothing is left out
    NOTE_PARTIAL = true,  // nothing is claimed by means of the driver
    NOTE_OBJECTS,         // claims are for objects as the driver builds them
    NOTE_LENGTHS,         // ... and for lengths within --elements, which may grow
    NOTE_CALLS,           // claims are for this many calls, once the most were explored
    NOTE_ELEMENTS,        // --elements is no more than `most` for some objects
    NOTE_DEPTH,           // the same for --depth
};
struct harness_note {
    size_t task;
    const char *text;
    enum note_kind kind;
    uint64_t most; // NOTE_ELEMENTS, NOTE_DEPTH
};

// What an exported test needs to know (harness/declarations.c).
struct harness_declaration {
    enum declaration_kind kind;
    const char *owner, *name, *type, *text;
};

struct harness {
    struct buf text; // the driver, without the unit's text
    // Text for -include, in front of the unit: gives what has a name of the C library (time,
    // open ...) a symbol of its own, or it would capture the calls of the runtime and the
    // replay library in the same executable (harness/symbols.h). "" when there is none.
    const char *before;
    struct harness_note *notes;
    size_t note_count;
    struct schema *schemas; // the inputs of each task, as far as this part asks for them
    size_t schema_count;
    struct harness_declaration *declarations;
    size_t declaration_count;
};

// Notes and schemas live in the arena; the caller releases out->text.
//
// Never fails on strange types: what cannot be an input is left zero and noted.
void harness_write(const struct program *program, const struct harness_options *options,
                   struct arena *arena, struct harness *out);

#endif
