// SPDX-License-Identifier: Apache-2.0
#include "campaign/call_growth.h"

#include <stdio.h>
#include <string.h>

// Iterations without gain after which one more call is worth trying, at first and later.
enum { STALE = 200, STALE_GROWN = 100 };

void call_growth_init(struct call_growth *growth, bool keeps_state, unsigned least, unsigned most)
{
    *growth = (struct call_growth){.least = least, .calls = least, .most = keeps_state ? most : 0};
}

bool call_growth_is_most(const struct call_growth *growth)
{
    return growth->calls >= growth->most && growth->most >= growth->least;
}

bool call_growth_is_due(const struct call_growth *growth, bool open, uint64_t iteration,
                        uint64_t last_gain)
{
    uint64_t from = growth->since > last_gain ? growth->since : last_gain;
    uint64_t patience = growth->calls > growth->least ? STALE_GROWN : STALE;
    return growth->least < growth->most && (!open || iteration - from >= patience);
}

bool call_growth_next(struct call_growth *growth)
{
    if (growth->calls < growth->most) {
        growth->calls++;
        return true;
    }
    growth->calls = growth->least;
    growth->most = 0;
    return false;
}

static uint8_t *room_for(const struct wire_place *place, struct buf *input)
{
    while (input->length < place->offset + (size_t)places_size(place))
        buf_putc(input, 0);
    return (uint8_t *)input->data + place->offset;
}

unsigned call_growth_apply(const struct call_growth *growth, const struct places *places,
                           const struct places_index *index, struct buf *input)
{
    uint32_t id = places_find(index, "more_calls");
    if (!id)
        return 0;
    uint8_t *more = room_for(&places->table[id], input);
    unsigned before = growth->least + *more;
    *more = (uint8_t)(growth->calls - growth->least);
    return before;
}

// "shape:call3:arg:p" of call 3 is "shape:call2:arg:p" in call 2 and "shape:arg:p" in the
// first. False: it does not belong to call `from`.
static bool rename_call(const char *path, unsigned from, unsigned to, struct buf *out)
{
    char mine[16] = "", other[16] = "";
    if (from > 1)
        snprintf(mine, sizeof mine, "call%u:", from);
    if (to > 1)
        snprintf(other, sizeof other, "call%u:", to);
    size_t prefix = strncmp(path, "shape:", 6) == 0 ? 6 : strncmp(path, "choice:", 7) == 0 ? 7 : 0;
    if (strncmp(path + prefix, mine, strlen(mine)) != 0)
        return false;
    buf_clear(out);
    buf_add(out, path, prefix);
    buf_puts(out, other);
    buf_puts(out, path + prefix + strlen(mine));
    return true;
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

bool call_growth_repeat(const struct call_growth *growth, const struct call_growth_run *run,
                        bool all, struct buf *input)
{
    struct buf path = BUF_INIT, other = BUF_INIT;
    unsigned from = run->last;
    bool any = false;
    for (size_t i = 0; i < run->use_count; i++) {
        buf_clear(&path);
        places_path(run->places, run->uses[i], &path);
        for (unsigned to = all ? 1 : from + 1; to <= growth->calls; to++) {
            uint32_t id = to != from && rename_call(buf_text(&path), from, to, &other)
                              ? places_find(run->index, buf_text(&other))
                              : 0;
            if (id && id != run->uses[i])
                any |=
                    copy_place(&run->places->table[run->uses[i]], &run->places->table[id], input);
        }
    }
    buf_release(&path);
    buf_release(&other);
    return any;
}
