// SPDX-License-Identifier: Apache-2.0
// Ordinary builds of the user's code with its test driver and the replay library:
// what they do is what the tool may report.
//
//   unit       unit.i (the preprocessed text) with coverage: branches and MC/DC
//   lines      the user's original files with coverage: lines of files and headers
//   sanitized  unit.i under ASan and UBSan
//   memory     unit.i under MemorySanitizer, only on demand
//
// Each file of the unit is compiled on its own (unit.i, unit_1.i ...). In each the
// user's text is #included, so that llvm-cov keeps it apart from the part of the driver
// that stands behind it in the same translation unit.
#ifndef CZ_REPLAY_CLEAN_BUILD_H
#define CZ_REPLAY_CLEAN_BUILD_H

#include "base/arena.h"
#include "base/error.h"
#include "program/program.h"

struct clean_text {           // a file of the unit
    const char *driver;       // text of its part of the driver, for after the file's text
    const char *before;       // text for before it, or NULL
    const char *const *flags; // the user's, NULL-terminated, or NULL
};

struct clean_build_request {
    const struct program *program;
    const struct clean_text *texts; // one per file of the program
    const char *const *support;     // bitcode that is linked, without coverage
    size_t support_count;
    bool sanitize;         // `sanitized` is built with the others, at the same time
    const char *directory; // for everything that is made; created
    const char *library;   // with libczreplay.a and include/; NULL: fs_library_dir()
    // Rewrites the bitcode of a text in place, as the engine's was: code for a device that
    // does not run here as it is. NULL: there is nothing to rewrite.
    bool (*rewrite)(void *context, const char *bitcode, struct error *err);
    void *context;
};

struct clean_build { // strings live in the arena given to clean_build()
    struct arena *arena;
    const struct program *program;
    struct clean_text *texts;
    size_t text_count;
    const char **support; // objects
    size_t support_count;
    bool (*rewrite)(void *context, const char *bitcode, struct error *err);
    void *context;
    const char *directory; // absolute
    const char *library;
    const char **unit_paths;    // DIRECTORY/unit.i ..., as llvm-cov names them; NULL-terminated
    const char *unit;           // executables; never NULL ...
    const char *lines;          // ... but NULL when an original did not build with the driver,
    const char *lines_note;     // and then this says why (one sentence)
    const char *sanitized;      // NULL until it is built, or when it does not build:
    const char *sanitized_note; // then this says why
    const char *memory;         // NULL until clean_build_memory()
    bool no_memory;             // that does not build here
    double deadline;            // of the clock: replays end then; 0: none. Later builds put it off
    const char *clang, *llvm_cov, *llvm_profdata, *llvm_symbolizer; // the last may be NULL
};

// Writes unit.i, replay_unit.c and lines_unit.c and builds `unit` and `lines`. False
// (with clang's message) when unit.i with its driver does not build or a tool is
// missing. The request's program and texts must outlive the build.
bool clean_build(const struct clean_build_request *request, struct arena *arena,
                 struct clean_build *out, struct error *err);

// Build `sanitized` unless it is there already. False when it does not build.
bool clean_build_sanitized(struct clean_build *build, struct error *err);

// Build `memory` unless it is there already. False when there is no MemorySanitizer for the
// code (32 bits), or it does not build: then nothing can confirm uses of uninitialised values.
bool clean_build_memory(struct clean_build *build);

#endif
