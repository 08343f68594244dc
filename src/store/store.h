// SPDX-License-Identifier: Apache-2.0
// The store of a result: cadenza.db, an SQLite database. What is written loads back into a result
// that reports cannot tell from that of the run, be it of one file or of a project, finished or
// interrupted. docs/formats.md describes the tables.
//
// A store has a version (PRAGMA user_version). One of another version, a damaged one and what is
// none at all are refused with a sentence that says what to do; nothing is guessed.
#ifndef CZ_STORE_H
#define CZ_STORE_H

#include "base/error.h"
#include "result/result.h"

#define STORE_VERSION 14

// Write an aggregated result of one file. A whole file replaces an older one in one step.
bool store_write(const struct result *result, const char *path, struct error *err);

// Read a result and aggregate it. `out` is initialised in any case, and the caller releases it.
bool store_load(const char *path, struct result *out, struct error *err);

// The store of a project is a merge of its files' stores: their rows, with ids shifted, and paths
// of tests relative to the project's directory. Each file is added in one transaction, at a cost
// that depends on that file alone. The result that is loaded has its parts sorted by directory: it
// does not depend on the order in which they were added.
struct store_project {     // what no file says
    const char *version;   // of the program that writes it
    const char *directory; // as the user named it
    exit_set exits;        // because of files that failed, or because there is none
    bool unfinished;       // more files are to come
    double setup_seconds;  // of the processor, before the first file
};
bool store_begin_project(const char *path, struct error *err);
bool store_describe_project(const char *path, const struct store_project *project,
                            struct error *err);
// `directory`: the file's run directory, relative to the project's; `name`: as the project calls
// the file. Nothing changes if its store cannot be read.
bool store_merge(const char *path, const char *directory, const char *name, struct error *err);
// A file that could not be tested.
bool store_add_failure(const char *path, const char *text, struct error *err);

#endif
