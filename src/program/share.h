// SPDX-License-Identifier: Apache-2.0
// What the files of a unit know of pointers to functions that they share: external
// variables and members of records of one name. Where one of them calls or tests such a
// pointer, the driver of all of them must fill it so.
#ifndef CZ_PROGRAM_SHARE_H
#define CZ_PROGRAM_SHARE_H

#include "program/program.h"

// Adds to program->pointers of the files. Before what other files put there is added.
void program_share_pointers(struct program *const *files, size_t count);

// Static functions of one file that are candidates (facts/candidates.c) in another one get
// a symbol there, and the candidates are the functions themselves instead of stubs.
void program_share_statics(struct program *const *files, size_t count);

#endif
