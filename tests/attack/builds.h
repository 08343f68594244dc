// SPDX-License-Identifier: Apache-2.0
// The attacker's own builds of a unit, none of which shares anything with Cadenza's, and
// running them.
#ifndef ATTACK_BUILDS_H
#define ATTACK_BUILDS_H

#include "base/buf.h"
#include "base/error.h"
#include "rt/marks.h"

#include <stdbool.h>

enum build { BUILD_GCC, BUILD_CLANG, BUILD_ADDRESS, BUILD_MEMORY, BUILD_COUNT };

struct builds {
    const char *directory; // of the unit
    const char *runtime;   // folder with the runtime's sources, and objects per build in .../NAME/
    const char *objects;
    bool has_strong; // a second executable in which weak symbols are defined
    bool made[BUILD_COUNT];
    struct marks *marks; // the map of DIRECTORY/marks
};

bool builds_init(struct builds *builds, const char *directory, const char *runtime,
                 const char *objects, struct error *err);
void builds_release(struct builds *builds);

// Compile and link, once.
bool builds_make(struct builds *builds, enum build build, struct error *err);

// Iterations of a function (-1: all) with features out of a mask, or until an outcome of a
// goal was seen (-1: none).
struct run {
    enum build build;
    bool strong;
    unsigned long long seed;
    unsigned features, first, count;
    int function, goal, outcome;
    struct buf *notes; // what calls were given, or NULL
};
// The marks are added to what is there; clear them before if that is not wanted.
void builds_clear(struct builds *builds);
bool builds_run(struct builds *builds, const struct run *run, struct error *err);

// Run a program of ours or a compiler; its messages are the error's text when it fails.
bool builds_command(const char *const *argv, const char *what, struct error *err);

#endif
