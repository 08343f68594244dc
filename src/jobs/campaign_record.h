// SPDX-License-Identifier: Apache-2.0
// A finished campaign as a record (base/record.h), for the way from a worker to its parent, which
// knows the same unit.
#ifndef CZ_JOBS_CAMPAIGN_RECORD_H
#define CZ_JOBS_CAMPAIGN_RECORD_H

#include "base/record.h"
#include "campaign/campaign.h"

extern const struct record_type saved_campaign_record; // for tests of its table

void campaign_save(const struct campaign *campaign, struct buf *out);

// Rebuild it. False: the record is not of a campaign of this task; `campaign` is then empty.
bool campaign_load(const struct program *program, size_t task, const struct record_frame *frame,
                   struct campaign *campaign, struct error *err);

#endif
