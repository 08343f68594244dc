// SPDX-License-Identifier: Apache-2.0
// Expressions as circuits: every expression of a query becomes a vector of literals,
// lowest bit first. All integer operations at widths 1 to 128 and all float operations
// but FREM, with the meaning of wire/ops.def and expr/eval.h.
//
// Each node is built once per query, with an explicit stack. What cannot matter is
// not built: the branch of an ITE whose condition folded to a constant, and table
// bytes at offsets that the offset's known bits exclude.
#ifndef CZ_SOLVER_BLAST_H
#define CZ_SOLVER_BLAST_H

#include "base/map.h"
#include "base/vec.h"
#include "expr/expr.h"
#include "expr/vars.h"
#include "solver/gates.h"

struct blast_division { // positions in `bits`
    uint32_t a, b, quotient, remainder;
    unsigned width;
    uint32_t next; // with the same hash
};

struct blast {
    const struct expr_pool *pool;
    struct gates gates;
    VEC(lit) bits;        // all vectors; [0] is unused
    VEC(uint32_t) first;  // by expression: where its vector begins
    VEC(uint32_t) stamps; // by expression: generation of `first`
    uint32_t generation;
    VEC(expr_id) stack;
    struct map bytes;                     // input byte -> its lowest bit's literal
    VEC(struct expr_var) inputs;          // INPUT nodes that were built
    VEC(struct blast_division) divisions; // [0] is unused
    struct map division_heads;
    const uint8_t *input; // the parent
    size_t input_size;
    size_t nodes, table_work;
    bool failed;
};

void blast_init(struct blast *b, const struct expr_pool *pool, size_t max_gates);
void blast_release(struct blast *b);

// Forget everything; the parent input is not copied.
void blast_begin(struct blast *b, const uint8_t *input, size_t size);

// The literal of a 1-bit expression. False if it has an operation without a circuit
// or is too large; then nothing more can be asked before the next blast_begin.
bool blast_bit(struct blast *b, expr_id id, lit *out);

// One bit of an input byte that occurs in what was built.
lit blast_input_bit(const struct blast *b, uint64_t offset, unsigned bit);

#endif
