// SPDX-License-Identifier: Apache-2.0
// What the result keeps of the tests of a suite: their inputs, and how decisions went in them.
#ifndef CZ_JUDGE_TEST_RECORD_H
#define CZ_JUDGE_TEST_RECORD_H

#include "campaign/campaign.h"
#include "replay/replay.h"
#include "result/result.h"

// The inputs of a test, from its text.
void test_record_inputs(struct result *result, struct result_test *test,
                        const struct kept_test *kept);

// What it showed when it was replayed.
void test_record_outputs(struct result *result, struct result_test *test,
                         const struct replay_outcome *outcome);
// What the call of the task found there.
void test_record_found(struct result *result, struct result_test *test,
                       const struct replay_outcome *outcome);

// The vectors that the tests of the task show, each once. To be called when the tests are there.
void test_record_vectors(struct result *result, struct result_task *task,
                         const struct campaign *campaign, const size_t *chosen);

// Two of these vectors (indices in campaign->coverage.vectors) show the condition of a goal.
void test_record_pair(struct result *result, struct result_task *task,
                      const struct campaign *campaign, size_t goal, const size_t pair[2]);

#endif
