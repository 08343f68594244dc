// SPDX-License-Identifier: Apache-2.0
#ifndef CZ_PROGRAM_CHECK_H
#define CZ_PROGRAM_CHECK_H

#include "program/program.h"

// What is wrong with the program of a file or unit, or NULL (base/check.h).
const char *program_check(const struct program *program);
// The same of a unit, which program_merge() has made.
const char *program_check_unit(const struct program *program);

#endif
