// SPDX-License-Identifier: Apache-2.0
// Reads back what expr_print_smt2_query writes: the constraints, in a pool, and the
// parent input. Only that subset of SMT-LIB 2 is understood; anything else is an error.
// The expressions mean the same as those that were written, but the simplifier may
// give them another form.
#ifndef CZ_EXPR_SMT2_READ_H
#define CZ_EXPR_SMT2_READ_H

#include "base/buf.h"
#include "base/error.h"
#include "expr/expr.h"

struct smt2_query {
    expr_id *constraints;
    size_t count, room;
    struct buf input;
};

bool smt2_read(struct expr_pool *pool, const char *text, size_t length, struct smt2_query *out,
               struct error *err);
void smt2_query_release(struct smt2_query *query);

#endif
