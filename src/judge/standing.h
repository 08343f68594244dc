// SPDX-License-Identifier: Apache-2.0
// The rule that decides whether a claim of infeasibility may stand. Provers propose claims
// (provers.h); none reaches the result but through here.
//   - What an execution has reached is not infeasible, whoever proves it.
//   - A claim by exhausted search needs a search that saw all paths that could lead to goals of
//   this
//     kind: nothing was dropped, cut off, unknown or not modelled (losses of class OPEN), and every
//     fault that ended an execution is confirmed by an alarm.
//   - What llvm-cov shows covered stays covered; a claim against it is a disagreement
//     (result_set_infeasible).
#ifndef CZ_JUDGE_STANDING_H
#define CZ_JUDGE_STANDING_H

#include "judge/ledger.h"

bool standing_of_claim(const struct verdicts_request *request, const struct claim *claim);

// Does anything follow from the end of the search about goals of this kind?
bool standing_of_search(const struct verdicts_request *request, enum goal_kind kind);

// Is every fault that ended an execution one that the clean build confirms?
bool standing_of_faults(const struct verdicts_request *request);

#endif
