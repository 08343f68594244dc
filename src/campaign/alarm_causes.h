// SPDX-License-Identifier: Apache-2.0
// What would have ruled out an alarm: candidates for preconditions, from the records of the
// run that shows it.
#ifndef CZ_CAMPAIGN_ALARM_CAUSES_H
#define CZ_CAMPAIGN_ALARM_CAUSES_H

#include "campaign/campaign.h"
#include "trace/trace.h"

struct causes_request {
    const struct campaign_request *campaign;
    struct expr_pool *pool;
    struct solver *solver;
    struct trace_decoder *decoder;
    const struct wire_run *run;
    const struct wire_record *records;
    size_t count;
    uint32_t fault, site; // the alarm: the end of the run, or on its way
};

// Fills test->candidates and ->guards.
void causes_find(const struct causes_request *request, struct arena *arena, struct kept_test *test);

// When the inputs that matter are known: a NULL that could not be told is one of them; and
// everything with its guards. test->candidates is complete then.
void causes_finish(const struct campaign_request *campaign, struct arena *arena,
                   struct kept_test *test);

#endif
