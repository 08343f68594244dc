// SPDX-License-Identifier: Apache-2.0
// The preconditions that a unit's drivers assume: those of the project's file that are
// confirmed and speak of a task of the unit, ready to stand in C.
#ifndef CZ_UNIT_ASSUMPTIONS_H
#define CZ_UNIT_ASSUMPTIONS_H

#include "unit/unit.h"

// Fill unit->assumptions. The unit's files have been read.
bool assumptions_collect(const struct unit_request *request, struct unit *unit, struct error *err);

// What the compiler complained about in a driver, in terms of the precondition that is to
// blame; false (and err is left alone): none is.
bool assumptions_explain(const struct unit *unit, size_t text, const char *messages,
                         struct error *err);

// "p != NULL, len <= 16" of a task, "" when nothing is assumed. In the unit's arena.
const char *assumptions_text(struct unit *unit, size_t task);

// Where the project keeps its preconditions: --pre; else cadenza.pre in `home` (or NULL);
// else the one beside the source file or the next above it; else where one would be made.
// NULL: --pre none.
const char *assumptions_file(const struct options *options, const char *home, const char *source,
                             struct arena *arena);

#endif
