// SPDX-License-Identifier: Apache-2.0
// A candidate by a walk down the execution tree; see random_path.c.
#ifndef CZ_SEARCH_RANDOM_PATH_H
#define CZ_SEARCH_RANDOM_PATH_H

#include "search/strategy.h"

// A walk that ends among nodes where only checks are left to be hunted is tried again;
// then any open candidate is taken. False: none is open.
bool random_walk(const struct search_view *view, struct candidate *out);

#endif
