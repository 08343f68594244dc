// SPDX-License-Identifier: Apache-2.0
// What is known of compiler flags: the table of flags.def, which says what the words mean. Flags
// of the user go through project_translate() once, which drops what our clang must not see; what
// is left is chosen from for each build.
#ifndef CZ_FLAGS_H
#define CZ_FLAGS_H

#include "base/arena.h"
#include <stdbool.h>
#include <stddef.h>

struct flag_list { // a VEC
    const char **items;
    size_t count, room;
};

// ---- flags of the user ----

enum flag_fate {
    FLAG_LISTED, // also what is in no line of the table
    FLAG_KEPT,
    FLAG_SOURCE,
    FLAG_MODEL,
    FLAG_SPLIT,
    FLAG_DROPPED,
};

enum flag_value { FLAG_ALONE, FLAG_NEXT, FLAG_PATH };

enum flag_machine {
    FLAG_NARROW = 1,
    FLAG_SMALL = 2,
    FLAG_ARM = 4,
    FLAG_SHORT_ENUMS = 8,
};

struct flag {
    const char *pattern; // "" of what is in no line
    enum flag_fate fate;
    enum flag_value value;
    unsigned machine; // enum flag_machine
    const char *as;   // what to say instead, or NULL
};

// Never NULL.
const struct flag *flag_find(const char *word);
// The length of the pattern without *, behind which a value may be joined.
size_t flag_length(const struct flag *flag);
// Does the next word belong to this one?
bool flag_takes_next(const struct flag *flag, const char *word);

// What the flags say of the machine, and what a compiler's name does.
unsigned flags_machine(const char *const *words, size_t count);
unsigned flags_compiler_machine(const char *path);

// Of translated flags (NULL-terminated, or NULL), those for preprocessing and for clean builds of
// the original file. Appended; they point to the user's strings. Words that are no flags name files
// and are left out.
void flags_of_source(const char *const *user, struct flag_list *out);

// Whole lists for preprocessing a file, and for compiling the preprocessed text: the user's, and
// our own. Macros and include paths are applied by the first, and optimisation, debugging, warnings
// and instrumentation are chosen by whoever compiles the text. NULL-terminated, in the arena.
const char **flags_for_preprocessing(struct arena *arena, const char *const *user);
const char **flags_for_text(struct arena *arena, const char *const *user);
size_t flags_count(const char *const *flags);

// May `inline` functions of other files be used, as in GNU C before C99?
bool flags_gnu89_inline(const char *const *flags);

// ---- our own ----

enum flags_build {
    FLAGS_PREPROCESS = 1,
    FLAGS_TEXT = 2,
    FLAGS_ENGINE = 4,
    FLAGS_MODELS = 8, // of the Makefile
    FLAGS_FACTS = 16,
    FLAGS_CLEAN = 32,
    FLAGS_COVERAGE = 64,
    FLAGS_SANITIZED = 128,
    FLAGS_MEMORY = 256,
    FLAGS_LINK = 512,
    FLAGS_CHECKS = 1024,
    FLAGS_LENIENT = 2048,
};

#define FLAGS_CADENZA "-D__CADENZA__=1"
#define FLAGS_WRAP    "-fwrapv" // signed arithmetic wraps around

// Append the flags that one of these builds has.
void flags_ours(enum flags_build build, struct flag_list *out);
// Append the flags of 32-bit pointers.
void flags_ilp32(struct flag_list *out);
// The list, NULL-terminated, in the arena; it is released.
const char **flags_finish(struct flag_list *list, struct arena *arena);

#endif
