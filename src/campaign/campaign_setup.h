// SPDX-License-Identifier: Apache-2.0
// What a campaign begins with: the control-flow graph of its task, the goals it is
// after, and its first input.
#ifndef CZ_CAMPAIGN_CAMPAIGN_SETUP_H
#define CZ_CAMPAIGN_CAMPAIGN_SETUP_H

#include "campaign/campaign.h"

// The graph of the unit, rooted at the task's driver. To be freed by cfg_free.
struct cfg *campaign_graph(const struct campaign_request *request);

// Criterion, rule and --goal.
void campaign_set_goals(const struct campaign_request *request, struct cfg *cfg,
                        struct coverage *coverage);

// Zeros, or the inputs of --seed-test when that is a test of this task. Asks the target
// until it knows all places of the test.
bool campaign_first_input(const struct campaign_request *request, struct buf *input,
                          struct error *err);

// The inputs of a test file, when it is one of this task; the target asks as above.
bool campaign_test_input(const struct campaign_request *request, const char *path,
                         struct buf *input, struct error *err);

// Is this a word of --goal? For the command line: "file.c:120:T".
bool campaign_parse_goal(const char *word, size_t length, struct buf *file, uint32_t *line,
                         int *outcome);

#endif
