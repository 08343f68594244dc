// SPDX-License-Identifier: Apache-2.0
// Symbolic expressions: bit-vectors of 1 to 128 bits over the bytes of the input
// vector. Expressions are immutable and hash-consed in one pool, which owns them;
// they are referred to by 32-bit ids, 0 meaning "none". An operand always has a
// smaller id than the node that uses it, so ids are a topological order.
//
// Operations and their meaning are those of wire/ops.def. Two things differ from
// the wire: constants are nodes of their own, and a READ takes the offset into its
// snapshot instead of an address, so that equal tables at different addresses are
// one snapshot. READ is little endian and 0 when a byte of it is out of bounds
// (the trace has a bounds check in front of it).
//
// The constructors simplify as they build: they fold constants and apply local
// rules (simplify*.c). Every rule yields an expression that is equal on all
// inputs. Canonical results: no UGT, UGE, SGT, SGE, FOGT, FOGE, FUGT, FUGE (the
// operands are swapped), no TRUNC (an EXTRACT), constants on the right of
// commutative operations, ULE and SLE only between two non-constants.
//
// Expressions can be hundreds of thousands of nodes deep: nothing here or in the
// modules on top may recurse along operands without a bound.
#ifndef CZ_EXPR_H
#define CZ_EXPR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint32_t expr_id;

enum expr_op {
#define OP(name, text, operands, kind) EXPR_##name,
#include "wire/ops.def"
#undef OP
    EXPR_OP_COUNT
};

#define EXPR_MAX_WIDTH 128

struct expr_value {
    uint64_t low, high;
};

// One node. x, y: CONST: the value; INPUT: x is the byte offset; EXTRACT: x is
// the lowest bit; READ: x is the snapshot; unused fields are 0.
struct expr {
    uint16_t op;    // enum expr_op
    uint16_t width; // bits of the result
    expr_id a, b, c;
    uint64_t x, y;
};

// The contents of an object when it was read with a symbolic offset. Byte i is
// bytes[i], or the 8-bit expression exprs[i] where exprs is not NULL and exprs[i]
// is not 0 (then bytes[i] is 0).
struct expr_snapshot {
    uint32_t size;
    const uint8_t *bytes;
    const expr_id *exprs;
};

struct expr_pool; // opaque: expr_internal.h

struct expr_pool *expr_pool_new(void);
void expr_pool_free(struct expr_pool *pool);

// Off: only constants fold and nodes are built as asked. For tests.
void expr_pool_simplify(struct expr_pool *pool, bool on);

// Ids are below this number. Grows with each new node.
size_t expr_pool_size(const struct expr_pool *pool);

// The node of an id; the pointer stays valid as long as the pool.
const struct expr *expr_get(const struct expr_pool *pool, expr_id id);
const struct expr_snapshot *expr_get_snapshot(const struct expr_pool *pool, uint64_t index);
size_t expr_snapshot_count(const struct expr_pool *pool);

static inline bool expr_is_const(const struct expr_pool *pool, expr_id id)
{
    return expr_get(pool, id)->op == EXPR_CONST;
}

// Constructors. Operand widths must fit (see expr_fits for data from outside);
// anything else is a bug of the caller and aborts.
expr_id expr_const(struct expr_pool *pool, unsigned width, struct expr_value value);
expr_id expr_const64(struct expr_pool *pool, unsigned width, uint64_t value); // zero-extended
expr_id expr_true(struct expr_pool *pool);
expr_id expr_false(struct expr_pool *pool);
expr_id expr_input(struct expr_pool *pool, uint32_t offset, unsigned width); // 8, 16 .. 128 bits
expr_id expr_binary(struct expr_pool *pool, enum expr_op op, expr_id a, expr_id b); // kinds B C F Q
expr_id expr_unary(struct expr_pool *pool, enum expr_op op, unsigned width, expr_id a); // X G
expr_id expr_extract(struct expr_pool *pool, expr_id a, unsigned low, unsigned width);
expr_id expr_concat(struct expr_pool *pool, expr_id high, expr_id low);
expr_id expr_ite(struct expr_pool *pool, expr_id condition, expr_id yes, expr_id no);
expr_id expr_read(struct expr_pool *pool, uint64_t snapshot, expr_id offset, unsigned bytes);

// The snapshot with these contents; exprs may be NULL. Equal contents give the
// same index. Constant expressions become bytes.
uint64_t expr_snapshot(struct expr_pool *pool, const uint8_t *bytes, const expr_id *exprs,
                       uint32_t size);

// Of 1-bit expressions.
expr_id expr_not(struct expr_pool *pool, expr_id a);
expr_id expr_and(struct expr_pool *pool, expr_id a, expr_id b);
expr_id expr_or(struct expr_pool *pool, expr_id a, expr_id b);

// May this operation have operands of these widths and this result? b and c are 0
// when there is no such operand. low is EXTRACT's lowest bit.
bool expr_fits(enum expr_op op, unsigned width, unsigned a, unsigned b, unsigned c, uint64_t low);

// Properties of operations.
const char *expr_op_text(enum expr_op op);
unsigned expr_op_operands(enum expr_op op);
char expr_op_kind(enum expr_op op); // the letter in wire/ops.def

// The operands of a node, without the bytes of the snapshot of a READ. Returns how
// many.
static inline unsigned expr_operands(const struct expr *e, expr_id out[3])
{
    unsigned n = 0;
    if (e->a)
        out[n++] = e->a;
    if (e->b)
        out[n++] = e->b;
    if (e->c)
        out[n++] = e->c;
    return n;
}

#endif
