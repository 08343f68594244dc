// SPDX-License-Identifier: Apache-2.0
// Invariants of whole structures. A function X_check() looks at all of a structure and returns
// what is wrong with it, or NULL. MUST_HOLD stays on in release builds: where going on would
// produce a wrong claim. DEBUG_MUST_HOLD is for checks that cost too much for that; the unit tests
// are built with CZ_CHECK. Cheap conditions at the start of a function are asserts.
#ifndef CZ_BASE_CHECK_H
#define CZ_BASE_CHECK_H

#include "base/error.h"
#include <assert.h>

#define MUST_HOLD(check)                                                                           \
    do {                                                                                           \
        const char *wrong_ = (check);                                                              \
        if (wrong_)                                                                                \
            BUG("%s", wrong_);                                                                     \
    } while (0)

#ifdef CZ_CHECK
#define DEBUG_MUST_HOLD(check) MUST_HOLD(check)
#else
#define DEBUG_MUST_HOLD(check) ((void)0)
#endif

#endif
