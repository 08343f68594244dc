// SPDX-License-Identifier: Apache-2.0
// A finished campaign as bytes, for the way from a worker process to its parent. Both
// are the same program on the same unit, so plain memory layout will do; lengths are
// checked all the same, because a worker may be killed in the middle.
#ifndef CZ_CAMPAIGN_CAMPAIGN_IO_H
#define CZ_CAMPAIGN_CAMPAIGN_IO_H

#include "campaign/campaign.h"

void campaign_save(const struct campaign *campaign, struct buf *out);

// Rebuild it. False when the bytes are not a whole campaign; `campaign` is then empty.
bool campaign_load(const struct program *program, size_t task, const char *bytes, size_t length,
                   struct campaign *campaign, struct error *err);

#endif
