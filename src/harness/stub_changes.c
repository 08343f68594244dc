// SPDX-License-Identifier: Apache-2.0
// Functions of the driver for what stubs change behind a parameter. In a project that
// hands one large object around, every stub writes the same members of it; their code is
// there once, and a stub is a list of calls.
#include "harness/emit.h"

#include <ctype.h>
#include <string.h>

// The words of "change queue *it->head->next", without `it`: change_queue_head_next.
static const char *wanted_name(struct emitter *e, const char *words)
{
    struct buf name = BUF_INIT;
    for (const char *p = words; *p;) {
        const char *start = p;
        while (isalnum((unsigned char)*p) || *p == '_')
            p++;
        size_t length = (size_t)(p - start);
        if (length && (length != strlen(e->it) || strncmp(start, e->it, length) != 0))
            buf_printf(&name, "%s%.*s", name.length ? "_" : "", (int)length, start);
        p += !length;
    }
    const char *copy = arena_strdup(e->arena, buf_text(&name));
    buf_release(&name);
    return copy;
}

static void define(struct emitter *e, const char *head, const char *body)
{
    buf_printf(&e->prototypes, "%s;\n", head);
    buf_printf(&e->changes, "%s\n{\n%s}\n\n", head, body);
}

const char *changes_function(struct emitter *e, const char *words, const struct type *pointer,
                             const char *body)
{
    const char *parameter = names_declare(e, pointer, e->it);
    const char *key = arena_printf(e->arena, "%s\n%s", parameter, body);
    uint64_t known;
    if (map_get_text(&e->changers, key, &known))
        return (const char *)(uintptr_t)known;
    const char *name = names_pick(e, wanted_name(e, words));
    define(e, arena_printf(e->arena, "static void %s(%s, cz_path %s)", name, parameter, e->at),
           body);
    map_put_text(&e->changers, key, (uintptr_t)name);
    return name;
}
