// SPDX-License-Identifier: Apache-2.0
#include "base/vec.h"

#include "base/arena.h"
#include <string.h>

void vec_reserve(void **items, size_t *room, size_t total, size_t item_size)
{
    if (total <= *room)
        return;
    size_t grown = *room ? *room * 2 : 8;
    if (grown < total)
        grown = total;
    *items = xrealloc(*items, grown * item_size);
    memset((char *)*items + *room * item_size, 0, (grown - *room) * item_size);
    *room = grown;
}
