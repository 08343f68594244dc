// SPDX-License-Identifier: Apache-2.0
// The control flow of one module, as the instrumenter hands it over: plain data, with
// functions by name, so that the parts of several modules can be joined (cfg.h).
//
// A node is a stretch of code between events. Events are the evaluation of a branch
// point, a call, and the return. Behind every branch point stands one OUTCOME node per
// goal, so goals are nodes and dominance among branches is dominance among nodes.
#ifndef CZ_CFG_PART_H
#define CZ_CFG_PART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum cfg_kind {
    CFG_PLAIN,   // code without events
    CFG_COND,    // a leaf condition is evaluated; subject: branch id
    CFG_SWITCH,  // a switch; subject: switch id
    CFG_OUTCOME, // subject: goal, 2 * branch id + outcome
    CFG_CALL,    // subject in a part: index in `names`, or CFG_INDIRECT
    CFG_RETURN,  // of the function
};
#define CFG_NONE     UINT32_MAX
#define CFG_INDIRECT UINT32_MAX

struct cfg_node {
    uint8_t kind;
    uint32_t subject;
    uint32_t function;               // index in the part's or graph's functions
    uint32_t first_edge, edge_count; // in `edges`: numbers of nodes
};

struct cfg_function {
    const char *name;
    uint32_t first_node, node_count; // the first node is the entry
    bool address_taken;
};

struct cfg_line { // a statement: a line of one of the unit's texts, and a node with code of it
    uint32_t text, line, node;
};

// What a condition compares, when it compares one value with a constant: conditions of
// one decision with the same `value` can contradict each other whatever the state is.
enum cfg_relation {
    CFG_EQ,
    CFG_NE,
    CFG_SLT,
    CFG_SLE,
    CFG_SGT,
    CFG_SGE,
    CFG_ULT,
    CFG_ULE,
    CFG_UGT,
    CFG_UGE
};
struct cfg_comparison {
    uint32_t branch;
    uint32_t value; // same number: same value during one evaluation of the decision
    uint8_t relation, width;
    uint64_t constant;
};

struct cfg_part {
    struct cfg_function *functions;
    size_t function_count;
    struct cfg_node *nodes;
    size_t node_count;
    uint32_t *edges;
    size_t edge_count;
    struct cfg_line *lines;
    size_t line_count;
    const char **names;
    size_t name_count; // of called functions
    struct cfg_comparison *comparisons;
    size_t comparison_count;
};

#endif
