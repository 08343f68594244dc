// SPDX-License-Identifier: Apache-2.0
// Texts that the user wrote outside of the source, with the macros of the source expanded:
// clang -E reads the source and, behind it, each text on a line that a marker begins.
#include "frontend/frontend_internal.h"

#include "base/fs.h"
#include "base/proc.h"
#include <ctype.h>
#include <string.h>

#define MARKER "cz_expand_"

static bool write_source(const char *path, const char *source, const char *const *texts,
                         size_t count, struct error *err)
{
    struct buf text = BUF_INIT;
    char *absolute = fs_absolute(source);
    bool named = program_include(absolute ? absolute : source, &text);
    buf_puts(&text, "#ifndef NULL\n#define NULL ((void *)0)\n#endif\n");
    for (size_t i = 0; i < count; i++)
        buf_printf(&text, MARKER "%zu: %s\n", i, texts[i]);
    bool good = named
                    ? fs_write(path, buf_text(&text), text.length, err)
                    : error_set(err, ERROR_SOURCE,
                                "preconditions cannot be compiled with %s, because no #include can "
                                "name it: rename the file, or use --pre none",
                                source);
    buf_release(&text);
    free(absolute);
    return good;
}

// What stands behind the marker, up to the next one; long expansions may be broken.
static const char *find_text(const char *text, size_t number, struct arena *arena)
{
    struct buf marker = BUF_INIT, found = BUF_INIT;
    buf_printf(&marker, MARKER "%zu:", number);
    const char *at = strstr(text, buf_text(&marker));
    const char *end = NULL;
    if (at) {
        at += marker.length;
        end = strstr(at, MARKER);
    }
    for (; at && *at && at != end; at++)
        buf_putc(&found, isspace((unsigned char)*at) ? ' ' : *at);
    while (found.length && found.data[found.length - 1] == ' ')
        found.length--;
    const char *copy = arena_strndup(arena, buf_text(&found), found.length);
    buf_release(&marker);
    buf_release(&found);
    return copy + strspn(copy, " ");
}

bool frontend_expand(const struct frontend_request *request, const char *const *texts, size_t count,
                     const char *path, struct arena *arena, const char **out, struct error *err)
{
    if (!write_source(path, request->source, texts, count, err))
        return false;
    struct buf text = BUF_INIT, messages = BUF_INIT;
    struct proc_result result;
    struct proc_options options = {.out = &text, .errors = &messages, .deep_stack = true};
    VEC(const char *) argv = {0};
    *VEC_PUSH(&argv) = request->clang;
    for (const char **flag = flags_for_preprocessing(arena, request->flags); *flag; flag++)
        *VEC_PUSH(&argv) = *flag;
    const char *const rest[] = {"-E", "-P", "-x", "c", path, NULL};
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++)
        *VEC_PUSH(&argv) = rest[i];
    bool good = proc_run(argv.items, &options, &result, err);
    if (good && (!result.exited || result.exit_code != 0))
        good = error_set(err, ERROR_SOURCE, "%s", buf_text(&messages));
    for (size_t i = 0; good && i < count; i++)
        out[i] = find_text(buf_text(&text), i, arena);
    VEC_RELEASE(&argv);
    buf_release(&text);
    buf_release(&messages);
    return good;
}
