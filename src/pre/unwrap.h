// SPDX-License-Identifier: Apache-2.0
// With 32-bit pointers, table[i] of an index i far beyond the table is inside it again: the
// multiplication by the size of an element wraps. No programmer means that, so conditions on
// i are looked for with the predicate of a check in which nothing wraps.
#ifndef CZ_PRE_UNWRAP_H
#define CZ_PRE_UNWRAP_H

#include "expr/expr.h"

// A predicate that implies this one, and is the same as long as no sum or product of 32 bits
// leaves the range of signed numbers. One that is no comparison of such is returned as it is.
expr_id unwrap(struct expr_pool *pool, expr_id predicate);

#endif
