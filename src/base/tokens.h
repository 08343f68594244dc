// SPDX-License-Identifier: Apache-2.0
// How many processes work at a time, across processes that fork from one another, as make
// does it: each has the right to one, and takes a token for every further one from a pipe.
#ifndef CZ_BASE_TOKENS_H
#define CZ_BASE_TOKENS_H

#include "base/error.h"

struct tokens {
    int ends[2];
};

bool tokens_open(struct tokens *tokens, struct error *err); // with none in it
void tokens_close(struct tokens *tokens);
bool tokens_take(const struct tokens *tokens); // false: there is none now; poll ends[0]
void tokens_give(const struct tokens *tokens);

#endif
