// SPDX-License-Identifier: Apache-2.0
// Several files as one program: a unit. Functions and variables with external linkage that
// have one name are one; what one file declares and another defines is the definition.
// Statics stay apart, and so do types: nothing compares types of different files.
// A unit of one file is the same thing with nothing to resolve.
#ifndef CZ_PROGRAM_MERGE_H
#define CZ_PROGRAM_MERGE_H

#include "program/program.h"

// Fills a program that program_init has prepared. The files' branches and switches have
// their unit's ids already (frontend_numbers: that many were given out). The tasks are
// those of the first file, each with what it reaches in all files. The files stay where
// they are, must live as long, and learn about each other:
//   - functions and variables that another file defines are marked `elsewhere`,
//   - each has one task per task of the unit, with the part of it that is in the file.
void program_merge(struct program *const *files, size_t count, size_t branches, size_t switches,
                   struct program *out);

// Names of the files that belong to text number `text`: "DIR/STEM.EXT" for the first,
// "DIR/STEM_1.EXT" for the next ...; and back, from a path to the number.
const char *program_text_path(struct arena *arena, const char *directory, const char *stem,
                              size_t text, const char *extension);
size_t program_text_number(const char *path);

#endif
