// SPDX-License-Identifier: Apache-2.0
// Justifications of goals that tests do not reach, in a file that the user keeps under version
// control (cadenza.just), one per line. docs/formats.md has the format:
//
//     justified pump.c:pump_step: true of mode > 4 // Ann Lee, 2026-11-18: the sensor sends 0 to 4
//
// A goal is named by function and source text, not by its line, so that it is found when code
// moves.
#ifndef CZ_JUST_JUSTIFICATIONS_H
#define CZ_JUST_JUSTIFICATIONS_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/vec.h"
#include <stdint.h>

enum just_outcome { // what of the goal's text
    JUST_TRUE,
    JUST_FALSE,
    JUST_TAKEN, // a case
    JUST_NOT_TAKEN,
    JUST_MCDC, // the independence of a condition
    JUST_OUTCOMES
};
const char *just_outcome_name(enum just_outcome outcome); // "true" ... "not-taken", "mcdc"

struct justification {
    const char *file, *function; // file: the end of a path
    enum just_outcome outcome;
    unsigned nth;     // of the goals of the function that are written so, from 1; 0: the only one
    const char *text; // of the condition or case
    const char *author, *date, *reason;
    uint32_t line; // in its file, from 1
};

struct justifications {
    struct arena arena; // of the texts
    const char *path;   // as errors name it
    VEC(struct justification) items;
};

void justifications_init(struct justifications *list);
void justifications_release(struct justifications *list);

// Add those of a text. An error names the line and what should stand there.
bool justifications_parse(struct justifications *list, const char *path, const char *text,
                          struct error *err);
// The same from a file; one that is not there has none.
bool justifications_load(struct justifications *list, const char *path, struct error *err);

// One line.
void justification_write(const struct justification *item, struct buf *out);
// The same up to the author: which goal it is.
void justification_write_goal(const struct justification *item, struct buf *out);

#endif
