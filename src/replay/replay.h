// SPDX-License-Identifier: Apache-2.0
// Runs kept tests on the clean builds and reads what they covered. Profiles stay in
// the build's directory, one folder per task (profiles/NNNN), so that the totals of
// the file are a merge of all tasks. A profile of a crashed test counts: the replay
// library writes it on faults, abort, _exit and limits.
//
// The executables are called `replay -t SECONDS -T SECONDS -o 0|1 TESTFILE...` with TMPDIR naming
// the build's scratch directory, and print one line per test, and with -o 1 what it showed:
//     TESTFILE<tab>ok|exit CODE|signal NAME|timeout|skipped|error TEXT|sanitizer<tab>DETAIL
//     +PATH<tab>TYPE<tab>VALUE
//
// All of it ends soon after build->deadline. Tests that did not get their turn are skipped.
#ifndef CZ_REPLAY_H
#define CZ_REPLAY_H

#include "base/arena.h"
#include "base/error.h"
#include "replay/clean_build.h"
#include "replay/coverage_export.h"

enum replay_status {
    REPLAY_OK,
    REPLAY_EXIT,      // the code called exit() or _exit()
    REPLAY_SIGNAL,    // a fault or abort: the test crashes
    REPLAY_TIMEOUT,   // step or time limit
    REPLAY_SANITIZER, // a sanitizer stopped it: the test crashes
    REPLAY_REJECTED,  // an assumption did not hold: it counts for nothing
    REPLAY_ERROR,     // the test file could not be used
    REPLAY_LOST,      // the replay process died without an answer: counts as a crash
    REPLAY_SKIPPED,   // the build's deadline came first: nothing is known of it
};

// What a test showed: the result, what has changed, a call of a stub, a register.
struct replay_output {
    const char *path, *type, *value;
};

// What the call of the task found: a row of what runtime/replay_setup.c tells.
struct replay_found {
    const char *path, *member, *type, *value;
};

struct replay_outcome {
    enum replay_status status;
    int exit_code;                 // REPLAY_EXIT
    const char *text;              // as printed: "ok", "exit 3", "signal SIGSEGV" ...
    const char *detail;            // after the second tab, "" without
    struct replay_output *outputs; // in the order in which they were seen
    size_t output_count;
    bool outputs_cut; // there were more
    struct replay_found *found;
    size_t found_count;
    bool found_cut;
};

bool replay_crashed(const struct replay_outcome *outcome);
// The outcome of a test for which there was no time.
struct replay_outcome replay_skipped(void);

struct replay_coverage {
    struct llvmcov *unit;  // branches and MC/DC of unit.i, matched to the program
    struct llvmcov *lines; // of the original build; NULL without one
    size_t unmatched;      // branches of llvm-cov that the front end does not know
    size_t lines_skipped;  // tests that did not run on the original build: its deadline came first
    const char *note;      // a damaged profile was left out; NULL otherwise
};

// Replay the tests (paths) of task number `task` and read their coverage; outcomes has
// room for `count`. Earlier profiles of the task are forgotten. False only when the
// machinery fails; what tests do is an outcome. `late`: those that may
// not end by themselves (behind what the engine stops at the clean build runs on); they come last.
// Outcomes have what the tests showed on the build of unit.i.
bool replay_task(const struct clean_build *build, size_t task, const char *const *tests,
                 size_t count, const bool *late, struct arena *arena,
                 struct replay_outcome *outcomes, struct replay_coverage *out, struct error *err);

// The coverage of all tasks replayed so far, together. With none: everything zero,
// which is how the goals of a file become known.
bool replay_total(const struct clean_build *build, struct arena *arena, struct replay_coverage *out,
                  struct error *err);

// Only run tests, on any replay executable, without a profile. A test may take
// REPLAY_SECONDS of CPU time: the engine's --steps are over in a fraction of that, so
// what takes longer is a loop without end.
bool replay_run(const char *executable, const char *scratch, const char *const *tests, size_t count,
                struct arena *arena, struct replay_outcome *outcomes, struct error *err);

// What sanitizers say about tests (build->sanitized must be there). Undefined behaviour that
// can be computed is reported and the test goes on, so there may be several reports.
enum sanitizer_class {
    SANITIZER_OTHER,    // undefined behaviour without a class of its own
    SANITIZER_NULL,     // a NULL pointer
    SANITIZER_WILD,     // an address where nothing is
    SANITIZER_BOUNDS,   // out of an object
    SANITIZER_FREED,    // a heap block after free()
    SANITIZER_SCOPE,    // a local after the end of its scope
    SANITIZER_RETURNED, // a local after the return of its function
    SANITIZER_FREE,     // free() of what cannot be freed
    SANITIZER_OVERLAP,  // memcpy() and the like between overlapping objects
    SANITIZER_INDEX,    // of an array
    SANITIZER_DIVISION, // by zero, quotient out of range, signal for one
    SANITIZER_QUOTIENT, // out of range
    SANITIZER_SHIFT,
    SANITIZER_OVERFLOW,
    SANITIZER_CONVERSION,
    SANITIZER_UNREACHABLE,
    SANITIZER_STACK,
    SANITIZER_ABORT,
    SANITIZER_ILLEGAL,
    SANITIZER_UNINIT, // MemorySanitizer's
};
struct sanitizer_place {
    size_t text_number;    // which of the unit's texts
    uint32_t line, column; // in it, 0 when not known
};
struct sanitizer_frame {  // in the user's code
    const char *function; // as the user wrote it, "" when not known
    struct sanitizer_place at;
};
struct sanitizer_report {
    enum sanitizer_class class;
    const char *text;               // "heap-buffer-overflow", "division by zero" ...
    struct sanitizer_place at;      // in the user's code; what happens in the C library or in the
                                    // driver is put down to the call
    struct sanitizer_place frame;   // the same by the innermost frame; `at` may be the beginning
                                    // of an expression of several lines
    const char *function;           // as the user wrote it, "" when not known
    const char *functions;          // those of the innermost frames in the user's code, a line each
    struct sanitizer_frame *frames; // the same with their places
    size_t frame_count;
    bool undefined; // UBSan's: the test went on
    bool in_driver; // a stub or the driver did it, not the user's code
    bool of_driver; // the object is a variable that the driver defines
    bool on_heap;   // the object is a heap block
};
struct replay_crash {
    struct replay_outcome outcome;    // a plain signal is in it only
    struct sanitizer_report *reports; // in the order in which they were made
    size_t count;
};
// `out` has room for `count`. A test may take `seconds` of CPU time.
bool replay_sanitized(const struct clean_build *build, const char *const *tests, size_t count,
                      unsigned seconds, struct arena *arena, struct replay_crash *out,
                      struct error *err);

// Where MemorySanitizer says that the test uses an uninitialised value (build->memory must be
// there). The outcome is not told: variables are not zero in that build.
bool replay_uninitialised(const struct clean_build *build, const char *test, struct arena *arena,
                          struct replay_crash *out, struct error *err);

// Coverage of some tests apart (of unit.i, no lines), e.g. to find out which test covers a
// goal. Leaves the task's profiles as they are.
bool replay_apart(const struct clean_build *build, const char *const *tests, size_t count,
                  struct arena *arena, struct replay_coverage *out, struct error *err);

#endif
