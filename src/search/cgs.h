// SPDX-License-Identifier: Apache-2.0
// Context-guided search, for others to build on; see cgs.c.
#ifndef CZ_SEARCH_CGS_H
#define CZ_SEARCH_CGS_H

#include "base/map.h"
#include "search/strategy.h"

struct cgs_depths { // candidates by depth
    candidate_list *items;
    size_t count, room;
};

struct cgs {
    struct search_view view;
    struct cgs_depths pending, skipped;
    size_t depth;        // of the walk
    unsigned k;          // length of contexts now
    struct map contexts; // those that were selected
    size_t selected;     // in this walk
    bool take_all;
};

void cgs_init(struct cgs *cgs, const struct search_view *view);
void cgs_release(struct cgs *cgs);
void cgs_offer(struct cgs *cgs, const struct candidate *candidate);
bool cgs_choose(struct cgs *cgs, struct candidate *out);

#endif
