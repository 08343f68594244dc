// SPDX-License-Identifier: Apache-2.0
// Peephole rules applied while nodes are built. Only rules that look at the
// operands themselves and usually save a node: what C's promotions and clang's
// byte-wise memory model produce (a comparison widened to int and compared with 0
// again, a byte widened and masked, an extract of what was just concatenated). The
// engine's simplifier does the rest.
#include "peephole.h"

static inline uint64_t mask(uint32_t width)
{
    return width >= 64 ? ~0ull : (1ull << width) - 1;
}

static const struct wire_node *node_of(wire_label label)
{
    return &czrt_nodes[WIRE_NODE(label)];
}

// The comparison that is true when op is false.
static uint32_t inverse(uint32_t op)
{
    switch (op) {
    case WIRE_EQ: return WIRE_NE;
    case WIRE_NE: return WIRE_EQ;
    case WIRE_UGT: return WIRE_ULE;
    case WIRE_UGE: return WIRE_ULT;
    case WIRE_ULT: return WIRE_UGE;
    case WIRE_ULE: return WIRE_UGT;
    case WIRE_SGT: return WIRE_SLE;
    case WIRE_SGE: return WIRE_SLT;
    case WIRE_SLT: return WIRE_SGE;
    case WIRE_SLE: return WIRE_SGT;
    case WIRE_FOEQ: return WIRE_FUNE;
    case WIRE_FOGT: return WIRE_FULE;
    case WIRE_FOGE: return WIRE_FULT;
    case WIRE_FOLT: return WIRE_FUGE;
    case WIRE_FOLE: return WIRE_FUGT;
    case WIRE_FONE: return WIRE_FUEQ;
    case WIRE_FORD: return WIRE_FUNO;
    case WIRE_FUNO: return WIRE_FORD;
    case WIRE_FUEQ: return WIRE_FONE;
    case WIRE_FUGT: return WIRE_FOLE;
    case WIRE_FUGE: return WIRE_FOLT;
    case WIRE_FULT: return WIRE_FOGE;
    case WIRE_FULE: return WIRE_FOGT;
    case WIRE_FUNE: return WIRE_FOEQ;
    default: return WIRE_NONE;
    }
}

static wire_label negate(wire_label bit)
{
    const struct wire_node *n = node_of(bit);
    uint32_t op = inverse(n->op);
    if (op != WIRE_NONE)
        return czrt_node(op, 1, n->a, n->b, n->x, n->y);
    if (n->op == WIRE_XOR && !n->b && n->y == 1)
        return n->a;
    return czrt_node(WIRE_XOR, 1, bit, 0, 0, 1);
}

static bool is_comparison(uint32_t op)
{
    return (op >= WIRE_EQ && op <= WIRE_SLE) || (op >= WIRE_FOEQ && op <= WIRE_FUNE);
}

static bool is_commutative(uint32_t op)
{
    return op == WIRE_ADD || op == WIRE_MUL || op == WIRE_AND || op == WIRE_OR || op == WIRE_XOR ||
           op == WIRE_EQ || op == WIRE_NE;
}

// x == c or x != c where x is a widened value or a bit. A byte is never EOF.
static bool compare_bit(uint32_t op, uint32_t width, wire_label a, uint64_t y, wire_label *out)
{
    const struct wire_node *n = node_of(a);
    if (width > 1) {
        if (n->op != WIRE_ZEXT)
            return false;
        uint32_t inner = node_of(n->a)->width;
        if (y > mask(inner) || inner > 1) {
            *out = y > mask(inner) ? 0 : czrt_simplify_binary(op, inner, n->a, 0, 0, y);
            return true;
        }
        a = n->a;
    }
    *out = (op == WIRE_NE) == (y == 0) ? a : negate(a);
    return true;
}

// Rules for a op constant. *out is set when one applied.
static bool with_constant(uint32_t op, uint32_t width, wire_label a, uint64_t y, wire_label *out)
{
    const struct wire_node *n = node_of(a);
    switch (op) {
    case WIRE_ADD:
        if (n->op == WIRE_ADD && !n->b && y) { // (a + c) + d, as address computations give
            uint64_t sum = (n->y + y) & mask(width);
            *out = sum ? czrt_node(WIRE_ADD, width, n->a, 0, 0, sum) : n->a;
            return true;
        }
        // fall through
    case WIRE_SUB:
    case WIRE_OR:
    case WIRE_SHL:
    case WIRE_LSHR:
    case WIRE_ASHR: *out = a; return y == 0;
    case WIRE_XOR: *out = width == 1 && y == 1 ? negate(a) : a; return y == 0 || width == 1;
    case WIRE_AND:
        if (n->op == WIRE_ZEXT && (y & mask(node_of(n->a)->width)) == mask(node_of(n->a)->width)) {
            *out = a;
            return true;
        }
        *out = y ? a : 0;
        return y == 0 || y == mask(width);
    case WIRE_MUL: *out = y ? a : 0; return y <= 1;
    case WIRE_UDIV:
    case WIRE_SDIV: *out = a; return y == 1 && width > 1;
    case WIRE_EQ:
    case WIRE_NE: return compare_bit(op, width, a, y, out);
    default: return false;
    }
}

// c - (d - z) is z + (c - d): what -(-z) comes to in a loop or recursion.
static bool from_constant(uint32_t op, uint32_t width, uint64_t x, wire_label b, wire_label *out)
{
    const struct wire_node *n = node_of(b);
    if (op != WIRE_SUB || n->op != WIRE_SUB || n->a || !n->b)
        return false;
    *out = czrt_simplify_binary(WIRE_ADD, width, n->b, 0, 0, x - n->x);
    return true;
}

wire_label czrt_simplify_binary(uint32_t op, uint32_t width, wire_label a, wire_label b, uint64_t x,
                                uint64_t y)
{
    x &= mask(width);
    y &= mask(width);
    if (!a && is_commutative(op)) {
        a = b, b = 0;
        y = x, x = 0;
    }
    wire_label out;
    if (!b && with_constant(op, width, a, y, &out))
        return out;
    if (!a && from_constant(op, width, x, b, &out))
        return out;
    if (a == b && (op == WIRE_SUB || op == WIRE_XOR || (op >= WIRE_EQ && op <= WIRE_SLE)))
        return 0;
    return czrt_node(op, is_comparison(op) ? 1 : width, a, b, x, y);
}

// Where the high part of a concatenation begins.
static uint32_t concat_split(const struct wire_node *n)
{
    return n->b ? node_of(n->b)->width : n->width - node_of(n->a)->width;
}

static wire_label truncate_of(uint32_t width, wire_label a)
{
    const struct wire_node *n = node_of(a);
    if (n->op == WIRE_ZEXT || n->op == WIRE_SEXT) {
        uint32_t inner = node_of(n->a)->width;
        if (inner == width)
            return n->a;
        if (inner > width)
            return czrt_simplify_unary(WIRE_TRUNC, width, n->a, 0);
        return czrt_simplify_unary(n->op, width, n->a, 0);
    }
    if (n->op == WIRE_TRUNC)
        return czrt_node(WIRE_TRUNC, width, n->a, 0, 0, 0);
    if (n->op == WIRE_EXTRACT)
        return czrt_simplify_unary(WIRE_EXTRACT, width, n->a, n->x);
    if (n->op == WIRE_CONCAT && concat_split(n) >= width)
        return n->b ? czrt_simplify_unary(WIRE_TRUNC, width, n->b, 0) : 0;
    return czrt_node(WIRE_TRUNC, width, a, 0, 0, 0);
}

static wire_label extract_of(uint32_t width, wire_label a, uint64_t low)
{
    const struct wire_node *n = node_of(a);
    if (low == 0)
        return czrt_simplify_unary(WIRE_TRUNC, width, a, 0);
    if (n->op == WIRE_EXTRACT)
        return czrt_simplify_unary(WIRE_EXTRACT, width, n->a, n->x + low);
    if (n->op == WIRE_ZEXT) {
        uint32_t inner = node_of(n->a)->width;
        if (low >= inner)
            return 0;
        if (low + width <= inner)
            return czrt_simplify_unary(WIRE_EXTRACT, width, n->a, low);
    }
    if (n->op == WIRE_CONCAT) {
        uint32_t split = concat_split(n);
        if (low >= split)
            return n->a ? czrt_simplify_unary(WIRE_EXTRACT, width, n->a, low - split) : 0;
        if (low + width <= split)
            return n->b ? czrt_simplify_unary(WIRE_EXTRACT, width, n->b, low) : 0;
    }
    return czrt_node(WIRE_EXTRACT, width, a, 0, low, 0);
}

wire_label czrt_simplify_unary(uint32_t op, uint32_t width, wire_label a, uint64_t x)
{
    const struct wire_node *n = node_of(a);
    bool same_bits = op == WIRE_TRUNC || op == WIRE_EXTRACT || op == WIRE_SEXT;
    if (n->op == WIRE_BOUND && n->x == WIRE_LOSS_UNINIT && same_bits)
        return czrt_uninit_label(width);
    switch (op) {
    case WIRE_ZEXT:
        if (n->op == WIRE_ZEXT)
            a = n->a;
        break;
    case WIRE_SEXT:
        if (n->op == WIRE_SEXT || n->op == WIRE_ZEXT) { // a zero-extended value is not negative
            op = n->op;
            a = n->a;
        }
        break;
    case WIRE_TRUNC: return n->width == width ? a : truncate_of(width, a);
    case WIRE_EXTRACT: return n->width == width ? a : extract_of(width, a, x);
    default: break;
    }
    if ((op == WIRE_ZEXT || op == WIRE_SEXT) && n->width == width)
        return WIRE_LABEL(n - czrt_nodes);
    return czrt_node(op, width, a, 0, 0, 0);
}

// Two neighbouring pieces of one value are that piece of the value again.
static bool rejoin(wire_label high, wire_label low, wire_label *of, uint64_t *from)
{
    const struct wire_node *h = node_of(high), *l = node_of(low);
    bool low_is_piece = l->op == WIRE_EXTRACT || l->op == WIRE_TRUNC;
    uint64_t start = l->op == WIRE_EXTRACT ? l->x : 0;
    *of = l->a;
    *from = start;
    return low_is_piece && h->op == WIRE_EXTRACT && h->a == l->a && h->x == start + l->width;
}

wire_label czrt_simplify_concat(uint32_t width, wire_label high, wire_label low, uint64_t x,
                                uint64_t y)
{
    wire_label of;
    uint64_t from;
    if (high && low && rejoin(high, low, &of, &from))
        return czrt_simplify_unary(WIRE_EXTRACT, width, of, from);
    if (!high && x == 0 && low)
        return czrt_simplify_unary(WIRE_ZEXT, width, low, 0);
    return czrt_node(WIRE_CONCAT, width, high, low, x, y);
}
