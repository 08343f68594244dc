// SPDX-License-Identifier: Apache-2.0
// The files of a project and how they are compiled, from a compile_commands.json. Flags
// of other compilers are translated or dropped; what was dropped and might matter is kept
// to be said in a note. Paths in flags are made absolute, because we do not compile in the build's
// directory.
#ifndef CZ_PROJECT_H
#define CZ_PROJECT_H

#include "base/arena.h"
#include "base/error.h"
#include "base/vec.h"

// Of long and pointers.
enum project_width {
    PROJECT_WIDTH_AUTO, // as the compiler's flags or name say, else 64
    PROJECT_WIDTH_64,
    PROJECT_WIDTH_32
};

// How a command compiles, as far as it concerns us.
struct project_flags {
    const char *const *flags;   // NULL-terminated, for clang on this machine
    const char *const *dropped; // NULL-terminated: what may matter and is not among them
    const char *model;          // "; long and pointers have 32 bits, as there", or ""
};

struct project_file {
    const char *path;         // absolute
    const char *name;         // relative to the project's root where it lies below it
    const char *const *flags; // NULL-terminated
    struct project_flags how; // where they come from
    const char *problem;      // why its flags are not known, or NULL: it cannot be tested then
};

struct project {
    struct arena arena;
    const char *root;               // absolute directory of the compilation database
    const char *database;           // its path
    enum project_width width;       // of project_load
    VEC(struct project_file) files; // C files, each once, in the database's order
    VEC(const char *) notes;
    VEC(const char *) details; // more notes, for who asks
};

struct project_request {
    const char *path;           // a compile_commands.json or a directory that holds one
    enum project_width width;   // see project_choose_model
    const char *const *entries; // "FILE:N" or "N": which entry of a file that has several
    size_t entry_count;
};

// Entries that are not C or name no file are left out with a note; one whose command cannot be used
// makes a file with a problem. Of several for one file the first is used, with a note if they
// differ. False when there is no database, it is malformed or lists no C file, or there is no such
// entry.
bool project_load(const struct project_request *request, struct project *project,
                  struct error *err);
void project_release(struct project *project);

// Find a file by absolute path, relative path or the end of its name ("src/a.c"); NULL
// when there is none or when the name is ambiguous.
const struct project_file *project_find(const struct project *project, const char *name);

// ---- parts, for tests ----

// project_load for a text; request->path names it in messages and is absolute.
bool project_read(const struct project_request *request, const char *text, size_t length,
                  struct project *project, struct error *err);

// Split a shell command into words (quotes and backslashes as in POSIX sh). False: a quote is not
// closed; its rest is the last word.
bool project_split(const char *command, struct arena *arena, const char ***words, size_t *count);

// The flags that matter for compiling C with clang, from a command's words. `with_compiler`:
// words[0] is the compiler's name, and words that are no flags are files.
void project_translate(const char *const *words, size_t count, bool with_compiler,
                       const char *directory, enum project_width width, struct arena *arena,
                       struct project_flags *out);

// The same for flags that the user gives, relative to the working directory. False: a response
// file is missing.
bool project_given_flags(const char *const *words, size_t count, enum project_width width,
                         struct arena *arena, struct project_flags *out, struct error *err);

// "dropped flags: -mcpu=cortex-m4; long and pointers ...", or NULL when there is nothing to say.
const char *project_flags_note(const struct project_flags *flags, struct arena *arena);

// The data model of machine.c. `with_compiler`: words[0] is the compiler's name.
#define PROJECT_ILP32 "; long and pointers have 32 bits, as there"
#define PROJECT_SMALL "; long and pointers have 32 bits, and so has int, unlike there"
#define PROJECT_LP64  "; built for this machine: long and pointers have 64 bits here, not 32"
// The data model that a command asks for, of which `width` decides.
struct project_model {
    bool narrow;       // ilp32
    bool as_arm;       // with 64-bit members at multiples of eight bytes, and char unsigned
    bool short_enums;  // enums are as small as their values allow
    const char *words; // for a note: one of the above, "" when there is nothing to say
};
struct project_model project_choose_model(const char *const *words, size_t count,
                                          bool with_compiler, enum project_width width);
// The flags that stand for it in place of -m32, -m64 and -mx32; NULL-terminated.
const char *const *project_apply_model(const char *const *flags, struct project_model model,
                                       struct arena *arena);

#endif
