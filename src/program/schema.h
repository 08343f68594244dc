// SPDX-License-Identifier: Apache-2.0
// The input schema of a task: which inputs its driver asks for. The harness builds it while it
// writes the driver, and takes the names of roots from it, so that the two cannot disagree.
//
// A root is where paths begin: a parameter, a variable, what one call of a stub does. Below it the
// C types say what there is; schema_resolve() walks them along a path. Inputs that no driver
// declares come from the runtime when the code asks for them (files, registers, calls of the C
// library that may fail); they resolve, too, but are no roots of the schema.
//
// Which inputs there are below a root is known when an execution has asked for them (places.h);
// schema_tree_build() makes a tree of those, or of the inputs of a test.
#ifndef CZ_SCHEMA_H
#define CZ_SCHEMA_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/vec.h"
#include "program/input_path.h"
#include "program/program.h"

struct schema_root {
    struct input_root root;        // of the first call; of stubs without the number
    const char *part;              // what the stub does: "return", "*out", "errno" ...; else NULL
    const struct program *program; // the file whose driver asks for it
    const struct type *type;       // NULL: no object of C, but a decision of the driver
    struct slot slot;              // what the program knows about it
    const char *words;             // "parameter list of update()", "result of get_rpm()"
    unsigned elements;             // behind the pointer that it is; 0: as the schema says
    unsigned depth;                // pointers along one path below it, its own included
    size_t length; // the root that says how many elements there are; SCHEMA_NO_ROOT: none
    bool repeated; // a task that keeps state: each call has its own
};
#define SCHEMA_NO_ROOT SIZE_MAX

typedef VEC(struct schema_root) schema_roots;

struct schema {
    const struct program *program; // of the whole unit
    unsigned elements, depth;      // bounds where a root has none of its own
    unsigned calls, most_calls;    // of a task that keeps state; else 1
    struct schema_root *roots;
    size_t root_count;
};

// ---- building ----

// Adds the root unless it is there; how many there are in front of it.
size_t schema_roots_add(schema_roots *roots, const struct schema_root *root);

// Of the parts of a driver, one per file of a unit, in their order.
void schema_join(const struct schema *const *parts, size_t count, const struct program *unit,
                 struct arena *arena, struct schema *out);

// ---- what is at a path ----

enum schema_nature {
    SCHEMA_OBJECT,   // an object of C: it has a type
    SCHEMA_BYTES,    // bytes whose meaning is open: a file, memory behind void *
    SCHEMA_DECISION, // of the driver: how often, which of several, whether a call fails
};

struct schema_thing {
    enum schema_nature nature;
    const struct schema_root *root; // NULL: the runtime's
    // Of an object: of the pointer for a shape, of one element for an array in one input.
    const struct type *type;
    const struct field *field; // the member that the path ends with, or NULL; may be a bit-field
    uint64_t elements;         // that the input holds
    // A pointer: how many elements it leads to at most, and how many pointers may follow there.
    unsigned most_elements, depth_left;
};

// False: no input of this task has such a path (the file has changed, or a path is mistyped). The
// runtime's inputs are known by their kind alone, so of those every well-formed path is one.
bool schema_resolve(const struct schema *schema, const struct input_path *path,
                    struct schema_thing *out);

// The root that a path begins with, or NULL.
const struct schema_root *schema_find_root(const struct schema *schema,
                                           const struct input_path *path);

// What it stands for, for people: "list->next->c of parameter list of update()",
// "whether parameter p of f() is NULL, in call 2", "result of get_rpm(), call 1".
void schema_describe(const struct schema *schema, const struct input_path *path, struct buf *out);

// ---- the inputs of an execution as a tree ----

// A node is a thing of C or of the driver; its inputs say whether it is there, which alternative
// it is, and its value. Below a root with the links a, b are nodes for a and for b.
struct schema_node {
    struct input_path path; // what it says and holds left out
    struct schema_thing thing;
    bool is_known;                 // `thing` is filled in; it is not for nodes that are no inputs
    const char *label;             // the last link as it is written: "->next", "[3]"; or the root
    size_t parent, child, sibling; // SCHEMA_NO_NODE: none. Siblings in the order of the inputs
    size_t inputs[3];              // by enum input_says: index of the path; SCHEMA_NO_NODE: none
    unsigned level;                // 0: a root
};
#define SCHEMA_NO_NODE SIZE_MAX

struct schema_tree {
    struct schema_node *nodes; // parents in front of their children; roots are siblings
    size_t count;
};

// From the paths of a test or of a place table, in their order. Lives in the arena.
void schema_tree_build(const struct schema *schema, const struct input_path *paths, size_t count,
                       struct arena *arena, struct schema_tree *out);
// The node of a path, whatever it says of it; SCHEMA_NO_NODE: it is not there.
size_t schema_tree_find(const struct schema_tree *tree, const struct input_path *path);
// The next node in the order in which people read a tree: children, then siblings.
// SCHEMA_NO_NODE begins and ends.
size_t schema_tree_next(const struct schema_tree *tree, size_t node);

#endif
