// SPDX-License-Identifier: Apache-2.0
// What llvm-cov says about a clean build, as plain data (struct llvmcov; the
// engine's own bookkeeping is struct coverage of src/coverage): read from the JSON of
// `llvm-cov export -format=text`. Verified on llvm-cov 19:
//
// - A branch entry is [line, column, end line, end column, true count, false
//   count, file, expanded file, kind]; kind 4 is an ordinary branch, 6 a leaf
//   of an MC/DC decision. Each entry counts as two branches in llvm-cov's summary.
// - A switch has an entry for each `case` label (case ranges too) and for an
//   explicit `default`, from the keyword to before the colon; without a default
//   the switched expression carries one, true when no case matched.
// - A condition that the compiler folded ("if (0)") is listed under its file with
//   counts 0/0 but not under its function, and is not in the summary. This is how a
//   constant MC/DC condition is told from an uncovered one: the decision's JSON
//   record shows false for both.
// - A decision with a nested boolean operator inside a condition has no MC/DC
//   record, and its leaves are ordinary branches.
// - A static or inline function that nothing uses has one region and no branches.
//
// Branches and decisions are meant for a translation unit without macros (unit.i):
// one inside a macro expansion keeps the line and column of the macro's body.
#ifndef CZ_REPLAY_COVERAGE_EXPORT_H
#define CZ_REPLAY_COVERAGE_EXPORT_H

#include "base/arena.h"
#include "base/error.h"
#include "program/program.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LLVMCOV_NONE ((size_t)-1)

struct llvmcov_branch {
    struct text_range at;
    uint64_t count[2]; // [0] false, [1] true
    size_t branch;     // program branch id, or LLVMCOV_NONE (see llvmcov_match)
};

struct llvmcov_condition {
    struct text_range at; // zero when llvm-cov did not list the leaf
    bool covered;         // its independence pair was shown
    bool constant;        // folded: not counted
    size_t branch;        // program branch id of the leaf, or LLVMCOV_NONE
};

struct llvmcov_decision {
    struct text_range at;
    struct llvmcov_condition *conditions; // in source order
    size_t condition_count;
};

struct llvmcov_function {
    const char *name; // without the "file:" that llvm-cov puts before static ones
    const char *file;
    size_t text; // which of the unit's texts the file is, or LLVMCOV_NONE (see llvmcov_match)
    uint32_t first_line, last_line; // in that file
    uint64_t calls;
    size_t function; // index in program.functions, or LLVMCOV_NONE (see llvmcov_match)
    struct llvmcov_branch *branches;
    size_t branch_count;
    struct llvmcov_decision *decisions;
    size_t decision_count;
    // What llvm-cov also lists and llvmcov_match has taken out of the two lists: branches and
    // conditions in operands that are never evaluated (sizeof ...).
    size_t unevaluated_branches, unevaluated_conditions;
    bool unevaluated_runs; // and yet both outcomes of one of them were counted
};

struct llvmcov_line {
    uint32_t line;
    uint64_t count;
};

struct llvmcov_file {
    const char *name;           // absolute
    struct llvmcov_line *lines; // with code, ascending
    size_t line_count;
    // llvm-cov's own summary of the file, for cross-checks.
    uint64_t branches, branches_covered, conditions, conditions_covered;
};

struct llvmcov {
    const char *const *texts; // paths of the unit's texts, NULL-terminated (see llvmcov_match)
    struct llvmcov_function *functions;
    size_t function_count;
    struct llvmcov_file *files;
    size_t file_count;
};

// Everything is allocated in the arena; a function with several records (an
// instantiation per object) appears once, with the larger counts. NULL and err when
// the text is not such an export.
struct llvmcov *llvmcov_parse(struct arena *arena, const char *json, size_t length,
                              struct error *err);

// Fill the program ids of functions, branches and conditions by text, name and place, and take
// out what lies in operands that are never evaluated (program.unevaluated);
// unit_paths are the texts' paths in the order of the program's files, NULL-terminated.
// Returns how many branches of the program's functions found no partner.
size_t llvmcov_match(struct llvmcov *coverage, const struct program *program,
                     const char *const *unit_paths);

size_t llvmcov_conditions_of(const struct llvmcov_decision *decision); // without constants

const struct llvmcov_file *llvmcov_find_file(const struct llvmcov *coverage, const char *name);

#endif
