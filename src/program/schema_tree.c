// SPDX-License-Identifier: Apache-2.0
// The inputs of an execution as a tree, for whoever shows or exports them.
#include "program/schema.h"

#include <assert.h>
#include <string.h>

typedef VEC(struct schema_node) node_list;

// Of the path, so many links and nothing that is said of them.
static struct input_path front_of(const struct input_path *path, size_t links)
{
    struct input_path front = *path;
    front.says = INPUT_VALUE;
    front.elements = 1;
    front.link_count = links;
    return front;
}

static size_t find_among(const struct schema_node *nodes, size_t first,
                         const struct input_path *path)
{
    while (first != SCHEMA_NO_NODE && !input_path_equal(&nodes[first].path, path))
        first = nodes[first].sibling;
    return first;
}

static const char *label_of(const struct input_path *path, struct arena *arena)
{
    struct buf out = BUF_INIT;
    struct input_path last = *path;
    if (path->link_count) {
        last.links += path->link_count - 1;
        last.link_count = 1;
        input_path_print_links(&last, &out);
    } else {
        input_path_print(path, &out);
    }
    const char *label = arena_strdup(arena, buf_text(&out));
    buf_release(&out);
    return label;
}

static void append_sibling(node_list *nodes, size_t *first, size_t node)
{
    while (*first != SCHEMA_NO_NODE)
        first = &nodes->items[*first].sibling;
    *first = node;
}

// Below `parent`, or a root; made if need be.
static size_t node_for(node_list *nodes, size_t parent, const struct input_path *path,
                       struct arena *arena)
{
    size_t first = parent != SCHEMA_NO_NODE ? nodes->items[parent].child
                   : nodes->count           ? 0
                                            : SCHEMA_NO_NODE;
    size_t found = find_among(nodes->items, first, path), node = nodes->count;
    if (found != SCHEMA_NO_NODE)
        return found;
    *VEC_PUSH(nodes) = (struct schema_node){
        .path = *path,
        .label = label_of(path, arena),
        .parent = parent,
        .child = SCHEMA_NO_NODE,
        .sibling = SCHEMA_NO_NODE,
        .inputs = {SCHEMA_NO_NODE, SCHEMA_NO_NODE, SCHEMA_NO_NODE},
        .level = parent == SCHEMA_NO_NODE ? 0 : nodes->items[parent].level + 1,
    };
    if (parent != SCHEMA_NO_NODE)
        append_sibling(nodes, &nodes->items[parent].child, node);
    else if (node)
        append_sibling(nodes, &nodes->items[0].sibling, node);
    return node;
}

// What its inputs are about; of several the value says most.
static void learn(struct schema_node *node, const struct schema *schema,
                  const struct input_path *path)
{
    struct schema_thing thing;
    if ((!node->is_known || path->says == INPUT_VALUE) && schema_resolve(schema, path, &thing)) {
        node->thing = thing;
        node->is_known = true;
    }
}

void schema_tree_build(const struct schema *schema, const struct input_path *paths, size_t count,
                       struct arena *arena, struct schema_tree *out)
{
    node_list nodes = {0};
    for (size_t i = 0; i < count; i++) {
        size_t at = SCHEMA_NO_NODE;
        for (size_t links = 0; links <= paths[i].link_count; links++) {
            struct input_path front = front_of(&paths[i], links);
            at = node_for(&nodes, at, &front, arena);
        }
        assert(at != SCHEMA_NO_NODE);
        nodes.items[at].inputs[paths[i].says] = i;
        learn(&nodes.items[at], schema, &paths[i]);
    }
    out->count = nodes.count;
    out->nodes = arena_array(arena, struct schema_node, nodes.count + 1);
    if (nodes.count)
        memcpy(out->nodes, nodes.items, nodes.count * sizeof *nodes.items);
    VEC_RELEASE(&nodes);
}

size_t schema_tree_find(const struct schema_tree *tree, const struct input_path *path)
{
    size_t at = tree->count ? 0 : SCHEMA_NO_NODE;
    for (size_t links = 0; at != SCHEMA_NO_NODE; links++) {
        struct input_path front = front_of(path, links);
        at = find_among(tree->nodes, at, &front);
        if (at == SCHEMA_NO_NODE || links == path->link_count)
            break;
        at = tree->nodes[at].child;
    }
    return at;
}

size_t schema_tree_next(const struct schema_tree *tree, size_t node)
{
    if (node == SCHEMA_NO_NODE)
        return tree->count ? 0 : SCHEMA_NO_NODE;
    if (tree->nodes[node].child != SCHEMA_NO_NODE)
        return tree->nodes[node].child;
    while (node != SCHEMA_NO_NODE && tree->nodes[node].sibling == SCHEMA_NO_NODE)
        node = tree->nodes[node].parent;
    return node == SCHEMA_NO_NODE ? node : tree->nodes[node].sibling;
}
