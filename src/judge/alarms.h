// SPDX-License-Identifier: Apache-2.0
// From tests to alarms: what the engine saw go wrong, if the sanitizers say the same about it on
// the clean build, and what only they see.
#ifndef CZ_JUDGE_ALARMS_H
#define CZ_JUDGE_ALARMS_H

#include "judge/verdicts.h"

// Where a site of the instrumented code is in the user's source; line 0: not known.
void alarms_place(struct unit *unit, uint32_t site, const char **file, uint32_t *line,
                  const char **function);

// The alarms of the suite's tests, whose outcomes are known. False when the machinery fails.
bool alarms_raise(const struct verdicts_request *request, struct error *err);

// Verdicts of the checks that the search met; when all alarms are raised. `assumptions` are
// those of a proof, `reason` says why others have none.
void alarms_judge_checks(const struct verdicts_request *request, const char *assumptions,
                         const char *reason);

#endif
