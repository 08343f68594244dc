// SPDX-License-Identifier: Apache-2.0
// Decoding wire nodes into the pool. Nodes refer only to smaller numbers, so a stack
// of nodes whose operands are missing is enough, however deep an expression is.
#include "trace/trace_internal.h"

#include "base/arena.h"
#include "base/vec.h"
#include <stdlib.h>
#include <string.h>

void trace_decoder_init(struct trace_decoder *decoder, struct expr_pool *pool,
                        const struct program *program)
{
    *decoder = (struct trace_decoder){.pool = pool, .program = program};
}

void trace_decoder_release(struct trace_decoder *decoder)
{
    free(decoder->nodes);
    free(decoder->snapshots);
    free(decoder->stack);
    *decoder = (struct trace_decoder){0};
}

// The header.

static bool area_fits(const struct trace_decoder *d, const struct wire_area *area, size_t item,
                      uint64_t used, const char *name, struct error *err)
{
    uint64_t size = d->mapping_size;
    if (area->offset % 8 != 0 || area->offset > size || area->room > (size - area->offset) / item)
        return error_set(err, ERROR_INTERNAL, "trace: area of %s lies outside the mapping", name);
    if (used > area->room)
        return error_set(err, ERROR_INTERNAL, "trace: %llu %s in an area for %llu",
                         (unsigned long long)used, name, (unsigned long long)area->room);
    return true;
}

static bool header_fits(const struct trace_decoder *d, struct error *err)
{
    const struct wire_header *h = &d->header;
    if (h->magic != WIRE_MAGIC || h->version != WIRE_VERSION)
        return error_set(err, ERROR_INTERNAL, "trace: the header is overwritten");
    return area_fits(d, &h->runs, sizeof(struct wire_run), h->runs_done, "runs", err) &&
           area_fits(d, &h->records, sizeof(struct wire_record), h->record_count, "records", err) &&
           area_fits(d, &h->nodes, sizeof(struct wire_node), h->node_count, "nodes", err) &&
           area_fits(d, &h->snapshots, sizeof(struct wire_snapshot), h->snapshot_count, "snapshots",
                     err) &&
           area_fits(d, &h->bytes, 1, h->byte_count, "bytes", err) &&
           area_fits(d, &h->labels, sizeof(wire_label), h->label_count, "labels", err);
}

static void memo_reset(struct trace_decoder *d, bool keep)
{
    size_t nodes = d->node_room, snapshots = d->snapshot_room;
    vec_reserve((void **)&d->nodes, &d->node_room, d->header.node_count, sizeof *d->nodes);
    vec_reserve((void **)&d->snapshots, &d->snapshot_room, d->header.snapshot_count,
                sizeof *d->snapshots);
    if (keep)
        return;
    if (nodes)
        memset(d->nodes, 0, nodes * sizeof *d->nodes);
    if (snapshots)
        memset(d->snapshots, 0, snapshots * sizeof *d->snapshots);
}

bool trace_begin(struct trace_decoder *decoder, const void *mapping, uint64_t size,
                 struct error *err)
{
    bool same = decoder->mapping == mapping;
    if (size < sizeof decoder->header)
        return error_set(err, ERROR_INTERNAL, "trace: mapping of %llu bytes has no header",
                         (unsigned long long)size);
    decoder->mapping = mapping;
    decoder->mapping_size = size;
    memcpy(&decoder->header, mapping, sizeof decoder->header);
    if (!header_fits(decoder, err)) {
        decoder->header = (struct wire_header){0}; // nothing can be decoded from it
        memo_reset(decoder, false);
        return false;
    }
    memo_reset(decoder, same && (decoder->header.flags & WIRE_KEEP_NODES));
    return true;
}

// Operands.

static bool bad_node(struct error *err, uint32_t number, const char *what)
{
    return error_set(err, ERROR_INTERNAL, "trace: node %u: %s", number, what);
}

// A byte of a decoded value. Values that are not whole bytes are zero-extended, as
// they are in memory.
static bool value_byte(struct trace_decoder *d, expr_id value, unsigned byte, expr_id *out)
{
    unsigned width = trace_width(d, value);
    if (8 * byte >= width)
        return false;
    unsigned bits = width - 8 * byte < 8 ? width - 8 * byte : 8;
    *out = expr_unary(d->pool, EXPR_ZEXT, 8, expr_extract(d->pool, value, 8 * byte, bits));
    return true;
}

static bool label_value(struct trace_decoder *d, wire_label label, expr_id *out)
{
    expr_id value = d->nodes[WIRE_NODE(label)];
    *out = value;
    return WIRE_BYTE(label) == 0 || value_byte(d, value, WIRE_BYTE(label), out);
}

static void push(struct trace_decoder *d, uint32_t node)
{
    vec_reserve((void **)&d->stack, &d->stack_room, d->stack_count + 1, sizeof *d->stack);
    d->stack[d->stack_count++] = node;
}

// Is the label's node decoded? If not, *ready is cleared and the node pushed. `limit`
// is the node that uses it: references only go to smaller numbers.
static bool require(struct trace_decoder *d, wire_label label, uint32_t limit, bool *ready,
                    struct error *err)
{
    uint32_t node = WIRE_NODE(label);
    if (label == 0)
        return true;
    if (node == 0 || node >= limit)
        return bad_node(err, limit, "refers to itself, a later node, or none");
    if (!d->nodes[node]) {
        *ready = false;
        push(d, node);
    }
    return true;
}

// Snapshots.

static bool snapshot_fits(const struct trace_decoder *d, const struct wire_snapshot *s)
{
    const struct wire_header *h = &d->header;
    if (s->first_byte > h->byte_count || s->size > h->byte_count - s->first_byte)
        return false;
    return s->first_label == WIRE_NO_LABELS ||
           (s->first_label <= h->label_count && s->size <= h->label_count - s->first_label);
}

static wire_label snapshot_label(const struct trace_decoder *d, const struct wire_snapshot *s,
                                 uint32_t i)
{
    wire_label label = TRACE_ITEM(d, labels, wire_label, s->first_label + i);
    return WIRE_IS_POISON(label) ? 0 : label;
}

static bool snapshot_build(struct trace_decoder *d, const struct wire_snapshot *s, uint32_t node,
                           uint32_t index, struct error *err)
{
    const uint8_t *bytes = &TRACE_ITEM(d, bytes, uint8_t, s->first_byte);
    expr_id *exprs = s->first_label == WIRE_NO_LABELS ? NULL : xcalloc(s->size + 1, sizeof *exprs);
    bool ok = true;
    for (uint32_t i = 0; exprs && ok && i < s->size; i++) {
        wire_label label = snapshot_label(d, s, i);
        if (label)
            ok = value_byte(d, d->nodes[WIRE_NODE(label)], WIRE_BYTE(label), &exprs[i]) ||
                 bad_node(err, node, "a snapshot's byte lies beyond its value");
    }
    if (ok)
        d->snapshots[index] = expr_snapshot(d->pool, bytes, exprs, s->size) + 1;
    free(exprs);
    return ok;
}

static bool snapshot_require(struct trace_decoder *d, uint32_t node, uint64_t index, bool *ready,
                             struct error *err)
{
    if (index >= d->header.snapshot_count)
        return bad_node(err, node, "reads a snapshot that does not exist");
    if (d->snapshots[index])
        return true;
    struct wire_snapshot s = TRACE_ITEM(d, snapshots, struct wire_snapshot, index);
    if (!snapshot_fits(d, &s))
        return bad_node(err, node, "reads a snapshot that lies outside its area");
    bool complete = true;
    for (uint32_t i = 0; s.first_label != WIRE_NO_LABELS && i < s.size; i++)
        if (!require(d, snapshot_label(d, &s, i), node, &complete, err))
            return false;
    if (!complete)
        *ready = false;
    return !complete || snapshot_build(d, &s, node, (uint32_t)index, err);
}

// Building.

static bool operands_require(struct trace_decoder *d, uint32_t number, const struct wire_node *n,
                             bool *ready, struct error *err)
{
    unsigned count = expr_op_operands((enum expr_op)n->op);
    *ready = true;
    if (count >= 1 && !require(d, n->a, number, ready, err))
        return false;
    if (count >= 2 && !require(d, n->b, number, ready, err))
        return false;
    if (count == 3 && (n->x > UINT32_MAX || !require(d, (wire_label)n->x, number, ready, err)))
        return bad_node(err, number, "refers to itself, a later node, or none");
    return n->op != WIRE_READ || snapshot_require(d, number, n->x, ready, err);
}

static bool build_leaf(struct trace_decoder *d, const struct wire_node *n, expr_id *out)
{
    uint64_t end =
        d->header.inputs.room > d->header.input_size ? d->header.inputs.room : d->header.input_size;
    switch (n->op) {
    case WIRE_INPUT:
        if (n->width % 8 != 0 || n->x >= end || end - n->x < n->width / 8u || n->x > INT32_MAX)
            return false;
        *out = expr_input(d->pool, (uint32_t)n->x, n->width);
        return true;
    case WIRE_CONST:
        *out = expr_const(d->pool, n->width, (struct expr_value){n->x, n->y});
        return true;
    case WIRE_BOUND: // marks a use; its value is concrete
        *out = expr_const64(d->pool, n->width, n->y);
        return true;
    default: return false;
    }
}

// A constant operand takes its width from the other operand, or from the result.
static bool build_binary(struct trace_decoder *d, const struct wire_node *n, expr_id *out)
{
    expr_id a = 0, b = 0;
    char kind = expr_op_kind((enum expr_op)n->op);
    if ((n->a && !label_value(d, n->a, &a)) || (n->b && !label_value(d, n->b, &b)))
        return false;
    unsigned wa = a ? trace_width(d, a) : 0, wb = b ? trace_width(d, b) : 0, other = n->width;
    if (n->op == WIRE_CONCAT)
        other = n->width > wa + wb ? n->width - wa - wb : 0;
    else if (kind == 'C' || kind == 'Q')
        other = wa ? wa : wb;
    if ((!a || !b) && (other == 0 || (!a && !b && n->op == WIRE_CONCAT)))
        return false;
    if (!expr_fits((enum expr_op)n->op, n->width, a ? wa : other, b ? wb : other, 0, 0))
        return false;
    if (!a)
        a = expr_const64(d->pool, other, n->x);
    if (!b)
        b = expr_const64(d->pool, other, n->y);
    *out = n->op == WIRE_CONCAT ? expr_concat(d->pool, a, b)
                                : expr_binary(d->pool, (enum expr_op)n->op, a, b);
    return true;
}

static bool build_unary(struct trace_decoder *d, const struct wire_node *n, expr_id *out)
{
    expr_id a;
    if (!n->a || !label_value(d, n->a, &a))
        return false;
    if (!expr_fits((enum expr_op)n->op, n->width, trace_width(d, a), 0, 0, n->x))
        return false;
    *out = n->op == WIRE_EXTRACT ? expr_extract(d->pool, a, (unsigned)n->x, n->width)
                                 : expr_unary(d->pool, (enum expr_op)n->op, n->width, a);
    return true;
}

static bool build_ite(struct trace_decoder *d, const struct wire_node *n, expr_id *out)
{
    expr_id c, yes, no;
    if (!n->a || !n->b || !n->x || !label_value(d, n->a, &c) || !label_value(d, n->b, &yes) ||
        !label_value(d, (wire_label)n->x, &no))
        return false;
    if (!expr_fits(EXPR_ITE, n->width, trace_width(d, c), trace_width(d, yes), trace_width(d, no),
                   0))
        return false;
    *out = expr_ite(d->pool, c, yes, no);
    return true;
}

static bool build_read(struct trace_decoder *d, const struct wire_node *n, expr_id *out)
{
    expr_id address;
    if (!n->a || !label_value(d, n->a, &address) || trace_width(d, address) != 64)
        return false;
    if (n->y < 1 || n->y > 16 || n->width != 8 * n->y)
        return false;
    uint64_t base = TRACE_ITEM(d, snapshots, struct wire_snapshot, n->x).base;
    expr_id offset = expr_binary(d->pool, EXPR_SUB, address, expr_const64(d->pool, 64, base));
    *out = expr_read(d->pool, d->snapshots[n->x] - 1, offset, (unsigned)n->y);
    return true;
}

static bool build(struct trace_decoder *d, const struct wire_node *n, expr_id *out)
{
    switch (expr_op_kind((enum expr_op)n->op)) {
    case 'V': return build_leaf(d, n, out);
    case 'U':
    case 'X':
    case 'G': return build_unary(d, n, out);
    case 'S':
        if (n->op == WIRE_EXTRACT)
            return build_unary(d, n, out);
        if (n->op == WIRE_ITE)
            return build_ite(d, n, out);
        return n->op == WIRE_READ ? build_read(d, n, out) : build_binary(d, n, out);
    default: return build_binary(d, n, out);
    }
}

static bool decode_step(struct trace_decoder *d, uint32_t number, struct error *err)
{
    struct wire_node n = TRACE_ITEM(d, nodes, struct wire_node, number);
    size_t before = d->stack_count;
    bool ready;
    if (n.op >= WIRE_OP_COUNT || n.op == WIRE_NONE || n.width < 1 || n.width > EXPR_MAX_WIDTH)
        return bad_node(err, number, "no such operation or width");
    if (!operands_require(d, number, &n, &ready, err))
        return false;
    if (!ready)
        return true;
    if (!build(d, &n, &d->nodes[number]))
        return bad_node(err, number, "operands do not fit the operation");
    d->stack_count = before - 1;
    return true;
}

bool trace_label(struct trace_decoder *decoder, wire_label label, expr_id *out, struct error *err)
{
    uint32_t node = WIRE_NODE(label);
    if (node == 0 || node >= decoder->header.node_count)
        return error_set(err, ERROR_INTERNAL, "trace: label of node %u of %u", node,
                         decoder->header.node_count);
    decoder->stack_count = 0;
    push(decoder, node);
    while (decoder->stack_count) {
        uint32_t top = decoder->stack[decoder->stack_count - 1];
        if (decoder->nodes[top])
            decoder->stack_count--;
        else if (!decode_step(decoder, top, err))
            return false;
    }
    if (!label_value(decoder, label, out))
        return error_set(err, ERROR_INTERNAL, "trace: byte %u of node %u does not exist",
                         WIRE_BYTE(label), node);
    return true;
}
