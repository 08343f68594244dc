// SPDX-License-Identifier: Apache-2.0
// The pool of expressions: storage, hash-consing, snapshots, and the constructors,
// which check widths, ask the simplifier and intern what is left.
//
// Nodes live in blocks that never move, so a `const struct expr *` survives the
// construction of further nodes: rules hold several while they build.
#include "expr/expr.h"

#include "base/check.h"
#include "base/map.h"
#include "base/tunables.h"
#include "expr/expr_check.h"
#include "expr/expr_internal.h"
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *text;
    unsigned char operands;
    char kind;
} ops[EXPR_OP_COUNT] = {
#define OP(name, text, operands, kind) [EXPR_##name] = {text, operands, #kind[0]},
#include "wire/ops.def"
#undef OP
};

const char *expr_op_text(enum expr_op op)
{
    return ops[op].text;
}

unsigned expr_op_operands(enum expr_op op)
{
    return ops[op].operands;
}

char expr_op_kind(enum expr_op op)
{
    return ops[op].kind;
}

struct expr_pool *expr_pool_new(void)
{
    struct expr_pool *pool = xcalloc(1, sizeof *pool);
    pool->bucket_count = 1024;
    pool->buckets = xcalloc(pool->bucket_count, sizeof *pool->buckets);
    pool->snapshot_bucket_count = 64;
    pool->snapshot_buckets = xcalloc(pool->snapshot_bucket_count, sizeof(uint32_t));
    arena_init(&pool->arena);
    pool->count = 1; // id 0 is "none"
    pool->simplify = true;
    return pool;
}

void expr_pool_free(struct expr_pool *pool)
{
    if (!pool)
        return;
    DEBUG_MUST_HOLD(expr_pool_check(pool));
    for (size_t i = 0; i < pool->block_count; i++)
        free(pool->blocks[i]);
    free(pool->blocks);
    free(pool->buckets);
    free(pool->snapshots);
    free(pool->snapshot_hashes);
    free(pool->snapshot_buckets);
    arena_release(&pool->arena);
    free(pool);
}

void expr_pool_simplify(struct expr_pool *pool, bool on)
{
    pool->simplify = on;
}

size_t expr_pool_size(const struct expr_pool *pool)
{
    return pool->count;
}

const struct expr *expr_get(const struct expr_pool *pool, expr_id id)
{
    assert(id != 0 && id < pool->count);
    return &pool->blocks[id >> EXPR_BLOCK_BITS][id & (EXPR_BLOCK - 1)];
}

const struct expr_snapshot *expr_get_snapshot(const struct expr_pool *pool, uint64_t index)
{
    assert(index < pool->snapshot_count);
    return &pool->snapshots[index];
}

size_t expr_snapshot_count(const struct expr_pool *pool)
{
    return pool->snapshot_count;
}

// Hash-consing.

static uint64_t expr_hash(const struct expr *e)
{
    uint64_t h = hash_mix((uint64_t)e->op << 48 ^ (uint64_t)e->width << 32 ^ e->a);
    h = hash_mix(h ^ ((uint64_t)e->b << 32 | e->c));
    h = hash_mix(h ^ e->x);
    return hash_mix(h ^ e->y);
}

static bool expr_same(const struct expr *p, const struct expr *q)
{
    return p->op == q->op && p->width == q->width && p->a == q->a && p->b == q->b && p->c == q->c &&
           p->x == q->x && p->y == q->y;
}

static void expr_grow_buckets(struct expr_pool *pool)
{
    size_t count = pool->bucket_count * 2;
    expr_id *buckets = xcalloc(count, sizeof *buckets);
    for (expr_id id = 1; id < pool->count; id++) {
        size_t at = expr_hash(expr_get(pool, id)) & (count - 1);
        while (buckets[at])
            at = (at + 1) & (count - 1);
        buckets[at] = id;
    }
    free(pool->buckets);
    pool->buckets = buckets;
    pool->bucket_count = count;
}

static expr_id expr_append(struct expr_pool *pool, const struct expr *e)
{
    if (pool->count > INT32_MAX) // vars.c uses the top bit
        BUG("more than 2^31 expressions in one pool");
    size_t block = pool->count >> EXPR_BLOCK_BITS;
    if (block == pool->block_count) {
        pool->blocks = xrealloc(pool->blocks, (block + 1) * sizeof *pool->blocks);
        pool->blocks[block] = xmalloc(EXPR_BLOCK * sizeof **pool->blocks);
        pool->block_count++;
    }
    pool->blocks[block][pool->count & (EXPR_BLOCK - 1)] = *e;
    return (expr_id)pool->count++;
}

expr_id expr_intern(struct expr_pool *pool, const struct expr *e)
{
    assert(e->op < EXPR_OP_COUNT && e->a < pool->count && e->b < pool->count && e->c < pool->count);
    if (pool->count * 4 > pool->bucket_count * 3)
        expr_grow_buckets(pool);
    size_t at = expr_hash(e) & (pool->bucket_count - 1);
    while (pool->buckets[at]) {
        if (expr_same(expr_get(pool, pool->buckets[at]), e))
            return pool->buckets[at];
        at = (at + 1) & (pool->bucket_count - 1);
    }
    return pool->buckets[at] = expr_append(pool, e);
}

// Widths.

static bool float_width(unsigned width)
{
    return width == 32 || width == 64;
}

static bool cast_fits(enum expr_op op, unsigned width, unsigned a)
{
    switch (op) {
    case EXPR_ZEXT:
    case EXPR_SEXT: return width >= a;
    case EXPR_TRUNC: return width <= a;
    case EXPR_FPEXT: return a == 32 && width == 64;
    case EXPR_FPTRUNC: return a == 64 && width == 32;
    case EXPR_SITOFP:
    case EXPR_UITOFP: return float_width(width);
    default: // FPTOSI, FPTOUI
        return float_width(a);
    }
}

static bool special_fits(enum expr_op op, unsigned width, unsigned a, unsigned b, unsigned c,
                         uint64_t low)
{
    switch (op) {
    case EXPR_EXTRACT: return low < a && width <= a - low;
    case EXPR_CONCAT: return b != 0 && width == a + b;
    case EXPR_ITE: return a == 1 && width == b && width == c;
    default: // READ
        return a == 64 && width % 8 == 0;
    }
}

bool expr_fits(enum expr_op op, unsigned width, unsigned a, unsigned b, unsigned c, uint64_t low)
{
    if (op >= EXPR_OP_COUNT || width < 1 || width > EXPR_MAX_WIDTH)
        return false;
    if (ops[op].operands > 0 && (a < 1 || a > EXPR_MAX_WIDTH))
        return false;
    switch (ops[op].kind) {
    case 'B': return a == width && b == width;
    case 'C': return width == 1 && a == b;
    case 'F': return float_width(width) && a == width && b == width;
    case 'Q': return width == 1 && float_width(a) && a == b;
    case 'G': return float_width(width) && a == width;
    case 'X': return cast_fits(op, width, a);
    case 'S': return special_fits(op, width, a, b, c, low);
    default: return op == EXPR_CONST || (op == EXPR_INPUT && width % 8 == 0);
    }
}

static void expr_require(const struct expr_pool *pool, const struct expr *e)
{
    unsigned a = e->a ? expr_width(pool, e->a) : 0;
    unsigned b = e->b ? expr_width(pool, e->b) : 0;
    unsigned c = e->c ? expr_width(pool, e->c) : 0;
    if (!expr_fits(e->op, e->width, a, b, c, e->op == EXPR_EXTRACT ? e->x : 0))
        BUG("expression %s of width %u does not fit operands of widths %u, %u, %u",
            e->op < EXPR_OP_COUNT ? ops[e->op].text : "?", e->width, a, b, c);
}

// Constructors. Each tries constants, then rules, then interns.

expr_id expr_const(struct expr_pool *pool, unsigned width, struct expr_value value)
{
    expr_u128 v = value_cut(value_wide(value), width);
    struct expr e = {
        .op = EXPR_CONST, .width = (uint16_t)width, .x = (uint64_t)v, .y = (uint64_t)(v >> 64)};
    expr_require(pool, &e);
    return expr_intern(pool, &e);
}

expr_id expr_const64(struct expr_pool *pool, unsigned width, uint64_t value)
{
    return expr_const(pool, width, (struct expr_value){.low = value});
}

expr_id expr_true(struct expr_pool *pool)
{
    return expr_const64(pool, 1, 1);
}

expr_id expr_false(struct expr_pool *pool)
{
    return expr_const64(pool, 1, 0);
}

expr_id expr_input(struct expr_pool *pool, uint32_t offset, unsigned width)
{
    struct expr e = {.op = EXPR_INPUT, .width = (uint16_t)width, .x = offset};
    expr_require(pool, &e);
    return expr_intern(pool, &e);
}

expr_id expr_binary(struct expr_pool *pool, enum expr_op op, expr_id a, expr_id b)
{
    char kind = ops[op].kind;
    unsigned from = expr_width(pool, a), width = kind == 'C' || kind == 'Q' ? 1 : from;
    struct expr e = {.op = (uint16_t)op, .width = (uint16_t)width, .a = a, .b = b};
    expr_require(pool, &e);
    expr_u128 x, y;
    if (expr_value_of(pool, a, &x) && expr_value_of(pool, b, &y))
        return expr_number(pool, width, expr_apply(op, width, from, x, y, 0));
    expr_id simpler = 0;
    if (pool->simplify && pool->depth < EXPR_CASCADE) {
        pool->depth++;
        simpler = simplify_binary(pool, op, a, b);
        pool->depth--;
    }
    return simpler ? simpler : expr_intern(pool, &e);
}

expr_id expr_unary(struct expr_pool *pool, enum expr_op op, unsigned width, expr_id a)
{
    struct expr e = {.op = (uint16_t)op, .width = (uint16_t)width, .a = a};
    expr_require(pool, &e);
    expr_u128 x;
    if (expr_value_of(pool, a, &x))
        return expr_number(pool, width, expr_apply(op, width, expr_width(pool, a), x, 0, 0));
    expr_id simpler = 0;
    if (pool->simplify && pool->depth < EXPR_CASCADE) {
        pool->depth++;
        simpler = simplify_unary(pool, op, width, a);
        pool->depth--;
    }
    return simpler ? simpler : expr_intern(pool, &e);
}

expr_id expr_extract(struct expr_pool *pool, expr_id a, unsigned low, unsigned width)
{
    struct expr e = {.op = EXPR_EXTRACT, .width = (uint16_t)width, .a = a, .x = low};
    expr_require(pool, &e);
    expr_u128 x;
    if (expr_value_of(pool, a, &x))
        return expr_number(pool, width, x >> low);
    expr_id simpler = 0;
    if (pool->simplify && pool->depth < EXPR_CASCADE) {
        pool->depth++;
        simpler = simplify_extract(pool, a, low, width);
        pool->depth--;
    }
    return simpler ? simpler : expr_intern(pool, &e);
}

expr_id expr_concat(struct expr_pool *pool, expr_id high, expr_id low)
{
    unsigned from = expr_width(pool, low), width = expr_width(pool, high) + from;
    struct expr e = {.op = EXPR_CONCAT, .width = (uint16_t)width, .a = high, .b = low};
    expr_require(pool, &e);
    expr_u128 x, y;
    if (expr_value_of(pool, high, &x) && expr_value_of(pool, low, &y))
        return expr_number(pool, width, expr_apply(EXPR_CONCAT, width, from, x, y, 0));
    expr_id simpler = 0;
    if (pool->simplify && pool->depth < EXPR_CASCADE) {
        pool->depth++;
        simpler = simplify_concat(pool, high, low);
        pool->depth--;
    }
    return simpler ? simpler : expr_intern(pool, &e);
}

expr_id expr_ite(struct expr_pool *pool, expr_id condition, expr_id yes, expr_id no)
{
    struct expr e = {.op = EXPR_ITE,
                     .width = (uint16_t)expr_width(pool, yes),
                     .a = condition,
                     .b = yes,
                     .c = no};
    expr_require(pool, &e);
    expr_u128 x;
    if (expr_value_of(pool, condition, &x))
        return x ? yes : no;
    expr_id simpler = 0;
    if (pool->simplify && pool->depth < EXPR_CASCADE) {
        pool->depth++;
        simpler = simplify_ite(pool, condition, yes, no);
        pool->depth--;
    }
    return simpler ? simpler : expr_intern(pool, &e);
}

expr_id expr_read(struct expr_pool *pool, uint64_t snapshot, expr_id offset, unsigned bytes)
{
    struct expr e = {.op = EXPR_READ, .width = (uint16_t)(8 * bytes), .a = offset, .x = snapshot};
    expr_require(pool, &e);
    if (snapshot >= pool->snapshot_count)
        BUG("read of snapshot %llu of %zu", (unsigned long long)snapshot, pool->snapshot_count);
    expr_id simpler = simplify_read(pool, snapshot, offset, bytes);
    return simpler ? simpler : expr_intern(pool, &e);
}

// Snapshots.

static uint64_t snapshot_hash(const struct expr_snapshot *s)
{
    uint64_t h = hash_bytes(s->bytes, s->size, s->size);
    return s->exprs ? hash_bytes(s->exprs, s->size * sizeof *s->exprs, h) : h;
}

static bool snapshot_same(const struct expr_snapshot *p, const struct expr_snapshot *q)
{
    if (p->size != q->size || !p->exprs != !q->exprs || memcmp(p->bytes, q->bytes, p->size) != 0)
        return false;
    return !p->exprs || memcmp(p->exprs, q->exprs, p->size * sizeof *p->exprs) == 0;
}

static void snapshot_grow_buckets(struct expr_pool *pool)
{
    size_t count = pool->snapshot_bucket_count * 2;
    uint32_t *buckets = xcalloc(count, sizeof *buckets);
    for (size_t i = 0; i < pool->snapshot_count; i++) {
        size_t at = pool->snapshot_hashes[i] & (count - 1);
        while (buckets[at])
            at = (at + 1) & (count - 1);
        buckets[at] = (uint32_t)i + 1;
    }
    free(pool->snapshot_buckets);
    pool->snapshot_buckets = buckets;
    pool->snapshot_bucket_count = count;
}

static uint64_t snapshot_append(struct expr_pool *pool, const struct expr_snapshot *s,
                                uint64_t hash)
{
    if (pool->snapshot_count == pool->snapshot_room) {
        pool->snapshot_room = pool->snapshot_room ? 2 * pool->snapshot_room : 16;
        pool->snapshots = xrealloc(pool->snapshots, pool->snapshot_room * sizeof *pool->snapshots);
        pool->snapshot_hashes =
            xrealloc(pool->snapshot_hashes, pool->snapshot_room * sizeof *pool->snapshot_hashes);
    }
    uint8_t *bytes = arena_array(&pool->arena, uint8_t, s->size + 1);
    memcpy(bytes, s->bytes, s->size);
    expr_id *exprs = NULL;
    if (s->exprs) {
        exprs = arena_array(&pool->arena, expr_id, s->size);
        memcpy(exprs, s->exprs, s->size * sizeof *exprs);
    }
    pool->snapshot_hashes[pool->snapshot_count] = hash;
    pool->snapshots[pool->snapshot_count] = (struct expr_snapshot){s->size, bytes, exprs};
    return pool->snapshot_count++;
}

static uint64_t snapshot_intern(struct expr_pool *pool, const struct expr_snapshot *s)
{
    if (pool->snapshot_count * 2 > pool->snapshot_bucket_count)
        snapshot_grow_buckets(pool);
    uint64_t hash = snapshot_hash(s);
    size_t at = hash & (pool->snapshot_bucket_count - 1);
    while (pool->snapshot_buckets[at]) {
        size_t index = pool->snapshot_buckets[at] - 1;
        if (pool->snapshot_hashes[index] == hash && snapshot_same(&pool->snapshots[index], s))
            return index;
        at = (at + 1) & (pool->snapshot_bucket_count - 1);
    }
    uint64_t index = snapshot_append(pool, s, hash);
    pool->snapshot_buckets[at] = (uint32_t)index + 1;
    return index;
}

uint64_t expr_snapshot(struct expr_pool *pool, const uint8_t *bytes, const expr_id *exprs,
                       uint32_t size)
{
    struct expr_snapshot s = {size, bytes, NULL};
    if (!exprs)
        return snapshot_intern(pool, &s);
    uint8_t *plain = xmalloc(size + 1);
    expr_id *symbolic = xcalloc(size + 1, sizeof *symbolic);
    bool any = false;
    for (uint32_t i = 0; i < size; i++) {
        expr_u128 v;
        plain[i] = bytes[i];
        if (!exprs[i])
            continue;
        if (expr_width(pool, exprs[i]) != 8)
            BUG("byte of a snapshot is %u bits wide", expr_width(pool, exprs[i]));
        bool constant = expr_value_of(pool, exprs[i], &v);
        plain[i] = constant ? (uint8_t)v : 0;
        symbolic[i] = constant ? 0 : exprs[i];
        any = any || !constant;
    }
    s.bytes = plain;
    s.exprs = any ? symbolic : NULL;
    uint64_t index = snapshot_intern(pool, &s);
    free(plain);
    free(symbolic);
    return index;
}

// Logic on single bits.

expr_id expr_and(struct expr_pool *pool, expr_id a, expr_id b)
{
    return expr_binary(pool, EXPR_AND, a, b);
}

expr_id expr_or(struct expr_pool *pool, expr_id a, expr_id b)
{
    return expr_binary(pool, EXPR_OR, a, b);
}
