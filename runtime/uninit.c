// SPDX-License-Identifier: Apache-2.0
// Uninitialised values. A local that is declared without an initialiser, fresh memory of the
// heap and the result of a function that falls off its end have the label of a BOUND node.
// Copying and computing with them is no use; a decision is: a branch, a switch, an address, a
// divisor, an argument of code without labels. Like MemorySanitizer's shadow, the bits of a
// node say which bits of its value are uninitialised, so that a bit-field that is set in an
// uninitialised word, masked out of it and tested later is initialised.
//
// Bits are kept for nodes from the first one on that has an uninitialised operand, and are
// computed when the node is made: most runs have none and pay one comparison per node.
// Operations whose result depends on all bits of their operands (products, comparisons, floats)
// have all bits uninitialised when one bit of an operand is. A READ has none: where an
// object is uninitialised in part, symaddr.c records that the address is elsewhere.
//
// An uninitialised value is no input. The clean build cannot replay one: its locals are zero
// (-ftrivial-auto-var-init), its heap is the C library's. What an uninitialised value decides
// is a loss (WIRE_LOSS_UNINIT) and an alarm (WIRE_FAULT_UNINIT); the run goes on with zero.
#include "runtime.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define MOST_BYTES 65536 // of an object that others may have written

wire_label czrt_uninit_mask;
uint32_t czrt_first_uninit = UINT32_MAX;
static uint64_t *bits; // by node

static uint64_t mask(uint32_t width)
{
    return width >= 64 ? ~0ull : (1ull << width) - 1;
}

uint64_t czrt_uninit_bits(wire_label label)
{
    uint32_t node = WIRE_NODE(label);
    if (czrt_is_uninit_node(node))
        return mask(czrt_nodes[node].width);
    return node >= czrt_first_uninit ? bits[node] : 0;
}

wire_label czrt_uninit_label(uint32_t width)
{
    wire_label label = czrt_uninit_reserved(width);
    return label ? label : czrt_node(WIRE_BOUND, width, 0, 0, WIRE_LOSS_UNINIT, 0);
}

// The lowest bit and all above it: carries.
static uint64_t upwards(uint64_t of)
{
    return of ? ~((of & -of) - 1) : 0;
}

static uint64_t shifted(const struct wire_node *n, uint64_t of)
{
    uint64_t count = n->y;
    if (n->b || count >= n->width)
        return ~0ull;
    if (n->op == WIRE_SHL)
        return of << count;
    if (n->op == WIRE_LSHR || !(of >> (n->width - 1) & 1))
        return of >> count;
    return ~(~(of | ~mask(n->width)) >> count); // the sign comes in from above
}

static uint64_t bits_of_narrow(const struct wire_node *n, uint64_t a, uint64_t b)
{
    switch (n->op) {
    case WIRE_AND: // a constant has its value in x or y
        return n->a && n->b ? a | b : n->a ? a & n->y : b & n->x;
    case WIRE_OR: return n->a && n->b ? a | b : n->a ? a & ~n->y : b & ~n->x;
    case WIRE_XOR: return a | b;
    case WIRE_ADD:
    case WIRE_SUB: return upwards(a | b);
    case WIRE_SHL:
    case WIRE_LSHR:
    case WIRE_ASHR: return b ? ~0ull : a ? shifted(n, a) : 0;
    case WIRE_ZEXT:
    case WIRE_TRUNC: return a;
    case WIRE_SEXT: return a >> (czrt_width(n->a) - 1) & 1 ? a | ~mask(czrt_width(n->a)) : a;
    case WIRE_EXTRACT: return czrt_width(n->a) > 64 ? (a ? ~0ull : 0) : a >> n->x;
    case WIRE_CONCAT: {
        uint32_t low = n->b ? czrt_width(n->b) : n->width - czrt_width(n->a);
        return low >= 64 ? a | b : a << low | b;
    }
    default: return a | b ? ~0ull : 0;
    }
}

static uint64_t bits_of(const struct wire_node *n)
{
    if (n->op == WIRE_BOUND)
        return n->x == WIRE_LOSS_UNINIT ? ~0ull : 0;
    if (n->op == WIRE_INPUT || n->op == WIRE_CONST)
        return 0;
    uint64_t a = n->a ? czrt_uninit_bits(n->a) : 0;
    if (n->op == WIRE_READ)
        return a ? ~0ull : 0;
    uint64_t b = n->b ? czrt_uninit_bits(n->b) : 0;
    if (n->op == WIRE_ITE)
        return a ? ~0ull : b | czrt_uninit_bits((wire_label)n->x);
    bool wide = n->width > 64 || (n->a && czrt_width(n->a) > 64 && n->op != WIRE_EXTRACT);
    if (wide)
        return a | b ? ~0ull : 0;
    return bits_of_narrow(n, a, b);
}

void czrt_uninit_node(uint32_t node)
{
    if (!bits) {
        bits = mmap(NULL, czrt_wire->nodes.room * sizeof *bits, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (bits == MAP_FAILED)
            abort();
    }
    if (czrt_first_uninit > node)
        czrt_first_uninit = node;
    bits[node] = bits_of(&czrt_nodes[node]) & mask(czrt_nodes[node].width);
}

void czrt_uninit_reset(void)
{
    czrt_first_uninit = UINT32_MAX; // whatever is kept behind it is computed anew
}

void czrt_uninit_use(wire_label label, uint32_t site)
{
    if (!czrt_maybe_uninit(label) || !czrt_uninit_bits(label))
        return;
    czrt_loss(WIRE_LOSS_UNINIT);
    czrt_note_soft(WIRE_FAULT_UNINIT, czrt_place(site));
}

void czrt_uninit_fill(void *to, uint64_t n)
{
    czrt_shadow_fill(to, CZRT_UNINIT_BYTE & czrt_uninit_mask, n);
}

// ---- code without labels ----

bool czrt_is_uninitialised(wire_label label)
{
    return label && !WIRE_IS_POISON(label) && czrt_maybe_uninit(label) &&
           czrt_uninit_bits(WIRE_LABEL(WIRE_NODE(label)));
}

static bool initialise(const char *from, uint64_t size)
{
    wire_label *shadow = CZRT_SHADOW(from);
    bool any = false;
    for (uint64_t i = 0; i < size; i++)
        if (czrt_is_uninitialised(shadow[i])) {
            shadow[i] = 0;
            any = true;
        }
    return any;
}

// Behind a pointer into an object everything up to its end may have been written, and before it,
// too: a pointer to a member may lead to the whole. Scalars are not in the table.
static bool initialise_object(const void *pointer, const struct czrt_object *object)
{
    if (!object)
        return initialise(pointer, 16);
    return initialise((const char *)object->base,
                      object->size < MOST_BYTES ? object->size : MOST_BYTES);
}

void czrt_uninit_written(const void *pointer, uint32_t loss)
{
    if (!czrt_uninit_mask || CZRT_IS_WILD(pointer))
        return;
    const struct czrt_object *object = czrt_object_find(pointer);
    bool any = initialise_object(pointer, object);
    uint64_t size = object && object->size < MOST_BYTES ? object->size : 0;
    for (uint64_t i = 0; i + sizeof(void *) <= size; i += sizeof(void *)) {
        const void *inner = *(void *const *)(object->base + i);
        const struct czrt_object *other = CZRT_IS_WILD(inner) ? NULL : czrt_object_find(inner);
        if (other && other != object && !other->is_const)
            any |= initialise_object(inner, other);
    }
    if (any && loss < WIRE_LOSS_COUNT)
        czrt_loss(loss);
}
