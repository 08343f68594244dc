// SPDX-License-Identifier: Apache-2.0
// What the files of the expression library share: the pool, the raw constructor,
// and the simplifier's entry points.
//
// A simplifier function returns the id of an equal expression, or 0 when it knows
// no rule; the caller then interns the node as it is. Rules build their results
// with the public constructors, so they cascade; pool->depth bounds the cascade.
#ifndef CZ_EXPR_INTERNAL_H
#define CZ_EXPR_INTERNAL_H

#include "base/arena.h"
#include "base/tunables.h"
#include "expr/apply.h"
#include "expr/expr.h"
#include "expr/value.h"

#define EXPR_BLOCK ((size_t)1 << EXPR_BLOCK_BITS)

struct expr_pool {
    struct expr **blocks; // of EXPR_BLOCK nodes each, so that nodes never move
    size_t block_count, count;
    expr_id *buckets; // open addressing
    size_t bucket_count;
    struct expr_snapshot *snapshots;
    uint64_t *snapshot_hashes;
    size_t snapshot_count, snapshot_room;
    uint32_t *snapshot_buckets; // index + 1
    size_t snapshot_bucket_count;
    struct arena arena; // contents of snapshots
    unsigned depth;
    bool simplify;
};

expr_id expr_intern(struct expr_pool *pool, const struct expr *e);

static inline expr_id expr_number(struct expr_pool *pool, unsigned width, expr_u128 value)
{
    return expr_const(pool, width, value_pair(value_cut(value, width)));
}

static inline unsigned expr_width(const struct expr_pool *pool, expr_id id)
{
    return expr_get(pool, id)->width;
}

static inline bool expr_value_of(const struct expr_pool *pool, expr_id id, expr_u128 *out)
{
    const struct expr *e = expr_get(pool, id);
    if (e->op != EXPR_CONST)
        return false;
    *out = (expr_u128)e->y << 64 | e->x;
    return true;
}

// simplify.c
expr_id simplify_binary(struct expr_pool *pool, enum expr_op op, expr_id a, expr_id b);
expr_id simplify_logic(struct expr_pool *pool, enum expr_op op, expr_id a, expr_id b);
// simplify_compare.c
expr_id simplify_compare(struct expr_pool *pool, enum expr_op op, expr_id a, expr_id b);
bool expr_is_negation(struct expr_pool *pool, expr_id a, expr_id b);
// simplify_cast.c
expr_id simplify_unary(struct expr_pool *pool, enum expr_op op, unsigned width, expr_id a);
expr_id simplify_extract(struct expr_pool *pool, expr_id a, unsigned low, unsigned width);
expr_id simplify_concat(struct expr_pool *pool, expr_id high, expr_id low);
expr_id simplify_ite(struct expr_pool *pool, expr_id condition, expr_id yes, expr_id no);
expr_id simplify_read(struct expr_pool *pool, uint64_t snapshot, expr_id offset, unsigned bytes);

#endif
