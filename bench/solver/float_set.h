// SPDX-License-Identifier: Apache-2.0
// Satisfiable formulas over float and double, of the kinds that control code has.
#ifndef CZ_BENCH_FLOAT_SET_H
#define CZ_BENCH_FLOAT_SET_H

#include "expr/expr.h"

#define FLOAT_SET_MAX 8 // constraints of one formula

struct float_formula {
    const char *name;
    unsigned width; // 32 or 64
    expr_id constraints[FLOAT_SET_MAX];
    size_t count;
};

// Formula `index` in the pool; false beyond the last. Inputs are at 0, 8 and 16.
bool float_set(struct expr_pool *pool, unsigned index, struct float_formula *out);

#endif
