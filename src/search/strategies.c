// SPDX-License-Identifier: Apache-2.0
#include "search/strategies.h"

#include <string.h>

const struct strategy *const strategies[] = {
    &strategy_auto,
    &strategy_dfs,
    &strategy_random_branch,
    NULL,
};

const struct strategy *strategy_by_name(const char *name)
{
    for (size_t i = 0; strategies[i]; i++)
        if (strcmp(strategies[i]->name, name) == 0)
            return strategies[i];
    return NULL;
}
