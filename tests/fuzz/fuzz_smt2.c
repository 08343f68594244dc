// SPDX-License-Identifier: Apache-2.0
// The reader of our SMT-LIB 2: any text gives constraints of one bit or a sentence.
#include "expr/smt2_read.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct expr_pool *pool = expr_pool_new();
    struct smt2_query query;
    struct error err = {0};
    if (smt2_read(pool, (const char *)data, size, &query, &err)) {
        for (size_t i = 0; i < query.count; i++)
            if (expr_get(pool, query.constraints[i])->width != 1)
                abort();
        smt2_query_release(&query);
    } else if (err.kind == ERROR_NONE || !*err.text) {
        abort();
    }
    expr_pool_free(pool);
    return 0;
}
