// SPDX-License-Identifier: Apache-2.0
#ifndef CZ_EXPR_CHECK_H
#define CZ_EXPR_CHECK_H

#include "expr/expr.h"

// What is wrong with the pool, or NULL (base/check.h). Nothing is added to a sound pool.
const char *expr_pool_check(struct expr_pool *pool);

#endif
