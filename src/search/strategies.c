// SPDX-License-Identifier: Apache-2.0
#include "search/strategies.h"

#include <string.h>

const struct strategy *const strategies[] = {
    &strategy_auto,
    &strategy_dfs,
    &strategy_bfs,
    &strategy_reverse_dfs,
    &strategy_random_branch,
    &strategy_uniform_random,
    &strategy_cfg,
    &strategy_generational,
    &strategy_carfast,
    &strategy_rp_md2u,
    &strategy_pps,
    &strategy_cgs,
    &strategy_weighted_random,
    &strategy_directed,
    NULL,
};

const struct strategy *strategy_by_name(const char *name)
{
    for (size_t i = 0; strategies[i]; i++)
        if (strcmp(strategies[i]->name, name) == 0)
            return strategies[i];
    return NULL;
}
