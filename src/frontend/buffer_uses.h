// SPDX-License-Identifier: Apache-2.0
// What a function's body does with pointers and the numbers that may be their lengths: facts for
// exact_lengths.c (parameters) and exact_members.c (members of records), which draw different
// conclusions from them. Variables, parameters and members are holders.
#ifndef CZ_FRONTEND_BUFFER_USES_H
#define CZ_FRONTEND_BUFFER_USES_H

#include "frontend/frontend_internal.h"

struct holder_pair {
    size_t first, second;
};

struct buffer_use { // of a pointer with a length, or with an end
    enum pair_kind kind;
    size_t pointer, other;
    bool is_vague; // p += k with n -= k, or a sum that is not named as an end
};

struct handed_pointer { // a call that gets it, of a function that is not like memcpy()
    size_t pointer;
    size_t callee, at; // callee: SIZE_MAX if it is not known
    struct node *call, *argument;
};

struct buffer_uses {
    struct frontend *fe;
    VEC(struct buffer_use) list;
    VEC(struct handed_pointer) handed;
    VEC(struct holder_pair) copies; // variable, what it is set to; HOLDER_NONE: something else
    VEC(struct holder_pair) beyond; // pointer, bound: an index from 1, perhaps, up to the bound
    VEC(struct holder_pair) past;   // p <= end: the last element, perhaps
    VEC(size_t) doubts;             // pointers: something speaks against any length
    VEC(size_t) terminated;         // pointers to characters: a NUL is written
    VEC(size_t) set;                // to something other than 0 or a difference
    VEC(size_t) grown;              // n++, n += k, n = n + k
    VEC(size_t) changed;            // are set, or stepped
};

struct buffer_uses buffer_uses_collect(struct frontend *fe, struct node *body);
void buffer_uses_release(struct buffer_uses *uses);

// The variable, parameter or member that an expression is on its own, also as p++; or HOLDER_NONE.
size_t buffer_uses_named(struct frontend *fe, struct node *node);

bool buffer_uses_changes(const struct buffer_uses *uses, size_t holder);

#endif
