// SPDX-License-Identifier: Apache-2.0
// The files of a project and how they are compiled, from a compile_commands.json. Flags
// of other compilers are translated or dropped; what was dropped and might matter is said
// in a note. Paths in flags are made absolute, because we do not compile in the build's
// directory.
#ifndef CZ_PROJECT_H
#define CZ_PROJECT_H

#include "base/arena.h"
#include "base/error.h"
#include "base/vec.h"

struct project_file {
    const char *path;         // absolute
    const char *name;         // relative to the project's root where it lies below it
    const char *const *flags; // NULL-terminated
    const char *note;         // "dropped -mcpu=cortex-m4, ..." or NULL
};

struct project {
    struct arena arena;
    const char *root; // absolute directory of the compilation database
    const char *model; // of project_load
    VEC(struct project_file) files; // C files, each once, in the database's order
    VEC(const char *) notes;
};

// `path` is a compile_commands.json or a directory that holds one. Entries that are not C
// are left out with a note. `model`: see project_apply_model. False when there is none, it is
// malformed, or lists no C file.
bool project_load(const char *path, const char *model, struct project *project, struct error *err);
void project_release(struct project *project);

// Find a file by absolute path, relative path or the end of its name ("src/a.c"); NULL
// when there is none or when the name is ambiguous.
const struct project_file *project_find(const struct project *project, const char *name);

// ---- parts, for tests ----

// Split a shell command into words (quotes and backslashes as in POSIX sh).
void project_split(const char *command, struct arena *arena, const char ***words, size_t *count);

// The flags that matter for compiling C with clang, from a command's words.
const char *const *project_flags(const char *const *words, size_t count, const char *directory,
                                 const char *model, struct arena *arena, const char **note);

// machine.c: flags of other machines. `with_compiler`: words[0] is the compiler's name.
#define PROJECT_ILP32 "; long and pointers have 32 bits, as there"
#define PROJECT_SMALL "; long and pointers have 32 bits, and so has int, unlike there"
#define PROJECT_LP64 "; built for this machine: long and pointers have 64 bits here, not 32"
bool project_is_machine_flag(const char *word);
// The data model that a command asks for, of which `model` (lp64, ilp32, auto) decides.
struct project_model {
    bool narrow;       // ilp32
    bool as_arm;       // with 64-bit members at multiples of eight bytes, and char unsigned
    bool short_enums;  // enums are as small as their values allow
    const char *words; // for a note: one of the above, "" when there is nothing to say
};
struct project_model project_choose_model(const char *const *words, size_t count,
                                          bool with_compiler, const char *model);
// The flags that stand for it in place of -m32, -m64 and -mx32; NULL-terminated.
const char *const *project_apply_model(const char *const *flags, struct project_model model,
                                       struct arena *arena);
// What is left of flags (NULL-terminated) without those of other machines, with the data model;
// the note says which went, or is NULL.
const char *const *project_native_flags(const char *const *flags, const char *model,
                                        struct arena *arena, const char **note);

#endif
