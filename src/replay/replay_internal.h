// SPDX-License-Identifier: Apache-2.0
// Shared inside src/replay.
#ifndef CZ_REPLAY_INTERNAL_H
#define CZ_REPLAY_INTERNAL_H

#include "replay/replay.h"

// The answer of `test` in a replay program's output from *at on: what follows
// "test<tab>". The code under test may have printed something before it, even on the
// same line. Moves *at behind the answer; false when there is none.
bool replay_find_outcome(const char **at, const char *test, struct arena *arena,
                         struct replay_outcome *out);

// replay_run with another limit per test.
bool replay_run_for(unsigned seconds, const char *executable, const char *scratch,
                    const char *const *tests, size_t count, const char *const *env,
                    struct arena *arena, struct replay_outcome *outcomes, struct error *err);

#endif
