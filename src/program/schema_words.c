// SPDX-License-Identifier: Apache-2.0
// What an input stands for, in words that a user knows.
#include "program/schema.h"

#include <inttypes.h>

// Roots that the runtime makes; the harness has the words of the others.
static const char *runtime_words(const struct input_path *path)
{
    switch (path->root.kind) {
    case INPUT_STDIN: return "standard input";
    case INPUT_DESCRIPTOR: return "what is behind a descriptor that the task did not open";
    case INPUT_FILE: return "file";
    case INPUT_ENVIRONMENT: return "environment variable";
    case INPUT_SIGNAL: return "signal";
    case INPUT_ARGC: return "number of the program's arguments";
    case INPUT_ARGV: return "the program's arguments";
    case INPUT_ERRNO: return "errno before the task";
    case INPUT_LIBRARY: return "state of the C library,";
    case INPUT_DEVICE: return "what a read of the device finds:";
    case INPUT_ASSEMBLY: return "what inline assembly leaves:";
    case INPUT_INTERRUPT: return "the handler that comes at a point for interrupts";
    case INPUT_MORE_CALLS: return "how many more calls there are";
    case INPUT_BOUND: return "the bound of";
    case INPUT_CHANGES: return "whether variables change before the call";
    case INPUT_BEFORE: return "which functions are called before";
    case INPUT_WEAK: return "which definition is used of";
    case INPUT_PARAMETER: return "parameter";
    case INPUT_GLOBAL: return "global";
    case INPUT_STUB: return "call of";
    default: return "input";
    }
}

// Where the name adds something to the words.
static bool says_its_name(enum input_root_kind kind)
{
    switch (kind) {
    case INPUT_PARAMETER:
    case INPUT_GLOBAL:
    case INPUT_STUB:
    case INPUT_WEAK:
    case INPUT_BOUND:
    case INPUT_FILE:
    case INPUT_ENVIRONMENT:
    case INPUT_SIGNAL:
    case INPUT_LIBRARY:
    case INPUT_DEVICE:
    case INPUT_ASSEMBLY: return true;
    default: return false;
    }
}

static void put_root(const struct schema_root *root, const struct input_path *path, struct buf *out)
{
    if (root) {
        buf_puts(out, root->words);
        return;
    }
    buf_puts(out, runtime_words(path));
    if (says_its_name(path->root.kind) && *path->root.name)
        buf_printf(out, " %s", path->root.name);
}

// "list->next->c (parameter list of update())", or "(result of get())->next" where C has no name.
static void put_thing(const struct schema_root *root, const struct input_path *path,
                      struct arena *arena, struct buf *out)
{
    struct input_path below = *path;
    size_t skipped = root && root->part ? 1 : 0; // it is in the words
    if (path->link_count == skipped) {
        put_root(root, path, out);
        return;
    }
    below.links += skipped;
    below.link_count -= skipped;
    const char *expression = input_path_expression(path, arena);
    if (expression)
        buf_printf(out, "%s (", expression);
    else
        buf_puts(out, "(");
    put_root(root, path, out);
    buf_puts(out, ")");
    if (!expression)
        input_path_print_links(&below, out);
}

void schema_describe(const struct schema *schema, const struct input_path *path, struct buf *out)
{
    const struct schema_root *root = schema_find_root(schema, path);
    struct arena arena;
    arena_init(&arena);
    if (path->says == INPUT_SHAPE)
        buf_puts(out, "whether ");
    else if (path->says == INPUT_CHOICE && (!root || root->type))
        buf_puts(out, "the alternative for ");
    else if (path->elements > 1)
        buf_printf(out, "%" PRIu32 " elements of ", path->elements);
    put_thing(root, path, &arena, out);
    if (path->says == INPUT_SHAPE)
        buf_puts(out, " is NULL");
    if (path->root.number)
        buf_printf(out, ", %s %u", path->root.kind == INPUT_STUB ? "call" : "number",
                   path->root.number);
    if (path->root.call > 1)
        buf_printf(out, ", in call %u", path->root.call);
    arena_release(&arena);
}
