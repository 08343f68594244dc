// SPDX-License-Identifier: Apache-2.0
// After the search: what it knows for certain. Were all paths followed, which goals lie behind
// faults, which checks were refuted.
#ifndef CZ_CAMPAIGN_CONCLUSION_H
#define CZ_CAMPAIGN_CONCLUSION_H

#include "campaign/campaign_state.h"

// Lists the checks that an explorer met in campaign->checks. `refutes`: what it refuted counts;
// with grown bounds it does not. Were all refuted?
bool conclusion_list_checks(struct campaign_state *state, const struct explorer *explorer,
                            bool refutes);
// Fills what campaign.h says of claims; the generators are gone by then.
void conclusion_draw(struct campaign_state *state);
// ... and once the optimiser has answered.
void conclusion_forget_assumed(struct campaign *campaign);
// Does the driver leave out inputs of the task? Then nothing is proven by its means.
bool conclusion_driver_is_partial(const struct campaign_request *request);

#endif
