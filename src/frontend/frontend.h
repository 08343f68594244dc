// SPDX-License-Identifier: Apache-2.0
// From a C file to a struct program: preprocess with clang -E, keep the line
// table, parse with libclang, find tasks and branch points, wrap every leaf
// condition and switch by text insertion. The only user of libclang.
//
// The wrapped text declares and calls
//     _Bool __cz_cond(unsigned id, _Bool value);                 // id: branch id
//     int   __cz_switch_i(unsigned id, int value);               // id: switch id
//     (and _u, _l, _ul, _ll, _ull: unsigned, long, ... after promotion)
// which return their second argument and are replaced by the instrumenter.
#ifndef CZ_FRONTEND_H
#define CZ_FRONTEND_H

#include "base/buf.h"
#include "base/error.h"
#include "base/map.h"
#include "base/vec.h"
#include "program/program.h"

// The numbers of branches and switches that the files of a unit share: each file goes on
// where the last one ended. A function in a header has the same numbers in every file
// that includes it, as long as it reads the same there, so that its goals are listed once.
struct frontend_copy {
    size_t branch, branches, switch_id, switches;
};
struct frontend_numbers {
    size_t branches, switches; // given out
    struct map copies;         // text and place of a header's function -> its number in `firsts`
    VEC(struct frontend_copy) firsts;
    VEC(bool) folded; // per branch
};
void frontend_numbers_init(struct frontend_numbers *numbers);
void frontend_numbers_release(struct frontend_numbers *numbers);

struct frontend_request {
    const char *source;               // the user's file
    const char *const *flags;         // compiler flags, NULL-terminated (may be NULL)
    const char *clang;                // path of the clang driver
    const char *const *task_names;    // only these tasks (NULL-terminated), or NULL for all
    bool static_tasks;                // static functions are tasks too
    bool interleave;                  // handlers of interrupts come between calls of tasks
    bool alone;                       // functions of the file that others call are stubs there
    struct frontend_numbers *numbers; // of the unit; NULL: this file alone
    // Is a function that the file defines, or declares without the help of a system header,
    // another one than the C library's of this name? NULL: nobody knows.
    bool (*is_own)(const void *context, const char *name, bool defined);
    const void *own_context;
};

// Fills a program that program_init has prepared; release it also after a failure.
// On failure (ERROR_SOURCE) err->text holds clang's own messages. A task name that
// does not exist is ERROR_USAGE and lists the names there are. `main` and static
// functions are tasks only when named (or static_tasks).
bool frontend_parse(const struct frontend_request *request, struct program *program,
                    struct error *err);

// The functions and variables with external linkage that a file defines (main among
// them), in the arena. Only source, flags and clang of the request count. False when it
// cannot be preprocessed.
bool frontend_symbols(const struct frontend_request *request, struct arena *arena,
                      const char ***names, size_t *count, struct error *err);

// The preprocessed text of a file with everything replaced that clang does not know, and
// the flags to compile it with; in the arena. Counts: as for frontend_symbols.
bool frontend_text(const struct frontend_request *request, struct arena *arena, const char **text,
                   const char *const **flags, struct error *err);

// These texts with the macros of the source expanded (and NULL), in the arena. A file is
// written at `path` for it. Only source, flags and clang of the request count.
bool frontend_expand(const struct frontend_request *request, const char *const *texts, size_t count,
                     const char *path, struct arena *arena, const char **out, struct error *err);

// Everything the program holds except its texts, appended as text for debugging.
void frontend_dump(const struct program *program, struct buf *out);

#endif
