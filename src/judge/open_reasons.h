// SPDX-License-Identifier: Apache-2.0
// Why a goal stays open: a sentence for people, and its causes as classes that reports can count
// (result/open_causes.def).
#ifndef CZ_JUDGE_OPEN_REASONS_H
#define CZ_JUDGE_OPEN_REASONS_H

#include "judge/ledger.h"

// For the goals that nothing else is known of: how the search ended, or what it lost.
struct open_reason open_reason_of_search(const struct verdicts_request *request,
                                         const struct ledger *ledger);

// For a goal about which provers are not asked. Without a text: they are.
struct open_reason open_reason_of_goal(const struct verdicts_request *request,
                                       const struct result_goal *goal);

#endif
