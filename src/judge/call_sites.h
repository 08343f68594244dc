// SPDX-License-Identifier: Apache-2.0
// The calls that the project makes of tasks for which a precondition was inferred, and
// whether they visibly respect it.
#ifndef CZ_JUDGE_CALL_SITES_H
#define CZ_JUDGE_CALL_SITES_H

#include "unit/unit.h"
#include "result/result.h"

// Fill sites, counts and ruled_out of result->preconditions. `unit` holds them as probes.
void call_sites_judge(const struct unit_request *build, struct unit *unit, struct result *result);

#endif
