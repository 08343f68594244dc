// SPDX-License-Identifier: Apache-2.0
// After the search: for every alarm the simplest input, what matters in it, and the way there.
#ifndef CZ_CAMPAIGN_ALARM_TESTS_H
#define CZ_CAMPAIGN_ALARM_TESTS_H

#include "campaign/execution.h"

void alarm_tests_simplify(struct executor *executor);

#endif
