// SPDX-License-Identifier: Apache-2.0
// The calls that the project makes of tasks for which a precondition was inferred, and
// whether they visibly respect it.
#ifndef CZ_ENGINE_CALLS_H
#define CZ_ENGINE_CALLS_H

#include "engine/unit.h"
#include "result/result.h"

// Fill sites, counts and ruled_out of result->preconditions. `unit` holds them as probes.
void calls_judge(const struct unit_request *build, struct unit *unit, struct result *result);

#endif
