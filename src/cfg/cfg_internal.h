// SPDX-License-Identifier: Apache-2.0
// What the files of the graph share.
#ifndef CZ_CFG_INTERNAL_H
#define CZ_CFG_INTERNAL_H

#include "cfg/cfg.h"

struct pair {
    uint32_t from, to;
};

void cfg_make_list(struct arena *arena, struct cfg_list *list, size_t rows,
                   const struct pair *pairs, size_t count);
// What is wrong with the graph, or NULL (base/check.h).
const char *cfg_check(const struct cfg *cfg);
void cfg_find_dominators(struct cfg *cfg); // fills idom, ipdom, dom_in, dom_out

#endif
