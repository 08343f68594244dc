// SPDX-License-Identifier: Apache-2.0
#include "campaign/step_budget.h"

#include "base/tunables.h"

void step_budget_init(struct step_budget *s, uint64_t full)
{
    *s = (struct step_budget){.full = full,
                              .usual = CAMPAIGN_STEPS_USUAL < full ? CAMPAIGN_STEPS_USUAL : full,
                              .repeat_at = 1};
}

uint64_t step_budget_next(const struct step_budget *s)
{
    return s->repeating ? s->full : s->usual;
}

static void grow(struct step_budget *s, uint64_t used)
{
    uint64_t wanted =
        used < s->full / CAMPAIGN_STEPS_MULTIPLE ? used * CAMPAIGN_STEPS_MULTIPLE : s->full;
    if (wanted > s->usual)
        s->usual = wanted;
}

bool step_budget_learn(struct step_budget *s, const struct wire_run *run)
{
    bool was_repeated = s->repeating;
    s->repeating = false;
    if (run->status == WIRE_OK || run->status == WIRE_EXIT)
        grow(s, run->steps);
    if (run->status != WIRE_STEPS || run->exit_code || !run->steps) // no steps: a clock cut it off
        return false;
    if (was_repeated || s->usual >= s->full || ++s->cut_off < s->repeat_at)
        return false;
    s->repeat_at *= 2;
    s->repeating = true;
    return true;
}
