// SPDX-License-Identifier: Apache-2.0
// From a search and its replay to verdicts: one for every goal of the task, alarms
// for the crashes that the clean build reproduces, and the tests' own texts.
#ifndef CZ_JUDGE_VERDICTS_H
#define CZ_JUDGE_VERDICTS_H

#include "campaign/campaign.h"
#include "result/result.h"
#include "replay/replay.h"

struct verdicts_request {
    struct unit *unit;
    struct clean_build *clean;
    const struct campaign *campaign;
    const struct options *options;
    const size_t *chosen; // kept tests that are in the suite
    size_t count;
    const char *const *paths;              // their files
    const struct replay_outcome *outcomes; // of the replay
    const struct replay_coverage *coverage;
    struct arena *arena; // outlives the call
    struct result *result;
    struct result_task *task; // with its tests added
};

bool verdicts_give(const struct verdicts_request *request, struct error *err);

// Enter the tests of the suite into the result. `paths` are relative to the run directory.
void verdicts_add_tests(struct result *result, struct result_task *task, struct unit *unit,
                        const struct campaign *campaign, const size_t *chosen, size_t count,
                        const char *const *paths);

// The text of the test file.
void verdicts_test_text(struct unit *unit, const struct target *target, const char *task,
                        const struct kept_test *kept, struct buf *out);

// "ok", "exit", "cut off", or what went wrong where.
const char *verdicts_outcome(struct unit *unit, const struct kept_test *kept, struct arena *arena);

#endif
