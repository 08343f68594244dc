// SPDX-License-Identifier: Apache-2.0
#include "search/strategies.h"

const struct strategy *const strategies[STRATEGY_COUNT + 1] = {
#define STRATEGY(id, name, word, help) [STRATEGY_##id] = &strategy_##name,
#include "search/strategies.def"
#undef STRATEGY
};
