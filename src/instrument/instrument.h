// SPDX-License-Identifier: Apache-2.0
// From clang's bitcode of the wrapped unit and its driver to an instrumented
// object file. The only user of LLVM (C API).
#ifndef CZ_INSTRUMENT_H
#define CZ_INSTRUMENT_H

#include "base/arena.h"
#include "base/error.h"
#include "cfg/part.h"
#include "program/program.h"

// A numbered place that records and faults refer to: a check, an unhooked branch.
struct instrument_site {
    uint32_t kind;         // enum wire_fault of a check, 0 for a branch
    uint32_t line, column; // in the preprocessed text; 0 or behind its end: in the driver
    uint32_t text;         // which of the unit's texts
    const char *function;
};

struct instrument_result {
    struct instrument_site *sites; // index = site number; entry 0 is not used
    size_t site_count;
    bool *branch_survives;  // per branch id: its hook is still in the IR
    const char **externals; // libc and other functions that are called for real and uncounted
    size_t external_count;
    bool has_cold;                // there is a second object file
    const struct cfg_part *graph; // control flow of the module; NULL without a program
};

struct instrument_request {
    const char *bitcode;           // input file
    const char *object;            // output file
    const char *cold_object;       // a second one, for what need not be fast; or NULL
    const char *shim;              // runtime/shim.c compiled to bitcode
    const struct program *program; // NULL for code without branch points (libc models)
    uint32_t first_site;           // added to site numbers; models use a range of their own
    uint32_t checks;               // 1 << WIRE_FAULT_* of the soft ones that are wanted
    bool keep_ir;                  // also write <object>.before.ll and .after.ll
};

// Link the bitcode of a unit's files to one file, `out`. False (ERROR_SOURCE) when they do
// not fit together, e.g. because two of them define the same symbol.
bool instrument_link(const char *const *bitcode, size_t count, size_t with_lines, const char *out,
                     struct error *err);

bool instrument_module(const struct instrument_request *request, struct arena *arena,
                       struct instrument_result *result, struct error *err);

// Code for a device, made to run here; see hardware.h. The bitcode file is rewritten when
// there is something to do (`changed`), and then every other build of the unit must be, too.
struct hardware_request {
    const char *bitcode;
    const struct program *program; // the unit's
    bool plain_memory; // only registers are read anew, volatile variables are memory: in whole
                       // programs it is the program that writes them
    bool interrupts;   // the driver's cz_interrupt() is called before volatile reads
    unsigned turns;    // of a loop that nothing leaves
    const char *const *weak;
    size_t weak_count; // symbols to be read from cz_weak.NAME; NULL: those
                       // for which the bitcode defines such a variable
};
struct hardware_use {     // something that was left out, for the reports
    const char *function; // in the unit
    uint32_t text, line;  // 0 without debug information
    const char *what;
    bool partial; // so nothing is proven about the function, or all of them if it is ""
};
struct hardware_result {
    const char **weak;
    size_t weak_count; // symbols with a variable cz_weak.NAME
    bool changed;
    struct hardware_use *uses;
    size_t use_count;
};
bool instrument_hardware(const struct hardware_request *request, struct arena *arena,
                         struct hardware_result *result, struct error *err);

// What the optimiser knows of a task's inputs.
enum proof_root {
    PROOF_ROOT_FUNCTION,     // nothing: any call of the function, with any memory
    PROOF_ROOT_DRIVER,       // what the driver makes, under its assumptions (cz_assume)
    PROOF_ROOT_DRIVER_ALONE, // ... without them
};

// Which goals of a task can never be reached, according to LLVM's optimiser: the
// unit's bitcode (not instrumented) with a marker call per goal, everything but
// the root made internal, inputs opaque, -O3 -fwrapv; a marker that is gone was
// unreachable. dead[goal] is set for goals of the task's functions. With a driver the
// inputs are what it can make of them (--elements, --depth, stubs). No undefined behaviour
// comes before the goal.
bool instrument_prove_dead(const char *bitcode, const struct program *program, size_t task,
                           const char *proof_shim, enum proof_root root, bool *dead,
                           struct error *err);

#endif
