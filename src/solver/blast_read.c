// SPDX-License-Identifier: Apache-2.0
// A read with a symbolic offset: a binary tree of selections over the bits of the
// offset, with the table's bytes as leaves. Bits of the offset that are known need
// no selection, so a table of words is read at every fourth offset only. Over
// constants the lowest levels are functions of few bits, of which there are not
// many, and structural hashing builds each once.
//
// Offsets at which a byte would be out of bounds give 0 (expr.h).
#include "solver/blast_words.h"

#include "base/tunables.h"
#include <string.h>

struct table {
    struct blast *blast;
    const struct expr *read;
    const struct expr_snapshot *snapshot;
    lit offset[64];
    unsigned index_bits; // of the last offset in bounds
    uint64_t last;
    uint64_t known, value; // bits of the offset that are constant
};

// False if no offset is in bounds.
static bool table_open(struct table *t, struct blast *b, const struct expr *read)
{
    unsigned bytes = read->width / 8u;
    *t = (struct table){.blast = b, .read = read};
    t->snapshot = expr_get_snapshot(b->pool, read->x);
    if (bytes > t->snapshot->size)
        return false;
    t->last = t->snapshot->size - bytes;
    t->index_bits = value_bits(t->last);
    memcpy(t->offset, blast_word(b, read->a), sizeof t->offset);
    for (unsigned i = 0; i < 64; i++) {
        t->known |= (uint64_t)lit_is_const(t->offset[i]) << i;
        t->value |= (uint64_t)(t->offset[i] == LIT_TRUE) << i;
    }
    return true;
}

// Can the offset be `at`?
static bool table_reaches(const struct table *t, uint64_t at)
{
    return (at & t->known) == t->value;
}

static bool table_need(struct table *t, uint64_t at)
{
    bool ready = true;
    for (unsigned i = 0; i < t->read->width / 8u; i++) {
        expr_id byte = t->snapshot->exprs[at + i];
        if (byte && !blast_need(t->blast, byte))
            ready = false;
    }
    return ready;
}

bool blast_read_ready(struct blast *b, const struct expr *e)
{
    struct table t;
    bool ready = true;
    if (!table_open(&t, b, e))
        return true;
    uint64_t free = ~t.known & ((UINT64_C(1) << t.index_bits) - 1);
    unsigned shift = t.index_bits - (unsigned)__builtin_popcountll(free);
    b->table_work += ((t.last >> shift) + 1) * e->width;
    if (b->table_work > SOLVER_BLAST_TABLE_WORK) {
        b->failed = true;
        return false;
    }
    if (!t.snapshot->exprs)
        return true;
    for (uint64_t at = 0; at <= t.last; at++)
        if (table_reaches(&t, at) && !table_need(&t, at))
            ready = false;
    return ready;
}

static void table_leaf(const struct table *t, lit *out, uint64_t at)
{
    for (unsigned i = 0; i < t->read->width / 8u; i++, out += 8) {
        expr_id byte = t->snapshot->exprs ? t->snapshot->exprs[at + i] : 0;
        if (byte)
            memcpy(out, blast_word(t->blast, byte), 8 * sizeof *out);
        else
            word_number(out, t->snapshot->bytes[at + i], 8);
    }
}

// The subtree of the 2^bits offsets from `from` on. Recursion is as deep as the
// offset has bits that matter, 32 at most.
static void table_tree(const struct table *t, lit *out, uint64_t from, unsigned bits)
{
    if (from > t->last) {
        word_number(out, 0, t->read->width);
        return;
    }
    if (bits == 0) {
        table_leaf(t, out, from);
        return;
    }
    lit bit = t->offset[bits - 1];
    uint64_t half = UINT64_C(1) << (bits - 1);
    if (bit != LIT_TRUE)
        table_tree(t, out, from, bits - 1);
    if (bit == LIT_TRUE)
        table_tree(t, out, from + half, bits - 1);
    if (lit_is_const(bit))
        return;
    lit high[EXPR_MAX_WIDTH];
    table_tree(t, high, from + half, bits - 1);
    word_select(&t->blast->gates, out, bit, high, out, t->read->width);
}

void blast_read(struct blast *b, lit *out, const struct expr *e)
{
    struct table t;
    lit inside = LIT_TRUE;
    if (!table_open(&t, b, e)) {
        word_number(out, 0, e->width);
        return;
    }
    for (unsigned i = t.index_bits; i < 64; i++)
        inside = gates_and(&b->gates, inside, lit_not(t.offset[i]));
    if (inside == LIT_FALSE) {
        word_number(out, 0, e->width);
        return;
    }
    table_tree(&t, out, 0, t.index_bits);
    for (unsigned i = 0; i < e->width; i++)
        out[i] = gates_and(&b->gates, out[i], inside);
}
