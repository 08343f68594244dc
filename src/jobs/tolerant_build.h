// SPDX-License-Identifier: Apache-2.0
// A driver that does not compile costs its task, not its file.
#ifndef CZ_JOBS_TOLERANT_BUILD_H
#define CZ_JOBS_TOLERANT_BUILD_H

#include "unit/unit.h"
#include "result/result.h"

// Builds a unit as unit_build() does. Tasks whose drivers do not compile are left out: `request`
// then names the others, and each of them is an error of the result. False when nothing is left
// to test, or when something else fails.
bool tolerant_build(struct unit_request *request, struct unit *unit, struct result *result,
                    struct arena *arena, struct error *err);

#endif
