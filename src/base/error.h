// SPDX-License-Identifier: Apache-2.0
// Failures are text that the caller handles. A function that can fail returns
// bool (or a pointer that may be NULL) and fills its last parameter. Each layer
// prepends what it was doing; only the CLI prints the text and picks the exit
// code. A broken invariant is not a failure: see BUG().
#ifndef CZ_BASE_ERROR_H
#define CZ_BASE_ERROR_H

#include <stdbool.h>

enum error_kind {
    ERROR_NONE = 0,
    ERROR_INTERNAL, // anything without a better kind
    ERROR_USAGE,    // the user's command line
    ERROR_SOURCE,   // the user's source does not compile
    ERROR_NO_TASKS, // the user's source has nothing to test
    ERROR_IO,       // files, disk, processes
    ERROR_MISSING,  // a program or library that has to be installed
    ERROR_RETRY,    // no space on a disk, no memory, interrupted: the same may work later
};

struct error {
    enum error_kind kind;
    char text[4096];
};

// Fill err (which may be NULL) and return false, so that callers can write
// `return error_set(err, ERROR_IO, "...")`. A text that says that a disk is full, be it a
// compiler's, makes it ERROR_RETRY.
bool error_set(struct error *err, enum error_kind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Like error_set, with ": " and the text of errno appended.
bool error_errno(struct error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Prepend "what: " to an error that is already set. Returns false.
bool error_context(struct error *err, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

void error_clear(struct error *err);

// A broken invariant of ours: print file and line, abort.
#define BUG(...) error_bug(__FILE__, __LINE__, __VA_ARGS__)
_Noreturn void error_bug(const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
