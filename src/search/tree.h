// SPDX-License-Identifier: Apache-2.0
// The execution tree: every symbolic decision of every run, merged by common
// prefix. A node is a decision (a branch, a switch, a check, a pinned value); an
// edge is one of its outcomes, with what is known about it. The search is over
// when no edge is open; it was exhaustive when no edge was given up either.
//
// Subtrees in which nothing is left to do are freed as soon as that is so, and their
// room is used again; so memory follows what is open, not what was explored. Whoever
// keeps the number of an edge keeps its serial too, and asks tree_is_open.
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
    EDGE_SKIPPED,    // not part of the search: the violation of a check, to be hunted
    EDGE_HUNTED,     // ... and done with
    EDGE_LIMIT,      // enumeration of a pinned value ended at its limit
    EDGE_FILTERED,   // nothing wanted lies behind it
    EDGE_POSTPONED,  // the solver gave up early; to be tried again with more effort
    EDGE_DROPPED,    // no memory for it
};

// Outcome of the edge "any value not seen yet" of a pinned value.
#define TREE_OTHER UINT64_MAX
// Child of an edge behind which all is done.
#define TREE_DONE UINT32_MAX

struct tree_edge {
    uint64_t outcome; // 0/1, branch id of a switch case, or the pinned value
    uint32_t child;   // node, 0: none yet, TREE_DONE
    uint32_t next;    // next edge of the node, 0: last
    uint32_t seen;    // TREE_OTHER: values that were known when it was last tried
    uint32_t serial;  // no two edges ever have the same
    uint8_t state;
};

struct tree_node {
    uint32_t parent; // 0: this is the root
    uint32_t via;    // edge of the parent that leads here
    uint32_t first_edge;
    uint32_t input; // number of the input whose run made this node
    uint32_t site;
    uint16_t kind, check; // enum wire_record_kind, enum wire_fault
    uint32_t value;       // expr_id: the condition, or the switched or pinned value
    uint32_t depth;
    uint32_t place; // node of the control-flow graph that the decision comes after
    uint32_t live;  // edges that are open, postponed, to be hunted, or lead to such
};

struct tree {
    VEC(struct tree_node) nodes;   // node 0 is not used, node 1 is the first decision
    VEC(struct tree_edge) edges;   // edge 0 is not used
    uint32_t root;                 // 0: nothing yet, TREE_DONE
    uint32_t free_node, free_edge; // lists through `parent` and `next`
    uint32_t serial;
    size_t open;              // edges in state EDGE_OPEN
    size_t postponed;         // edges in state EDGE_POSTPONED
    size_t given_up;          // edges in UNKNOWN, DIVERGED, LIMIT, DROPPED
    size_t filtered, dropped; // edges that were filtered, dropped
    size_t used_nodes, used_edges;
    // the walk along the current run
    uint32_t at, through; // last node and the edge taken there; 0: before the first
    uint32_t leaf;        // after tree_end: last node of the walk that is still there
};

void tree_init(struct tree *tree);
void tree_release(struct tree *tree);
size_t tree_bytes(const struct tree *tree); // in use

// Walk a run: begin, then one step per decision, then end. tree_step finds or makes the
// node below the last edge and takes `outcome`.
enum tree_step {
    TREE_NEW,            // the node is tree->at, and new
    TREE_OLD,            // it was there
    TREE_KNOWN,          // the run goes where all is done: nothing more to learn
    TREE_OTHER_DECISION, // same prefix, other decision: not all that decides has a record
};
void tree_begin(struct tree *tree);
enum tree_step tree_step(struct tree *tree, const struct tree_node *decision, uint64_t outcome);
void tree_end(struct tree *tree);

uint32_t tree_edge_of(const struct tree *tree, uint32_t node, uint64_t outcome); // 0: none
uint32_t tree_add_edge(struct tree *tree, uint32_t node, uint64_t outcome);      // EDGE_OPEN
// From OPEN, POSTPONED or SKIPPED to another state. May free the node; not for nodes of a walk
// before tree_end.
void tree_set_state(struct tree *tree, uint32_t node, uint32_t edge, enum edge_state state);

static inline bool tree_is(const struct tree *tree, uint32_t edge, uint32_t serial,
                           enum edge_state state)
{
    return tree->edges.items[edge].serial == serial && tree->edges.items[edge].state == state;
}

#endif
