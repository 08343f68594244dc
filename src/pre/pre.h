// SPDX-License-Identifier: Apache-2.0
// Preconditions of tasks as text: one per line, in a file of the user's project
// (cadenza.pre) and, with the calls that the project makes, in a run directory
// (preconditions.txt). docs/formats.md has the format:
//
//     precondition adjust: p != NULL
//     rejected precondition drive.c:fill: len <= count(buffer) // out of bounds at drive.c:33
//         violates main.c:40 in start: len is 300
//
// The expression is C, over the parameters of the function and what its file knows; nobody
// here looks into it. Without a state a precondition is confirmed: somebody wrote it.
#ifndef CZ_PRE_H
#define CZ_PRE_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/vec.h"
#include <stdint.h>

enum pre_state { PRE_CONFIRMED, PRE_INFERRED, PRE_REJECTED };
enum pre_respect { PRE_VIOLATES, PRE_MAY_VIOLATE, PRE_RESPECTS };

struct pre_site { // a call of the function
    enum pre_respect respect;
    const char *text; // "main.c:40 in start: len is 300"
};

struct precondition {
    enum pre_state state;
    const char *file; // the function is in a file of this name, or NULL: in any
    const char *function, *expression;
    const char *origin; // why it was inferred, "" without
    uint32_t line;      // in its file, from 1
    VEC(struct pre_site) sites;
};

struct pre_list {
    struct arena arena;       // of the texts
    const char *path;         // as errors name it
    const char *project_file; // of a run directory: the file that the user keeps, or NULL
    VEC(struct precondition) items;
};

void pre_init(struct pre_list *list);
void pre_release(struct pre_list *list);

// Add the preconditions of a text. An error names the line and what should stand there.
bool pre_parse(struct pre_list *list, const char *path, const char *text, struct error *err);
// The same from a file; one that is not there has none.
bool pre_load(struct pre_list *list, const char *path, struct error *err);

// Is it about this function of this file (a path)?
bool pre_applies(const struct precondition *pre, const char *function, const char *file);
// The precondition of the list that says the same, or NULL. Spaces do not count.
const struct precondition *pre_find(const struct pre_list *list, const struct precondition *like);

// A name for people to type, of 6 digits; the same wherever the precondition stands.
#define PRE_ID 7
void pre_id(const struct precondition *pre, char id[PRE_ID]);

const char *pre_state_name(enum pre_state state);
const char *pre_respect_name(enum pre_respect respect);
// Does every call respect it, and is there one?
bool pre_is_respected(const struct precondition *pre);

// One line, with its calls if `sites`.
void pre_write(const struct precondition *pre, bool sites, struct buf *out);

// Enter a state into the text of a file: the line of the same precondition changes, or one
// is added at the end. Everything else stays as it is.
void pre_edit(const char *text, const struct precondition *pre, struct buf *out);

#endif
