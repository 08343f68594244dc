// SPDX-License-Identifier: Apache-2.0
// Circuits of operations on words, that is on vectors of literals, lowest bit first.
// Outputs may be the same array as inputs unless said otherwise.
#ifndef CZ_SOLVER_BLAST_WORDS_H
#define CZ_SOLVER_BLAST_WORDS_H

#include "expr/value.h"
#include "solver/blast.h"

#define WORD_MAX (EXPR_MAX_WIDTH + 1) // division needs one bit more

void word_number(lit *out, expr_u128 value, unsigned width);
bool word_is_number(const lit *a, unsigned width, expr_u128 *value);
expr_u128 word_value(const struct gates *g, const lit *a, unsigned width); // on the parent

void word_add(struct gates *g, lit *out, const lit *a, const lit *b, lit carry, unsigned width);
void word_sub(struct gates *g, lit *out, const lit *a, const lit *b, unsigned width);
void word_negate(struct gates *g, lit *out, const lit *a, unsigned width);
void word_multiply(struct gates *g, lit *out, const lit *a, const lit *b, unsigned width);
void word_select(struct gates *g, lit *out, lit condition, const lit *yes, const lit *no,
                 unsigned width);
lit word_equal(struct gates *g, const lit *a, const lit *b, unsigned width);

// a < b, or a <= b, unsigned.
lit word_less(struct gates *g, const lit *a, const lit *b, unsigned width, bool or_equal);

// op: SHL, LSHR or ASHR; out is neither a nor by.
void word_shift(struct gates *g, lit *out, enum expr_op op, const lit *a, const lit *by,
                unsigned width);

// blast_divide.c: op is UDIV, SDIV, UREM or SREM.
void blast_divide(struct blast *b, lit *out, enum expr_op op, const lit *a, const lit *by,
                  unsigned width);

// blast_read.c. The bytes of the table that the offset can reach: true if all are
// built, else the missing ones are on the stack.
bool blast_read_ready(struct blast *b, const struct expr *e);
void blast_read(struct blast *b, lit *out, const struct expr *e);

// blast.c, for the two above.
bool blast_need(struct blast *b, expr_id id);             // built? else pushed
const lit *blast_word(const struct blast *b, expr_id id); // valid until the next vector is kept
uint32_t blast_keep(struct blast *b, const lit *word, unsigned width);

#endif
