// SPDX-License-Identifier: Apache-2.0
#include "harness/counts.h"

#include "base/arena.h"
#include <assert.h>

struct count count_fixed(uint64_t number)
{
    return (struct count){.plus = number};
}

struct count count_bounded(uint64_t start, uint64_t most)
{
    if (most <= start)
        return count_fixed(start);
    return (struct count){.times = 1, .least = start, .most = most};
}

struct count count_plus(struct count count, uint64_t more)
{
    count.plus += more;
    return count;
}

struct count count_times(struct count count, uint64_t factor)
{
    count.plus *= factor;
    count.times *= factor;
    return count;
}

bool count_is_fixed(struct count count)
{
    return count.times == 0;
}

static uint64_t value_at(struct count count, uint64_t bound)
{
    uint64_t held = bound < count.least ? count.least : bound > count.most ? count.most : bound;
    return count.plus + count.times * held;
}

uint64_t count_start(struct count count)
{
    return value_at(count, count.least);
}

uint64_t count_most(struct count count)
{
    return value_at(count, count.most);
}

struct count count_limit(struct count count, uint64_t limit)
{
    if (count_most(count) <= limit)
        return count;
    uint64_t start = count_start(count);
    if (start >= limit)
        return count_fixed(start);
    count.most = (limit - count.plus) / count.times;
    assert(count.most >= count.least && count_most(count) <= limit);
    return count.most > count.least ? count : count_fixed(start);
}

// Between the bounds at which one of them begins or ends to grow, both are straight lines.
bool count_covers(struct count a, struct count b)
{
    const uint64_t bounds[] = {a.least, a.most, b.least, b.most};
    for (unsigned i = 0; i < sizeof bounds / sizeof *bounds; i++)
        if (value_at(a, bounds[i]) < value_at(b, bounds[i]))
            return false;
    return true;
}

struct count count_smaller(struct count a, struct count b)
{
    if (count_covers(b, a))
        return a;
    if (count_covers(a, b))
        return b;
    uint64_t first = count_start(a), second = count_start(b);
    return count_fixed(first < second ? first : second);
}

const char *count_text(struct arena *arena, struct count count)
{
    if (count_is_fixed(count))
        return arena_printf(arena, "%llu", (unsigned long long)count.plus);
    const char *text =
        arena_printf(arena, "cz_elements(%llu, %llu)", (unsigned long long)count.least,
                     (unsigned long long)count.most);
    if (count.times > 1)
        text = arena_printf(arena, "%llu * %s", (unsigned long long)count.times, text);
    if (count.plus)
        text = arena_printf(arena, "%s + %llu", text, (unsigned long long)count.plus);
    return count.times > 1 || count.plus ? arena_printf(arena, "(%s)", text) : text;
}

const char *count_spoken(struct arena *arena, struct count count)
{
    return arena_printf(arena, "%llu%s", (unsigned long long)count_start(count),
                        count_is_fixed(count) ? "" : " (--elements)");
}
