// SPDX-License-Identifier: Apache-2.0
#include "inputs/call_growth.h"

#include <string.h>

static uint8_t *room_for(const struct wire_place *place, struct buf *input)
{
    while (input->length < place->offset + (size_t)places_size(place))
        buf_putc(input, 0);
    return (uint8_t *)input->data + place->offset;
}

unsigned call_growth_count(unsigned least, const struct places *places,
                           const struct places_index *index, const struct buf *input)
{
    uint32_t id = places_find(index, input_root_word(INPUT_MORE_CALLS).name);
    if (!id)
        return 0;
    size_t at = places->table[id].offset;
    return least + (at < input->length ? (uint8_t)input->data[at] : 0);
}

// The same input of another call; 0: there is none.
static uint32_t find_in_call(const struct places_index *index, struct input_path path,
                             unsigned call, struct buf *text)
{
    path.root.call = call;
    buf_clear(text);
    input_path_print(&path, text);
    return places_find(index, buf_text(text));
}

static bool copy_place(const struct wire_place *from, const struct wire_place *to,
                       struct buf *input)
{
    if (from->type != to->type || places_size(from) != places_size(to) ||
        from->offset + (size_t)places_size(from) > input->length)
        return false;
    uint8_t *target = room_for(to, input);
    memcpy(target, input->data + from->offset, places_size(to));
    return true;
}

bool call_growth_repeat(const struct call_growth_run *run, unsigned calls, bool all,
                        struct buf *input)
{
    struct buf text = BUF_INIT;
    struct arena arena;
    unsigned from = run->last;
    bool any = false;
    arena_init(&arena);
    for (size_t i = 0; i < run->use_count; i++) {
        struct input_path path;
        places_input(run->places, run->uses[i], &arena, &path);
        for (unsigned to = all ? 1 : from + 1; to <= calls; to++) {
            bool moves = to != from && path.root.call == from;
            uint32_t id = moves ? find_in_call(run->index, path, to, &text) : 0;
            if (id && id != run->uses[i])
                any |=
                    copy_place(&run->places->table[run->uses[i]], &run->places->table[id], input);
        }
    }
    arena_release(&arena);
    buf_release(&text);
    return any;
}
