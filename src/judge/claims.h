// SPDX-License-Identifier: Apache-2.0
// What a claim of infeasibility presumes, and whether it may be made at all. A claim without
// assumptions is strong: it holds for every call with any memory. All claims speak of executions
// without undefined behaviour before the goal; where an alarm of the task shows some, the claim
// is weak and names the alarm.
#ifndef CZ_JUDGE_CLAIMS_H
#define CZ_JUDGE_CLAIMS_H

#include "judge/verdicts.h"

// Did the search see all paths that could lead to goals of this kind, and is every fault that
// ended one of them confirmed by an alarm? If not, nothing follows from its end.
bool claims_search_stands(const struct verdicts_request *request, enum goal_kind kind);

// What the search presumes about a goal (2 * branch id + outcome), or about all paths.
#define CLAIMS_ALL ((size_t)-1)
struct assumptions claims_of_search(const struct verdicts_request *request, size_t goal);

// What the optimiser presumes about this branch outcome (campaign.dead).
struct assumptions claims_of_optimiser(const struct verdicts_request *request, size_t goal);

// Everything that forbids a claim by an exhausted search, for people; "" if nothing does.
const char *claims_losses(const struct verdicts_request *request);

#endif
