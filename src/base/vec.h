// SPDX-License-Identifier: Apache-2.0
// Growing arrays without ceremony:
//
//     struct { struct leaf *items; size_t count, room; } leaves = {0};
//     *VEC_PUSH(&leaves) = (struct leaf){...};
//     VEC_RELEASE(&leaves);
#ifndef CZ_BASE_VEC_H
#define CZ_BASE_VEC_H

#include <stddef.h>
#include <stdlib.h>

#define VEC(type)                                                                                  \
    struct {                                                                                       \
        type *items;                                                                               \
        size_t count, room;                                                                        \
    }

// Make room for one more zeroed item and return its address.
#define VEC_PUSH(vec)                                                                              \
    (vec_reserve((void **)&(vec)->items, &(vec)->room, (vec)->count + 1, sizeof *(vec)->items),    \
     &(vec)->items[(vec)->count++])
#define VEC_RESERVE(vec, total)                                                                    \
    vec_reserve((void **)&(vec)->items, &(vec)->room, (total), sizeof *(vec)->items)
#define VEC_RELEASE(vec) (free((vec)->items), (vec)->items = NULL, (vec)->count = (vec)->room = 0)

// Grow to at least `total` items; new room is zeroed.
void vec_reserve(void **items, size_t *room, size_t total, size_t item_size);

#endif
