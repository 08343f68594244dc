// SPDX-License-Identifier: Apache-2.0
// All nodes below some roots, in ascending order, which is a topological one:
// operands first. For passes that write every node once.
#ifndef CZ_EXPR_CONE_H
#define CZ_EXPR_CONE_H

#include "base/map.h"
#include "expr/expr.h"

struct cone {
    expr_id *ids;
    uint32_t *uses; // how often a node is an operand inside the cone
    size_t count, room;
    struct map positions;
};

// tables: follow the symbolic bytes of snapshots, too.
void cone_find(struct cone *cone, const struct expr_pool *pool, const expr_id *roots, size_t count,
               bool tables);
void cone_release(struct cone *cone);
size_t cone_position(const struct cone *cone, expr_id id); // id must be in the cone

#endif
