// SPDX-License-Identifier: Apache-2.0
#ifndef CZ_SEARCH_TREE_CHECK_H
#define CZ_SEARCH_TREE_CHECK_H

#include "search/tree.h"

// What is wrong with the tree between two walks, or NULL (base/check.h).
const char *tree_check(const struct tree *tree);

#endif
