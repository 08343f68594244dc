// SPDX-License-Identifier: Apache-2.0
// The node arena: expressions are hash-consed into the node area that the engine
// maps too, so a label means the same on both sides and nothing is copied. Nodes
// refer only to smaller numbers. Hash chains run through wire_node.next; the
// buckets are private and are emptied by walking the nodes, because a run makes
// far fewer nodes than there are buckets and fresh pages are what costs time. A run that
// makes more of them gets a larger table: each step along a chain is a cache miss.
#include "runtime.h"
#include "peephole.h"
#include <string.h>
#include <sys/mman.h>

#define BUCKET_BITS      20
#define BUCKET_BITS_MOST 24 // as many as there are nodes at most

struct wire_node *czrt_nodes;
static uint32_t node_room, node_limit; // limit: the room, or 0 after czrt_expr_stop
static uint32_t first_buckets[1u << BUCKET_BITS];
static uint32_t *buckets = first_buckets, *large_buckets;
static unsigned bucket_bits = BUCKET_BITS, bucket_bits_most = BUCKET_BITS_MOST;

// What a node depends on. Only kept from the first address of an object on that was taken as a
// number (addresses.c); all nodes before depend on inputs alone.
enum { ON_INPUT = 1, ON_ADDRESS = 2 };
static uint8_t *origins;
static uint32_t first_origin; // 0: none yet

static inline uint32_t bucket_of(uint32_t op, uint32_t width, wire_label a, wire_label b,
                                 uint64_t x, uint64_t y)
{
    uint64_t h = ((uint64_t)a << 32 | b) * 0x9E3779B97F4A7C15ull;
    h ^= (x + ((uint64_t)op << 40) + ((uint64_t)width << 52)) * 0xC2B2AE3D27D4EB4Full;
    h ^= y * 0x165667B19E3779F9ull;
    h ^= h >> 32;
    return (uint32_t)((h * 0x9E3779B97F4A7C15ull) >> (64 - bucket_bits));
}

// Inputs are found by their offset instead: arrays of thousands of them are read in every run, one
// behind the other, and a bucket for each would be a cache miss for each. An entry counts if the
// node that it names is that input, so nothing has to be cleared.
#define INPUT_NODES (1u << 22) // inputs behind that many bytes have buckets
static uint32_t input_nodes[INPUT_NODES];

static void make_bounds(void);

static inline uint32_t bucket_of_node(const struct wire_node *n)
{
    return bucket_of(n->op, n->width, n->a, n->b, n->x, n->y);
}

// Without room for a larger table chains get longer.
static void grow_buckets(void)
{
    if (!large_buckets)
        large_buckets = mmap(NULL, sizeof *buckets << BUCKET_BITS_MOST, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (large_buckets == MAP_FAILED) {
        large_buckets = NULL;
        bucket_bits_most = bucket_bits;
        return;
    }
    buckets = large_buckets;
    bucket_bits += 2;
    memset(buckets, 0, sizeof *buckets << bucket_bits);
    for (uint32_t i = 1; i < czrt_wire->node_count; i++) {
        uint32_t bucket = bucket_of_node(&czrt_nodes[i]);
        czrt_nodes[i].next = buckets[bucket];
        buckets[bucket] = i;
    }
}

// Empties the table, which is the first one again afterwards.
static void clear_buckets(uint32_t node_count)
{
    if (buckets != first_buckets || node_count > (1u << BUCKET_BITS) / 4) {
        buckets = first_buckets;
        bucket_bits = BUCKET_BITS;
        memset(first_buckets, 0, sizeof first_buckets);
        return;
    }
    for (uint32_t i = 1; i < node_count; i++)
        buckets[bucket_of_node(&czrt_nodes[i])] = 0;
}

void czrt_expr_init(void)
{
    czrt_nodes = (struct wire_node *)((char *)czrt_wire + czrt_wire->nodes.offset);
    uint64_t room = czrt_wire->nodes.room;
    node_room = room < (1u << 28) ? (uint32_t)room : (1u << 28) - 1; // labels are node << 4
    node_limit = node_room;
    memset(buckets, 0, sizeof first_buckets);
    make_bounds();
}

void czrt_expr_stop(void)
{
    node_limit = 0;
}

void czrt_expr_resume(void)
{
    node_limit = node_room;
}

void czrt_expr_reset(void)
{
    czrt_expr_resume();
    clear_buckets(czrt_wire->node_count);
    first_origin = 0;
    czrt_uninit_reset();
    make_bounds();
    czrt_wire->snapshot_count = czrt_wire->byte_count = czrt_wire->label_count = 0;
    czrt_symaddr_reset();
}

static uint8_t origin_of(wire_label label)
{
    if (!label)
        return 0;
    return first_origin && WIRE_NODE(label) >= first_origin ? origins[WIRE_NODE(label)] : ON_INPUT;
}

static uint8_t origin_of_node(uint32_t op, wire_label a, wire_label b, uint64_t x)
{
    if (op == WIRE_CONST)
        return 0;
    if (op == WIRE_BOUND)
        return x == WIRE_LOSS_ADDRESS ? ON_ADDRESS : ON_INPUT;
    if (op == WIRE_INPUT || op == WIRE_READ)
        return ON_INPUT | (origin_of(a) & ON_ADDRESS);
    return origin_of(a) | origin_of(b) | (op == WIRE_ITE ? origin_of((wire_label)x) : 0);
}

wire_label czrt_address_label(uint64_t address)
{
    if (!first_origin) {
        if (!origins)
            origins = mmap(NULL, node_room, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (origins == MAP_FAILED) {
            origins = NULL;
            czrt_loss(WIRE_LOSS_ADDRESS);
            return 0;
        }
        first_origin = czrt_wire->node_count;
    }
    return czrt_node(WIRE_BOUND, CZRT_POINTER_BITS, 0, 0, WIRE_LOSS_ADDRESS, address);
}

wire_label czrt_without_address(wire_label label)
{
    return label && origin_of(label) == ON_ADDRESS ? 0 : label;
}

wire_label czrt_decided(wire_label label)
{
    if (!first_origin || !(origin_of(label) & ON_ADDRESS))
        return label;
    czrt_loss(WIRE_LOSS_ADDRESS);
    return czrt_without_address(label);
}

// Does the new node have an operand that is not initialised, or that depends on one?
static inline bool may_be_uninit(uint32_t node, uint32_t op, wire_label a, wire_label b, uint64_t x)
{
    return node >= czrt_first_uninit || czrt_is_uninit_node(WIRE_NODE(a)) ||
           czrt_is_uninit_node(WIRE_NODE(b)) ||
           (op == WIRE_ITE && czrt_is_uninit_node(WIRE_NODE((wire_label)x))) ||
           (op == WIRE_BOUND && x == WIRE_LOSS_UNINIT && !czrt_is_uninit_node(node));
}

wire_label czrt_node(uint32_t op, uint32_t width, wire_label a, wire_label b, uint64_t x,
                     uint64_t y)
{
    uint32_t bucket = bucket_of(op, width, a, b, x, y);
    for (uint32_t i = buckets[bucket]; i; i = czrt_nodes[i].next) {
        const struct wire_node *n = &czrt_nodes[i];
        if (n->a == a && n->b == b && n->x == x && n->y == y && n->op == op && n->width == width)
            return WIRE_LABEL(i);
    }
    uint32_t i = czrt_wire->node_count;
    if (__builtin_expect(i >= node_limit, 0)) {
        czrt_loss(WIRE_LOSS_NODES);
        return 0;
    }
    if (__builtin_expect(i >> bucket_bits != 0 && bucket_bits < bucket_bits_most, 0)) {
        grow_buckets();
        bucket = bucket_of(op, width, a, b, x, y);
    }
    czrt_wire->node_count = i + 1;
    if (__builtin_expect(first_origin != 0, 0))
        origins[i] = origin_of_node(op, a, b, x);
    czrt_nodes[i] = (struct wire_node){.op = (uint16_t)op,
                                       .width = (uint16_t)width,
                                       .a = a,
                                       .b = b,
                                       .next = buckets[bucket],
                                       .x = x,
                                       .y = y};
    buckets[bucket] = i;
    if (__builtin_expect(may_be_uninit(i, op, a, b, x), 0))
        czrt_uninit_node(i);
    return WIRE_LABEL(i);
}

uint32_t czrt_width(wire_label label)
{
    return czrt_nodes[WIRE_NODE(label)].width;
}

wire_label czrt_constant(uint32_t width, uint64_t low, uint64_t high)
{
    return czrt_node(WIRE_CONST, width, 0, 0, low, high);
}

// The input at an offset, of which one width is read usually; another one has a bucket.
static wire_label input_node(uint32_t offset, uint32_t width)
{
    uint32_t i = offset < INPUT_NODES ? input_nodes[offset] : 0, next = czrt_wire->node_count;
    const struct wire_node *n = &czrt_nodes[i];
    bool known = i && i < next && n->op == WIRE_INPUT && n->x == offset;
    if (known && n->width == width)
        return WIRE_LABEL(i);
    if (known || offset >= INPUT_NODES)
        return czrt_node(WIRE_INPUT, width, 0, 0, offset, 0);
    if (next >= node_limit || first_origin || next >= czrt_first_uninit) {
        wire_label label = czrt_node(WIRE_INPUT, width, 0, 0, offset, 0); // it notes what it must
        input_nodes[offset] = WIRE_NODE(label);
        return label;
    }
    czrt_wire->node_count = next + 1;
    czrt_nodes[next] = (struct wire_node){.op = WIRE_INPUT, .width = (uint16_t)width, .x = offset};
    input_nodes[offset] = next;
    return WIRE_LABEL(next);
}

wire_label czrt_input_label(uint32_t offset, uint32_t bits)
{
    uint32_t whole = (bits + 7) / 8 * 8;
    wire_label input = input_node(offset, whole);
    return whole == bits ? input : czrt_unary(WIRE_TRUNC, bits, input, 0);
}

wire_label czrt_bound_label(uint32_t loss, uint32_t width)
{
    return WIRE_LABEL(1 + 2 * loss + (width != 8));
}

wire_label czrt_absent_label(uint32_t offset)
{
    return czrt_node(WIRE_BOUND, CZRT_POINTER_BITS, 0, 0, WIRE_LOSS_COUNT + (uint64_t)offset, 0);
}

void czrt_count_bound(wire_label label)
{
    uint64_t what = czrt_nodes[WIRE_NODE(label)].x;
    if (what == WIRE_LOSS_ADDRESS)
        return; // counts when something is decided by it
    if (what == WIRE_LOSS_UNINIT)
        return; // until it decides something: czrt_uninit_use
    if (what < WIRE_LOSS_COUNT)
        czrt_loss((uint32_t)what);
    else
        czrt_shape_used((uint32_t)(what - WIRE_LOSS_COUNT));
}

static void make_bounds(void)
{
    czrt_wire->node_count = 1;
    for (uint32_t i = 0; i < CZRT_BOUND_NODES; i++)
        czrt_node(WIRE_BOUND, i % 2 ? CZRT_POINTER_BITS : 8, 0, 0, i / 2, 0);
    static const uint32_t more[CZRT_UNINIT_COUNT] = {16, 128, 96 - CZRT_POINTER_BITS};
    for (uint32_t i = 0; i < CZRT_UNINIT_COUNT; i++)
        czrt_node(WIRE_BOUND, more[i], 0, 0, WIRE_LOSS_UNINIT, 0);
}

wire_label czrt_extend(wire_label label, uint32_t width, bool is_signed)
{
    if (!label || czrt_width(label) == width)
        return label;
    if (czrt_width(label) > width)
        return czrt_unary(WIRE_TRUNC, width, label, 0);
    return czrt_unary(is_signed ? WIRE_SEXT : WIRE_ZEXT, width, label, 0);
}

wire_label czrt_fit(wire_label label, uint32_t width)
{
    return czrt_extend(label, width, false);
}

wire_label czrt_binary(uint32_t op, uint32_t width, wire_label a, wire_label b, uint64_t x,
                       uint64_t y)
{
    czrt_note_use(a);
    czrt_note_use(b);
    // Red zones and freed memory reach arithmetic only after their fault; see czrt_load.
    if (width > 64) // both parts of a wide constant are needed
        return czrt_binary128(op, a, b, x, 0, y, 0);
    return czrt_simplify_binary(op, width, a, b, a ? 0 : x, b ? 0 : y);
}

wire_label czrt_binary128(uint32_t op, wire_label a, wire_label b, uint64_t x_low, uint64_t x_high,
                          uint64_t y_low, uint64_t y_high)
{
    czrt_note_use(a);
    czrt_note_use(b);
    if (!a)
        a = czrt_constant(128, x_low, x_high);
    if (!b)
        b = czrt_constant(128, y_low, y_high);
    if (!a || !b) // out of nodes
        return 0;
    bool compares = op >= WIRE_EQ && op <= WIRE_SLE;
    return czrt_node(op, compares ? 1 : 128, a, b, 0, 0);
}

wire_label czrt_unary(uint32_t op, uint32_t width, wire_label a, uint64_t x)
{
    czrt_note_use(a);
    return a ? czrt_simplify_unary(op, width, a, x) : 0;
}

wire_label czrt_ite(uint32_t width, wire_label c, wire_label a, wire_label b, uint64_t x,
                    uint64_t y)
{
    if (!c)
        return 0; // the caller knows which side was taken
    if (!a)
        a = czrt_constant(width, x, 0);
    if (!b)
        b = czrt_constant(width, y, 0);
    if (!a || !b)
        return 0;
    return a == b ? a : czrt_node(WIRE_ITE, width, c, a, b, 0);
}

// Bytes first .. first + count - 1 of a node; above its width they are zero.
static wire_label node_bytes(uint32_t node, uint32_t first, uint32_t count)
{
    uint32_t width = czrt_nodes[node].width, low = 8 * first;
    if (low >= width)
        return 0;
    uint32_t take = width - low < 8 * count ? width - low : 8 * count;
    wire_label part =
        take == width ? WIRE_LABEL(node) : czrt_unary(WIRE_EXTRACT, take, WIRE_LABEL(node), low);
    return take == 8 * count ? part : czrt_unary(WIRE_ZEXT, 8 * count, part, 0);
}

static uint64_t little_endian(const uint8_t *bytes, uint32_t n)
{
    uint64_t value = 0;
    memcpy(&value, bytes, n < 8 ? n : 8);
    return value;
}

static wire_label concat(wire_label high, wire_label low, const uint8_t *high_bytes,
                         uint32_t high_n, const uint8_t *low_bytes, uint32_t low_n)
{
    czrt_note_use(high);
    czrt_note_use(low);
    if (!high && high_n > 8)
        high = czrt_constant(8 * high_n, little_endian(high_bytes, 8),
                             little_endian(high_bytes + 8, high_n - 8));
    if (!low && low_n > 8)
        low = czrt_constant(8 * low_n, little_endian(low_bytes, 8),
                            little_endian(low_bytes + 8, low_n - 8));
    return czrt_simplify_concat(8 * (high_n + low_n), high, low,
                                high ? 0 : little_endian(high_bytes, high_n),
                                low ? 0 : little_endian(low_bytes, low_n));
}

wire_label czrt_join_bytes(const wire_label *labels, const uint8_t *bytes, uint32_t n)
{
    wire_label sum = 0;
    uint32_t done = 0;
    bool any = false;
    while (done < n) {
        // The longest run of consecutive bytes of one node, or of concrete bytes.
        wire_label first = labels[done];
        uint32_t run = 1;
        while (done + run < n &&
               (first ? labels[done + run] == first + run && WIRE_BYTE(first) + run < 16
                      : labels[done + run] == 0))
            run++;
        wire_label part = first ? node_bytes(WIRE_NODE(first), WIRE_BYTE(first), run) : 0;
        if (done == 0)
            sum = part;
        else if (any || part)
            sum = concat(part, sum, bytes + done, run, bytes, done);
        any |= part != 0;
        done += run;
    }
    return any ? sum : 0;
}
