// SPDX-License-Identifier: Apache-2.0
// Inputs and outputs of a test as a tree in C terms. The paths are taken apart by
// program/input_path.h; every root and link is a node, and inputs hang at the nodes that they
// speak of.
#include "html/html_pages.h"

#include "base/map.h"
#include "program/input_path.h"
#include <string.h>

enum { NONE = 0 }; // node 0 is the root of all, no child of any

struct node {
    const char *label;
    const struct result_input *input; // or NULL
    enum input_says says;
    uint32_t elements;
    size_t first_child, last_child, next;
};

struct tree {
    struct arena arena;
    VEC(struct node) nodes;
    bool matters;
    struct buf *out;
};

// ---- building ----

static size_t child(struct tree *t, size_t parent, const char *label)
{
    size_t at = t->nodes.items[parent].first_child;
    for (; at != NONE; at = t->nodes.items[at].next)
        if (!strcmp(t->nodes.items[at].label, label))
            return at;
    at = t->nodes.count;
    *VEC_PUSH(&t->nodes) = (struct node){.label = label};
    struct node *above = &t->nodes.items[parent];
    if (above->first_child == NONE)
        above->first_child = at;
    else
        t->nodes.items[above->last_child].next = at;
    above->last_child = at;
    return at;
}

static const char *root_label(struct tree *t, const struct input_path *path)
{
    const struct input_root *root = &path->root;
    struct arena *a = &t->arena;
    struct buf links = BUF_INIT;
    const char *label = root->name ? root->name : "";
    switch (root->kind) {
    case INPUT_PARAMETER: return label[0] == '#' ? arena_printf(a, "parameter %s", label) : label;
    case INPUT_GLOBAL:
        if (!strcmp(label, "return"))
            return "return value";
        return root->file ? arena_printf(a, "%s of %s", label, root->file) : label;
    case INPUT_STUB: return arena_printf(a, "%s(), call %u", label, root->number);
    case INPUT_DEVICE: // each read is an input of its own
        input_path_print_links(path, &links);
        label = arena_printf(a, "%s%s, read %u", label, buf_text(&links), root->number);
        buf_release(&links);
        return label;
    case INPUT_FILE: return arena_printf(a, "file %s", label);
    case INPUT_ENVIRONMENT: return arena_printf(a, "environment variable %s", label);
    case INPUT_STDIN: return "standard input";
    case INPUT_ASSEMBLY: return arena_printf(a, "assembly %s, use %u", label, root->number);
    case INPUT_INTERRUPT: return arena_printf(a, "interrupt at point %u", root->number);
    case INPUT_MORE_CALLS: return "further calls of the task";
    case INPUT_CHANGES: return "variables change before the call";
    case INPUT_BEFORE: return "functions called before";
    case INPUT_BOUND: return arena_printf(a, "bound of %s", label);
    default: return input_root_text(root, a);
    }
}

static const char *link_label(struct tree *t, const struct input_link *link)
{
    switch (link->kind) {
    case INPUT_FIELD: return arena_printf(&t->arena, ".%s", link->name);
    case INPUT_ARROW: return arena_printf(&t->arena, "->%s", link->name);
    case INPUT_INDEX: return arena_printf(&t->arena, "[%u]", link->index);
    case INPUT_DEREF: return "*";
    case INPUT_BYTES: return arena_printf(&t->arena, "+ %u bytes", link->index);
    case INPUT_ANY: return "[]";
    case INPUT_PART: break;
    }
    return !strcmp(link->name, "return") ? "returns" : arena_strdup(&t->arena, link->name);
}

// Further calls, and functions that the driver calls first, have branches of their own.
static size_t begin_path(struct tree *t, const struct input_path *path)
{
    const struct input_root *root = &path->root;
    size_t at = 0;
    if (root->call > 1)
        at = child(t, at, arena_printf(&t->arena, "call %u of the task", root->call));
    if (root->caller == INPUT_OF_SETTER)
        at = child(t, at,
                   arena_printf(&t->arena, "function called before, %u", root->caller_number));
    else if (root->caller == INPUT_OF_CONSTRUCTOR)
        at = child(
            t, at,
            arena_printf(&t->arena, "function that makes the object, %u", root->caller_number));
    return child(t, at, root_label(t, path));
}

static void add(struct tree *t, const struct result_input *input)
{
    struct input_path path = {0};
    size_t at;
    if (!input_path_parse(input->path, &t->arena, &path)) {
        at = child(t, 0, input->path);
        path = (struct input_path){.elements = 1};
    } else {
        at = begin_path(t, &path);
        for (size_t i = 0; path.root.kind != INPUT_DEVICE && i < path.link_count; i++)
            at = child(t, at, link_label(t, &path.links[i]));
    }
    if (path.says == INPUT_CHOICE)
        at = child(t, at, "choice");
    if (t->nodes.items[at].input && path.says == INPUT_VALUE) // a value beside its shape
        at = child(t, at, "value");
    struct node *node = &t->nodes.items[at];
    node->input = input;
    node->says = path.says;
    node->elements = path.elements;
}

// ---- printing ----

static void put_value(const struct tree *t, const struct node *node)
{
    const char *value = node->input->value;
    if (node->says == INPUT_SHAPE) {
        html_text(t->out, strcmp(value, "present") ? value : "points to an object");
        return;
    }
    if (node->elements > 1) {
        buf_puts(t->out, "{");
        for (size_t length; *value; value += length + (value[length] == ' ')) {
            length = strcspn(value, " ");
            html_text_part(t->out, value, length);
            buf_puts(t->out, value[length] ? ", " : "");
        }
        buf_puts(t->out, "}");
    } else {
        html_text(t->out, value);
    }
    if (node->input->meaning && *node->input->meaning)
        html_printf(t->out, " <span class=\"meaning\">%s</span>", node->input->meaning);
}

static void put_node(const struct tree *t, size_t number, unsigned depth)
{
    const struct node *node = &t->nodes.items[number];
    const struct result_input *input = node->input;
    html_printf(t->out, "<tr class=\"%s\"><td style=\"--d:%u\"><code>%s</code></td><td>",
                t->matters && input && input->matters ? "matters" : "input", depth, node->label);
    if (input && node->says == INPUT_VALUE)
        html_text(t->out, input->type);
    if (input && node->elements > 1)
        buf_printf(t->out, "[%u]", node->elements);
    buf_puts(t->out, "</td><td class=\"value\">");
    if (input)
        put_value(t, node);
    buf_puts(t->out, "</td>");
    if (t->matters)
        buf_puts(t->out, input && input->matters ? "<td>★ matters</td>" : "<td></td>");
    buf_puts(t->out, "</tr>\n");
    for (size_t at = node->first_child; at != NONE; at = t->nodes.items[at].next)
        put_node(t, at, depth + 1);
}

static void put_tree(struct tree *t, const char *title)
{
    html_printf(t->out,
                "<div class=\"scroll\"><table class=\"tree\"><caption>%s</caption><thead><tr>"
                "<th scope=\"col\">Name</th><th scope=\"col\">Type</th>"
                "<th scope=\"col\">Value</th>",
                title);
    buf_puts(t->out, t->matters ? "<th scope=\"col\">For the alarm</th></tr></thead><tbody>\n"
                                : "</tr></thead><tbody>\n");
    for (size_t at = t->nodes.items[0].first_child; at != NONE; at = t->nodes.items[at].next)
        put_node(t, at, 0);
    buf_puts(t->out, "</tbody></table></div>\n");
    VEC_RELEASE(&t->nodes);
    arena_release(&t->arena);
}

static void begin_tree(struct tree *t, struct buf *out, bool matters)
{
    *t = (struct tree){.out = out, .matters = matters};
    arena_init(&t->arena);
    *VEC_PUSH(&t->nodes) = (struct node){.label = ""};
}

void html_inputs(const struct result_input *inputs, size_t count, bool matters, struct buf *out)
{
    struct tree tree;
    if (!count) {
        buf_puts(out, "<p>It has no inputs.</p>\n");
        return;
    }
    begin_tree(&tree, out, matters);
    for (size_t i = 0; i < count; i++)
        add(&tree, &inputs[i]);
    put_tree(&tree, "Inputs; those that are not listed are zero");
}

void html_outputs(const struct result_test *test, struct buf *out)
{
    struct tree tree;
    if (!test->output_count) {
        buf_puts(out, "<p>No outputs were observed.</p>\n");
        return;
    }
    begin_tree(&tree, out, false);
    for (size_t i = 0; i < test->output_count; i++) {
        struct result_input *seen = arena_new(&tree.arena, struct result_input);
        *seen = (struct result_input){.path = test->outputs[i].path,
                                      .type = test->outputs[i].type,
                                      .value = test->outputs[i].value};
        add(&tree, seen);
    }
    put_tree(&tree, "Observed on the clean build: results, changes, calls of stubs");
    if (test->outputs_cut)
        buf_puts(out, "<p>There was more, which was not kept.</p>\n");
}

// ---- stubs ----

struct stub {
    const char *name;
    size_t tests;
    const struct result_test *last;
};

struct stubs {
    struct map known;
    VEC(struct stub) list;
};

static void note_stub(struct stubs *s, const char *text, const struct result_test *test,
                      struct arena *arena)
{
    struct input_path path;
    uint64_t at;
    if (!input_path_parse(text, arena, &path) || path.root.kind != INPUT_STUB)
        return;
    if (!map_get_text(&s->known, path.root.name, &at)) {
        at = s->list.count;
        map_put_text(&s->known, path.root.name, at);
        *VEC_PUSH(&s->list) = (struct stub){.name = path.root.name};
    }
    s->list.items[at].tests += s->list.items[at].last != test;
    s->list.items[at].last = test;
}

void html_stub_list(const struct result *r, struct buf *out)
{
    struct stubs s = {0};
    struct arena arena;
    arena_init(&arena);
    map_init(&s.known);
    for (size_t i = 0; i < r->tasks.count; i++)
        for (size_t k = 0; k < r->tasks.items[i]->tests.count; k++) {
            const struct result_test *test = r->tasks.items[i]->tests.items[k];
            for (size_t n = 0; n < test->input_count; n++)
                note_stub(&s, test->inputs[n].path, test, &arena);
            for (size_t n = 0; n < test->output_count; n++)
                note_stub(&s, test->outputs[n].path, test, &arena);
        }
    if (s.list.count)
        buf_puts(out, "<ul class=\"many\">\n");
    else
        buf_puts(out, "<p>No test calls a stub.</p>\n");
    for (size_t i = 0; i < s.list.count; i++) {
        html_printf(out, "<li><code>%s()</code> in ", s.list.items[i].name);
        html_count(out, s.list.items[i].tests, "test");
        buf_puts(out, "</li>\n");
    }
    buf_puts(out, s.list.count ? "</ul>\n" : "");
    VEC_RELEASE(&s.list);
    map_release(&s.known);
    arena_release(&arena);
}
