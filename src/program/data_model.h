// SPDX-License-Identifier: Apache-2.0
// The data model that a unit is built for, as far as builds of it have to know: the sizes of
// types are libclang's and LLVM's business. Code with 32-bit pointers runs as an i386
// process, with parts of ours that were built for that.
#ifndef CZ_PROGRAM_DATA_MODEL_H
#define CZ_PROGRAM_DATA_MODEL_H

#include "program/program.h"

// Debian's package of what such builds need beyond clang.
#define MODEL_PACKAGE "libc6-dev-i386"

// The word that says so among a file's flags (project_apply_model puts it there).
bool model_is_narrow(const char *const *flags);

const char *model_name(const struct program *program); // "lp64" or "ilp32"

// Flags for linking executables, beyond the compiler's; NULL-terminated. Without gcc's 32-bit
// libraries: what the compiler needs is in clang's own.
const char *const *model_link_flags(const struct program *program);

// Where the parts are that are linked with the code under test, in the arena.
const char *model_parts(const struct program *program, const char *library, struct arena *arena);

#endif
