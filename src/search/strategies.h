// SPDX-License-Identifier: Apache-2.0
// The strategies there are; each is defined in the file of its name.
#ifndef CZ_SEARCH_STRATEGIES_H
#define CZ_SEARCH_STRATEGIES_H

#include "search/strategy.h"

extern const struct strategy strategy_auto, strategy_dfs, strategy_random_branch;

#endif
