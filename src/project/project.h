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
    VEC(struct project_file) files; // C files, each once, in the database's order
    VEC(const char *) notes;
};

// `path` is a compile_commands.json or a directory that holds one. Entries that are not C
// are left out with a note. False when there is none, it is malformed, or lists no C file.
bool project_load(const char *path, struct project *project, struct error *err);
void project_release(struct project *project);

// Find a file by absolute path, relative path or the end of its name ("src/a.c"); NULL
// when there is none or when the name is ambiguous.
const struct project_file *project_find(const struct project *project, const char *name);

// ---- parts, for tests ----

// Split a shell command into words (quotes and backslashes as in POSIX sh).
void project_split(const char *command, struct arena *arena, const char ***words, size_t *count);

// The flags that matter for compiling C with clang, from a command's words.
const char *const *project_flags(const char *const *words, size_t count, const char *directory,
                                 const char *source, struct arena *arena, const char **note);

// machine.c: flags of other machines. `with_compiler`: words[0] is the compiler's name.
#define PROJECT_NARROW "; built for this machine: long and pointers have 64 bits here, not 32"
bool project_is_machine_flag(const char *word);
bool project_is_narrow(const char *const *words, size_t count, bool with_compiler);
// What is left of flags (NULL-terminated) without those; the note says which went, or is NULL.
const char *const *project_native_flags(const char *const *flags, struct arena *arena,
                                        const char **note);

#endif
