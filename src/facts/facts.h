// SPDX-License-Identifier: Apache-2.0
// What the functions of a whole project do to memory, from the LLVM IR of all its files:
// which globals a function and its callees may write, what they write through parameters,
// which functions a pointer may hold (MAESTRO sections 3.3.3 and 3.3.4, which leaves
// writes through pointers out). Files are read one by one; what is kept of them is small
// and free of LLVM, and is linked by symbol names.
//
// An upper bound of what the code of the project does, with two exceptions that are said
// in words per function: what calls code that is not here, and what goes through pointers
// that could not be followed. All lists are in an order that depends on the files alone.
#ifndef CZ_FACTS_H
#define CZ_FACTS_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include "program/program.h"

struct facts;

// A way to memory: begin at a parameter or at a global, follow the pointers at these
// byte offsets. A parameter that is a pointer is followed first, one that is a record is
// where the first offset counts from.
#define FACTS_VARYING      INT64_MAX // as a step: one of many elements
#define FACTS_NO_PARAMETER SIZE_MAX
struct facts_way {
    size_t parameter;   // as C counts them, or FACTS_NO_PARAMETER
    const char *global; // else this one ...
    const char *file;   // ... a static of this file (absolute path), or NULL
    const int64_t *steps;
    size_t step_count;
};

struct facts_write {
    struct facts_way way;
    bool deep;        // more pointers behind than were followed
    bool all;         // at an offset that varies; else
    int64_t from, to; // bits from where the way ends
    size_t length;    // `all`: this parameter times `scale` bytes, or FACTS_NO_PARAMETER
    int64_t scale;
};

struct facts_call { // a pointer to functions that it was given and calls
    struct facts_way way;
    const size_t *forwards; // per argument: the parameter that it hands on, or FACTS_NO_PARAMETER
    size_t argument_count;
};

struct facts_return { // a pointer that it may return: where the way ends
    struct facts_way way;
    int64_t offset; // bytes behind that, or FACTS_VARYING
};

struct facts_function {
    const char *name;
    const char *file; // that defines it, absolute; the first when there are several
    bool is_static;
    size_t param_count;
    const char *const *param_names; // "" where there is none
    const struct facts_write *writes;
    size_t write_count;
    const struct facts_call *calls;
    size_t call_count;
    const struct facts_way *frees; // pointers that it may hand to free()
    size_t free_count;
    const struct facts_return *returns; // those that begin at a parameter or a global
    size_t return_count;
    const char *const *unknown; // what it does beyond this, one phrase each: "runs assembly"
    size_t unknown_count;
    bool never_returns;
    bool is_pure; // writes nothing and nothing is unknown
};

struct facts_file {
    const char *path;         // absolute
    const char *const *flags; // NULL-terminated, without outputs
};

struct facts_request {
    const struct facts_file *files;
    size_t file_count;
    const char *clang;
    const char *directory; // for bitcode, made, and removed by facts_free()
    unsigned jobs;         // compilers at a time, 0: one per core
    // For a file that does not compile: another text of it that does, and flags for that;
    // false when there is none. NULL: nobody knows one.
    bool (*adapt)(const struct facts_request *request, const struct facts_file *file, size_t number,
                  struct arena *arena, struct facts_file *out);
};

// False only when nothing at all could be read; files that do not compile are noted.
bool facts_build(const struct facts_request *request, struct facts **out, struct error *err);
void facts_free(struct facts *facts);

// The function of this name as `file` (absolute) sees it: its own static one, else the
// external one. NULL: no file of the project defines it.
const struct facts_function *facts_find(const struct facts *facts, const char *name,
                                        const char *file);

// What a function of the C library writes; NULL: nothing that C code can name. In the arena.
const struct facts_function *facts_library(const char *name, size_t param_count,
                                           struct arena *arena);

// The bitcode of a file of the project, NULL when there is none. Removed by facts_free().
const char *facts_bitcode(const struct facts *facts, const char *file);

// The file that defines this external variable as a constant, or NULL.
const char *facts_constant(const struct facts *facts, const char *name);

// Bytes of this external variable as a file of the project defines it; 0: none does.
uint64_t facts_variable_size(const struct facts *facts, const char *name);

// A hash of the bitcode of all files: if it is the same, everything here is.
uint64_t facts_digest(const struct facts *facts);

// A hash of what callsites_judge() reads to judge the calls of this file's functions: if it is the
// same, so are the verdicts, and the lines of the calls.
uint64_t facts_calls_digest(const struct facts *facts, const char *file);

// Files that could not be read, one sentence each.
size_t facts_notes(const struct facts *facts, const char *const **notes);

// Everything, as text.
void facts_dump(const struct facts *facts, struct buf *out);

// Add what the other files of the project put into the pointers of this one: functions to
// program->pointers and, where this file does not declare them, to program->functions.
void facts_add_candidates(const struct facts *facts, struct program *program);

#endif
