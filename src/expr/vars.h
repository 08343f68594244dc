// SPDX-License-Identifier: Apache-2.0
// Which inputs an expression depends on, syntactically.
//
// Sets are found by one walk over the union of the cones of all roots that are
// asked for together. They are deliberately not stored per node: a checksum over n
// bytes has n nodes with up to n inputs each. Nodes whose set is small (up to
// EXPR_VARS_SMALL inputs) do remember it, which makes the common case one lookup and
// lets a walk stop early; memory stays linear in the nodes.
#ifndef CZ_EXPR_VARS_H
#define CZ_EXPR_VARS_H

#include "expr/expr.h"

struct expr_var {
    uint32_t offset, width; // bits
};

struct vars_memo;

struct expr_vars {
    const struct expr_pool *pool;
    struct vars_memo *memo; // per node
    uint32_t *stamps;
    size_t room;
    uint32_t generation;
    uint32_t *snapshot_stamps;
    size_t snapshot_room;
    expr_id *stack;
    size_t stack_count, stack_room;
    struct expr_var *found; // result of the last call
    size_t found_count, found_room;
    uint64_t work; // nodes that all calls visited
};

void expr_vars_init(struct expr_vars *vars, const struct expr_pool *pool);
void expr_vars_release(struct expr_vars *vars);

// The inputs of all roots, sorted by offset, then width, without duplicates. The
// array is vars->found and lives until the next call. Returns their number.
size_t expr_vars_of(struct expr_vars *vars, const expr_id *roots, size_t count);

// The same of one root, but without a walk where there are many: more than EXPR_VARS_SMALL
// inputs, and reads from tables with symbolic bytes, give EXPR_VARS_SMALL + 1 and an empty
// array. All calls together visit each node once.
size_t expr_vars_few(struct expr_vars *vars, expr_id root);

#endif
