// SPDX-License-Identifier: Apache-2.0
// What a user has to know of how a project's files are compiled, before a run: on standard
// error, so that --json stays readable.
#ifndef CZ_CLI_NOTES_H
#define CZ_CLI_NOTES_H

#include "project/project.h"

// The project's notes; flags that were dropped, one line for all of `files` (NULL-terminated;
// NULL: all files of the project); files that are not among them and cannot be compiled.
void notes_print(const struct project *project, const struct project_file *const *files,
                 bool verbose);

#endif
