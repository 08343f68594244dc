// SPDX-License-Identifier: Apache-2.0
// The inter-procedural control-flow graph that goals hang on (CAUT, section III): the
// parts of all modules of a target joined, calls resolved. LLVM-free.
//
// The graph over-approximates what can happen: a call through a pointer, or of a libc
// function that may call back, reaches every function whose address is taken; longjmp
// reaches every place behind a setjmp. So "no path in the graph" is a proof, which
// path filtering relies on.
//
// Paths match calls and returns as far as that is possible without a stack: from a
// node one may return to any caller, but a call that was entered afterwards returns
// to its own call (the call node has an edge to what follows it).
#ifndef CZ_CFG_H
#define CZ_CFG_H

#include "base/arena.h"
#include "cfg/part.h"
#include "program/program.h"

struct cfg_list { // neighbours in compressed rows: of[first[n] .. first[n + 1])
    uint32_t *first, *of;
};

struct cfg {
    struct arena arena;
    const struct program *program;
    struct cfg_function *functions;
    size_t function_count;
    struct cfg_node *nodes;
    size_t node_count;
    uint32_t *edges;
    size_t edge_count;
    struct cfg_line *lines;
    size_t line_count;
    struct cfg_comparison *comparisons;
    size_t comparison_count;
    // Per goal: its OUTCOME node or CFG_NONE. A function of a header that several files
    // have is there several times; then this is the first, with edges to the others.
    uint32_t *goal_node;
    size_t goal_count;
    struct cfg_list goal_nodes; // goal -> all its OUTCOME nodes
    uint32_t *function_of;      // per function of the program: index in functions or CFG_NONE
    struct cfg_list preds;      // nodes -> nodes
    struct cfg_list callees;    // CALL node -> functions
    struct cfg_list jumps;      // edges besides: longjmp -> where it may land, copies of goals
    struct cfg_list callers;    // function -> CALL nodes
    struct cfg_list returns;    // function -> RETURN nodes
    // Dominators inside functions; by number in a walk of the dominator tree, so that
    // a dominates b exactly if in[a] <= in[b] && out[b] <= out[a].
    uint32_t *idom, *dom_in, *dom_out; // idom: CFG_NONE for entries and dead code
    uint32_t *ipdom;                   // immediate post-dominator, CFG_NONE: the exit
    uint32_t *weight;                  // per goal: see cfg_weights
    uint32_t root;                     // where runs begin, or CFG_NONE: anywhere
    bool *alive;                       // per node: can be reached from the root
};

// `parts` is copied. A graph without parts is empty: nothing is known, and every
// question about it is answered with "may be".
struct cfg *cfg_new(const struct program *program, const struct cfg_part *const *parts,
                    size_t count);
void cfg_free(struct cfg *cfg);

// Runs begin at the entry of this function: from now on the others' code does not exist
// for distances and walks.
void cfg_set_root(struct cfg *cfg, uint32_t function);

bool cfg_dominates(const struct cfg *cfg, uint32_t a, uint32_t b); // also a == b

// The function of that name, or CFG_NONE.
uint32_t cfg_find_function(const struct cfg *cfg, const char *name);

// How many branches lie between a node and the nearest wanted node, in branches taken,
// the wanted one included; CFG_FAR: none can be reached. `up` may return to callers of
// the function that the node is in, `down` may not. Both have room for node_count.
#define CFG_FAR UINT32_MAX
void cfg_distances(const struct cfg *cfg, const bool *wanted, uint32_t *up, uint32_t *down);

// Nodes that can be reached from `from` (callers of its function excluded).
void cfg_reach(const struct cfg *cfg, uint32_t from, bool *reached);

// Walk down from a node at most `levels` branch points deep, calls and returns
// included, and call `visit` for each node once, nearest first.
typedef void cfg_visitor(uint32_t node, unsigned level, void *context);
struct cfg_walk { // scratch of walks, to be zeroed once and released
    uint32_t *stamp, *queue, *next;
    uint32_t now;
};
void cfg_walk_down(const struct cfg *cfg, struct cfg_walk *walk, uint32_t from, unsigned levels,
                   cfg_visitor *visit, void *context);
void cfg_walk_release(struct cfg_walk *walk);

// Per goal, how many statements are control-dependent on it, transitively, those of
// called functions included (CarFast's score). Computed once, at the first call.
const uint32_t *cfg_weights(struct cfg *cfg);

#endif
