// SPDX-License-Identifier: Apache-2.0
// Which functions and variables of a file have a name of the C library without being the
// C library's, and what their symbols are in every build (symbols.c says why). `whole`: the
// unit is a whole program, whose files may declare the C library's functions by hand.
#ifndef CZ_HARNESS_SYMBOLS_H
#define CZ_HARNESS_SYMBOLS_H

#include "base/buf.h"
#include "program/program.h"

// Part of the C library, by where it is declared?
bool symbols_of_libc(bool whole, bool in_system_header, const char *name);

// Does the driver have a stub in its place, if anybody calls it?
bool symbols_stubbed(const struct function *function, bool whole);

// The symbol of a function: its name, or one in the arena.
const char *symbols_of_function(const struct function *function, bool whole, struct arena *arena);

// Is the symbol of a variable another one than its name?
bool symbols_renames(const struct variable *variable, bool whole);

// Lines for in front of the text that give such symbols to all that need one.
void symbols_write(const struct program *program, bool whole, struct arena *arena, struct buf *out);

#endif
