// SPDX-License-Identifier: Apache-2.0
// Inputs of a whole program that the user has (--seed-input): real files as standard input
// or as the first --file, and arguments. They run first, and the search goes on from them.
#ifndef CZ_INPUTS_SEEDS_H
#define CZ_INPUTS_SEEDS_H

#include "base/vec.h"
#include "harness/harness.h"
#include "program/places.h"

struct seed {
    const char *name; // of its file
    const char *content;
    size_t length;
    bool has_content; // else only arguments
    const char **args;
    size_t arg_count;
};

struct seeds {
    struct input_root root; // that gets the contents; INPUT_NOWHERE: none
    unsigned bytes;         // that fit it
    unsigned arg_count, arg_length;
    VEC(struct seed) list;   // by name
    VEC(const char *) notes; // what does not fit
};

// Read the directory: x and x.args (one argument per line) are one seed; either may be
// missing. Sub-directories and hidden files are left out. Strings live in the arena.
bool seeds_load(struct seeds *seeds, const char *directory, const struct harness_program *program,
                struct arena *arena, struct error *err);
void seeds_release(struct seeds *seeds);

// Write a seed into an input vector, as far as its places exist already. Places are made
// by running, so run the input and ask again until it no longer changes (*changed).
void seeds_apply(const struct seeds *seeds, const struct seed *seed, const struct places *places,
                 struct buf *input, bool *changed);

#endif
