// SPDX-License-Identifier: Apache-2.0
// Shared by the files of this folder: the entries of a compilation database, of which a file
// may have several.
#ifndef CZ_PROJECT_INTERNAL_H
#define CZ_PROJECT_INTERNAL_H

#include "base/map.h"
#include "project/project.h"

struct entry {
    struct project_file file;
    const char *output; // the object file, or NULL
    size_t next;        // of the same file, plus one; 0: the last
};

struct file_entries {
    size_t first, last; // in the list of all
    size_t count;
    size_t used; // which, from 1
    bool chosen; // by the user
};

struct entries {
    VEC(struct entry) all;          // in the database's order
    VEC(struct file_entries) files; // of each file of the project
    struct map by_path;             // -> the file's number
};

void entries_init(struct entries *entries);
void entries_release(struct entries *entries);

// The first entry of a file adds it to the project.
void entries_add(struct entries *entries, struct project *project, const struct project_file *file,
                 const char *output);

// Which entry each file of the project is compiled by, with notes on those that might be
// meant instead. False: request->entries asks for one that is not there.
bool entries_choose(struct entries *entries, struct project *project,
                    const struct project_request *request, struct error *err);

#endif
