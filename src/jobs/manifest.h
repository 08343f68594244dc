// SPDX-License-Identifier: Apache-2.0
// A piece of work as data: test this file, compiled so, with these options. It is the record
// "manifest" (base/record.h) of a directory that is made under another name and becomes the result
// by being renamed when all is in it. The process that does the work reads it, and adds what the
// result turned out to depend on. So a result can be told from one that is not what the same order
// would give today: only one that is gets taken over by --resume.
#ifndef CZ_JOBS_MANIFEST_H
#define CZ_JOBS_MANIFEST_H

#include "base/record.h"
#include "options/options.h"

// What a result depends on that is in no order: hashes.
struct manifest_knowledge {
    bool known;             // the work is done
    uint64_t project;       // facts_digest() of all files
    uint64_t preconditions; // the text of the project's file
    uint64_t unit;          // unit_digest()
    bool judged_calls;      // those that other files make were judged, so these matter, too:
    uint64_t calls;         // facts_calls_digest()
};

struct manifest {
    const char *cadenza;    // its version ...
    uint32_t results;       // ... and that of its databases
    const char *name;       // of the file, as reports call it
    const char *source;     // its absolute path
    const char *home;       // directory of the project
    const char *problem;    // why it cannot be tested, or ""
    const char *flags_note; // what was dropped of its flags, or ""
    const char *const *flags;
    size_t flag_count;
    bool all_tasks;           // else these:
    const char *const *tasks; // names
    size_t task_count;
    struct options options;
    uint64_t seed_test; // hash of the text of --seed-test
    struct manifest_knowledge knowledge;
};
extern const struct record_type manifest_record;

// Fills cadenza, results and seed_test from the rest.
void manifest_complete(struct manifest *manifest);

// Of a directory. Texts and lists are in the arena.
bool manifest_save(const struct manifest *manifest, const char *directory, struct error *err);
bool manifest_load(struct manifest *manifest, const char *directory, struct arena *arena,
                   struct error *err);

// Do both ask for the same? How many workers are to do it at a time (--jobs) is no difference.
bool manifest_same_order(const struct manifest *a, const struct manifest *b);

// Has nothing at all changed that `done` may have depended on, besides its own files
// (unit/source_hashes.h)? `now` needs only `project` and `preconditions`.
bool manifest_is_untouched(const struct manifest *done, const struct manifest *now);

// Would `now` have the result of `done`? It needs `unit`, and `calls` if `done` judged them.
bool manifest_is_same_work(const struct manifest *done, const struct manifest *now);

#endif
