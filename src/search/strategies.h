// SPDX-License-Identifier: Apache-2.0
// The strategies there are (strategies.def); each is defined in the file of its name.
#ifndef CZ_SEARCH_STRATEGIES_H
#define CZ_SEARCH_STRATEGIES_H

#include "search/strategy.h"

#define STRATEGY(id, name, word, help) extern const struct strategy strategy_##name;
#include "search/strategies.def"
#undef STRATEGY

#endif
