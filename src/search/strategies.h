// SPDX-License-Identifier: Apache-2.0
// The strategies there are; each is defined in the file of its name.
#ifndef CZ_SEARCH_STRATEGIES_H
#define CZ_SEARCH_STRATEGIES_H

#include "search/strategy.h"

extern const struct strategy strategy_auto, strategy_dfs, strategy_bfs, strategy_reverse_dfs,
    strategy_random_branch, strategy_uniform_random, strategy_cfg, strategy_generational,
    strategy_carfast, strategy_rp_md2u, strategy_pps, strategy_cgs, strategy_weighted_random,
    strategy_directed;

#endif
