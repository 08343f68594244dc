// SPDX-License-Identifier: Apache-2.0
// Which test covers a goal that llvm-cov saw and no run of the engine claims: the clean
// build goes on where the engine stopped a test.
#ifndef CZ_JUDGE_ATTRIBUTION_H
#define CZ_JUDGE_ATTRIBUTION_H

#include "judge/verdicts.h"

bool attribution_find(const struct verdicts_request *r, struct error *err);

#endif
