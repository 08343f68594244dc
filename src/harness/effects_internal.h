// SPDX-License-Identifier: Apache-2.0
// Shared by the files that write what stubs change.
#ifndef CZ_HARNESS_EFFECTS_INTERNAL_H
#define CZ_HARNESS_EFFECTS_INTERNAL_H

#include "harness/effects.h"

// Something that is written: how C and the test name it, and how its members are reached.
struct object {
    const char *lvalue;  // "g", "(*a0)"
    const char *prefix;  // of members: "g.", "a0->"
    const char *link;    // cz_field or cz_arrow
    const char *path;    // of the object; of the pointer when link is cz_arrow
    const char *whole;   // path when it is filled as a whole and has no members
    const char *pointer; // the pointer that it is behind, or NULL
    const struct type *type;
    uint64_t slot;
};

struct ranges {
    const struct facts_write *items;
    size_t count;
};

struct writer {
    struct scope *s;
    const struct function *function;
    const struct facts_function *facts;
    const char *call; // the variable that holds the place of this call
    bool apart;       // code is written for a function of its own (changes.c)
    struct buf told;  // what the note says
    bool writes, partial;
};

// effects_objects.c
struct arena *effects_arena(const struct writer *w);
const char *effects_argument(struct writer *w, size_t index);        // the stub's: a0
const char *effects_parameter(const struct writer *w, size_t index); // the user's: out
const char *effects_path(struct writer *w, size_t index);            // C: its place
bool effects_is_target(const struct type *type); // a pointer to what can be written
struct object effects_behind(struct writer *w, const char *pointer, const char *path,
                             const struct type *type);
struct object effects_member(struct writer *w, const struct object *in, const struct type *record,
                             size_t index);
struct object effects_element(struct writer *w, const struct object *in, uint64_t index);
// The pointer that the steps of a way lead to, and what must not be NULL for that.
bool effects_follow(struct writer *w, struct object start, const int64_t *steps, size_t count,
                    struct object *pointer, struct buf *guard);
// ... of a way that begins at a parameter.
bool effects_follow_parameter(struct writer *w, const struct facts_way *way, struct object *pointer,
                              struct buf *guard);

// effects.c: a variable that this unit's functions refer to; false: they do not.
bool effects_global(struct writer *w, const struct facts_way *way, struct object *out);

// effects_fill.c
bool effects_cover(const struct ranges *r, int64_t base, uint64_t bits);
void effects_fill(struct writer *w, const struct object *o, const struct ranges *r, int64_t base);
void effects_fill_behind(struct writer *w, const struct object *pointer, const char *name,
                         const struct ranges *r, bool direct);

#endif
