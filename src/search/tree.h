// SPDX-License-Identifier: Apache-2.0
// The execution tree: every symbolic decision of every run, merged by common
// prefix. A node is a decision (a branch, a switch, a check, a pinned value); an
// edge is one of its outcomes, with what is known about it. The search is over
// when no edge is open; it was exhaustive when no edge was given up either.
#ifndef CZ_SEARCH_TREE_H
#define CZ_SEARCH_TREE_H

#include "base/vec.h"
#include <stdbool.h>
#include <stdint.h>

enum edge_state {
    EDGE_OPEN,       // nobody has tried yet
    EDGE_VISITED,    // a run went through
    EDGE_INFEASIBLE, // the solver says no input goes through
    EDGE_UNKNOWN,    // the solver gave up
    EDGE_DIVERGED,   // the solver's input went elsewhere
    EDGE_SKIPPED,    // not part of the search: the violation of a check
    EDGE_LIMIT,      // enumeration of a pinned value ended at its limit
};

// Outcome of the edge "any value not seen yet" of a pinned value.
#define TREE_OTHER UINT64_MAX

struct tree_edge {
    uint64_t outcome; // 0/1, branch id of a switch case, or the pinned value
    uint32_t child;   // node, 0: none yet
    uint32_t next;    // next edge of the node, 0: last
    uint32_t seen;    // TREE_OTHER: values that were known when it was last tried
    uint8_t state;
};

struct tree_node {
    uint32_t parent;     // 0: this is the root
    uint32_t via;        // edge of the parent that leads here
    uint32_t first_edge;
    uint32_t input;      // number of the input whose run made this node
    uint32_t site;
    uint16_t kind, check; // enum wire_record_kind, enum wire_fault
    uint32_t value;      // expr_id: the condition, or the switched or pinned value
    uint32_t depth;
};

struct tree {
    VEC(struct tree_node) nodes; // node 0 is not used, node 1 is the first decision
    VEC(struct tree_edge) edges; // edge 0 is not used
    size_t open;                 // edges in state EDGE_OPEN
    size_t given_up;             // edges in UNKNOWN, DIVERGED, LIMIT
    // the walk along the current run
    uint32_t at, through;        // last node and the edge taken there; 0: before the first
};

void tree_init(struct tree *tree);
void tree_release(struct tree *tree);

// Walk a run: begin, then one step per decision. tree_step finds or makes the node
// below the last edge and takes `outcome`. Returns the node, or 0 when the run does
// not fit the tree (same prefix, other decision): the target is not deterministic.
void tree_begin(struct tree *tree);
uint32_t tree_step(struct tree *tree, const struct tree_node *decision, uint64_t outcome,
                   bool *is_new);

uint32_t tree_edge_of(const struct tree *tree, uint32_t node, uint64_t outcome); // 0: none
uint32_t tree_add_edge(struct tree *tree, uint32_t node, uint64_t outcome);      // EDGE_OPEN
void tree_set_state(struct tree *tree, uint32_t edge, enum edge_state state);

#endif
