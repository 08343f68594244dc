// SPDX-License-Identifier: Apache-2.0
#include "export/regions.h"

#include <ctype.h>
#include <string.h>

static const char requirement[] = "/* requirement [", code[] = "/* own code [",
                  end_of_code[] = "/* end of own code */";

static bool is_blank(const char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    return !*text;
}

static void add(struct regions *regions, struct region_text item)
{
    if (!is_blank(item.text))
        *VEC_PUSH(&regions->items) = item;
}

static void read_requirement(struct regions *regions, const char *at, struct arena *arena)
{
    const char *key = at + strlen(requirement), *close = strstr(key, "]:");
    const char *end = close ? strstr(close, "*/") : NULL;
    if (!end)
        return;
    add(regions,
        (struct region_text){.key = arena_strndup(arena, key, (size_t)(close - key)),
                             .text = arena_strndup(arena, close + 2, (size_t)(end - close - 2)),
                             .is_requirement = true});
}

static void read_code(struct regions *regions, const char *at, struct arena *arena)
{
    const char *key = at + strlen(code), *close = strstr(key, "] */\n");
    const char *start = close ? close + strlen("] */\n") : NULL;
    const char *end = start ? strstr(start, end_of_code) : NULL;
    if (!end)
        return;
    while (end > start && end[-1] != '\n') // the indentation of the mark
        end--;
    add(regions, (struct region_text){.key = arena_strndup(arena, key, (size_t)(close - key)),
                                      .text = arena_strndup(arena, start, (size_t)(end - start))});
}

void regions_read(struct regions *regions, const char *text, struct arena *arena)
{
    for (const char *at = text; (at = strstr(at, requirement)); at++)
        read_requirement(regions, at, arena);
    for (const char *at = text; (at = strstr(at, code)); at++)
        read_code(regions, at, arena);
}

void regions_release(struct regions *regions)
{
    VEC_RELEASE(&regions->items);
}

static struct region_text *find(struct regions *regions, const char *key, bool is_requirement)
{
    for (size_t i = 0; i < regions->items.count; i++) {
        struct region_text *item = &regions->items.items[i];
        if (item->is_requirement == is_requirement && !item->is_used && !strcmp(item->key, key)) {
            item->is_used = true;
            return item;
        }
    }
    return NULL;
}

void regions_put_requirement(struct regions *regions, const char *key, struct buf *out)
{
    const struct region_text *kept = find(regions, key, true);
    buf_printf(out, "%s%s]:%s*/\n", requirement, key, kept ? kept->text : " ");
}

void regions_put_code(struct regions *regions, const char *key, const char *indent, struct buf *out)
{
    const struct region_text *kept = find(regions, key, false);
    buf_printf(out, "%s%s%s] */\n%s%s%s\n", indent, code, key, kept ? kept->text : "", indent,
               end_of_code);
}

void regions_put_lost(struct regions *regions, struct buf *out)
{
    bool is_first = true;
    for (size_t i = 0; i < regions->items.count; i++) {
        const struct region_text *item = &regions->items.items[i];
        if (item->is_used)
            continue;
        if (is_first)
            buf_puts(out, "\n#if 0 /* What you have written for tests that this run does not "
                          "have. */\n");
        is_first = false;
        if (item->is_requirement)
            buf_printf(out, "%s%s]:%s*/\n", requirement, item->key, item->text);
        else
            buf_printf(out, "%s%s] */\n%s%s\n", code, item->key, item->text, end_of_code);
    }
    if (!is_first)
        buf_puts(out, "#endif\n");
}
