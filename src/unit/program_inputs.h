// SPDX-License-Identifier: Apache-2.0
// Whole programs (--program): what the options say about the program's inputs.
#ifndef CZ_UNIT_PROGRAM_INPUTS_H
#define CZ_UNIT_PROGRAM_INPUTS_H

#include "options/options.h"
#include "harness/harness.h"

// Fills what main gets from --stdin, --arg and --file; without any of them standard
// input and a few arguments, and *by_default is set. ERROR_USAGE when an option is
// malformed. Strings live in the arena or are the options' own.
bool program_inputs_inputs(const struct options *options, struct arena *arena,
                           struct harness_program *out, bool *by_default, struct error *err);

// "up to 32 bytes of standard input, up to 2 arguments of up to 8 characters"
void program_inputs_describe(const struct harness_program *program, struct buf *out);

// The options fit together: those that need --program come with it.
bool program_inputs_check(const struct options *options, struct error *err);

#endif
