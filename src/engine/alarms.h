// SPDX-License-Identifier: Apache-2.0
// From a test in which the engine saw something go wrong to an alarm: what the sanitizers
// say about it on the clean build decides.
#ifndef CZ_ENGINE_ALARMS_H
#define CZ_ENGINE_ALARMS_H

#include "engine/verdicts.h"

// Where a site of the instrumented code is in the user's source; line 0: not known.
void alarms_place(struct unit *unit, uint32_t site, const char **file, uint32_t *line,
                  const char **function);

// Test number `index` of the suite. False when the machinery fails.
bool alarms_raise(const struct verdicts_request *request, size_t index, struct error *err);

// Verdicts of the checks that the search met; when all alarms are raised. `assumptions` are
// those of a proof, `reason` says why others have none.
void alarms_judge_checks(const struct verdicts_request *request, const char *assumptions,
                         const char *reason);

#endif
