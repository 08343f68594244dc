// SPDX-License-Identifier: Apache-2.0
#include "harness/counts.h"

#include "base/arena.h"
#include "base/tunables.h"
#include <assert.h>

static struct count count_of(struct count_line line)
{
    return (struct count){.lines = 1, .line = {line}};
}

struct count count_fixed(uint64_t number)
{
    return count_of((struct count_line){.plus = number});
}

struct count count_bounded(uint64_t start, uint64_t most)
{
    if (most <= start)
        return count_fixed(start);
    return count_of((struct count_line){.times = 1, .least = start, .most = most});
}

struct count count_plus(struct count count, uint64_t more)
{
    for (unsigned i = 0; i < count.lines; i++)
        count.line[i].plus += more;
    return count;
}

struct count count_times(struct count count, uint64_t factor)
{
    for (unsigned i = 0; i < count.lines; i++) {
        count.line[i].plus *= factor;
        count.line[i].times *= factor;
    }
    return count;
}

static uint64_t value_at(const struct count_line *line, uint64_t bound)
{
    uint64_t held = bound < line->least ? line->least : bound > line->most ? line->most : bound;
    return line->plus + line->times * held;
}

static uint64_t smallest_at(const struct count *count, uint64_t bound)
{
    uint64_t smallest = count->lines ? value_at(&count->line[0], bound) : 0;
    for (unsigned i = 1; i < count->lines; i++) {
        uint64_t value = value_at(&count->line[i], bound);
        smallest = value < smallest ? value : smallest;
    }
    return smallest;
}

bool count_is_fixed(struct count count)
{
    for (unsigned i = 0; i < count.lines; i++)
        if (count.line[i].times)
            return false;
    return true;
}

uint64_t count_start(struct count count)
{
    return smallest_at(&count, 0);
}

uint64_t count_most(struct count count)
{
    return smallest_at(&count, UINT64_MAX);
}

struct count count_limit(struct count count, uint64_t limit)
{
    if (count_most(count) <= limit)
        return count;
    uint64_t start = count_start(count);
    if (start >= limit)
        return count_fixed(start);
    if (count.lines > 1)
        return count_smaller(count, count_fixed(limit));
    struct count_line *line = &count.line[0];
    line->most = (limit - line->plus) / line->times;
    assert(line->most >= line->least && count_most(count) <= limit);
    return line->most > line->least ? count : count_fixed(start);
}

// Between the bounds at which one of them begins or ends to grow, both are straight lines.
static bool line_covers(const struct count_line *a, const struct count_line *b)
{
    const uint64_t bounds[] = {a->least, a->most, b->least, b->most};
    for (unsigned i = 0; i < sizeof bounds / sizeof *bounds; i++)
        if (value_at(a, bounds[i]) < value_at(b, bounds[i]))
            return false;
    return true;
}

static bool is_covering(const struct count_line *line, struct count count)
{
    for (unsigned i = 0; i < count.lines; i++)
        if (line_covers(line, &count.line[i]))
            return true;
    return false;
}

// No less than the smallest of some lines: no less than one of them. (A line that is so only by
// changing between them is not found.)
bool count_covers(struct count a, struct count b)
{
    for (unsigned i = 0; i < a.lines; i++)
        if (!is_covering(&a.line[i], b))
            return false;
    return true;
}

// A number and one element after the other: one line is enough.
static bool is_limited_by(struct count a, struct count b)
{
    return a.lines == 1 && a.line[0].times == 1 && b.lines == 1 && b.line[0].times == 0 &&
           count_start(a) < count_start(b);
}

// Lines that are never the smallest are left out.
struct count count_smaller(struct count a, struct count b)
{
    if (is_limited_by(a, b))
        return count_limit(a, count_start(b));
    if (is_limited_by(b, a))
        return count_limit(b, count_start(a));
    struct count smaller = b;
    for (unsigned i = 0; i < a.lines; i++) {
        if (is_covering(&a.line[i], smaller))
            continue;
        struct count kept = {.lines = 0};
        for (unsigned k = 0; k < smaller.lines; k++)
            if (!line_covers(&smaller.line[k], &a.line[i]))
                kept.line[kept.lines++] = smaller.line[k];
        if (kept.lines == HARNESS_COUNT_LINES) { // no length belongs to that many buffers
            uint64_t first = count_start(a), second = count_start(b);
            return count_fixed(first < second ? first : second);
        }
        kept.line[kept.lines++] = a.line[i];
        smaller = kept;
    }
    return smaller;
}

static const char *line_text(struct arena *arena, const struct count_line *line)
{
    if (line->times == 0)
        return arena_printf(arena, "%llu", (unsigned long long)line->plus);
    const char *text =
        arena_printf(arena, "cz_elements(%llu, %llu)", (unsigned long long)line->least,
                     (unsigned long long)line->most);
    if (line->times > 1)
        text = arena_printf(arena, "%llu * %s", (unsigned long long)line->times, text);
    if (line->plus)
        text = arena_printf(arena, "%s + %llu", text, (unsigned long long)line->plus);
    return line->times > 1 || line->plus ? arena_printf(arena, "(%s)", text) : text;
}

static const char *smaller_text(struct arena *arena, const char *a, const char *b)
{
    return arena_printf(arena, "(%s < %s ? %s : %s)", a, b, a, b);
}

const char *count_text(struct arena *arena, struct count count)
{
    const char *text = line_text(arena, &count.line[0]);
    for (unsigned i = 1; i < count.lines; i++)
        text = smaller_text(arena, text, line_text(arena, &count.line[i]));
    return text;
}

const char *count_spoken(struct arena *arena, struct count count)
{
    return arena_printf(arena, "%llu%s", (unsigned long long)count_start(count),
                        count_is_fixed(count) ? "" : " (--elements)");
}
